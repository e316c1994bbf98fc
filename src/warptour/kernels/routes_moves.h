/* Moves of the HGS local search, within and between routes; each is applied if it lowers the penalised cost.
 *
 * u is a customer and v one of its neighbours or a depot node; x follows u, y follows v.
 */
#ifndef WARPTOUR_ROUTES_MOVES
#define WARPTOUR_ROUTES_MOVES

/* Whether a move between routes r and q improves the penalised cost. load_*, time_*, size_*: the routes after the move;
 * `cut`: total length of the removed edges; `more`: change in travel. Fixed costs enter only if a route is opened or
 * closed: as a large term on both sides they would swamp small gains in rounding errors. */
INLINE int32 pays(const LocalSearch *s, int32 r, int32 q, real cut, real more, real load_r, real time_r, int32 size_r,
                  real load_q, real time_q, int32 size_q) {
    real least = s->absolute + s->relative * cut, delta = more - s->penalty[r] - s->penalty[q];
    int32 opened = (size_r > 0) + (size_q > 0) - (s->size[r] > 0) - (s->size[q] > 0);
    if (opened) delta += opened * s->fixed;
    if (delta > -least) return 0;
    delta += penalty_of(s, load_r, time_r);
    if (delta > -least) return 0;
    delta += penalty_of(s, load_q, time_q);
    if (delta > -least) return 0;
    real weight = weight_of(s, s->load[r], s->time[r]) + weight_of(s, s->load[q], s->time[q]);
    weight += weight_of(s, load_r, time_r) + weight_of(s, load_q, time_q);
    return delta < -(least + s->relative * weight);
}

/* Whether a move within route r improves the penalised cost; cut and more as above. */
INLINE int32 pays_within(const LocalSearch *s, int32 r, real cut, real more) {
    real time = s->time[r] + more, delta = more - s->penalty[r] + penalty_of(s, s->load[r], time);
    real weight = weight_of(s, s->load[r], s->time[r]) + weight_of(s, s->load[r], time);
    return delta < -(s->absolute + s->relative * (cut + weight));
}

/* Relocate the segment f..l of one or two customers behind v, reversed if `turned`.
 *
 *     a-f-l-b  v-y   ->   a-b  v-f-l-y      or      a-b  v-l-f-y */
INLINE int32 relocate(LocalSearch *s, int32 f, int32 l, int32 v, int32 turned) {
    int32 a = s->prev[f], b = s->next[l], y = s->next[v], r = s->route[f], q = s->route[v], count = f == l ? 1 : 2;
    if (v == a || v == f || v == l) return 0;
    int32 head = turned ? l : f, tail = turned ? f : l;
    real out = apart(s, a, f) + apart(s, l, b), gap = apart(s, v, y);
    real less = apart(s, a, b) - out, more = apart(s, v, head) + apart(s, tail, y) - gap;
    if (r == q) {
        if (!pays_within(s, r, out + gap, less + more)) return 0;
    } else {
        real load = s->demand[f], time = s->service[f];
        if (f != l) load += s->demand[l], time += s->service[l] + apart(s, f, l);
        if (!pays(s, r, q, out + gap, less + more, s->load[r] - load, s->time[r] + less - time, s->size[r] - count,
                  s->load[q] + load, s->time[q] + more + time, s->size[q] + count))
            return 0;
    }
    join(s, a, b);
    join(s, v, head);
    if (f != l) join(s, head, tail);
    join(s, tail, y);
    return moved(s, r, q);
}

/* Exchange the segments f..l and g..k of one or two customers each.
 *
 *     a-f-l-b  c-g-k-d   ->   a-g-k-b  c-f-l-d */
INLINE int32 exchange(LocalSearch *s, int32 f, int32 l, int32 g, int32 k) {
    int32 a = s->prev[f], b = s->next[l], c = s->prev[g], d = s->next[k], r = s->route[f], q = s->route[g];
    if (b == g || d == f || f == g || f == k || l == g || l == k) return 0;
    real out_f = apart(s, a, f) + apart(s, l, b), out_g = apart(s, c, g) + apart(s, k, d);
    real here = apart(s, a, g) + apart(s, k, b) - out_f, there = apart(s, c, f) + apart(s, l, d) - out_g;
    if (r == q) {
        if (!pays_within(s, r, out_f + out_g, here + there)) return 0;
    } else {
        real load = s->demand[g] - s->demand[f], time = s->service[g] - s->service[f];
        int32 count = (g == k ? 1 : 2) - (f == l ? 1 : 2);
        if (f != l) load -= s->demand[l], time -= s->service[l] + apart(s, f, l);
        if (g != k) load += s->demand[k], time += s->service[k] + apart(s, g, k);
        if (!pays(s, r, q, out_f + out_g, here + there, s->load[r] + load, s->time[r] + here + time, s->size[r] + count,
                  s->load[q] - load, s->time[q] + there - time, s->size[q] - count))
            return 0;
    }
    join(s, a, g), join(s, k, b);
    join(s, c, f), join(s, l, d);
    return moved(s, r, q);
}

/* 2-opt within a route: reverse the segment x..v, u before v.
 *
 *     u-x ... v-y   ->   u-v ... x-y */
INLINE int32 turn(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u];
    if (x == v || s->place[u] >= s->place[v]) return 0;
    real cut = apart(s, u, x) + apart(s, v, y);
    if (!pays_within(s, r, cut, apart(s, u, v) + apart(s, x, y) - cut)) return 0;
    for (int32 c = x;; ) {
        int32 then = s->next[c];
        s->next[c] = s->prev[c], s->prev[c] = then;
        if (c == v) break;
        c = then;
    }
    join(s, u, v), join(s, x, y);
    return moved(s, r, r);
}

/* 2-opt* between two routes: exchange their tails.
 *
 *     u-x ..  v-y ..   ->   u-y ..  v-x .. */
INLINE int32 cross_ends(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u], q = s->route[v], end_r = s->m + r, end_q = s->m + q;
    if (x == end_r && y == end_q) return 0;
    real ux = apart(s, u, x), vy = apart(s, v, y), uy = apart(s, u, y), vx = apart(s, v, x);
    real tail_r = s->time[r] - s->time_to[u] - ux, tail_q = s->time[q] - s->time_to[v] - vy;
    if (!pays(s, r, q, ux + vy, uy + vx - ux - vy,
              s->load_to[u] + s->load[q] - s->load_to[v], s->time_to[u] + uy + tail_q,
              s->place[u] + s->size[q] - s->place[v],
              s->load_to[v] + s->load[r] - s->load_to[u], s->time_to[v] + vx + tail_r,
              s->place[v] + s->size[r] - s->place[u]))
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

/* 2-opt* with reversal: exchange the tail of one route with the head of another, both reversed.
 *
 *     .. u-x ..  .. v-y ..   ->   .. u-v ..  .. x-y .. */
INLINE int32 cross_turned(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], r = s->route[u], q = s->route[v], end_r = s->m + r, end_q = s->m + q;
    real ux = apart(s, u, x), vy = apart(s, v, y), uv = apart(s, u, v), xy = apart(s, x, y);
    real tail_r = s->time[r] - s->time_to[u] - ux, tail_q = s->time[q] - s->time_to[v] - vy;
    if (!pays(s, r, q, ux + vy, uv + xy - ux - vy,
              s->load_to[u] + s->load_to[v], s->time_to[u] + uv + s->time_to[v], s->place[u] + s->place[v],
              s->load[r] + s->load[q] - s->load_to[u] - s->load_to[v], tail_r + xy + tail_q,
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

/* Apply the first improving move that involves u and v; return whether there was one.
 *
 * A move cannot improve if it adds more travel than the current penalties of its routes plus, between two routes, one
 * fixed cost. This bound takes a few distances and rules out nearly all moves. */
INLINE int32 improve_pair(LocalSearch *s, int32 u, int32 v) {
    int32 x = s->next[u], y = s->next[v], a = s->prev[u], c = s->prev[v], r = s->route[u], q = s->route[v];
    int32 two = x < s->m, customer = v < s->m, w = spot(s, s->next[x]), z = spot(s, s->next[y]);
    int32 at_x = spot(s, x), at_y = spot(s, y), at_v = spot(s, v), at_c = spot(s, c);
    GLOBAL const real *from_u = s->table + (int64)u * s->m, *from_x = s->table + (int64)at_x * s->m;
    GLOBAL const real *from_v = s->table + (int64)at_v * s->m, *from_a = s->table + (int64)spot(s, a) * s->m;
    real most = s->penalty[r] + (r == q ? 0 : s->penalty[q] + s->fixed) - s->absolute;
    real uv = from_u[at_v], uy = from_u[at_y], vy = from_v[at_y], xy = from_x[at_y], xv = from_x[at_v];
    real au = from_a[u], ux = from_u[at_x], xw = from_x[w];
    if (from_a[at_x] - au - ux + uv + uy - vy < most && relocate(s, u, u, v, 0)) return 1;
    if (two) {
        real less = from_a[w] - au - xw - vy;
        if (less + uv + xy < most && relocate(s, u, x, v, 0)) return 1;
        if (less + xv + uy < most && relocate(s, u, x, v, 1)) return 1;
    }
    if (customer) {
        real cv = from_v[at_c], there = from_a[at_v] + from_u[at_c] - au - cv;
        if (u <= v && there + xv - ux + uy - vy < most && exchange(s, u, u, v, v)) return 1;
        if (two && there + from_v[w] - xw + xy - vy < most && exchange(s, u, x, v, v)) return 1;
        if (two && u <= v && y < s->m) {
            GLOBAL const real *from_y = s->table + (int64)at_y * s->m;
            if (there + from_y[w] - xw + from_x[z] - from_y[z] < most && exchange(s, u, x, v, y)) return 1;
        }
    }
    if (r == q) return uv + xy - ux - vy < most && (customer ? turn(s, u, v) : turn(s, v, u));
    if (uv + xy - ux - vy < most && cross_turned(s, u, v)) return 1;
    return uy + xv - ux - vy < most && cross_ends(s, u, v);
}

#endif
