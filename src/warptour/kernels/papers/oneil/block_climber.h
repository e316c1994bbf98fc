/* What the climbers of O'Neil and Burtscher (2015) share that are groups.
 *
 * A climber's tour lies in global memory, with the coordinates and the length of the next edge at each position. The
 * rows i are dealt out to the lanes.
 */
#ifndef WARPTOUR_BLOCK_CLIMBER
#define WARPTOUR_BLOCK_CLIMBER

#include "papers/scans/climber.h"
#include "papers/scans/strip.h"

/* Position of a tour in global memory: n + 1 per climber, of which the last repeats the first. */
typedef struct ALIGNED(16) {
    float32 x, y;
    float32 edge; /* to the next position */
    int32 city;
} Position;

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

/* Apply move (i, j) if it gains more than `threshold` plus `share` of the removed edges; return whether it does, in all
 * lanes. */
INLINE int32 apply_move(GLOBAL Position *tour, int32 i, int32 j, float32 gain, float32 threshold, float32 share) {
    int32 improves = gain > threshold + share * (tour[i].edge + tour[j].edge);
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

/* Parameters that all kernels share. Climbers `from` to `to` - 1 go on for `scans` scans; first: number of climber 0,
 * which selects its random numbers; given: first tours, null for random ones. */
#define CLIMB_PARAMETERS                                                                                           \
    int32 from, int32 to, int32 n, int32 scans, float32 threshold, float32 share, uint64 seed, int32 first,        \
        GLOBAL const int32 *RESTRICT given, GLOBAL const float32 *RESTRICT city_x,                                 \
        GLOBAL const float32 *RESTRICT city_y, GLOBAL Position *RESTRICT tours, GLOBAL float64 *RESTRICT lengths,  \
        GLOBAL int32 *RESTRICT all_counters

/* The descent of each climber of this group. `scan` leaves the largest gain of this lane's rows in `gain` and a rank,
 * the smallest among equals, in `rank`; `applied` applies the best of all lanes and is whether it improves the tour. */
#define CLIMB(scan, applied)                                                                                       \
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
            int32 rank = 0;                                                                                        \
            measure_edges(tour, n);                                                                                \
            scan;                                                                                                  \
            BEST_OF_LANES(gain, rank);                                                                             \
            locally_optimal = !(applied);                                                                          \
        }                                                                                                          \
        float64 reached = locally_optimal ? length_of(ROOM tour, n) : 0;                                           \
        if (LANE == 0) {                                                                                           \
            counters[BEGUN] = 1, counters[LOCALLY_OPTIMAL] = locally_optimal, counters[DRAWS] = draws;             \
            counters[SCANS] += done;                                                                               \
            if (locally_optimal) lengths[w] = reached;                                                             \
        }                                                                                                          \
        SYNC_LANES();                                                                                              \
    }

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

#endif
