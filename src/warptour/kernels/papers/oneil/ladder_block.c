// build: metrics, relaxed-float
/* A climber a group: best-improvement 2-opt descents as in the later rungs of O'Neil and Burtscher (2015).
 *
 * A climber's tour lies in global memory, with the coordinates and the length of the next edge at each position. The
 * rows i are dealt out to the lanes. Each lane keeps the minimum of its rows, and no column; the column is found in one
 * more pass over the best row. In `intra` lanes read the columns from global memory, in `tile` from chunks in shared
 * memory, which all lanes traverse from the end of the tour: so they start at the same column.
 */
#include "papers/scans/climber.h"
#include "papers/scans/strip.h"

/* Position of a tour in global memory: n + 1 per climber, of which the last repeats the first. */
typedef struct ALIGNED(16) {
    float32 x, y;
    float32 edge; /* to the next position */
    int32 city;
} Position;

/* Lanes that execute together, and whose rows are adjacent. */
#define TOGETHER (LANES < 32 ? LANES : 32)

INLINE float32 edge_between(Position a, Position b) { return planar_length(a.x - b.x, a.y - b.y); }

/* Give a climber its first tour: `given`, or a random one. Returns the random numbers drawn, valid in lane 0. */
INLINE int32 begin_tour(GLOBAL Position *tour, int32 n, GLOBAL const int32 *given, uint64 key,
                        GLOBAL const float32 *city_x, GLOBAL const float32 *city_y) {
    int32 draws = 0;
    if (!given) {
        if (LANE == 0) draws = random_tour(&tour[0].city, 4, n, key);
        SYNC_LANES();
    }
    UNROLL(1)
    for (int32 k = LANE; k < n; k += LANES) {
        int32 city = given ? given[k] : tour[k].city;
        tour[k].city = city, tour[k].x = city_x[city], tour[k].y = city_y[city];
    }
    SYNC_LANES();
    if (LANE == 0) tour[n] = tour[0];
    SYNC_LANES();
    return draws;
}

INLINE void measure_edges(GLOBAL Position *tour, int32 n) {
    UNROLL(1)
    for (int32 k = LANE; k < n; k += LANES) {
        GLOBAL Position *next = tour + k + 1;
        tour[k].edge = planar_length(tour[k].x - next->x, tour[k].y - next->y);
    }
    SYNC_LANES();
}

/* Apply the best move of row i if it gains more than `threshold` plus `share` of the removed edges; return whether it
 * does, in all lanes. `gain` is what the scan found. Ties go to the smallest column. */
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
    int32 improves = gain > threshold + share * (a.edge + tour[j].edge);
    SYNC_LANES();
    if (!improves) return 0;
    UNROLL(1)
    for (int32 k = LANE; k < (j - i) / 2; k += LANES) {
        Position swapped = tour[i + 1 + k];
        tour[i + 1 + k] = tour[j - k];
        tour[j - k] = swapped;
    }
    SYNC_LANES();
    return 1;
}

INLINE float64 length_of(ROOM_PARAMETER GLOBAL const Position *tour, int32 n) {
    float64 sum = 0;
    UNROLL(1)
    for (int32 k = LANE; k < n; k += LANES) sum += tour[k].edge;
    return SUM_OF_LANES(sum);
}

/* Parameters that both kernels share. Climbers `from` to `to` - 1 go on for `scans` scans; first: number of climber 0,
 * which selects its random numbers; given: first tours, null for random ones. */
#define CLIMB_PARAMETERS                                                                                           \
    int32 from, int32 to, int32 n, int32 scans, float32 threshold, float32 share, uint64 seed, int32 first,        \
        GLOBAL const int32 *RESTRICT given, GLOBAL const float32 *RESTRICT city_x,                                 \
        GLOBAL const float32 *RESTRICT city_y, GLOBAL Position *RESTRICT tours, GLOBAL float64 *RESTRICT lengths,  \
        GLOBAL int32 *RESTRICT all_counters

/* The descent of each climber of this group; `scan` leaves the largest gain of this lane's rows in `gain`, and its row,
 * the smallest among equals, in `row`. */
#define CLIMB(scan)                                                                                                \
    for (int32 w = from + GROUP; w < to; w += GROUPS) {                                                            \
        GLOBAL int32 *counters = all_counters + (int64)w * COUNTERS;                                               \
        GLOBAL Position *tour = tours + (int64)w * (n + 1);                                                        \
        int32 locally_optimal = counters[LOCALLY_OPTIMAL], begun = counters[BEGUN], draws = counters[DRAWS], done; \
        if (locally_optimal) continue;                                                                             \
        if (!begun)                                                                                                \
            draws = begin_tour(tour, n, given ? given + (int64)w * n : given,                                      \
                               random_key(seed, (uint64)(first + w)), city_x, city_y);                             \
        for (done = 0; done < scans && !locally_optimal; done++) {                                                 \
            float32 gain = -FAR;                                                                                   \
            int32 row = 0;                                                                                         \
            measure_edges(tour, n);                                                                                \
            scan;                                                                                                  \
            BEST_OF_LANES(gain, row);                                                                              \
            locally_optimal = !improve(ROOM tour, n, gain, row, threshold, share);                                 \
        }                                                                                                          \
        float64 reached = locally_optimal ? length_of(ROOM tour, n) : 0;                                           \
        if (LANE == 0) {                                                                                           \
            counters[BEGUN] = 1, counters[LOCALLY_OPTIMAL] = locally_optimal, counters[DRAWS] = draws;             \
            counters[SCANS] += done;                                                                               \
            if (locally_optimal) lengths[w] = reached;                                                             \
        }                                                                                                          \
        SYNC_LANES();                                                                                              \
    }

/* Rows dealt out to the lanes, columns read from global memory. */
#define SCAN_IN_GLOBAL                                                                                             \
    for (int32 i = LANE; i < n - 2; i += LANES) {                                                                  \
        float32 found = intra_row(tour, n, i);                                                                     \
        if (found > gain) gain = found, row = i;                                                                   \
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

KERNEL(ladder_intra, CLIMB_PARAMETERS) { CLIMB(SCAN_IN_GLOBAL) }

/* Copy positions `low` to `high` + 1 into shared memory, between two barriers. */
INLINE void load_chunk(Lap lap, GLOBAL const Position *tour, int32 low, int32 high) {
    SYNC_LANES();
    UNROLL(1)
    for (int32 k = LANE; k < high + 2 - low; k += LANES) {
        Position at = tour[low + k];
        LAP_X(lap, k) = at.x, LAP_Y(lap, k) = at.y, LAP_EDGE(lap, k) = EDGE_OF(at.edge);
    }
    SYNC_LANES();
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
        if (i < n - 2 && found > gain) gain = found, row = i;                                                      \
    }

/* chunk: positions in shared memory at a time, 16 bytes each, and one more. */
KERNEL(ladder_tile, CLIMB_PARAMETERS, int32 chunk, SCRATCH_PARAMETER) {
    Lap lap = lap_in(SCRATCH, chunk + 1);
    CLIMB(SCAN_IN_CHUNKS)
}
