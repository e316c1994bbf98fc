// build: native, timed, mixed, pairs
/* The cheapest route of each subset of few customers, whatever it costs: every order of every subset is walked along.
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

/* Whether customer c may follow on a path of route r. */
INLINE int32 may_follow(const Fleet *f, int32 r, Path path, int32 c) {
#ifdef PAIRS
    if (f->mate[c] < 0 && !(path.subset >> (-f->mate[c] - 1) & 1)) return 0;
#endif
    return !(path.subset >> (c - 1) & 1) && may_serve(f, r, c);
}

/* Whether route r keeps its further sums, loads and shipments with these customers. */
INLINE int32 walk_is_kept(Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    for (int32 k = 0; k < SUMS(f); k++) {
        real sum = sum_leg(f, k, r, visits[count - 1], DEPOT);
        for (int32 j = 0; j < count; j++)
            sum += sum_leg(f, k, r, j ? visits[j - 1] : DEPOT, visits[j]) + amount_of(f, visits[j], k);
        if (sum > most_of(f, r, k)) return 0;
    }
#ifdef PAIRS
    return keeps_loads(f, DEPOT, visits, count, DEPOT, r) && (!f->paired || keeps_pairs(f, visits, count));
#else
    return 1;
#endif
}

/* Return a path of route r with customer c behind `at`. */
INLINE Path longer_path(const Fleet *f, int32 r, Path path, int32 at, int32 c) {
    real way = apart(f, r, at, c);
    path.subset |= 1 << (c - 1), path.load += f->demand[c], path.travel += way, path.time += way + f->service[c];
    path.busy += time_leg(f, r, at, c) + f->serve[c];
    path.early = next_start(f, c, path.early + time_leg(f, r, at, c));
    return path;
}

/* r: a route of the vehicle. route: 2^(m - 1) long, receives the cost of the cheapest route of each subset, UNREACHED if there
 * is none; stops: m - 1 customers of each, in order. */
KERNEL(exact_walks, POINTS_PARAMETERS, FLEET_PARAMETERS, int32 r, GLOBAL real *route, GLOBAL int32 *stops) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    Path paths[31];
    int32 most = f.m - 1, tried[31], size = 0;
    GLOBAL int32 *visits = f.visits; /* customers of the path */
    for (int32 subset = 0; subset < 1 << most; subset++) route[subset] = UNREACHED;
    Path empty = {0, 0, 0, 0, served_at_start(&f, r), depart(&f, r)};
    paths[0] = empty, tried[0] = 0;
    while (size >= 0) {
        int32 c = ++tried[size], at = size ? visits[size - 1] : DEPOT;
        if (c > most) {
            size--;
            continue;
        }
        if (!may_follow(&f, r, paths[size], c)) continue;
        Path path = longer_path(&f, r, paths[size], at, c);
        if (path.load > capacity_of(&f, r) || path.early > f.closes[c]) continue;
        path.early += f.serve[c];
        visits[size++] = c, paths[size] = path, tried[size] = 0;
        real back = apart(&f, r, c, DEPOT), cost = path.travel + back, best = route[path.subset];
        real ride = time_leg(&f, r, c, DEPOT), price = priced(&f, r, cost, path.busy + ride);
        if (path.time + back > limit_of(&f, r) || cost + price >= best) continue;
        if (path.early + ride > closes_at_end(&f, r) || !walk_is_kept(&f, r, visits, size)) continue;
        if (TIMES(&f)) price = walk_route(&f, r, visits, size, r, cost);
        if (cost + price >= best) continue;
        route[path.subset] = cost + price;
        for (int32 k = 0; k < size; k++) stops[path.subset * most + k] = visits[k];
    }
}
#endif
