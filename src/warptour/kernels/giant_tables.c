// build: metrics
/* Tables of a giant tour: its segments by levels (giant_tour.h), and its cuts (giant_cuts.h).
 *
 * Groups 4 r to 4 r + 3 build the tables of resource r: forwards or reversed, of segments from the start of a block or
 * to its end. `run` holds those of the present level; on the next, one half of each block of 2^(l+1) positions joins the
 * whole other half. The last group lists the cuts.
 */
#include "giant_cuts.h"

INLINE void build_tables(const Giant *g, int32 task, int32 nodes, int32 levels, GLOBAL const int32 *at,
                         GLOBAL const float64 *edge, GLOBAL Extension *run, GLOBAL Extension *row,
                         GLOBAL float64 *ahead, GLOBAL float64 *allowed) {
    int32 r = task / 4, reversed = task % 4 / 2, to_end = task % 2;
    for (int32 k = LANE; k < nodes; k += LANES) run[k] = extension_at(g, r, at[k]);
    SYNC_LANES();
    for (int32 level = 0; level < levels; level++, row += nodes) {
        int32 size = 1 << level;
        for (int32 w = LANE; w <= (nodes + size) / 2; w += LANES) { /* positions of one half of each block */
            int32 begin = w >> level << level, k = w + begin + (to_end ? 0 : size), middle = 2 * begin + size;
            if (k >= nodes) continue;
            Extension mine = run[k];
            row[k] = mine;
            if (middle >= nodes) continue;
            Extension other = run[to_end ? middle : middle - 1];
            int32 left = at[middle - 1], right = at[middle];
            float64 across = consumed(g, r, reversed ? right : left, reversed ? left : right, edge[middle - 1]);
            run[k] = to_end == reversed ? joined(other, across, mine) : joined(mine, across, other);
        }
        SYNC_LANES();
    }
    if (reversed) return;
    for (int32 k = LANE; k < nodes; k += LANES) {
        if (to_end)
            allowed[k] = run[k].most;
        else
            ahead[k] = run[k].least; /* a giant tour starts at the depot, anew */
    }
}

#define HOLLOW(k) ((k) >= 0 && at[k] == 0 && at[(k) + 1] == 0)

/* List the cuts in ascending order: each lane those of its own positions. */
INLINE void list_cuts(ROOM_PARAMETER LOCAL int32 *before, int32 edges, GLOBAL const int32 *at,
                      GLOBAL const float64 *edge, GLOBAL const float64 *px, GLOBAL const float64 *py, float64 centre_x,
                      float64 centre_y, float64 fixed, float64 weight, int32 vehicles, float32 error,
                      float32 threshold, int32 routes, GLOBAL int32 *state, GLOBAL int32 *cut, GLOBAL float32 *ends,
                      GLOBAL int32 *end_places, GLOBAL float32 *prices) {
    int32 share = (edges + LANES - 1) / LANES, from = LANE * share, to = from + share < edges ? from + share : edges;
    int32 count = 0, hollow = 0;
    for (int32 k = from; k < to; k++) {
        hollow += HOLLOW(k);
        count += !(HOLLOW(k) && HOLLOW(k - 1) && HOLLOW(k - 2));
    }
    int32 used = routes - SUM_OF_LANES(hollow), over = used > vehicles;
    float64 price = fixed + (over ? weight : 0);
    int32 w = count;
    before[LANE] = w;
    for (int32 apart = 1; apart < LANES; apart *= 2) {
        SYNC_LANES();
        int32 earlier = LANE >= apart ? before[LANE - apart] : 0;
        SYNC_LANES();
        w += earlier;
        before[LANE] = w;
    }
    if (LANE == LANES - 1) state[CUTS] = w;
    w -= count;
    for (int32 k = from; k < to; k++) {
        if (HOLLOW(k) && HOLLOW(k - 1) && HOLLOW(k - 2)) continue;
        int32 u = at[k], v = at[k + 1];
        cut[w] = k;
        if (px) {
            ends[w] = (float32)(px[u] - centre_x), ends[w + edges] = (float32)(py[u] - centre_y);
            ends[w + 2 * edges] = (float32)(px[v] - centre_x), ends[w + 3 * edges] = (float32)(py[v] - centre_y);
        }
        ends[w + 4 * edges] = (float32)(edge[k] - (HOLLOW(k) ? price : 0));
        end_places[w] = u, end_places[w + edges] = v;
        w++;
    }
    if (LANE == 0) {
        state[ROUTES_USED] = used, state[NEXT_TILE] = 0, state[FOUND] = 0;
        state[KNOWN] = (int32)BITS_OF_FLOAT(threshold);
        prices[0] = (float32)price, prices[1] = over ? 16 * error : error;
    }
}

/* 4 * resources + 1 groups; `runs` holds 4 * resources rows of edges + 1 segments. */
KERNEL(giant_tables, GIANT_PARAMETERS, int32 edges, int32 levels, GLOBAL const int32 *RESTRICT at,
       GLOBAL const float64 *RESTRICT edge, GLOBAL Extension *runs, GLOBAL Extension *tables,
       GLOBAL float64 *RESTRICT ahead, GLOBAL float64 *RESTRICT allowed, float64 centre_x, float64 centre_y,
       float64 fixed, float64 weight, int32 vehicles, float32 error, float32 threshold, int32 routes,
       GLOBAL int32 *RESTRICT state, GLOBAL int32 *RESTRICT cut, GLOBAL float32 *RESTRICT ends,
       GLOBAL int32 *RESTRICT end_places, GLOBAL float32 *RESTRICT prices) {
    GIANT_STRUCT(g);
    LOCAL_ARRAY(int32, before, LANES);
    int32 nodes = edges + 1;
    for (int32 task = GROUP; task <= 4 * resources; task += GROUPS) {
        int64 r = task / 4;
        if (task == 4 * resources)
            list_cuts(ROOM before, edges, at, edge, px, py, centre_x, centre_y, fixed, weight, vehicles, error,
                      threshold, routes, state, cut, ends, end_places, prices);
        else
            build_tables(&g, task, nodes, levels, at, edge, runs + (int64)task * nodes,
                         tables + (2 * r + task % 4 / 2) * levels * nodes, ahead + r * nodes, allowed + r * nodes);
    }
}
