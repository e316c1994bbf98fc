// build: metrics, branches
/* Conflict resolution for overlapping windows: combine the changes that windows made to copies of the same tour.
 *
 * The changes of one window fall into components: cities connected by removed or added edges. A component that yields a
 * tour on its own is a unit. A component that does not, such as half of a double bridge, forms a unit with the
 * components whose cuts interleave with its own along the tour. A unit is accepted if none of its cities was changed by
 * a unit accepted before: first units that save, then units of zero cost. Accepted units are disjoint, so every city
 * has two neighbours again; tour_subtours.c makes sure that the result is a single tour.
 *
 * A change is three numbers: a city and its two new neighbours. Window w made the changes sums[w - 1] .. sums[w] - 1.
 */
#include "common/metric.h"
#include "tours/tour_segments.h"

#define WORKSPACE 8
#define OPEN 1   /* a component with cuts still to come in the scan */
#define UNSOUND 2 /* a component that does not yield a tour on its own */

/* The changes of one window, and the tour before them. */
typedef struct {
    int32 n, cuts;
    int64 first, end;
    GLOBAL const int32 *changes, *tour, *place;
    GLOBAL int32 *unit;  /* by change: union-find parent; the root heads the unit */
    GLOBAL int32 *entry; /* by city: its change */
    GLOBAL int32 *cut;   /* the changes whose city lost its successor in the tour, in tour order */
    /* by head of a component, relative to `first`: number of cuts, offset of its cuts in places, group of components it
     * belongs to, the group's cuts still to come, and flags */
    GLOBAL int32 *count, *start, *group, *left, *flags;
    GLOBAL int32 *places, *stack;
} Changed;

INLINE int32 beside(const Changed *w, int32 c, int32 onward) {
    int32 at = w->place[c] + (onward ? 1 : -1);
    return w->tour[at < 0 ? w->n - 1 : at == w->n ? 0 : at];
}

/* Whether a change leaves its city adjacent to d. */
INLINE int32 has(const Changed *w, int64 change, int32 d) {
    return w->changes[3 * change + 1] == d || w->changes[3 * change + 2] == d;
}

INLINE int32 was_beside(const Changed *w, int32 c, int32 d) { return beside(w, c, 0) == d || beside(w, c, 1) == d; }

/* Return the new neighbour that city c gained; if it gained two, the one that is not `from`. */
INLINE int32 got(const Changed *w, int32 c, int32 from) {
    GLOBAL const int32 *now = w->changes + 3 * (int64)w->entry[c] + 1;
    return now[was_beside(w, c, now[0]) || now[0] == from];
}

/* Whether cutting the tour after these positions (ascending) and joining it as the changes say yields one tour: start
 * from the segment that ends at the first cut and pass from segment to segment until it is reached again. */
INLINE int32 makes_a_tour(const Changed *w, GLOBAL const int32 *places, int32 count) {
    int32 passed = 0, segment, from = w->tour[places[0]], c = got(w, from, NOBODY);
    do {
        int32 at = w->place[c], low = 0, high = count;
        while (low < high) {
            int32 middle = (low + high) / 2;
            if (places[middle] < at) low = middle + 1;
            else high = middle;
        }
        segment = low == count ? 0 : low; /* the segment that wraps around the end */
        passed++;
        if (segment == 0) break;
        int32 leave = w->tour[at == places[segment] ? places[segment - 1] + 1 : places[segment]], next = got(w, leave, from);
        from = leave, c = next;
    } while (passed < count);
    return segment == 0 && passed == count;
}

/* List the cuts in tour order (Shell sort). */
INLINE void sort_cuts(Changed *w) {
    int32 count = 0, gap = 1;
    for (int64 k = w->first; k < w->end; k++)
        if (!has(w, k, beside(w, w->changes[3 * k], 1))) w->cut[count++] = (int32)k;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int32 i = gap; i < count; i++) {
            int32 k = w->cut[i], at = w->place[w->changes[3 * (int64)k]], to = i;
            for (; to >= gap && w->place[w->changes[3 * (int64)w->cut[to - gap]]] > at; to -= gap)
                w->cut[to] = w->cut[to - gap];
            w->cut[to] = k;
        }
    w->cuts = count;
}

INLINE int32 head_of(const Changed *w, int32 i) { return (int32)(w->unit[w->cut[i]] - w->first); }

/* Find the components that do not yield a tour on their own; return their number. */
INLINE int32 test_components(const Changed *w) {
    int32 heads = (int32)(w->end - w->first), at = 0, unsound = 0;
    for (int32 h = 0; h < heads; h++) w->count[h] = w->flags[h] = 0, w->group[h] = h;
    for (int32 i = 0; i < w->cuts; i++) w->count[head_of(w, i)]++;
    for (int32 h = 0; h < heads; h++) w->start[h] = at, at += w->count[h], w->left[h] = 0;
    for (int32 i = 0; i < w->cuts; i++) {
        int32 h = head_of(w, i);
        w->places[w->start[h] + w->left[h]++] = w->place[w->changes[3 * (int64)w->cut[i]]];
    }
    for (int32 h = 0; h < heads; h++) {
        if (w->count[h] == 0 || makes_a_tour(w, w->places + w->start[h], w->count[h])) continue;
        w->flags[h] = UNSOUND;
        unsound++;
    }
    return unsound;
}

/* Group components whose cuts interleave along the tour: when a component recurs, all components above it on the stack
 * are unfinished and join its group. */
INLINE void group_components(const Changed *w) {
    int32 high = 0;
    for (int32 i = 0; i < w->cuts; i++) {
        int32 g = leader_of(w->group, head_of(w, i));
        if (!(w->flags[g] & OPEN)) w->flags[g] |= OPEN, w->left[g] = w->count[g], w->stack[high++] = g;
        for (; w->stack[high - 1] != g; high--) {
            int32 above = w->stack[high - 1];
            w->group[above] = g, w->left[g] += w->left[above], w->flags[g] |= w->flags[above];
        }
        if (--w->left[g] == 0) high--;
    }
}

/* Merge each group with an UNSOUND component into one unit; groups that even so yield no tour form one joint unit. */
INLINE void unite_groups(const Changed *w, GLOBAL real *saves) {
    int32 joint = NOBODY, heads = (int32)(w->end - w->first);
    for (int32 h = 0; h < heads; h++) w->left[h] = leader_of(w->group, h);
    for (int32 g = 0; g < heads; g++) {
        int32 count = 0;
        if (w->left[g] != g || w->count[g] == 0 || !(w->flags[g] & UNSOUND)) continue;
        for (int32 i = 0; i < w->cuts; i++)
            if (w->left[head_of(w, i)] == g) w->places[count++] = w->place[w->changes[3 * (int64)w->cut[i]]];
        if (makes_a_tour(w, w->places, count)) w->stack[g] = g;
        else w->stack[g] = joint = joint == NOBODY ? g : joint;
    }
    for (int32 h = 0; h < heads; h++) {
        int32 g = w->left[h];
        if (w->count[h] == 0 || !(w->flags[g] & UNSOUND) || w->stack[g] == h) continue;
        saves[w->first + w->stack[g]] += saves[w->first + h];
    }
    for (int64 k = w->first; k < w->end; k++) {
        int32 g = w->left[w->unit[k] - w->first];
        if (w->flags[g] & UNSOUND) w->unit[k] = (int32)w->first + w->stack[g];
    }
}

INLINE void unite_changes(const Changed *w, int64 change, int32 with) {
    w->unit[leader_of(w->unit, (int32)change)] = leader_of(w->unit, w->entry[with]);
}

/* Write the neighbours of each city in the tour, 2 per city, and its position. */
KERNEL(tour_links, int32 n, GLOBAL const int32 *tour, GLOBAL int32 *links, GLOBAL int32 *place) {
    link_tour(n, tour, links);
    for (int32 i = 0; i < n; i++) place[tour[i]] = i;
}

/* Find the units of the windows' changes: unit[k] is the change that heads the unit of change k, saves[unit[k]] the
 * unit's saving. workspace: n + WORKSPACE * most numbers per group, where no window made more than `most`
 * changes. */
KERNEL(tour_units, POINTS_PARAMETERS, int32 n, int32 windows, GLOBAL const int64 *sums, GLOBAL const int32 *changes,
       GLOBAL const int32 *tour, GLOBAL const int32 *place, int32 most, GLOBAL int32 *workspace, GLOBAL int32 *unit,
       GLOBAL real *saves) {
    POINTS_STRUCT(p);
    GLOBAL int32 *entry = workspace + (n + WORKSPACE * (int64)most) * GROUP, *own = entry + n;
    for (int32 window = GROUP; window < windows; window += GROUPS) {
        int64 first = window == 0 ? 0 : sums[window - 1], end = sums[window];
        Changed w = {n, 0, first, end, changes, tour, place, unit, entry, own, own + most, own + 2 * (int64)most,
                     own + 3 * (int64)most, own + 4 * (int64)most, own + 5 * (int64)most, own + 6 * (int64)most,
                     own + 7 * (int64)most};
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
        sort_cuts(&w);
        if (test_components(&w) == 0) continue;
        group_components(&w);
        unite_groups(&w, saves);
    }
}

/* Write the accepted changes to links, which holds the neighbours in the tour. owner, by city, is below `stamp` on
 * entry and becomes `stamp` where a change is accepted. left: workspace of one number per change. tally: number of
 * changes, and number accepted. */
KERNEL(tour_conflicts, int32 windows, GLOBAL const int64 *sums, GLOBAL const int32 *changes, GLOBAL const int32 *unit,
       GLOBAL const real *saves, real epsilon, GLOBAL int32 *links, GLOBAL int32 *owner, int32 stamp, GLOBAL int32 *left,
       GLOBAL int64 *tally) {
    int64 all = sums[windows - 1];
    tally[0] = all, tally[1] = 0;
    for (int32 pass = 0; pass < 2; pass++) {
        for (int64 k = 0; k < all; k++) {
            real saved = saves[unit[k]];
            left[k] = pass == 0 ? saved <= epsilon : saved > epsilon || saved < -epsilon;
        }
        for (int32 window = 0; window < windows; window++) {
            int64 first = window == 0 ? 0 : sums[window - 1], end = sums[window];
            for (int64 k = first; k < end; k++) left[unit[k]] |= owner[changes[3 * k]] == stamp;
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
