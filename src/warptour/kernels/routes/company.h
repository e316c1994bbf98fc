/* Insertion of a company: customers that go together come into one route, each where it then adds least. */
#ifndef WARPTOUR_ROUTES_COMPANY
#define WARPTOUR_ROUTES_COMPANY
#ifdef MIXED

#define TRIED_ROUTES 12 /* nearest routes into which a company is tried */

/* Return companion number `at` of those from `from` on, counted around. */
INLINE int32 companion(const Fleet *f, int32 from, int32 size, int32 at) {
    return f->bonds.companions[from + at % size];
}

/* Put c where it adds least to route r; return 0 if it fits nowhere there. */
INLINE int32 put_cheapest(Fleet *f, int32 c, int32 r) {
    Position best = NO_POSITION(UNREACHED);
    if (!has_room(f, r, c) || !may_serve(f, r, c) || rival_on(&f->bonds, f->route, c, r, ABSENT)) return 0;
    if (f->size[r] == 0) consider_empty(f, c, r, &best);
    for (int32 a = DEPOT, b = f->size[r] > 0 ? f->first[r] : DEPOT, ends = f->size[r] == 0; !ends;) {
        consider_driver(f, &best, r, r, a, c, b, leg(f, r, a, c) + leg(f, r, c, b) - apart(f, r, a, b));
        if (b == DEPOT) ends = 1;
        else a = b, b = f->next[b];
    }
    if (best.route == ABSENT) return 0;
    put_in(f, c, best.after, r, best.travel);
    return 1;
}

/* Return what the `size` companions from `from` on add to route r, of which number `shift` comes first; UNREACHED if they do
 * not fit. They stay there if `keep`. */
INLINE real add_company(Fleet *f, int32 from, int32 size, int32 shift, int32 r, int32 keep) {
    int32 lines = f->logged, count = 0;
    real prizes = 0;
    schedule_route(f, r);
    real before = f->cost;
    for (; count < size && put_cheapest(f, companion(f, from, size, shift + count), r); count++)
        prizes += prize_of(f, companion(f, from, size, shift + count));
    schedule_route(f, r);
    real more = count < size || f->timed[r] == BROKEN ? (real)UNREACHED : f->cost - before + prizes;
    if (keep) return more;
    while (count > 0) take_out(f, companion(f, from, size, shift + --count));
    f->logged = lines;
    schedule_route(f, r);
    return more;
}

/* List up to TRIED_ROUTES routes of the neighbours of a company that leave room for `load`; return their number. */
INLINE int32 routes_nearby(const Fleet *f, int32 from, int32 size, real load, int32 *routes) {
    int32 count = 0;
    for (int32 k = 0; k < f->width; k++)
        for (int32 j = 0; j < size; j++) {
            int32 v = f->near[(int64)f->bonds.companions[from + j] * f->width + k], known = 0;
            if (v < 0 || f->route[v] == ABSENT || f->load[f->route[v]] + load > capacity_of(f, f->route[v])) continue;
            for (int32 i = 0; i < count; i++) known |= routes[i] == f->route[v];
            if (known) continue;
            routes[count++] = f->route[v];
            if (count == TRIED_ROUTES) return count;
        }
    return count;
}

/* Insert the company whose leader is c, unless leaving it out costs less. Return 0 if it must be served and fits nowhere. */
INLINE int32 insert_company(Fleet *f, Dice *d, int32 c, real blink) {
    int32 company = company_of(&f->bonds, c), from = begin_of(f->bonds.company_ends, company), routes[TRIED_ROUTES];
    int32 size = f->bonds.company_ends[company] - from, shift = (int32)throw_below(d, size), chosen = ABSENT;
    real load = 0, prizes = 0;
    if (f->route[c] != ABSENT) return 1;
    for (int32 j = from; j < from + size; j++)
        load += f->demand[f->bonds.companions[j]], prizes += prize_of(f, f->bonds.companions[j]);
    int32 count = routes_nearby(f, from, size, load, routes);
    real least = is_optional(f, c) && f->eager < UNREACHED ? f->eager * prizes : UNREACHED;
    for (int32 k = 0; k < count + f->number; k++) {
        int32 r = k < count ? routes[k] : empty_of(f, k - count);
        if (r == ABSENT || (blink > 0 && throw_unit(d) <= blink)) continue;
        real more = add_company(f, from, size, shift, r, 0);
        if (more < least) least = more, chosen = r;
    }
    if (chosen != ABSENT) add_company(f, from, size, shift, chosen, 1);
    return chosen != ABSENT || is_optional(f, c);
}

/* Let companies that lost a customer lose all of them; in the pool of `count` removed customers their leaders stand for them.
 * Return the new count. */
INLINE int32 remove_companies(Fleet *f, GLOBAL int32 *pool, int32 count) {
    int32 kept = 0;
    for (int32 k = 0; k < count; k++) {
        int32 c = pool[k], company = company_of(&f->bonds, c), leader = leader_of(&f->bonds, c);
        if (company >= 0 && f->drawn[leader] == f->attempt) continue;
        for (int32 j = company < 0 ? 0 : begin_of(f->bonds.company_ends, company);
             company >= 0 && j < f->bonds.company_ends[company]; j++)
            if (f->route[f->bonds.companions[j]] != ABSENT) take_out(f, f->bonds.companions[j]);
        f->drawn[leader] = f->attempt, pool[kept++] = leader;
    }
    return kept;
}

#endif
#endif
