/* The best 2-opt move by a search that leaves out what cannot win.
 *
 *     p-(p+1) ... q-(q+1)  ->  p-q ... (p+1)-(q+1)
 *
 * The edges p and q are replaced by d1 = d(p, q) and d2 = d(p+1, q+1). Let e(p) >= e(q) and g be a gain already known.
 * If the move gains at least g, then d1 + d2 <= 2 e(p) - g, so the shorter of d1 and d2 is at most e(p) - g / 2. Hence
 * it suffices to look from both ends of each edge p for cities within that reach, and not at all if 2 e(p) < g. The
 * larger g, the fewer edges are left.
 *
 * Nodes are numbered in the order of a k-d tree. FAN consecutive nodes have a bounding box, FAN consecutive boxes
 * another one, and so on; the last nodes and boxes are padding, infinitely far away. Deltas are summed as in
 * two_opt_exact.c, so both find the same move.
 */
#ifndef WARPTOUR_PRUNED
#define WARPTOUR_PRUNED

#include "pruned_rank.h"

#define FAN 32 /* a multiple of LANES */
#define PER_LANE (FAN / LANES)
#define MAX_LEVELS 6
#define TIE_LEAVES 8 /* leaves that are searched for ties once no larger gain is possible */

typedef struct {
    Points at;
    GLOBAL const float64 *low_x, *low_y, *high_x, *high_y; /* boxes, level by level from the smallest */
    int32 begin[MAX_LEVELS];                               /* first box of each level */
    int32 levels, n;
    GLOBAL const int32 *tour, *place; /* node at each position, and position of each node */
    GLOBAL const float64 *edge;       /* distance from each position to the next */
} Pruned;

#define PRUNED_PARAMETERS \
    POINTS_PARAMETERS, GLOBAL const float64 *RESTRICT box, int32 boxes, int32 n

/* Return the boxes of `n` nodes; a level has a whole number of FANs, the last one exactly one. */
INLINE Pruned pruned_of(Points at, GLOBAL const float64 *box, int32 boxes, int32 n) {
    Pruned t;
    t.at = at;
    t.low_x = box, t.low_y = box + boxes, t.high_x = box + 2 * boxes, t.high_y = box + 3 * boxes;
    t.n = n, t.levels = 0;
    int32 first = 0, count = n;
    do {
        count = (count + FAN * FAN - 1) / (FAN * FAN) * FAN;
        t.begin[t.levels++] = first, first += count;
    } while (count > FAN);
    return t;
}

/* A lane's best move: the largest gain and, among ties, the smallest rank i * n + j. */
typedef struct {
    float64 gain;
    int64 rank;
    int32 tied; /* whether ties with `gain` may have been missed */
} Best;

/* Evaluate the exchange of edge p and the edge at node c: the one after it, or the one before it if not `forward`.
 * d1 is the distance from p's end to c, `other` p's other end. */
INLINE void consider(const Pruned *t, int32 p, int32 forward, int32 other, float64 longest, int32 c, float64 d1,
                     Best *mine) {
    int32 q = t->place[c];
    if (!forward) q = q > 0 ? q - 1 : t->n - 1;
    float64 removed = t->edge[q];
    int32 i = p < q ? p : q, j = p < q ? q : p;
    if (removed > longest || j - i < 2 || j - i == t->n - 1) return;
    float64 d2 = between(&t->at, other, t->tour[forward ? place_after(q, t->n) : q]);
    float64 gain = -(d1 + d2 - (p < q ? removed : longest) - (p < q ? longest : removed));
    int64 rank = (int64)i * t->n + j;
    if (gain > mine->gain) mine->gain = gain, mine->rank = rank, mine->tied = 0;
    if (gain == mine->gain && rank < mine->rank && gain > 0) mine->rank = rank;
}

/* Return the square of the reach of an edge, before rounding of distances, and above it by more than its own error. */
INLINE float64 squared_reach(float64 longest, float64 known) {
    float64 reach = longest * (1 + 1e-13) - known / 2;
#if ROUNDING == NEAREST
    reach += 0.5;
#endif
    return reach > 0 ? reach * reach * (1 + 1e-13) : 0;
}

/* Evaluate the nodes of one leaf. */
INLINE void search_leaf(const Pruned *t, int32 p, int32 forward, int32 other, float64 longest, float64 x, float64 y,
                        int32 leaf, float64 squared, Best *mine) {
    float64 gaps[PER_LANE];
    for (int32 m = 0; m < PER_LANE; m++) {
        int32 c = leaf * FAN + m * LANES + LANE;
        float64 dx = t->at.x[c] - x, dy = t->at.y[c] - y;
        gaps[m] = dx * dx + dy * dy;
    }
    for (int32 m = 0; m < PER_LANE; m++)
        if (gaps[m] <= squared)
            consider(t, p, forward, other, longest, leaf * FAN + m * LANES + LANE, rounded(ROUNDING, sqrt(gaps[m])), mine);
}

/* Return which of FAN boxes are within reach, as bits. */
INLINE uint32 boxes_within(ROOM_PARAMETER const Pruned *t, int32 first, float64 x, float64 y, float64 squared) {
    float64 gaps[PER_LANE];
    uint32 near = 0;
    for (int32 m = 0; m < PER_LANE; m++) {
        int32 b = first + m * LANES + LANE;
        float64 dx = fmax(fmax(t->low_x[b] - x, x - t->high_x[b]), 0.0);
        float64 dy = fmax(fmax(t->low_y[b] - y, y - t->high_y[b]), 0.0);
        gaps[m] = dx * dx + dy * dy;
    }
    for (int32 m = 0; m < PER_LANE; m++) near |= (uint32)(gaps[m] <= squared) << (m * LANES + LANE);
    return (uint32)SUM_OF_LANES((int32)near); /* lanes have different bits */
}

/* Search from one end of edge p; `known` is a gain known to all lanes, and increases. */
INLINE void search_end(ROOM_PARAMETER const Pruned *t, int32 p, int32 forward, float64 *known, Best *mine) {
    uint32 near[MAX_LEVELS];
    int32 node[MAX_LEVELS], level = t->levels - 1, ties = 0;
    int32 here = t->tour[p], next = t->tour[place_after(p, t->n)], end = forward ? here : next;
    float64 longest = t->edge[p], x = t->at.x[end], y = t->at.y[end], squared = squared_reach(longest, *known);
    node[level] = 0;
    near[level] = boxes_within(ROOM t, t->begin[level], x, y, squared);
    while (level < t->levels) {
        if (near[level] == 0) {
            level++;
            continue;
        }
        int32 child = node[level] * FAN + LOWEST_BIT(near[level]);
        near[level] &= near[level] - 1;
        if (level > 0) {
            level--;
            node[level] = child;
            near[level] = boxes_within(ROOM t, t->begin[level] + child * FAN, x, y, squared);
            continue;
        }
        float64 before = mine->gain;
        search_leaf(t, p, forward, forward ? next : here, longest, x, y, child, squared, mine);
        if (ANY_LANE(mine->gain > before)) {
            int32 least = -gain_bits(mine->gain);
            MIN_OF_LANES(least, 0);
            float64 gain = (float64)FLOAT_OF_BITS(-least);
            if (gain > *known) *known = gain, squared = squared_reach(longest, gain);
        }
        if (ANY_LANE(mine->gain >= 2 * longest) && ++ties > TIE_LEAVES) {
            mine->tied = mine->gain >= 2 * longest;
            return;
        }
    }
}

#endif
