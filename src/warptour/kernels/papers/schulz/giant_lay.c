// build: metrics, branches
/* Apply a move to a giant tour, and shorten its runs of empty routes. */
#include "papers/schulz/giant_cuts.h"

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

/* Whether edge k joins two copies of the depot, and whether it is a cut: of a run of such edges the first two are. */
#define HOLLOW(k) ((k) >= 0 && at[k] == 0 && at[(k) + 1] == 0)
#define KEPT(k) !(HOLLOW(k) && HOLLOW((k) - 1) && HOLLOW((k) - 2))

/* `made` receives the tour after `move`, `at` its places; then the nodes and cuts of the shortened tour are listed in
 * ascending order, each lane those of its own positions. One group. */
KERNEL(giant_lay, POINTS_PARAMETERS, int32 customers, int32 edges, int32 routes, int32 vehicles, float64 fixed,
       float64 weight, float64 centre_x, float64 centre_y, float32 error, float32 slack, float32 slack_over,
       float32 threshold,
       GLOBAL const int32 *RESTRICT giant, GLOBAL const int32 *RESTRICT move, GLOBAL int32 *RESTRICT made,
       GLOBAL int32 *at, GLOBAL int32 *RESTRICT state, GLOBAL int32 *RESTRICT place, GLOBAL int32 *RESTRICT cut,
       GLOBAL float64 *RESTRICT length, GLOBAL float32 *RESTRICT rough, GLOBAL float32 *RESTRICT prices) {
    POINTS_STRUCT(points);
    LOCAL_ARRAY(int32, before, LANES);
    if (GROUP > 0) return;
    Move m = {move[0], move[1], move[2], move[3]};
    for (int32 k = LANE; k <= edges; k += LANES) {
        int32 node = giant[source_of(m, k)];
        made[k] = node, at[k] = node > customers ? 0 : node;
    }
    SYNC_LANES();
    int32 share = (edges + LANES - 1) / LANES, from = LANE * share, to = from + share < edges ? from + share : edges;
    int32 count = 0, hollow = 0, stride = edges + 1;
    for (int32 k = from; k < to; k++) hollow += HOLLOW(k), count += KEPT(k);
    int32 used = routes - SUM_OF_LANES(hollow), over = used > vehicles, w = count;
    float64 price = fixed + (over ? weight : 0);
    before[LANE] = w;
    for (int32 apart = 1; apart < LANES; apart *= 2) { /* running sum over lanes */
        SYNC_LANES();
        int32 earlier = LANE >= apart ? before[LANE - apart] : 0;
        SYNC_LANES();
        w += earlier;
        before[LANE] = w;
    }
    if (LANE == LANES - 1) state[CUTS] = w;
    w -= count;
    for (int32 k = from; k < to; k++) {
        if (!KEPT(k)) continue;
        int32 u = at[k], v = at[k + 1];
        float64 apart = u == v ? 0 : between(&points, u, v);
        cut[w] = k, place[w] = u, length[w] = apart;
        rough[w + 2 * stride] = (float32)(apart - (u == v ? price : 0));
        if (px) rough[w] = (float32)(px[u] - centre_x), rough[w + stride] = (float32)(py[u] - centre_y);
        w++;
    }
    if (from < edges && to == edges) {
        place[w] = 0;
        if (px) rough[w] = (float32)(px[0] - centre_x), rough[w + stride] = (float32)(py[0] - centre_y);
    }
    if (LANE == 0) {
        state[ROUTES_USED] = used, state[FOUND] = 0;
        state[KNOWN] = (int32)BITS_OF_FLOAT(threshold);
        prices[0] = (float32)price, prices[1] = error, prices[2] = over ? slack_over : slack;
    }
}
