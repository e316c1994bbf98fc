// build: metrics, relaxed-float
/* A climber a group with the loop of O'Neil and Burtscher (2015): row and column of the least change in one pass.
 *
 *     change = d(i, j) + d(i+1, j+1) - d(j, j+1)
 *     if (minchange > change) minchange = change, mini = i, minj = j
 *
 * A row has a minimum of its own, so that the edge d(i, i+1), which the slides add to minchange and take off again, is
 * subtracted once. Columns run up in `intra_printed`, down in `tile_printed`; ties go to the smallest in both.
 */
#include "papers/oneil/block_climber.h"

/* A change without d(i, i+1): as fast as the device has it, but never a vector, whose column would not be known. */
#if SIMD > 1
typedef float32 Change;
#define CHANGE_ROOT(square) MEASURE_ONE(square)
#define CHANGE_MOST FAR
#else
typedef Measure Change;
#define CHANGE_ROOT(square) MEASURE(square)
#define CHANGE_MOST MEASURE_MOST
#endif

/* The least change of a row so far, and its column. */
typedef struct {
    Change change;
    int32 column;
} RowLeast;

INLINE Change change_of(Position a, Position b, float32 cx, float32 cy, float32 dx, float32 dy, Edge edge) {
    float32 acx = a.x - cx, acy = a.y - cy, bdx = b.x - dx, bdy = b.y - dy;
    return ADDED(CHANGE_ROOT(acx * acx + acy * acy), CHANGE_ROOT(bdx * bdx + bdy * bdy), edge);
}

/* Enter the least change of row i in a lane's best gain and its rank, i n + j. */
#define ENTER_ROW(least)                                                                                           \
    float32 found = a.edge - (float32)((least).change - MEASURE_ZERO);                                             \
    if (i < n - 2 && found > gain) gain = found, rank = i * n + (least).column;

#define SCAN_IN_GLOBAL                                                                                             \
    for (int32 i = LANE; i < n - 2; i += LANES) {                                                                  \
        Position a = tour[i], b = tour[i + 1];                                                                     \
        RowLeast least = {CHANGE_MOST, 0};                                                                         \
        UNROLL(4)                                                                                                  \
        for (int32 j = i + 2; j < n; j++) {                                                                        \
            Position c = tour[j], d = tour[j + 1];                                                                 \
            Change change = change_of(a, b, c.x, c.y, d.x, d.y, EDGE_OF(c.edge));                                  \
            if (least.change > change) least.change = change, least.column = j;                                    \
        }                                                                                                          \
        ENTER_ROW(least)                                                                                           \
    }

#define APPLY apply_move(tour, rank / n, rank % n, gain, threshold, share)

KERNEL(ladder_intra_printed, CLIMB_PARAMETERS) { CLIMB(SCAN_IN_GLOBAL, APPLY) }

/* Go on with the columns `high` down to `low`, or to i + 2, of a chunk that begins with position `low`. */
INLINE RowLeast chunk_pass(RowLeast least, Lap lap, Position a, Position b, int32 i, int32 low, int32 high) {
    int32 end = i + 2 > low ? i + 2 : low;
    UNROLL(4)
    for (int32 j = high; j >= end; j--) {
        int32 c = j - low, d = c + 1;
        Change change =
            change_of(a, b, LAP_X(lap, c), LAP_Y(lap, c), LAP_X(lap, d), LAP_Y(lap, d), LAP_EDGE(lap, c));
        if (least.change >= change) least.change = change, least.column = j;
    }
    return least;
}

#define SCAN_IN_CHUNKS                                                                                             \
    if (chunk >= n) load_chunk(lap, tour, 0, n - 1);                                                               \
    for (int32 base = 0; base < n - 2; base += LANES) {                                                            \
        int32 i = base + LANE, at = i < n ? i : n - 1;                                                             \
        Position a = tour[at], b = tour[at + 1];                                                                   \
        RowLeast least = {CHANGE_MOST, 0};                                                                         \
        for (int32 high = n - 1; high >= base + 2; high -= chunk) {                                                \
            int32 low = chunk >= n ? 0 : high - chunk + 1 > base + 2 ? high - chunk + 1 : base + 2;                \
            if (chunk < n) load_chunk(lap, tour, low, high);                                                       \
            least = chunk_pass(least, lap, a, b, i, low, high);                                                    \
        }                                                                                                          \
        ENTER_ROW(least)                                                                                           \
    }

/* chunk: positions in shared memory at a time, 16 bytes each, and one more. */
KERNEL(ladder_tile_printed, CLIMB_PARAMETERS, int32 chunk, SCRATCH_PARAMETER) {
    Lap lap = lap_in(SCRATCH, chunk + 1);
    CLIMB(SCAN_IN_CHUNKS, APPLY)
}
