/* Changes of whole ends of routes, however long: 2-opt* between routes (Potvin and Rousseau 1995), 2-opt within one.
 *
 * In all of them DEPOT as u or v stands for the beginning of its route. Loads, times and the cost are the caller's.
 */
#ifndef WARPTOUR_ROUTES_TAILS
#define WARPTOUR_ROUTES_TAILS
#include "routes/routes.h"
#include "routes/sums.h"

/* Return what follows u in route r. */
INLINE int32 successor(const Fleet *f, int32 r, int32 u) { return u == DEPOT ? f->first[r] : f->next[u]; }

/* Join a and b of route r. */
INLINE void join_nodes(Fleet *f, int32 r, int32 a, int32 b) {
    real d = apart(f, r, a, b);
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
    if (f->size[r] == 0 && size > 0) pop_spare(f, r);
    if (f->size[r] > 0 && size == 0) push_spare(f, r);
    f->size[r] = size, forget_sums(f, r);
}

/* Measure the ways to the ends of route r anew, whose customers there another vehicle served before; all its ways if that of
 * route q, which has other distances, did. */
INLINE void reach_ends(Fleet *f, int32 r, int32 q) {
#ifdef MIXED
    if (f->size[r] == 0) return;
    for (int32 c = same_ways(f, r, q) ? f->last[r] : f->first[r]; c != f->last[r]; c = f->next[c])
        f->ahead[c] = f->back[f->next[c]] = leg(f, r, c, f->next[c]);
    f->back[f->first[r]] = leg(f, r, DEPOT, f->first[r]);
    f->ahead[f->last[r]] = leg(f, r, f->last[r], DEPOT);
#else
    (void)f, (void)r, (void)q;
#endif
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
    reach_ends(f, r, q), reach_ends(f, q, r);
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
    reach_ends(f, r, q), reach_ends(f, q, r);
}

/* Reverse the part from..to of route r. */
INLINE void reverse_segment(Fleet *f, int32 r, int32 from, int32 to) {
    int32 a = f->prev[from], b = f->next[to];
    reverse_chain(f, from, to, r);
    join_nodes(f, r, a, to);
    join_nodes(f, r, from, b);
    forget_sums(f, r);
}

/* Fill in place, load_to, time_to and sum_to along route r, unless they are up to date. */
INLINE void measure_route(Fleet *f, int32 r) {
    if (TOLD_LANES(f->measured + r)) return; /* else several lanes may write the same */
    real load = 0, time = 0;
    for (int32 c = f->first[r], place = 0; c != DEPOT; c = f->next[c]) {
        load += f->demand[c], time += f->back[c] + f->service[c];
        f->place[c] = place++, f->load_to[c] = load, f->time_to[c] = time;
    }
    for (int32 k = 0; k < SUMS(f); k++) {
        real sum = 0;
        for (int32 c = f->first[r]; c != DEPOT; c = f->next[c]) {
            sum += sum_leg(f, k, r, f->prev[c], c) + amount_of(f, c, k);
            f->sum_to[(int64)c * f->sums + k] = sum;
        }
    }
    TELL_LANES(f->measured + r);
}

/* Loads and times of two routes after exchange_tails or join_heads. */
typedef struct {
    real load_r, load_q, time_r, time_q;
} Halves;

#define TRAVEL (-1) /* in place of the number of a sum: the distance */

INLINE real leg_of(const Fleet *f, int32 k, int32 r, int32 a, int32 b) {
    return k == TRAVEL ? leg(f, r, a, b) : sum_leg(f, k, r, a, b);
}

/* Return what the leg is longer from customer c to the end of route `to` in place of that of `from`. Reversed parts of routes
 * ask the same of their beginning: routes that may be reversed begin and end in one place. */
INLINE real other_end(const Fleet *f, int32 k, int32 from, int32 to, int32 c) {
#ifdef MIXED
    return c == DEPOT || alike(f, from, to) ? 0 : leg_of(f, k, to, c, DEPOT) - leg_of(f, k, from, c, DEPOT);
#else
    (void)f, (void)k, (void)from, (void)to, (void)c;
    return 0;
#endif
}

/* Return how long the customers from c up to `last`, their services included, and the way behind take the vehicle of r. */
INLINE real driven_by(const Fleet *f, int32 r, int32 c, int32 last) {
    real time = 0;
    for (int32 then; c != DEPOT; c = then) {
        then = c == last ? DEPOT : f->next[c];
        time += leg(f, r, c, then) + f->service[c];
    }
    return time;
}

/* Return what routes r and q will have after exchange_tails (or, if `reversed`, join_heads) at u and v. */
INLINE Halves halves_after(Fleet *f, int32 reversed, int32 r, int32 u, int32 q, int32 v) {
    measure_route(f, r), measure_route(f, q);
    int32 x = successor(f, r, u), y = successor(f, q, v);
    real load_u = u == DEPOT ? 0 : f->load_to[u], load_v = v == DEPOT ? 0 : f->load_to[v];
    real time_u = u == DEPOT ? 0 : f->time_to[u], time_v = v == DEPOT ? 0 : f->time_to[v];
    real load_x = f->load[r] - load_u, load_y = f->load[q] - load_v;
    real time_x = f->time[r] - time_u - (u == DEPOT ? f->back[x] : f->ahead[u]);
    real time_y = f->time[q] - time_v - (v == DEPOT ? f->back[y] : f->ahead[v]);
    Halves tails = {load_u + load_y, load_v + load_x, 0, 0}, heads = {load_u + load_v, load_x + load_y, 0, 0};
    if (!same_ways(f, r, q)) { /* of reversed parts, the way to an end is that from the other */
        int32 home = v == DEPOT ? DEPOT : f->first[q];
        heads.time_r = time_u + apart(f, r, u, v);
        if (v != DEPOT) heads.time_r += leg(f, r, DEPOT, home) + driven_by(f, r, home, v) - leg(f, r, v, DEPOT);
        heads.time_q = driven_by(f, q, x, DEPOT) + apart(f, q, x, y) + time_y;
        tails.time_r = time_u + apart(f, r, u, y) + driven_by(f, r, y, DEPOT);
        tails.time_q = time_v + apart(f, q, v, x) + driven_by(f, q, x, DEPOT);
        return reversed ? heads : tails;
    }
    if (reversed) {
        heads.time_r = time_u + apart(f, r, u, v) + time_v + other_end(f, TRAVEL, q, r, v == DEPOT ? DEPOT : f->first[q]);
        heads.time_q = time_x + apart(f, q, x, y) + time_y + other_end(f, TRAVEL, r, q, x == DEPOT ? DEPOT : f->last[r]);
        return heads;
    }
    tails.time_r = time_u + apart(f, r, u, y) + time_y + other_end(f, TRAVEL, q, r, y == DEPOT ? DEPOT : f->last[q]);
    tails.time_q = time_v + apart(f, q, v, x) + time_x + other_end(f, TRAVEL, r, q, x == DEPOT ? DEPOT : f->last[r]);
    return tails;
}

/* Return sum k of both routes then: of r and, in *of_q, of q. */
INLINE real sum_after(Fleet *f, int32 k, int32 reversed, int32 r, int32 u, int32 q, int32 v, real *of_q) {
    int32 x = successor(f, r, u), y = successor(f, q, v);
    real to_u = u == DEPOT ? 0 : f->sum_to[(int64)u * f->sums + k], to_v = v == DEPOT ? 0 : f->sum_to[(int64)v * f->sums + k];
    real from_x = sum_of(f, r, k) - to_u - sum_leg(f, k, r, u, x), from_y = sum_of(f, q, k) - to_v - sum_leg(f, k, q, v, y);
    if (reversed) {
        *of_q = from_x + sum_leg(f, k, q, x, y) + from_y + other_end(f, k, r, q, x == DEPOT ? DEPOT : f->last[r]);
        return to_u + sum_leg(f, k, r, u, v) + to_v + other_end(f, k, q, r, v == DEPOT ? DEPOT : f->first[q]);
    }
    *of_q = to_v + sum_leg(f, k, q, v, x) + from_x + other_end(f, k, r, q, x == DEPOT ? DEPOT : f->last[r]);
    return to_u + sum_leg(f, k, r, u, y) + from_y + other_end(f, k, q, r, y == DEPOT ? DEPOT : f->last[q]);
}

#endif
