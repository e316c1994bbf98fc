/* A rota: routes under descent, in which a vehicle may carry or travel too much at a price.
 *
 * Node 0 is the depot and 1..m-1 are customers. Route r is a ring of its customers and node m + r, which stands for the
 * depot in it: next of that is the first customer, prev the last. Each node knows what the vehicle has carried and
 * spent when it leaves it, so what a route weighs after a move is a sum of a few numbers: the part up to u, and the
 * part after v as the whole less the part up to v. Distances are symmetric: a part weighs the same turned round.
 */
#ifndef WARPTOUR_ROUTES_ROTA
#define WARPTOUR_ROUTES_ROTA

typedef struct {
    int32 m, slots, width;
    GLOBAL const real *table; /* m by m distances */
    GLOBAL const int32 *near; /* customers near each customer, nearest first; -1 ends a row */
    GLOBAL const real *demand, *service;
    real capacity, limit, fixed;
    real per_load, per_time;            /* the price of what is too much */
    real absolute, relative;            /* a gain must exceed absolute + relative * (all that the move removes) */
    GLOBAL int32 *next, *prev, *route;  /* of each node */
    GLOBAL int32 *place, *tested;       /* where in its route a node is; moves when it was last looked at */
    GLOBAL real *load_to, *time_to;     /* up to and with a node */
    GLOBAL int32 *size, *changed, *swapped; /* of each route; moves when it changed, and when its swaps were looked at */
    GLOBAL real *load, *time, *penalty;  /* burden: the price of what is too much */
    int32 idle;                         /* a route without customers, or -1 */
    int32 moves;
} LocalSearch;

/* The node as the table of distances knows it. */
INLINE int32 spot(const LocalSearch *s, int32 a) { return a < s->m ? a : 0; }

INLINE real apart(const LocalSearch *s, int32 a, int32 b) { return s->table[(int64)spot(s, a) * s->m + spot(s, b)]; }

INLINE real penalty_of(const LocalSearch *s, real load, real time) {
    real sum = 0;
    if (load > s->capacity) sum += s->per_load * (load - s->capacity);
    if (time > s->limit) sum += s->per_time * (time - s->limit);
    return sum;
}

/* What the price of routes with such loads and times is a difference of: the measure of its rounding error. */
INLINE real weight_of(const LocalSearch *s, real load, real time) {
    return (load > s->capacity ? s->per_load * load : 0) + (time > s->limit ? s->per_time * time : 0);
}

INLINE void join(LocalSearch *s, int32 a, int32 b) { s->next[a] = b, s->prev[b] = a; }

/* Write anew what the nodes of route r know, after a change. */
INLINE void refresh(LocalSearch *s, int32 r) {
    int32 end = s->m + r, place = 0, a = end;
    real load = 0, time = 0;
    s->route[end] = r, s->place[end] = 0, s->load_to[end] = 0, s->time_to[end] = 0;
    for (int32 c = s->next[end]; c != end; a = c, c = s->next[c]) {
        load += s->demand[c], time += apart(s, a, c) + s->service[c];
        s->place[c] = ++place, s->route[c] = r, s->load_to[c] = load, s->time_to[c] = time;
    }
    s->load[r] = load, s->time[r] = place ? time + apart(s, a, end) : 0, s->size[r] = place;
    s->penalty[r] = penalty_of(s, load, s->time[r]);
    s->changed[r] = s->moves;
}

INLINE void find_idle(LocalSearch *s) {
    s->idle = -1;
    for (int32 r = 0; r < s->slots && s->idle < 0; r++)
        if (s->size[r] == 0) s->idle = r;
}

/* After a move that changed routes r and q. */
INLINE int32 moved(LocalSearch *s, int32 r, int32 q) {
    s->moves++;
    refresh(s, r);
    if (q != r) refresh(s, q);
    find_idle(s);
    return 1;
}

#endif
