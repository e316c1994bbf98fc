/* Scan of all 3-opt moves of a tour as (min, +) matrix products: about one instruction per move.
 *
 *     a-[b..c]-[d..e]-f      a at position i, c at j, e at k, i < j < k; b, d and f follow them
 *
 * Distances are in a table by positions, T(p, q) in row p; E(p) = T(p, p+1). With V(q, k) = T(q, k+1) - E(k), the four
 * reconnections ("ways") of neighborhoods/three_opt.py cost, in this order of summation,
 *
 *     0   (T(i, j+1)   - E(i) - E(j)) + (T(i+1, k) + V(j, k))
 *     1   (T(i, j)     - E(i) - E(j)) + (T(i+1, k) + V(j+1, k))
 *     2   (T(i+1, j+1) - E(i) - E(j)) + (T(i, k)   + V(j, k))
 *     3   (T(i, j+1)   - E(i) - E(j)) + (T(j, k)   + V(i+1, k))
 *
 * The first bracket does not depend on k; the second is one of two functions, to be minimised over k:
 *
 *     ahead(p, q) = min over k > q of T(p, k) + V(q, k)     ways 0, 1 and 2
 *     back(p, q)  = min over k > q of T(q, k) + V(p, k)     way 3
 *
 * So the scan is a pair of matrix products over the (min, +) semiring, p <= q < k. It is tiled like any matrix product:
 * blocks of SIDE x SIDE x SIDE, four slices of the table in shared memory, and a patch of minima in the registers of
 * each lane. Two sums and two minima per triple of edges cover its four moves.
 * Way 1 with k = j + 1 is treated separately: T(j+1, k+1) = E(k), and the move is the 2-opt move (i, j).
 * Reconnections that restore all three edges are no moves: way 1 of (i, i+1, i+2), way 2 of (0, 1, n-1), way 3 of
 * (0, n-2, n-1).
 *
 * Row p of the result covers ways 0, 1 and 3 of i = p - 1 and way 2 of i = p.
 *
 * To be defined before inclusion: NUMBER, type of the table; FAR, larger than any move's cost; SIDE, edge of a block;
 * WIDE, edge of a lane's patch where LANES > 1; SCAN, CHOOSE, COLUMNS and FINISH, names of the kernels.
 *
 * The table has positions 0 to blocks * SIDE as rows and columns, `stride` numbers per row. Position n repeats position
 * 0; entries beyond may be any finite number.
 */
#ifndef WARPTOUR_THREE_OPT
#define WARPTOUR_THREE_OPT

#define DEPTH 16 /* positions k held in shared memory per step */

#define LEAST(a, b) ((a) < (b) ? (a) : (b))

#if LANES == 1
/* A patch is a row of the block; DEEP positions k per pass keep the minima in registers meanwhile. */
#define PATCH_P 1
#define PATCH_Q SIDE
#define RUN_P 1
#define RUN_Q SIDE
#define DEEP 8
#define SPELL_OUT
#define SPELL_TWO
#else
#define PATCH_P WIDE
#define PATCH_Q WIDE
#define RUN_P 4
#define RUN_Q 4
#define DEEP 1
/* Minima stay in registers only if every index is a compile-time constant. Unrolling more than two positions k would
 * overflow the instruction cache. */
#define SPELL_OUT _Pragma("unroll")
#define SPELL_TWO _Pragma("unroll 2")
#endif
#define LANES_P (SIDE / PATCH_P)
#define LANES_Q (SIDE / PATCH_Q)
/* A patch consists of segments of RUN_P or RUN_Q contiguous positions, each one load; adjacent lanes load adjacent
 * segments. */
#define IN_P(lane, u) (lane / LANES_Q % LANES_P * RUN_P + u % RUN_P + u / RUN_P * (RUN_P * LANES_P))
#define IN_Q(lane, v) (lane % LANES_Q * RUN_Q + v % RUN_Q + v / RUN_Q * (RUN_Q * LANES_Q))
#define PATCHES ((LANES_P * LANES_Q + LANES - 1) / LANES) /* per lane */

/* Number of blocks P <= Q <= K with K < `count`; count is at most 2^20, so that the product fits into 64 bits. */
INLINE int64 blocks_below(int64 count) { return count * (count + 1) * (count + 2) / 6; }

/* Block of a number, ordered by K, then Q, then P; binary search in integers, since a rounded root may be off by
 * one. */
INLINE void block_of(int64 number, int32 *P, int32 *Q, int32 *K) {
    int64 low = 0, high = 1;
    while (blocks_below(high) <= number) low = high, high *= 2;
    while (high - low > 1) { /* blocks_below(low) <= number < blocks_below(high) */
        int64 middle = (low + high) / 2;
        if (blocks_below(middle) <= number)
            low = middle;
        else
            high = middle;
    }
    *K = (int32)low;
    number -= blocks_below(low);
    low = 0, high = *K + 1;
    while (high - low > 1) {
        int64 middle = (low + high) / 2;
        if (middle * (middle + 1) / 2 <= number)
            low = middle;
        else
            high = middle;
    }
    *Q = (int32)low;
    *P = (int32)(number - low * (low + 1) / 2);
}

/* First bracket of a move's cost. */
#define CLOSING(from, to, i, j) (table[(int64)(from) * stride + (to)] - edge[i] - edge[j])

/* For each p of a lane's patches, minimise `row` over its q with COUNTS by the given code; keep the best row. */
#define MIN_OF_ROWS(COUNTS, ...)                                                              \
    SPELL_OUT for (int32 s = 0; s < PATCHES; s++) {                                                \
        int32 lane = LANE + s * LANES;                                                          \
        if (lane >= LANES_P * LANES_Q) continue;                                                \
        SPELL_OUT for (int32 u = 0; u < PATCH_P; u++) {                                            \
            int32 p = p0 + IN_P(lane, u);                                                       \
            NUMBER row = FAR;                                                                   \
            SPELL_OUT for (int32 v = 0; v < PATCH_Q; v++) {                                        \
                int32 q = q0 + IN_Q(lane, v);                                                   \
                if (COUNTS) __VA_ARGS__                                                         \
            }                                                                                   \
            if (row < best || (row == best && p < best_row)) best = row, best_row = p;          \
        }                                                                                       \
    }

/* Return ahead(0, 1) over the positions k of the block that begins at k0, without k = n - 1, which is no move. */
INLINE NUMBER ahead_of_first(GLOBAL const NUMBER *table, GLOBAL const NUMBER *edge, int64 stride, int32 n, int32 k0) {
    NUMBER least = FAR;
    for (int32 k = k0 > 2 ? k0 : 2; k < k0 + SIDE && k < n - 1; k++) {
        NUMBER sum = table[k * stride] + (table[(k + 1) * stride + 1] - edge[k]);
        least = LEAST(least, sum);
    }
    return least;
}

/* Scan blocks `first` to `last` - 1. Write the minimum delta of each, and the first row that has it. */
KERNEL(SCAN, int32 n, int32 stride, int64 first, int64 last, GLOBAL const NUMBER *RESTRICT table,
       GLOBAL const NUMBER *RESTRICT edge, GLOBAL NUMBER *RESTRICT least, GLOBAL int32 *RESTRICT least_row) {
    LOCAL_ARRAY(NUMBER, tp, DEPTH * SIDE);
    LOCAL_ARRAY(NUMBER, vp, DEPTH * SIDE);
    LOCAL_ARRAY(NUMBER, tq, DEPTH * SIDE);
    LOCAL_ARRAY(NUMBER, vq, DEPTH * SIDE);
    for (int64 block = first + GROUP; block < last; block += GROUPS) {
        int32 P, Q, K;
        block_of(block, &P, &Q, &K);
        int32 p0 = P * SIDE, q0 = Q * SIDE;
        NUMBER ahead[PATCHES][PATCH_P][PATCH_Q], back[PATCHES][PATCH_P][PATCH_Q];
        SPELL_OUT for (int32 s = 0; s < PATCHES; s++)
            SPELL_OUT for (int32 u = 0; u < PATCH_P; u++)
                SPELL_OUT for (int32 v = 0; v < PATCH_Q; v++) ahead[s][u][v] = FAR, back[s][u][v] = FAR;

        for (int32 k0 = K * SIDE; k0 < K * SIDE + SIDE; k0 += DEPTH) {
            SYNC_LANES();
            for (int32 w = LANE; w < DEPTH * SIDE; w += LANES) {
                int32 k = k0 + w / SIDE, at = w % SIDE;
                int32 counts = k > q0 + at && k < n;
                GLOBAL const NUMBER *here = table + (int64)k * stride, *next = here + stride;
                tp[w] = here[p0 + at];
                vp[w] = next[p0 + at] - edge[k];
                tq[w] = counts ? here[q0 + at] : FAR;
                vq[w] = counts ? next[q0 + at] - edge[k] : FAR;
            }
            SYNC_LANES();
            SPELL_OUT for (int32 s = 0; s < PATCHES; s++) {
                int32 lane = LANE + s * LANES;
                SPELL_TWO for (int32 d = 0; d < DEPTH; d += DEEP) {
                    SPELL_OUT for (int32 u = 0; u < PATCH_P; u++)
                        SPELL_OUT for (int32 v = 0; v < PATCH_Q; v++) {
                            NUMBER a = ahead[s][u][v], b = back[s][u][v];
                            SPELL_OUT for (int32 t = 0; t < DEEP; t++) {
                                int32 row = (d + t) * SIDE, pu = row + IN_P(lane, u), qv = row + IN_Q(lane, v);
                                a = LEAST(a, tp[pu] + vq[qv]);
                                b = LEAST(b, vp[pu] + tq[qv]);
                            }
                            ahead[s][u][v] = a, back[s][u][v] = b;
                        }
                }
            }
        }

        NUMBER best = FAR;
        int32 best_row = 0x7fffffff;
        if (P < Q && p0 > 0 && q0 + SIDE <= n) /* every (p, q) of the block is valid */
            MIN_OF_ROWS(1, {
                NUMBER a = ahead[s][u][v], b = back[s][u][v];
                row = LEAST(row, CLOSING(p - 1, q + 1, p - 1, q) + LEAST(a, b));
                row = LEAST(row, CLOSING(p + 1, q + 1, p, q) + a);
                row = LEAST(row, CLOSING(p - 1, q - 1, p - 1, q - 1) + a);
            })
        else
            MIN_OF_ROWS(p <= q && q < n, {
                NUMBER a = ahead[s][u][v], b = p == 1 && q == n - 2 ? FAR : back[s][u][v];
                if (p > 0) row = LEAST(row, CLOSING(p - 1, q + 1, p - 1, q) + LEAST(a, b));
                if (p < q && q > 1) row = LEAST(row, CLOSING(p + 1, q + 1, p, q) + a);
                if (p > 0 && p < q) row = LEAST(row, CLOSING(p - 1, q - 1, p - 1, q - 1) + a);
            })
        if (Q == 0 && LANE == 0) { /* way 2 of (0, 1, k) */
            NUMBER row = CLOSING(1, 2, 0, 1) + ahead_of_first(table, edge, stride, n, K * SIDE);
            if (row < best || (row == best && best_row > 0)) best = row, best_row = 0;
        }
        if (K == Q) /* 2-opt */
            MIN_OF_ROWS(p > 0 && p + 1 < q && q < n, {
                row = LEAST(row, CLOSING(p - 1, q - 1, p - 1, q - 1) + table[(int64)p * stride + q]);
            })
        NUMBER gain = -best;
        BEST_OF_LANES(gain, best_row);
        if (LANE == 0) least[block] = -gain, least_row[block] = best_row;
    }
}

/* Write the first row with the minimum delta of blocks `first` to `last` - 1. One group. */
KERNEL(CHOOSE, int64 first, int64 last, GLOBAL const NUMBER *RESTRICT least, GLOBAL const int32 *RESTRICT least_row,
       GLOBAL int32 *RESTRICT chosen) {
    if (GROUP > 0) return;
    NUMBER gain = -FAR;
    int32 row = 0x7fffffff;
    for (int64 block = first + LANE; block < last; block += LANES) {
        NUMBER other = -least[block];
        if (other > gain || (other == gain && least_row[block] < row)) gain = other, row = least_row[block];
    }
    BEST_OF_LANES(gain, row);
    if (LANE == 0) chosen[0] = row;
}

/* Return the minimum delta over the moves among the four ways of (i, j, k); `way`: the first that has it. */
INLINE NUMBER best_way(GLOBAL const NUMBER *table, GLOBAL const NUMBER *edge, int64 stride, int32 n, int32 i, int32 j,
                       int32 k, int32 *way) {
    GLOBAL const NUMBER *here = table + k * stride, *next = here + stride;
    NUMBER end = edge[k], first = CLOSING(i, j + 1, i, j);
    NUMBER ways[4];
    ways[0] = first + (here[i + 1] + (next[j] - end));
    ways[1] = CLOSING(i, j, i, j) + (here[i + 1] + (next[j + 1] - end));
    ways[2] = CLOSING(i + 1, j + 1, i, j) + (here[i] + (next[j] - end));
    ways[3] = first + (here[j] + (next[i + 1] - end));
    int32 round_the_end = i == 0 && k == n - 1; /* f and a are the same city */
    if (k == i + 2) ways[1] = FAR;
    if (round_the_end && j == 1) ways[2] = FAR;
    if (round_the_end && j == n - 2) ways[3] = FAR;
    NUMBER best = ways[0];
    *way = 0;
    for (int32 w = 1; w < 4; w++)
        if (ways[w] < best) best = ways[w], *way = w;
    return best;
}

/* Write the minimum delta of each column j of the moves with i = chosen row - 1, then with i = chosen row: 2n
 * numbers. */
KERNEL(COLUMNS, int32 n, int32 stride, GLOBAL const NUMBER *RESTRICT table, GLOBAL const NUMBER *RESTRICT edge,
       GLOBAL const int32 *RESTRICT chosen, GLOBAL NUMBER *RESTRICT columns) {
    for (int32 w = GROUP; w < 2 * n; w += GROUPS) {
        int32 i = chosen[0] - 1 + w / n, j = w % n, way = 0;
        NUMBER gain = -FAR;
        if (i >= 0 && j > i)
            for (int32 k = j + 1 + LANE; k < n; k += LANES) {
                NUMBER other = -best_way(table, edge, stride, n, i, j, k, &way);
                gain = other > gain ? other : gain;
            }
        way = 0;
        BEST_OF_LANES(gain, way);
        if (LANE == 0) columns[w] = -gain;
    }
}

/* Find the first of the best moves of those columns: i, j, k and way in `move`, all -1 if there is none; its delta in
 * `best`. One group. */
KERNEL(FINISH, int32 n, int32 stride, GLOBAL const NUMBER *RESTRICT table, GLOBAL const NUMBER *RESTRICT edge,
       GLOBAL const int32 *RESTRICT chosen, GLOBAL const NUMBER *RESTRICT columns, GLOBAL NUMBER *RESTRICT best,
       GLOBAL int32 *RESTRICT move) {
    if (GROUP > 0) return;
    NUMBER gain = -FAR;
    int32 rank = 0x7fffffff;
    for (int32 w = LANE; w < 2 * n; w += LANES)
        if (-columns[w] > gain) gain = -columns[w], rank = w;
    BEST_OF_LANES(gain, rank);
    int32 i = -1, j = -1;
    if (rank < 2 * n) i = chosen[0] - 1 + rank / n, j = rank % n;
    gain = -FAR, rank = 0x7fffffff;
    if (i >= 0)
        for (int32 k = j + 1 + LANE; k < n; k += LANES) {
            int32 way;
            NUMBER other = -best_way(table, edge, stride, n, i, j, k, &way);
            if (other > gain) gain = other, rank = 4 * k + way;
        }
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) {
        best[0] = -gain;
        move[0] = i, move[1] = j, move[2] = i < 0 ? -1 : rank / 4, move[3] = i < 0 ? -1 : rank % 4;
    }
}

#endif
