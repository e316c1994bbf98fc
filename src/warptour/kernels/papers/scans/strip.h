/* Evaluation of a strip of 2-opt moves in float32: ROWS rows by consecutive columns.
 *
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 *
 * Move (i, j) adds d(i, j) and d(i+1, j+1), so along a diagonal each root serves two moves. ROWS rows are evaluated
 * together: with u[r] = d(i + r, k + r), move (i + r, k + r) adds u[r] + u[r + 1], i.e. ROWS + 1 roots for ROWS moves.
 *
 * A tour is a cycle, so row i needs only the columns at most n / 2 positions ahead: all rows are equally long, no move
 * is evaluated twice (except opposite ones if n is even), and none has to be masked. Positions therefore continue
 * beyond n at the tour's start: a lap. Columns further ahead than n / 2 are moves of other rows, and harmless.
 *
 * On a GPU adjacent lanes take rows ROWS apart; ROWS is odd, so that they read from different shared-memory banks.
 */
#ifndef WARPTOUR_STRIP
#define WARPTOUR_STRIP

#include "common/metric.h"

#ifndef ROWS
#define ROWS 8
#endif
#ifndef STEPS
#define STEPS 8 /* unroll factor of the loop over columns, on a GPU */
#endif
#define FAR 1e30f

/* Type of distances: integers where the metric rounds and the prelude has WHOLE, since one instruction adds three of
 * them; else vectors of float32. Values are offset by MEASURE_ZERO. */
#if defined(NORM) && ROUNDING == NEAREST
#define MEASURE_ONE(square) ROUND_ONE(sqrtf(square))
#ifdef WHOLE
typedef int32 Edge;
typedef int32 Measure;
#define MEASURE(square) WHOLE(sqrtf(square))
#define MEASURE_ZERO WHOLE_ZERO
#define MEASURE_MOST 0x7fffffff
#define MEASURE_LEAST(a) (a)
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define ADDED(a, b, c) (int32)((uint32)(a) + (uint32)(b) - (uint32)(c))
#define EDGE_OF(value) WHOLE(value)
#else
#define MEASURE(square) SIMD_ROUND(SIMD_SQRT(square))
#endif
#else
#define MEASURE(square) SIMD_SQRT(square)
#define MEASURE_ONE(square) sqrtf(square)
#endif
#ifndef MEASURE_ZERO
typedef float32 Edge;
typedef simd Measure;
#define MEASURE_ZERO 0
#define MEASURE_MOST SIMD_OF(FAR)
#define MEASURE_LEAST(a) SIMD_LEAST(a)
#define LESSER(a, b) SIMD_MIN(a, b)
#define ADDED(a, b, c) ((a) + (b) - (c))
#define EDGE_OF(value) (value)
#endif

/* Length of an edge whose ends differ by dx and dy. */
INLINE float32 planar_length(float32 dx, float32 dy) { return MEASURE_ONE(dx * dx + dy * dy); }

/* Lap in shared memory: an array of structs where LANES > 1, so that a lane loads a position in one access; else a
 * struct of arrays, for vector loads. */
#if LANES > 1
typedef struct ALIGNED(16) {
    float32 x, y;
    Edge edge;
    int32 city;
} Place;
typedef struct {
    LOCAL Place *at;
} Lap;
#define LAP_X(lap, k) (lap).at[k].x
#define LAP_Y(lap, k) (lap).at[k].y
#define LAP_EDGE(lap, k) (lap).at[k].edge
#define LAP_CITY(lap, k) (lap).at[k].city
#define LAP_SIMD_X LAP_X
#define LAP_SIMD_Y LAP_Y
#define LAP_SIMD_EDGE LAP_EDGE
#else
typedef struct {
    LOCAL float32 *x, *y;
    LOCAL Edge *edge;
    LOCAL int32 *city;
} Lap;
#define LAP_X(lap, k) (lap).x[k]
#define LAP_Y(lap, k) (lap).y[k]
#define LAP_EDGE(lap, k) (lap).edge[k]
#define LAP_CITY(lap, k) (lap).city[k]
#define LAP_SIMD_X(lap, k) SIMD_LOAD((lap).x + (k))
#define LAP_SIMD_Y(lap, k) SIMD_LOAD((lap).y + (k))
#define LAP_SIMD_EDGE(lap, k) SIMD_LOAD((lap).edge + (k))
#endif

/* Return a lap of `places` positions, 16 bytes each, in memory at `scratch`. */
INLINE Lap lap_in(LOCAL char *scratch, int32 places) {
    Lap lap;
#if LANES > 1
    (void)places;
    lap.at = (LOCAL Place *)scratch;
#else
    lap.x = (LOCAL float32 *)scratch;
    lap.y = lap.x + places;
    lap.edge = (LOCAL Edge *)(lap.y + places);
    lap.city = (LOCAL int32 *)(lap.edge + places);
#endif
    return lap;
}

INLINE float32 lap_edge(Lap lap, int32 k) { return (float32)(LAP_EDGE(lap, k) - MEASURE_ZERO); }

INLINE float32 lap_distance(Lap lap, int32 i, int32 j) {
    return planar_length(LAP_X(lap, i) - LAP_X(lap, j), LAP_Y(lap, i) - LAP_Y(lap, j));
}

typedef struct {
    float32 x[ROWS + 1], y[ROWS + 1], edge[ROWS];
} Rows;

typedef struct {
    float32 delta;
    int32 row; /* 0 to ROWS - 1 */
} Least;

/* First column of a vector of SIMD columns: the last vector overlaps the previous one, so that no column beyond
 * `columns` is evaluated for any SIMD. */
#if SIMD > 1
#define VECTOR_AT(k, columns) ((k) + SIMD <= (columns) ? (k) : (columns) - SIMD)
#else
#define VECTOR_AT(k, columns) (k)
#endif

/* Return the minimum delta over all rows and `columns` columns, at least SIMD; columns of the first row begin at
 * position `first` of the lap. Ties go to the smallest row. */
INLINE Least strip_least(const Rows *rows, Lap lap, int32 first, int32 columns) {
    Measure best[ROWS];
    UNROLL_ALL
    for (int32 r = 0; r < ROWS; r++) best[r] = MEASURE_MOST;
    UNROLL(STEPS)
    for (int32 k = 0; k < columns; k += SIMD) {
        Measure u[ROWS + 1];
        int32 at = first + VECTOR_AT(k, columns);
        UNROLL_ALL
        for (int32 r = 0; r <= ROWS; r++) {
            simd dx = rows->x[r] - LAP_SIMD_X(lap, at + r), dy = rows->y[r] - LAP_SIMD_Y(lap, at + r);
            u[r] = MEASURE(dx * dx + dy * dy);
        }
        UNROLL_ALL
        for (int32 r = 0; r < ROWS; r++) {
            Measure added = ADDED(u[r], u[r + 1], LAP_SIMD_EDGE(lap, at + r));
            best[r] = LESSER(best[r], added);
        }
    }
    Least least = {FAR, 0};
    UNROLL_ALL
    for (int32 r = 0; r < ROWS; r++) {
        float32 delta = (float32)(MEASURE_LEAST(best[r]) - MEASURE_ZERO) - rows->edge[r];
        if (delta < least.delta) least.delta = delta, least.row = r;
    }
    return least;
}

#endif
