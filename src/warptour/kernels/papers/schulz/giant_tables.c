// build: metrics
/* Tables of a giant tour (giant_tour.h).
 *
 * Tasks 4 r to 4 r + 3 build the tables of resource r: forwards or reversed, of segments from the start of a block or to
 * its end. `run` holds those of the present level; on the next, one half of each block of 2^(l+1) nodes joins the whole
 * other half. `across` is what the edge before each node consumes. The last task finds the ends of routes.
 *
 * `ahead` and `back` are `least` of the tour up to a node and, reversed, from its end on: at each copy of the depot they
 * start anew. In reverse a later route may be infeasible, which must not delay the routes before it: `least` then leaves
 * that route out, and `back` is exact or, within an infeasible rest, too low.
 */
#include "papers/schulz/giant_tour.h"

/* Where `run` and `across` are: in shared memory, unless the tour is too long. */
#ifdef RUNS_IN_GLOBAL
#define RUNS GLOBAL
#else
#define RUNS LOCAL
#endif

INLINE void build_tables(const Giant *g, int32 task, int32 nodes, int32 stride, int32 levels, GLOBAL const int32 *place,
                         GLOBAL const float64 *length, RUNS Extension *run, GLOBAL Extension *row, GLOBAL Here *here) {
    RUNS float64 *across = (RUNS float64 *)(run + nodes);
    int32 r = task / 4, reversed = task % 4 / 2, to_end = task % 2;
    for (int32 k = LANE; k < nodes; k += LANES) {
        int32 at = place[k], before = k > 0 ? place[k - 1] : 0;
        run[k] = extension_at(g, r, at);
        across[k] = consumed(g, r, reversed ? at : before, reversed ? before : at, k > 0 ? length[k - 1] : 0);
        if (to_end) here[k].across[reversed] = across[k];
    }
    SYNC_LANES();
    for (int32 level = 0; level < levels && nodes > 1 << level; level++, row += stride) {
        int32 size = 1 << level;
        for (int32 w = LANE; w <= (nodes + size) / 2; w += LANES) { /* nodes of one half of each block */
            int32 begin = w >> level << level, k = w + begin + (to_end ? 0 : size), middle = 2 * begin + size;
            if (k >= nodes) continue;
            Extension mine = run[k];
            row[k] = mine;
            if (middle >= nodes) continue;
            Extension other = run[to_end ? middle : middle - 1];
            run[k] = to_end == reversed ? chained(other, across[middle], mine) : chained(mine, across[middle], other);
            if (to_end && reversed && run[k].most == NEVER) run[k].least = mine.least; /* see `back` */
        }
        SYNC_LANES();
    }
    for (int32 k = LANE; k < nodes; k += LANES) {
        if (reversed && to_end)
            here[k].back = run[k].least;
        else if (to_end)
            here[k].allowed = run[k].most;
        else if (!reversed)
            here[k].ahead = run[k].least;
        else {
            Visit at = g->visits[(int64)r * (g->customers + 1) + place[k]];
            here[k].enter = at.enter, here[k].leave = at.leave;
        }
    }
    SYNC_LANES();
}

/* Find the copies of the depot around each node: every round doubles the distance looked at. */
INLINE void find_ends(ROOM_PARAMETER int32 nodes, GLOBAL const int32 *place, GLOBAL int32 *start, GLOBAL int32 *end) {
    for (int32 k = LANE; k < nodes; k += LANES) start[k] = place[k] ? k - 1 : k, end[k] = place[k] ? k + 1 : k;
    int32 open = 1;
    while (open) {
        SYNC_LANES();
        open = 0;
        for (int32 k = LANE; k < nodes; k += LANES) {
            int32 left = start[k], right = end[k];
            if (place[left]) start[k] = start[left], open = 1;
            if (place[right]) end[k] = end[right], open = 1;
        }
        open = ANY_LANE(open);
    }
}

/* `runs` holds 4 numbers per node and group; null in shared memory. */
KERNEL(giant_tables, GIANT_PARAMETERS, int32 edges, int32 levels, GLOBAL const int32 *RESTRICT state,
       GLOBAL const int32 *RESTRICT place, GLOBAL const float64 *RESTRICT length, GLOBAL float64 *runs,
       GLOBAL int32 *bounds, GLOBAL Here *RESTRICT here, GLOBAL Extension *RESTRICT tables, SCRATCH_PARAMETER) {
    GIANT_STRUCT(g);
    int32 nodes = state[CUTS] + 1, stride = edges + 1;
#ifdef RUNS_IN_GLOBAL
    GLOBAL Extension *run = (GLOBAL Extension *)(runs + (int64)4 * GROUP * stride);
#else
    LOCAL Extension *run = (LOCAL Extension *)SCRATCH;
    (void)runs;
#endif
    if (state[OPTIMAL]) return;
    for (int32 task = GROUP; task <= 4 * resources; task += GROUPS) {
        int64 r = task / 4;
        if (task == 4 * resources)
            find_ends(ROOM nodes, place, bounds, bounds + stride);
        else
            build_tables(&g, task, nodes, stride, levels, place, length, run,
                         tables + (2 * r + task % 4 / 2) * levels * stride, here + r * stride);
    }
}
