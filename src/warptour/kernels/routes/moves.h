/* Moves of the HGS local search, within and between routes; each is applied if it lowers the penalised cost.
 *
 * u is a customer and v one of its neighbours or a depot node; x follows u, y follows v.
 */
#ifndef WARPTOUR_ROUTES_MOVES
#define WARPTOUR_ROUTES_MOVES

/* The effect of a move in the second measure, if there is one: EFFECT is a function, of which these are the arguments. */
#ifdef TIMED
#include "routes/warp.h"
#define IN_SECOND(s, own, EFFECT, ...) (SECOND(s) ? EFFECT##_warp(s, __VA_ARGS__) : (own))
#else
#define IN_SECOND(s, own, EFFECT, ...) (SECOND(s) ? EFFECT(s, &(s)->second, __VA_ARGS__) : (own))
#endif

/* What a move between routes r and q changes the cost of their travel by; own: its effect. */
INLINE real dearer(const LocalSearch *s, int32 r, int32 q, Effect own) {
#ifdef MIXED
    const Measure *t = &s->own;
    return rate_of(s, r) * (own.time_r - t->total[r]) + rate_of(s, q) * (own.time_q - t->total[q]);
#else
    (void)s, (void)r, (void)q;
    return own.more;
#endif
}

/* Whether a move between routes r and q improves the penalised cost. own, second: its effects; load_*, size_*: the
 * routes after it. Fixed costs enter only if a route is opened or closed: as a large term on both sides they would swamp
 * small gains in rounding errors. */
INLINE int32 pays(const LocalSearch *s, int32 r, int32 q, Effect own, Effect second, real load_r, int32 size_r,
                  real load_q, int32 size_q) {
    real least = s->absolute + s->relative * own.cut, delta = dearer(s, r, q, own) - s->penalty[r] - s->penalty[q];
    int32 opened_r = (size_r > 0) - (s->size[r] > 0), opened_q = (size_q > 0) - (s->size[q] > 0);
    Amounts of_r = {load_r, own.time_r, second.time_r}, of_q = {load_q, own.time_q, second.time_q};
    if (opened_r || opened_q) delta += opened_r * fixed_of(s, r) + opened_q * fixed_of(s, q);
    if (delta > -least) return 0;
    delta += penalty_of(s, r, of_r);
    if (delta > -least) return 0;
    delta += penalty_of(s, q, of_q);
    if (delta > -least) return 0;
    real weight = weight_of(s, r, amounts_of(s, r)) + weight_of(s, q, amounts_of(s, q));
    weight += weight_of(s, r, of_r) + weight_of(s, q, of_q);
    return delta < -(least + s->relative * weight);
}

/* Whether a move between routes of different kinds may improve the penalised cost: a look at its travel and fixed costs. */
INLINE int32 may_pay(const LocalSearch *s, int32 r, int32 q, Effect own) {
#ifdef MIXED
    return dearer(s, r, q, own) < s->penalty[r] + s->penalty[q] + fixed_of(s, r) + fixed_of(s, q) - s->absolute;
#else
    (void)s, (void)r, (void)q, (void)own;
    return 1;
#endif
}

/* Whether a move within route r improves the penalised cost. */
INLINE int32 pays_within(const LocalSearch *s, int32 r, Effect own, Effect second) {
    Amounts before = amounts_of(s, r), after = {before.load, before.time + own.more, before.time2 + second.more};
    real delta = rate_of(s, r) * own.more - s->penalty[r] + penalty_of(s, r, after);
    real weight = weight_of(s, r, before) + weight_of(s, r, after);
    return delta < -(s->absolute + s->relative * (own.cut + weight));
}

INLINE Effect relocated(const LocalSearch *s, const Measure *t, int32 f, int32 l, int32 v, int32 turned) {
    int32 a = s->prev[f], b = s->next[l], y = s->next[v], r = s->route[f], q = s->route[v];
    int32 head = turned ? l : f, tail = turned ? f : l;
    real out = apart_in(s, t, a, f) + apart_in(s, t, l, b), gap = apart_in(s, t, v, y), inside = t->service[f];
    real less = apart_in(s, t, a, b) - out, more = apart_in(s, t, v, head) + apart_in(s, t, tail, y) - gap;
    if (f != l) inside += t->service[l] + apart_in(s, t, f, l);
    if (DIRECTED && turned) more += apart_in(s, t, l, f) - apart_in(s, t, f, l);
    Effect effect = {out + gap, less + more, t->total[r] + less - inside, t->total[q] + more + inside};
    return effect;
}

/* Relocate the segment f..l of one or two customers behind v, reversed if `turned`.
 *
 *     a-f-l-b  v-y   ->   a-b  v-f-l-y      or      a-b  v-l-f-y */
INLINE int32 relocate(LocalSearch *s, int32 f, int32 l, int32 v, int32 turned) {
    int32 a = s->prev[f], b = s->next[l], y = s->next[v], r = s->route[f], q = s->route[v], count = f == l ? 1 : 2;
    if (v == a || v == f || v == l) return 0;
    Effect own = relocated(s, &s->own, f, l, v, turned), second = IN_SECOND(s, own, relocated, f, l, v, turned);
    if (r == q) {
        if (!pays_within(s, r, own, second)) return 0;
    } else {
        real load = s->demand[f] + (f != l ? s->demand[l] : 0);
        if (!pays(s, r, q, own, second, s->load[r] - load, s->size[r] - count, s->load[q] + load, s->size[q] + count))
            return 0;
    }
    int32 head = turned ? l : f, tail = turned ? f : l;
    join(s, a, b);
    join(s, v, head);
    if (f != l) join(s, head, tail);
    join(s, tail, y);
    return moved(s, r, q);
}

INLINE Effect exchanged(const LocalSearch *s, const Measure *t, int32 f, int32 l, int32 g, int32 k) {
    int32 a = s->prev[f], b = s->next[l], c = s->prev[g], d = s->next[k], r = s->route[f], q = s->route[g];
    real out_f = apart_in(s, t, a, f) + apart_in(s, t, l, b), out_g = apart_in(s, t, c, g) + apart_in(s, t, k, d);
    real here = apart_in(s, t, a, g) + apart_in(s, t, k, b) - out_f;
    real there = apart_in(s, t, c, f) + apart_in(s, t, l, d) - out_g, inside = t->service[g] - t->service[f];
    if (f != l) inside -= t->service[l] + apart_in(s, t, f, l);
    if (g != k) inside += t->service[k] + apart_in(s, t, g, k);
    Effect effect = {out_f + out_g, here + there, t->total[r] + here + inside, t->total[q] + there - inside};
    return effect;
}

/* Exchange the segments f..l and g..k of one or two customers each.
 *
 *     a-f-l-b  c-g-k-d   ->   a-g-k-b  c-f-l-d */
INLINE int32 exchange(LocalSearch *s, int32 f, int32 l, int32 g, int32 k) {
    int32 a = s->prev[f], b = s->next[l], c = s->prev[g], d = s->next[k], r = s->route[f], q = s->route[g];
    if (b == g || d == f || f == g || f == k || l == g || l == k) return 0;
    Effect own = exchanged(s, &s->own, f, l, g, k), second = IN_SECOND(s, own, exchanged, f, l, g, k);
    if (r == q) {
        if (!pays_within(s, r, own, second)) return 0;
    } else {
        real load = s->demand[g] - s->demand[f];
        int32 count = (g == k ? 1 : 2) - (f == l ? 1 : 2);
        if (f != l) load -= s->demand[l];
        if (g != k) load += s->demand[k];
        if (!pays(s, r, q, own, second, s->load[r] + load, s->size[r] + count, s->load[q] - load, s->size[q] - count))
            return 0;
    }
    join(s, a, g), join(s, k, b);
    join(s, c, f), join(s, l, d);
    return moved(s, r, q);
}

INLINE Effect turned_around(const LocalSearch *s, const Measure *t, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v];
    real cut = apart_in(s, t, u, x) + apart_in(s, t, v, y);
    Effect effect = {cut, apart_in(s, t, u, v) + apart_in(s, t, x, y) + turn_in(t, x, v) - cut, 0, 0};
    return effect;
}

/* 2-opt within a route: reverse the segment x..v, u before v.
 *
 *     u-x ... v-y   ->   u-v ... x-y */
INLINE int32 turn(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u];
    if (x == v || s->place[u] >= s->place[v]) return 0;
    Effect own = turned_around(s, &s->own, u, v), second = IN_SECOND(s, own, turned_around, u, v);
    if (!pays_within(s, r, own, second)) return 0;
    for (int32 c = x;; ) {
        int32 then = s->next[c];
        s->next[c] = s->prev[c], s->prev[c] = then;
        if (c == v) break;
        c = then;
    }
    join(s, u, v), join(s, x, y);
    return moved(s, r, r);
}

/* What its last and its first edge get longer by if a piece of route q ends or begins where r does; with MIXED. */
INLINE real ending_at(const LocalSearch *s, const Measure *t, int32 r, int32 q, int32 last) {
    return apart_in(s, t, last, s->m + r) - apart_in(s, t, last, s->m + q);
}

INLINE real starting_at(const LocalSearch *s, const Measure *t, int32 r, int32 q, int32 first) {
    return apart_in(s, t, s->m + r, first) - apart_in(s, t, s->m + q, first);
}

INLINE Effect ends_crossed(const LocalSearch *s, const Measure *t, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u], q = s->route[v];
    real ux = apart_in(s, t, u, x), vy = apart_in(s, t, v, y);
    real tail_r = t->total[r] - t->to[u] - ux, tail_q = t->total[q] - t->to[v] - vy;
#ifdef MIXED
    if (x < s->m) tail_r += ending_at(s, t, q, r, s->prev[s->m + r]);
    else x = s->m + q;
    if (y < s->m) tail_q += ending_at(s, t, r, q, s->prev[s->m + q]);
    else y = s->m + r;
#endif
    real uy = apart_in(s, t, u, y), vx = apart_in(s, t, v, x);
    Effect effect = {ux + vy, uy + vx - ux - vy, t->to[u] + uy + tail_q, t->to[v] + vx + tail_r};
    return effect;
}

/* 2-opt* between two routes: exchange their tails.
 *
 *     u-x ..  v-y ..   ->   u-y ..  v-x .. */
INLINE int32 cross_ends(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u], q = s->route[v], end_r = s->m + r, end_q = s->m + q;
    if (x == end_r && y == end_q) return 0;
    Effect own = ends_crossed(s, &s->own, u, v);
    if (!may_pay(s, r, q, own)) return 0;
    Effect second = IN_SECOND(s, own, ends_crossed, u, v);
    if (!pays(s, r, q, own, second, s->load_to[u] + s->load[q] - s->load_to[v], s->place[u] + s->size[q] - s->place[v],
              s->load_to[v] + s->load[r] - s->load_to[u], s->place[v] + s->size[r] - s->place[u]))
        return 0;
    int32 last_r = s->prev[end_r], last_q = s->prev[end_q];
    if (y == end_q) join(s, u, end_r);
    else join(s, u, y), join(s, last_q, end_r);
    if (x == end_r) join(s, v, end_q);
    else join(s, v, x), join(s, last_r, end_q);
    return moved(s, r, q);
}

/* Reverse the links of all customers from c up to the depot. */
INLINE void flip(LocalSearch *s, int32 c) {
    while (c < s->m) {
        int32 then = s->next[c];
        s->next[c] = s->prev[c], s->prev[c] = then;
        c = then;
    }
}

/* What the travel of the head of a route up to v, and of the tail of route r from x on, changes by if reversed. */
INLINE real head_turned(const Measure *t, int32 v) { return DIRECTED ? t->turned[v] : 0; }

INLINE real tail_turned(const LocalSearch *s, const Measure *t, int32 r, int32 x) {
    return DIRECTED && x < s->m ? t->turned_total[r] - t->turned[x] : 0;
}

INLINE Effect turned_crossed(const LocalSearch *s, const Measure *t, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u], q = s->route[v];
    real ux = apart_in(s, t, u, x), vy = apart_in(s, t, v, y);
    real tail_r = t->total[r] - t->to[u] - ux, tail_q = t->total[q] - t->to[v] - vy;
    real head = head_turned(t, v), tail = tail_turned(s, t, r, x);
#ifdef MIXED
    if (v < s->m) head += ending_at(s, t, r, q, s->next[s->m + q]);
    else v = s->m + r;
    if (x < s->m) tail += starting_at(s, t, q, r, s->prev[s->m + r]);
    else x = s->m + q;
#endif
    real uv = apart_in(s, t, u, v), xy = apart_in(s, t, x, y);
    Effect effect = {ux + vy, uv + xy - ux - vy + head + tail, t->to[u] + uv + t->to[v] + head, tail_r + tail + xy + tail_q};
    return effect;
}

/* 2-opt* with reversal: exchange the tail of one route with the head of another, both reversed.
 *
 *     .. u-x ..  .. v-y ..   ->   .. u-v ..  .. x-y .. */
INLINE int32 cross_turned(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u], q = s->route[v], end_r = s->m + r, end_q = s->m + q;
    Effect own = turned_crossed(s, &s->own, u, v);
    if (!may_pay(s, r, q, own)) return 0;
    Effect second = IN_SECOND(s, own, turned_crossed, u, v);
    if (!pays(s, r, q, own, second, s->load_to[u] + s->load_to[v], s->place[u] + s->place[v],
              s->load[r] + s->load[q] - s->load_to[u] - s->load_to[v],
              s->size[r] + s->size[q] - s->place[u] - s->place[v]))
        return 0;
    int32 first_q = s->next[end_q], last_r = s->prev[end_r];
    if (v != end_q) {
        s->next[v] = end_q;
        flip(s, first_q);
    }
    if (x != end_r) flip(s, x);
    if (v != end_q) join(s, u, v), join(s, first_q, end_r);
    else join(s, u, end_r);
    if (x != end_r) join(s, end_q, last_r), join(s, x, y);
    else join(s, end_q, y);
    return moved(s, r, q);
}

/* The most that a move of u next to v saves of fixed costs. UNLIKE: whether travel costs more in some routes. */
#ifdef MIXED
#define UNLIKE 1
INLINE real most_saved(const LocalSearch *s, int32 u, int32 v) {
    int32 r = s->route[u], q = s->route[v], ends = s->next[u] >= s->m && (v >= s->m || s->next[v] >= s->m);
    real saved = s->size[r] <= 2 || ends ? fixed_of(s, r) : 0;
    if (s->size[q] == 0) return saved - fixed_of(s, q);
    return ends ? saved + fixed_of(s, q) : saved;
}

/* Whether pieces of routes r and q may be exchanged without a second look: their edges cost the same, to the depot too. */
INLINE int32 alike(const LocalSearch *s, int32 r, int32 q) {
    GLOBAL const Kind *k = &s->kinds[s->kind[r]], *j = &s->kinds[s->kind[q]];
    return k->per_distance == j->per_distance && k->start == j->start;
}
#else
#define UNLIKE 0
INLINE real most_saved(const LocalSearch *s, int32 u, int32 v) { return (void)u, (void)v, s->fixed; }
INLINE int32 alike(const LocalSearch *s, int32 r, int32 q) { return (void)s, (void)r, (void)q, 1; }
#endif

/* Apply the first improving move that involves u and v; return whether there was one.
 *
 * A move cannot improve if it adds more travel than the current penalties of its routes plus, between two routes, one
 * fixed cost. This bound takes a few distances and rules out nearly all moves. */
INLINE int32 improve_pair(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], a = s->prev[u], c = s->prev[v], r = s->route[u], q = s->route[v];
    int32 two = x < s->m, customer = v < s->m, w = spot(s, s->next[x]), z = spot(s, s->next[y]);
    int32 at_x = spot(s, x), at_y = spot(s, y), at_v = spot(s, v), at_c = spot(s, c);
    const Measure *t = &s->own;
    GLOBAL const real *from_u = t->table + (int64)u * s->m, *from_x = t->table + (int64)at_x * s->m;
    GLOBAL const real *from_v = t->table + (int64)at_v * s->m, *from_a = t->table + (int64)spot(s, a) * s->m;
    real most = s->penalty[r] + (r == q ? 0 : s->penalty[q] + most_saved(s, u, v)) - s->absolute;
    real rate_r = rate_of(s, r), rate_q = rate_of(s, q);
    real vu = from_v[u], uy = from_u[at_y], vy = from_v[at_y], xy = from_x[at_y], vx = from_v[at_x];
    real au = from_a[u], ux = from_u[at_x], xw = from_x[w], uv = DIRECTED ? from_u[at_v] : vu;
    real inside = UNLIKE ? (rate_q - rate_r) * ux : 0; /* of a segment u-x that leaves r for q */
    if (rate_r * (from_a[at_x] - au - ux) + rate_q * (vu + uy - vy) < most && relocate(s, u, u, v, 0)) return 1;
    if (two) {
        real less = rate_r * (from_a[w] - au - xw);
        if (less + rate_q * (vu + xy - vy) < most - inside && relocate(s, u, x, v, 0)) return 1;
        real more = vx + uy - vy + (DIRECTED ? from_x[u] - ux : 0);
        if (less + rate_q * more < most - inside && relocate(s, u, x, v, 1)) return 1;
    }
    if (customer) {
        GLOBAL const real *from_c = t->table + (int64)at_c * s->m;
        real cu = DIRECTED ? from_c[u] : from_u[at_c], cv = DIRECTED ? from_c[at_v] : from_v[at_c];
        real here = from_a[at_v] - au, there = cu - cv;
        if (u <= v && rate_r * (here + vx - ux) + rate_q * (there + uy - vy) < most && exchange(s, u, u, v, v)) return 1;
        real less = here - xw;
        if (two && rate_r * (less + from_v[w]) + rate_q * (there + xy - vy) < most - inside && exchange(s, u, x, v, v))
            return 1;
        if (two && u <= v && y < s->m) {
            GLOBAL const real *from_y = t->table + (int64)at_y * s->m;
            real more = rate_r * (less + from_y[w]) + rate_q * (there + from_x[z] - from_y[z]);
            if (more < most - inside - (UNLIKE ? (rate_r - rate_q) * vy : 0) && exchange(s, u, x, v, y)) return 1;
        }
    }
    if (r == q && customer) return rate_r * (uv + xy - ux - vy + turn_in(t, x, v)) < most && turn(s, u, v);
    if (r == q)
        return rate_r * (vu + (DIRECTED ? apart(s, y, x) : xy) - ux - vy + turn_in(t, y, u)) < most && turn(s, v, u);
    if (!alike(s, r, q)) return cross_turned(s, u, v) || cross_ends(s, u, v);
    real turns = head_turned(t, v) + tail_turned(s, t, r, x);
    if (rate_r * (uv + xy - ux - vy + turns) < most && cross_turned(s, u, v)) return 1;
    return rate_r * (uy + vx - ux - vy) < most && cross_ends(s, u, v);
}

#endif
