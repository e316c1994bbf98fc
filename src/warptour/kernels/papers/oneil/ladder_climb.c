// build: metrics, relaxed-float
/* A climber a lane: best-improvement 2-opt descents as in the first rungs of O'Neil and Burtscher (2015).
 *
 * The rungs differ in where a distance comes from: a matrix in shared memory (matr_s), in global memory (matr_g), in
 * global memory through the read-only path (matr_g_ro), or the coordinates, which are kept in tour order (calc).
 *
 * A scan by one lane takes long, so a launch evaluates `rows` rows of moves per climber; a climber's next row and the
 * best move so far are kept between launches. Arrays of n + 1 positions per climber, of which the last repeats the
 * first, are interleaved over the lanes of a group: lanes that read the same position read adjacent addresses.
 */
#include "papers/scans/climber.h"
#include "papers/scans/strip.h"

/* Where distances come from; constant in each kernel. */
#define IN_SHARED 0
#define IN_GLOBAL 1
#define READ_ONLY_PATH 2
#define COMPUTED 3

/* Progress per climber between launches. */
#define ROW 0 /* next row */
#define BEST_I 1
#define BEST_J 2
#define PROGRESS 3

typedef struct {
    int32 n;
    GLOBAL const float32 *matrix; /* n by n */
    LOCAL const float32 *copy;
    GLOBAL int32 *city;
    GLOBAL float32 *x, *y;
} Climber;

/* A position of the tour. */
typedef struct {
    int32 city;
    float32 x, y;
} Stop;

INLINE Stop stop_at(const Climber *climber, int32 from, int32 k) {
    Stop stop = {0, 0, 0};
    if (from == COMPUTED) stop.x = climber->x[k * LANES], stop.y = climber->y[k * LANES];
    else stop.city = climber->city[k * LANES];
    return stop;
}

INLINE float32 apart(const Climber *climber, int32 from, Stop a, Stop b) {
    int32 at = a.city * climber->n + b.city;
    if (from == IN_SHARED) return climber->copy[at];
    if (from == IN_GLOBAL) return L2_ONLY(climber->matrix + at);
    if (from == READ_ONLY_PATH) return READ_ONLY(climber->matrix + at);
    float32 dx = a.x - b.x, dy = a.y - b.y;
    return MEASURE_ONE(dx * dx + dy * dy);
}

typedef struct {
    float32 change; /* delta, at most 0 */
    int32 i, j;
} Best;

/* Evaluate the moves of row i, in the loop of the paper: d(i, i+1) does not depend on j. */
INLINE Best row_best(const Climber *climber, int32 from, int32 i, Best best) {
    Stop a = stop_at(climber, from, i), b = stop_at(climber, from, i + 1), c = stop_at(climber, from, i + 2);
    float32 edge = apart(climber, from, a, b);
    int32 end = climber->n - (i == 0);
    best.change += edge;
    for (int32 j = i + 2; j < end; j++) {
        Stop d = stop_at(climber, from, j + 1);
        float32 change = apart(climber, from, a, c) + apart(climber, from, b, d) - apart(climber, from, c, d);
        if (best.change > change) best.change = change, best.i = i, best.j = j;
        c = d;
    }
    best.change -= edge;
    return best;
}

/* Apply a move if it gains more than `threshold` plus `share` of the removed edges; return whether it does. */
INLINE int32 improve(const Climber *climber, int32 from, Best best, float32 threshold, float32 share) {
    if (best.j == 0) return 0;
    Stop a = stop_at(climber, from, best.i), b = stop_at(climber, from, best.i + 1);
    Stop c = stop_at(climber, from, best.j), d = stop_at(climber, from, best.j + 1);
    float32 removed = apart(climber, from, a, b) + apart(climber, from, c, d);
    float32 gain = removed - apart(climber, from, a, c) - apart(climber, from, b, d);
    if (!(gain > threshold + share * removed)) return 0;
    UNROLL(1)
    for (int32 low = best.i + 1, high = best.j; low < high; low++, high--) {
        int32 city = climber->city[low * LANES];
        climber->city[low * LANES] = climber->city[high * LANES], climber->city[high * LANES] = city;
        if (from == COMPUTED) {
            float32 x = climber->x[low * LANES], y = climber->y[low * LANES];
            climber->x[low * LANES] = climber->x[high * LANES], climber->y[low * LANES] = climber->y[high * LANES];
            climber->x[high * LANES] = x, climber->y[high * LANES] = y;
        }
    }
    return 1;
}

INLINE float64 lane_tour_length(const Climber *climber, int32 from) {
    float64 sum = 0;
    UNROLL(1)
    for (int32 k = 0; k < climber->n; k++)
        sum += apart(climber, from, stop_at(climber, from, k), stop_at(climber, from, k + 1));
    return sum;
}

/* Parameters that all kernels share. Climbers `first_climber` to `end_climber` - 1 go on; number: number of climber 0,
 * which selects its random numbers; given: first tours, null for random ones. */
#define CLIMB_PARAMETERS                                                                                            \
    int32 first_climber, int32 end_climber, int32 n, int32 rows, float32 threshold, float32 share, uint64 seed,     \
        int32 number, GLOBAL const int32 *RESTRICT given, GLOBAL int32 *RESTRICT cities,                            \
        GLOBAL int32 *RESTRICT all_progress, GLOBAL float32 *RESTRICT changes, GLOBAL float64 *RESTRICT lengths,    \
        GLOBAL int32 *RESTRICT all_counters

/* Loop over the numbers `w` of this lane's climbers. */
#define FOR_EACH_CLIMBER(w) \
    for (int32 w = first_climber + GROUP * LANES + LANE; w < end_climber; w += GROUPS * LANES)

/* Offset of a climber's position 0 in interleaved arrays. */
#define LANE_OFFSET(w) ((int64)((w) / LANES) * (n + 1) * LANES + (w) % LANES)

INLINE void begin_lane(Climber climber, GLOBAL const int32 *given, uint64 key, GLOBAL int32 *counters) {
    int32 n = climber.n, draws = 0;
    if (given)
        for (int32 k = 0; k < n; k++) climber.city[k * LANES] = given[k];
    else draws = random_tour(climber.city, LANES, n, key);
    climber.city[n * LANES] = climber.city[0];
    counters[BEGUN] = 1, counters[DRAWS] = draws;
}

/* Let one climber, which has a tour and is not locally optimal, go on for `rows` rows. */
INLINE void climb_rows(Climber climber, int32 from, int32 rows, float32 threshold, float32 share,
                       GLOBAL int32 *progress, GLOBAL float32 *change, GLOBAL float64 *reached,
                       GLOBAL int32 *counters) {
    Best best = {*change, progress[BEST_I], progress[BEST_J]};
    int32 i = progress[ROW], done = 0, locally_optimal = 0;
    for (int32 k = 0; k < rows && !locally_optimal; k++) {
        best = row_best(&climber, from, i++, best);
        if (i < climber.n - 2) continue;
        locally_optimal = !improve(&climber, from, best, threshold, share);
        best.change = 0, best.i = best.j = i = 0;
        done++;
    }
    if (locally_optimal) *reached = lane_tour_length(&climber, from);
    *change = best.change, progress[ROW] = i, progress[BEST_I] = best.i, progress[BEST_J] = best.j;
    counters[LOCALLY_OPTIMAL] = locally_optimal, counters[SCANS] += done;
}

/* The body of the kernels that read a matrix; natively a matrix in shared memory is one in a core's own cache. */
#define CLIMB_BY_MATRIX(from, matrix, copy)                                                                         \
    FOR_EACH_CLIMBER(w) {                                                                                           \
        GLOBAL int32 *counters = all_counters + (int64)w * COUNTERS;                                                \
        Climber climber = {n, matrix, copy, cities + LANE_OFFSET(w), 0, 0};                                         \
        if (counters[LOCALLY_OPTIMAL]) continue;                                                                    \
        if (!counters[BEGUN])                                                                                       \
            begin_lane(climber, given ? given + (int64)w * n : given, random_key(seed, (uint64)(number + w)),       \
                       counters);                                                                                   \
        climb_rows(climber, from, rows, threshold, share, all_progress + (int64)w * PROGRESS, changes + w,          \
                   lengths + w, counters);                                                                          \
    }

/* Every group copies the matrix into its shared memory, 4 n^2 bytes. */
KERNEL(ladder_matr_s, CLIMB_PARAMETERS, GLOBAL const float32 *RESTRICT matrix, SCRATCH_PARAMETER) {
    LOCAL float32 *copy = (LOCAL float32 *)SCRATCH;
    for (int32 k = LANE; k < n * n; k += LANES) copy[k] = matrix[k];
    SYNC_LANES();
    CLIMB_BY_MATRIX(IN_SHARED, 0, copy)
}

KERNEL(ladder_matr_g, CLIMB_PARAMETERS, GLOBAL const float32 *RESTRICT matrix) { CLIMB_BY_MATRIX(IN_GLOBAL, matrix, 0) }

KERNEL(ladder_matr_g_ro, CLIMB_PARAMETERS, GLOBAL const float32 *RESTRICT matrix) {
    CLIMB_BY_MATRIX(READ_ONLY_PATH, matrix, 0)
}

KERNEL(ladder_calc, CLIMB_PARAMETERS, GLOBAL const float32 *RESTRICT city_x, GLOBAL const float32 *RESTRICT city_y,
       GLOBAL float32 *RESTRICT xs, GLOBAL float32 *RESTRICT ys) {
    FOR_EACH_CLIMBER(w) {
        GLOBAL int32 *counters = all_counters + (int64)w * COUNTERS;
        Climber climber = {n, 0, 0, cities + LANE_OFFSET(w), xs + LANE_OFFSET(w), ys + LANE_OFFSET(w)};
        if (counters[LOCALLY_OPTIMAL]) continue;
        if (!counters[BEGUN]) {
            begin_lane(climber, given ? given + (int64)w * n : given, random_key(seed, (uint64)(number + w)), counters);
            for (int32 k = 0; k <= n; k++) {
                int32 city = climber.city[k * LANES];
                climber.x[k * LANES] = city_x[city], climber.y[k * LANES] = city_y[city];
            }
        }
        climb_rows(climber, COMPUTED, rows, threshold, share, all_progress + (int64)w * PROGRESS, changes + w,
                   lengths + w, counters);
    }
}
