// build: metrics, branches
/* Edge assembly crossover (EAX, Nagata and Kobayashi): the offspring is tour A with all that is better in tour B.
 *
 * The edges that only one of A and B has can be partitioned, in many ways, into AB-cycles, in which edges of A and of B
 * alternate. Replacing the A-edges of one AB-cycle by its B-edges leaves every city two neighbours, on one cycle or on
 * several, which are patched to one (window_exchange.h). AB-cycles are cut off a randomly traced alternating path as
 * soon as they close, so most are short, and each that shortens A is applied immediately. Exchanges of more than
 * MAX_SWAPS - 2 edges of A are skipped, which keeps the population more diverse.
 *
 * Where patches would cost more than the AB-cycle gains, others that pass through the smallest cycle are joined to it,
 * one after another, as long as the total is a gain: a block, after the block strategy of Nagata and Kobayashi (2013).
 * In a population that has converged, that is how most of the gains are made.
 *
 * With a census, exchanges must pay for the diversity that they cost: those that gain less than `price` per loss of
 * entropy of the population's edges are not made.
 *
 * tour_partition.c uses connected components instead of AB-cycles: these are fewer and larger, and any that leaves
 * several cycles is lost.
 */
#include "common/metric.h"
#include "common/random.h"
#include "tours/window.h"
#include "tours/window_moves.h"
#include "tours/window_exchange.h"
#include "tours/tour_segments.h"

#define EAX_WORKSPACE 18   /* workspace in numbers per city, plus two numbers; laid out in the kernel */
#define MAX_BLOCK 7        /* maximum number of AB-cycles in a block; 16 took twice the time and gained no more */
#define MAX_CANDIDATES 48  /* maximum number of AB-cycles that are tried as the next of a block */
#define MAX_CUT_OFF 1000   /* maximum number of cities of a cycle through which they are sought */
#define LEAST_ENTROPY 1e-9 /* smaller losses of entropy count as none */
#define WANTED 1e300       /* gain per loss of an exchange that costs no entropy */

/* The edges that only one of two tours has, 0: only A, 1: only B. */
typedef struct {
    GLOBAL int32 *ends[2], *left[2]; /* by city: their other ends, at most two, and how many are left */
    GLOBAL int32 *seen[2];           /* by city: its even and its odd index on the path, or NOBODY */
    GLOBAL int32 *path, *loose;      /* cities on the path; cities with edges left, and some without */
    int32 cities;                    /* number of entries in loose */
} Weave;

/* Note the edges of a city that only one tour has; theirs: neighbours in B, 2 per city. */
INLINE void weave_city(const Window *w, GLOBAL const int32 *theirs, int32 c, Weave *v) {
    int32 mine[2] = {before(w, c), after(w, c)}, a = 0, b = 0;
    GLOBAL const int32 *its = theirs + 2 * (int64)c;
    for (int32 k = 0; k < 2; k++) {
        if (!linked(theirs, c, mine[k])) v->ends[0][2 * (int64)c + a++] = mine[k];
        if (its[k] != mine[0] && its[k] != mine[1]) v->ends[1][2 * (int64)c + b++] = its[k];
    }
    v->left[0][c] = a, v->left[1][c] = b;
    v->seen[0][c] = v->seen[1][c] = NOBODY;
    v->loose[v->cities++] = c;
}

/* Collect the edges along tour A. */
INLINE void weave(const Window *w, GLOBAL const int32 *theirs, Weave *v) {
    int32 differs = !linked(theirs, w->tour[w->m - 1], w->tour[0]);
    v->cities = 0;
    for (int32 i = 0; i < w->m; i++) {
        int32 c = w->tour[i], differed = differs;
        differs = !linked(theirs, c, w->tour[i + 1 == w->m ? 0 : i + 1]);
        if (differed || differs) weave_city(w, theirs, c, v);
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

/* The AB-cycles of two tours. */
typedef struct {
    GLOBAL int32 *cities, *first; /* cities of all cycles, the first edge of each of A; by cycle: where its cities begin */
    GLOBAL int32 *visits;         /* by city: the cycles through it, at most two, or NOBODY */
    GLOBAL int32 *met;            /* by cycle: the last search that met it */
    int32 count, searches;
} Cycles;

/* Partition the edges into AB-cycles. */
INLINE void collect_cycles(Weave *v, uint64 key, Cycles *all) {
    uint64 counter = 0;
    int32 places = 0;
    all->count = all->searches = 0;
    while (v->cities > 0) {
        int32 pick = (int32)random_below(key, &counter, (uint32)v->cities), start = v->loose[pick], t = 0;
        if (v->left[0][start] == 0) {
            v->loose[pick] = v->loose[--v->cities];
            continue;
        }
        v->path[0] = start, v->seen[0][start] = 0;
        do {
            int32 first, last = close_cycle(v, t, key, &counter, &first);
            for (int32 k = first + 1; k < last; k++) v->seen[k & 1][v->path[k]] = NOBODY;
            all->first[all->count] = places, all->met[all->count] = 0;
            for (int32 k = first; k < last; k++) {
                int32 c = v->path[k + (first & 1)];
                all->cities[places++] = c;
                all->visits[2 * (int64)c + (all->visits[2 * (int64)c] != NOBODY)] = all->count;
            }
            all->count++;
            t = first;
        } while (t > 0);
        v->seen[0][start] = NOBODY;
    }
    all->first[all->count] = places;
}

/* Join an AB-cycle to an exchange. *gain and *out grow by its gain before patching and by the length of its A-edges.
 * Returns 0, with nothing joined, if there would be too many edges or one to remove is no longer in the tour. */
INLINE int32 join_cycle(const Window *w, const Cycles *all, int32 cycle, Exchange *x, real *gain, real *out) {
    int32 begin = all->first[cycle], end = all->first[cycle + 1], first = x->swaps, k = first;
    real gone = 0, come = 0;
    if (k + (end - begin) / 2 + 2 > MAX_SWAPS) return 0;
    for (int32 t = begin; t < end; t += 2, k++) {
        int32 c = all->cities[t], d = all->cities[t + 1], e = all->cities[t + 2 == end ? begin : t + 2];
        if (after(w, c) == d) x->cut[k] = w->place[c], x->onward[k] = 1;
        else if (before(w, c) == d) x->cut[k] = w->place[d], x->onward[k] = 0;
        else return 0;
        x->from[k] = d, x->to[k] = e, x->next[k] = t + 2 == end ? first : k + 1;
        gone += between(&w->points, c, d), come += between(&w->points, d, e);
    }
    x->swaps = k, *gain += gone - come, *out += gone;
    return 1;
}

/* List the AB-cycles, at most MAX_CANDIDATES, that pass through the first MAX_CUT_OFF cities of the smallest cycle of an
 * exchange and have not been met in this search. */
INLINE int32 list_touching(const Window *w, Cycles *all, const Exchange *x, int32 *found) {
    int32 count = 0, passed = 0;
    for (int32 s = 0; s < x->swaps; s++) {
        if (x->cycle[s] != x->smallest) continue;
        for (int32 at = first_place(w, x, s); passed++ < MAX_CUT_OFF; at = place_after(w, at)) {
            GLOBAL const int32 *visits = all->visits + 2 * (int64)w->tour[at];
            for (int32 k = 0; k < 2; k++) {
                int32 cycle = visits[k];
                if (cycle == NOBODY || all->met[cycle] == all->searches || count == MAX_CANDIDATES) continue;
                all->met[cycle] = all->searches;
                found[count++] = cycle;
            }
            if (at == x->last[s]) break;
        }
    }
    return count;
}

/* Join AB-cycles to a gainful one that leaves several cycles: each time the one with which the fewest cycles are left,
 * of these the one that gains most. Returns the gain once the rest can be patched, or 0. */
INLINE real make_block(const Window *w, Cycles *all, int32 cycle, Exchange *x) {
    int32 block[MAX_BLOCK], found[MAX_CANDIDATES];
    real gain = 0, out = 0;
    x->swaps = 0;
    if (!join_cycle(w, all, cycle, x, &gain, &out)) return 0;
    block[0] = cycle;
    for (int32 size = 1; size < MAX_BLOCK; size++) {
        int32 cycles = trace(w, x), swaps = x->swaps, best = NOBODY;
        real most = 0;
        if (cycles < 2) return 0;
        all->searches++;
        for (int32 k = 0; k < size; k++) all->met[block[k]] = all->searches;
        int32 count = list_touching(w, all, x, found);
        for (int32 k = 0; k < count; k++, x->swaps = swaps) {
            real total = gain, gone = out;
            if (!join_cycle(w, all, found[k], x, &total, &gone) || total <= tolerance(w, gone)) continue;
            int32 left = trace(w, x);
            if (left == 0 || left > cycles || (left == cycles && best != NOBODY && total <= most)) continue;
            best = found[k], cycles = left, most = total;
        }
        if (best == NOBODY) return 0;
        join_cycle(w, all, best, x, &gain, &out);
        block[size] = best, swaps = x->swaps;
        real rest = patched(w, x, gain, tolerance(w, out));
        if (rest > 0) return rest;
        x->swaps = swaps;
    }
    return 0;
}

/* Edges of the population (tour_census.c), and what exchanges must gain. */
typedef struct {
    int32 width;
    GLOBAL const int32 *ends, *counts; /* by city: `width` other ends of edges, NOBODY after the last; tours that have them */
    GLOBAL const real *entropy;        /* by number of tours: share of an edge in the entropy */
    real price;                        /* minimum gain per loss of entropy; 0 for no census */
    int32 samples;
    GLOBAL real *ratios; /* gain per loss of entropy of the first `samples` exchanges, whether made or not */
} Census;

INLINE int32 tours_with(const Census *s, int32 c, int32 d) {
    int64 k = (int64)c * s->width, end = k + s->width;
    while (k < end && s->ends[k] != NOBODY && s->ends[k] != d) k++;
    return k < end && s->ends[k] == d ? s->counts[k] : 0;
}

/* Return the gain per loss of entropy; WANTED where none is lost. */
INLINE real gain_ratio(const Window *w, const Exchange *x, real gain, const Census *s) {
    real lost = 0;
    for (int32 k = 0; k < x->swaps; k++) {
        int32 out = tours_with(s, w->tour[x->cut[k]], w->tour[place_after(w, x->cut[k])]);
        int32 in = tours_with(s, x->from[k], x->to[k]);
        if (out > 0) lost += s->entropy[out] - s->entropy[out - 1];
        lost += s->entropy[in] - s->entropy[in + 1];
    }
    return lost > LEAST_ENTROPY ? gain / lost : WANTED;
}

/* Apply all AB-cycles and blocks that shorten the tour and pay the price. Returns the total gain. */
INLINE real cross_parents(Window *w, Cycles *all, Exchange *x, GLOBAL int32 *spare, const Census *census) {
    int32 sampled = 0;
    real won = 0;
    for (int32 cycle = 0; cycle < all->count; cycle++) {
        real gain = 0, out = 0;
        x->swaps = 0;
        if (!join_cycle(w, all, cycle, x, &gain, &out) || gain <= tolerance(w, out)) continue;
        gain = patched(w, x, gain, tolerance(w, out));
        if (gain <= 0) gain = make_block(w, all, cycle, x);
        if (gain <= 0) continue;
        if (census->price > 0) {
            real ratio = gain_ratio(w, x, gain, census);
            if (sampled < census->samples) census->ratios[sampled++] = ratio;
            if (ratio < census->price) continue;
        }
        make_exchange(w, x, spare);
        won += gain;
    }
    return won;
}

/* Make the offspring of group g, of tours A = pairs[2 g] and B = pairs[2 g + 1] of n cities each. It is written to
 * `children` at the index of A, and its gain over A to `gains` at the same index, the first ratios to `ratios`, a row of `samples`
 * for each A. workspace: EAX_WORKSPACE * n + 2 numbers per group. */
KERNEL(tour_eax, POINTS_PARAMETERS, GLOBAL const int32 *near, GLOBAL const real *reach, int32 width,
       GLOBAL const int32 *bonds, int32 n, GLOBAL const int32 *pairs, GLOBAL const int32 *tours, GLOBAL int32 *children,
       GLOBAL real *gains, real epsilon, uint64 seed, uint64 stream, GLOBAL int32 *workspace, int32 census_width,
       GLOBAL const int32 *ends, GLOBAL const int32 *counts, GLOBAL const real *entropy, real price, int32 samples,
       GLOBAL real *ratios) {
    POINTS_STRUCT(points);
    if (LANE != 0) return;
    int64 each = n, me = pairs[2 * GROUP];
    GLOBAL const int32 *a = tours + me * each, *b = tours + pairs[2 * GROUP + 1] * each;
    GLOBAL int32 *mine = workspace + (int64)GROUP * (EAX_WORKSPACE * each + 2), *theirs = mine + each, *spare = mine + 3 * each;
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
    Cycles all;
    all.visits = theirs; /* no longer needed once the edges are collected */
    all.cities = mine + 15 * each + 1;
    all.first = mine + 17 * each + 1, all.met = all.first + each / 2 + 1; /* an AB-cycle has two edges of A at least */
    Census census = {census_width, ends, counts, entropy, price, samples, ratios + me * samples};
    Exchange x;
    for (int32 i = 0; i < n; i++) w.tour[i] = a[i], w.place[a[i]] = i;
    link_tour(n, b, theirs);
    weave(&w, theirs, &v);
    for (int64 k = 0; k < 2 * each; k++) all.visits[k] = NOBODY;
    collect_cycles(&v, random_key(seed, stream + (uint64)GROUP), &all);
    gains[me] = cross_parents(&w, &all, &x, spare, &census);
}
