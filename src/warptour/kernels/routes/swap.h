/* SWAP* (Vidal 2022): exchange customers of two routes, each inserted at its cheapest position in the other route.
 *
 *     a-u-b  c-v-d .. e-f   ->   a-b .. (v at its best)  c-d .. e-u-f
 *
 * The three cheapest insertion positions of a customer in a route are cached until that route changes. The position of
 * the customer that leaves is a fourth candidate.
 */
#ifndef WARPTOUR_ROUTES_SWAP
#define WARPTOUR_ROUTES_SWAP

#define FAR ((real)1e300)

typedef struct {
    GLOBAL int32 *known;  /* slots by m: 1 + value of `moves` when the entry was computed, 0 for never */
    GLOBAL int32 *behind; /* slots by m by 3: predecessors at the three positions, cheapest first */
    GLOBAL real *price;   /* slots by m by 3: insertion costs */
    GLOBAL real *leave;   /* per customer: change in its route's travel when it is removed */
    GLOBAL real *gap;     /* per customer: distance between its two neighbours */
} Places;

/* Compute the three cheapest positions of customer c in route r, unless the cache is valid. */
INLINE void look_up(const LocalSearch *s, const Places *p, int32 c, int32 r) {
    int64 cell = (int64)r * s->m + c;
    if (p->known[cell] > s->changed[r]) return;
    p->known[cell] = s->moves + 1;
    GLOBAL int32 *behind = p->behind + 3 * cell;
    GLOBAL real *price = p->price + 3 * cell;
    for (int32 k = 0; k < 3; k++) behind[k] = NOWHERE, price[k] = FAR;
    int32 end = s->m + r, a = end;
    do {
        int32 b = s->next[a], k = 2;
        real more = apart(s, a, c) + apart(s, c, b) - apart(s, a, b);
        if (more < price[2]) {
            for (; k > 0 && more < price[k - 1]; k--) price[k] = price[k - 1], behind[k] = behind[k - 1];
            price[k] = more, behind[k] = a;
        }
        a = b;
    } while (a != end);
}

/* Return the predecessor at the cheapest position of c in the route that v leaves; `more`: its insertion cost. */
INLINE int32 best_place(const LocalSearch *s, const Places *p, int32 c, int32 v, real *more) {
    int64 cell = 3 * ((int64)s->route[v] * s->m + c);
    int32 a = s->prev[v], at = a;
    GLOBAL const real *from_c = s->own.table + (int64)c * s->m;
    *more = (DIRECTED ? apart(s, a, c) : from_c[spot(s, a)]) + from_c[spot(s, s->next[v])] - p->gap[v];
    for (int32 k = 0; k < 3 && p->behind[cell + k] != NOWHERE; k++) {
        int32 e = p->behind[cell + k];
        if (e == v || e == a) continue;
        if (p->price[cell + k] < *more) *more = p->price[cell + k], at = e;
        break;
    }
    return at;
}

INLINE void look_up_all(const LocalSearch *s, const Places *p, int32 r, int32 q) {
    for (int32 c = s->next[s->m + r]; c < s->m; c = s->next[c]) {
        int32 a = s->prev[c], b = s->next[c];
        p->gap[c] = apart(s, a, b);
        p->leave[c] = p->gap[c] - apart(s, a, c) - apart(s, c, b);
        look_up(s, p, c, q);
    }
}

/* Return what a route has of the second limit when v, if any, leaves it and c comes behind `at`. */
INLINE real second_after(const LocalSearch *s, int32 r, int32 v, int32 c, int32 at) {
#ifdef TIMED
    (void)r;
    return trouble_after(s, v, c, at);
#else
    const Measure *t = &s->second;
    real time = t->total[r];
    int32 b = at == NOWHERE ? NOWHERE : s->next[at];
    if (v != NOWHERE) {
        int32 before = s->prev[v], then = s->next[v];
        time += apart_in(s, t, before, then) - apart_in(s, t, before, v) - apart_in(s, t, v, then) - t->service[v];
        if (b == v) b = then;
    }
    if (c == NOWHERE) return time;
    return time + apart_in(s, t, at, c) + apart_in(s, t, c, b) - apart_in(s, t, at, b) + t->service[c];
#endif
}

/* Length of the edges removed when customer c moves behind `to`: both edges at c, and the edge after `to`. */
INLINE real cut_of(const LocalSearch *s, const Places *p, int32 c, int32 to) {
    return p->gap[c] - p->leave[c] + apart(s, to, s->next[to]);
}

/* Apply the best exchange or relocation between routes r and q if it improves; return whether it did. */
INLINE int32 swap_best(LocalSearch *s, const Places *p, int32 r, int32 q) {
    int32 best_u = NOWHERE, best_v = NOWHERE, to_q = NOWHERE, to_r = NOWHERE, end_r = s->m + r, end_q = s->m + q;
    real best = -s->absolute, before = s->penalty[r] + s->penalty[q], more_q, more_r;
    real before_weight = weight_of(s, r, amounts_of(s, r)) + weight_of(s, q, amounts_of(s, q));
    real rate_r = rate_of(s, r), rate_q = rate_of(s, q), capacity_r = capacity_of(s, r), capacity_q = capacity_of(s, q);
    real limit_r = limit_of(s, r), limit_q = limit_of(s, q);
    const Measure *t = &s->own;
    look_up_all(s, p, r, q);
    look_up_all(s, p, q, r);
    for (int32 u = s->next[end_r]; u != end_r; u = s->next[u]) {
        real saved = rate_r * p->leave[u] - before, rest_r = s->load[r] - s->demand[u];
        real rest_q = s->load[q] + s->demand[u];
        for (int32 v = s->next[end_q]; v != end_q; v = s->next[v]) {
            real load_r = rest_r + s->demand[v], load_q = rest_q - s->demand[v], delta = saved + rate_q * p->leave[v];
            if (load_r > capacity_r) delta += s->per_load * (load_r - capacity_r);
            if (load_q > capacity_q) delta += s->per_load * (load_q - capacity_q);
            if (delta > best) continue;
            int32 u_to = best_place(s, p, u, v, &more_q);
            if (delta + rate_q * more_q > best) continue; /* inserting v costs at least 0 */
            int32 v_to = best_place(s, p, v, u, &more_r);
            delta += rate_q * more_q + rate_r * more_r;
            if (delta > best) continue;
            real time = t->service[v] - t->service[u];
            Amounts of_r = {load_r, t->total[r] + p->leave[u] + more_r + time, 0};
            Amounts of_q = {load_q, t->total[q] + p->leave[v] + more_q - time, 0};
            if (of_r.time > limit_r) delta += t->price * (of_r.time - limit_r);
            if (of_q.time > limit_q) delta += t->price * (of_q.time - limit_q);
            if (delta >= best) continue;
            if (SECOND(s)) {
                of_r.time2 = second_after(s, r, u, v, v_to), of_q.time2 = second_after(s, q, v, u, u_to);
                if (of_r.time2 > s->second.limit) delta += s->second.price * (of_r.time2 - s->second.limit);
                if (of_q.time2 > s->second.limit) delta += s->second.price * (of_q.time2 - s->second.limit);
                if (delta >= best) continue;
            }
            real weight = before_weight + weight_of(s, r, of_r) + weight_of(s, q, of_q);
            weight += cut_of(s, p, u, u_to) + cut_of(s, p, v, v_to);
            if (delta < -(s->absolute + s->relative * weight))
                best = delta, best_u = u, best_v = v, to_q = u_to, to_r = v_to;
        }
    }
    for (int32 turn_of = 0; turn_of < 2; turn_of++) {
        int32 from = turn_of ? q : r, to = turn_of ? r : q, end = s->m + from;
        for (int32 c = s->next[end]; c != end; c = s->next[c]) {
            int64 cell = 3 * ((int64)to * s->m + c);
            real more = p->price[cell], delta = rate_of(s, from) * p->leave[c] + rate_of(s, to) * more - before;
            if (s->size[from] == 1) delta -= fixed_of(s, from);
            if (delta > best) continue;
            Amounts left = {s->load[from] - s->demand[c], t->total[from] + p->leave[c] - t->service[c], 0};
            Amounts got = {s->load[to] + s->demand[c], t->total[to] + more + t->service[c], 0};
            if (SECOND(s)) {
                left.time2 = second_after(s, from, c, NOWHERE, NOWHERE);
                got.time2 = second_after(s, to, NOWHERE, c, p->behind[cell]);
            }
            delta += penalty_of(s, from, left) + penalty_of(s, to, got);
            if (delta >= best) continue;
            real weight = before_weight + weight_of(s, from, left) + weight_of(s, to, got);
            if (delta >= -(s->absolute + s->relative * (weight + cut_of(s, p, c, p->behind[cell])))) continue;
            best = delta;
            best_u = turn_of ? NOWHERE : c, best_v = turn_of ? c : NOWHERE;
            to_q = turn_of ? NOWHERE : p->behind[cell], to_r = turn_of ? p->behind[cell] : NOWHERE;
        }
    }
    if (best_u == NOWHERE && best_v == NOWHERE) return 0;
    if (best_u != NOWHERE) join(s, s->prev[best_u], s->next[best_u]);
    if (best_v != NOWHERE) join(s, s->prev[best_v], s->next[best_v]);
    if (best_u != NOWHERE) {
        int32 y = s->next[to_q];
        join(s, to_q, best_u), join(s, best_u, y);
    }
    if (best_v != NOWHERE) {
        int32 y = s->next[to_r];
        join(s, to_r, best_v), join(s, best_v, y);
    }
    return moved(s, r, q);
}

#endif
