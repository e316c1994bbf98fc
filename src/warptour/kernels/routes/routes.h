/* Routes of ruin and recreate: doubly linked lists of customers.
 *
 * Node 0 is the depot, the other nodes are customers. prev of a route's first customer and next of its last are the
 * depot, so distances to next and prev need no special case. Each insertion and removal takes constant time.
 *
 * With GENERAL, distances may differ from those back, and routes may have a second limit with services and perhaps
 * travel of its own. With TIMED as well, routes may be open, stops have windows, and time a price: see schedule.h.
 */
#ifndef WARPTOUR_ROUTES
#define WARPTOUR_ROUTES

#define DEPOT 0
#define ABSENT (-1) /* route of an unserved customer */
#define UNREACHED 1e300

#ifdef GENERAL
#define DIRECTED 1
#define SECOND(f) ((f)->service2 != 0)     /* whether routes have a second limit */
#define REVERSIBLE(f) ((f)->reversible != 0) /* whether they may be reversed: all travel is the same there and back */
#else
#define DIRECTED 0
#define SECOND(f) 0
#define REVERSIBLE(f) 1
#endif

#ifdef TIMED
#define OPEN(f) ((f)->open != 0) /* whether routes end at their last customer */
#define PRICED(f) ((f)->priced != 0)
#include "common/segments.h"
#else
#define OPEN(f) 0
#define PRICED(f) 0
#endif

typedef struct {
    Points points;
    int32 m;                    /* number of nodes, including the depot */
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
    /* Along each route that is `measured`: the place of a customer, and load and times up to it, its own included. */
    GLOBAL int32 *measured, *place;
    GLOBAL real *load_to, *time_to, *time2_to;
    GLOBAL int32 *queue, *queued; /* customers to improve, and for each node the iteration that queued it */
    /* Undo journal of one iteration (journal.h): its changes, and loads and times of changed routes before it. */
    GLOBAL int32 *log, *touched, *stamp;
    GLOBAL real *old_load, *old_time;
    int32 logged, touches, attempt;
    real old_cost;
    /* The second limit; service2 is null if there is none. travel2: m by m, or null for the distances. */
    GLOBAL const real *travel2, *service2;
    real limit2;
    GLOBAL real *time2, *old_time2;
    int32 reversible;
    int32 begin, span; /* ruins begin at one of `span` customers, from number 1 + begin on */
#ifdef TIMED
    /* Per node: first opening, last closing that may not be missed, last closing, service; per node the number of gaps
     * between windows of all nodes up to it, or null, and each gap's closing and opening; travel times, or null. */
    GLOBAL const real *opens, *closes, *due, *serve, *gaps, *clock;
    GLOBAL const int32 *gap_ends;
    GLOBAL const real *releases; /* when the goods of each customer are at the depot, or null */
    /* When vehicles can leave; limits on a route's duration and a stop's wait; costs of a unit out and of one late; the
     * error of sums. lasting: whether durations, waits or lateness count; walks: whether only a walk tells them. */
    real leaves, longest, longest_wait, per_time, per_late, rounding;
    int32 open, priced, lasting, walks;
    GLOBAL real *early, *late;     /* per node, see schedule.h */
    GLOBAL Segment *heads, *tails; /* per node: the route up to it, and from it on */
    GLOBAL int32 *timed;           /* per route: whether these are up to date */
    GLOBAL real *price, *old_price; /* per route: what its times cost, part of the cost */
    GLOBAL int32 *visits, *middle;  /* room for a route, twice */
    GLOBAL real *starts;            /* room for two times per visit */
#endif
} Fleet;

/* Return the distance from a to b, which differ; the way back of an open route is none. */
INLINE real leg(const Fleet *f, int32 a, int32 b) {
    return OPEN(f) && b == DEPOT ? 0 : between(&f->points, a, b);
}

/* Note that route r has changed. */
INLINE void forget_sums(Fleet *f, int32 r) {
    f->measured[r] = 0;
#ifdef TIMED
    f->timed[r] = 0;
#endif
}

/* Return the travel from a to b as the second limit counts it. */
INLINE real apart2(const Fleet *f, int32 a, int32 b) {
    if (a == b) return 0;
    return f->travel2 ? f->travel2[(int64)a * f->m + b] : leg(f, a, b);
}

/* Return what c between a and b adds to that. */
INLINE real detour2(const Fleet *f, int32 a, int32 c, int32 b) {
    return apart2(f, a, c) + apart2(f, c, b) - apart2(f, a, b);
}

/* Return the distance from a to b; 0 from depot to depot, where a matrix or GEO may say otherwise. */
INLINE real apart(const Fleet *f, int32 a, int32 b) { return a == b ? 0 : leg(f, a, b); }

/* Unlink customer c from its route, without journal, load or time. Return the distance between its two neighbours. */
INLINE real unlink_customer(Fleet *f, int32 c) {
    int32 a = f->prev[c], b = f->next[c], r = f->route[c];
    real gap = apart(f, a, b);
    if (a == DEPOT) f->first[r] = b;
    else f->next[a] = b, f->ahead[a] = gap;
    if (b == DEPOT) f->last[r] = a;
    else f->prev[b] = a, f->back[b] = gap;
    f->route[c] = ABSENT, forget_sums(f, r);
    if (--f->size[r] == 0) f->spare[f->spares++] = r;
    return gap;
}

/* Link customer c into route r after a, without journal, load or time. An empty r must be on top of the stack. */
INLINE void link_customer(Fleet *f, int32 c, int32 a, int32 r) {
    if (f->size[r]++ == 0) {
        f->spares--;
        f->first[r] = DEPOT, f->last[r] = DEPOT;
    }
    int32 b = a == DEPOT ? f->first[r] : f->next[a];
    real from = leg(f, a, c), to = leg(f, c, b);
    f->prev[c] = a, f->next[c] = b, f->route[c] = r, forget_sums(f, r);
    f->back[c] = from, f->ahead[c] = to;
    if (a == DEPOT) f->first[r] = c;
    else f->next[a] = c, f->ahead[a] = from;
    if (b == DEPOT) f->last[r] = c;
    else f->prev[b] = c, f->back[b] = to;
}

/* Write the giant tour: all routes, each followed by the depot. Return its length. */
INLINE int32 write_giant_tour(const Fleet *f, GLOBAL int32 *giant) {
    int32 at = 0;
    for (int32 r = 0; r < f->slots; r++) {
        if (f->size[r] == 0) continue;
        for (int32 c = f->first[r]; c != DEPOT; c = f->next[c]) giant[at++] = c;
        giant[at++] = DEPOT;
    }
    return at;
}

#endif
