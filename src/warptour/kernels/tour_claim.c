// build: metrics
/* What windows that overlap changed, each in a copy of the same tour, brought together.
 *
 * The changes of one window fall into components: cities that lost or gained edges between them. One that makes a tour of
 * the tour for itself is a unit; those that do not, as the two halves of a double bridge, are one unit together. A unit
 * is taken if none of its cities was changed by one taken before: first units that save, then those that cost nothing.
 * What is taken does not touch, so that each city has two neighbours again; that it makes one tour is for tour_unite.c to
 * see to.
 *
 * A change is three numbers: a city and its two neighbours now. Window w made the changes sums[w - 1] .. sums[w] - 1.
 * Meanwhile the tour may have become another than the windows had; then cities that are no longer as they had them count
 * as changed.
 */
#include "metric.h"
#include "tour_runs.h"

/* The changes of one window, and the tour before them. */
typedef struct {
    int32 n;
    int64 first, end;
    GLOBAL const int32 *changes, *tour, *place;
    GLOBAL int32 *unit;         /* by change: the one that heads its unit, itself or another on the way there */
    GLOBAL int32 *entry, *cuts; /* by city: its change; room for as many numbers as a window has changes */
} Changed;

INLINE int32 beside(const Changed *w, int32 c, int32 onward) {
    int32 at = w->place[c] + (onward ? 1 : -1);
    return w->tour[at < 0 ? w->n - 1 : at == w->n ? 0 : at];
}

/* Whether the change of a city leaves it beside d. */
INLINE int32 has(const Changed *w, int64 change, int32 d) {
    return w->changes[3 * change + 1] == d || w->changes[3 * change + 2] == d;
}

INLINE int32 was_beside(const Changed *w, int32 c, int32 d) { return beside(w, c, 0) == d || beside(w, c, 1) == d; }

/* A neighbour that city c has got, not `from` where it has got two. */
INLINE int32 got(const Changed *w, int32 c, int32 from) {
    GLOBAL const int32 *now = w->changes + 3 * (int64)w->entry[c] + 1;
    return now[was_beside(w, c, now[0]) || now[0] == from];
}

/* Whether the component headed by a change makes a tour of the tour. */
INLINE int32 makes_a_tour(const Changed *w, int32 head) {
    GLOBAL int32 *cuts = w->cuts; /* the places after which it cuts the tour, in order */
    int32 count = 0, passed = 0, run;
    for (int64 k = w->first; k < w->end; k++) {
        int32 c = w->changes[3 * k], at = w->place[c], to = count;
        if (w->unit[k] != head || has(w, k, beside(w, c, 1))) continue;
        for (; to > 0 && cuts[to - 1] > at; to--) cuts[to] = cuts[to - 1];
        cuts[to] = at;
        count++;
    }
    /* leave the run that ends at the first cut there, and pass from run to run until it is met again */
    int32 from = w->tour[cuts[0]], c = got(w, from, NOBODY);
    do {
        int32 at = w->place[c], low = 0, high = count;
        while (low < high) {
            int32 middle = (low + high) / 2;
            if (cuts[middle] < at) low = middle + 1;
            else high = middle;
        }
        run = low == count ? 0 : low; /* the one that goes on round the end */
        passed++;
        if (run == 0) break;
        int32 leave = w->tour[at == cuts[run] ? cuts[run - 1] + 1 : cuts[run]], next = got(w, leave, from);
        from = leave, c = next;
    } while (passed < count);
    return run == 0 && passed == count;
}

INLINE void unite_changes(const Changed *w, int64 change, int32 with) {
    w->unit[leader_of(w->unit, (int32)change)] = leader_of(w->unit, w->entry[with]);
}

/* Write the neighbours of each city along the tour, 2 a city, and its place. */
KERNEL(tour_links, int32 n, GLOBAL const int32 *tour, GLOBAL int32 *links, GLOBAL int32 *place) {
    link_tour(n, tour, links);
    for (int32 i = 0; i < n; i++) place[tour[i]] = i;
}

/* Find the units of the windows' changes: unit[k] is the change that heads that of change k, saves[unit[k]] what it saves.
 * rooms is for 2 n numbers a group. */
KERNEL(tour_units, POINTS_PARAMETERS, int32 n, int32 windows, GLOBAL const int64 *sums, GLOBAL const int32 *changes,
       GLOBAL const int32 *tour, GLOBAL const int32 *place, GLOBAL int32 *rooms, GLOBAL int32 *unit, GLOBAL real *saves) {
    POINTS_STRUCT(p);
    GLOBAL int32 *entry = rooms + 2 * (int64)n * GROUP;
    for (int32 window = GROUP; window < windows; window += GROUPS) {
        int64 first = window == 0 ? 0 : sums[window - 1], end = sums[window];
        Changed w = {n, first, end, changes, tour, place, unit, entry, entry + n};
        for (int64 k = first; k < end; k++) unit[k] = (int32)k, saves[k] = 0, entry[changes[3 * k]] = (int32)k;
        for (int64 k = first; k < end; k++)
            for (int32 side = 0; side < 2; side++) {
                int32 c = changes[3 * k], come = changes[3 * k + 1 + side], gone = beside(&w, c, side);
                if (!was_beside(&w, c, come)) unite_changes(&w, k, come);
                if (!has(&w, k, gone)) unite_changes(&w, k, gone);
            }
        for (int64 k = first; k < end; k++) {
            int32 c = changes[3 * k], head = unit[k] = leader_of(unit, (int32)k);
            for (int32 side = 0; side < 2; side++) /* every edge is counted at both ends */
                saves[head] += (between(&p, c, beside(&w, c, side)) - between(&p, c, changes[3 * k + 1 + side])) / 2;
        }
        int32 joint = NOBODY;
        for (int64 k = first; k < end; k++) {
            if (unit[k] != k || makes_a_tour(&w, (int32)k)) continue;
            if (joint == NOBODY) {
                joint = (int32)k;
                continue;
            }
            saves[joint] += saves[k];
            for (int64 i = first; i < end; i++)
                if (unit[i] == k) unit[i] = joint;
        }
    }
}

/* Write what is taken into links, which hold the neighbours along the tour. owner, by city, is `since` or more where the
 * city was changed after the windows began, and becomes `stamp` where a change is taken; left is room for as many numbers
 * as there are changes. tally: how many there are, and how many were taken. */
KERNEL(tour_claim, int32 windows, GLOBAL const int64 *sums, GLOBAL const int32 *changes, GLOBAL const int32 *unit,
       GLOBAL const real *saves, real noise, GLOBAL int32 *links, GLOBAL int32 *owner, int32 since, int32 stamp,
       GLOBAL int32 *left, GLOBAL int64 *tally) {
    int64 all = sums[windows - 1];
    tally[0] = all, tally[1] = 0;
    for (int32 pass = 0; pass < 2; pass++) {
        for (int64 k = 0; k < all; k++) {
            real saved = saves[unit[k]];
            left[k] = pass == 0 ? saved <= noise : saved > noise || saved < -noise;
        }
        for (int32 window = 0; window < windows; window++) {
            int64 first = window == 0 ? 0 : sums[window - 1], end = sums[window];
            for (int64 k = first; k < end; k++) left[unit[k]] |= owner[changes[3 * k]] >= since;
            for (int64 k = first; k < end; k++) {
                int32 c = changes[3 * k];
                if (left[unit[k]]) continue;
                links[2 * c] = changes[3 * k + 1], links[2 * c + 1] = changes[3 * k + 2];
                owner[c] = stamp;
                tally[1]++;
            }
        }
    }
}
