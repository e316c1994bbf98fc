/* HGS local search (Vidal 2022): relocate, exchange, 2-opt, 2-opt* and SWAP* on penalised routes, until no move
 * improves. */
#ifndef WARPTOUR_ROUTES_DESCENT
#define WARPTOUR_ROUTES_DESCENT
#include "common/dice.h"
#include "routes/penalized.h"
#include "routes/moves.h"
#include "routes/swap.h"

/* Kernel parameters of a LocalSearch. travel2, service2, limit2: the second limit, which there is if service2 is not
 * null. nodes: next, prev, route, place, tested, each m + slots long; sums: load_to, and of each measure `to` and
 * `turned`, each m + slots long. ways: size, changed, swapped, each `slots` long; totals: load, penalty, and of each
 * measure `total` and `turned_total`, each `slots` long. */
#define ROUTES_PARAMETERS                                                                                           \
    int32 rm, int32 rslots, int32 rwidth, GLOBAL const real *rtable, GLOBAL const int32 *rnear,                     \
        GLOBAL const real *rdemand, GLOBAL const real *rservice, real rcapacity, real rlimit,                       \
        GLOBAL const real *rtravel2, GLOBAL const real *rservice2, real rlimit2, real rfixed, real rabsolute,       \
        real rrelative, GLOBAL int32 *rnodes, GLOBAL real *rsums, GLOBAL int32 *rways, GLOBAL real *rtotals         \
            TIMES_PARAMETERS KINDS_PARAMETERS
#define ROUTES_ARGUMENTS                                                                                            \
    rm, rslots, rwidth, rtable, rnear, rdemand, rservice, rcapacity, rlimit, rtravel2, rservice2, rlimit2, rfixed,  \
        rabsolute, rrelative, rnodes, rsums, rways, rtotals TIMES_ARGUMENTS KINDS_ARGUMENTS

/* With TIMED: opens, m long; closes, m + 1 long; segments: heads and tails, each m + slots long. */
#ifdef TIMED
#define TIMES_PARAMETERS , GLOBAL const real *ropens, GLOBAL const real *rcloses, real rlongest, GLOBAL real *rsegments
#define TIMES_ARGUMENTS , ropens, rcloses, rlongest, rsegments
#else
#define TIMES_PARAMETERS
#define TIMES_ARGUMENTS
#endif

/* With MIXED: kinds, rnumber of them, whose slots are those of this search; prizes, m long; work: the kind of each slot, and
 * an empty slot of each kind. */
#ifdef MIXED
#define KINDS_PARAMETERS                                                                                            \
    , int32 rcustomers, int32 rnumber, GLOBAL const real *rkinds, GLOBAL const real *rprizes, GLOBAL int32 *rslots_kinds
#define KINDS_ARGUMENTS , rcustomers, rnumber, rkinds, rprizes, rslots_kinds
#else
#define KINDS_PARAMETERS
#define KINDS_ARGUMENTS
#endif

#define NEAR_ROUTES 8 /* nearest neighbours of each customer whose routes are tried for SWAP* with its own */

INLINE LocalSearch routes_of(ROUTES_PARAMETERS) {
    LocalSearch s;
    int64 all = (int64)rm + rslots, k = rslots;
    Measure own = {rtable, rservice, rlimit, 0, rsums + all, rsums + 2 * all, rtotals + 2 * k, rtotals + 3 * k};
    Measure second = {rtravel2, rservice2, rlimit2, 0, rsums + 3 * all, rsums + 4 * all, rtotals + 4 * k, rtotals + 5 * k};
    s.m = rm, s.slots = rslots, s.width = rwidth, s.near = rnear, s.own = own, s.second = second;
    s.demand = rdemand, s.capacity = rcapacity, s.fixed = rfixed;
    s.absolute = rabsolute, s.relative = rrelative, s.per_load = 0;
    s.next = rnodes, s.prev = rnodes + all, s.route = rnodes + 2 * all, s.place = rnodes + 3 * all;
    s.tested = rnodes + 4 * all, s.load_to = rsums;
    s.size = rways, s.changed = rways + k, s.swapped = rways + 2 * k;
    s.load = rtotals, s.penalty = rtotals + k;
    s.idle = -1, s.moves = 0;
#ifdef TIMED
    s.opens = ropens, s.closes = rcloses, s.longest = rlongest;
    s.heads = (GLOBAL Segment *)rsegments, s.tails = s.heads + all;
#endif
#ifdef MIXED
    s.customers = rcustomers, s.number = rnumber, s.kinds = (GLOBAL const Kind *)rkinds, s.prizes = rprizes;
    s.kind = rslots_kinds, s.idles = rslots_kinds + rslots;
    for (int32 k = 0; k < rnumber; k++)
        for (int32 r = 0; r < s.kinds[k].slots; r++) s.kind[s.kinds[k].first + r] = k;
#endif
    return s;
}

#ifdef MIXED
/* Return the kind with an empty slot for which a route from `first` to `last`, which is `inside` long between them, costs
 * least; -1 if all are in use. */
INLINE int32 kind_for(const LocalSearch *s, int32 first, int32 last, real inside, real load) {
    int32 found = -1;
    real least = 0;
    for (int32 k = 0; k < s->number; k++) {
        GLOBAL const Kind *kind = &s->kinds[k];
        if (s->idles[k] < 0) continue;
        real travel = apart(s, kind->start, first) + inside + apart(s, last, kind->start);
        real cost = (1 + kind->per_distance) * travel + kind->fixed;
        if (load > kind->capacity) cost += s->per_load * (load - kind->capacity);
        if (travel > kind->limit) cost += s->own.price * (travel - kind->limit);
        if (found < 0 || cost < least) found = k, least = cost;
    }
    return found;
}

/* Give a route to an empty vehicle of its kind or, if there is none, of another; without any its customers stay absent. */
INLINE void take_route(LocalSearch *s, GLOBAL const int32 *stops, int32 count, int32 kind) {
    if (count == 0) return;
    if (s->idles[kind] < 0) {
        real load = 0, inside = 0;
        for (int32 k = 0; k < count; k++) load += s->demand[stops[k]];
        for (int32 k = 1; k < count; k++) inside += apart(s, stops[k - 1], stops[k]);
        kind = kind_for(s, stops[0], stops[count - 1], inside, load);
        if (kind < 0) return;
    }
    int32 r = s->idles[kind], a = s->m + r;
    for (int32 k = 0; k < count; a = stops[k++]) join(s, a, stops[k]);
    join(s, a, s->m + r);
    refresh(s, r);
    find_idle(s, r);
}
#endif

/* Load the routes of a giant tour, in which the depot follows each route, with MIXED minus the kind of its vehicle. Customers
 * not in it are in none. */
INLINE void take_giant_tour(LocalSearch *s, GLOBAL const int32 *giant, int32 size) {
    for (int32 q = 0; q < s->slots; q++) join(s, s->m + q, s->m + q), s->swapped[q] = -1;
    for (int32 c = 1; c < s->m; c++) s->route[c] = NOWHERE, s->tested[c] = -1;
#ifdef MIXED
    for (int32 q = 0; q < s->slots; q++) refresh(s, q);
    for (int32 k = 0; k < s->number; k++) find_idle(s, s->kinds[k].first);
    for (int32 k = 0, end; k < size; k = end + 1) {
        for (end = k; giant[end] > 0; end++);
        take_route(s, giant + k, end - k, -giant[end]);
    }
#else
    int32 r = 0, a = s->m;
    for (int32 k = 0; k < size; k++) {
        int32 c = giant[k];
        if (c == 0) {
            join(s, a, s->m + r);
            a = s->m + ++r;
        } else {
            join(s, a, c);
            a = c;
        }
    }
    for (int32 q = 0; q < s->slots; q++) refresh(s, q);
    find_idle(s, 0);
#endif
}

/* Keep in *best and *to the cheaper of them and of putting customer c, which is in no route, behind `at`. */
INLINE void consider_place(const LocalSearch *s, int32 c, int32 at, real *best, int32 *to) {
    int32 r = s->route[at], y = s->next[at];
    real longer = apart(s, at, c) + apart(s, c, y) - apart(s, at, y), more = rate_of(s, r) * longer - s->penalty[r];
    if (s->size[r] == 0) more += fixed_of(s, r);
    if (more >= *best) return;
    Amounts after = {s->load[r] + s->demand[c], s->own.total[r] + longer + s->own.service[c], 0};
    if (SECOND(s)) after.time2 = second_after(s, r, NOWHERE, c, at);
    more += penalty_of(s, r, after);
    if (more < *best) *best = more, *to = at;
}

/* Return where customer c, which is in no route, costs less than *best and least, beside a neighbour or in an empty route;
 * NOWHERE if that is nowhere. since: consider only routes that have changed after so many moves. */
INLINE int32 best_place_of(const LocalSearch *s, int32 c, int32 since, real *best) {
    int32 to = NOWHERE;
#ifdef MIXED
    for (int32 k = 0; k < s->number; k++)
        if (s->idles[k] >= 0 && s->changed[s->idles[k]] > since) consider_place(s, c, s->m + s->idles[k], best, &to);
#else
    consider_place(s, c, s->m + (s->idle < 0 ? 0 : s->idle), best, &to);
#endif
    GLOBAL const int32 *row = s->near + (int64)c * s->width;
    for (int32 j = 0; j < s->width && row[j] >= 0; j++) {
        int32 q = s->route[row[j]];
        if (q == NOWHERE || s->changed[q] <= since) continue;
        consider_place(s, c, row[j], best, &to);
        consider_place(s, c, s->prev[row[j]], best, &to);
    }
    return to;
}

INLINE void put_behind(LocalSearch *s, int32 c, int32 at) {
    int32 r = s->route[at], y = s->next[at];
    join(s, at, c), join(s, c, y);
    moved(s, r, r);
}

#ifdef MIXED
#include "routes/optional.h"
#endif

/* Put each customer that is in no route where it costs least; not who is worth less than `times` that. */
INLINE void insert_absent(LocalSearch *s, GLOBAL const int32 *order, real times) {
    for (int32 k = 0; k < CUSTOMERS(s); k++) {
        int32 c = order[k];
        if (s->route[c] != NOWHERE) continue;
        real best = FAR;
#ifdef MIXED
        if (s->prizes[c] < FAR) best = times * s->prizes[c];
#else
        (void)times;
#endif
        int32 to = best_place_of(s, c, -1, &best);
        if (to >= 0 || best == FAR) put_behind(s, c, to >= 0 ? to : s->m);
    }
}

/* Try u in an empty route, if there is one and something has changed after so many moves; where its depot is another one,
 * also as its first customer before all that precede it. */
INLINE void improve_in_idle(LocalSearch *s, int32 u, int32 idle, int32 since) {
    if (idle < 0 || (s->changed[s->route[u]] <= since && s->changed[idle] <= since)) return;
    if (improve_pair(s, u, s->m + idle) || alike(s, s->route[u], idle)) return;
    cross_turned(s, s->m + idle, u);
}

/* Evaluate all customers once in the given order: each against its neighbours and, from pass 1 on, an empty route. Pairs
 * whose routes have not changed since the customer's last evaluation are skipped. */
INLINE void evaluate_all(LocalSearch *s, GLOBAL const int32 *order, int32 pass) {
    for (int32 k = 0; k < CUSTOMERS(s); k++) {
        int32 u = order[k], before = s->tested[u];
        s->tested[u] = s->moves;
#ifdef MIXED
        if (drop_or_fetch(s, u, pass > 0 ? before : -1) || IS_ABSENT(s, u)) continue;
#endif
        GLOBAL const int32 *row = s->near + (int64)u * s->width;
        for (int32 j = 0; j < s->width; j++) {
            int32 v = row[j];
            if (v < 0) break;
            if (IS_ABSENT(s, v)) continue;
            int32 r = s->route[u], q = s->route[v];
            if (pass > 0 && s->changed[r] <= before && s->changed[q] <= before) continue;
            if (improve_pair(s, u, v)) continue;
            if (s->prev[v] >= s->m) improve_pair(s, u, s->prev[v]);
        }
        if (pass == 0) continue;
#ifdef MIXED
        if (s->prev[u] >= s->m) change_vehicle(s, u, pass > 1 ? before : -1);
        for (int32 i = 0; i < s->number; i++) improve_in_idle(s, u, s->idles[i], pass > 1 ? before : -1);
#else
        improve_in_idle(s, u, s->idle, pass > 1 ? before : -1);
#endif
    }
}

/* Reverse whole routes where that pays. */
INLINE void turn_routes(LocalSearch *s) {
    for (int32 r = 0; r < s->slots; r++)
        if (s->size[r] > 1) turn(s, s->m + r, s->prev[s->m + r]);
}

/* Evaluate SWAP* once between all pairs of neighbouring routes that changed since. */
INLINE void evaluate_routes(LocalSearch *s, const Places *p, GLOBAL const int32 *order) {
    for (int32 k = 0; k < s->slots; k++) {
        int32 r = order[k], before = s->swapped[r];
        s->swapped[r] = s->moves;
        /* s->tested of a depot node marks the routes already paired with r */
        for (int32 c = s->next[s->m + r]; c < s->m;) {
            int32 then = s->next[c], moved_one = 0;
            GLOBAL const int32 *row = s->near + (int64)c * s->width;
            for (int32 j = 0; j < s->width && j < NEAR_ROUTES && row[j] >= 0 && !moved_one; j++) {
                int32 q = s->route[row[j]];
                if (IS_ABSENT(s, row[j]) || q == r || s->tested[s->m + q] == k + 1) continue;
                s->tested[s->m + q] = k + 1;
                if (s->changed[r] <= before && s->changed[q] <= before) continue;
                moved_one = swap_best(s, p, r, q);
            }
            if (moved_one) then = s->next[s->m + r];
            c = then;
        }
        for (int32 q = 0; q < s->slots; q++) s->tested[s->m + q] = 0;
    }
}

/* Write all routes as a giant tour; return its length. costs: see descend(). */
INLINE int32 write_giant_tour(const LocalSearch *s, GLOBAL int32 *out, GLOBAL real *costs) {
    int32 at = 0;
    costs[0] = costs[1] = costs[2] = costs[3] = 0;
    for (int32 r = 0; r < s->slots; r++) {
        if (s->size[r] == 0) continue;
        int32 a = s->m + r;
        real travel = 0;
        for (int32 c = s->next[a]; c < s->m; a = c, c = s->next[c]) out[at++] = c, travel += apart(s, a, c);
        costs[0] += rate_of(s, r) * (travel + apart(s, a, s->m + r)) + fixed_of(s, r);
        if (s->load[r] > capacity_of(s, r)) costs[1] += s->load[r] - capacity_of(s, r);
        if (s->own.total[r] > limit_of(s, r)) costs[2] += s->own.total[r] - limit_of(s, r);
        if (SECOND(s) && s->second.total[r] > s->second.limit) costs[3] += s->second.total[r] - s->second.limit;
#ifdef MIXED
        out[at++] = -s->kind[r];
#else
        out[at++] = 0;
#endif
    }
#ifdef MIXED
    for (int32 c = 1; c <= s->customers; c++)
        if (IS_ABSENT(s, c)) costs[0] += s->prizes[c];
#endif
    return at;
}

/* Insert the customers that a giant tour lacks, see insert_absent(), and descend to a local optimum. `out` receives that as
 * a giant tour; return its length. size: length of `giant`, which has at most s->slots routes. order: workspace, m + slots
 * long; p: room for SWAP*. rounds: maximum number of passes over all customers. costs: travel, fixed costs and prizes,
 * total excess load, and total excess over each limit. */
INLINE int32 descend(LocalSearch *s, Dice *d, const Places *p, GLOBAL const int32 *giant, int32 size, real times,
                     GLOBAL int32 *order, int32 rounds, GLOBAL int32 *out, GLOBAL real *costs) {
    for (int64 k = 0; k < (int64)s->slots * s->m; k++) p->known[k] = 0;
    s->moves = 0;
    take_giant_tour(s, giant, size);
    int32 customers = CUSTOMERS(s);
    for (int32 c = 1; c <= customers; c++) order[c - 1] = c;
    for (int32 r = 0; r < s->slots; r++) order[customers + r] = r, s->tested[s->m + r] = 0;
    in_random_order(d, order, customers);
    in_random_order(d, order + customers, s->slots);
    insert_absent(s, order, times);
    for (int32 k = 0, before = -1; k < 2 || (s->moves > before && k < rounds); k++) {
        before = s->moves;
        evaluate_all(s, order, k);
        if (DIRECTED) turn_routes(s);
        /* SWAP* only at a local optimum of the simpler moves */
        if (k > 0 && s->moves == before) evaluate_routes(s, p, order + customers);
    }
    return write_giant_tour(s, out, costs);
}

#endif
