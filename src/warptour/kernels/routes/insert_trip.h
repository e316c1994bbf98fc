/* Insertion of a customer with a reload, in builds with TRIPS: behind it a trip ends, or with it one begins.
 *
 *     a-b  ->  a-c-R-b  or  a-R-c-b
 */
#ifndef WARPTOUR_ROUTES_INSERT_TRIP
#define WARPTOUR_ROUTES_INSERT_TRIP
#ifdef TRIPS

/* Whether route r keeps its sums with u and v, in this order, between a and b. */
INLINE int32 sums_allow_two(const Fleet *f, int32 r, int32 a, int32 u, int32 v, int32 b) {
    for (int32 k = 0; k < SUMS(f); k++) {
        real way = sum_leg(f, k, r, a, u) + sum_leg(f, k, r, u, v) + sum_leg(f, k, r, v, b) - sum_leg(f, k, r, a, b);
        if (sum_of(f, r, k) + way + amount_of(f, u, k) + amount_of(f, v, k) > most_of(f, r, k)) return 0;
    }
    return 1;
}

/* Let *best be c between a and b of route r, with the reload before it if `loaded` and else behind it, if that adds less. */
INLINE void consider_with_reload(Fleet *f, Position *best, int32 r, int32 a, int32 c, int32 b, int32 reload, int32 loaded) {
    int32 pair[2] = {loaded ? reload : c, loaded ? c : reload};
    real travel = leg(f, r, a, pair[0]) + leg(f, r, pair[0], pair[1]) + leg(f, r, pair[1], b) - apart(f, r, a, b), price;
    real time = f->time[r] + travel + f->service[c] + f->service[reload];
    if (travel >= best->more || time > limit_of(f, r) || !sums_allow_two(f, r, a, pair[0], pair[1], b)) return;
    schedule_route(f, r);
    if (!keeps_times(f, r, a, pair, 2, r, b, r, time, &price)) return;
    Position position = {travel + price - f->price[r], travel, a, r, r, reload, loaded};
    if (position.more < best->more) *best = position;
}

/* Consider c between a and b of route r with a reload at each dock, where that leaves no trip empty. */
INLINE void consider_reloads(Fleet *f, Position *best, int32 r, int32 a, int32 c, int32 b) {
    for (int32 dock = 0; dock < f->docks; dock++) {
        int32 reload = idle_of(f, dock);
        if (reload == ABSENT || !may_serve(f, r, reload)) continue;
        if (a != DEPOT && !is_reload(f, a)) consider_with_reload(f, best, r, a, c, b, reload, 1);
        if (b != DEPOT && !is_reload(f, b)) consider_with_reload(f, best, r, a, c, b, reload, 0);
    }
}

/* Consider a trip of c alone before, between and behind those of all routes. */
INLINE void consider_new_trips(Fleet *f, Position *best, int32 c) {
    for (int32 dock = 0; dock < f->docks; dock++) {
        int32 reload = idle_of(f, dock), begin = dock_begin(f, dock);
        if (reload == ABSENT) continue;
        real there = between(&f->points, c, reload), back = DIRECTED ? between(&f->points, reload, c) : there;
        if (!f->detours && there + back >= best->more) continue;
        for (int32 r = 0; r < f->slots; r++) {
            if (f->size[r] == 0 || !may_serve(f, r, c) || !may_serve(f, r, reload)) continue;
            if (rival_on(&f->bonds, f->route, c, r, ABSENT)) continue;
            consider_with_reload(f, best, r, DEPOT, c, f->first[r], reload, 0);
            consider_with_reload(f, best, r, f->last[r], c, DEPOT, reload, 1);
        }
        for (int32 k = begin + f->idles[dock]; k < f->dock_ends[dock] - f->reloads; k++) {
            int32 other = f->idle[k], r = f->route[other];
            if (!may_serve(f, r, c) || rival_on(&f->bonds, f->route, c, r, ABSENT)) continue;
            consider_with_reload(f, best, r, f->prev[other], c, other, reload, 1);
        }
    }
}

/* Put c and its reload where they belong. */
INLINE void put_trip(Fleet *f, int32 c, Position at) {
    int32 first = at.loaded ? at.reload : c, r = at.route;
    int32 b = at.after == DEPOT ? f->first[r] : f->next[at.after];
    real more = apart(f, r, at.after, first) + apart(f, r, first, b) - apart(f, r, at.after, b);
    put_in(f, first, at.after, r, more);
    put_in(f, at.loaded ? c : at.reload, first, r, at.travel - more);
}

#endif
#endif
