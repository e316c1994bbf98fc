/* Minimum spanning trees over the complete graph, under penalties, by Boruvka's algorithm. Native only.
 *
 * An edge costs floor(length * scale) plus the penalties of its ends, all integers below 2^53 and exact in float64. In
 * each round every point finds its cheapest edge to another component in a k-d tree, whose nodes know the least penalty
 * and the common component of their points. Lengths are computed from gaps by monotone functions, so a box's gap gives
 * a lower bound without a tolerance.
 */
#include "common/tree.h"

typedef struct {
    int32 norm, rounding;
    float64 divisor, radius;
    float64 blur, squared_blur; /* error of half a chord of the unit sphere, and of its square */
    float64 scale;
} Lengths;

#define LENGTHS_PARAMETERS \
    int32 rounding, float64 divisor, float64 radius, float64 blur, float64 squared_blur, float64 scale
#define LENGTHS_STRUCT(l) Lengths l = {norm, rounding, divisor, radius, blur, squared_blur, scale}

#define IN_TREE (INFINITY - INFINITY) /* key of a node in the tree: not a number, so that it compares false */
#define OF_PAIRS 0x1.ffffffffffff0p-1 /* 1 - 2^-49: more than the error of an arc sine, which need not be monotone */
#define OF_BOXES 0x1.fffffffffff00p-1 /* 1 - 2^-45 */

/* Return a scaled length that no cost computed by the model is below; exact but for angles and the floor. */
INLINE float64 scaled(const Lengths *l, float64 gap, float64 share) {
    float64 measure = gap;
    if (l->norm == EUCLIDEAN_2D || l->norm == EUCLIDEAN_3D) measure = sqrt(gap / l->divisor);
    else if (l->norm == ANGLE) {
        float64 chord = sqrt(gap) / 2 * OF_PAIRS - l->blur;
        float64 square = chord > 0 ? chord * chord - l->squared_blur : 0;
        float64 root = square > 0 ? sqrt(square) : 0;
        measure = 2 * l->radius * asin(root < 1 ? root : 1) * share;
    }
    return floor(rounded(l->rounding, measure) * l->scale);
}

INLINE float64 gap_between(GLOBAL const float64 *a, GLOBAL const float64 *b, int32 dim, int32 norm) {
    float64 sum = 0;
    for (int32 d = 0; d < dim; d++) sum = with_gap(norm, sum, fabs(a[d] - b[d]));
    return sum;
}

/* Scaled lengths of `count` edges. */
KERNEL(bound_lengths, GLOBAL const float64 *spot, int32 dim, int32 norm, LENGTHS_PARAMETERS, int64 count,
       GLOBAL const int32 *one, GLOBAL const int32 *two, GLOBAL float64 *out) {
    LENGTHS_STRUCT(l);
    int64 end = count * (GROUP + 1) / GROUPS;
    for (int64 e = count * GROUP / GROUPS; e < end; e++) {
        GLOBAL const float64 *a = spot + (int64)one[e] * dim, *b = spot + (int64)two[e] * dim;
        out[e] = scaled(&l, gap_between(a, b, dim, norm), OF_PAIRS);
    }
}

typedef struct {
    Tree tree;
    Lengths lengths;
    GLOBAL const float64 *penalty, *least;
    GLOBAL const int32 *component, *common; /* of points, and of nodes: -1 where it has several */
} Forest;

typedef struct {
    GLOBAL const float64 *at;
    float64 penalty, cheapest;
    int32 component, partner;
} Link;

INLINE float64 box_cost(const Forest *f, const Link *q, int32 node, int32 dim, int32 norm) {
    if (f->common[node] == q->component) return INFINITY;
    GLOBAL const float64 *low = f->tree.box + (int64)node * 2 * dim, *high = low + dim;
    float64 sum = 0;
    for (int32 d = 0; d < dim; d++) {
        float64 below = low[d] - q->at[d], above = q->at[d] - high[d];
        float64 gap = below > above ? below : above;
        sum = with_gap(norm, sum, gap > 0 ? gap : 0);
    }
    return scaled(&f->lengths, sum, OF_BOXES) + f->least[node] + q->penalty;
}

INLINE void link_leaf(const Forest *f, Link *q, int32 leaf, int32 dim, int32 norm) {
    int32 end = first_of(f->tree.count, f->tree.levels, (int64)leaf + 1);
    for (int32 s = first_of(f->tree.count, f->tree.levels, leaf); s < end; s++) {
        if (f->component[s] == q->component) continue;
        float64 gap = gap_between(f->tree.spot + (int64)s * dim, q->at, dim, norm);
        float64 cost = scaled(&f->lengths, gap, OF_PAIRS) + f->penalty[s] + q->penalty;
        if (cost < q->cheapest) q->cheapest = cost, q->partner = s;
    }
}

INLINE void link_below(const Forest *f, Link *q, int32 top, int32 dim, int32 norm) {
    int32 waiting[32], many = 0, node = top, leaves = 1 << f->tree.levels;
    float64 costs[32], cost = box_cost(f, q, top, dim, norm);
    for (;;) {
        while (cost < q->cheapest && node < leaves) {
            int32 other = 2 * node + 1;
            node = 2 * node, cost = box_cost(f, q, node, dim, norm);
            float64 dearer = box_cost(f, q, other, dim, norm);
            if (dearer < cost) {
                int32 n = node;
                float64 c = cost;
                node = other, cost = dearer, other = n, dearer = c;
            }
            if (dearer < q->cheapest) waiting[many] = other, costs[many++] = dearer;
        }
        if (cost < q->cheapest) link_leaf(f, q, node - leaves, dim, norm);
        do {
            if (many == 0) return;
            node = waiting[--many], cost = costs[many];
        } while (cost >= q->cheapest);
    }
}

INLINE void link_point(const Forest *f, Link *q, int32 point, int32 dim, int32 norm) {
    int32 leaf = leaf_of(&f->tree, point);
    q->at = f->tree.spot + (int64)point * dim, q->penalty = f->penalty[point];
    link_leaf(f, q, leaf, dim, norm);
    for (int32 node = (1 << f->tree.levels) + leaf; node > 1; node >>= 1) link_below(f, q, node ^ 1, dim, norm);
}

/* Search each point's cheapest edge to another component, below the limit of its own. known: lower bound on the cost of
 * such an edge from earlier rounds; a point whose limit is not above it is skipped. */
KERNEL(bound_links, GLOBAL const float64 *spot, GLOBAL const float64 *box, int32 count, int32 dim, int32 norm, int32 levels,
       LENGTHS_PARAMETERS, GLOBAL const float64 *penalty, GLOBAL const float64 *least, GLOBAL const int32 *component,
       GLOBAL const int32 *common, GLOBAL const float64 *limit, GLOBAL float64 *known, GLOBAL float64 *cheapest,
       GLOBAL int32 *partner) {
    LENGTHS_STRUCT(l);
    Forest f = {{spot, box, count, dim, norm, levels}, l, penalty, least, component, common};
    int64 leaves = (int64)1 << levels;
    int32 end = first_of(count, levels, leaves * (GROUP + 1) / GROUPS);
    for (int32 s = first_of(count, levels, leaves * GROUP / GROUPS); s < end; s++) {
        Link q = {0, 0, limit[component[s]], component[s], -1};
        if (known[s] >= q.cheapest) continue;
        if (dim == 2 && norm == EUCLIDEAN_2D) link_point(&f, &q, s, 2, EUCLIDEAN_2D);
        else link_point(&f, &q, s, dim, norm);
        known[s] = q.cheapest;
        if (q.partner >= 0) cheapest[s] = q.cheapest, partner[s] = q.partner;
    }
}

/* Before a round: forget partners that are no longer of another component, offer the edges one[]-two[] of the given
 * cost, and set the limit of each component to its cheapest edge so far. */
KERNEL(bound_limits, int32 count, int64 edges, GLOBAL const int32 *one, GLOBAL const int32 *two, GLOBAL const float64 *cost,
       GLOBAL const int32 *component, int32 components, GLOBAL float64 *cheapest, GLOBAL int32 *partner,
       GLOBAL float64 *limit) {
    for (int32 s = 0; s < count; s++)
        if (partner[s] < 0 || component[partner[s]] == component[s]) cheapest[s] = INFINITY, partner[s] = -1;
    for (int64 e = 0; e < edges; e++) {
        int32 a = one[e], b = two[e];
        if (component[a] == component[b]) continue;
        if (cost[e] < cheapest[a]) cheapest[a] = cost[e], partner[a] = b;
        if (cost[e] < cheapest[b]) cheapest[b] = cost[e], partner[b] = a;
    }
    for (int32 c = 0; c < components; c++) limit[c] = INFINITY;
    for (int32 s = 0; s < count; s++)
        if (cheapest[s] < limit[component[s]]) limit[component[s]] = cheapest[s];
}

INLINE int32 root_of(GLOBAL int32 *parent, int32 c) {
    while (parent[c] != c) parent[c] = parent[parent[c]], c = parent[c];
    return c;
}

/* After a round: join each component to another along its cheapest edge, and append these edges to the tree. numbers:
 * components and tree edges, in place. parent, label, chosen: workspace of one number per component. */
KERNEL(bound_join, int32 count, GLOBAL const float64 *cheapest, GLOBAL const int32 *partner, GLOBAL int32 *component,
       GLOBAL int32 *parent, GLOBAL int32 *label, GLOBAL int32 *chosen, GLOBAL int32 *tree, GLOBAL int32 *numbers) {
    int32 components = numbers[0], left = 0;
    for (int32 c = 0; c < components; c++) parent[c] = c, chosen[c] = -1;
    for (int32 s = 0; s < count; s++) {
        int32 c = component[s];
        if (partner[s] >= 0 && (chosen[c] < 0 || cheapest[s] < cheapest[chosen[c]])) chosen[c] = s;
    }
    for (int32 c = 0; c < components; c++) {
        int32 s = chosen[c];
        if (s < 0) continue;
        int32 a = root_of(parent, c), b = root_of(parent, component[partner[s]]);
        if (a == b) continue;
        parent[a < b ? b : a] = a < b ? a : b;
        tree[2 * (int64)numbers[1]] = s, tree[2 * (int64)numbers[1] + 1] = partner[s];
        numbers[1]++;
    }
    for (int32 c = 0; c < components; c++) label[c] = parent[c] == c ? left++ : label[root_of(parent, c)];
    for (int32 s = 0; s < count; s++) component[s] = label[component[s]];
    numbers[0] = left;
}

/* Prim's algorithm on a matrix of costs: node[] are its rows, in the order of penalty[]. Fixed edges, up to two per
 * node (-1: none), come first. parent[v] is the node that v was joined to, -1 at the first. Continues where the last
 * call ended, for `most` nodes; state: nodes in the tree, and the last of them. */
KERNEL(bound_dense, GLOBAL const float64 *table, int32 side, GLOBAL const int32 *node, int32 count, int32 rounding,
       float64 scale, GLOBAL const float64 *penalty, GLOBAL const int32 *fixed, int32 most, GLOBAL float64 *key,
       GLOBAL int32 *parent, GLOBAL int32 *state) {
    int32 until = state[0] + most < count ? state[0] + most : count;
    for (int32 at = state[1]; state[0] < until; state[0]++) {
        GLOBAL const float64 *row = table + (int64)node[at] * side;
        key[at] = IN_TREE;
        float64 least = INFINITY;
        int32 next = -1;
        for (int32 k = 0; k < 2; k++) {
            int32 v = fixed[2 * (int64)at + k];
            if (v >= 0 && key[v] == key[v]) key[v] = -INFINITY, parent[v] = at;
        }
        for (int32 v = 0; v < count; v++) {
            float64 cost = floor(rounded(rounding, row[node[v]]) * scale) + penalty[v] + penalty[at];
            if (cost < key[v]) key[v] = cost, parent[v] = at;
            if (key[v] < least || (next < 0 && key[v] == key[v])) least = key[v], next = v;
        }
        at = next, state[1] = next;
    }
}
