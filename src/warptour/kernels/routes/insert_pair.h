/* Insertion of shipments, in builds with PAIRS: each position of the pickup with all of the delivery behind it.
 *
 *     a-x .. u-v   ->   a-c-x .. u-d-v   or   a-c-d-x
 *
 * Times and loads are propagated from the pickup on, until a stop would be late or the goods no longer fit.
 */
#ifndef WARPTOUR_ROUTES_INSERT_PAIR
#define WARPTOUR_ROUTES_INSERT_PAIR
#ifdef PAIRS

/* A pickup behind `after` of a route, which then has the vehicle of route `driver`, and its delivery behind `last`; ABSENT as
 * the route if there is none. They add `travel` and then `onward` to the route, and `more` to the cost. */
typedef struct {
    real more, travel, onward;
    int32 after, last, route, driver;
} Pair;

/* Let *best be pickup c behind a of route r, and its delivery between u and v behind it, if that adds less. first, last: what
 * both add; listed: customers of f->middle, which are those from c up to u. */
INLINE void consider_delivery(Fleet *f, Pair *best, int32 r, int32 driver, int32 a, int32 c, int32 u, int32 v, int32 listed,
                              real first, real last) {
    int32 d = f->mate[c];
    real travel = f->time[r] + first + last + f->service[c] + f->service[d], price, more = first + last;
    if (more >= best->more || travel > limit_of(f, driver)) return;
    for (int32 k = 0; k < SUMS(f); k++) {
        int32 x = successor(f, r, a);
        real way = u == c ? sum_leg(f, k, r, a, c) + sum_leg(f, k, r, c, d) + sum_leg(f, k, r, d, x) - sum_leg(f, k, r, a, x)
                          : sum_detour(f, k, r, a, c, x) + sum_detour(f, k, r, u, d, v);
        if (sum_of(f, r, k) + way + amount_of(f, c, k) + amount_of(f, d, k) > most_of(f, driver, k)) return;
    }
    if (f->lasting) {
        f->middle[listed] = d;
        if (!in_time(f, r, a, f->middle, listed + 1, r, v, driver, travel, &price)) return;
    } else price = priced(f, driver, travel, 0);
    if (f->locks.home) {
        f->middle[listed] = d;
        price += locks_between(f, r, a, f->middle, listed + 1, v, driver);
    }
    more += price - f->price[r] + (f->size[r] == 0 ? f->fixed : 0);
    if (more >= best->more) return;
    Pair pair = {more, first, last, a, u, r, driver};
    *best = pair;
}

/* Let *best be pickup c behind a of route r, which adds `first` to it, and its delivery somewhere behind, if that adds less. */
INLINE void consider_pickup(Fleet *f, Pair *best, int32 r, int32 driver, int32 a, int32 c, real first) {
    int32 d = f->mate[c], x = successor(f, r, a), times = TIMES(f), listed = 0, in_front = 0; /* of the goods, in a stack */
    if (first >= best->more && !f->detours && !at_open_end(f, a == DEPOT ? x : a)) return;
    schedule_route(f, r);
    if (!has_room_behind(f, r, driver, a, c)) return;
    real t = 0, ridden = 0, longest = f->rides ? f->rides[c] + f->rounding : UNREACHED; /* of the goods, without waits */
    if (times) {
        t = next_start(f, c, (a == DEPOT ? depart(f, r) : f->early[a]) + time_leg(f, r, a, c));
        if (t > f->closes[c]) return;
        t += f->serve[c];
    }
    f->middle[listed++] = c;
    for (int32 u = c, v = x;; u = v, v = f->next[v]) {
        real to = leg(f, r, u, d), from = leg(f, r, d, v);
        real last = to + from - (u == c ? leg(f, r, c, v) : f->ahead[u]);
        int32 fits = first + last < best->more && !in_front;
        if (fits && times) {
            real start = next_start(f, d, t + time_leg(f, r, u, d));
            fits = start <= f->closes[d];
            start += f->serve[d] + time_leg(f, r, d, v);
            fits = fits && start <= (v == DEPOT ? closes_at_end(f, r) : f->late[v]);
            fits = fits && (!f->rides || ridden + time_leg(f, r, u, d) <= longest);
        }
        if (fits) consider_delivery(f, best, r, driver, a, c, u, v, listed, first, last);
        if (v == DEPOT || !has_room_behind(f, r, driver, v, c)) return;
        if (f->below) in_front += (f->mate[v] > 0) - (f->mate[v] < 0);
        if (in_front < 0) return;
        if (times) {
            real way = u == c ? time_leg(f, r, c, v) : along(f, r, u, v, f->ahead[u]);
            t = next_start(f, v, t + way);
            if (t > f->late[v]) return;
            t += f->serve[v], ridden += way + f->serve[v];
            if (t > f->closes[d] || ridden > longest) return;
        }
        f->middle[listed++] = v;
    }
}

/* Let *best be pickup c behind a of route r and its delivery behind it, where need be by a larger vehicle that is alike. */
INLINE void consider_shipment(Fleet *f, Pair *best, int32 r, int32 a, int32 c, real first) {
    int32 d = f->mate[c];
    if (rival_on(&f->bonds, f->route, c, r, ABSENT) || rival_on(&f->bonds, f->route, d, r, ABSENT)) return;
    if (may_serve(f, r, c) && may_serve(f, r, d)) consider_pickup(f, best, r, r, a, c, first);
    for (int32 k = 0; k < f->number && f->larger && f->size[r] > 0; k++) {
        int32 q = empty_of(f, k);
        if (q != ABSENT && carries_as_much(f, r, q) && may_replace(f, r, q, c) && may_serve(f, q, d))
            consider_pickup(f, best, r, q, a, c, first);
    }
}

/* Return the cheapest positions of the shipment of pickup c that add less than `bound`: the pickup is next to a neighbour, or
 * alone with its delivery in a new route. sight: see cheapest_position(). */
INLINE Pair cheapest_pair(Fleet *f, Dice *d, int32 c, real blink, int32 *sight, real bound) {
    Pair best = {bound, 0, 0, ABSENT, ABSENT, ABSENT, ABSENT};
    int32 skipped = *sight, size = 0;
    GLOBAL const int32 *row = f->near + (int64)c * f->width;
    GLOBAL const real *reach = f->reach + (int64)c * f->width, *back_reach = reach + (int64)f->m * f->width;
    for (int32 k = 0; k < f->number; k++) {
        int32 r = empty_of(f, k);
        if (r == ABSENT || !may_serve(f, r, c) || !may_serve(f, r, f->mate[c])) continue;
        consider_pickup(f, &best, r, r, DEPOT, c, leg(f, r, DEPOT, c) + leg(f, r, c, DEPOT));
    }
    for (; size < f->width && row[size] >= 0; size++) {
        int32 v = row[size], r = f->route[v];
        while (skipped < size) skipped += 1 + throw_blink(d, blink);
        if (skipped == size || r == ABSENT) continue;
        real to = reached(f, r, c, v, reach[size]), from = reached(f, r, v, c, back_reach[size]);
        if (f->detours || 2 * (to - f->back[v]) < best.more || at_open_end(f, v)) {
            int32 a = f->prev[v];
            consider_shipment(f, &best, r, a, c, leg(f, r, a, c) + to - f->back[v]);
        }
        if (f->detours || 2 * (from - f->ahead[v]) < best.more || at_open_end(f, v))
            consider_shipment(f, &best, r, v, c, from + leg(f, r, c, f->next[v]) - f->ahead[v]);
    }
    while (skipped < size) skipped += 1 + throw_blink(d, blink);
    *sight = skipped - size;
    return best;
}

/* Insert both ends of the shipment of pickup c, unless leaving it out costs less. Return 0 if it must be served and fits
 * nowhere. */
INLINE int32 insert_shipment(Fleet *f, Dice *d, int32 c, real blink, int32 *sight) {
    int32 optional = is_optional(f, c) && f->eager < UNREACHED;
    real bound = optional ? f->eager * (prize_of(f, c) + prize_of(f, f->mate[c])) : UNREACHED;
    Pair best = cheapest_pair(f, d, c, blink, sight, bound);
    if (best.route == ABSENT) return is_optional(f, c);
    int32 r = best.driver == best.route ? best.route : replace_vehicle(f, best.route, best.driver);
    put_in(f, c, best.after, r, best.travel);
    put_in(f, f->mate[c], best.last, r, best.onward);
    return 1;
}

#endif
#endif
