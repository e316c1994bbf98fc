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
#include "routes/routes.h"

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

/* Return the travel time from a to b. */
INLINE real time_leg(const Fleet *f, int32 a, int32 b) {
    if (a == b) return 0;
    return f->clock ? f->clock[(int64)a * f->m + b] : leg(f, a, b);
}

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

INLINE Segment stop_at(const Fleet *f, int32 c) { return stop_segment(f->opens[c], f->closes[c], f->serve[c]); }

/* Return when routes must have ended: open ones do not come back to the depot. */
INLINE real last_end(const Fleet *f) { return OPEN(f) ? (real)UNREACHED : f->closes[DEPOT]; }

/* Return the end of the day at the depot: a piece without service. */
INLINE Segment end_of_day(const Fleet *f) { return stop_segment(f->opens[DEPOT], last_end(f), 0); }

/* Return when a vehicle can be loaded for a route: all goods are there then. */
INLINE real first_loading(const Fleet *f, GLOBAL const int32 *visits, int32 count) {
    real released = 0;
    for (int32 k = 0; f->releases && k < count; k++)
        if (f->releases[visits[k]] > released) released = f->releases[visits[k]];
    return next_start(f, DEPOT, released);
}

/* Return how long a route takes that leaves at a time, or UNREACHED if it is late anywhere. */
INLINE real walk_duration(const Fleet *f, GLOBAL const int32 *visits, int32 count, real leave) {
    real t = leave + f->serve[DEPOT];
    int32 at = DEPOT;
    for (int32 k = 0; k < count; at = visits[k++]) {
        real start = next_start(f, visits[k], t + time_leg(f, at, visits[k]));
        if (start > f->due[visits[k]]) return UNREACHED;
        t = start + f->serve[visits[k]];
    }
    if (!OPEN(f) && (t += time_leg(f, at, DEPOT)) > f->due[DEPOT]) return UNREACHED;
    return t - leave;
}

/* Return the shortest duration of a route with several windows: it leaves so that a stop is served as a window closes, but
 * for half of the tolerance of closings, since sums in another order may be larger. */
INLINE real walk_shortest(const Fleet *f, GLOBAL const int32 *visits, int32 count, real leave, real duration) {
    real offset = 0;
    int32 at = DEPOT;
    for (int32 k = -1; k < count + (OPEN(f) ? 0 : 1); k++) {
        int32 c = k < 0 || k == count ? DEPOT : visits[k];
        if (k >= 0) offset += f->serve[at] + time_leg(f, at, c);
        at = c;
        for (int32 g = c ? f->gap_ends[c - 1] : 0; g <= f->gap_ends[c]; g++) {
            real shuts = (g < f->gap_ends[c] ? f->gaps[2 * g] : f->due[c]) - offset - f->rounding / 2;
            if (shuts <= leave || shuts > f->due[DEPOT] || shuts >= UNREACHED) continue;
            if (next_start(f, DEPOT, shuts) != shuts) continue;
            real took = walk_duration(f, visits, count, shuts);
            if (took < duration) duration = took;
        }
    }
    return duration;
}

/* Walk along a route of `count` customers: it is late as little as possible, then out as briefly as possible. Return what
 * its times cost, or UNREACHED if they break a limit. As model/schedule.py does it. */
INLINE real walk_route(const Fleet *f, GLOBAL const int32 *visits, int32 count) {
    GLOBAL real *earliest = f->starts, *latest = f->starts + f->m + 1;
    int32 stops = count + (OPEN(f) ? 0 : 1);
    real leave = first_loading(f, visits, count), last_leave = f->due[DEPOT] > leave ? f->due[DEPOT] : leave;
    real behind = leave > f->due[DEPOT] ? leave - f->due[DEPOT] : 0, low = leave, high = last_leave;
    int32 at = DEPOT;
    if (leave > f->closes[DEPOT]) return UNREACHED;
    for (int32 k = 0; k < stops; k++) {
        int32 c = k < count ? visits[k] : DEPOT;
        real way = f->serve[at] + time_leg(f, at, c), arrival = low + way, last = high + way + f->longest_wait;
        low = next_start(f, c, arrival);
        if (low > last + f->rounding) return UNREACHED;
        real closes = f->closes[c] > low ? f->closes[c] : low, late = low - f->due[c];
        if (low > f->closes[c]) return UNREACHED;
        if (late > 0) behind += late, closes = low;
        else if (closes > f->due[c]) closes = f->due[c];
        high = closes < last ? closes : last;
        if (high < low) high = low;
        earliest[k] = low, latest[k] = high;
        at = c;
    }
    real start = low, end = low + (OPEN(f) && count ? f->serve[at] : 0);
    for (int32 k = stops - 1; k >= 0; k--) {
        int32 before = k ? visits[k - 1] : DEPOT, c = k < count ? visits[k] : DEPOT;
        real until = start - f->serve[before] - time_leg(f, before, c);
        real most = k ? latest[k - 1] : last_leave, least = k ? earliest[k - 1] : leave;
        start = until < most ? until : most;
        if (least <= f->due[before]) start = last_start(f, before, start);
        if (start < least) start = least;
        if (until - start > f->longest_wait + f->rounding) return UNREACHED;
    }
    real duration = end - start;
    if (f->gap_ends && f->longest_wait >= UNREACHED && behind == 0) duration = walk_shortest(f, visits, count, start, duration);
    if (duration > f->longest) return UNREACHED;
    return f->per_time * duration + (behind > 0 ? f->per_late * behind : 0);
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

/* Bring the times of route r up to date, and its price, which is part of the cost. */
INLINE void schedule_route(Fleet *f, int32 r) {
    if (f->timed[r]) return;
    int32 kept = 1, at = DEPOT;
    real t = f->leaves, price = 0;
    if (f->size[r] > 0) {
        for (int32 c = f->first[r]; c != DEPOT; at = c, c = f->next[c]) {
            t = next_start(f, c, t + (f->clock ? time_leg(f, at, c) : f->back[c]));
            kept &= t <= f->closes[c];
            t += f->serve[c], f->early[c] = t;
        }
        kept &= t + time_leg(f, at, DEPOT) <= last_end(f);
        t = last_end(f), at = DEPOT;
        for (int32 c = f->last[r]; c != DEPOT; at = c, c = f->prev[c]) {
            t = last_start(f, c, t - (f->clock ? time_leg(f, c, at) : f->ahead[c]) - f->serve[c]);
            f->late[c] = t;
        }
    }
    if (f->size[r] > 0 && f->lasting) {
        if (f->walks) {
            price = kept ? walk_route(f, f->visits, list_from(f, f->first[r], 0)) : UNREACHED;
        } else {
            Segment s = stop_at(f, DEPOT);
            at = DEPOT;
            for (int32 c = f->first[r]; c != DEPOT; at = c, c = f->next[c])
                f->heads[c] = s = joined(s, time_leg(f, at, c), stop_at(f, c));
            s = joined(s, time_leg(f, at, DEPOT), end_of_day(f));
            price = s.duration <= f->longest ? f->per_time * s.duration : UNREACHED;
            s = end_of_day(f), at = DEPOT;
            for (int32 c = f->last[r]; c != DEPOT; at = c, c = f->prev[c])
                f->tails[c] = s = joined(stop_at(f, c), time_leg(f, c, at), s);
        }
        if (price >= UNREACHED) kept = 0, price = f->price[r];
    }
    f->cost += price - f->price[r], f->price[r] = price;
    f->timed[r] = kept ? SCHEDULED : BROKEN;
}

/* Whether times are kept on a route that is p's up to a, then the `count` customers of `middle`, then q's from b on; DEPOT
 * as a or b stands for nothing of that route. *price receives what its times cost. */
INLINE int32 keeps_times(Fleet *f, int32 p, int32 a, const int32 *middle, int32 count, int32 q, int32 b, real *price) {
    *price = 0;
    if (a == DEPOT && b == DEPOT && count == 0) return 1;
    if (a != DEPOT) schedule_route(f, p);
    if (b != DEPOT) schedule_route(f, q);
    real t = a == DEPOT ? f->leaves : f->early[a];
    int32 at = a;
    for (int32 k = 0; k < count; at = middle[k++]) {
        t = next_start(f, middle[k], t + time_leg(f, at, middle[k]));
        if (t > f->closes[middle[k]]) return 0;
        t += f->serve[middle[k]];
    }
    if (t + time_leg(f, at, b) > (b == DEPOT ? last_end(f) : f->late[b])) return 0;
    if (!f->lasting) return 1;
    if (f->walks) {
        int32 listed = list_until(f, p, a, 0);
        for (int32 k = 0; k < count; k++) f->visits[listed++] = middle[k];
        *price = walk_route(f, f->visits, list_from(f, b, listed));
        return *price < UNREACHED;
    }
    Segment s = a == DEPOT ? stop_at(f, DEPOT) : f->heads[a];
    at = a;
    for (int32 k = 0; k < count; at = middle[k++]) s = joined(s, time_leg(f, at, middle[k]), stop_at(f, middle[k]));
    s = joined(s, time_leg(f, at, b), b == DEPOT ? end_of_day(f) : f->tails[b]);
    *price = f->per_time * s.duration;
    return s.duration <= f->longest;
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
        if (f->time[f->touched[k]] > f->limit) return 0;
    for (int32 k = 0; k < f->touches && SECOND(f); k++)
        if (f->time2[f->touched[k]] > f->limit2) return 0;
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
    for (int32 r = 0; r < f->slots; r++) {
        real load = 0, travel = 0, service = 0;
        if (f->size[r] > 0) {
            travel = f->back[f->first[r]];
            for (int32 c = f->first[r]; c != DEPOT; c = f->next[c])
                load += f->demand[c], travel += f->ahead[c], service += f->service[c];
            f->cost += travel + f->fixed;
        }
        f->load[r] = load, f->time[r] = travel + service;
        if (SECOND(f)) {
            f->time2[r] = f->size[r] > 0 ? apart2(f, DEPOT, f->first[r]) : 0;
            for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c])
                f->time2[r] += apart2(f, c, f->next[c]) + f->service2[c];
        }
#ifdef TIMED
        f->price[r] = 0, f->timed[r] = 0;
        schedule_route(f, r);
#endif
    }
}

#endif
