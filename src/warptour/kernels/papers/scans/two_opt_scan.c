// build: metrics, relaxed-float
/* Fast scan of all 2-opt moves of one tour in float32: the minimum delta of each tile. two_opt_pick.c confirms moves
 * exactly, and two_opt_lay.c applies them.
 *
 * The moves are laid out as n rows of `every` columns, n / 2 - 1 or a few more (strip.h). A tile is `blocks` * ROWS
 * rows by `columns` columns; its positions are in shared memory, and each lane takes ROWS rows. Tiles are numbered
 * along the columns first.
 */
#include "papers/scans/strip.h"

/* Write the minimum delta of tiles `first` to `last` - 1, and its row within the tile. */
KERNEL(two_opt_scan, int32 n, int32 every, int32 first, int32 last, int32 blocks, int32 columns, GLOBAL const float32 *RESTRICT x,
       GLOBAL const float32 *RESTRICT y, GLOBAL const float32 *RESTRICT edge, GLOBAL float32 *RESTRICT least,
       GLOBAL int32 *RESTRICT least_row, SCRATCH_PARAMETER) {
    int32 chunks = (every + columns - 1) / columns;
    for (int32 tile = first + GROUP; tile < last; tile += GROUPS) {
        int32 row = tile / chunks * blocks * ROWS, skipped = tile % chunks * columns;
        int32 wanted = every - skipped < columns ? every - skipped : columns;
        int32 begin = row + skipped + 2, places = blocks * ROWS + wanted;
        Lap lap = lap_in(SCRATCH, places);
        SYNC_LANES();
        for (int32 k = LANE; k < places; k += LANES) {
            LAP_X(lap, k) = x[begin + k], LAP_Y(lap, k) = y[begin + k], LAP_EDGE(lap, k) = EDGE_OF(edge[begin + k]);
        }
        SYNC_LANES();
        float32 gain = -FAR;
        int32 rank = 0;
        for (int32 b = LANE; b < blocks; b += LANES) {
            int32 i = row + b * ROWS;
            if (i >= n) break;
            Rows rows;
            for (int32 r = 0; r <= ROWS; r++) rows.x[r] = x[i + r], rows.y[r] = y[i + r];
            for (int32 r = 0; r < ROWS; r++) rows.edge[r] = edge[i + r];
            Least found = strip_least(&rows, lap, b * ROWS, wanted);
            if (-found.delta > gain) gain = -found.delta, rank = b * ROWS + found.row;
        }
        BEST_OF_LANES(gain, rank);
        if (LANE == 0) least[tile] = -gain, least_row[tile] = rank;
    }
}
