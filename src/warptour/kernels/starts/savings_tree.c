/* Savings construction of one tour: join fragments end to end, largest saving first. Native only.
 *
 *     hub-i-hub  hub-j-hub  ->  hub-i-j-hub        saves leg[i] + leg[j] - d(i,j)
 *
 * link and tail are as in fragments.c, over all cities but the hub. A heap orders the ends of fragments by the saving
 * with their best partner, which can only fall: the end on top is searched again if its partner is no longer one, and
 * sinks. Cities are in tree order; for a matrix there is no tree (levels < 0), and a search tries all of them.
 */
#include "common/tree.h"

#define NONE_YET (-1)
#define NOBODY (-1)

typedef struct {
    Tree tree;
    Points points;
    GLOBAL const int32 *city;
    GLOBAL const float64 *leg, *far; /* far: for each node of the tree, the longest leg below it */
    GLOBAL int32 *left, *link, *tail, *heap, *partner;
    GLOBAL float64 *key; /* minus the saving; at first a lower bound */
    int32 size;
} Joining;

INLINE int32 is_open(const Joining *g, int32 spot) { return g->link[2 * (int64)spot + 1] == NONE_YET; }

INLINE void sink_end(Joining *g, int32 at) {
    int32 spot = g->heap[at];
    for (;;) {
        int32 child = 2 * at + 1;
        if (child >= g->size) break;
        if (child + 1 < g->size && g->key[g->heap[child + 1]] < g->key[g->heap[child]]) child++;
        if (g->key[g->heap[child]] >= g->key[spot]) break;
        g->heap[at] = g->heap[child], at = child;
    }
    g->heap[at] = spot;
}

/* Distances in the tree's norm as the metric measures them. */
INLINE float64 scaled(const Joining *g, float64 gap, int32 norm) {
    if (norm == MANHATTAN || norm == MAXIMUM) return gap;
    float64 root = sqrt(gap / g->points.divisor);
    return norm == ANGLE ? 2 * g->points.radius * asin(root < 2 ? root / 2 : 1) : root;
}

INLINE void try_partner(Joining *g, const Query *q, int32 other, float64 *best, int32 dim, int32 norm) {
    int32 self = q->self;
    if (other == self || other == g->tail[self] || !is_open(g, other)) return;
    float64 apart = g->tree.levels < 0 ? between(&g->points, g->city[self], g->city[other])
                                       : scaled(g, spot_gap(&g->tree, q, other, dim, norm), norm);
    if (g->leg[other] - apart > *best) *best = g->leg[other] - apart, g->partner[self] = other;
}

/* Most that leg[j] - d(i,j) can be below a node. */
INLINE float64 node_best(const Joining *g, const Query *q, int32 node, int32 dim, int32 norm) {
    Absent absent = {g->left, 0};
    float64 gap = node_gap(&g->tree, q, &absent, node, dim, norm);
    return gap < INFINITY ? g->far[node] - scaled(g, gap, norm) : -INFINITY;
}

INLINE void partners_below(Joining *g, const Query *q, int32 node, float64 *best, int32 dim, int32 norm) {
    const Tree *t = &g->tree;
    int32 leaves = 1 << t->levels, waiting[33], many = 1;
    float64 bounds[33];
    waiting[0] = node, bounds[0] = node_best(g, q, node, dim, norm);
    while (many) {
        node = waiting[--many];
        if (bounds[many] <= *best) continue;
        if (node < leaves) {
            float64 one = node_best(g, q, 2 * node, dim, norm), two = node_best(g, q, 2 * node + 1, dim, norm);
            int32 better = two > one; /* is searched first */
            waiting[many] = 2 * node + !better, bounds[many++] = better ? one : two;
            waiting[many] = 2 * node + better, bounds[many++] = better ? two : one;
            continue;
        }
        int32 end = first_of(t->count, t->levels, (int64)node - leaves + 1);
        for (int32 s = first_of(t->count, t->levels, node - leaves); s < end; s++) try_partner(g, q, s, best, dim, norm);
    }
}

INLINE void find_partner(Joining *g, int32 spot, int32 dim, int32 norm) {
    const Tree *t = &g->tree;
    Query q;
    float64 best = -INFINITY;
    q.self = spot, q.sector = ANYWHERE, q.worst = INFINITY;
    g->partner[spot] = NOBODY;
    if (t->levels < 0) {
        for (int32 s = 0; s < t->count; s++) try_partner(g, &q, s, &best, dim, norm);
    } else {
        int32 node = (1 << t->levels) + leaf_of(t, spot);
        for (int32 d = 0; d < dim; d++) q.at[d] = t->spot[(int64)spot * dim + d];
        partners_below(g, &q, node, &best, dim, norm);
        for (; node > 1; node >>= 1) partners_below(g, &q, node ^ 1, &best, dim, norm);
    }
    g->key[spot] = -g->leg[spot] - best;
}

INLINE void add_link(Joining *g, int32 from, int32 to) {
    GLOBAL int32 *link = g->link + 2 * (int64)from;
    link[link[0] != NONE_YET] = to;
    if (link[1] == NONE_YET || g->tree.levels < 0) return;
    for (int32 node = (1 << g->tree.levels) + leaf_of(&g->tree, from); node > 0; node >>= 1) g->left[node]--;
}

INLINE void join_ends(Joining *g, GLOBAL int32 *state, int32 most, int32 dim, int32 norm) {
    for (; most > 0 && state[1] > 1; most--) {
        int32 i = g->heap[0], j = g->partner[i];
        if (!is_open(g, i)) {
            g->heap[0] = g->heap[--g->size];
            sink_end(g, 0);
        } else if (j == NOBODY || !is_open(g, j) || j == g->tail[i]) {
            find_partner(g, i, dim, norm);
            sink_end(g, 0);
        } else {
            int32 left = g->tail[i], right = g->tail[j];
            add_link(g, i, j), add_link(g, j, i);
            g->tail[left] = right, g->tail[right] = left;
            state[1]--;
        }
    }
    state[0] = g->size;
}

/* Join until one fragment is left, or for `most` searches. state: size of the heap, number of fragments. */
KERNEL(savings_tree, POINTS_PARAMETERS, GLOBAL const float64 *spot, GLOBAL const float64 *box, int32 count, int32 dim,
       int32 norm, int32 levels, GLOBAL const int32 *city, GLOBAL const float64 *leg, GLOBAL const float64 *far,
       GLOBAL int32 *left, GLOBAL int32 *link, GLOBAL int32 *tail, GLOBAL int32 *heap, GLOBAL int32 *partner,
       GLOBAL float64 *key, GLOBAL int32 *state, int32 most) {
    POINTS_STRUCT(points);
    Joining g = {{spot, box, count, dim, norm, levels}, points, city, leg, far, left, link, tail, heap, partner, key,
                 state[0]};
    if (dim == 2 && norm == EUCLIDEAN_2D) join_ends(&g, state, most, 2, EUCLIDEAN_2D);
    else join_ends(&g, state, most, dim, norm);
}
