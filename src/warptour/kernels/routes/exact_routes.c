/* Optimal routes of few customers by dynamic programming over subsets of them, the bits of a number. Runs on the host.
 *
 * First the cheapest route of each subset (Held and Karp 1962): a label is a path from the depot through a subset to its
 * last customer, with its travel and what else it uses: other travel that a second limit counts or, with windows, the time
 * of its departure there. Of the labels with the same subset and last customer those are kept that no other one equals or
 * beats in both: less of either never hurts later. Then the cheapest partition of all customers into such routes. */
#include "routes/openings.h"

#define NONE ((real)1e300)

typedef struct {
    int32 m; /* customers are numbered from 0 here, and from 1 in the tables, where 0 is the depot */
    GLOBAL const real *travel, *travel2; /* travel2 is null without a second limit or windows */
    /* Windows of each node, or opens is null: opening, closing, service, and gaps as in openings.h. */
    GLOBAL const real *opens, *closes, *serve, *gaps;
    GLOBAL const int32 *gap_ends;
    GLOBAL int64 *begin;                 /* first label of each (subset, last); those of one follow each other */
    GLOBAL real *cost, *used;
    GLOBAL int32 *from, *last;
} Labels;

/* Return what a path that has used `used` at node a has used behind node b, at least NONE if b is closed. */
INLINE real used_at(const Labels *l, real used, int32 a, int32 b) {
    if (l->travel2) used += l->travel2[a * (l->m + 1) + b];
    if (!l->opens || b == 0) return used;
    real start = next_opening(l->opens, l->gaps, l->gap_ends, b, used);
    return start > l->closes[b] ? NONE : start + l->serve[b];
}

/* Append the labels of `subset` that end at `to`, cheapest first, unless they use more than `most2`: those of the subset
 * without `to`, which are sorted too, each longer by one leg. Return the number of all labels, or -1 beyond `room`. */
INLINE int64 extend_labels(const Labels *l, int32 subset, int32 to, real most2, int64 size, int64 room) {
    int32 before = subset & ~(1 << to), count = 0, ends[31];
    int64 next[31], stop[31];
    for (int32 rest = before; rest; rest &= rest - 1) {
        int64 at = (int64)before * l->m + (ends[count] = LOWEST_BIT(rest));
        next[count] = l->begin[at], stop[count] = l->begin[at + 1];
        count += next[count] < stop[count];
    }
    real least = most2; /* what the last label kept uses */
    for (int32 kept = 0;;) {
        real best = NONE, best_used = NONE;
        int32 which = -1;
        for (int32 k = 0; k < count; k++) {
            if (next[k] == stop[k]) continue;
            int32 a = ends[k] + 1;
            real cost = l->cost[next[k]] + l->travel[a * (l->m + 1) + to + 1];
            real used = used_at(l, l->used[next[k]], a, to + 1);
            if (which < 0 || cost < best || (cost == best && used < best_used)) best = cost, best_used = used, which = k;
        }
        if (which < 0) return size;
        if (kept ? best_used < least : best_used <= least) {
            if (size == room) return -1;
            l->cost[size] = best, l->used[size] = least = best_used;
            l->from[size] = (int32)next[which], l->last[size] = to;
            size++, kept = 1;
        }
        next[which]++;
    }
}

/* most, most2: maximum travel of a route through each subset, less services, or with windows the latest return;
 * -1e300 where a route is impossible. windows: opens, closes, serve, each m + 1 long, and gaps; leaves: what is used at the
 * depot. begin: 2^m * m + 1 long; cost, used, from, last: `room` long. route, end: 2^m long, receive the cost of the cheapest
 * route of each subset, 1e300 if there is none, and its last label. counts[0] receives the number of labels, or -1 if there
 * is no room for all of them. */
KERNEL(exact_routes, int32 m, GLOBAL const real *travel, GLOBAL const real *travel2, GLOBAL const real *most,
       GLOBAL const real *most2, GLOBAL const real *windows, GLOBAL const int32 *gap_ends, real leaves, int64 room,
       GLOBAL int64 *begin, GLOBAL real *cost, GLOBAL real *used, GLOBAL int32 *from, GLOBAL int32 *last,
       GLOBAL real *route, GLOBAL int32 *end, GLOBAL int64 *counts) {
    Labels l = {m, travel, travel2, windows, windows, windows, windows, gap_ends, begin, cost, used, from, last};
    if (windows) l.closes += m + 1, l.serve += 2 * (m + 1), l.gaps += 3 * (m + 1);
    int64 size = 0;
    route[0] = NONE, counts[0] = -1;
    for (int32 k = 0; k <= m; k++) begin[k] = 0;
    for (int32 subset = 1; subset < 1 << m; subset++) {
        route[subset] = NONE;
        for (int32 to = 0; to < m; to++) {
            int64 first = size;
            if (most[subset] > -NONE && subset >> to & 1) {
                if (subset != 1 << to) {
                    size = extend_labels(&l, subset, to, most2[subset], size, room);
                } else if (size < room && used_at(&l, leaves, 0, to + 1) <= most2[subset]) {
                    cost[size] = travel[to + 1], used[size] = used_at(&l, leaves, 0, to + 1);
                    from[size] = -1, last[size++] = to;
                }
                if (size < 0) return;
            }
            begin[(int64)subset * m + to + 1] = size;
            for (int64 k = first; k < size; k++) {
                real whole = cost[k] + travel[(to + 1) * (m + 1)];
                if (whole < route[subset] && whole <= most[subset] && used_at(&l, used[k], to + 1, 0) <= most2[subset])
                    route[subset] = whole, end[subset] = (int32)k;
            }
        }
    }
    counts[0] = size;
}

/* best, from: (rows + 1) * 2^m long. Row k receives the least cost of each subset in at most k routes, and the last of
 * these; without limit on their number rows is 0, and row 0 is for any number. fixed: added for each route. */
KERNEL(exact_partition, int32 m, int32 rows, real fixed, GLOBAL const real *route, GLOBAL real *best, GLOBAL int32 *from) {
    int32 all = 1 << m;
    for (int32 k = rows ? 1 : 0; k <= rows; k++) {
        GLOBAL real *row = best + (int64)k * all, *below = rows ? row - all : row;
        GLOBAL int32 *which = from + (int64)k * all;
        if (k < 2) below[0] = 0;
        for (int32 subset = 1; k == 1 && subset < all; subset++) below[subset] = NONE;
        row[0] = 0;
        for (int32 subset = 1; subset < all; subset++) {
            int32 first = subset & -subset, rest = subset ^ first, taken = rest;
            row[subset] = NONE;
            for (;;) { /* the route of the first customer, and all others of it */
                int32 chosen = taken | first;
                real cost = route[chosen] + fixed + below[subset ^ chosen];
                if (cost < row[subset]) row[subset] = cost, which[subset] = chosen;
                if (taken == 0) break;
                taken = (taken - 1) & rest;
            }
        }
    }
}

/* best, own: cost of the cheapest routes of some kinds of vehicles and of a further one that serve each subset, 1e300 if there
 * are none. both: those of all of them; share: the part of the further kind. */
KERNEL(exact_kinds, int32 m, GLOBAL const real *best, GLOBAL const real *own, GLOBAL real *both, GLOBAL int32 *share) {
    for (int32 subset = 0; subset < 1 << m; subset++) {
        both[subset] = best[subset], share[subset] = 0;
        for (int32 taken = subset; taken; taken = (taken - 1) & subset) {
            real cost = best[subset ^ taken] + own[taken];
            if (cost < both[subset]) both[subset] = cost, share[subset] = taken;
        }
    }
}
