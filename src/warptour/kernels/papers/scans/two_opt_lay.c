// build: metrics, relaxed-float
/* The tour as scans in float32 read it: coordinates and edges in tour order. */
#include "papers/scans/strip.h"

/* Apply a move and lay the tour out: x, y and edge of `places` positions, which continue past n at the tour's start.
 * `made` receives `tour` with positions i + 1 to j reversed; `move` holds i and j, null for no move. */
KERNEL(two_opt_lay, int32 n, int32 places, GLOBAL const float32 *RESTRICT city_x, GLOBAL const float32 *RESTRICT city_y,
       GLOBAL const int32 *RESTRICT tour, GLOBAL const int32 *RESTRICT move, GLOBAL int32 *RESTRICT made,
       GLOBAL float32 *RESTRICT x, GLOBAL float32 *RESTRICT y, GLOBAL float32 *RESTRICT edge) {
    int32 i = move ? move[0] : 0, j = move ? move[1] : 0;
    for (int32 k = GROUP * LANES + LANE; k < places; k += GROUPS * LANES) {
        int32 at = k % n, next = at + 1 == n ? 0 : at + 1;
        int32 city = tour[i < at && at <= j ? i + 1 + j - at : at];
        int32 after = tour[i < next && next <= j ? i + 1 + j - next : next];
        x[k] = city_x[city], y[k] = city_y[city];
        edge[k] = planar_length(city_x[city] - city_x[after], city_y[city] - city_y[after]);
        if (k < n) made[k] = city;
    }
}
