/* Moves of the HGS local search where customers may be in no route, and vehicles differ: in builds with MIXED. */
#ifndef WARPTOUR_ROUTES_OPTIONAL
#define WARPTOUR_ROUTES_OPTIONAL

/* Return what a route without customer v is penalised with; c, if any, comes in its place; *longer: its change in travel. */
INLINE real penalty_without(const LocalSearch *s, int32 v, int32 c, real *longer) {
    int32 r = s->route[v], a = s->prev[v], b = s->next[v];
    real gap = c < 0 ? apart(s, a, b) : apart(s, a, c) + apart(s, c, b);
    *longer = gap - apart(s, a, v) - apart(s, v, b);
    Amounts left = {s->load[r] - s->demand[v] + (c < 0 ? 0 : s->demand[c]), s->own.total[r] + *longer, 0};
    if (SECOND(s)) left.time2 = second_after(s, r, v, c, a);
    return penalty_of(s, r, left);
}

/* Customer c is in no route any more, and all routes are new to it. */
INLINE void leave(LocalSearch *s, int32 c) { s->route[c] = NOWHERE, s->tested[c] = -1; }

/* Take customer u out of its route if that pays. */
INLINE int32 drop(LocalSearch *s, int32 u) {
    int32 r = s->route[u];
    real longer, delta = penalty_without(s, u, NOWHERE, &longer) - s->penalty[r] + rate_of(s, r) * longer + s->prizes[u];
    if (s->size[r] == 1) delta -= fixed_of(s, r);
    if (delta >= -(s->absolute + s->relative * (s->prizes[u] - rate_of(s, r) * longer + s->penalty[r]))) return 0;
    join(s, s->prev[u], s->next[u]);
    leave(s, u);
    return moved(s, r, r);
}

/* Put customer u, which is in no route, where it costs least or in the place of a neighbour, if that pays. */
INLINE int32 fetch(LocalSearch *s, int32 u, int32 since) {
    real best = s->prizes[u] - s->absolute - s->relative * s->prizes[u];
    int32 to = best_place_of(s, u, since, &best), instead = NOWHERE;
    GLOBAL const int32 *row = s->near + (int64)u * s->width;
    for (int32 j = 0; j < s->width && row[j] >= 0; j++) {
        int32 v = row[j], r = s->route[v];
        if (r == NOWHERE || s->prizes[v] >= FAR || s->changed[r] <= since) continue;
        real longer, delta = penalty_without(s, v, u, &longer) - s->penalty[r] + rate_of(s, r) * longer + s->prizes[v];
        if (delta < best) best = delta, instead = v;
    }
    if (instead >= 0) {
        int32 a = s->prev[instead], b = s->next[instead], r = s->route[instead];
        join(s, a, u), join(s, u, b);
        leave(s, instead);
        return moved(s, r, r);
    }
    if (to < 0) return 0;
    put_behind(s, u, to);
    return 1;
}

/* Drop or fetch customer u if that pays and something has changed after so many moves. */
INLINE int32 drop_or_fetch(LocalSearch *s, int32 u, int32 since) {
    if (IS_ABSENT(s, u)) return fetch(s, u, since);
    return s->prizes[u] < FAR && s->changed[s->route[u]] > since && drop(s, u);
}

/* Give the route of which u is the first customer to an empty vehicle of another kind, or exchange its vehicle with that of
 * a neighbour. */
INLINE void change_vehicle(LocalSearch *s, int32 u, int32 since) {
    int32 r = s->route[u], fresh = s->changed[r] > since;
    for (int32 k = 0; k < s->number; k++) {
        int32 q = s->idles[k];
        if (k == s->kind[r] || q < 0 || !(fresh || s->changed[q] > since)) continue;
        if (cross_ends(s, s->m + r, s->m + q)) return;
    }
    GLOBAL const int32 *row = s->near + (int64)u * s->width;
    for (int32 j = 0; j < s->width && row[j] >= 0; j++) {
        int32 q = s->route[row[j]];
        if (q == NOWHERE || s->kind[q] == s->kind[r] || !(fresh || s->changed[q] > since)) continue;
        if (cross_ends(s, s->m + r, s->m + q)) return;
    }
}

#endif
