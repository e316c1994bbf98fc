// build: metrics, branches
/* A tour laid out for exact scans of all its moves, and the best move of the row that such a scan found best.
 *
 * The tour is repeated, 2n positions, as city_moves.c takes it; edge: distance from each position to the next. Builds
 * for one metric take the points in tour order, the `any` build takes node numbers from `tour`. Deltas are summed as in
 * two_opt_exact.c and city_moves.c, so that the minimum of a row is found again bit by bit; of equal moves the first in
 * the order of neighborhoods/ wins. One group finds a move.
 */
#include "papers/scans/laid_tour.h"

/* Keep a move if its delta is smaller than the best so far, or equal and of lower rank. */
#define OFFER(delta, place)                                                           \
    do {                                                                              \
        float64 offered = -(delta);                                                   \
        int64 at = (place);                                                           \
        if (offered > gain || (offered == gain && at < rank)) gain = offered, rank = at; \
    } while (0)

/* Write both laps of `order`, its edges times `kept`, and its coordinates where builds take them. Points by node. */
KERNEL(scan_lay, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT order, int32 n, float64 kept, GLOBAL int32 *RESTRICT tour,
       GLOBAL float64 *RESTRICT edge, GLOBAL float64 *RESTRICT x, GLOBAL float64 *RESTRICT y) {
    POINTS_STRUCT(p);
    for (int32 k = GROUP * LANES + LANE; k < n; k += GROUPS * LANES) {
        int32 city = order[k], next = order[k + 1 < n ? k + 1 : 0];
        float64 length = kept * between(&p, city, next);
        tour[k] = tour[k + n] = city;
        edge[k] = edge[k + n] = length;
#ifdef NORM
        x[k] = x[k + n] = px[city];
        y[k] = y[k + n] = py[city];
#else
        (void)x, (void)y;
#endif
    }
}

/* First of the rows with the minimum delta, in every lane. */
INLINE int32 best_row(ROOM_PARAMETER GLOBAL const float64 *least, int32 rows) {
    float64 gain = -FAR;
    int32 rank = 0x7fffffff;
    for (int32 i = LANE; i < rows; i += LANES)
        if (-least[i] > gain) gain = -least[i], rank = i;
    BEST_OF_LANES(gain, rank);
    return rank < rows ? rank : 0;
}

/* 2-opt: (i, j) in `move`. */
KERNEL(two_opt_best, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       GLOBAL const float64 *RESTRICT least, GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta) {
    POINTS_STRUCT(p);
    (void)tour;
    if (GROUP > 0) return;
    int32 i = best_row(ROOM least, n - 2), end = i == 0 ? n - 1 : n;
    float64 gain = -FAR;
    int64 rank = 0x7fffffff;
    for (int32 j = i + 2 + LANE; j < end; j += LANES) OFFER(APART(i, j) + APART(i + 1, j + 1) - edge[j] - edge[i], j);
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) move[0] = i, move[1] = (int32)rank, delta[0] = -gain;
}

/* Or-opt: (i, count, j, backward) in `move`. */
KERNEL(or_opt_best, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       int32 longest, GLOBAL const float64 *RESTRICT least, GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta) {
    POINTS_STRUCT(p);
    (void)tour;
    if (GROUP > 0) return;
    int32 i = best_row(ROOM least, n), before = i > 0 ? i - 1 : n - 1;
    float64 gain = -FAR;
    int64 rank = 0;
    for (int32 count = 1; count <= longest; count++) {
        int32 b = i + count - 1, q = i + count;
        float64 closed = APART(before, q), opened = edge[before], after = edge[b];
        for (int32 c = q + LANE; c < i + n - 1; c += LANES) {
            int64 place = 2 * ((int64)count * n + (c < n ? c : c - n));
            OFFER(closed + APART(c, i) + APART(b, c + 1) - opened - after - edge[c], place);
            if (count > 1) OFFER(closed + APART(c, b) + APART(i, c + 1) - opened - after - edge[c], place + 1);
        }
    }
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) {
        move[0] = i, move[1] = (int32)(rank / 2 / n), move[2] = (int32)(rank / 2 % n), move[3] = (int32)(rank % 2);
        delta[0] = -gain;
    }
}

/* Swap: (i, j) in `move`. */
KERNEL(swap_best, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       GLOBAL const float64 *RESTRICT least, GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta) {
    POINTS_STRUCT(p);
    (void)tour;
    if (GROUP > 0) return;
    int32 i = best_row(ROOM least, n), before = i > 0 ? i - 1 : n - 1;
    float64 gain = -FAR, removed = edge[before] + edge[i];
    int64 rank = 0x7fffffff;
    for (int32 j = i + 1 + LANE; j < n; j += LANES) {
        if (j == i + 1) {
            OFFER((APART(before, j) + APART(i, j + 1)) - (edge[before] + edge[j]), j);
        } else if (i == 0 && j == n - 1) { /* the last position is adjacent to the first */
            OFFER((APART(j - 1, 0) + APART(j, 1)) - (edge[j - 1] + edge[0]), j);
        } else if (n > 4) { /* opposite ones of 4: no move */
            float64 added = (APART(before, j) + APART(j, i + 1)) + (APART(j - 1, i) + APART(i, j + 1));
            OFFER(added - (removed + (edge[j - 1] + edge[j])), j);
        }
    }
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) move[0] = i, move[1] = (int32)rank, delta[0] = -gain;
}
