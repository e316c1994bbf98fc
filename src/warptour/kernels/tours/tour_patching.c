// build: metrics, branches
/* Patching: join the cycles of a set of links to one tour (Karp 1979). Runs on the host.
 *
 * Two cycles can be joined at a place, a pair of near cities a and b of different cycles:
 *
 *      u   v            u---v
 *      |   |     ->
 *      a   b            a---b
 */
#include "common/metric.h"
#include "tours/tour_segments.h"

/* Traverse the cycles: tour lists the cities cycle by cycle, cycle[c] is the cycle of city c. count[0] receives the
 * number of cycles, each of which has at least three cities. */
KERNEL(tour_cycles, int32 n, GLOBAL const int32 *links, GLOBAL int32 *cycle, GLOBAL int32 *tour, GLOBAL int32 *count) {
    int32 at = 0, cycles = 0;
    for (int32 c = 0; c < n; c++) cycle[c] = NOBODY;
    for (int32 c = 0; c < n; c++) {
        if (cycle[c] != NOBODY) continue;
        int32 here = c, from = links[2 * (int64)c];
        do {
            int32 to = links[2 * (int64)here] == from ? links[2 * (int64)here + 1] : links[2 * (int64)here];
            cycle[here] = cycles, tour[at++] = here;
            from = here, here = to;
        } while (here != c);
        cycles++;
    }
    count[0] = cycles;
}

/* The cheapest exchange at one place. */
typedef struct {
    int32 a, b, u, v;
    real cost; /* INFINITY if every edge there is fixed */
} Patch;

INLINE int32 is_fixed(GLOBAL const int32 *fixed, int32 a, int32 b) {
    return fixed != 0 && (fixed[2 * (int64)a] == b || fixed[2 * (int64)a + 1] == b);
}

INLINE Patch best_patch(const Points *p, GLOBAL const int32 *fixed, GLOBAL const int32 *links, GLOBAL const int32 *place) {
    int32 a = place[0];
    Patch best = {a, place[1], NOBODY, NOBODY, (real)INFINITY};
    real joined = between(p, a, best.b);
    for (int32 k = 0; k < 4; k++) {
        int32 u = links[2 * (int64)a + k / 2], v = links[2 * (int64)best.b + k % 2];
        if (is_fixed(fixed, a, u) || is_fixed(fixed, best.b, v)) continue;
        real cost = joined + between(p, u, v) - between(p, a, u) - between(p, best.b, v);
        if (cost < best.cost) best.u = u, best.v = v, best.cost = cost;
    }
    return best;
}

INLINE void relink(GLOBAL int32 *links, int32 c, int32 gone, int32 come) {
    links[2 * (int64)c + (links[2 * (int64)c] != gone)] = come;
}

/* Compute the cost of the best patch at each of `count` places, two cities each. fixed: the cities joined to each city by fixed edges, 2
 * per city, or null. */
KERNEL(tour_patch_costs, POINTS_PARAMETERS, GLOBAL const int32 *fixed, GLOBAL const int32 *links, int32 count,
       GLOBAL const int32 *places, GLOBAL real *costs) {
    POINTS_STRUCT(p);
    for (int32 i = GROUP; i < count; i += GROUPS) costs[i] = best_patch(&p, fixed, links, places + 2 * (int64)i).cost;
}

/* Patch the links at the given places, in their order, until there is one cycle. leader: one number per cycle, on entry
 * 0, 1, 2 .. result[0] receives the total cost, result[1] the number of cycles left. */
KERNEL(tour_patch, POINTS_PARAMETERS, GLOBAL const int32 *fixed, int32 count, GLOBAL const int32 *places,
       GLOBAL const int32 *cycle, int32 cycles, GLOBAL int32 *leader, GLOBAL int32 *links, GLOBAL real *result) {
    POINTS_STRUCT(p);
    result[0] = 0;
    for (int32 i = 0; i < count && cycles > 1; i++) {
        int32 a = places[2 * (int64)i], b = places[2 * (int64)i + 1];
        int32 one = leader_of(leader, cycle[a]), other = leader_of(leader, cycle[b]);
        if (one == other) continue;
        Patch patch = best_patch(&p, fixed, links, places + 2 * (int64)i);
        if (patch.u == NOBODY) continue;
        relink(links, a, patch.u, b), relink(links, b, patch.v, a);
        relink(links, patch.u, a, patch.v), relink(links, patch.v, b, patch.u);
        leader[one] = other;
        result[0] += patch.cost;
        cycles--;
    }
    result[1] = cycles;
}
