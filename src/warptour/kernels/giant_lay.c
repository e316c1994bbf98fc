// build: metrics
/* Apply a move to a giant tour and measure its edges. */
#include "giant_tour.h"

/* Return the position from which a move brings the node of position k. */
INLINE int32 source_of(Move m, int32 k) {
    int32 b = m.y - m.x, c = m.z - m.y, offset = k - m.x - 1;
    if (m.p == NO_MOVE || offset < 0 || k > (m.p == TWO_OPT ? m.y : m.z)) return k;
    if (m.p == TWO_OPT) return m.y - offset;
    if (m.p == 3) return offset < b ? m.y - offset : m.z - (offset - b);
    if (offset < c) return m.p == 2 ? m.z - offset : m.y + 1 + offset;
    offset -= c;
    return m.p == 1 ? m.y - offset : m.x + 1 + offset;
}

/* `made` receives the tour after `move`, `at` its places, `edge` the lengths of its edges. */
KERNEL(giant_lay, POINTS_PARAMETERS, int32 customers, int32 edges, GLOBAL const int32 *RESTRICT giant,
       GLOBAL const int32 *RESTRICT move, GLOBAL int32 *RESTRICT made, GLOBAL int32 *RESTRICT at,
       GLOBAL float64 *RESTRICT edge) {
    POINTS_STRUCT(points);
    Move m = {move[0], move[1], move[2], move[3]};
    for (int32 k = GROUP * LANES + LANE; k <= edges; k += GROUPS * LANES) {
        int32 node = giant[source_of(m, k)], place = node > customers ? 0 : node;
        made[k] = node, at[k] = place;
        if (k == edges) continue;
        int32 next = giant[source_of(m, k + 1)], there = next > customers ? 0 : next;
        edge[k] = place == there ? 0 : between(&points, place, there);
    }
}
