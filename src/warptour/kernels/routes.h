/* Routes of ruin and recreate: doubly linked lists of customers, with an undo journal for each iteration.
 *
 * Node 0 is the depot, the other nodes are customers. prev of a route's first customer and next of its last are the
 * depot, so distances to next and prev need no special case. Each insertion and removal takes constant time.
 */
#ifndef WARPTOUR_ROUTES
#define WARPTOUR_ROUTES

#define DEPOT 0
#define ABSENT (-1) /* route of an unserved customer */

typedef struct {
    Points points;
    int32 m;                    /* number of nodes, including the depot */
    int32 width;                /* length of a row of near */
    GLOBAL const int32 *near;   /* nearest customers of each customer, by distance; -1 ends a row */
    GLOBAL const real *demand;
    GLOBAL const real *service; /* service times; all 0 if route duration is unlimited */
    real capacity, limit, fixed; /* vehicle capacity, route duration limit, fixed cost per used vehicle */
    GLOBAL const real *reach;   /* distance to each entry of near */
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
} Fleet;

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
    real less = f->back[c] + f->ahead[c] - unlink_customer(f, c);
    f->load[r] -= f->demand[c];
    f->time[r] -= less + f->service[c];
    f->cost -= less;
    if (f->size[r] == 0) f->load[r] = 0, f->time[r] = 0, f->cost -= f->fixed;
}

/* Insert customer c into route r after a, which adds `more` travel. */
INLINE void put_in(Fleet *f, int32 c, int32 a, int32 r, real more) {
    touch(f, r);
    write_log(f, c, ABSENT, r);
    if (f->size[r] == 0) f->cost += f->fixed;
    link_customer(f, c, a, r);
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
    }
    f->cost = f->old_cost;
}

/* Whether all changed routes respect the duration limit. Where distances are rounded or come from a matrix, removing a
 * customer may lengthen a route, so the check before each insertion does not suffice. */
INLINE int32 within_limit(const Fleet *f) {
    for (int32 k = 0; k < f->touches; k++)
        if (f->time[f->touched[k]] > f->limit) return 0;
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
