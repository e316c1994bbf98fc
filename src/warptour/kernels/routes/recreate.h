/* Recreate: greedy insertion with blinks (Christiaens and Vanden Berghe, 2020), in one of four orders drawn at random.
 * Each removed customer goes where it adds least; a position is skipped with probability `blink`. */
#ifndef WARPTOUR_ROUTES_RECREATE
#define WARPTOUR_ROUTES_RECREATE

#define NO_BLINK (1 << 30) /* positions before a blink, at most: more than there are, and twice as many fit an int32 */

/* Return what c, or its shipment, takes of a vehicle. */
INLINE real amount_of_goods(const Fleet *f, int32 c) {
#ifdef PAIRS
    return load_at(f, c, 0).peak;
#else
    return f->demand[c];
#endif
}

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
                   : kind < 8 ? -amount_of_goods(f, c)
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

/* Whether route r keeps its limits with c between a and b and the vehicle of route `driver`, at *more travel, to which what
 * else it then costs is added. */
INLINE int32 keeps_limits(Fleet *f, int32 r, int32 driver, int32 a, int32 c, int32 b, real *more) {
    if (f->time[r] + *more > limit_of(f, driver) - f->service[c]) return 0;
    if (!sums_allow(f, r, driver, a, c, b)) return 0;
#ifdef TIMED
    real price;
    schedule_route(f, r);
    if (!keeps_times(f, r, a, &c, 1, r, b, driver, f->time[r] + *more, &price)) return 0;
    *more += price - f->price[r];
#endif
    return 1;
}

#if LANES != 32 /* else lanes.h */
#define LISTED 32 /* neighbours that are compared together, and half as many while no position is known */

/* Both list the places of some of the neighbours row[from], .., row[end - 1], and return their number: those whose routes
 * have room for c, or those beside which the triangle inequality allows a detour below `bound`. Most have not, or are too
 * far, but branches would not be predicted. */
INLINE int32 list_fitting(const Fleet *f, int32 c, GLOBAL const int32 *row, int32 from, int32 end, int32 *places) {
    int32 count = 0;
    for (int32 k = from; k < end; k++) {
        int32 r = f->route[row[k]];
        places[count] = k;
        count += (r != ABSENT) & may_take(f, r == ABSENT ? 0 : r, c);
    }
    return count;
}

INLINE int32 list_near(const Fleet *f, GLOBAL const int32 *row, GLOBAL const real *reach, int32 from, int32 end,
                       real bound, int32 *places) {
    int32 count = 0;
    for (int32 k = from; k < end; k++) {
        real least = reach[k] - bound / 2;
        places[count] = k;
        count += (least < f->back[row[k]]) | (least < f->ahead[row[k]]) | at_open_end(f, row[k]);
    }
    return count;
}

/* A position: behind customer `after` of a route, which then has the vehicle of route `driver`; ABSENT if there is none. A
 * customer there adds `travel` to the route and `more` to the cost. */
typedef struct {
    real more, travel;
    int32 after, route, driver;
#ifdef TRIPS
    int32 reload, loaded; /* what comes with the customer, or ABSENT, and whether it comes before it */
#endif
} Position;
#ifdef TRIPS
#define NO_POSITION(bound) {bound, 0, ABSENT, ABSENT, ABSENT, ABSENT, 0}
#else
#define NO_POSITION(bound) {bound, 0, ABSENT, ABSENT, ABSENT}
#endif

INLINE void consider_driver(Fleet *f, Position *best, int32 r, int32 driver, int32 a, int32 c, int32 b, real travel) {
    real more = travel;
    Position position = NO_POSITION(0);
    position.travel = travel, position.after = a, position.route = r, position.driver = driver;
    if (more >= best->more || !keeps_limits(f, r, driver, a, c, b, &more) || more >= best->more) return;
    position.more = more;
    *best = position;
}

#include "routes/insert_trip.h"

/* Let *best be c between a and b of route r if that adds less, where need be by a larger vehicle that is alike. */
INLINE void consider_position(Fleet *f, Position *best, int32 r, int32 a, int32 c, int32 b, real travel) {
#ifdef MIXED
    if (rival_on(&f->bonds, f->route, c, r, ABSENT)) return;
    if (!has_room(f, r, c) || !may_serve(f, r, c)) {
        for (int32 k = 0; k < f->number; k++) {
            int32 q = empty_of(f, k);
            if (q != ABSENT && may_replace(f, r, q, c)) consider_driver(f, best, r, q, a, c, b, travel);
        }
        return;
    }
#ifdef PAIRS
    for (int32 k = 0; k < f->number && f->larger && f->number > 1 && is_taken_from(f, c); k++) {
        int32 q = empty_of(f, k);
        if (q != ABSENT && carries_as_much(f, r, q) && may_replace(f, r, q, c)) consider_driver(f, best, r, q, a, c, b, travel);
    }
#endif
#endif
#ifdef TRIPS
    real bound = best->more;
    consider_driver(f, best, r, r, a, c, b, travel);
    if (best->more == bound && travel < bound) consider_reloads(f, best, r, a, c, b);
#else
    consider_driver(f, best, r, r, a, c, b, travel);
#endif
}

/* Let *best be alone in the empty route r if c there adds less. */
INLINE void consider_empty(Fleet *f, int32 c, int32 r, Position *best) {
    real out = leg(f, r, DEPOT, c), trip = DIRECTED ? out + leg(f, r, c, DEPOT) : 2 * out, more = trip;
    if (!has_room(f, r, c) || trip + f->fixed - saved_at_start(f, r) >= best->more || !keeps_limits(f, r, r, DEPOT, c, DEPOT, &more)) return;
    Position position = NO_POSITION(more + f->fixed);
    position.travel = trip, position.after = DEPOT, position.route = position.driver = r;
    if (position.more < best->more) *best = position;
}

/* Return the cheapest position of c that adds less than `bound`: next to a neighbour or in a new route.
 *
 *     a-v  ->  a-c-v      adds d(a,c) + d(c,v) - d(a,v), which is at least 2 (d(c,v) - d(a,v)) by the triangle
 *                         inequality if d is symmetric: most edges are ruled out without computing d(a,c).
 * sight: number of neighbours left to look at before the next blink. */
INLINE Position cheapest_position(Fleet *f, Dice *d, int32 c, real blink, int32 *sight, real bound) {
    Position best = NO_POSITION(bound);
    int32 skipped = *sight, size = 0;
    GLOBAL const int32 *row = f->near + (int64)c * f->width;
    GLOBAL const real *reach = f->reach + (int64)c * f->width;
    GLOBAL const real *back_reach = DIRECTED ? reach + (int64)f->m * f->width : reach;
    while (size < f->width && row[size] >= 0) {
        int32 from = size, bounded = best.more < UNREACHED && !f->detours, places[LISTED];
        while (size < from + (bounded ? LISTED : LISTED / 2) && size < f->width && row[size] >= 0) size++;
        int32 count = bounded ? list_near(f, row, reach, from, size, best.more, places)
                              : list_fitting(f, c, row, from, size, places);
        for (int32 j = 0; j < count; j++) {
            int32 k = places[j], v = row[k], r = f->route[v];
            if (bounded && (r == ABSENT || !may_take(f, r, c))) continue;
            while (skipped < k) skipped += 1 + throw_blink(d, blink);
            if (skipped == k) continue;
            real here = reached(f, r, c, v, reach[k]);
            if (f->detours || 2 * (here - f->back[v]) < best.more || at_open_end(f, v)) {
                int32 a = f->prev[v];
                consider_position(f, &best, r, a, c, v, here + leg(f, r, a, c) - f->back[v]);
            }
            here = reached(f, r, v, c, back_reach[k]);
            if (f->detours || 2 * (here - f->ahead[v]) < best.more || at_open_end(f, v)) {
                int32 b = f->next[v];
                consider_position(f, &best, r, v, c, b, here + leg(f, r, c, b) - f->ahead[v]);
            }
        }
    }
    while (skipped < size) skipped += 1 + throw_blink(d, blink);
    *sight = skipped - size;
#ifdef MIXED
    for (int32 k = 0; k < f->number; k++) {
        int32 empty = empty_of(f, k);
        if (empty != ABSENT && may_serve(f, empty, c)) consider_empty(f, c, empty, &best);
    }
#ifdef TRIPS
    consider_new_trips(f, &best, c);
#endif
#else
    if (f->spares > 0) consider_empty(f, c, f->spare[f->spares - 1], &best);
#endif
    return best;
}

#ifdef MIXED
#include "routes/company.h"

/* Give route r the vehicle of the empty route q, and return q, whose customers they now are. */
INLINE int32 replace_vehicle(Fleet *f, int32 r, int32 q) {
    touch(f, r), touch(f, q);
    write_log(f, TAILS, r, DEPOT, q, DEPOT);
    exchange_tails(f, r, DEPOT, q, DEPOT);
    f->load[q] = f->load[r], f->time[q] = f->time[r], f->load[r] = f->time[r] = 0;
    for (int32 k = 0; k < SUMS(f); k++) f->sum[(int64)q * f->sums + k] = sum_of(f, r, k);
    clear_sums(f, r);
    return q;
}

INLINE void put_at(Fleet *f, int32 c, Position at) {
    if (at.driver != at.route) at.route = replace_vehicle(f, at.route, at.driver);
#ifdef TRIPS
    if (at.reload != ABSENT) put_trip(f, c, at);
    else put_in(f, c, at.after, at.route, at.travel);
#else
    put_in(f, c, at.after, at.route, at.travel);
#endif
}

/* Insert c, or whichever of its alternatives adds least, unless leaving it out costs less. Return 0 if it must be served and
 * fits nowhere. */
INLINE int32 insert_alternative(Fleet *f, Dice *d, int32 c, real blink, int32 *sight) {
    int32 group = f->group ? f->group[c] : -1, chosen = ABSENT;
    int32 from = group > 0 ? f->group_ends[group - 1] : 0, end = group < 0 ? 1 : f->group_ends[group];
    Position best = NO_POSITION(0);
    real least = is_optional(f, c) && f->eager < UNREACHED ? 0 : UNREACHED; /* what serving one adds, less its prize */
    if (company_of(&f->bonds, c) >= 0) return leader_of(&f->bonds, c) != c || insert_company(f, d, c, blink);
    if (group >= 0 && f->served[group] > 0) return 1;
    for (int32 k = from; k < end; k++) {
        int32 v = group < 0 ? c : f->members[k];
        real prize = f->eager < UNREACHED ? f->eager * prize_of(f, v) : prize_of(f, v);
        Position position = cheapest_position(f, d, v, blink, sight, least < UNREACHED ? least + prize : UNREACHED);
        if (position.route != ABSENT) best = position, chosen = v, least = position.more - prize;
    }
    if (chosen != ABSENT) put_at(f, chosen, best);
    return chosen != ABSENT || is_optional(f, c);
}
#endif

#include "routes/insert_pair.h"

/* Insert customer c, or the shipment of which it is the pickup, at its cheapest position. Return 0 if it fits nowhere. */
INLINE int32 insert_customer(Fleet *f, Dice *d, int32 c, real blink, int32 *sight) {
#ifdef PAIRS
    if (f->mate[c]) return insert_shipment(f, d, c, blink, sight);
#endif
#ifdef MIXED
    return insert_alternative(f, d, c, blink, sight);
#else
    Position best = cheapest_position(f, d, c, blink, sight, UNREACHED);
    if (best.route == ABSENT) return 0;
    put_in(f, c, best.after, best.route, best.travel);
    return 1;
#endif
}
#endif

#endif
