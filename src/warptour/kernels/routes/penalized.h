/* Penalised routes of the HGS local search (Vidal 2022): excess over capacity and limits is allowed at a penalty.
 *
 * Node 0 is the depot and 1..m-1 are customers. Route r is a ring of its customers and the depot node m + r, whose next
 * is the first customer and whose prev is the last. Each node stores cumulative load and time, itself included, so load
 * and time of a route after a move are sums of a few numbers: the head up to u, and the tail after v as the total
 * minus the head up to v.
 *
 * A Measure is travel between nodes with a limit on what a route has of it: `own` is the travel that is minimised. With
 * GENERAL, travel may depend on the direction, and routes may have a second limit in a measure `second`; else reversing
 * a segment changes nothing.
 */
#ifndef WARPTOUR_ROUTES_PENALIZED
#define WARPTOUR_ROUTES_PENALIZED

#ifdef GENERAL
#define DIRECTED 1
#define SECOND(s) ((s)->second.service != 0) /* whether routes have a second limit */
#else
#define DIRECTED 0
#define SECOND(s) 0
#endif

#ifdef TIMED
#include "common/segments.h"
#endif

/* With MIXED, a slot of a route has a kind of vehicle, slots are numbered kind by kind, and a customer may be in no route.
 * The further depots are the last of the m nodes. OF_KIND: a number of the kind of route r; else all have `common`. */
#define NOWHERE (-1)
#ifdef MIXED
#include "routes/kinds.h"
#define CUSTOMERS(s) ((s)->customers)
#define OF_KIND(s, r, own, common) ((s)->kinds[(s)->kind[r]].own)
#define IS_ABSENT(s, c) ((s)->route[c] == NOWHERE)
#else
#define CUSTOMERS(s) ((s)->m - 1)
#define OF_KIND(s, r, own, common) ((void)(s), (void)(r), common)
#define IS_ABSENT(s, c) 0
#endif

typedef struct {
    GLOBAL const real *table;   /* m by m travel */
    GLOBAL const real *service; /* added for each customer */
    real limit, price;          /* limit on a route, and penalty per unit of excess */
    GLOBAL real *to;            /* per node: travel and service up to it, itself included */
    GLOBAL real *turned;        /* per node: what the travel up to it changes by if reversed; with GENERAL */
    GLOBAL real *total, *turned_total; /* per route */
} Measure;

typedef struct {
    int32 m, slots, width; /* nodes including the depot; routes; length of a row of near */
    GLOBAL const int32 *near; /* nearest customers of each customer, by distance; -1 ends a row */
    GLOBAL const real *demand;
    Measure own, second;
    real capacity, fixed;               /* vehicle capacity, fixed cost per used route */
    real per_load;                      /* penalty per unit of excess load */
    real absolute, relative;            /* tolerance: a gain must exceed absolute + relative * (removed cost) */
    GLOBAL int32 *next, *prev, *route;  /* per node */
    GLOBAL int32 *place, *tested;       /* position in the route; value of `moves` when last evaluated */
    GLOBAL real *load_to;               /* cumulative, this node included */
    GLOBAL int32 *size, *changed, *swapped; /* per route: customers; `moves` at its last change and last SWAP* */
    GLOBAL real *load, *penalty;        /* per route; penalty: cost of all excess */
    int32 idle;                         /* an empty route, or -1 */
    int32 moves;                        /* moves applied so far: the clock of tested, changed and swapped */
#ifdef TIMED
    GLOBAL const real *opens, *closes;  /* per node; closes[m]: when routes must have ended */
    real longest;                       /* limit on a route's duration */
    GLOBAL Segment *heads, *tails;      /* per node: its route up to it, and from it on; see warp.h */
#endif
#ifdef MIXED
    int32 customers, number;            /* of customers, and of kinds */
    GLOBAL const Kind *kinds;
    GLOBAL const real *prizes;          /* per node: what is lost with it if it is in no route; FAR if it must be in one */
    GLOBAL int32 *kind, *idles;         /* per slot; an empty slot of each kind, or -1 */
#endif
} LocalSearch;

/* What a route has of all that is limited. */
typedef struct {
    real load, time, time2;
} Amounts;

/* Row of a node in the tables; depot nodes map to the depot. */
INLINE int32 spot(const LocalSearch *s, int32 a) { return a < s->m ? a : OF_KIND(s, a - s->m, start, 0); }

/* What route r may carry and how far it may go, and what it costs, also for a unit of distance. */
INLINE real capacity_of(const LocalSearch *s, int32 r) { return OF_KIND(s, r, capacity, s->capacity); }
INLINE real limit_of(const LocalSearch *s, int32 r) { return OF_KIND(s, r, limit, s->own.limit); }
INLINE real fixed_of(const LocalSearch *s, int32 r) { return OF_KIND(s, r, fixed, s->fixed); }
INLINE real rate_of(const LocalSearch *s, int32 r) { return 1 + OF_KIND(s, r, per_distance, 0); }

INLINE real apart_in(const LocalSearch *s, const Measure *t, int32 a, int32 b) {
    return t->table[(int64)spot(s, a) * s->m + spot(s, b)];
}

INLINE real apart(const LocalSearch *s, int32 a, int32 b) { return apart_in(s, &s->own, a, b); }

/* Return what the travel from x to v, in the same route, changes by if reversed. */
INLINE real turn_in(const Measure *t, int32 x, int32 v) { return DIRECTED ? t->turned[v] - t->turned[x] : 0; }

INLINE Amounts amounts_of(const LocalSearch *s, int32 r) {
    Amounts all = {s->load[r], s->own.total[r], SECOND(s) ? s->second.total[r] : 0};
    return all;
}

INLINE real penalty_of(const LocalSearch *s, int32 r, Amounts a) {
    real sum = 0, capacity = capacity_of(s, r), limit = limit_of(s, r);
    if (a.load > capacity) sum += s->per_load * (a.load - capacity);
    if (a.time > limit) sum += s->own.price * (a.time - limit);
    if (SECOND(s) && a.time2 > s->second.limit) sum += s->second.price * (a.time2 - s->second.limit);
    return sum;
}

/* Magnitude of the terms whose difference is the penalty: the scale of its rounding error. */
INLINE real weight_of(const LocalSearch *s, int32 r, Amounts a) {
    real sum = a.load > capacity_of(s, r) ? s->per_load * a.load : 0;
    if (a.time > limit_of(s, r)) sum += s->own.price * a.time;
    if (SECOND(s) && a.time2 > s->second.limit) sum += s->second.price * a.time2;
    return sum;
}

INLINE void join(LocalSearch *s, int32 a, int32 b) { s->next[a] = b, s->prev[b] = a; }

/* Recompute the cumulative sums of route r in one measure. */
INLINE void measure_route(const LocalSearch *s, const Measure *t, int32 r) {
    int32 end = s->m + r, a = end;
    real time = 0, turned = 0;
    t->to[end] = 0;
    if (DIRECTED) t->turned[end] = 0;
    for (int32 c = s->next[end]; c != end; a = c, c = s->next[c]) {
        real way = apart_in(s, t, a, c);
        t->to[c] = time += way + t->service[c];
        if (DIRECTED) t->turned[c] = turned += apart_in(s, t, c, a) - way;
    }
    t->total[r] = a == end ? 0 : time + apart_in(s, t, a, end);
    if (DIRECTED) t->turned_total[r] = a == end ? 0 : turned + apart_in(s, t, end, a) - apart_in(s, t, a, end);
}

/* What a move between routes r and q, or within one, does in one measure: length of the removed edges, change in travel,
 * and what the routes have after it. */
typedef struct {
    real cut, more, time_r, time_q;
} Effect;

#ifdef TIMED
INLINE Segment window_of(const LocalSearch *s, int32 c) {
#ifdef MIXED
    if (c >= s->m) {
        GLOBAL const Kind *k = &s->kinds[s->kind[c - s->m]];
        return stop_segment(k->opens, k->closes, k->serve);
    }
#endif
    return stop_segment(s->opens[spot(s, c)], s->closes[spot(s, c)], s->second.service[spot(s, c)]);
}

/* Return the end of route r. */
INLINE Segment end_of(const LocalSearch *s, int32 r) {
    return stop_segment(OF_KIND(s, r, back_opens, s->opens[0]), OF_KIND(s, r, back_closes, s->closes[s->m]), 0);
}

/* Return by how much the whole route r misses its windows and exceeds its longest duration. */
INLINE real trouble_of(const LocalSearch *s, int32 r, Segment whole) {
    real longest = OF_KIND(s, r, longest, s->longest);
    return whole.warp + (whole.duration > longest ? whole.duration - longest : 0);
}

/* Recompute the pieces of route r up to each node and from each on. */
INLINE void measure_times(const LocalSearch *s, int32 r) {
    int32 end = s->m + r, at = end;
    Segment piece = s->heads[end] = window_of(s, end);
    for (int32 c = s->next[end]; c != end; at = c, c = s->next[c])
        s->heads[c] = piece = joined(piece, apart_in(s, &s->second, at, c), window_of(s, c));
    s->tails[end] = end_of(s, r);
    s->second.total[r] = at == end ? 0 : trouble_of(s, r, joined(piece, apart_in(s, &s->second, at, end), s->tails[end]));
    piece = s->tails[end], at = end;
#ifdef MIXED /* tails end with the last customer, since vehicles end in different places */
    if (s->prev[end] != end) s->tails[s->prev[end]] = piece = window_of(s, s->prev[end]), at = s->prev[end];
#endif
    for (int32 c = s->prev[at]; c != end; at = c, c = s->prev[c])
        s->tails[c] = piece = joined(window_of(s, c), apart_in(s, &s->second, c, at), piece);
}
#endif

/* Recompute positions, cumulative sums and penalty of route r after a change. */
INLINE void refresh(LocalSearch *s, int32 r) {
    int32 end = s->m + r, place = 0;
    real load = 0;
    s->route[end] = r, s->place[end] = 0, s->load_to[end] = 0;
    for (int32 c = s->next[end]; c != end; c = s->next[c]) {
        load += s->demand[c];
        s->place[c] = ++place, s->route[c] = r, s->load_to[c] = load;
    }
    s->load[r] = load, s->size[r] = place;
    measure_route(s, &s->own, r);
#ifdef TIMED
    if (SECOND(s)) measure_times(s, r);
#else
    if (SECOND(s)) measure_route(s, &s->second, r);
#endif
    s->penalty[r] = penalty_of(s, r, amounts_of(s, r));
    s->changed[r] = s->moves;
}

/* Find an empty route; with MIXED, one of the same kind as route r. */
INLINE void find_idle(LocalSearch *s, int32 r) {
#ifdef MIXED
    GLOBAL const Kind *k = &s->kinds[s->kind[r]];
    int32 last = k->first + k->slots, at = k->first;
    while (at < last && s->size[at] > 0) at++;
    s->idles[s->kind[r]] = at < last ? at : -1;
#else
    (void)r;
    s->idle = -1;
    for (int32 q = 0; q < s->slots && s->idle < 0; q++)
        if (s->size[q] == 0) s->idle = q;
#endif
}

/* Bookkeeping after a move that changed routes r and q. */
INLINE int32 moved(LocalSearch *s, int32 r, int32 q) {
    s->moves++;
    refresh(s, r);
    if (q != r) refresh(s, q);
    find_idle(s, r);
#ifdef MIXED
    if (s->kind[q] != s->kind[r]) find_idle(s, q);
#endif
    return 1;
}

#endif
