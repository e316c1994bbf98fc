// build: metrics, branches
/* Edge assembly crossover (EAX, Nagata and Kobayashi): the offspring is tour A with all that is better in tour B.
 *
 * The edges that only one of A and B has can be partitioned, in many ways, into AB-cycles, in which edges of A and of B
 * alternate. Replacing the A-edges of one AB-cycle by its B-edges leaves every city two neighbours, on one cycle or on
 * several, which are patched to one (window_exchange.h). AB-cycles are cut off a randomly traced alternating path as
 * soon as they close, so most are short, and each that shortens A is applied immediately. AB-cycles with more than
 * MAX_SWAPS - 2 edges of A are skipped, which keeps the population more diverse.
 *
 * tour_partition.c uses connected components instead of AB-cycles: these are fewer and larger, and any that leaves
 * several cycles is lost.
 */
#include "metric.h"
#include "random.h"
#include "window.h"
#include "window_moves.h"
#include "window_exchange.h"
#include "tour_segments.h"

#define EAX_WORKSPACE 15 /* workspace in numbers per city, plus one number; laid out in the kernel */

/* The edges that only one of two tours has, 0: only A, 1: only B. */
typedef struct {
    GLOBAL int32 *ends[2], *left[2]; /* by city: their other ends, at most two, and how many are left */
    GLOBAL int32 *seen[2];           /* by city: its even and its odd index on the path, or NOBODY */
    GLOBAL int32 *path, *loose;      /* cities on the path; cities with edges left, and some without */
    int32 cities;                    /* number of entries in loose */
} Weave;

/* Collect the edges; theirs: neighbours in B, 2 per city. */
INLINE void weave(const Window *w, GLOBAL const int32 *theirs, Weave *v) {
    v->cities = 0;
    for (int32 c = 0; c < w->m; c++) {
        int32 mine[2] = {before(w, c), after(w, c)}, a = 0, b = 0;
        GLOBAL const int32 *its = theirs + 2 * (int64)c;
        for (int32 k = 0; k < 2; k++) {
            if (!linked(theirs, c, mine[k])) v->ends[0][2 * (int64)c + a++] = mine[k];
            if (its[k] != mine[0] && its[k] != mine[1]) v->ends[1][2 * (int64)c + b++] = its[k];
        }
        v->left[0][c] = a, v->left[1][c] = b;
        v->seen[0][c] = v->seen[1][c] = NOBODY;
        if (a > 0) v->loose[v->cities++] = c;
    }
}

INLINE void take_end(Weave *v, int32 kind, int32 c, int32 d) {
    GLOBAL int32 *ends = v->ends[kind] + 2 * (int64)c;
    if (ends[0] == d) ends[0] = ends[1];
    v->left[kind][c]--;
}

/* Extend the path from path[t] by random edges, of A where t is even and of B where it is odd, until an AB-cycle
 * closes: path[first] .. path[last - 1]. Returns `last`. */
INLINE int32 close_cycle(Weave *v, int32 t, uint64 key, uint64 *counter, int32 *first) {
    for (;;) {
        int32 kind = t & 1, c = v->path[t];
        int32 k = v->left[kind][c] == 2 ? (int32)random_below(key, counter, 2) : 0, d = v->ends[kind][2 * (int64)c + k];
        take_end(v, kind, c, d);
        take_end(v, kind, d, c);
        t++;
        v->path[t] = d;
        *first = v->seen[t & 1][d];
        if (*first != NOBODY) return t;
        v->seen[t & 1][d] = t;
    }
}

/* Convert the AB-cycle path[first] .. path[last - 1] into an exchange. *gain: its gain before patching; *out: total
 * length of the removed edges. Returns 0 if it has too many edges or an edge to remove is no longer in the tour. */
INLINE int32 exchange_of(const Window *w, const Weave *v, int32 first, int32 last, Exchange *x, real *gain, real *out) {
    x->swaps = (last - first) / 2;
    if (x->swaps + 2 > MAX_SWAPS) return 0;
    real in = 0;
    *out = 0;
    for (int32 t = first; t < last; t++) {
        int32 c = v->path[t], d = v->path[t + 1], k = (t - first) / 2;
        if (t & 1) {
            x->from[k] = c, x->to[k] = d;
            in += between(&w->points, c, d);
        } else {
            if (after(w, c) == d) x->cut[k] = w->place[c];
            else if (before(w, c) == d) x->cut[k] = w->place[d];
            else return 0;
            *out += between(&w->points, c, d);
        }
    }
    *gain = *out - in;
    return 1;
}

/* Apply all AB-cycles that shorten the tour. Returns the total gain. */
INLINE real cross_parents(Window *w, Weave *v, uint64 key, Exchange *x, GLOBAL int32 *spare) {
    uint64 counter = 0;
    real won = 0;
    while (v->cities > 0) {
        int32 pick = (int32)random_below(key, &counter, (uint32)v->cities), start = v->loose[pick], t = 0;
        if (v->left[0][start] == 0) {
            v->loose[pick] = v->loose[--v->cities];
            continue;
        }
        v->path[0] = start, v->seen[0][start] = 0;
        do {
            int32 first, last = close_cycle(v, t, key, &counter, &first);
            real gain, out;
            for (int32 k = first + 1; k < last; k++) v->seen[k & 1][v->path[k]] = NOBODY;
            if (exchange_of(w, v, first, last, x, &gain, &out) && gain > tolerance(w, out)) {
                gain = patched(w, x, gain, tolerance(w, out));
                if (gain > 0) {
                    make_exchange(w, x, spare);
                    won += gain;
                }
            }
            t = first;
        } while (t > 0);
        v->seen[0][start] = NOBODY;
    }
    return won;
}

/* Make the offspring of group g, of tours A = pairs[2 g] and B = pairs[2 g + 1] of n cities each. It is written to
 * `children` at the index of A, and its gain over A to `gains` at the same index. workspace: EAX_WORKSPACE * n
 * + 1 numbers per group. */
KERNEL(tour_eax, POINTS_PARAMETERS, GLOBAL const int32 *near, GLOBAL const real *reach, int32 width,
       GLOBAL const int32 *bonds, int32 n, GLOBAL const int32 *pairs, GLOBAL const int32 *tours, GLOBAL int32 *children,
       GLOBAL real *gains, real epsilon, uint64 seed, uint64 stream, GLOBAL int32 *workspace) {
    POINTS_STRUCT(points);
    if (LANE != 0) return;
    int64 each = n, me = pairs[2 * GROUP];
    GLOBAL const int32 *a = tours + me * each, *b = tours + pairs[2 * GROUP + 1] * each;
    GLOBAL int32 *mine = workspace + (int64)GROUP * (EAX_WORKSPACE * each + 1), *theirs = mine + each, *spare = mine + 3 * each;
    Window w;
    w.points = points, w.m = n, w.epsilon = epsilon;
    w.width = width, w.near = near, w.reach = reach, w.bonds = bonds;
    w.tour = children + me * each, w.place = mine;
    Weave v;
    v.ends[0] = mine + 4 * each, v.ends[1] = mine + 6 * each;
    v.left[0] = mine + 8 * each, v.left[1] = mine + 9 * each;
    v.seen[0] = mine + 10 * each, v.seen[1] = mine + 11 * each;
    v.loose = mine + 12 * each;
    v.path = mine + 13 * each; /* 2 n + 1 numbers: each city occurs at most once at an even and once at an odd index */
    Exchange x;
    for (int32 i = 0; i < n; i++) w.tour[i] = a[i], w.place[a[i]] = i;
    link_tour(n, b, theirs);
    weave(&w, theirs, &v);
    gains[me] = cross_parents(&w, &v, random_key(seed, stream + (uint64)GROUP), &x, spare);
}
