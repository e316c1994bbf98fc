/* Breaks of drivers on a route, in builds with MIXED, wherever they make it shortest. As model/rests.py places them.
 *
 * A break is taken on a leg or in the wait behind it, before the vehicle leaves, or after it has come back. On a leg of length
 * t it begins at its opening at the earliest, which is as if it came before the leg and opened t earlier:
 *
 *     arrival = max(departure + t, opening) + length = max(departure, opening - t) + length + t
 *
 * So a break is a stop without a place, and pieces of routes are joined around it. Of the pieces with all breaks but the last
 * the one that ends first is kept at each stop; the last break is tried everywhere.
 */
#ifndef WARPTOUR_ROUTES_RESTS
#define WARPTOUR_ROUTES_RESTS
#ifdef MIXED

#define MAX_RESTS 4 /* breaks of a vehicle */

INLINE int32 can_be_kept(const Fleet *f, Segment s) { return s.warp <= f->rounding; }

/* Return which of two pieces with the same stops and breaks ends first, or is shorter if both end together. */
INLINE Segment sooner(const Fleet *f, Segment a, Segment b) {
    real behind = b.earliest + b.duration - a.earliest - a.duration;
    if (!can_be_kept(f, a) || !can_be_kept(f, b)) return a.warp <= b.warp ? a : b;
    if (behind > f->rounding || (behind >= -f->rounding && b.duration >= a.duration)) return a;
    return b;
}

INLINE void keep_shorter(const Fleet *f, real *shortest, Segment s) {
    if (can_be_kept(f, s) && s.duration < *shortest) *shortest = s.duration;
}

/* Return how long route r is out with these customers and its breaks, or UNREACHED if they cannot all be kept. */
INLINE real rested_duration(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    GLOBAL const Rest *rests = f->rests + kind_of(f, r)->first_rest;
    int32 number = kind_of(f, r)->rests;
    GLOBAL Segment *behind = f->behind; /* the route from each visit on */
    Segment before[MAX_RESTS + 1], end = end_of_day(f, r), begin = begin_of_day(f, r);
    real shortest = UNREACHED, due[MAX_RESTS + 1];
    due[number] = UNREACHED;
    for (int32 k = number; k-- > 0;) { /* when to be back for the breaks from k on */
        due[k] = due[k + 1] - rests[k].length;
        if (rests[k].closes < due[k]) due[k] = rests[k].closes;
    }
    behind[count] = end;
    for (int32 k = count; k-- > 0;)
        behind[k] = joined(stop_at(f, visits[k]), time_leg(f, r, visits[k], k + 1 < count ? visits[k + 1] : DEPOT), behind[k + 1]);
    real ready = 0;
    before[0] = begin;
    for (int32 k = 0; k < number; k++) {
        ready = (ready > rests[k].opens ? ready : rests[k].opens) + rests[k].length;
        before[k + 1] = begin;
        if (ready > begin.earliest) before[k + 1].earliest = ready;
        if (ready > begin.latest) before[k + 1].warp = ready - begin.latest, before[k + 1].earliest = begin.latest;
    }
    for (int32 at = 0; at <= count; at++) {
        real way = time_leg(f, r, at ? visits[at - 1] : DEPOT, at < count ? visits[at] : DEPOT);
        if (at == 0) keep_shorter(f, &shortest, joined(before[number], way, behind[0]));
        for (int32 k = 0; k < number; k++) {
            Segment rest = stop_segment(rests[k].opens - way, rests[k].closes, rests[k].length);
            Segment rested = joined(before[k], 0, rest);
            if (k + 1 == number) keep_shorter(f, &shortest, joined(rested, way, behind[at]));
            else before[k + 1] = sooner(f, before[k + 1], rested);
        }
        for (int32 k = 0; k < number; k++) {
            Segment last = end;
            if (at == count && due[k] < last.latest) last.latest = due[k];
            if (at == count && last.latest >= last.earliest) keep_shorter(f, &shortest, joined(before[k], way, last));
            if (at < count) before[k] = joined(before[k], way, stop_at(f, visits[at]));
        }
    }
    return shortest;
}

/* Return how long route r is out with these customers where its driver has a break after `wheel` at the wheel at most;
 * UNREACHED if hours cannot be kept then. A break on a leg comes as late on it as it may. Of pieces with the same number of
 * breaks the one that ends first is kept, or that with less driving since its last. */
INLINE real ruled_duration(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    real length = f->rests[kind_of(f, r)->first_rest].length, most = kind_of(f, r)->wheel, shortest = UNREACHED;
    Segment before[MAX_RESTS + 1], rest = stop_segment(-UNREACHED, UNREACHED, length);
    real driven[MAX_RESTS + 1];
    before[0] = begin_of_day(f, r), driven[0] = 0;
    for (int32 k = 1; k <= MAX_RESTS; k++) driven[k] = UNREACHED;
    for (int32 at = 0; at <= count; at++) {
        real way = time_leg(f, r, at ? visits[at - 1] : DEPOT, at < count ? visits[at] : DEPOT);
        for (int32 k = MAX_RESTS; k >= 0; k--) {
            real since = driven[k] + way > most ? (real)UNREACHED : driven[k] + way;
            real left = k == 0 || driven[k - 1] >= UNREACHED ? (real)UNREACHED : driven[k - 1] + way - most;
            if (left < 0) left = 0;
            if (left <= most) {
                Segment rested = joined(before[k - 1], 0, rest);
                real behind = since < UNREACHED
                                  ? rested.earliest + rested.duration - before[k].earliest - before[k].duration
                                  : -UNREACHED;
                if (behind < -f->rounding || (behind <= f->rounding && left < since)) before[k] = rested, since = left;
            }
            driven[k] = since;
        }
        for (int32 k = 0; k <= MAX_RESTS; k++) {
            if (driven[k] >= UNREACHED) continue;
            before[k] = joined(before[k], way, at < count ? stop_at(f, visits[at]) : end_of_day(f, r));
            if (!can_be_kept(f, before[k])) driven[k] = UNREACHED;
            else if (at == count) keep_shorter(f, &shortest, before[k]);
        }
    }
    return shortest;
}

#endif
#endif
