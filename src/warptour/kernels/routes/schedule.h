/* Times of routes, in builds with TIMED: windows, durations with waits, and what time costs.
 *
 * Of each stop of a route that is `timed`, `early` is the earliest departure that the stops before it allow, and `late` the
 * latest arrival that those behind it do. So whether windows can be kept at a new position takes two maxima and two
 * comparisons. Where durations count, segments are joined as well (common/segments.h); where a route must be walked along
 * to know what it costs, because stops have several windows, may be late or may not wait, it is walked.
 */
#ifndef WARPTOUR_ROUTES_SCHEDULE
#define WARPTOUR_ROUTES_SCHEDULE
#include "routes/openings.h"
#include "routes/pairs.h"
#include "routes/routes.h"
#include "routes/sums.h"
#include "routes/vehicle.h"

/* Return the cost of the times of route r. */
INLINE real price_of(const Fleet *f, int32 r) {
#ifdef TIMED
    return f->price[r];
#else
    (void)f, (void)r;
    return 0;
#endif
}

#ifdef TIMED
#define SCHEDULED 1 /* values of timed: a route that keeps its limits, and one that does not */
#define BROKEN 2

/* Return when service at c begins after an arrival. */
INLINE real next_start(const Fleet *f, int32 c, real arrival) {
    return next_opening(f->opens, f->gaps, f->gap_ends, c, arrival);
}

/* Return the last start of service at c that is no later than `latest`. */
INLINE real last_start(const Fleet *f, int32 c, real latest) {
    real start = latest < f->closes[c] ? latest : f->closes[c];
    if (!f->gap_ends) return start;
    for (int32 k = f->gap_ends[c]; k-- > (c ? f->gap_ends[c - 1] : 0);)
        if (start > f->gaps[2 * k] && start < f->gaps[2 * k + 1]) start = f->gaps[2 * k];
    return start;
}

INLINE real depart(const Fleet *f, int32 r) {
    return (gaps_at_start(f) ? next_start(f, DEPOT, 0) : opens_at_start(f, r)) + served_at_start(f, r);
}

INLINE Segment stop_at(const Fleet *f, int32 c) { return stop_segment(f->opens[c], f->closes[c], f->serve[c]); }

INLINE Segment begin_of_day(const Fleet *f, int32 r) {
    return stop_segment(opens_at_start(f, r), due_at_start(f, r), served_at_start(f, r));
}

/* Return the end of the day of route r: a piece without service. */
INLINE Segment end_of_day(const Fleet *f, int32 r) { return stop_segment(opens_at_end(f, r), closes_at_end(f, r), 0); }

/* Return piece s, whose last stop is `at`, with the way back to the end of route r. */
INLINE Segment brought_home(const Fleet *f, int32 r, Segment s, int32 at) {
    return joined(s, time_leg(f, r, at, DEPOT), end_of_day(f, r));
}

/* Return when the goods of the trip that begins before visit `from`, and no earlier than `ready`, are there. */
INLINE real loaded_by(const Fleet *f, GLOBAL const int32 *visits, int32 from, int32 count, real ready) {
    for (int32 k = from; f->releases && k < count && !is_reload(f, visits[k]); k++)
        if (f->releases[visits[k]] > ready) ready = f->releases[visits[k]];
    return ready;
}

/* Return when the vehicle of route r can be loaded for these customers: all goods are there then. */
INLINE real first_loading(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    real ready = loaded_by(f, visits, 0, count, opens_at_start(f, r));
    return gaps_at_start(f) ? next_start(f, DEPOT, ready) : ready;
}

/* Return when visit number k may begin after an arrival: at a reload, the goods are there, too. */
INLINE real start_of_visit(const Fleet *f, GLOBAL const int32 *visits, int32 k, int32 count, real arrival) {
    if (is_reload(f, visits[k])) arrival = loaded_by(f, visits, k + 1, count, arrival);
    return next_start(f, visits[k], arrival);
}

#include "routes/rides.h"

/* Return how long route r takes with these customers if it leaves at a time, or UNREACHED if it is late anywhere. */
INLINE real walk_duration(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, real leave) {
#ifdef PAIRS
    if (f->rides) return ridden_duration(f, r, visits, count, leave);
#endif
    real t = leave + served_at_start(f, r);
    int32 at = DEPOT;
    for (int32 k = 0; k < count; at = visits[k++]) {
        real start = start_of_visit(f, visits, k, count, t + time_leg(f, r, at, visits[k]));
        if (start > f->due[visits[k]]) return UNREACHED;
        t = start + f->serve[visits[k]];
    }
    if (!open_end(f, r)) t += time_leg(f, r, at, DEPOT);
    return t > due_at_end(f, r) ? UNREACHED : t - leave;
}

/* Return the shortest duration of a route with several windows: it leaves so that a stop is served as a window closes, but
 * for half of the tolerance of closings, since sums in another order may be larger. */
INLINE real walk_shortest(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, real leave, real duration) {
    real offset = 0, last_leave = due_at_start(f, r);
    int32 at = DEPOT;
    for (int32 k = -1; k < count + (open_end(f, r) ? 0 : 1); k++) {
        int32 depot = k < 0 || k == count, c = depot ? DEPOT : visits[k];
        if (k >= 0) offset += (k ? f->serve[at] : served_at_start(f, r)) + time_leg(f, r, at, c);
        at = c;
        int32 gap = depot && !gaps_at_start(f) ? 0 : c ? f->gap_ends[c - 1] : 0;
        int32 last = depot && !gaps_at_start(f) ? 0 : f->gap_ends[c];
        for (int32 g = gap; g <= last; g++) {
            real due = depot ? (k < 0 ? last_leave : due_at_end(f, r)) : f->due[c];
            real shuts = (g < last ? f->gaps[2 * g] : due) - offset - f->rounding / 2;
            if (shuts <= leave || shuts >= UNREACHED || shuts > last_leave) continue;
            if (gaps_at_start(f) && next_start(f, DEPOT, shuts) != shuts) continue;
            real took = walk_duration(f, r, visits, count, shuts);
            if (took < duration) duration = took;
        }
    }
    return duration;
}

#ifdef PAIRS
/* Return what the times of a route cost whose rides have limits, UNREACHED if it breaks one. */
INLINE real ridden_price(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, int32 driver, real travel) {
    if (!rides_directly(f, r, visits, count)) return UNREACHED;
    real end = ridden_starts(f, r, visits, count, first_loading(f, r, visits, count));
    if (end >= UNREACHED) return UNREACHED;
    real behind = ridden_late(f, r, visits, count), duration = 0;
    if (kind_of(f, driver)->per_time > 0 || kind_of(f, driver)->longest < UNREACHED) {
        real leave = last_departure(f, r, visits, count);
        duration = end - leave;
        if (f->gap_ends && f->longest_wait >= UNREACHED && behind == 0)
            duration = walk_shortest(f, r, visits, count, leave, duration);
        if (open_end(f, r) && count) duration += f->serve[visits[count - 1]];
    }
    real price = priced(f, driver, travel, duration);
    return price < UNREACHED && behind > 0 ? price + f->per_late * behind : price;
}
#endif

/* Walk along a route of `count` customers: it is late as little as possible, then out as briefly as possible. Return what
 * its times cost, or UNREACHED if they break a limit. As model/schedule.py does it. */
INLINE real walk_route(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, int32 driver, real travel) {
#ifdef PAIRS
    if (f->rides) return ridden_price(f, r, visits, count, driver, travel);
#endif
    GLOBAL real *earliest = f->starts, *latest = f->starts + f->m + 1;
    int32 stops = count + (open_end(f, r) ? 0 : 1);
    real serve = served_at_start(f, r), leave = first_loading(f, r, visits, count), due_there = due_at_start(f, r);
    real last_leave = due_there > leave ? due_there : leave, behind = leave - due_there;
    real low = leave, high = last_leave;
    if (behind < 0) behind = 0;
    int32 at = DEPOT;
    if (behind > 0 && f->per_late >= UNREACHED) return UNREACHED;
    for (int32 k = 0; k < stops; k++) {
        int32 c = k < count ? visits[k] : DEPOT;
        real way = (k ? f->serve[at] : serve) + time_leg(f, r, at, c), arrival = low + way;
        real last = high + way + f->longest_wait, shuts = k < count ? f->closes[c] : closes_at_end(f, r);
        if (k < count) low = start_of_visit(f, visits, k, count, arrival);
        else if (gaps_at_start(f)) low = next_start(f, c, arrival);
        else low = arrival > opens_at_end(f, r) ? arrival : opens_at_end(f, r);
        if (low > last + f->rounding) return UNREACHED;
        real due = k < count ? f->due[c] : due_at_end(f, r), closes = shuts > low ? shuts : low, late = low - due;
        if (low > shuts) return UNREACHED;
        if (late > 0) behind += late, closes = low;
        else if (closes > due) closes = due;
        high = closes < last ? closes : last;
        if (high < low) high = low;
        earliest[k] = low, latest[k] = high;
        at = c;
    }
    real start = low, end = low + (open_end(f, r) && count ? f->serve[at] : 0);
    for (int32 k = stops - 1; k >= 0; k--) {
        int32 before = k ? visits[k - 1] : DEPOT, c = k < count ? visits[k] : DEPOT;
        real until = start - (k ? f->serve[before] : serve) - time_leg(f, r, before, c);
        real most = k ? latest[k - 1] : last_leave, least = k ? earliest[k - 1] : leave;
        start = until < most ? until : most;
        if ((k || gaps_at_start(f)) && least <= f->due[before]) start = last_start(f, before, start);
        if (start < least) start = least;
        if (until - start > f->longest_wait + f->rounding) return UNREACHED;
    }
    real duration = end - start;
    if (f->gap_ends && f->longest_wait >= UNREACHED && behind == 0)
        duration = walk_shortest(f, r, visits, count, start, duration);
    real price = priced(f, driver, travel, duration);
    return price < UNREACHED && behind > 0 ? price + f->per_late * behind : price;
}

/* List the customers of route r up to a, or from a on, in f->visits from number `count` on; return the new number. */
INLINE int32 list_until(Fleet *f, int32 r, int32 a, int32 count) {
    for (int32 c = a == DEPOT ? DEPOT : f->first[r]; c != DEPOT; c = c == a ? DEPOT : f->next[c]) f->visits[count++] = c;
    return count;
}

INLINE int32 list_from(Fleet *f, int32 a, int32 count) {
    for (int32 c = a; c != DEPOT; c = f->next[c]) f->visits[count++] = c;
    return count;
}

#include "routes/rests.h"
#include "routes/stages.h"

/* Whether the driver of route r has breaks. */
INLINE int32 takes_breaks(const Fleet *f, int32 r) {
#ifdef MIXED
    return f->rests && kind_of(f, r)->rests > 0;
#else
    return (void)f, (void)r, 0;
#endif
}

/* Return what the times of a route with breaks cost. */
INLINE real rested_price(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, int32 driver, real travel) {
#ifdef MIXED
    int32 ruled = kind_of(f, r)->wheel < UNREACHED;
    real duration = ruled ? ruled_duration(f, r, visits, count) : rested_duration(f, r, visits, count);
    return duration < UNREACHED ? priced(f, driver, travel, duration) : (real)UNREACHED;
#else
    return (void)f, (void)r, (void)visits, (void)count, (void)driver, (void)travel, 0;
#endif
}

/* Fill in early and late along route r, and return whether its windows can be kept. */
INLINE int32 look_ahead(Fleet *f, int32 r) {
    int32 kept = 1, at = DEPOT;
    real t = depart(f, r);
#ifdef TRIPS
    if (f->staged) return look_along_trips(f, r);
#endif
    for (int32 c = f->first[r]; c != DEPOT; at = c, c = f->next[c]) {
        t = next_start(f, c, t + along(f, r, at, c, f->back[c]));
        kept &= t <= f->closes[c];
        t += f->serve[c], f->early[c] = t;
    }
    kept &= t + time_leg(f, r, at, DEPOT) <= closes_at_end(f, r);
    t = closes_at_end(f, r), at = DEPOT;
    for (int32 c = f->last[r]; c != DEPOT; at = c, c = f->prev[c]) {
        t = last_start(f, c, t - along(f, r, c, at, f->ahead[c]) - f->serve[c]);
        f->late[c] = t;
    }
    return kept;
}

/* Fill in heads and tails along route r, and return its price, UNREACHED if it takes too long. */
INLINE real join_pieces(Fleet *f, int32 r) {
    Segment s = begin_of_day(f, r);
    int32 at = DEPOT;
    for (int32 c = f->first[r]; c != DEPOT; at = c, c = f->next[c])
        f->heads[c] = s = joined(s, along(f, r, at, c, f->back[c]), stop_at(f, c));
    real price = priced(f, r, f->time[r], brought_home(f, r, s, at).duration);
    s = end_of_day(f, r), at = DEPOT;
    for (int32 c = f->last[r]; c != DEPOT; at = c, c = f->prev[c]) {
        int32 ends = TAILS_END_OUT && at == DEPOT;
        f->tails[c] = s = ends ? stop_at(f, c) : joined(stop_at(f, c), along(f, r, c, at, f->ahead[c]), s);
    }
    return price;
}

/* Return what locks add to the price of a route that is p's up to a, then the `count` customers of `middle`, then those from b on,
 * with the vehicle of route `driver`; UNREACHED if it breaks an order. */
INLINE real locks_between(Fleet *f, int32 p, int32 a, const int32 *middle, int32 count, int32 b, int32 driver) {
#ifdef MIXED
    if (!f->locks.home) return 0;
    int32 listed = list_until(f, p, a, 0);
    for (int32 k = 0; k < count; k++) f->visits[listed++] = middle[k];
    listed = list_from(f, b, listed);
    return locked_price(&f->locks, f->kind[driver], kind_of(f, driver)->change, f->visits, listed);
#else
    return (void)f, (void)p, (void)a, (void)middle, (void)count, (void)b, (void)driver, 0;
#endif
}

/* Bring the times of route r up to date, and its price, which is part of the cost. */
INLINE void schedule_route(Fleet *f, int32 r) {
    if (f->timed[r]) return;
    int32 kept = 1;
    real price = 0;
    if (f->size[r] > 0 && PRICED(f) && (!TIMES(f) || !f->lasting)) price = priced(f, r, f->time[r], 0);
    if (f->size[r] > 0 && TIMES(f)) {
        kept = look_ahead(f, r);
        if (takes_breaks(f, r)) {
            if (!f->walks) join_pieces(f, r); /* for routes that get its end */
            price = kept ? rested_price(f, r, f->visits, list_from(f, f->first[r], 0), r, f->time[r]) : (real)UNREACHED;
        } else if (f->lasting && f->walks) price = kept ? walk_route(f, r, f->visits, list_from(f, f->first[r], 0), r, f->time[r]) : UNREACHED;
        else if (f->lasting) price = join_pieces(f, r);
    }
    if (f->size[r] > 0) price += locks_between(f, r, DEPOT, 0, 0, f->first[r], r);
#ifdef PAIRS
    if (!look_aboard(f, r)) kept = 0;
    if (f->paired && !keeps_pairs(f, f->visits, f->size[r] > 0 ? list_from(f, f->first[r], 0) : 0)) kept = 0;
#endif
    if (price >= UNREACHED) kept = 0, price = f->price[r];
    f->cost += price - f->price[r], f->price[r] = price;
    f->timed[r] = kept ? SCHEDULED : BROKEN;
}

/* Whether times are kept on a route that is p's up to a, then the `count` customers of `middle`, then q's from b on; DEPOT as
 * a or b stands for nothing of that route. travel: its length. *price receives what it costs beside that if the vehicle is
 * that of route `driver`, which is alike to that of p. */
INLINE int32 in_time(Fleet *f, int32 p, int32 a, const int32 *middle, int32 count, int32 q, int32 b, int32 driver,
                     real travel, real *price) {
    *price = 0;
    if (a == DEPOT && b == DEPOT && count == 0) return 1;
    if (!TIMES(f)) return *price = priced(f, driver, travel, 0), 1;
    if (a != DEPOT) schedule_route(f, p);
    if (b != DEPOT) schedule_route(f, q);
    int32 own = b == DEPOT || alike(f, p, q), at = a; /* whether late and tails hold for the vehicle of p */
#ifdef TRIPS
    if (f->staged && !stages_in_time(f, p, a, middle, count, b, own)) return 0;
    if (f->staged && !f->lasting) return *price = priced(f, driver, travel, 0), 1;
#endif
    real t = a == DEPOT ? depart(f, p) : f->early[a];
    for (int32 k = 0; k < count; at = middle[k++]) {
        t = next_start(f, middle[k], t + time_leg(f, p, at, middle[k]));
        if (t > f->closes[middle[k]]) return 0;
        t += f->serve[middle[k]];
    }
    if (own && t + time_leg(f, p, at, b) > (b == DEPOT ? closes_at_end(f, p) : f->late[b])) return 0;
    if (!f->lasting) return *price = PRICED(f) ? priced(f, driver, travel, 0) : 0, 1;
    if (f->walks || takes_breaks(f, p)) {
        int32 listed = list_until(f, p, a, 0);
        for (int32 k = 0; k < count; k++) f->visits[listed++] = middle[k];
        listed = list_from(f, b, listed);
        *price = takes_breaks(f, p) ? rested_price(f, p, f->visits, listed, driver, travel)
                                    : walk_route(f, p, f->visits, listed, driver, travel);
        return *price < UNREACHED;
    }
    Segment s = a == DEPOT ? begin_of_day(f, p) : f->heads[a];
    at = a;
    for (int32 k = 0; k < count; at = middle[k++]) s = joined(s, time_leg(f, p, at, middle[k]), stop_at(f, middle[k]));
    if (b != DEPOT) s = joined(s, time_leg(f, p, at, b), f->tails[b]), at = f->last[q];
    if (b == DEPOT || TAILS_END_OUT) s = brought_home(f, p, s, at);
    if (!own && s.warp > f->rounding) return 0;
    *price = priced(f, driver, travel, s.duration);
    return *price < UNREACHED;
}

/* Whether times are kept there, loads, shipments, and what is locked. */
INLINE int32 keeps_times(Fleet *f, int32 p, int32 a, const int32 *middle, int32 count, int32 q, int32 b, int32 driver,
                         real travel, real *price) {
#ifdef PAIRS
    if (a != DEPOT) schedule_route(f, p);
    if (b != DEPOT) schedule_route(f, q);
    if (!keeps_loads(f, a, middle, count, b, driver)) return 0;
    if (f->paired) {
        int32 listed = list_until(f, p, a, 0);
        for (int32 k = 0; k < count; k++) f->visits[listed++] = middle[k];
        if (!keeps_pairs(f, f->visits, list_from(f, b, listed))) return 0;
    }
#endif
    if (!in_time(f, p, a, middle, count, q, b, driver, travel, price)) return 0;
    *price += locks_between(f, p, a, middle, count, b, driver);
    return *price < UNREACHED;
}
#endif

/* Bring the prices of all changed routes up to date. */
INLINE void settle_prices(Fleet *f) {
#ifdef TIMED
    for (int32 k = 0; PRICED(f) && k < f->touches; k++) schedule_route(f, f->touched[k]);
#else
    (void)f;
#endif
}

/* Whether all changed routes respect the limits on travel and service. Where distances are rounded or come from a
 * matrix, removing a customer may lengthen a route, so the check before each insertion does not suffice. */
INLINE int32 within_limit(Fleet *f) {
    for (int32 k = 0; k < f->touches; k++)
        if (f->time[f->touched[k]] > limit_of(f, f->touched[k])) return 0;
    for (int32 k = 0; k < f->touches && SUMS(f); k++)
        if (!keeps_sums(f, f->touched[k])) return 0;
#ifdef TIMED
    for (int32 k = 0; k < f->touches; k++) {
        schedule_route(f, f->touched[k]);
        if (f->timed[f->touched[k]] == BROKEN) return 0;
    }
#endif
    return 1;
}

/* Recompute loads, times and cost, so that rounding errors of incremental updates do not accumulate. */
INLINE void recompute_sums(Fleet *f) {
    f->cost = 0;
#ifdef MIXED
    for (int32 c = 1; c < f->m; c++) f->cost += f->route[c] == ABSENT ? prize_of(f, c) : 0;
#endif
    for (int32 r = 0; r < f->slots; r++) {
        real load = 0, travel = 0, service = 0;
        if (f->size[r] > 0) {
            travel = f->back[f->first[r]];
            for (int32 c = f->first[r]; c != DEPOT; c = f->next[c])
                load += f->demand[c], travel += f->ahead[c], service += f->service[c];
            f->cost += travel + f->fixed;
        }
        f->load[r] = load, f->time[r] = travel + service;
        add_up_sums(f, r);
#ifdef TIMED
        f->price[r] = 0, f->timed[r] = 0;
        schedule_route(f, r);
#endif
    }
}

#endif
