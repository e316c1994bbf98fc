/* Time windows in the HGS local search, in builds with TIMED: windows that are missed cost a penalty per unit of time warp
 * (Nagata, Bräysy and Dullaert 2010), and so does what a route takes above its longest duration.
 *
 * That is what the second measure of a route is here. Its limit is 0, its table the travel times. Between two routes it is
 * known from the heads and tails of both in constant time; within one the route is walked along.
 */
#ifndef WARPTOUR_ROUTES_WARP
#define WARPTOUR_ROUTES_WARP
#include "routes/penalized.h"

/* A piece of a route from the depot on, and its last stop. */
typedef struct {
    Segment piece;
    int32 at;
} Walk;

INLINE Walk walk_from(const LocalSearch *s, int32 a) {
    Walk w = {s->heads[a], a};
    return w;
}

INLINE void walk_to(const LocalSearch *s, Walk *w, int32 c) {
    w->piece = joined(w->piece, apart_in(s, &s->second, w->at, c), window_of(s, c));
    w->at = c;
}

/* Walk from customer `from` to `to` and all between, onward or back. */
INLINE void walk_along(const LocalSearch *s, Walk *w, int32 from, int32 to, int32 back) {
    for (int32 c = from;; c = back ? s->prev[c] : s->next[c]) {
        walk_to(s, w, c);
        if (c == to) return;
    }
}

/* Return the trouble of route r if a walk goes on as the route of y does from y on; a depot node stands for its end. */
INLINE real walk_into(const LocalSearch *s, const Walk *w, int32 y, int32 r) {
#ifdef MIXED
    Walk all = *w;
    int32 end = s->m + r;
    if (y < s->m) {
        all.piece = joined(w->piece, apart_in(s, &s->second, w->at, y), s->tails[y]);
        all.at = s->prev[s->m + s->route[y]];
    }
    return trouble_of(s, r, joined(all.piece, apart_in(s, &s->second, all.at, end), s->tails[end]));
#else
    return trouble_of(s, r, joined(w->piece, apart_in(s, &s->second, w->at, y), s->tails[y]));
#endif
}

/* The effects of moves; see the functions of the same name without `warp`. */
INLINE Effect relocated_warp(const LocalSearch *s, int32 f, int32 l, int32 v, int32 turned) {
    int32 a = s->prev[f], b = s->next[l], y = s->next[v], r = s->route[f], q = s->route[v];
    int32 from = turned ? l : f, to = turned ? f : l;
    if (r != q) {
        Walk left = walk_from(s, a), longer = walk_from(s, v);
        walk_along(s, &longer, from, to, turned);
        Effect effect = {0, 0, walk_into(s, &left, b, r), walk_into(s, &longer, y, q)};
        return effect;
    }
    int32 later = s->place[v] > s->place[f];
    Walk w = walk_from(s, later ? a : v);
    if (later) walk_along(s, &w, b, v, 0);
    walk_along(s, &w, from, to, turned);
    if (!later) walk_along(s, &w, y, a, 0);
    Effect effect = {0, walk_into(s, &w, later ? y : b, r) - s->second.total[r], 0, 0};
    return effect;
}

INLINE Effect exchanged_warp(const LocalSearch *s, int32 f, int32 l, int32 g, int32 k) {
    int32 a = s->prev[f], b = s->next[l], c = s->prev[g], d = s->next[k], r = s->route[f], q = s->route[g];
    if (r != q) {
        Walk here = walk_from(s, a), there = walk_from(s, c);
        walk_along(s, &here, g, k, 0), walk_along(s, &there, f, l, 0);
        Effect effect = {0, 0, walk_into(s, &here, b, r), walk_into(s, &there, d, q)};
        return effect;
    }
    int32 first = s->place[f] < s->place[g];
    Walk w = walk_from(s, first ? a : c);
    walk_along(s, &w, first ? g : f, first ? k : l, 0);
    walk_along(s, &w, first ? b : d, first ? c : a, 0);
    walk_along(s, &w, first ? f : g, first ? l : k, 0);
    Effect effect = {0, walk_into(s, &w, first ? d : b, r) - s->second.total[r], 0, 0};
    return effect;
}

INLINE Effect turned_around_warp(const LocalSearch *s, int32 u, int32 v) {
    Walk w = walk_from(s, u);
    walk_along(s, &w, v, s->next[u], 1);
    Effect effect = {0, walk_into(s, &w, s->next[v], s->route[u]) - s->second.total[s->route[u]], 0, 0};
    return effect;
}

INLINE Effect ends_crossed_warp(const LocalSearch *s, int32 u, int32 v) {
    Walk here = walk_from(s, u), there = walk_from(s, v);
    Effect effect = {0, 0, walk_into(s, &here, s->next[v], s->route[u]), walk_into(s, &there, s->next[u], s->route[v])};
    return effect;
}

INLINE Effect turned_crossed_warp(const LocalSearch *s, int32 u, int32 v) {
    int32 end_r = s->m + s->route[u], end_q = s->m + s->route[v], x = s->next[u];
    Walk here = walk_from(s, u), there = walk_from(s, end_q);
    if (v != end_q) walk_along(s, &here, v, s->next[end_q], 1);
    if (x != end_r) walk_along(s, &there, s->prev[end_r], x, 1);
    Effect effect = {0, 0, walk_into(s, &here, end_r, s->route[u]), walk_into(s, &there, s->next[v], s->route[v])};
    return effect;
}

/* Return the trouble of a route when v, if any, leaves it and c, if any, comes behind `at`, which is not v. */
INLINE real trouble_after(const LocalSearch *s, int32 v, int32 c, int32 at) {
    int32 r = s->route[v >= 0 ? v : at], early = v >= 0 && (c < 0 || s->place[v] <= s->place[at]); /* v leaves before c comes */
    Walk w = walk_from(s, early ? s->prev[v] : at);
    if (!early) walk_to(s, &w, c);
    if (v < 0) return walk_into(s, &w, s->next[at], r);
    if (c < 0) return walk_into(s, &w, s->next[v], r);
    for (int32 e = s->next[early ? v : at]; e != (early ? s->next[at] : v); e = s->next[e]) walk_to(s, &w, e);
    if (early) walk_to(s, &w, c);
    return walk_into(s, &w, s->next[early ? at : v], r);
}

#endif
