// build: metrics, cut, relaxed-float
/* Scans of all 2-opt moves of one tour as jobs, after Ermis (2015).
 *
 * A job is a pair of positions (i, j), i < j; its four distances are computed from coordinates in shared memory. The
 * lanes of all groups take jobs l, l + GROUPS * LANES, ...: thread-level parallelism, and the rest iterations. Jobs are
 * numbered as a triangle (triangle.h), where the thesis takes a float32 root; neighbouring edges, whose job changes
 * nothing, are skipped. Each group reports its best move, where the thesis uses atomicMin and its ties depend on
 * timing.
 */
#include "papers/scans/strip.h"
#include "papers/scans/triangle.h"

typedef struct ALIGNED(8) {
    float32 x, y;
} Spot;

typedef struct {
    float32 gain;
    int64 rank; /* i * n + j */
} Found;

/* Distance, in the build `cut` rounded down as in the thesis: the largest integer whose square is no larger, also where
 * the root is a little wrong. */
INLINE float32 apart(Spot a, Spot b) {
    float32 dx = a.x - b.x, dy = a.y - b.y, square = dx * dx + dy * dy;
#if defined(NORM) && ROUNDING == FLOOR
    float32 near = ROUND_ONE(sqrtf(square));
    return near - (near * near > square ? 1.0f : 0.0f);
#else
    return MEASURE_ONE(square);
#endif
}

/* Best move of the launches before, in the first lane; nothing if this launch is the first of a scan. */
INLINE Found found_before(int32 fresh, int32 group, int32 lane, GLOBAL const float32 *gains,
                          GLOBAL const int64 *ranks) {
    Found found = {0, 0};
    if (!fresh && lane == 0) found.gain = gains[group], found.rank = ranks[group];
    return found;
}

/* Keep move (i, j) if it is better: a-b ... c-d -> a-c ... b-d. */
INLINE void consider(Found *found, int32 n, int32 i, int32 j, Spot a, Spot b, Spot c, Spot d) {
    if (j == i + 1 || j - i == n - 1) return;
    float32 gain = apart(a, b) + apart(c, d) - apart(a, c) - apart(b, d);
    if (gain < found->gain) return;
    int64 rank = (int64)i * n + j;
    if (gain > found->gain || rank < found->rank) found->gain = gain, found->rank = rank;
}

/* Jobs `first` to `last` - 1, with the coordinates of all cities and the tour in shared memory: 10 n bytes and a few. */
KERNEL(jobs_shared, int32 n, int64 first, int64 last, int32 fresh, GLOBAL const float32 *RESTRICT city_x,
       GLOBAL const float32 *RESTRICT city_y, GLOBAL const int32 *RESTRICT tour, GLOBAL float32 *RESTRICT gains,
       GLOBAL int64 *RESTRICT ranks, SCRATCH_PARAMETER) {
    LOCAL Spot *city = (LOCAL Spot *)SCRATCH;
    LOCAL narrow *at = (LOCAL narrow *)(city + n);
    for (int32 k = LANE; k < n; k += LANES) {
        city[k].x = city_x[k], city[k].y = city_y[k];
        at[k] = (narrow)tour[k];
    }
    if (LANE == 0) at[n] = (narrow)tour[0];
    SYNC_LANES();
    Found found = found_before(fresh, GROUP, LANE, gains, ranks);
    for (int64 id = first + GROUP * LANES + LANE; id < last; id += GROUPS * LANES) {
        int32 i, j;
        triangle_pair(id, &i, &j);
        consider(&found, n, i, j, city[at[i] & 0xffff], city[at[i + 1] & 0xffff], city[at[j] & 0xffff],
                 city[at[j + 1] & 0xffff]);
    }
    BEST_OF_LANES(found.gain, found.rank);
    if (LANE == 0) gains[GROUP] = found.gain, ranks[GROUP] = found.rank;
}

/* The same with coordinates in tour order: 8 n bytes. */
KERNEL(jobs_ordered, int32 n, int64 first, int64 last, int32 fresh, GLOBAL const float32 *RESTRICT x,
       GLOBAL const float32 *RESTRICT y, GLOBAL float32 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks,
       SCRATCH_PARAMETER) {
    LOCAL Spot *spot = (LOCAL Spot *)SCRATCH;
    for (int32 k = LANE; k < n; k += LANES) spot[k].x = x[k], spot[k].y = y[k];
    SYNC_LANES();
    Found found = found_before(fresh, GROUP, LANE, gains, ranks);
    for (int64 id = first + GROUP * LANES + LANE; id < last; id += GROUPS * LANES) {
        int32 i, j;
        triangle_pair(id, &i, &j);
        consider(&found, n, i, j, spot[i], spot[i + 1], spot[j], spot[j + 1 < n ? j + 1 : 0]);
    }
    BEST_OF_LANES(found.gain, found.rank);
    if (LANE == 0) gains[GROUP] = found.gain, ranks[GROUP] = found.rank;
}

/* Jobs `first` to `last` - 1 of one partition: i in `rows` positions from `row`, j in `columns` positions from
 * `column`, and both with the position after in shared memory. The two ranges are equal, a triangle of jobs, or disjoint
 * with row < column, a rectangle. x and y have n + 1 positions. */
KERNEL(jobs_partition, int32 n, int64 first, int64 last, int32 fresh, int32 row, int32 rows, int32 column,
       int32 columns, GLOBAL const float32 *RESTRICT x, GLOBAL const float32 *RESTRICT y,
       GLOBAL float32 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks, SCRATCH_PARAMETER) {
    LOCAL Spot *from = (LOCAL Spot *)SCRATCH, *to = row == column ? from : from + rows + 1;
    for (int32 k = LANE; k <= rows; k += LANES) from[k].x = x[row + k], from[k].y = y[row + k];
    if (row != column)
        for (int32 k = LANE; k <= columns; k += LANES) to[k].x = x[column + k], to[k].y = y[column + k];
    SYNC_LANES();
    Found found = found_before(fresh, GROUP, LANE, gains, ranks);
    for (int64 id = first + GROUP * LANES + LANE; id < last; id += GROUPS * LANES) {
        int32 i, j;
        if (row == column)
            triangle_pair(id, &i, &j);
        else
            j = (int32)((uint32)id / (uint32)rows), i = (int32)id - j * rows;
        consider(&found, n, row + i, column + j, from[i], from[i + 1], to[j], to[j + 1]);
    }
    BEST_OF_LANES(found.gain, found.rank);
    if (LANE == 0) gains[GROUP] = found.gain, ranks[GROUP] = found.rank;
}
