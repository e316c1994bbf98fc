/* Routes of ruin and recreate: doubly linked lists of customers.
 *
 * Node 0 is the depot, the other nodes are customers. prev of a route's first customer and next of its last are the
 * depot, so distances to next and prev need no special case. Each insertion and removal takes constant time.
 *
 * With GENERAL, distances may differ from those back, and routes may have limits on further sums (sums.h). With TIMED as
 * well, routes may be open, stops have windows, and time a price (schedule.h). With MIXED as well, vehicles differ and
 * customers may stay unserved at a price (vehicles.h). With PAIRS as well, loads change along a route (loads.h, pairs.h). With
 * TRIPS as well, vehicles come back to be loaded again (trips.h).
 */
#ifndef WARPTOUR_ROUTES
#define WARPTOUR_ROUTES

#define DEPOT 0
#define ABSENT (-1) /* route of an unserved customer */
#define UNREACHED 1e300

#ifdef GENERAL
#define DIRECTED 1
#define SUMS(f) ((f)->sums)                  /* number of further sums */
#define REVERSIBLE(f) ((f)->reversible != 0) /* whether routes may be reversed: all travel is the same there and back */
#else
#define DIRECTED 0
#define SUMS(f) 0
#define REVERSIBLE(f) 1
#endif

#ifdef TIMED
#define OPEN(f) ((f)->open != 0) /* whether routes end at their last customer */
#ifdef MIXED
#define PRICED(f) 1
#else
#define PRICED(f) ((f)->priced != 0) /* whether routes cost more than their distance */
#endif
#include "common/segments.h"
#else
#define OPEN(f) 0
#define PRICED(f) 0
#endif

#ifdef MIXED
#include "routes/bonds.h"
#include "routes/kinds.h"
#include "routes/locks.h"
#endif

#ifdef PAIRS
/* Of a piece of a route: what its customers get from the depot, what is on board behind it and the most on it, if nothing
 * for others is. */
typedef struct {
    real brought, left, peak;
#ifdef TRIPS
    /* Where the vehicle reloads, those are of the part behind the last reload; of the part before the first, and of the trips
     * between. */
    real first_brought, first_peak, between;
    int32 reloads;
#endif
} Load;
#endif

#ifdef TRIPS
/* Of a stop: when its vehicle is where the trip is loaded, the way from there to the departure behind the stop, and when the
 * goods of the trip up to the stop, and from it on, are there. */
typedef struct {
    real ready;
    Extension way;
    real released_to, released_from;
} Stage;
#endif

typedef struct {
    Points points;
    int32 m;                    /* number of nodes, including the depot; with MIXED, points has places of depots behind them */
    int32 width;                /* length of a row of near */
    GLOBAL const int32 *near;   /* nearest customers of each customer, by distance; -1 ends a row */
    GLOBAL const real *demand;
    GLOBAL const real *service; /* service times; all 0 if route duration is unlimited */
    real capacity, limit, fixed; /* vehicle capacity, route duration limit, fixed cost per used vehicle */
    GLOBAL const real *reach;   /* distance to each entry of near; with GENERAL, then those from each entry */
    GLOBAL int32 *next, *prev, *route; /* per node */
    GLOBAL real *ahead, *back;         /* distances from each customer to its next and prev */
    GLOBAL int32 *first, *last, *size; /* per route: first and last customer, number of customers */
    GLOBAL real *load, *time;          /* per route; time is travel plus service */
    GLOBAL int32 *spare;               /* stack of empty routes */
    int32 spares, slots;               /* number of empty routes, and of all routes */
    int32 detours;                     /* whether distances may violate the triangle inequality */
    real cost;
    /* Along each route that is `measured`: the place of a customer, and load, time and sums up to it, its own included. */
    GLOBAL int32 *measured, *place;
    GLOBAL real *load_to, *time_to, *sum_to;
    GLOBAL int32 *queue, *queued; /* customers to improve, and for each node the iteration that queued it */
    /* Undo journal of one iteration (journal.h): its changes, and loads and times of changed routes before it. */
    GLOBAL int32 *log, *touched, *stamp;
    GLOBAL real *old_load, *old_time;
    int32 logged, touches, attempt;
    real old_cost;
    /* Further sums over a route. Per sum: its limit, per node what it takes, and the number of its table of travel, or
     * NO_TRAVEL or DISTANCES. Per route and sum: its value. */
    int32 sums;
    GLOBAL const real *most, *amount, *tables;
    GLOBAL const int32 *travel;
    GLOBAL real *sum, *old_sum;
    int32 reversible;
    int32 begin, span; /* ruins begin at one of `span` customers, from number 1 + begin on */
#ifdef TIMED
    /* Per node: first opening, last closing that may not be missed, last closing, service; per node the number of gaps
     * between windows of all nodes up to it, or null, and each gap's closing and opening; travel times, or null. */
    GLOBAL const real *opens, *closes, *due, *serve, *gaps, *clock;
    GLOBAL const int32 *gap_ends;
    GLOBAL const real *releases; /* when the goods of each customer are at the depot, or null */
    /* Limits on a route's duration and a stop's wait; costs of a unit out and of one late; the error of sums. lasting:
     * whether durations, waits or lateness count; walks: whether only a walk tells them. */
    real longest, longest_wait, per_time, per_late, rounding;
    int32 open, priced, lasting, walks;
    GLOBAL real *early, *late;     /* per node, see schedule.h */
    GLOBAL Segment *heads, *tails; /* per node: the route up to it, and from it on */
    GLOBAL int32 *timed;           /* per route: whether these are up to date */
    GLOBAL real *price, *old_price; /* per route: what its times cost, part of the cost */
    GLOBAL int32 *visits, *middle;  /* room for a route, twice */
    GLOBAL real *starts;            /* room for two times per visit */
#endif
#ifdef MIXED
    GLOBAL const Kind *kinds;
    int32 number, times; /* number of kinds; whether routes have times at all */
    int32 larger;        /* whether an insertion may give a route another vehicle */
    real eager;          /* factor on prizes while customers are inserted: who would need a route of his own may bring others */
    real largest;        /* capacity of the largest vehicle */
    int32 own;           /* whether kinds have distances of their own, whose tables lie behind that of points */
    GLOBAL const int32 *kind;   /* per route */
    GLOBAL int32 *kind_spares;  /* per kind: empty routes, whose stack begins at its first slot */
    GLOBAL const int32 *allows; /* per node and kind, or null: whether it may serve the node */
    GLOBAL const real *prize;   /* per node, or null if all must be served: cost of leaving it unserved */
    GLOBAL const int32 *must;   /* per node: whether it, or one of its alternatives, must be served */
    GLOBAL const int32 *group;  /* per node: number of its alternatives, of which one is served, or -1; or null */
    GLOBAL const int32 *group_ends, *members; /* alternatives, group by group */
    GLOBAL int32 *served, *drawn; /* per group: members served; per node: iteration in which it was drawn unserved */
    Bonds bonds;
    Locks locks;
    GLOBAL const Rest *rests; /* breaks of all kinds, or null */
    GLOBAL Segment *behind;   /* room for a piece per visit of a route with breaks */
#endif
#ifdef PAIRS
    GLOBAL const int32 *mate; /* per node: the delivery of a pickup, minus the pickup of a delivery, 0 for others */
    int32 dimensions;         /* of loads; those beyond the first are the first further sums */
    GLOBAL const real *change; /* per dimension and node: what its stop changes the load by */
    GLOBAL Load *load_heads, *load_tails; /* per dimension and node: the route up to it, and from it on */
    GLOBAL const int32 *does;  /* per node: what is done there, or null if deliveries and pickups need no order */
    GLOBAL int32 *done_to, *done_from; /* per node: what is done on the route up to it, and from it on */
    int32 strict;              /* whether no route has pickups alone */
    int32 paired;              /* whether there are shipments */
    GLOBAL int32 *met;         /* per node: number of the walk that has met it as a pickup */
    int32 walk;                /* number of the last walk */
    GLOBAL int32 *below;       /* per pickup: that of the goods behind its own; null if goods are unloaded in any order */
    GLOBAL const real *rides;  /* per pickup: longest ride of its goods, or null if there is no limit (rides.h) */
    GLOBAL int32 *boarded;     /* per pickup: number of its visit on the last route that was walked along for rides */
#endif
#ifdef TRIPS
    int32 docks, reloads;            /* number of depots where vehicles reload; first node that stands for one */
    GLOBAL const int32 *dock_ends;   /* per dock: behind its last node */
    GLOBAL int32 *idle, *idle_place; /* nodes of each dock, those in no route first; per node: its place there */
    GLOBAL int32 *idles;             /* per dock: how many are in no route */
    GLOBAL const real *brings;       /* per dimension and node: what is loaded for it */
    GLOBAL Stage *stages;            /* per node */
    int32 staged;                    /* whether stages tell the times of routes with releases */
#endif
} Fleet;

#ifdef TRIPS
INLINE int32 is_reload(const Fleet *f, int32 c) { return c >= f->reloads; }

/* Return where the nodes of a dock begin in `idle`. */
INLINE int32 dock_begin(const Fleet *f, int32 dock) { return dock ? f->dock_ends[dock - 1] - f->reloads : 0; }

/* Return a node of a dock that is in no route, or ABSENT; others in other iterations, so that threads seldom take the same. */
INLINE int32 idle_of(const Fleet *f, int32 dock) {
    uint32 salt = ((uint32)f->attempt + (uint32)f->begin) * 2654435761u;
    return f->idles[dock] ? f->idle[dock_begin(f, dock) + (salt >> 8) % (uint32)f->idles[dock]] : ABSENT;
}

/* Note that a node of a dock comes into a route (more 1) or leaves it (more -1). */
INLINE void note_reload(Fleet *f, int32 c, int32 more) {
    int32 dock = 0;
    while (c >= f->dock_ends[dock]) dock++;
    int32 place = f->idle_place[c - f->reloads], other = dock_begin(f, dock) + (more > 0 ? --f->idles[dock] : f->idles[dock]++);
    int32 moved = f->idle[other];
    f->idle[other] = c, f->idle_place[c - f->reloads] = other;
    f->idle[place] = moved, f->idle_place[moved - f->reloads] = place;
}

/* List all nodes of docks as idle, then note those that are in routes. */
INLINE void begin_reloads(Fleet *f, int32 routed) {
    for (int32 dock = 0; dock < f->docks; dock++) f->idles[dock] = f->dock_ends[dock] - f->reloads - dock_begin(f, dock);
    for (int32 c = f->reloads; c < f->m; c++) f->idle[c - f->reloads] = c, f->idle_place[c - f->reloads] = c - f->reloads;
    for (int32 c = f->reloads; routed && c < f->m; c++)
        if (f->route[c] != ABSENT) note_reload(f, c, 1);
}
#define CUSTOMERS(f) ((f)->reloads - 1)
#else
INLINE int32 is_reload(const Fleet *f, int32 c) { return (void)f, (void)c, 0; }
#define CUSTOMERS(f) ((f)->m - 1)
#endif

/* Of the vehicle of route r. alike: whether two begin and end alike and are as fast. same_ways: whether two have the same
 * distances. may_serve: whether it may serve c. */
#ifdef MIXED
INLINE GLOBAL const Kind *kind_of(const Fleet *f, int32 r) { return f->kinds + f->kind[r]; }
INLINE real capacity_of(const Fleet *f, int32 r) { return kind_of(f, r)->capacity; }
INLINE real limit_of(const Fleet *f, int32 r) { return kind_of(f, r)->limit; }
INLINE int32 alike(const Fleet *f, int32 r, int32 q) { return kind_of(f, r)->day == kind_of(f, q)->day; }
INLINE int32 may_serve(const Fleet *f, int32 r, int32 c) { return !f->allows || f->allows[c * f->number + f->kind[r]]; }
INLINE int32 same_ways(const Fleet *f, int32 r, int32 q) { return !f->own || kind_of(f, r)->ways == kind_of(f, q)->ways; }
INLINE int32 is_optional(const Fleet *f, int32 c) { return f->prize && !f->must[c]; }

/* Return how much less than its distance a route may cost: the way home that a vehicle under way needs without stops. */
INLINE real saved_at_start(const Fleet *f, int32 r) { return kind_of(f, r)->fixed < 0 ? -kind_of(f, r)->fixed : 0; }

/* Return what the cost falls by when c is served. */
INLINE real prize_of(const Fleet *f, int32 c) { return f->prize ? f->prize[c] : 0; }

/* Return an empty route of a kind, or ABSENT. */
INLINE int32 empty_of(const Fleet *f, int32 kind) {
    int32 spares = f->kind_spares[kind];
    return spares > 0 ? f->spare[f->kinds[kind].first + spares - 1] : ABSENT;
}

/* Whether the vehicle of the empty route q can take over route r, with c besides. */
INLINE int32 may_replace(const Fleet *f, int32 r, int32 q, int32 c) {
    if (f->kind[r] == f->kind[q] || !alike(f, r, q) || f->load[r] + f->demand[c] > capacity_of(f, q)) return 0;
    if (!may_serve(f, q, c)) return 0;
    for (int32 v = f->allows ? f->first[r] : DEPOT; v != DEPOT; v = f->next[v])
        if (!may_serve(f, q, v)) return 0;
    return 1;
}

/* Whether c may come into route r alone from another one, as `leaving` leaves it. */
INLINE int32 may_join(const Fleet *f, int32 r, int32 c, int32 leaving) {
    return may_serve(f, r, c) && company_of(&f->bonds, c) < 0 && !rival_on(&f->bonds, f->route, c, r, leaving);
}

/* Note that c is now served (more 1) or not (more -1). */
INLINE void note_service(Fleet *f, int32 c, int32 more) {
    if (f->group && f->group[c] >= 0) f->served[f->group[c]] += more;
#ifdef TRIPS
    if (is_reload(f, c)) note_reload(f, c, more);
#endif
}
#else
INLINE real capacity_of(const Fleet *f, int32 r) { return (void)r, f->capacity; }
INLINE real limit_of(const Fleet *f, int32 r) { return (void)r, f->limit; }
INLINE int32 alike(const Fleet *f, int32 r, int32 q) { return (void)f, (void)r, (void)q, 1; }
INLINE int32 same_ways(const Fleet *f, int32 r, int32 q) { return (void)f, (void)r, (void)q, 1; }
INLINE int32 may_serve(const Fleet *f, int32 r, int32 c) { return (void)f, (void)r, (void)c, 1; }
INLINE int32 may_join(const Fleet *f, int32 r, int32 c, int32 leaving) { return (void)f, (void)r, (void)c, (void)leaving, 1; }
INLINE real saved_at_start(const Fleet *f, int32 r) { return (void)f, (void)r, 0; }
INLINE real prize_of(const Fleet *f, int32 c) { return (void)f, (void)c, 0; }
INLINE void note_service(Fleet *f, int32 c, int32 more) { (void)f, (void)c, (void)more; }
#endif

/* Whether the load of route r leaves room for c. */
INLINE int32 has_room(const Fleet *f, int32 r, int32 c) { return f->load[r] <= capacity_of(f, r) - f->demand[c]; }

/* Whether c may go into route r, perhaps with a larger vehicle. */
INLINE int32 may_take(const Fleet *f, int32 r, int32 c) {
#ifdef MIXED
    if (!has_room(f, r, c) || !may_serve(f, r, c)) return f->larger && f->load[r] <= f->largest - f->demand[c];
#endif
    return has_room(f, r, c);
}

/* Put an emptied route on the stack. */
INLINE void push_spare(Fleet *f, int32 r) {
#ifdef MIXED
    f->spare[kind_of(f, r)->first + f->kind_spares[f->kind[r]]++] = r;
    f->spares++;
#else
    f->spare[f->spares++] = r;
#endif
}

/* Take an empty route from the stack, where it is usually on top. */
INLINE void pop_spare(Fleet *f, int32 r) {
#ifdef MIXED
    GLOBAL int32 *stack = f->spare + kind_of(f, r)->first;
    int32 top = --f->kind_spares[f->kind[r]];
#else
    GLOBAL int32 *stack = f->spare;
    int32 top = f->spares - 1;
#endif
    f->spares--;
    if (stack[top] == r) return;
    int32 at = top;
    while (stack[at] != r) at--;
    for (; at < top; at++) stack[at] = stack[at + 1];
}

#ifdef MIXED
/* Return the node of DEPOT before b or behind a in route r; points.n where a route is open. */
INLINE int32 place_before(const Fleet *f, int32 r, int32 a) { return a == DEPOT ? kind_of(f, r)->start : a; }
INLINE int32 place_behind(const Fleet *f, int32 r, int32 b) { return b == DEPOT ? kind_of(f, r)->end : b; }

/* Return the distance from a to b in route r, which differ; there is none to or from an open end. */
INLINE real leg(const Fleet *f, int32 r, int32 a, int32 b) {
    int64 n = f->points.n, table = f->own ? kind_of(f, r)->ways : 0;
    a = place_before(f, r, a), b = place_behind(f, r, b);
    if (table) return a >= n || b >= n ? 0 : f->points.table[(table * n + a) * n + b];
    return between(&f->points, a, b);
}

/* Return the distance from a to b in route r, `known` where all vehicles have the same. */
INLINE real reached(const Fleet *f, int32 r, int32 a, int32 b, real known) { return f->own ? leg(f, r, a, b) : known; }
#else
/* Return the distance from a to b in route r, which differ; the way back of an open route is none. */
INLINE real leg(const Fleet *f, int32 r, int32 a, int32 b) {
    (void)r;
    return OPEN(f) && b == DEPOT ? 0 : between(&f->points, a, b);
}

INLINE real reached(const Fleet *f, int32 r, int32 a, int32 b, real known) { return (void)f, (void)r, (void)a, (void)b, known; }
#endif

/* Note that route r has changed. */
INLINE void forget_sums(Fleet *f, int32 r) {
    f->measured[r] = 0;
#ifdef TIMED
    f->timed[r] = 0;
#endif
}

/* Whether v is at an open end of its route: there the triangle inequality says nothing of detours. */
INLINE int32 at_open_end(const Fleet *f, int32 v) {
#ifdef MIXED
    if (f->route[v] == ABSENT) return 0;
    GLOBAL const Kind *kind = kind_of(f, f->route[v]);
    return (kind->start >= f->points.n && f->prev[v] == DEPOT) || (kind->end >= f->points.n && f->next[v] == DEPOT);
#else
    (void)v;
    return OPEN(f) && f->next[v] == DEPOT;
#endif
}

/* Return the distance from a to b in route r; 0 from depot to depot, where a matrix or GEO may say otherwise. */
INLINE real apart(const Fleet *f, int32 r, int32 a, int32 b) { return a == b ? 0 : leg(f, r, a, b); }

/* Unlink customer c from its route, without journal, load or time. Return the distance between its two neighbours. */
INLINE real unlink_customer(Fleet *f, int32 c) {
    int32 a = f->prev[c], b = f->next[c], r = f->route[c];
    real gap = apart(f, r, a, b);
    if (a == DEPOT) f->first[r] = b;
    else f->next[a] = b, f->ahead[a] = gap;
    if (b == DEPOT) f->last[r] = a;
    else f->prev[b] = a, f->back[b] = gap;
    f->route[c] = ABSENT, forget_sums(f, r), note_service(f, c, -1);
    if (--f->size[r] == 0) push_spare(f, r);
    return gap;
}

/* Link customer c into route r after a, without journal, load or time. */
INLINE void link_customer(Fleet *f, int32 c, int32 a, int32 r) {
    if (f->size[r]++ == 0) {
        pop_spare(f, r);
        f->first[r] = DEPOT, f->last[r] = DEPOT;
    }
    int32 b = a == DEPOT ? f->first[r] : f->next[a];
    real from = leg(f, r, a, c), to = leg(f, r, c, b);
    f->prev[c] = a, f->next[c] = b, f->route[c] = r, forget_sums(f, r), note_service(f, c, 1);
    f->back[c] = from, f->ahead[c] = to;
    if (a == DEPOT) f->first[r] = c;
    else f->next[a] = c, f->ahead[a] = from;
    if (b == DEPOT) f->last[r] = c;
    else f->prev[b] = c, f->back[b] = to;
}

/* Write the giant tour: all routes, with MIXED the empty ones too, each followed by the depot. Return its length. */
INLINE int32 write_giant_tour(const Fleet *f, GLOBAL int32 *giant) {
    int32 at = 0;
    for (int32 r = 0; r < f->slots; r++) {
#ifndef MIXED
        if (f->size[r] == 0) continue;
#endif
        for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c]) giant[at++] = c;
        giant[at++] = DEPOT;
    }
    return at;
}

#endif
