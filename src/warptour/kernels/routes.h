/* Routes of ruin and recreate: doubly linked lists of customers, with an undo journal for each iteration.
 *
 * Node 0 is the depot, the other nodes are customers. prev of a route's first customer and next of its last are the
 * depot, so distances to next and prev need no special case. Each insertion and removal takes constant time.
 *
 * With GENERAL, distances may differ from those back, and routes may have a second limit with services and perhaps
 * travel of its own.
 */
#ifndef WARPTOUR_ROUTES
#define WARPTOUR_ROUTES

#define DEPOT 0
#define ABSENT (-1) /* route of an unserved customer */

#ifdef GENERAL
#define DIRECTED 1
#define SECOND(f) ((f)->service2 != 0) /* whether routes have a second limit */
#else
#define DIRECTED 0
#define SECOND(f) 0
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
    /* Undo journal of one iteration: insertions and removals, and loads and times of changed routes before it. */
    GLOBAL int32 *log, *touched, *stamp;
    GLOBAL real *old_load, *old_time;
    int32 logged, touches, attempt;
    real old_cost;
    /* The second limit; service2 is null if there is none. travel2: m by m, or null for the distances. */
    GLOBAL const real *travel2, *service2;
    real limit2;
    GLOBAL real *time2, *old_time2;
} Fleet;

/* Return the travel from a to b as the second limit counts it. */
INLINE real apart2(const Fleet *f, int32 a, int32 b) {
    if (a == b) return 0;
    return f->travel2 ? f->travel2[(int64)a * f->m + b] : between(&f->points, a, b);
}

/* Return what c between a and b adds to that. */
INLINE real detour2(const Fleet *f, int32 a, int32 c, int32 b) {
    return apart2(f, a, c) + apart2(f, c, b) - apart2(f, a, b);
}

/* Unlink customer c from its route, without journal, load or time. Return the distance between its two neighbours. */
INLINE real unlink_customer(Fleet *f, int32 c) {
    int32 a = f->prev[c], b = f->next[c], r = f->route[c];
    /* d(depot, depot) need not be 0: in GEO, or on the diagonal of a matrix */
    real gap = a == b ? 0 : between(&f->points, a, b);
    if (a == DEPOT) f->first[r] = b;
    else f->next[a] = b, f->ahead[a] = gap;
    if (b == DEPOT) f->last[r] = a;
    else f->prev[b] = a, f->back[b] = gap;
    f->route[c] = ABSENT;
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
    real from = between(&f->points, a, c), to = between(&f->points, c, b);
    f->prev[c] = a, f->next[c] = b, f->route[c] = r;
    f->back[c] = from, f->ahead[c] = to;
    if (a == DEPOT) f->first[r] = c;
    else f->next[a] = c, f->ahead[a] = from;
    if (b == DEPOT) f->last[r] = c;
    else f->prev[b] = c, f->back[b] = to;
}

INLINE void begin_attempt(Fleet *f) {
    f->logged = f->touches = 0;
    f->attempt++;
    f->old_cost = f->cost;
}

INLINE void touch(Fleet *f, int32 r) {
    if (f->stamp[r] == f->attempt) return;
    f->stamp[r] = f->attempt;
    f->old_load[r] = f->load[r], f->old_time[r] = f->time[r];
    if (SECOND(f)) f->old_time2[r] = f->time2[r];
    f->touched[f->touches++] = r;
}

INLINE void write_log(Fleet *f, int32 c, int32 after, int32 r) {
    GLOBAL int32 *line = f->log + 3 * (int64)f->logged++;
    line[0] = c, line[1] = after, line[2] = r;
}

/* Remove customer c from its route. */
INLINE void take_out(Fleet *f, int32 c) {
    int32 r = f->route[c];
    touch(f, r);
    write_log(f, c, f->prev[c], r);
    if (SECOND(f)) f->time2[r] -= detour2(f, f->prev[c], c, f->next[c]) + f->service2[c];
    real less = f->back[c] + f->ahead[c] - unlink_customer(f, c);
    f->load[r] -= f->demand[c];
    f->time[r] -= less + f->service[c];
    f->cost -= less;
    if (f->size[r] == 0) f->load[r] = 0, f->time[r] = 0, f->cost -= f->fixed;
    if (SECOND(f) && f->size[r] == 0) f->time2[r] = 0;
}

/* Insert customer c into route r after a, which adds `more` travel. */
INLINE void put_in(Fleet *f, int32 c, int32 a, int32 r, real more) {
    touch(f, r);
    write_log(f, c, ABSENT, r);
    if (f->size[r] == 0) f->cost += f->fixed;
    link_customer(f, c, a, r);
    if (SECOND(f)) f->time2[r] += detour2(f, a, c, f->next[c]) + f->service2[c];
    f->load[r] += f->demand[c];
    f->time[r] += more + f->service[c];
    f->cost += more;
}

/* Undo all changes since begin_attempt. */
INLINE void undo_attempt(Fleet *f) {
    while (f->logged > 0) {
        GLOBAL const int32 *line = f->log + 3 * (int64)--f->logged;
        if (line[1] == ABSENT) unlink_customer(f, line[0]);
        else link_customer(f, line[0], line[1], line[2]);
    }
    for (int32 k = 0; k < f->touches; k++) {
        int32 r = f->touched[k];
        f->load[r] = f->old_load[r], f->time[r] = f->old_time[r];
        if (SECOND(f)) f->time2[r] = f->old_time2[r];
    }
    f->cost = f->old_cost;
}

/* Whether all changed routes respect the limits on travel and service. Where distances are rounded or come from a
 * matrix, removing a customer may lengthen a route, so the check before each insertion does not suffice. */
INLINE int32 within_limit(const Fleet *f) {
    for (int32 k = 0; k < f->touches; k++)
        if (f->time[f->touched[k]] > f->limit) return 0;
    for (int32 k = 0; k < f->touches && SECOND(f); k++)
        if (f->time2[f->touched[k]] > f->limit2) return 0;
    return 1;
}

/* Recompute loads, times and cost, so that rounding errors of incremental updates do not accumulate. */
INLINE void recompute_sums(Fleet *f) {
    f->cost = 0;
    for (int32 r = 0; r < f->slots; r++) {
        real load = 0, travel = 0, service = 0;
        if (f->size[r] > 0) {
            travel = f->back[f->first[r]];
            for (int32 c = f->first[r]; c != DEPOT; c = f->next[c])
                load += f->demand[c], travel += f->ahead[c], service += f->service[c];
            f->cost += travel + f->fixed;
        }
        f->load[r] = load, f->time[r] = travel + service;
        if (SECOND(f)) {
            f->time2[r] = f->size[r] > 0 ? apart2(f, DEPOT, f->first[r]) : 0;
            for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c])
                f->time2[r] += apart2(f, c, f->next[c]) + f->service2[c];
        }
    }
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
