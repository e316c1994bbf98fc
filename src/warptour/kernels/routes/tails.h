/* Changes of whole ends of routes, however long: 2-opt* between routes (Potvin and Rousseau 1995), 2-opt within one.
 *
 * In all of them DEPOT as u or v stands for the beginning of its route. Loads, times and the cost are the caller's.
 */
#ifndef WARPTOUR_ROUTES_TAILS
#define WARPTOUR_ROUTES_TAILS
#include "routes/routes.h"

/* Return what follows u in route r. */
INLINE int32 successor(const Fleet *f, int32 r, int32 u) { return u == DEPOT ? f->first[r] : f->next[u]; }

/* Join a and b of route r. */
INLINE void join_nodes(Fleet *f, int32 r, int32 a, int32 b) {
    real d = apart(f, a, b);
    if (a == DEPOT) f->first[r] = b;
    else f->next[a] = b, f->ahead[a] = d;
    if (b == DEPOT) f->last[r] = a;
    else f->prev[b] = a, f->back[b] = d;
}

/* Reverse the links of the chain from..to, and give it to route r. Return its size. */
INLINE int32 reverse_chain(Fleet *f, int32 from, int32 to, int32 r) {
    for (int32 c = from, count = 1;; count++) {
        int32 then = f->next[c];
        real d = f->ahead[c];
        f->next[c] = f->prev[c], f->prev[c] = then;
        f->ahead[c] = f->back[c], f->back[c] = d;
        f->route[c] = r;
        if (c == to) return count;
        c = then;
    }
}

/* Note the new size of a route whose links have changed. */
INLINE void resize_route(Fleet *f, int32 r, int32 size) {
    if (f->size[r] == 0 && size > 0) f->spares--;
    if (f->size[r] > 0 && size == 0) f->spare[f->spares++] = r;
    f->size[r] = size, forget_sums(f, r);
}

/* Exchange what follows u in route r and v in route q. Repeating it undoes it.
 *
 *     - a .. u x .. b -    - c .. v y .. d -    ->    - a .. u y .. d -    - c .. v x .. b - */
INLINE void exchange_tails(Fleet *f, int32 r, int32 u, int32 q, int32 v) {
    int32 x = successor(f, r, u), y = successor(f, q, v), b = f->last[r], d = f->last[q], more = 0;
    for (int32 c = x; c != DEPOT; c = f->next[c]) f->route[c] = q, more--;
    for (int32 c = y; c != DEPOT; c = f->next[c]) f->route[c] = r, more++;
    if (y != DEPOT) f->last[r] = d;
    if (x != DEPOT) f->last[q] = b;
    join_nodes(f, r, u, y);
    join_nodes(f, q, v, x);
    int32 size_r = f->size[r] + more, size_q = f->size[q] - more;
    resize_route(f, r, size_r);
    resize_route(f, q, size_q);
}

/* Let r be its part up to u and the reverse of q's up to v, and q the reverse of r's rest and its own. x for v undoes it.
 *
 *     - a .. u x .. b -    - c .. v y .. d -    ->    - a .. u v .. c -    - b .. x y .. d - */
INLINE void join_heads(Fleet *f, int32 r, int32 u, int32 q, int32 v) {
    int32 x = successor(f, r, u), y = successor(f, q, v), b = f->last[r], c = f->first[q], more = 0;
    if (x != DEPOT) more -= reverse_chain(f, x, b, q);
    if (v != DEPOT) more += reverse_chain(f, c, v, r);
    join_nodes(f, r, u, v);
    if (v != DEPOT) f->last[r] = c;
    join_nodes(f, q, x, y);
    if (x != DEPOT) f->first[q] = b;
    int32 size_r = f->size[r] + more, size_q = f->size[q] - more;
    resize_route(f, r, size_r);
    resize_route(f, q, size_q);
}

/* Reverse the part from..to of route r. */
INLINE void reverse_segment(Fleet *f, int32 r, int32 from, int32 to) {
    int32 a = f->prev[from], b = f->next[to];
    reverse_chain(f, from, to, r);
    join_nodes(f, r, a, to);
    join_nodes(f, r, from, b);
    forget_sums(f, r);
}

/* Fill in place, load_to, time_to and time2_to along route r, unless they are up to date. */
INLINE void measure_route(Fleet *f, int32 r) {
    if (TOLD_LANES(f->measured + r)) return; /* else several lanes may write the same */
    real load = 0, time = 0, time2 = 0;
    for (int32 c = f->first[r], place = 0; c != DEPOT; c = f->next[c]) {
        load += f->demand[c], time += f->back[c] + f->service[c];
        f->place[c] = place++, f->load_to[c] = load, f->time_to[c] = time;
        if (SECOND(f)) time2 += apart2(f, f->prev[c], c) + f->service2[c], f->time2_to[c] = time2;
    }
    TELL_LANES(f->measured + r);
}

/* Loads and times of two routes after exchange_tails or join_heads. */
typedef struct {
    real load_r, load_q, time_r, time_q, time2_r, time2_q;
} Halves;

/* Return what routes r and q will have after exchange_tails (or, if `reversed`, join_heads) at u and v. */
INLINE Halves halves_after(Fleet *f, int32 reversed, int32 r, int32 u, int32 q, int32 v) {
    measure_route(f, r), measure_route(f, q);
    int32 x = successor(f, r, u), y = successor(f, q, v);
    real load_u = u == DEPOT ? 0 : f->load_to[u], load_v = v == DEPOT ? 0 : f->load_to[v];
    real time_u = u == DEPOT ? 0 : f->time_to[u], time_v = v == DEPOT ? 0 : f->time_to[v];
    real load_x = f->load[r] - load_u, load_y = f->load[q] - load_v;
    real time_x = f->time[r] - time_u - (u == DEPOT ? f->back[x] : f->ahead[u]);
    real time_y = f->time[q] - time_v - (v == DEPOT ? f->back[y] : f->ahead[v]);
    Halves tails = {load_u + load_y, load_v + load_x, 0, 0, 0, 0}, heads = {load_u + load_v, load_x + load_y, 0, 0, 0, 0};
    tails.time_r = time_u + apart(f, u, y) + time_y, tails.time_q = time_v + apart(f, v, x) + time_x;
    heads.time_r = time_u + apart(f, u, v) + time_v, heads.time_q = time_x + apart(f, x, y) + time_y;
    if (!SECOND(f)) return reversed ? heads : tails;
    time_u = u == DEPOT ? 0 : f->time2_to[u], time_v = v == DEPOT ? 0 : f->time2_to[v];
    time_x = f->time2[r] - time_u - apart2(f, u, x), time_y = f->time2[q] - time_v - apart2(f, v, y);
    tails.time2_r = time_u + apart2(f, u, y) + time_y, tails.time2_q = time_v + apart2(f, v, x) + time_x;
    heads.time2_r = time_u + apart2(f, u, v) + time_v, heads.time2_q = time_x + apart2(f, x, y) + time_y;
    return reversed ? heads : tails;
}

#endif
