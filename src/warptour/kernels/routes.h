/* Routes under change: linked lists of customers with a journal, so that what was tried can be undone.
 *
 * Node 0 is the depot, the others are customers. A route's first customer follows the depot and its last is followed
 * by it, so next and prev can be measured as they are. Nothing here depends on how many customers there are.
 */
#ifndef WARPTOUR_ROUTES
#define WARPTOUR_ROUTES

#define DEPOT 0
#define ABSENT (-1) /* the route of a customer that is in none */

typedef struct {
    Points points;
    int32 m;                    /* nodes, the depot included */
    int32 width;                /* of a row of near */
    GLOBAL const int32 *near;   /* customers near each customer, nearest first; -1 ends a row */
    GLOBAL const real *demand;
    GLOBAL const real *service; /* 0 everywhere where nothing limits a route */
    real capacity, limit, fixed;
    GLOBAL const real *reach;   /* how far they are */
    GLOBAL int32 *next, *prev, *route; /* of each node */
    GLOBAL real *ahead, *back;         /* from each customer to its next and prev */
    GLOBAL int32 *first, *last, *size; /* of each route */
    GLOBAL real *load, *time;          /* time: travel and service */
    GLOBAL int32 *spare;               /* a stack of the routes without customers */
    int32 spares, slots;
    int32 detours;                     /* whether one may be shorter than the straight way */
    real cost;
    /* The journal of one attempt: what was linked and unlinked, and the routes as they were before. */
    GLOBAL int32 *log, *touched, *stamp;
    GLOBAL real *old_load, *old_time;
    int32 logged, touches, attempt;
    real old_cost;
} Fleet;

/* Take customer c out of its route; the links alone. Return how far apart those beside it are. */
INLINE real unlink_customer(Fleet *f, int32 c) {
    int32 a = f->prev[c], b = f->next[c], r = f->route[c];
    /* a depot may be at some distance from itself: in GEO, or by the diagonal of a matrix */
    real gap = a == b ? 0 : between(&f->points, a, b);
    if (a == DEPOT) f->first[r] = b;
    else f->next[a] = b, f->ahead[a] = gap;
    if (b == DEPOT) f->last[r] = a;
    else f->prev[b] = a, f->back[b] = gap;
    f->route[c] = ABSENT;
    if (--f->size[r] == 0) f->spare[f->spares++] = r;
    return gap;
}

/* Put customer c into route r after a; the links alone. An empty route must be the top of the stack. */
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

/* Insert customer c into route r after a, which makes its travel longer by `more`. */
INLINE void put_in(Fleet *f, int32 c, int32 a, int32 r, real more) {
    touch(f, r);
    write_log(f, c, ABSENT, r);
    if (f->size[r] == 0) f->cost += f->fixed;
    link_customer(f, c, a, r);
    f->load[r] += f->demand[c];
    f->time[r] += more + f->service[c];
    f->cost += more;
}

/* Undo all since begin_attempt. */
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

/* Whether the routes that were touched keep the limit. Taking a customer out may make a route longer where distances are
 * rounded or given, so looking before each insertion is not enough. */
INLINE int32 within_limit(const Fleet *f) {
    for (int32 k = 0; k < f->touches; k++)
        if (f->time[f->touched[k]] > f->limit) return 0;
    return 1;
}

/* Sum loads, times and the cost anew, so that the rounding errors of one attempt after the other do not pile up. */
INLINE void sum_anew(Fleet *f) {
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

/* Write the routes one after the other, each followed by the depot; return how many numbers that took. */
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
