/* Penalised routes of the HGS local search (Vidal 2022): excess load and excess duration are allowed at a penalty.
 *
 * Node 0 is the depot and 1..m-1 are customers. Route r is a ring of its customers and the depot node m + r, whose next
 * is the first customer and whose prev is the last. Each node stores cumulative load and time, itself included, so load
 * and time of a route after a move are sums of a few numbers: the head up to u, and the tail after v as the total
 * minus the head up to v. Distances are symmetric, so reversing a segment changes neither.
 */
#ifndef WARPTOUR_ROUTES_PENALIZED
#define WARPTOUR_ROUTES_PENALIZED

typedef struct {
    int32 m, slots, width; /* nodes including the depot; routes; length of a row of near */
    GLOBAL const real *table; /* m by m distances */
    GLOBAL const int32 *near; /* nearest customers of each customer, by distance; -1 ends a row */
    GLOBAL const real *demand, *service;
    real capacity, limit, fixed;        /* vehicle capacity, duration limit, fixed cost per used route */
    real per_load, per_time;            /* penalties per unit of excess load and excess time */
    real absolute, relative;            /* tolerance: a gain must exceed absolute + relative * (removed cost) */
    GLOBAL int32 *next, *prev, *route;  /* per node */
    GLOBAL int32 *place, *tested;       /* position in the route; value of `moves` when last evaluated */
    GLOBAL real *load_to, *time_to;     /* cumulative, this node included */
    GLOBAL int32 *size, *changed, *swapped; /* per route: customers; `moves` at its last change and last SWAP* */
    GLOBAL real *load, *time, *penalty;  /* per route; penalty: cost of excess load and time */
    int32 idle;                         /* an empty route, or -1 */
    int32 moves;                        /* moves applied so far: the clock of tested, changed and swapped */
} LocalSearch;

/* Row of a node in the distance table; depot nodes map to 0. */
INLINE int32 spot(const LocalSearch *s, int32 a) { return a < s->m ? a : 0; }

INLINE real apart(const LocalSearch *s, int32 a, int32 b) { return s->table[(int64)spot(s, a) * s->m + spot(s, b)]; }

INLINE real penalty_of(const LocalSearch *s, real load, real time) {
    real sum = 0;
    if (load > s->capacity) sum += s->per_load * (load - s->capacity);
    if (time > s->limit) sum += s->per_time * (time - s->limit);
    return sum;
}

/* Magnitude of the terms whose difference is the penalty: the scale of its rounding error. */
INLINE real weight_of(const LocalSearch *s, real load, real time) {
    return (load > s->capacity ? s->per_load * load : 0) + (time > s->limit ? s->per_time * time : 0);
}

INLINE void join(LocalSearch *s, int32 a, int32 b) { s->next[a] = b, s->prev[b] = a; }

/* Recompute positions, cumulative sums and penalty of route r after a change. */
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

/* Bookkeeping after a move that changed routes r and q. */
INLINE int32 moved(LocalSearch *s, int32 r, int32 q) {
    s->moves++;
    refresh(s, r);
    if (q != r) refresh(s, q);
    find_idle(s);
    return 1;
}

#endif
