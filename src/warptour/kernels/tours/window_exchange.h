/* An exchange of any number of edges in a window, and its repair to a single cycle.
 *
 * The removed edges cut the cycle into segments; the added edges join their ends, to one cycle or to several. Several
 * are patched (subtour patching): an edge of the smallest cycle and an edge of another are removed, and two edges that
 * connect the two cycles are added,
 *
 *     a---b        a   b
 *             ->   |   |        at the lowest cost that the candidates allow.
 *     c---d        c   d
 *
 * Runs on a single lane.
 */
#ifndef WARPTOUR_WINDOW_EXCHANGE
#define WARPTOUR_WINDOW_EXCHANGE

#define MAX_SWAPS 160     /* maximum number of removed edges */
#define PATCH_CITIES 2000 /* cities from each end of a segment at which patches are sought; farther ones rarely pay */

typedef struct {
    int32 swaps;
    int32 cut[MAX_SWAPS];                 /* removed: the edge after position cut[k] */
    int32 from[MAX_SWAPS], to[MAX_SWAPS]; /* added: the edge from[k]-to[k], whose first city lies at cut k */
    int32 onward[MAX_SWAPS];              /* whether from[k] is the second city of the removed edge */
    int32 next[MAX_SWAPS];                /* the cut at which to[k] lies, opposite to its own first city */
    /* set by trace: segment s ends at position last[s]; its ends are numbered 2 s (first city) and 2 s + 1 (last) */
    int32 last[MAX_SWAPS], mate[2 * MAX_SWAPS], cycle[MAX_SWAPS];
    int32 cycles, smallest; /* number of cycles; the one with the fewest cities */
} Exchange;

INLINE int32 place_after(const Window *w, int32 at) { return at + 1 == w->m ? 0 : at + 1; }
INLINE int32 place_before(const Window *w, int32 at) { return (at == 0 ? w->m : at) - 1; }

INLINE int32 first_place(const Window *w, const Exchange *x, int32 s) {
    return place_after(w, x->last[s == 0 ? x->swaps - 1 : s - 1]);
}

/* Return the segment that holds a position: the one ending at the first cut at or after it, wrapping around. */
INLINE int32 segment_at(const Exchange *x, int32 at) {
    int32 low = 0, high = x->swaps;
    while (low < high) {
        int32 middle = (low + high) / 2;
        if (x->last[middle] < at) low = middle + 1;
        else high = middle;
    }
    return low == x->swaps ? 0 : low;
}

/* Return the end at the second city of a cut (onward), or at its first; rank: the cut's place among all. */
INLINE int32 end_at(const Exchange *x, int32 rank, int32 onward) {
    if (!onward) return 2 * rank + 1;
    return rank + 1 == x->swaps ? 0 : 2 * rank + 2;
}

/* Cut the cycle and join the ends. Returns the number of cycles, or 0 if an edge is removed twice. */
INLINE int32 trace(const Window *w, Exchange *x) {
    int32 order[MAX_SWAPS], rank[MAX_SWAPS];
    for (int32 k = 0; k < x->swaps; k++) {
        int32 at = x->cut[k], to = k;
        for (; to > 0 && x->last[to - 1] > at; to--) x->last[to] = x->last[to - 1], order[to] = order[to - 1];
        if (to > 0 && x->last[to - 1] == at) return 0;
        x->last[to] = at, order[to] = k;
    }
    for (int32 s = 0; s < x->swaps; s++) rank[order[s]] = s;
    for (int32 k = 0; k < x->swaps; k++) {
        int32 there = x->next[k];
        int32 a = end_at(x, rank[k], x->onward[k]), b = end_at(x, rank[there], !x->onward[there]);
        x->mate[a] = b, x->mate[b] = a;
    }
    for (int32 s = 0; s < x->swaps; s++) x->cycle[s] = NOBODY;
    int32 fewest = w->m + 1;
    x->cycles = x->smallest = 0;
    for (int32 s = 0; s < x->swaps; s++) {
        if (x->cycle[s] != NOBODY) continue;
        int32 end = 2 * s, cities = 0;
        do {
            int32 count = x->last[end >> 1] - first_place(w, x, end >> 1) + 1;
            cities += count <= 0 ? count + w->m : count;
            x->cycle[end >> 1] = x->cycles;
            end = x->mate[end ^ 1];
        } while (end != 2 * s);
        if (cities < fewest) fewest = cities, x->smallest = x->cycles;
        x->cycles++;
    }
    return x->cycles;
}

/* Two edges to remove, `here` in the smallest cycle and `there` in another, each by its first position; turned_*:
 * whether a and c are the second cities of their edges. */
typedef struct {
    int32 here, there, turned_here, turned_there;
    real cost;
} Patch;

/* Return the length of the edge after position `at` of segment `own`, or -1 if it may not be removed. */
INLINE real removable(const Window *w, const Exchange *x, int32 own, int32 at) {
    if (at == x->last[own]) return -1;
    int32 a = w->tour[at], b = w->tour[place_after(w, at)];
    return bonded(w, a, b) ? -1 : between(&w->points, a, b);
}

/* Find the cheapest patch from position `at` of segment `own` to another cycle that costs less than `best`. out: the
 * lengths of the edges after and before it, by `removable`. */
INLINE void patch_at(const Window *w, const Exchange *x, int32 own, int32 at, const real out[2], Patch *best) {
    int32 a = w->tour[at], first = first_place(w, x, own), last = x->last[own];
    real longest = larger(out[0], out[1]);
    if (longest < 0) return;
    for (int32 k = 0; k < w->width; k++) {
        int32 c = w->near[(OFFSET)a * w->width + k];
        if (c == NOBODY) break;
        real in = REACH(w, a, k, c);
        if (in - longest >= best->cost) break;
        int32 place = w->place[c];
        if (first <= last ? place >= first && place <= last : place >= first || place <= last) continue;
        int32 s = segment_at(x, place);
        if (x->cycle[s] == x->smallest) continue;
        for (int32 there = 0; there < 2; there++) {
            if (place == (there ? first_place(w, x, s) : x->last[s])) continue;
            int32 beyond = there ? place_before(w, place) : place_after(w, place), d = w->tour[beyond];
            if (bonded(w, c, d)) continue;
            real swap = in - between(&w->points, c, d);
            for (int32 side = 0; side < 2; side++) {
                if (out[side] < 0) continue;
                int32 b = w->tour[side ? place_before(w, at) : place_after(w, at)];
                real cost = swap - out[side] + between(&w->points, b, d);
                if (cost >= best->cost) continue;
                best->cost = cost, best->here = side ? place_before(w, at) : at, best->there = there ? beyond : place;
                best->turned_here = side, best->turned_there = there;
            }
        }
    }
}

/* Join the smallest cycle to another at a cost below `most`. Returns whether that is possible; *cost: the cost. The
 * search stops at the first patch that costs nothing. */
INLINE int32 patch(const Window *w, Exchange *x, real most, real *cost) {
    if (x->swaps + 2 > MAX_SWAPS) return 0;
    Patch best = {NOBODY, 0, 0, 0, most};
    for (int32 s = 0; s < x->swaps && (best.here == NOBODY || best.cost > 0); s++) {
        if (x->cycle[s] != x->smallest) continue;
        int32 first = first_place(w, x, s), cities = x->last[s] - first + 1;
        if (cities <= 0) cities += w->m;
        real out[2] = {-1, -1};
        for (int32 k = 0; k < cities; k++) {
            if (k == PATCH_CITIES && cities > 2 * PATCH_CITIES) k = cities - PATCH_CITIES, out[0] = -1;
            int32 at = first + k < w->m ? first + k : first + k - w->m;
            out[1] = out[0], out[0] = removable(w, x, s, at);
            patch_at(w, x, s, at, out, &best);
            if (best.here != NOBODY && best.cost <= 0) break;
        }
    }
    if (best.here == NOBODY) return 0;
    int32 a = best.here, b = place_after(w, a), c = best.there, d = place_after(w, c), k = x->swaps;
    int32 turned = best.turned_here, twisted = best.turned_there;
    x->cut[k] = a, x->cut[k + 1] = c;
    x->from[k] = w->tour[turned ? b : a], x->to[k] = w->tour[twisted ? d : c], x->onward[k] = turned;
    x->from[k + 1] = w->tour[twisted ? c : d], x->to[k + 1] = w->tour[turned ? a : b], x->onward[k + 1] = !twisted;
    x->next[k] = k + 1, x->next[k + 1] = k;
    x->swaps += 2;
    *cost = best.cost;
    return 1;
}

/* Patch an exchange to a single cycle and return its remaining gain, or 0 if that does not exceed `least`. */
INLINE real patched(const Window *w, Exchange *x, real gain, real least) {
    int32 cycles = trace(w, x);
    while (cycles > 1) {
        real cost;
        if (!patch(w, x, gain - least, &cost)) return 0;
        gain -= cost;
        cycles = trace(w, x);
    }
    return cycles == 1 ? gain : 0;
}

INLINE int32 longest_segment(const Window *w, const Exchange *x) {
    int32 longest = 0, most = 0;
    for (int32 s = 0; s < x->swaps; s++) {
        int32 count = x->last[s] - first_place(w, x, s) + 1;
        if (count <= 0) count += w->m;
        if (count > most) most = count, longest = s;
    }
    return longest;
}

/* Apply an exchange traced as a single cycle. The longest segment stays in place. spare: workspace of m numbers. */
INLINE void make_exchange(Window *w, const Exchange *x, GLOBAL int32 *spare) {
    int32 stays = 2 * longest_segment(w, x), count = 0, to = place_after(w, x->last[stays >> 1]);
    for (int32 end = x->mate[stays ^ 1]; end != stays; end = x->mate[end ^ 1]) {
        int32 first = first_place(w, x, end >> 1), last = x->last[end >> 1];
        int32 at = end & 1 ? last : first, stop = end & 1 ? first : last;
        for (;; at = end & 1 ? place_before(w, at) : place_after(w, at)) {
            spare[count++] = w->tour[at];
            if (at == stop) break;
        }
    }
    for (int32 k = 0; k < count; k++, to = place_after(w, to))
        w->tour[to] = (Index)spare[k], w->place[spare[k]] = (Index)to;
}

#endif
