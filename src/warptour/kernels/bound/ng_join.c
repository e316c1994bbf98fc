// build: native
/* ng-routes (ng_routes.h) of a path from the depot, an arc, and a path to the depot. Host only, one group. */
#include "bound/ng_routes.h"

/* Insert a route into the `best` cheapest ones of a node, sorted by cost. */
INLINE void insert(GLOBAL int64 *found, int32 best, int64 cost, int64 one, int64 two) {
    int32 at = best - 1;
    for (; at > 0 && found[3 * (at - 1)] > cost; at--)
        for (int32 k = 0; k < 3; k++) found[3 * at + k] = found[3 * (at - 1) + k];
    found[3 * at] = cost, found[3 * at + 1] = one, found[3 * at + 2] = two;
}

/* For nodes `begin` to `end` as the last of the first path: the `best` cheapest routes below 0, at most one by each first path
 * and arc, as their costs and the numbers of both paths in their pools; NONE beyond. First paths have a first amount of at
 * most `stored`. gap: n by n. found: n by `best` by 3. */
KERNEL(ng_join, int32 n, int32 begin, int32 end, int32 stored, int64 whole, int64 capacity, int32 best,
       GLOBAL const int64 *cost, GLOBAL const int32 *gap, GLOBAL const uint64 *keep, int32 most, GLOBAL const int64 *ahead,
       GLOBAL const int32 *many_ahead, GLOBAL const int64 *behind, GLOBAL const int32 *many_behind, GLOBAL int64 *found) {
    GLOBAL const Label *first = (GLOBAL const Label *)ahead;
    Shelves back = {(GLOBAL Label *)behind, (GLOBAL int32 *)many_behind, most};
    for (int32 i = begin; i < end; i++) {
        GLOBAL int64 *own = found + 3 * (int64)i * best;
        for (int32 k = 0; k < best; k++) own[3 * k] = NONE;
        for (int32 k = 0; k < many_ahead[i]; k++) {
            GLOBAL const Label *l = &first[(int64)i * most + k];
            if (l->first > stored) continue;
            for (int32 j = 0; j < n; j++) {
                int64 arc = (int64)i * n + j, least = own[3 * (best - 1)];
                if (cost[arc] >= NONE) continue;
                int32 at = continued(&back, l, j, cost[arc], keep[arc], gap[arc], whole, capacity, least < 0 ? least : 0);
                if (at < 0) continue;
                GLOBAL const Label *b = &back.labels[(int64)j * most + at];
                insert(own, best, l->cost + cost[arc] + b->cost, l->node, b->node);
            }
        }
    }
}
