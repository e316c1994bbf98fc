/* A k-d tree over points ("spots"), and k-nearest-neighbour search from one of them.
 *
 * The tree is balanced by count, whatever the coordinates: level l has 2^l nodes, and its node k covers the points
 * [k*count >> l, (k+1)*count >> l). So duplicate points make it no deeper, and only tight bounding boxes are stored.
 * Node k of level l has the number 2^l + k: the children of node h are 2h and 2h + 1, its sibling is h ^ 1. A search
 * starts in the leaf of its own point and ascends, descending into every sibling that may hold a nearer point.
 */
#ifndef WARPTOUR_TREE
#define WARPTOUR_TREE

#include "common/metric.h"

#define ANYWHERE (-1)

/* Address space of a query's result: GLOBAL unless the kernel defines another. */
#ifndef RESULTS
#define RESULTS GLOBAL
#endif

/* Number of points that a query wants: its own unless the kernel defines a constant. */
#ifndef WANTED
#define WANTED(q) (q)->wanted
#endif

typedef struct {
    GLOBAL const float64 *spot; /* dim coordinates per point, in tree order */
    GLOBAL const float64 *box;  /* bounding box of node h: low corner at 2*dim*h, high corner at 2*dim*h + dim */
    int32 count, dim, norm, levels;
} Tree;

/* A query and its result: the `wanted` nearest points, nearest first. */
typedef struct {
    float64 at[3];
    float64 along[3], aside[3]; /* a sector is where along > 0 and aside >= 0 */
    int32 self, sector;
    int32 wanted, found;
    float64 worst; /* upper bound: only nearer points count */
    RESULTS float64 *gap;
    RESULTS int32 *who;
} Query;

/* Removed points (gone), and the number left below each node; both null for a complete tree. */
typedef struct {
    GLOBAL const int32 *left;
    GLOBAL const int32 *gone;
} Absent;

INLINE int32 first_of(int32 count, int32 level, int64 node) { return (int32)((node * count) >> level); }

/* Return the leaf that holds a point. */
INLINE int32 leaf_of(const Tree *t, int32 spot) {
    return (int32)(((((int64)spot + 1) << t->levels) - 1) / t->count);
}

INLINE float64 with_gap(int32 norm, float64 sum, float64 gap) {
    if (norm == MANHATTAN) return sum + gap;
    if (norm == MAXIMUM) return gap > sum ? gap : sum;
    return sum + gap * gap;
}

/* Return a monotone function of the distance from the query to a point (the square, except for MANHATTAN and
 * MAXIMUM). */
INLINE float64 spot_gap(const Tree *t, const Query *q, int32 spot, int32 dim, int32 norm) {
    GLOBAL const float64 *s = t->spot + (int64)spot * dim;
    float64 sum = 0;
    for (int32 d = 0; d < dim; d++) sum = with_gap(norm, sum, fabs(s[d] - q->at[d]));
    return sum;
}

INLINE int32 in_sector(const Tree *t, const Query *q, int32 spot, int32 dim) {
    GLOBAL const float64 *s = t->spot + (int64)spot * dim;
    float64 along = 0, aside = 0;
    for (int32 d = 0; d < dim; d++) along += q->along[d] * (s[d] - q->at[d]), aside += q->aside[d] * (s[d] - q->at[d]);
    return along > 0 && aside >= 0;
}

/* Return a lower bound of spot_gap over the node's box; infinite if no point in it can qualify. */
INLINE float64 node_gap(const Tree *t, const Query *q, const Absent *absent, int32 node, int32 dim, int32 norm) {
    if (absent->left && absent->left[node] == 0) return INFINITY;
    GLOBAL const float64 *low = t->box + (int64)node * 2 * dim, *high = low + dim;
    float64 sum = 0;
    for (int32 d = 0; d < dim; d++) {
        float64 below = low[d] - q->at[d], above = q->at[d] - high[d];
        float64 gap = below > above ? below : above;
        sum = with_gap(norm, sum, gap > 0 ? gap : 0);
    }
    if (q->sector == ANYWHERE || sum >= q->worst) return sum;
    float64 along = 0, aside = 0;
    for (int32 d = 0; d < dim; d++) {
        along += q->along[d] * ((q->along[d] > 0 ? high[d] : low[d]) - q->at[d]);
        aside += q->aside[d] * ((q->aside[d] > 0 ? high[d] : low[d]) - q->at[d]);
    }
    return along > 0 && aside >= 0 ? sum : INFINITY;
}

INLINE void search_leaf(const Tree *t, Query *q, const Absent *absent, int32 leaf, int32 dim, int32 norm) {
    int32 end = first_of(t->count, t->levels, leaf + 1);
    for (int32 spot = first_of(t->count, t->levels, leaf); spot < end; spot++) {
        float64 gap = spot_gap(t, q, spot, dim, norm);
        if (gap >= q->worst || spot == q->self) continue;
        if (absent->gone && absent->gone[spot]) continue;
        if (q->sector != ANYWHERE && !in_sector(t, q, spot, dim)) continue;
        int32 k = q->found < WANTED(q) ? q->found++ : WANTED(q) - 1;
        for (; k > 0 && q->gap[k - 1] > gap; k--) q->gap[k] = q->gap[k - 1], q->who[k] = q->who[k - 1];
        q->gap[k] = gap, q->who[k] = spot;
        if (q->found == WANTED(q)) q->worst = q->gap[WANTED(q) - 1];
    }
}

INLINE void search_below(const Tree *t, Query *q, const Absent *absent, int32 top, int32 dim, int32 norm) {
    int32 waiting[32], many = 0;
    float64 gaps[32];
    float64 gap = node_gap(t, q, absent, top, dim, norm);
    int32 node = top, leaves = 1 << t->levels;
    for (;;) {
        while (gap < q->worst && node < leaves) {
            int32 other = 2 * node + 1;
            node = 2 * node, gap = node_gap(t, q, absent, node, dim, norm);
            float64 farther = node_gap(t, q, absent, other, dim, norm);
            if (farther < gap) {
                int32 n = node;
                float64 g = gap;
                node = other, gap = farther, other = n, farther = g;
            }
            if (farther < q->worst) waiting[many] = other, gaps[many++] = farther;
        }
        if (gap < q->worst) search_leaf(t, q, absent, node - leaves, dim, norm);
        do {
            if (many == 0) return;
            node = waiting[--many], gap = gaps[many];
        } while (gap >= q->worst);
    }
}

/* Fill q->gap and q->who with the points nearest to point q->self, excluding itself. */
INLINE void search_tree(const Tree *t, Query *q, const Absent *absent, int32 dim, int32 norm) {
    int32 leaf = leaf_of(t, q->self);
    for (int32 d = 0; d < dim; d++) q->at[d] = t->spot[(int64)q->self * dim + d];
    q->found = 0, q->worst = INFINITY;
    search_leaf(t, q, absent, leaf, dim, norm);
    for (int32 node = (1 << t->levels) + leaf; node > 1; node >>= 1) search_below(t, q, absent, node ^ 1, dim, norm);
}

#endif
