/* Subgradient ascent on minimum 1-trees over a sparse graph (Held and Karp 1971). Native only, one group.
 *
 * Nodes are all but the hub, the node that a 1-tree joins by two edges to a spanning tree of the others. An edge costs
 * its length plus the penalties of its ends. Each iteration finds the minimum 1-tree by Boruvka's algorithm and raises
 * the penalties of nodes of more than two edges; the direction is a moving average of the degrees. float32 costs are
 * enough, since the result is evaluated exactly elsewhere.
 */

#define MOMENTUM 0.9 /* measured: 0.4 is as good on uniform cities, but far worse on clusters */

typedef struct {
    int32 nodes, edges, chains; /* chains: nodes joined by fixed edges, which every tree holds */
    GLOBAL const int32 *one, *two;
    GLOBAL const float32 *length;
    GLOBAL const int32 *chain, *fixed_degree;
    GLOBAL const float64 *spoke; /* from the hub to each node */
    int32 must[2];               /* nodes joined to the hub by fixed edges, or -1 */
} Graph;

/* Edges between the components of a round, and the cheapest edge of each component. */
typedef struct {
    GLOBAL int32 *one, *two, *edge, *cheapest, *parent, *label;
    GLOBAL float32 *cost, *least, *penalty;
} Round;

INLINE int32 root_of(GLOBAL int32 *parent, int32 c) {
    while (parent[c] != c) parent[c] = parent[parent[c]], c = parent[c];
    return c;
}

INLINE void propose(const Round *r, int32 a, int32 b, float32 cost, int32 edge) {
    if (cost < r->least[a]) r->least[a] = cost, r->cheapest[a] = edge;
    if (cost < r->least[b]) r->least[b] = cost, r->cheapest[b] = edge;
}

INLINE void begin_round(const Round *r, int32 components) {
    for (int32 c = 0; c < components; c++) r->least[c] = INFINITY, r->cheapest[c] = -1, r->parent[c] = c;
}

/* Join every component to another along its cheapest edge; return the number of components left. */
INLINE int32 join(const Graph *g, const Round *r, int32 components, GLOBAL const float64 *penalty, GLOBAL int32 *degree,
                  float64 *sum) {
    for (int32 c = 0; c < components; c++) {
        if (r->cheapest[c] < 0) continue;
        int32 at = r->cheapest[c], a = root_of(r->parent, r->one[at]), b = root_of(r->parent, r->two[at]);
        if (a == b) continue;
        r->parent[a < b ? b : a] = a < b ? a : b;
        int32 edge = r->edge[at], u = g->one[edge], v = g->two[edge];
        degree[u]++, degree[v]++;
        *sum += (float64)g->length[edge] + penalty[u] + penalty[v];
    }
    int32 left = 0;
    for (int32 c = 0; c < components; c++) /* a root precedes its component */
        r->label[c] = r->parent[c] == c ? left++ : r->label[root_of(r->parent, c)];
    return left;
}

/* Return the cost of the minimum spanning tree, and count its edges at each node; a graph in parts has a forest. */
INLINE float64 spanning_tree(const Graph *g, const Round *r, GLOBAL const float64 *penalty, GLOBAL int32 *degree) {
    float64 sum = 0;
    for (int32 v = 0; v < g->nodes; v++) {
        degree[v] = g->fixed_degree[v];
        sum += degree[v] * penalty[v];
        r->penalty[v] = (float32)penalty[v];
    }
    int32 components = g->chains, kept = 0;
    begin_round(r, components);
    for (int32 e = 0; e < g->edges; e++) {
        int32 u = g->one[e], v = g->two[e], a = g->chain[u], b = g->chain[v];
        if (a == b) continue;
        float32 cost = g->length[e] + r->penalty[u] + r->penalty[v];
        r->one[kept] = a, r->two[kept] = b, r->edge[kept] = e, r->cost[kept] = cost;
        propose(r, a, b, cost, kept++);
    }
    while (components > 1) {
        int32 left = join(g, r, components, penalty, degree, &sum), many = 0;
        if (left == components || left == 1) break;
        components = left;
        begin_round(r, components);
        for (int32 e = 0; e < kept; e++) {
            int32 a = r->label[r->one[e]], b = r->label[r->two[e]];
            if (a == b) continue;
            r->one[many] = a, r->two[many] = b, r->edge[many] = r->edge[e], r->cost[many] = r->cost[e];
            propose(r, a, b, r->cost[many], many);
            many++;
        }
        kept = many;
    }
    return sum;
}

/* Return the cost of the hub's two edges, fixed ones first, and count them. */
INLINE float64 hub_edges(const Graph *g, GLOBAL const float64 *penalty, GLOBAL int32 *degree) {
    float64 sum = 0, first = INFINITY, second = INFINITY;
    int32 to_first = -1, to_second = -1, wanted = 2;
    for (int32 k = 0; k < 2; k++) {
        int32 v = g->must[k];
        if (v < 0) continue;
        sum += g->spoke[v] + penalty[v], degree[v]++, wanted--;
    }
    for (int32 v = 0; v < g->nodes; v++) {
        float64 cost = g->spoke[v] + penalty[v];
        if (cost >= second || v == g->must[0] || v == g->must[1]) continue;
        if (cost < first) second = first, to_second = to_first, first = cost, to_first = v;
        else second = cost, to_second = v;
    }
    if (wanted > 0) sum += first, degree[to_first]++;
    if (wanted > 1) sum += second, degree[to_second]++;
    return sum;
}

/* Make `iterations` steps from penalty[], the k-th of size state[STEP] * decay^k, and keep the best penalties.
 *
 * state: step, best bound so far, number of 1-trees so far, and whether the last was a tour, which ends the ascent;
 * bounds leave out the lengths of fixed edges. velocity: average of degrees less 2, 0 at first. ints: workspace of
 * 3 * edges + 4 * nodes, reals: of edges + 2 * nodes. */
KERNEL(one_tree_ascend, int32 nodes, int32 edges, GLOBAL const int32 *one, GLOBAL const int32 *two,
       GLOBAL const float32 *length, int32 chains, GLOBAL const int32 *chain, GLOBAL const int32 *fixed_degree,
       GLOBAL const float64 *spoke, int32 must_one, int32 must_two, int32 iterations, float64 decay,
       GLOBAL float64 *penalty, GLOBAL float64 *best, GLOBAL float64 *velocity, GLOBAL int32 *ints,
       GLOBAL float32 *reals, GLOBAL float64 *state) {
    Graph g = {nodes, edges, chains, one, two, length, chain, fixed_degree, spoke, {must_one, must_two}};
    GLOBAL int32 *by_component = ints + 3 * (int64)edges, *degree = by_component + 3 * (int64)nodes;
    Round r = {ints, ints + edges, ints + 2 * (int64)edges, by_component, by_component + nodes, by_component + 2 * (int64)nodes,
               reals, reals + edges, reals + edges + nodes};
    for (int32 k = 0; k < iterations; k++) {
        float64 bound = spanning_tree(&g, &r, penalty, degree) + hub_edges(&g, penalty, degree);
        int32 odd = 0;
        for (int32 v = 0; v < nodes; v++) bound -= 2 * penalty[v], odd |= degree[v] != 2;
        state[2] += 1;
        if (bound > state[1] || !odd) {
            state[1] = bound;
            for (int32 v = 0; v < nodes; v++) best[v] = penalty[v];
        }
        if (!odd) {
            state[3] = 1;
            return;
        }
        for (int32 v = 0; v < nodes; v++) {
            velocity[v] = MOMENTUM * velocity[v] + (1 - MOMENTUM) * (degree[v] - 2);
            penalty[v] += state[0] * velocity[v];
        }
        state[0] *= decay;
    }
}
