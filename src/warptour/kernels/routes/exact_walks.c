// build: native, timed
/* The cheapest route of each subset of few customers, whatever its times cost: every order of every subset is walked along.
 *
 * Paths grow customer by customer, depth first, as long as the capacity and closings allow. */
#ifdef TIMED
#include "routes/annealing.h"

/* A path from the depot: the customers in it as bits, its load, its travel without and with services, the time it takes
 * without waits, and the earliest departure from its last customer. */
typedef struct {
    int32 subset;
    real load, travel, time, busy, early;
} Path;

/* Whether a route of `count` customers keeps all further sums. */
INLINE int32 walk_keeps_sums(const Fleet *f, GLOBAL const int32 *visits, int32 count) {
    for (int32 k = 0; k < SUMS(f); k++) {
        real sum = sum_leg(f, k, 0, visits[count - 1], DEPOT);
        for (int32 j = 0; j < count; j++)
            sum += sum_leg(f, k, 0, j ? visits[j - 1] : DEPOT, visits[j]) + amount_of(f, visits[j], k);
        if (sum > most_of(f, 0, k)) return 0;
    }
    return 1;
}

/* Return a path with customer c behind `at`. */
INLINE Path longer_path(const Fleet *f, Path path, int32 at, int32 c) {
    real way = apart(f, 0, at, c);
    path.subset |= 1 << (c - 1), path.load += f->demand[c], path.travel += way, path.time += way + f->service[c];
    path.busy += time_leg(f, 0, at, c) + f->serve[c];
    path.early = next_start(f, c, path.early + time_leg(f, 0, at, c));
    return path;
}

/* route: 2^(m - 1) long, receives the cost of the cheapest route of each subset, UNREACHED if there is none; stops: m - 1
 * customers of each, in order. */
KERNEL(exact_walks, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL real *route, GLOBAL int32 *stops) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    Path paths[31];
    int32 most = f.m - 1, tried[31], size = 0;
    GLOBAL int32 *visits = f.visits; /* customers of the path */
    for (int32 subset = 0; subset < 1 << most; subset++) route[subset] = UNREACHED;
    Path empty = {0, 0, 0, 0, f.serve[DEPOT], depart(&f, 0)};
    paths[0] = empty, tried[0] = 0;
    while (size >= 0) {
        int32 c = ++tried[size], at = size ? visits[size - 1] : DEPOT;
        if (c > most) {
            size--;
            continue;
        }
        if (paths[size].subset >> (c - 1) & 1) continue;
        Path path = longer_path(&f, paths[size], at, c);
        if (path.load > f.capacity || path.early > f.closes[c]) continue;
        path.early += f.serve[c];
        visits[size++] = c, paths[size] = path, tried[size] = 0;
        real back = apart(&f, 0, c, DEPOT), cost = path.travel + back, best = route[path.subset];
        if (path.time + back > f.limit || cost + f.per_time * (path.busy + time_leg(&f, 0, c, DEPOT)) >= best) continue;
        if (!walk_keeps_sums(&f, visits, size)) continue;
        cost += walk_route(&f, 0, visits, size, 0, 0);
        if (cost >= best) continue;
        route[path.subset] = cost;
        for (int32 k = 0; k < size; k++) stops[path.subset * most + k] = visits[k];
    }
}
#endif
