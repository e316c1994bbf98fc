// build: metrics, branches
/* From the rows that a fast scan (two_opt_scan.c) found to moves: the best move of the row within its tile, in the
 * problem's own metric.
 *
 * A tile is `rows` rows by `columns` columns. Among equally good moves (i, j), i < j, the smallest i, then the smallest
 * j wins.
 */
#include "common/metric.h"

#define NOTHING 1e300

typedef struct {
    float64 delta;
    float64 error; /* rounding error of the delta */
    int32 i, j;
} Move;

/* Return the best move of row `i` among columns `skipped` to `end` - 1, in all lanes. */
INLINE Move best_of_row(ROOM_PARAMETER const Points *p, GLOBAL const int32 *tour, int32 n, int32 i, int32 skipped,
                        int32 end) {
    float64 gain = -NOTHING;
    int64 rank = 0;
    int32 a = tour[i], b = tour[i + 1 < n ? i + 1 : 0];
    for (int32 k = skipped + LANE; k < end; k += LANES) {
        int32 j = i + 2 + k < n ? i + 2 + k : i + 2 + k - n;
        int32 c = tour[j], d = tour[j + 1 < n ? j + 1 : 0];
        int64 place = i < j ? (int64)i * n + j : (int64)j * n + i;
        float64 delta = i < j ? between(p, a, c) + between(p, b, d) - between(p, c, d) - between(p, a, b)
                              : between(p, c, a) + between(p, d, b) - between(p, a, b) - between(p, c, d);
        if (-delta > gain || (-delta == gain && place < rank)) gain = -delta, rank = place;
    }
    BEST_OF_LANES(gain, rank);
    Move move = {-gain, 0, (int32)(rank / n), (int32)(rank % n)};
    int32 c = tour[move.j], d = tour[move.j + 1 < n ? move.j + 1 : 0];
    a = tour[move.i], b = tour[move.i + 1 < n ? move.i + 1 : 0];
    move.error = error_share(p) * (between(p, a, b) + between(p, c, d));
    return move;
}

/* Row, first column and end column of the minimum delta of a tile. */
#define TILE_ROW(tile) (int32)(((int64)((tile) / chunks) * rows + least_row[tile]) % n)
#define TILE_SKIPPED(tile) ((tile) % chunks * columns)
#define TILE_END(tile) ((tile) % chunks == chunks - 1 ? every : TILE_SKIPPED(tile) + columns)

/* Find the move of the tile with the minimum delta; (0, 0) if it gains at most `threshold` plus its error.
 * move[2] counts the moves picked. One group. */
KERNEL(two_opt_pick, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 every, int32 rows, int32 columns, int32 tiles,
       GLOBAL const float32 *RESTRICT least, GLOBAL const int32 *RESTRICT least_row, float64 threshold,
       GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta) {
    POINTS_STRUCT(p);
    if (GROUP > 0) return;
    int32 chunks = (every + columns - 1) / columns, rank = 0;
    float32 gain = -1e30f;
    for (int32 t = LANE; t < tiles; t += LANES)
        if (-least[t] > gain) gain = -least[t], rank = t;
    BEST_OF_LANES(gain, rank);
    Move found = best_of_row(ROOM &p, tour, n, TILE_ROW(rank), TILE_SKIPPED(rank), TILE_END(rank));
    if (LANE == 0) {
        int32 improves = found.delta < -threshold - found.error;
        move[0] = improves ? found.i : 0, move[1] = improves ? found.j : 0, move[2] += improves;
        delta[0] = found.delta;
    }
}

/* Find the best move of each tile in a list, in its best row; its delta is 0 if it gains at most its error. */
KERNEL(two_opt_confirm, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 every, int32 rows, int32 columns,
       int32 count, GLOBAL const int32 *RESTRICT list, GLOBAL const int32 *RESTRICT least_row,
       GLOBAL int32 *RESTRICT moves, GLOBAL float64 *RESTRICT deltas) {
    POINTS_STRUCT(p);
    int32 chunks = (every + columns - 1) / columns;
    for (int32 w = GROUP; w < count; w += GROUPS) {
        Move found = best_of_row(ROOM &p, tour, n, TILE_ROW(list[w]), TILE_SKIPPED(list[w]), TILE_END(list[w]));
        if (LANE == 0) {
            moves[2 * w] = found.i, moves[2 * w + 1] = found.j;
            deltas[w] = found.delta < -found.error ? found.delta : 0;
        }
    }
}
