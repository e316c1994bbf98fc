// build: metrics
/* Distances of many pairs of nodes in the problem's metric.
 *
 * Row r holds the distances from node from[r] to the `width` nodes to[r * width ...]; node -1 is at distance BEYOND. */
#include "common/metric.h"

#define BEYOND 1e300

KERNEL(distances, POINTS_PARAMETERS, int64 rows, int32 width, GLOBAL const int32 *from, GLOBAL const int32 *to,
       GLOBAL real *out) {
    POINTS_STRUCT(p);
    int64 end = rows * (GROUP + 1) / GROUPS;
    for (int64 r = rows * GROUP / GROUPS; r < end; r++)
        for (int64 k = r * width; k < (r + 1) * width; k++) out[k] = to[k] < 0 ? (real)BEYOND : between(&p, from[r], to[k]);
}
