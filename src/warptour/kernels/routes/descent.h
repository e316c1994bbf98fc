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
            TIMES_PARAMETERS
#define ROUTES_ARGUMENTS                                                                                            \
    rm, rslots, rwidth, rtable, rnear, rdemand, rservice, rcapacity, rlimit, rtravel2, rservice2, rlimit2, rfixed,  \
        rabsolute, rrelative, rnodes, rsums, rways, rtotals TIMES_ARGUMENTS

/* With TIMED: opens, m long; closes, m + 1 long; segments: heads and tails, each m + slots long. */
#ifdef TIMED
#define TIMES_PARAMETERS , GLOBAL const real *ropens, GLOBAL const real *rcloses, real rlongest, GLOBAL real *rsegments
#define TIMES_ARGUMENTS , ropens, rcloses, rlongest, rsegments
#else
#define TIMES_PARAMETERS
#define TIMES_ARGUMENTS
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
    return s;
}

/* Load the routes of a giant tour, in which the depot follows each route. Customers not in it are in none. */
INLINE void take_giant_tour(LocalSearch *s, GLOBAL const int32 *giant, int32 size) {
    int32 r = 0, a = s->m;
    for (int32 q = 0; q < s->slots; q++) join(s, s->m + q, s->m + q), s->swapped[q] = -1;
    for (int32 c = 1; c < s->m; c++) s->route[c] = NOWHERE, s->tested[c] = -1;
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
    find_idle(s);
}

/* Keep in *best and *to the cheaper of them and of putting customer c, which is in no route, behind `at`. */
INLINE void consider_place(const LocalSearch *s, int32 c, int32 at, real *best, int32 *to) {
    int32 r = s->route[at], y = s->next[at];
    real more = apart(s, at, c) + apart(s, c, y) - apart(s, at, y) + (s->size[r] ? 0 : s->fixed);
    Amounts after = {s->load[r] + s->demand[c], s->own.total[r] + more + s->own.service[c], 0};
    if (SECOND(s)) after.time2 = second_after(s, r, NOWHERE, c, at);
    more += penalty_of(s, after) - s->penalty[r];
    if (more < *best) *best = more, *to = at;
}

/* Put each customer that is in no route where it costs least: beside a neighbour or in an empty route. */
INLINE void insert_absent(LocalSearch *s, GLOBAL const int32 *order) {
    for (int32 k = 0; k < s->m - 1; k++) {
        int32 c = order[k], to = s->m + (s->idle < 0 ? 0 : s->idle);
        if (s->route[c] != NOWHERE) continue;
        real best = FAR;
        consider_place(s, c, to, &best, &to);
        GLOBAL const int32 *row = s->near + (int64)c * s->width;
        for (int32 j = 0; j < s->width && row[j] >= 0; j++) {
            if (s->route[row[j]] == NOWHERE) continue;
            consider_place(s, c, row[j], &best, &to);
            consider_place(s, c, s->prev[row[j]], &best, &to);
        }
        int32 r = s->route[to], y = s->next[to];
        join(s, to, c), join(s, c, y);
        moved(s, r, r);
    }
}

/* Evaluate all customers once in the given order: each against its neighbours and, from pass 1 on, an empty route. Pairs
 * whose routes have not changed since the customer's last evaluation are skipped. */
INLINE void evaluate_all(LocalSearch *s, GLOBAL const int32 *order, int32 pass) {
    for (int32 k = 0; k < s->m - 1; k++) {
        int32 u = order[k], before = s->tested[u];
        s->tested[u] = s->moves;
        GLOBAL const int32 *row = s->near + (int64)u * s->width;
        for (int32 j = 0; j < s->width; j++) {
            int32 v = row[j];
            if (v < 0) break;
            int32 r = s->route[u], q = s->route[v];
            if (pass > 0 && s->changed[r] <= before && s->changed[q] <= before) continue;
            if (improve_pair(s, u, v)) continue;
            if (s->prev[v] >= s->m) improve_pair(s, u, s->prev[v]);
        }
        if (pass == 0 || s->idle < 0) continue;
        int32 depot = s->m + s->idle;
        if (pass == 1 || s->changed[s->route[u]] > before || s->changed[s->idle] > before) improve_pair(s, u, depot);
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
                if (q == r || s->tested[s->m + q] == k + 1) continue;
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

/* Insert the customers that a giant tour lacks and descend to a local optimum. `out` receives that as a giant tour; return
 * its length. size: length of `giant`, which has at most s->slots routes. order: workspace, m + slots long; p: room for
 * SWAP*. rounds: maximum number of passes over all customers. costs: travel plus fixed costs, total excess load, and total
 * excess over each limit. */
INLINE int32 descend(LocalSearch *s, Dice *d, const Places *p, GLOBAL const int32 *giant, int32 size, GLOBAL int32 *order,
                     int32 rounds, GLOBAL int32 *out, GLOBAL real *costs) {
    for (int64 k = 0; k < (int64)s->slots * s->m; k++) p->known[k] = 0;
    s->moves = 0;
    take_giant_tour(s, giant, size);
    for (int32 c = 1; c < s->m; c++) order[c - 1] = c;
    for (int32 r = 0; r < s->slots; r++) order[s->m - 1 + r] = r, s->tested[s->m + r] = 0;
    in_random_order(d, order, s->m - 1);
    in_random_order(d, order + s->m - 1, s->slots);
    insert_absent(s, order);
    for (int32 k = 0, before = -1; k < 2 || (s->moves > before && k < rounds); k++) {
        before = s->moves;
        evaluate_all(s, order, k);
        if (DIRECTED) turn_routes(s);
        /* SWAP* only at a local optimum of the simpler moves */
        if (k > 0 && s->moves == before) evaluate_routes(s, p, order + s->m - 1);
    }
    int32 at = 0;
    costs[0] = costs[1] = costs[2] = costs[3] = 0;
    for (int32 r = 0; r < s->slots; r++) {
        if (s->size[r] == 0) continue;
        int32 a = s->m + r;
        for (int32 c = s->next[a]; c < s->m; a = c, c = s->next[c]) out[at++] = c, costs[0] += apart(s, a, c);
        costs[0] += apart(s, a, 0) + s->fixed;
        if (s->load[r] > s->capacity) costs[1] += s->load[r] - s->capacity;
        if (s->own.total[r] > s->own.limit) costs[2] += s->own.total[r] - s->own.limit;
        if (SECOND(s) && s->second.total[r] > s->second.limit) costs[3] += s->second.total[r] - s->second.limit;
        out[at++] = 0;
    }
    return at;
}

#endif
