/* Sums over a route that have limits beside its load and its distance: of an amount of each customer, and of travel, or of
 * either. With MIXED the limits are those of the vehicle. */
#ifndef WARPTOUR_ROUTES_SUMS
#define WARPTOUR_ROUTES_SUMS
#include "routes/routes.h"

#define NO_TRAVEL (-1) /* values of travel: none, the distances that are minimised; else the number of a table */
#define DISTANCES (-2)

INLINE real most_of(const Fleet *f, int32 r, int32 k) {
#ifdef MIXED
    return f->most[f->kind[r] * f->sums + k];
#else
    (void)r;
    return f->most[k];
#endif
}

/* Return the value of sum k on route r. */
INLINE real sum_of(const Fleet *f, int32 r, int32 k) { return f->sum[(int64)r * f->sums + k]; }

INLINE real amount_of(const Fleet *f, int32 c, int32 k) { return f->amount[(int64)k * f->m + c]; }

/* Return the travel from a to b in route r as sum k counts it. */
INLINE real sum_leg(const Fleet *f, int32 k, int32 r, int32 a, int32 b) {
    if (a == b || f->travel[k] == NO_TRAVEL) return 0;
    if (f->travel[k] == DISTANCES) return leg(f, r, a, b);
    int64 n = f->points.n;
#ifdef MIXED
    a = place_before(f, r, a), b = place_behind(f, r, b);
    if (a >= n || b >= n) return 0;
#endif
    return f->tables[f->travel[k] * n * n + a * n + b];
}

/* Return what c between a and b of route r adds to the travel of sum k. */
INLINE real sum_detour(const Fleet *f, int32 k, int32 r, int32 a, int32 c, int32 b) {
    return sum_leg(f, k, r, a, c) + sum_leg(f, k, r, c, b) - sum_leg(f, k, r, a, b);
}

/* Whether route r keeps its sums with c between a and b, if it has the vehicle of route `driver`. */
INLINE int32 sums_allow(const Fleet *f, int32 r, int32 driver, int32 a, int32 c, int32 b) {
    for (int32 k = 0; k < SUMS(f); k++)
        if (sum_of(f, r, k) + sum_detour(f, k, r, a, c, b) + amount_of(f, c, k) > most_of(f, driver, k)) return 0;
    return 1;
}

/* Whether it keeps them now. */
INLINE int32 keeps_sums(const Fleet *f, int32 r) {
    for (int32 k = 0; k < SUMS(f); k++)
        if (sum_of(f, r, k) > most_of(f, r, k)) return 0;
    return 1;
}

/* Note c between a and b of route r: it comes (sign 1) or goes (sign -1). */
INLINE void change_sums(Fleet *f, int32 r, int32 a, int32 c, int32 b, real sign) {
    for (int32 k = 0; k < SUMS(f); k++)
        f->sum[(int64)r * f->sums + k] += sign * (sum_detour(f, k, r, a, c, b) + amount_of(f, c, k));
}

INLINE void clear_sums(Fleet *f, int32 r) {
    for (int32 k = 0; k < SUMS(f); k++) f->sum[(int64)r * f->sums + k] = 0;
}

/* Add up the sums of route r anew. */
INLINE void add_up_sums(Fleet *f, int32 r) {
    for (int32 k = 0; k < SUMS(f); k++) {
        real sum = f->size[r] > 0 ? sum_leg(f, k, r, DEPOT, f->first[r]) : 0;
        for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c])
            sum += sum_leg(f, k, r, c, f->next[c]) + amount_of(f, c, k);
        f->sum[(int64)r * f->sums + k] = sum;
    }
}

/* Whether route q keeps its sums with the chain u..e of route r, onward or backward, between v and its neighbour y. */
INLINE int32 sums_allow_chain(const Fleet *f, int32 r, int32 q, int32 u, int32 e, int32 v, int32 y, int32 onward,
                              int32 behind) {
    for (int32 k = 0; k < SUMS(f); k++) {
        real more = behind ? sum_leg(f, k, q, v, u) + sum_leg(f, k, q, e, y) - sum_leg(f, k, q, v, y)
                           : sum_leg(f, k, q, y, e) + sum_leg(f, k, q, u, v) - sum_leg(f, k, q, y, v);
        int32 a = onward ? f->prev[u] : f->next[u], z = onward ? f->next[e] : f->prev[e];
        if (q == r)
            more -= onward ? sum_leg(f, k, r, a, u) + sum_leg(f, k, r, e, z) - sum_leg(f, k, r, a, z)
                           : sum_leg(f, k, r, z, e) + sum_leg(f, k, r, u, a) - sum_leg(f, k, r, z, a);
        for (int32 c = q == r ? z : u; c != z;) {
            int32 then = onward ? f->next[c] : f->prev[c];
            more += amount_of(f, c, k);
            if (then != z) more += onward ? sum_leg(f, k, r, c, then) : sum_leg(f, k, r, then, c);
            c = then;
        }
        if (sum_of(f, q, k) + more > most_of(f, q, k)) return 0;
    }
    return 1;
}

/* Whether u and y of other routes keep all sums if they change places. */
INLINE int32 sums_allow_swap(const Fleet *f, int32 u, int32 y) {
    int32 r = f->route[u], q = f->route[y];
    for (int32 k = 0; k < SUMS(f); k++) {
        real more = amount_of(f, y, k) - amount_of(f, u, k);
        real of_r = sum_detour(f, k, r, f->prev[u], y, f->next[u]) - sum_detour(f, k, r, f->prev[u], u, f->next[u]);
        real of_q = sum_detour(f, k, q, f->prev[y], u, f->next[y]) - sum_detour(f, k, q, f->prev[y], y, f->next[y]);
        if (sum_of(f, r, k) + of_r + more > most_of(f, r, k) || sum_of(f, q, k) + of_q - more > most_of(f, q, k)) return 0;
    }
    return 1;
}

/* Return what reversing the part from..to of route r, all of whose travel is symmetric, adds to sum k. */
INLINE real turned_sum(const Fleet *f, int32 k, int32 r, int32 from, int32 to) {
    int32 a = f->prev[from], b = f->next[to];
    return sum_leg(f, k, r, a, to) + sum_leg(f, k, r, from, b) - sum_leg(f, k, r, a, from) - sum_leg(f, k, r, to, b);
}

INLINE int32 sums_allow_turn(const Fleet *f, int32 r, int32 from, int32 to) {
    for (int32 k = 0; k < SUMS(f); k++)
        if (sum_of(f, r, k) + turned_sum(f, k, r, from, to) > most_of(f, r, k)) return 0;
    return 1;
}

#endif
