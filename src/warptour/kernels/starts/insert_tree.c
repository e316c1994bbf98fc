/* Insertion heuristics and minimum spanning trees over a k-d tree (tree.h). Native only.
 *
 *     a-b  ->  a-c-b        adds d(a,c) + d(c,b) - d(a,b)
 *
 * A heap orders points by a key that only gets worse while cities enter the tour: the entry on top is searched again
 * if its partner is no longer valid, and sinks. So every choice is exact, and most entries are never searched again.
 *
 *     SPAN, NEAREST    inside points, by the distance to their nearest point outside the tour
 *     FARTHEST         outside points, by minus the distance to their nearest point of the tour
 *     CHEAPEST         inside points a, by the least cost of a point outside between a and next[a]
 *
 * SPAN is Prim's algorithm: partner[c] becomes the parent of c, and there is no tour.
 */
#define RESULTS /* private: a single point */
#define WANTED(q) 1
#include "common/tree.h"

#define SPAN 0
#define NEAREST_RULE 1
#define FARTHEST_RULE 2
#define CHEAPEST_RULE 3

#define OUTSIDE (-1)
#define NOBODY (-1)

/* Everything is in tree order. next: OUTSIDE for points outside the tour; hop[a]: distance from a to next[a]; reach:
 * for each node of the tree the longest edge at a point of the tour below it, -1 if there is none. */
typedef struct {
    Tree tree;
    int32 rule;
    GLOBAL int32 *left, *hidden; /* points that searches of this rule find: outside, for FARTHEST inside */
    GLOBAL int32 *next, *before;
    GLOBAL float64 *hop, *reach;
    GLOBAL int32 *heap, *partner;
    GLOBAL float64 *key;
    int32 size;
} Growth;

/* The distance that belongs to a spot_gap: for ANGLE on the unit sphere. */
INLINE float64 gap_distance(float64 gap, int32 norm) {
    if (norm == MANHATTAN || norm == MAXIMUM) return gap;
    float64 root = sqrt(gap);
    if (norm != ANGLE) return root;
    return 2 * asin(root < 2 ? root / 2 : 1);
}

INLINE void stand_at(const Tree *t, Query *q, int32 spot, int32 dim) {
    for (int32 d = 0; d < dim; d++) q->at[d] = t->spot[(int64)spot * dim + d];
    q->self = spot, q->sector = ANYWHERE, q->worst = INFINITY;
}

INLINE float64 spot_distance(const Tree *t, const Query *q, int32 spot, int32 dim, int32 norm) {
    return gap_distance(spot_gap(t, q, spot, dim, norm), norm);
}

INLINE void sink(Growth *g, int32 at) {
    int32 spot = g->heap[at];
    float64 key = g->key[spot];
    for (;;) {
        int32 child = 2 * at + 1;
        if (child >= g->size) break;
        if (child + 1 < g->size && g->key[g->heap[child + 1]] < g->key[g->heap[child]]) child++;
        if (g->key[g->heap[child]] >= key) break;
        g->heap[at] = g->heap[child], at = child;
    }
    g->heap[at] = spot;
}

INLINE void push(Growth *g, int32 spot) {
    int32 at = g->size++;
    for (; at > 0 && g->key[g->heap[(at - 1) / 2]] > g->key[spot]; at = (at - 1) / 2) g->heap[at] = g->heap[(at - 1) / 2];
    g->heap[at] = spot;
}

/* Find the nearest visible point, nearer than q->worst. */
INLINE int32 nearest_visible(const Growth *g, Query *q, float64 *gap, int32 dim, int32 norm) {
    int32 who = NOBODY;
    Absent absent = {g->left, g->hidden};
    q->gap = gap, q->who = &who;
    search_tree(&g->tree, q, &absent, dim, norm);
    return q->found ? who : NOBODY;
}

/* The best point or edge that a search has found, and its value. */
typedef struct {
    int32 who;
    float64 least;
} Found;

INLINE float64 node_sum(const Growth *g, const Query *a, const Query *b, int32 node, int32 dim, int32 norm) {
    Absent absent = {g->left, g->hidden};
    return gap_distance(node_gap(&g->tree, a, &absent, node, dim, norm), norm) +
           gap_distance(node_gap(&g->tree, b, &absent, node, dim, norm), norm);
}

/* Find the visible point c below `node` with the least d(a,c) + d(c,b). */
INLINE void between_below(const Growth *g, const Query *a, const Query *b, int32 node, Found *best, int32 dim, int32 norm) {
    const Tree *t = &g->tree;
    int32 leaves = 1 << t->levels, waiting[33], many = 1;
    float64 sums[33];
    waiting[0] = node, sums[0] = node_sum(g, a, b, node, dim, norm);
    while (many) {
        node = waiting[--many];
        if (sums[many] >= best->least) continue;
        if (node < leaves) {
            float64 one = node_sum(g, a, b, 2 * node, dim, norm), two = node_sum(g, a, b, 2 * node + 1, dim, norm);
            int32 nearer = two < one; /* is searched first */
            waiting[many] = 2 * node + !nearer, sums[many++] = nearer ? one : two;
            waiting[many] = 2 * node + nearer, sums[many++] = nearer ? two : one;
            continue;
        }
        int32 end = first_of(t->count, t->levels, (int64)node - leaves + 1);
        for (int32 c = first_of(t->count, t->levels, node - leaves); c < end; c++) {
            if (g->hidden[c]) continue;
            float64 sum = spot_distance(t, a, c, dim, norm) + spot_distance(t, b, c, dim, norm);
            if (sum < best->least) best->least = sum, best->who = c;
        }
    }
}

/* Compute key and partner of a heap entry. */
INLINE void look_up(Growth *g, int32 spot, int32 dim, int32 norm) {
    Query q;
    float64 gap = INFINITY;
    stand_at(&g->tree, &q, spot, dim);
    if (g->rule == CHEAPEST_RULE) {
        Query other;
        Found best = {NOBODY, INFINITY};
        int32 node = (1 << g->tree.levels) + leaf_of(&g->tree, spot);
        stand_at(&g->tree, &other, g->next[spot], dim);
        between_below(g, &q, &other, node, &best, dim, norm);
        for (; node > 1; node >>= 1) between_below(g, &q, &other, node ^ 1, &best, dim, norm);
        g->partner[spot] = best.who, g->key[spot] = best.least - g->hop[spot];
        return;
    }
    g->partner[spot] = nearest_visible(g, &q, &gap, dim, norm);
    gap = gap_distance(gap, norm);
    g->key[spot] = g->rule == FARTHEST_RULE ? -gap : gap;
}

INLINE float64 longest_at(const Growth *g, int32 spot) {
    float64 after = g->hop[spot], before = g->hop[g->before[spot]];
    return after > before ? after : before;
}

/* Update reach[] after an edge at `spot` changed. */
INLINE void update_reach(Growth *g, int32 spot) {
    const Tree *t = &g->tree;
    int32 leaf = leaf_of(t, spot), end = first_of(t->count, t->levels, (int64)leaf + 1);
    float64 most = -1;
    for (int32 s = first_of(t->count, t->levels, leaf); s < end; s++) {
        float64 here = g->next[s] == OUTSIDE ? -1 : longest_at(g, s);
        most = here > most ? here : most;
    }
    for (int32 node = (1 << t->levels) + leaf; g->reach[node] != most; node >>= 1) {
        g->reach[node] = most;
        if (node == 1) break;
        most = g->reach[node ^ 1] > most ? g->reach[node ^ 1] : most;
    }
}

/* Try c between s and both of its neighbours. */
INLINE void try_edges(const Growth *g, const Query *c, int32 s, Found *best, int32 dim, int32 norm) {
    float64 apart = spot_distance(&g->tree, c, s, dim, norm);
    if (2 * apart >= best->least + longest_at(g, s)) return;
    float64 after = apart + spot_distance(&g->tree, c, g->next[s], dim, norm) - g->hop[s];
    if (after < best->least) best->least = after, best->who = s;
    int32 before = g->before[s];
    float64 prior = apart + spot_distance(&g->tree, c, before, dim, norm) - g->hop[before];
    if (prior < best->least) best->least = prior, best->who = before;
}

/* Find the point a of the tour for which c between a and b = next[a] costs least, or c after b, for all b below `node`.
 *
 * If b is the end of the edge nearer to c, the cost is at least 2 d(b,c) - d(a,b): the nearer end of a cheaper edge is
 * nearer than half the sum of the least cost so far and the longest edge. */
INLINE void edges_below(const Growth *g, const Query *c, int32 node, Found *best, int32 dim, int32 norm) {
    const Tree *t = &g->tree;
    Absent nobody = {0, 0};
    int32 leaves = 1 << t->levels, waiting[33], many = 1;
    waiting[0] = node;
    while (many) {
        node = waiting[--many];
        if (g->reach[node] < 0) continue;
        float64 apart = gap_distance(node_gap(t, c, &nobody, node, dim, norm), norm);
        if (2 * apart >= best->least + g->reach[node]) continue;
        if (node < leaves) {
            waiting[many++] = 2 * node + 1, waiting[many++] = 2 * node;
            continue;
        }
        int32 end = first_of(t->count, t->levels, (int64)node - leaves + 1);
        for (int32 s = first_of(t->count, t->levels, node - leaves); s < end; s++)
            if (g->next[s] != OUTSIDE) try_edges(g, c, s, best, dim, norm);
    }
}

/* Return the point of the tour after which c is inserted at least cost; `near` is any point of the tour. */
INLINE int32 cheapest_edge(const Growth *g, int32 c, int32 near, int32 dim, int32 norm) {
    Query q;
    Found best = {near, INFINITY};
    int32 node = (1 << g->tree.levels) + leaf_of(&g->tree, c);
    stand_at(&g->tree, &q, c, dim);
    try_edges(g, &q, near, &best, dim, norm);
    edges_below(g, &q, node, &best, dim, norm);
    for (; node > 1; node >>= 1) edges_below(g, &q, node ^ 1, &best, dim, norm);
    return best.who;
}

/* Put c into the tour after a. */
INLINE void insert_after(Growth *g, int32 a, int32 c, int32 dim, int32 norm) {
    Query q;
    int32 b = g->next[a];
    stand_at(&g->tree, &q, c, dim);
    g->next[a] = c, g->before[c] = a, g->next[c] = b, g->before[b] = c;
    g->hop[a] = spot_distance(&g->tree, &q, a, dim, norm);
    g->hop[c] = spot_distance(&g->tree, &q, b, dim, norm);
    if (g->rule == CHEAPEST_RULE) return;
    update_reach(g, a), update_reach(g, b), update_reach(g, c);
}

INLINE void enter(Growth *g, int32 c) {
    int32 shown = g->rule == FARTHEST_RULE;
    g->hidden[c] = !shown;
    for (int32 node = (1 << g->tree.levels) + leaf_of(&g->tree, c); node > 0; node >>= 1) g->left[node] += shown ? 1 : -1;
}

/* Do up to `most` searches; state[0] is the size of the heap, state[1] the number of points outside. */
INLINE void grow(Growth *g, GLOBAL int32 *state, int32 most, int32 dim, int32 norm) {
    for (; most > 0 && state[1] > 0; most--) {
        int32 top = g->heap[0], c = g->partner[top];
        if (g->rule == FARTHEST_RULE) {
            float64 key = g->key[top];
            look_up(g, top, dim, norm);
            if (g->key[top] > key) {
                sink(g, 0);
                continue;
            }
            c = top, top = g->partner[c];
            g->heap[0] = g->heap[--g->size];
            if (g->size) sink(g, 0);
        } else if (g->hidden[c]) {
            look_up(g, top, dim, norm);
            sink(g, 0);
            continue;
        }
        state[1]--;
        enter(g, c);
        if (g->rule == SPAN) g->next[c] = top;
        else insert_after(g, g->rule == CHEAPEST_RULE ? top : cheapest_edge(g, c, top, dim, norm), c, dim, norm);
        if (g->rule == FARTHEST_RULE || state[1] == 0) continue;
        if (g->rule == CHEAPEST_RULE) {
            look_up(g, top, dim, norm);
            sink(g, 0);
        }
        look_up(g, c, dim, norm);
        push(g, c);
    }
    state[0] = g->size;
}

#define GROWTH_PARAMETERS                                                                                           GLOBAL const float64 *spot, GLOBAL const float64 *box, int32 count, int32 dim, int32 norm, int32 levels, int32 rule,         GLOBAL int32 *left, GLOBAL int32 *hidden, GLOBAL int32 *next, GLOBAL int32 *before, GLOBAL float64 *hop,          GLOBAL float64 *reach, GLOBAL int32 *heap, GLOBAL int32 *partner, GLOBAL float64 *key, GLOBAL int32 *state
#define GROWTH_STRUCT(g)                                                                                                  Growth g = {{spot, box, count, dim, norm, levels}, rule, left, hidden, next, before, hop, reach, heap, partner, key,                 state[0]}

/* Prepare the entries heap[from..until) for a first tour in next[] and before[]; the last call orders the heap. */
KERNEL(insert_begin, GROWTH_PARAMETERS, int32 from, int32 until) {
    GROWTH_STRUCT(g);
    for (int32 at = from; at < until; at++) look_up(&g, heap[at], dim, norm);
    if (until < g.size) return;
    for (int32 at = g.size / 2 - 1; at >= 0; at--) sink(&g, at);
}

/* Continue until all points are in the tour, or for `most` searches. */
KERNEL(insert_tree, GROWTH_PARAMETERS, int32 most) {
    GROWTH_STRUCT(g);
    if (dim == 2 && norm == EUCLIDEAN_2D) grow(&g, state, most, 2, EUCLIDEAN_2D);
    else grow(&g, state, most, dim, norm);
}
