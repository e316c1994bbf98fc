/* The best 2-opt move by a search that leaves out what cannot win.
 *
 *     p-(p+1) ... q-(q+1)  ->  p-q ... (p+1)-(q+1)
 *
 * The edges p and q are replaced by d1 = d(p, q) and d2 = d(p+1, q+1), which gains e(p) + e(q) - d1 - d2. Let e(p) be
 * the longer edge and g a gain already known. A move that gains at least g has
 *   - d1 or d2 of at most (e(p) + e(q) - g) / 2, so it is found from one end of p within that reach;
 *   - by the triangle inequality 2 e(q) >= g, and q's city in an ellipse around p: d(p, q) + d(p+1, q) <= e(p) + 2 e(q) - g.
 * The larger g, the fewer edges and cities are left.
 *
 * Nodes are numbered in the order of a k-d tree. FAN consecutive nodes have a box, FAN consecutive boxes a larger one,
 * and so on, each with its bounds and the longest tour edge at any of its nodes; the last nodes and boxes are padding,
 * too far away for any reach. Boxes are searched only if the nearest nodes do not extend beyond the reach. Deltas are
 * summed as in two_opt_exact.c, so both find the same move.
 */
#ifndef WARPTOUR_PRUNED
#define WARPTOUR_PRUNED

#include "papers/scans/pruned_boxes.h"

#define PER_LANE (FAN / LANES)
#define TIE_LEAVES 8 /* leaves that are searched for ties once no larger gain is possible */
#define FEW 6        /* boxes within reach that are not worth a second test */
#define NEAR 8       /* nodes in a neighbour list */

/* Bound on the error of a sum of distances relative to the largest; and what rounding to integers may add to the reach
 * from one end, and to an edge over a detour: distances rounded up obey the triangle inequality, but roots do so only up
 * to their last bit, and then ceil adds 1. */
#define SLACK 1e-12
#if ROUNDING == NEAREST
#define REACH_SLACK 0.5
#define DETOUR_SLACK 2.0
#elif ROUNDING == CEILING
#define REACH_SLACK 0.0
#define DETOUR_SLACK 1.0
#else
#define REACH_SLACK 0.0
#define DETOUR_SLACK 0.0
#endif

typedef struct {
    Points at;
    Boxes boxes;
    GLOBAL const int32 *tour, *place; /* node at each position, and position of each node */
    GLOBAL const float64 *edge;       /* distance from each position to the next */
    GLOBAL const float64 *longest;    /* of the two tour edges of each node */
    GLOBAL const float64 *far;        /* the same for each box */
    GLOBAL const int32 *near;         /* the NEAR nearest nodes of each node, nearest first */
    GLOBAL const float64 *gaps;       /* squared distances to them */
    int32 n;
} Pruned;

#define BOXES_PARAMETERS                                                                                     \
    POINTS_PARAMETERS, GLOBAL const float64 *RESTRICT box, int32 boxes, int32 n, GLOBAL const int32 *RESTRICT near, \
        GLOBAL const float64 *RESTRICT gaps
#define PRUNED_PARAMETERS                                                                             \
    BOXES_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const int32 *RESTRICT place,          \
        GLOBAL const float64 *RESTRICT edge, GLOBAL const float64 *RESTRICT longest, GLOBAL const float64 *RESTRICT far
#define PRUNED_STRUCT(t)  \
    POINTS_STRUCT(wt_at); \
    Pruned t = {wt_at, boxes_of(box, boxes, n), tour, place, edge, longest, far, near, gaps, n}

/* A lane's best move: the largest gain and, among ties, the smallest rank i * n + j. */
typedef struct {
    float64 gain;
    int64 rank;
    int32 tied; /* whether ties with `gain` may have been missed */
} Best;

/* Keep the better of two moves. */
INLINE void keep_better(Best *kept, const Best *found) {
    if (found->gain > kept->gain) {
        *kept = *found;
    } else if (found->gain == kept->gain) {
        if (found->rank < kept->rank) kept->rank = found->rank;
        kept->tied |= found->tied;
    }
}

/* An edge p, seen from one of its ends. */
typedef struct {
    int32 p, forward;
    int32 other;          /* node at the other end */
    float64 x, y;         /* of this end */
    float64 far_x, far_y; /* of the other end */
    float64 edge;         /* its length */
    float64 wider;        /* 4 if the other end is not searched, which doubles the reach; else 1 */
} Look;

INLINE Look look_from(const Pruned *t, int32 p, int32 forward, int32 alone) {
    int32 here = t->tour[p], next = t->tour[place_after(p, t->n)], end = forward ? here : next;
    Look look = {p, forward, forward ? next : here, t->at.x[end], t->at.y[end], 0, 0, t->edge[p], alone ? 4 : 1};
    look.far_x = t->at.x[look.other], look.far_y = t->at.y[look.other];
    return look;
}

/* Evaluate the exchange of edge p and the edge at node c on the same side, at distance d1. */
INLINE void consider(const Pruned *t, const Look *look, int32 c, float64 d1, Best *mine) {
    int32 p = look->p, q = t->place[c];
    if (!look->forward) q = q > 0 ? q - 1 : t->n - 1;
    float64 removed = t->edge[q], longer = look->edge;
    int32 i = p < q ? p : q, j = p < q ? q : p;
    if (removed > longer || j - i < 2 || j - i == t->n - 1) return;
    float64 d2 = between(&t->at, look->other, t->tour[look->forward ? place_after(q, t->n) : q]);
    float64 gain = -(d1 + d2 - (p < q ? removed : longer) - (p < q ? longer : removed));
    int64 rank = (int64)i * t->n + j;
    if (gain > mine->gain) mine->gain = gain, mine->rank = rank, mine->tied = 0;
    if (gain == mine->gain && rank < mine->rank && gain > 0) mine->rank = rank;
}

/* Return the square of the reach from one end of an edge towards edges of at most `far`. */
INLINE float64 squared_reach(const Look *look, float64 far, float64 known) {
    float64 longer = look->edge;
    float64 reach = (longer + (far < longer ? far : longer)) * (0.5 + SLACK) - known / 2 + REACH_SLACK;
    return reach > 0 ? look->wider * reach * reach : 0;
}

/* Return whether edges of at most `far` are long enough. */
INLINE int32 long_enough(float64 longer, float64 far, float64 known) {
    return 2 * far + SLACK * longer + DETOUR_SLACK >= known;
}

/* Evaluate the nodes of one leaf. */
INLINE void search_leaf(const Pruned *t, const Look *look, int32 leaf, float64 known, Best *mine) {
    float64 gaps[PER_LANE];
    int32 first = leaf * FAN + LANE;
    for (int32 m = 0; m < PER_LANE; m++) {
        float64 dx = t->at.x[first + m * LANES] - look->x, dy = t->at.y[first + m * LANES] - look->y;
        gaps[m] = dx * dx + dy * dy;
    }
    for (int32 m = 0; m < PER_LANE; m++) {
        float64 far = t->longest[first + m * LANES];
        if (gaps[m] <= squared_reach(look, far, known) && long_enough(look->edge, far, known))
            consider(t, look, first + m * LANES, rounded(ROUNDING, sqrt(gaps[m])), mine);
    }
}

/* Return which of FAN boxes may hold a better move, as bits. */
INLINE uint32 boxes_within(ROOM_PARAMETER const Pruned *t, const Look *look, int32 first, float64 known) {
    float64 gaps[PER_LANE];
    uint32 near = 0;
    first += LANE;
    for (int32 m = 0; m < PER_LANE; m++) gaps[m] = squared_gap(&t->boxes, first + m * LANES, look->x, look->y);
    for (int32 m = 0; m < PER_LANE; m++) {
        float64 far = t->far[first + m * LANES];
        int32 within = gaps[m] <= squared_reach(look, far, known) && long_enough(look->edge, far, known);
        near |= (uint32)within << (m * LANES + LANE);
    }
    near = (uint32)SUM_OF_LANES((int32)near); /* lanes have different bits */
    if (COUNT_BITS(near) <= FEW) return near;
    uint32 inside = 0;
    for (int32 m = 0; m < PER_LANE; m++) {
        float64 other = squared_gap(&t->boxes, first + m * LANES, look->far_x, look->far_y);
        float64 most = (look->edge + 2 * t->far[first + m * LANES]) * (1 + SLACK) - known + DETOUR_SLACK;
        inside |= (uint32)(sqrt(gaps[m]) + sqrt(other) <= most) << (m * LANES + LANE);
    }
    return near & (uint32)SUM_OF_LANES((int32)inside);
}

/* After an improvement in any lane, raise `known`, a gain known to all lanes. */
INLINE void share_gain(ROOM_PARAMETER float64 before, const Best *mine, float64 *known) {
    if (!ANY_LANE(mine->gain > before)) return;
    int32 least = -gain_bits(mine->gain);
    MIN_OF_LANES(least, 0);
    float64 gain = (float64)FLOAT_OF_BITS(-least);
    if (gain > *known) *known = gain;
}

/* Evaluate the nearest nodes of an edge's end; return whether no other can be within reach. */
INLINE int32 search_near(ROOM_PARAMETER const Pruned *t, const Look *look, int32 end, float64 *known, Best *mine) {
    GLOBAL const int32 *near = t->near + (int64)end * NEAR;
    GLOBAL const float64 *gaps = t->gaps + (int64)end * NEAR;
    float64 squared = squared_reach(look, look->edge, *known), before = mine->gain;
    for (int32 k = LANE; k < NEAR && gaps[k] <= squared; k += LANES) {
        float64 far = t->longest[near[k]];
        if (gaps[k] <= squared_reach(look, far, *known) && long_enough(look->edge, far, *known))
            consider(t, look, near[k], rounded(ROUNDING, sqrt(gaps[k])), mine);
    }
    share_gain(ROOM before, mine, known);
    return gaps[NEAR - 1] > squared;
}

/* Search from one end of edge p, perhaps from it alone. */
INLINE void search_end(ROOM_PARAMETER const Pruned *t, int32 p, int32 forward, int32 alone, float64 *known, Best *mine) {
    uint32 near[MAX_LEVELS];
    int32 node[MAX_LEVELS], level = t->boxes.levels - 1, ties = 0;
    Look look = look_from(t, p, forward, alone);
    if (search_near(ROOM t, &look, t->tour[forward ? p : place_after(p, t->n)], known, mine)) return;
    node[level] = 0;
    near[level] = boxes_within(ROOM t, &look, t->boxes.begin[level], *known);
    while (level < t->boxes.levels) {
        if (near[level] == 0) {
            level++;
            continue;
        }
        int32 child = node[level] * FAN + LOWEST_BIT(near[level]);
        near[level] &= near[level] - 1;
        if (level > 0) {
            level--;
            node[level] = child;
            near[level] = boxes_within(ROOM t, &look, t->boxes.begin[level] + child * FAN, *known);
            continue;
        }
        float64 before = mine->gain;
        search_leaf(t, &look, child, *known, mine);
        share_gain(ROOM before, mine, known);
        if (ANY_LANE(mine->gain >= 2 * look.edge) && ++ties > TIE_LEAVES) {
            if (mine->gain == 2 * look.edge) mine->tied = 1;
            return;
        }
    }
}

/* Return whether a node shares its place with many others. */
INLINE int32 crowded(const Pruned *t, int32 node) { return t->gaps[(int64)node * NEAR + NEAR - 1] == 0; }

/* Search from edge p; `known` is a gain known to all lanes, and increases. Of a crowd at one end all nodes are within
 * any reach, so only the other end is searched, within d1 + d2. */
INLINE void search_edge(ROOM_PARAMETER const Pruned *t, int32 p, float64 *known, Best *mine) {
    int32 here = crowded(t, t->tour[p]), next = crowded(t, t->tour[place_after(p, t->n)]);
    if (here <= next) search_end(ROOM t, p, 1, here < next, known, mine);
    if (next <= here) search_end(ROOM t, p, 0, next < here, known, mine);
}

#endif
