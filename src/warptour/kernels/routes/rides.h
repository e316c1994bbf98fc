/* Longest rides of shipments, in builds with PAIRS, as model/rides.py keeps them.
 *
 * A ride is shorter if its pickup begins later, where there is a wait behind it. So starts are bounded by later ones, too; walks
 * along the route and back find the earliest, and from those the latest, until nothing changes.
 */
#ifndef WARPTOUR_ROUTES_RIDES
#define WARPTOUR_ROUTES_RIDES
#ifdef PAIRS

/* Return the time from the start of visit number k, 0 for that of the route, to the arrival at the one behind it. */
INLINE real way_behind(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, int32 k) {
    int32 a = k ? visits[k - 1] : DEPOT, b = k < count ? visits[k] : DEPOT;
    return (k ? f->serve[a] : served_at_start(f, r)) + time_leg(f, r, a, b);
}

/* Return the number of the visit, from 1, whose goods with a longest ride visit number k receives, 0 if there is none. */
INLINE int32 boarded_at(const Fleet *f, GLOBAL const int32 *visits, int32 count, int32 k) {
    int32 pickup = k && k <= count ? -f->mate[visits[k - 1]] : 0;
    if (pickup <= 0 || f->rides[pickup] >= UNREACHED) return 0;
    int32 p = f->boarded[pickup];
    return p > 0 && p < k && visits[p - 1] == pickup ? p : 0;
}

INLINE real closes_at_visit(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, int32 k) {
    return k ? k <= count ? f->closes[visits[k - 1]] : closes_at_end(f, r) : f->per_late < UNREACHED ? UNREACHED : due_at_start(f, r);
}

INLINE real due_at_visit(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, int32 k) {
    return k ? k <= count ? f->due[visits[k - 1]] : due_at_end(f, r) : due_at_start(f, r);
}

/* Note where goods are picked up, and return whether all rides keep their limits without waits. */
INLINE int32 rides_directly(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    GLOBAL real *offset = f->starts;
    offset[0] = 0;
    for (int32 k = 1; k <= count; k++) {
        int32 c = visits[k - 1];
        offset[k] = offset[k - 1] + way_behind(f, r, visits, count, k - 1);
        if (f->mate[c] > 0) f->boarded[c] = k;
        int32 p = boarded_at(f, visits, count, k), pickup = -f->mate[c];
        if (p && offset[k] - offset[p] - f->serve[pickup] > f->rides[pickup] + f->rounding / 2) return 0;
    }
    return 1;
}

/* Let f->starts be the earliest starts of route r from a departure on, and return the last, UNREACHED if there are none. */
INLINE real ridden_starts(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, real leave) {
    GLOBAL real *starts = f->starts;
    int32 stops = count + (open_end(f, r) ? 0 : 1), changed = 1;
    for (int32 k = 1; k <= stops; k++) starts[k] = -UNREACHED;
    starts[0] = leave;
    for (int32 walk = 0; changed && walk < count + 3; walk++) {
        for (int32 k = 0; k <= stops; k++) {
            real ready = k ? starts[k - 1] + way_behind(f, r, visits, count, k - 1) : leave;
            if (starts[k] > ready) ready = starts[k];
            if (k && k <= count) ready = start_of_visit(f, visits, k - 1, count, ready);
            else if (k && ready < opens_at_end(f, r)) ready = opens_at_end(f, r);
            if (ready > closes_at_visit(f, r, visits, count, k)) return UNREACHED;
            starts[k] = ready;
        }
        changed = 0;
        for (int32 k = stops; k > 0; k--) {
            int32 p = boarded_at(f, visits, count, k);
            real least = p ? starts[k] - f->rides[visits[p - 1]] - f->serve[visits[p - 1]] : -UNREACHED;
            if (p && least > starts[p] + f->rounding / 2) starts[p] = least, changed = 1;
            least = starts[k] - way_behind(f, r, visits, count, k - 1) - f->longest_wait;
            if (least > starts[k - 1] + f->rounding / 2) starts[k - 1] = least, changed = 1;
        }
    }
    return changed ? UNREACHED : starts[stops];
}

/* Return by how much the stops of a route are late at f->starts. */
INLINE real ridden_late(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    real behind = 0;
    for (int32 k = 0; k <= count + (open_end(f, r) ? 0 : 1); k++) {
        real late = f->starts[k] - due_at_visit(f, r, visits, count, k);
        if (late > 0) behind += late;
    }
    return behind;
}

/* Return the last departure that keeps limits and is no later at the end than f->starts. */
INLINE real last_departure(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    GLOBAL real *starts = f->starts, *latest = f->starts + f->m + 1;
    int32 stops = count + (open_end(f, r) ? 0 : 1), changed = 1;
    for (int32 k = 0; k <= stops; k++) {
        real due = due_at_visit(f, r, visits, count, k), shuts = closes_at_visit(f, r, visits, count, k);
        latest[k] = starts[k] > due ? starts[k] : due < shuts ? due : shuts;
        if (latest[k] > starts[stops]) latest[k] = starts[stops];
    }
    for (int32 walk = 0; changed && walk < count + 3; walk++) {
        for (int32 k = stops - 1; k >= 0; k--) {
            real until = latest[k + 1] - way_behind(f, r, visits, count, k);
            if (latest[k] < until) until = latest[k];
            if (k && starts[k] <= f->due[visits[k - 1]]) until = last_start(f, visits[k - 1], until);
            latest[k] = until > starts[k] ? until : starts[k];
        }
        changed = 0;
        for (int32 k = 1; k <= stops; k++) {
            int32 p = boarded_at(f, visits, count, k);
            real most = latest[k - 1] + way_behind(f, r, visits, count, k - 1) + f->longest_wait;
            real ridden = p ? latest[p] + f->serve[visits[p - 1]] + f->rides[visits[p - 1]] : (real)UNREACHED;
            if (ridden < most) most = ridden;
            if (most < starts[k]) most = starts[k];
            if (latest[k] > most + f->rounding / 2) latest[k] = most, changed = 1;
        }
    }
    return changed ? starts[0] : latest[0];
}

/* Return how long route r takes if it leaves at a time, or UNREACHED if it is late anywhere. */
INLINE real ridden_duration(const Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count, real leave) {
    real end = ridden_starts(f, r, visits, count, leave);
    if (end >= UNREACHED || ridden_late(f, r, visits, count) > 0) return UNREACHED;
    return end - f->starts[0];
}

#endif
#endif
