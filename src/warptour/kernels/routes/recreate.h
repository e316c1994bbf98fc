/* Recreate: greedy insertion with blinks (Christiaens and Vanden Berghe, 2020), in one of four orders drawn at random.
 * Each removed customer goes where it adds least; a position is skipped with probability `blink`. */
#ifndef WARPTOUR_ROUTES_RECREATE
#define WARPTOUR_ROUTES_RECREATE

#define NO_BLINK (1 << 30) /* positions before a blink, at most: more than there are, and twice as many fit an int32 */

/* Sort the pool by one of four orders: random, largest demand, farthest from or nearest to the depot first; where stops have
 * windows, by their opening, closing or length as well. */
INLINE void order_pool(const Fleet *f, Dice *d, GLOBAL int32 *pool, GLOBAL real *rank, int32 count) {
#ifdef TIMED
    uint32 kind = throw_below(d, 17); /* weights 4 : 4 : 2 : 1 : 2 : 2 : 2 */
#else
    uint32 kind = throw_below(d, 11); /* weights 4 : 4 : 2 : 1 */
#endif
    for (int32 k = 0; k < count; k++) {
        int32 c = pool[k], to = k;
        real key = kind < 4   ? throw_unit(d)
                   : kind < 8 ? -f->demand[c]
                   : kind < 10 ? -between(&f->points, DEPOT, c)
                               : between(&f->points, DEPOT, c);
#ifdef TIMED
        if (kind >= 11) key = kind < 13 ? f->opens[c] : kind < 15 ? f->due[c] : f->due[c] - f->opens[c];
#endif
        for (; to > 0 && rank[to - 1] > key; to--) rank[to] = rank[to - 1], pool[to] = pool[to - 1];
        rank[to] = key, pool[to] = c;
    }
}

/* Draw the number of positions evaluated before the next blink (geometric distribution). */
INLINE int32 throw_blink(Dice *d, real blink) {
    real positions = blink > 0 ? log(throw_unit(d)) / log1p(-blink) : NO_BLINK;
    return positions < NO_BLINK ? (int32)positions : NO_BLINK;
}

/* Whether route r keeps its limits with c between a and b, at *more travel, to which what the time costs is added, and up to
 * `spare_time` before c's service. */
INLINE int32 in_time(Fleet *f, int32 r, int32 a, int32 c, int32 b, real *more, real spare_time) {
    if (f->time[r] + *more > spare_time) return 0;
    if (SECOND(f) && f->time2[r] + detour2(f, a, c, b) + f->service2[c] > f->limit2) return 0;
#ifdef TIMED
    real price;
    schedule_route(f, r);
    if (!keeps_times(f, r, a, &c, 1, r, b, &price)) return 0;
    *more += price - f->price[r];
#endif
    return 1;
}

#if LANES != 32 /* else lanes.h */
#define LISTED 32 /* neighbours that are compared together, and half as many while no position is known */

/* Both list the places of some of the neighbours row[from], .., row[end - 1], and return their number: those whose routes
 * have `room`, or those beside which the triangle inequality allows a detour below `bound`. Most have not, or are too far,
 * but branches would not be predicted. */
INLINE int32 list_fitting(const Fleet *f, GLOBAL const int32 *row, int32 from, int32 end, real room, int32 *places) {
    int32 count = 0;
    for (int32 k = from; k < end; k++) {
        int32 r = f->route[row[k]];
        places[count] = k;
        count += (r != ABSENT) & (f->load[r == ABSENT ? 0 : r] <= room);
    }
    return count;
}

INLINE int32 list_near(const Fleet *f, GLOBAL const int32 *row, GLOBAL const real *reach, int32 from, int32 end,
                       real bound, int32 *places) {
    int32 count = 0;
    for (int32 k = from; k < end; k++) {
        real least = reach[k] - bound / 2;
        places[count] = k;
        count += (least < f->back[row[k]]) | (least < f->ahead[row[k]]);
    }
    return count;
}

/* Insert customer c at its cheapest position: next to a neighbour or in a new route. Return 0 if it fits nowhere.
 *
 *     a-v  ->  a-c-v      adds d(a,c) + d(c,v) - d(a,v), which is at least 2 (d(c,v) - d(a,v)) by the triangle
 *                         inequality if d is symmetric: most edges are ruled out without computing d(a,c).
 * sight: number of neighbours left to look at before the next blink. */
INLINE int32 insert_customer(Fleet *f, Dice *d, int32 c, real blink, int32 *sight) {
    const Points *p = &f->points;
    real home = between(p, DEPOT, c), trip = DIRECTED ? home + leg(f, c, DEPOT) : 2 * home, best = UNREACHED;
    int32 best_after = ABSENT, best_route = ABSENT, skipped = *sight, size = 0;
    GLOBAL const int32 *row = f->near + (int64)c * f->width;
    GLOBAL const real *reach = f->reach + (int64)c * f->width;
    GLOBAL const real *back_reach = DIRECTED ? reach + (int64)f->m * f->width : reach;
    real room = f->capacity - f->demand[c], spare_time = f->limit - f->service[c];
    while (size < f->width && row[size] >= 0) {
        int32 from = size, bounded = best < UNREACHED && !f->detours, places[LISTED];
        while (size < from + (bounded ? LISTED : LISTED / 2) && size < f->width && row[size] >= 0) size++;
        int32 count = bounded ? list_near(f, row, reach, from, size, best, places)
                              : list_fitting(f, row, from, size, room, places);
        for (int32 j = 0; j < count; j++) {
            int32 k = places[j], v = row[k], r = f->route[v];
            if (bounded && (r == ABSENT || f->load[r] > room)) continue;
            while (skipped < k) skipped += 1 + throw_blink(d, blink);
            if (skipped == k) continue;
            real here = reach[k];
            if (f->detours || 2 * (here - f->back[v]) < best) {
                int32 a = f->prev[v];
                real more = here + between(p, a, c) - f->back[v];
                if (more < best && in_time(f, r, a, c, v, &more, spare_time) && more < best)
                    best = more, best_after = a, best_route = r;
            }
            here = back_reach[k];
            if (f->detours || 2 * (here - f->ahead[v]) < best) {
                int32 b = f->next[v];
                real more = here + leg(f, c, b) - f->ahead[v];
                if (more < best && in_time(f, r, v, c, b, &more, spare_time) && more < best)
                    best = more, best_after = v, best_route = r;
            }
        }
    }
    while (skipped < size) skipped += 1 + throw_blink(d, blink);
    *sight = skipped - size;
    int32 empty = f->spares > 0 ? f->spare[f->spares - 1] : ABSENT;
    if (empty != ABSENT && trip + f->fixed < best && in_time(f, empty, DEPOT, c, DEPOT, &trip, spare_time) &&
        trip + f->fixed < best)
        best = trip, best_after = DEPOT, best_route = empty;
    if (best_route == ABSENT) return 0;
    if (PRICED(f)) {
        int32 b = best_after == DEPOT ? (f->size[best_route] ? f->first[best_route] : DEPOT) : f->next[best_after];
        best = apart(f, best_after, c) + apart(f, c, b) - apart(f, best_after, b);
    }
    put_in(f, c, best_after, best_route, best);
    return 1;
}
#endif

#endif
