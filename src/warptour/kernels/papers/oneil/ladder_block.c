// build: metrics, relaxed-float
/* A climber a group: best-improvement 2-opt descents as in the later rungs of O'Neil and Burtscher (2015), in our loop.
 *
 * Each lane keeps the minimum of its rows, and no column; the column is found in one more pass over the best row
 * (ladder_printed.c has the loop of the slides). In `intra` lanes read the columns from global memory, in `tile` from
 * chunks in shared memory, which all lanes traverse from the end of the tour: so they start at the same column.
 */
#include "papers/oneil/block_climber.h"

/* Lanes that execute together, and whose rows are adjacent. */
#define TOGETHER (LANES < 32 ? LANES : 32)

/* Apply the best move of row i, as apply_move does. `gain` is what the scan found. Ties go to the smallest column. */
INLINE int32 improve(ROOM_PARAMETER GLOBAL Position *tour, int32 n, float32 gain, int32 i, float32 threshold,
                     float32 share) {
    if (!(gain > threshold)) return 0;
    Position a = tour[i], b = tour[i + 1];
    int32 j = 0, end = n - (i == 0);
    gain = -FAR;
    UNROLL(1)
    for (int32 k = i + 2 + LANE; k < end; k += LANES) {
        Position c = tour[k], d = tour[k + 1];
        float32 shorter = a.edge + c.edge - (edge_between(a, c) + edge_between(b, d));
        if (shorter > gain) gain = shorter, j = k;
    }
    BEST_OF_LANES(gain, j);
    return apply_move(tour, i, j, gain, threshold, share);
}

/* Rows dealt out to the lanes, columns read from global memory. */
#define SCAN_IN_GLOBAL                                                                                             \
    for (int32 i = LANE; i < n - 2; i += LANES) {                                                                  \
        float32 found = intra_row(tour, n, i);                                                                     \
        if (found > gain) gain = found, rank = i;                                                                  \
    }

INLINE float32 intra_row(GLOBAL const Position *tour, int32 n, int32 i) {
    Position a = tour[i], b = tour[i + 1];
    Measure best = MEASURE_MOST;
    UNROLL(4)
    for (int32 j = i + 2; j < n; j++) {
        float32 ax = a.x - tour[j].x, ay = a.y - tour[j].y, bx = b.x - tour[j + 1].x, by = b.y - tour[j + 1].y;
        Measure added = ADDED(MEASURE(ax * ax + ay * ay), MEASURE(bx * bx + by * by), EDGE_OF(tour[j].edge));
        best = LESSER(best, added);
    }
    return a.edge - (float32)(MEASURE_LEAST(best) - MEASURE_ZERO);
}

KERNEL(ladder_intra, CLIMB_PARAMETERS) {
    CLIMB(SCAN_IN_GLOBAL, improve(ROOM tour, n, gain, rank, threshold, share))
}

/* Return the smaller of `best` and the least d(i, j) + d(i+1, j+1) - d(j, j+1) over the columns `low` to `high` of a
 * chunk that begins with position `low`. Lanes that execute together hold rows from `rows` on: they take the columns
 * that all of them have without a mask, then the others. Move (0, n - 1) changes nothing and does no harm. */
#if LANES > 1
INLINE Measure added_length(Position a, Position b, Place c, Place d) {
    float32 ax = a.x - c.x, ay = a.y - c.y, bx = b.x - d.x, by = b.y - d.y;
    return ADDED(MEASURE(ax * ax + ay * ay), MEASURE(bx * bx + by * by), c.edge);
}

INLINE Measure chunk_least(Measure best, Lap lap, Position a, Position b, int32 i, int32 rows, int32 low, int32 high) {
    int32 common = rows + TOGETHER + 1 > low ? rows + TOGETHER + 1 : low, end = rows + 2 > low ? rows + 2 : low;
    int32 j = high;
    Place d = lap.at[high + 1 - low]; /* each position is loaded once: it is (j + 1) of the next column */
    UNROLL(STEPS)
    for (; j >= common; j--) {
        Place c = lap.at[j - low];
        Measure added = added_length(a, b, c, d);
        best = LESSER(best, added);
        d = c;
    }
    UNROLL(4)
    for (; j >= end; j--) {
        Place c = lap.at[j - low];
        Measure added = added_length(a, b, c, d);
        added = j >= i + 2 ? added : MEASURE_MOST;
        best = LESSER(best, added);
        d = c;
    }
    return best;
}
#else
INLINE Measure chunk_least(Measure best, Lap lap, Position a, Position b, int32 i, int32 rows, int32 low, int32 high) {
    for (int32 k = (rows + 2 > low ? rows + 2 : low) - low; k <= high - low; k++) {
        simd ax = a.x - LAP_SIMD_X(lap, k), ay = a.y - LAP_SIMD_Y(lap, k);
        simd bx = b.x - LAP_SIMD_X(lap, k + 1), by = b.y - LAP_SIMD_Y(lap, k + 1);
        Measure added = ADDED(MEASURE(ax * ax + ay * ay), MEASURE(bx * bx + by * by), LAP_SIMD_EDGE(lap, k));
        best = LESSER(best, added);
    }
    (void)i;
    return best;
}
#endif

/* Rows dealt out to the lanes, columns read from shared memory; a tour that fits into one chunk is copied once. */
#define SCAN_IN_CHUNKS                                                                                             \
    if (chunk >= n) load_chunk(lap, tour, 0, n - 1);                                                               \
    for (int32 base = 0; base < n - 2; base += LANES) {                                                            \
        int32 i = base + LANE, at = i < n ? i : n - 1;                                                             \
        Position a = tour[at], b = tour[at + 1];                                                                   \
        Measure best = MEASURE_MOST;                                                                               \
        for (int32 high = n - 1; high >= base + 2; high -= chunk) {                                                \
            int32 low = chunk >= n ? 0 : high - chunk + 1 > base + 2 ? high - chunk + 1 : base + 2;                \
            if (chunk < n) load_chunk(lap, tour, low, high);                                                       \
            best = chunk_least(best, lap, a, b, i, i - LANE % TOGETHER, low, high);                                \
        }                                                                                                          \
        float32 found = a.edge - (float32)(MEASURE_LEAST(best) - MEASURE_ZERO);                                    \
        if (i < n - 2 && found > gain) gain = found, rank = i;                                                     \
    }

/* chunk: positions in shared memory at a time, 16 bytes each, and one more. */
KERNEL(ladder_tile, CLIMB_PARAMETERS, int32 chunk, SCRATCH_PARAMETER) {
    Lap lap = lap_in(SCRATCH, chunk + 1);
    CLIMB(SCAN_IN_CHUNKS, improve(ROOM tour, n, gain, rank, threshold, share))
}
