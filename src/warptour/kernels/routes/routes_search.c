// build: metrics, general, timed, mixed, pairs, trips, branches
/* Ruin and recreate on the host: a group of routes that stays in memory from call to call. */
#include "routes/annealing.h"

/* Whether c is unserved and must be served, itself or as the first of its alternatives. */
INLINE int32 is_missed(const Fleet *f, int32 c) {
    if (f->route[c] != ABSENT || is_reload(f, c)) return 0;
#ifdef PAIRS
    if (f->mate[c] < 0) return 0; /* its pickup is */
#endif
#ifdef MIXED
    int32 group = f->group ? f->group[c] : -1, first = group > 0 ? f->group_ends[group - 1] : 0;
    if (leader_of(&f->bonds, c) != c) return 0;
    return !is_optional(f, c) && (group < 0 || (f->served[group] == 0 && f->members[first] == c));
#else
    return 1;
#endif
}

/* Load the routes of a giant tour, in which the depot follows each route. Customers not in it are unserved. */
KERNEL(routes_enter, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL const int32 *giant, int32 size) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    int32 missing = 0;
    enter_routes(&f, giant, size);
    for (int64 k = f.width, c = 1; c < f.m; c++)
        for (int32 j = 0; j < f.width; j++, k++) {
            freach[k] = fnear[k] < 0 ? 0 : between(&points, (int32)c, fnear[k]);
            if (DIRECTED) freach[k + (int64)f.m * f.width] = fnear[k] < 0 ? 0 : between(&points, fnear[k], (int32)c);
        }
    for (int32 c = 1; c < f.m; c++)
        if (is_missed(&f, c)) fscratch[f.m + missing++] = c;
    fcounts[SPARES] = f.spares, fcounts[LEFT_OUT] = missing;
    int32 broken = 0;
#ifdef TIMED
    recompute_sums(&f);
    for (int32 r = 0; r < f.slots; r++) broken |= f.timed[r] == BROKEN;
#endif
    fcosts[COST] = f.cost;
    fcosts[LOWEST] = missing || broken ? (real)UNREACHED : f.cost;
}

/* Insert customers that have no route in the given order; those that fit nowhere stay without. larger: whether a route may
 * get a larger vehicle for one; eager: whether those with prizes are served whatever it costs. */
KERNEL(routes_insert, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL const int32 *customers, int32 count, int32 larger, int32 eager) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    Dice d = {0, 0};
    int32 missing = 0, sight = NO_BLINK;
#ifdef MIXED
    f.larger = larger, f.eager = eager ? UNREACHED : 1;
#else
    (void)larger, (void)eager;
#endif
    recompute_sums(&f);
    begin_attempt(&f);
    for (int32 k = 0; k < count; k++) {
        if (!insert_customer(&f, &d, customers[k], 0, &sight)) fscratch[f.m + missing++] = customers[k];
        begin_attempt(&f);
    }
    recompute_sums(&f);
    fcounts[SPARES] = f.spares, fcounts[LEFT_OUT] = missing;
    fcosts[COST] = f.cost;
    fcosts[LOWEST] = missing ? (real)UNREACHED : f.cost;
}

/* Write the current routes as a giant tour. */
KERNEL(routes_leave, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL int32 *giant) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    fcounts[GIANT_TOUR_SIZE] = write_giant_tour(&f, giant);
}

/* See anneal_routes(). */
KERNEL(routes_search, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL int32 *best, GLOBAL real *rank, GLOBAL real *misses, real absence,
       ANNEALING_PARAMETERS) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    anneal_routes(&f, fscratch, fscratch + f.m, best, rank, misses, absence, fcounts, fcosts, ANNEALING_ARGUMENTS);
}
