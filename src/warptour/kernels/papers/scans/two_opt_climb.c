// build: metrics, relaxed-float
/* Climbers: independent best-improvement 2-opt descents, optionally continued as iterated local search.
 *
 * Each group runs one climber, whose tour and coordinates stay in shared memory. A launch makes at most `scans` scans
 * per climber and writes the tours back, which bounds its run time; the next launch continues. Initial tours are
 * shuffled with counter-based random numbers, so a climber's tour depends only on the seed and its number.
 *
 * With kicks, a climber continues from the better of its local optimum and its best tour so far: a double bridge swaps
 * two short adjacent segments, and the descent resumes.
 */
#include "papers/scans/climber.h"
#include "papers/scans/strip.h"

/* Rounding error of a gain relative to the removed edges; integers add exactly. */
#if defined(NORM) && ROUNDING == NEAREST
#define SUM_ERROR 0.0f
#else
#define SUM_ERROR 9.5367431640625e-7f /* 2^-20 */
#endif

INLINE int32 around(int32 place, int32 n) { return place < n ? place : place - n; }

/* Fill in the coordinates of positions 0 to n - 1 of the lap. */
INLINE void place_lap(Lap lap, int32 n, GLOBAL const float32 *city_x, GLOBAL const float32 *city_y) {
    UNROLL(1)
    for (int32 k = LANE; k < n; k += LANES) {
        int32 city = LAP_CITY(lap, k);
        LAP_X(lap, k) = city_x[city], LAP_Y(lap, k) = city_y[city];
    }
}

/* Uniformly random tour (Fisher-Yates shuffle); run by one lane, since each swap depends on the previous one. */
INLINE void shuffle_lap(Lap lap, int32 n, uint64 key, uint64 draws) {
    UNROLL(1)
    for (int32 k = 0; k < n; k++) LAP_CITY(lap, k) = k;
    UNROLL(1)
    for (int32 k = n - 1; k > 0; k--) {
        int32 other = (int32)random_below(key, &draws, (uint32)k + 1), city = LAP_CITY(lap, k);
        LAP_CITY(lap, k) = LAP_CITY(lap, other), LAP_CITY(lap, other) = city;
    }
}

/* Compute all edges, and repeat positions 0 to n - 1 from n on. */
INLINE void complete_lap(Lap lap, int32 n, int32 places) {
    for (int32 k = LANE; k < places; k += LANES) {
        int32 at = k;
        while (at >= n) at -= n;
        if (k >= n) LAP_X(lap, k) = LAP_X(lap, at), LAP_Y(lap, k) = LAP_Y(lap, at);
        LAP_EDGE(lap, k) = EDGE_OF(lap_distance(lap, at, around(at + 1, n)));
    }
}

/* Reverse `count` positions from `low` on, wrapping around the end of the tour. */
INLINE void reverse_in_lap(Lap lap, int32 n, int32 low, int32 count) {
    for (int32 k = LANE; k < count / 2; k += LANES) {
        int32 a = around(low + k, n), b = around(low + count - 1 - k, n);
#if LANES > 1
        Place place = lap.at[a];
        lap.at[a] = lap.at[b];
        lap.at[b] = place;
#else
        float32 x = LAP_X(lap, a), y = LAP_Y(lap, a);
        int32 city = LAP_CITY(lap, a);
        LAP_X(lap, a) = LAP_X(lap, b), LAP_Y(lap, a) = LAP_Y(lap, b), LAP_CITY(lap, a) = LAP_CITY(lap, b);
        LAP_X(lap, b) = x, LAP_Y(lap, b) = y, LAP_CITY(lap, b) = city;
#endif
    }
}

/* Double bridge: a-[B]-[C]-d  ->  a-[C]-[B]-d, with segments B and C of at most `longest` cities at a random
 * position. */
INLINE void kick_lap(Lap lap, int32 n, int32 longest, uint64 key, uint64 *draws) {
    int32 first = (int32)random_below(key, draws, (uint32)n);
    int32 b = 1 + (int32)random_below(key, draws, (uint32)longest);
    int32 c = 1 + (int32)random_below(key, draws, (uint32)longest);
    reverse_in_lap(lap, n, first, b);
    reverse_in_lap(lap, n, around(first + b, n), c);
    SYNC_LANES();
    reverse_in_lap(lap, n, first, b + c);
    SYNC_LANES();
}

INLINE float64 lap_length(ROOM_PARAMETER Lap lap, int32 n) {
    float64 sum = 0;
    for (int32 k = LANE; k < n; k += LANES) sum += lap_edge(lap, k);
    return SUM_OF_LANES(sum);
}

/* Advance climbers `from` to `to` - 1 that have not finished. A climber without a tour starts from `common`, of
 * approximate length `common_length`, or from a shuffled tour if that is null.
 *
 * A row has `every` columns in `parts` parts of `columns` columns; the last part may be shorter. A move improves if it
 * gains more than `threshold` plus the rounding error of its edges. Ties go to the smallest row, then the smallest
 * column, independent of how rows and columns are distributed over lanes, so that all devices agree. `tours` receives
 * each climber's best local optimum, `lengths` its approximate length, `present` the tour to continue from.
 * kicks: kicks per climber; longest: see kick_lap; first: number of climber 0, which selects its random numbers. */
KERNEL(two_opt_climb, int32 from, int32 to, int32 n, int32 every, int32 parts, int32 columns, int32 scans,
       float32 threshold, uint64 seed, int32 first, int32 kicks, int32 longest, GLOBAL const float32 *RESTRICT city_x,
       GLOBAL const float32 *RESTRICT city_y, GLOBAL const int32 *RESTRICT common, float64 common_length,
       GLOBAL int32 *RESTRICT tours, GLOBAL int32 *RESTRICT present, GLOBAL float64 *RESTRICT lengths,
       GLOBAL int32 *RESTRICT all_counters, SCRATCH_PARAMETER) {
    int32 blocks = (n + ROWS - 1) / ROWS, units = blocks * parts, places = blocks * ROWS + every + 2;
    Lap lap = lap_in(SCRATCH, places);
    for (int32 w = from + GROUP; w < to; w += GROUPS) {
        GLOBAL int32 *counters = all_counters + w * COUNTERS;
        GLOBAL int32 *best = tours + (int64)w * n, *now = present + (int64)w * n;
        int32 locally_optimal = counters[LOCALLY_OPTIMAL], kicked = counters[KICKS], done;
        uint64 key = random_key(seed, (uint64)(first + w)), draws = (uint64)counters[DRAWS];
        float64 shortest = lengths[w];
        if (locally_optimal) continue;
        int32 begun = counters[BEGUN];
        SYNC_LANES();
        if (!begun && common) {
            UNROLL(1)
            for (int32 k = LANE; k < n; k += LANES) best[k] = LAP_CITY(lap, k) = common[k];
            shortest = common_length;
        } else if (!begun) {
            if (LANE == 0) shuffle_lap(lap, n, key, draws);
            draws = (uint64)(n - 1);
        } else {
            UNROLL(1)
            for (int32 k = LANE; k < n; k += LANES) LAP_CITY(lap, k) = now[k];
        }
        SYNC_LANES();
        place_lap(lap, n, city_x, city_y);
        SYNC_LANES();
        for (done = 0; done < scans && !locally_optimal; done++) {
            complete_lap(lap, n, places);
            SYNC_LANES();
            float32 gain = -FAR;
            int32 rank = 0;
            for (int32 u = LANE; u < units; u += LANES) {
                int32 b = u % blocks, i = b * ROWS, skipped = u / blocks * columns;
                Rows rows;
                for (int32 r = 0; r <= ROWS; r++) rows.x[r] = LAP_X(lap, i + r), rows.y[r] = LAP_Y(lap, i + r);
                for (int32 r = 0; r < ROWS; r++) rows.edge[r] = lap_edge(lap, i + r);
                int32 wanted = every - skipped < columns ? every - skipped : columns;
                Least found = strip_least(&rows, lap, i + skipped + 2, wanted);
                int32 place = (i + found.row) * parts + u / blocks;
                if (-found.delta > gain || (-found.delta == gain && place < rank)) gain = -found.delta, rank = place;
            }
            BEST_OF_LANES(gain, rank);
            int32 i = 0;
            float32 error = 0;
            if (gain > threshold) { /* locate and re-evaluate the move: vectorised roots may round differently */
                i = rank / parts;
                int32 begin = i + rank % parts * columns + 2;
                gain = -FAR, rank = begin;
                for (int32 j = begin + LANE; j < begin + columns && j < i + 2 + every; j += LANES) {
                    float32 added = lap_distance(lap, i, j) + lap_distance(lap, i + 1, j + 1);
                    float32 shorter = lap_edge(lap, i) + lap_edge(lap, j) - added;
                    if (shorter > gain) gain = shorter, rank = j;
                }
                BEST_OF_LANES(gain, rank);
                error = SUM_ERROR * (lap_edge(lap, i) + lap_edge(lap, rank));
            }
            if (gain > threshold + error) {
                SYNC_LANES();
                reverse_in_lap(lap, n, around(around(i + 1, n), n), rank - i);
                SYNC_LANES();
                continue;
            }
            float64 reached = lap_length(ROOM lap, n);
            SYNC_LANES();
            if (reached < shortest) {
                shortest = reached;
                UNROLL(1)
                for (int32 k = LANE; k < n; k += LANES) best[k] = LAP_CITY(lap, k);
            } else {
                UNROLL(1)
                for (int32 k = LANE; k < n; k += LANES) LAP_CITY(lap, k) = best[k];
                place_lap(lap, n, city_x, city_y); /* each lane reads only positions it wrote itself */
            }
            SYNC_LANES();
            locally_optimal = kicked >= kicks;
            if (!locally_optimal) kick_lap(lap, n, longest, key, &draws);
            kicked += !locally_optimal;
        }
        UNROLL(1)
        for (int32 k = LANE; k < n; k += LANES) now[k] = LAP_CITY(lap, k);
        SYNC_LANES();
        if (LANE == 0) {
            counters[BEGUN] = 1, counters[LOCALLY_OPTIMAL] = locally_optimal, counters[KICKS] = kicked, counters[DRAWS] = (int32)draws;
            counters[SCANS] += done;
            lengths[w] = shortest;
        }
    }
}
