// build: metrics, device
/* Ruin and recreate in many groups of routes side by side, each by a group of lanes (at most 32). For points in
 * the plane: the third coordinate is not copied.
 *
 * tour: the giant tours of all groups one after the other, customers by their number in the instance; that of group g
 * begins at starts[g]. What a group has per node begins there too (nodes, lists), as each has more entries than nodes;
 * numbered: the tour in the group's own numbers, 0 for the depot, then in order of the tour. members: nodes of each
 * group.
 * The state of a group being searched lies in a room of `stride` bytes: in shared memory if IN_SHARED is defined.
 */
#include "routes/annealing.h"

/* Number the customers of each group: home and number of every customer, members and nodes of every group. */
KERNEL(groups_number, int32 groups, GLOBAL const int32 *starts, GLOBAL const int32 *tour, GLOBAL int32 *numbered,
       GLOBAL int32 *nodes, GLOBAL int32 *members, GLOBAL int32 *home, GLOBAL int32 *number) {
    for (int32 g = GROUP; g < groups; g += GROUPS) {
        int32 m = 1;
        for (int32 at = starts[g]; at < starts[g + 1]; at += LANES) {
            int32 c = at + LANE < starts[g + 1] ? tour[at + LANE] : DEPOT;
            uint32 customers = VOTES(c != DEPOT);
            int32 mine = m + COUNT_BITS(customers & ((1u << LANE) - 1));
            if (at + LANE < starts[g + 1]) numbered[at + LANE] = c == DEPOT ? 0 : mine;
            if (c != DEPOT) home[c] = g, number[c] = mine, nodes[starts[g] + mine] = c;
            m += COUNT_BITS(customers);
        }
        if (LANE == 0) nodes[starts[g]] = DEPOT, members[g] = m;
    }
}

/* Arrays of a group in its room. */
typedef struct {
    GLOBAL real *x, *y, *demand, *service, *edges, *sums, *rank;
    GLOBAL int32 *nodes, *ways, *scratch;
} Room;

/* Divide a room among the arrays of a group of m nodes and k routes; `pooled`: at least 1 more
 * than the customers that are removed at a time. routes/engine/device_groups.py knows how much it takes. */
INLINE Room room_of(GLOBAL char *room, int32 m, int32 k, int32 pooled) {
    Room r;
    r.x = (GLOBAL real *)room, r.y = r.x + m, r.demand = r.y + m, r.service = r.demand + m;
    r.edges = r.service + m, r.sums = r.edges + 4 * m, r.rank = r.sums + 4 * k;
    r.nodes = (GLOBAL int32 *)(r.rank + pooled), r.ways = r.nodes + 4 * m, r.scratch = r.ways + 7 * k;
    return r;
}

/* Search group chosen[i], which may have slots[i] routes, for tries[i] iterations, for all i below `count`.
 *
 * near, reach: room for the lists of all groups. best, last: giant tours of the best and the last routes in the numbers
 * of the instance, those of group g from starts[g] + extra * g on, where slots exceed its routes by at most `extra`.
 * sizes: lengths of both, per i; costs: those of the last and the best routes; counts: 8 per i. */
KERNEL(groups_search, POINTS_PARAMETERS, int32 width, GLOBAL const int32 *all_near, GLOBAL const real *demands,
       GLOBAL const real *services, real capacity, real limit, real fixed, int32 count, GLOBAL const int32 *chosen,
       GLOBAL const int32 *slots, GLOBAL const int64 *tries, GLOBAL const int32 *starts, GLOBAL const int32 *numbered,
       GLOBAL const int32 *nodes, GLOBAL const int32 *members, GLOBAL const int32 *home, GLOBAL const int32 *number,
       GLOBAL int32 *near, GLOBAL real *reach, int32 extra, GLOBAL int32 *best, GLOBAL int32 *last, GLOBAL int32 *sizes,
       GLOBAL real *costs, GLOBAL int64 *counts, int32 pooled, GLOBAL char *rooms, int64 stride, uint64 seed,
       uint64 stream, real mean, int32 longest, real split, real deeper, real blink, int32 sought, real slack, real hot,
       real cold, real absolute, real relative, SCRATCH_PARAMETER) {
    for (int32 i = GROUP; i < count; i += GROUPS) {
        const int32 g = chosen[i], m = members[g], k = slots[i], begin = starts[g], size = starts[g + 1] - begin;
        GLOBAL const int32 *who = nodes + begin;
        GLOBAL int32 *my_near = near + (int64)begin * width, *my_best = best + begin + (int64)extra * g;
        GLOBAL int32 *my_last = last + begin + (int64)extra * g;
        GLOBAL real *my_reach = reach + (int64)begin * width, *my_costs = costs + 2 * (int64)i;
        GLOBAL int64 *my_counts = counts + 8 * (int64)i;
#ifdef IN_SHARED
        Room room = room_of(SCRATCH, m, k, pooled);
#else
        Room room = room_of(rooms + (int64)i * stride, m, k, pooled);
#endif
        for (int32 c = LANE; c < m; c += LANES) {
            room.x[c] = px[who[c]], room.y[c] = py[who[c]];
            room.demand[c] = demands[who[c]], room.service[c] = services[who[c]];
        }
        if (LANE == 0) {
            for (int32 j = 0; j < 8; j++) my_counts[j] = j == TURNS;
            my_costs[COST] = my_costs[LOWEST] = 0;
        }
        SYNC_LANES();
        POINTS_STRUCT(points);
        points.x = room.x, points.y = room.y, points.n = m;
        for (int32 c = LANE; c < m; c += LANES) {
            GLOBAL int32 *row = my_near + (int64)c * width;
            int32 found = 0;
            for (int32 j = 0; c > 0 && j < width; j++) {
                int32 v = all_near[(int64)who[c] * width + j];
                if (v < 0) break;
                if (home[v] != g) continue;
                my_reach[(int64)c * width + found] = between(&points, c, number[v]);
                row[found++] = number[v];
            }
            for (; found < width; found++) row[found] = -1;
        }
        Fleet f = fleet_of(points, width, my_near, my_reach, room.demand, room.service, capacity, limit, 0, 0, 0, 0, 0,
                           fixed, k, room.nodes, room.edges, room.ways, room.sums, room.scratch, my_counts, my_costs);
        SYNC_LANES();
        if (LANE == 0) {
            enter_routes(&f, numbered + begin, size);
            my_costs[COST] = my_costs[LOWEST] = f.cost;
        }
        SYNC_LANES();
        anneal_routes(&f, room.scratch, room.scratch + m, my_best, room.rank, 0, 0, my_counts, my_costs, seed,
                      stream + (uint64)g, mean, longest, split, deeper, blink, sought, slack, hot, cold, absolute,
                      relative, tries[i]);
        int32 now = LANE == 0 ? write_giant_tour(&f, my_last) : 0, then = (int32)my_counts[GIANT_TOUR_SIZE];
        SYNC_LANES();
        now = FROM_LANE(now, 0);
        for (int32 j = LANE; j < now; j += LANES) my_last[j] = who[my_last[j]];
        for (int32 j = LANE; j < (then ? then : size); j += LANES)
            my_best[j] = who[then ? my_best[j] : numbered[begin + j]];
        if (LANE == 0) sizes[2 * i] = now, sizes[2 * i + 1] = then ? then : size;
        SYNC_LANES();
    }
}
