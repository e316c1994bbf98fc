// build: branches
/* Branch and bound on 1-trees, for up to two hundred nodes (Held and Karp 1971). Native only, one group.
 *
 * Node 0 is the hub. Lengths and penalties are integers so small that all sums are exact in float64. A subproblem forces
 * some edges and excludes others; it is closed once the cost of a 1-tree, less twice the penalties, exceeds the limit:
 * then it holds no tour of the limit or below. For the same reason an edge is excluded if the 1-tree that must hold it
 * exceeds the limit, and forced if the one without it does.
 */

#define FREE 0
#define FORCED 1
#define EXCLUDED 2

#define IN_TREE (INFINITY - INFINITY) /* key of a node in the tree: not a number, so that it compares false */
#define LARGEST_PENALTY 4398046511104.0 /* 2^42 */
#define TURNS 3                         /* turns of ascent and elimination in a subproblem, at most */
#define PATIENCE 4                      /* iterations without a higher bound, after which the step is halved */

typedef struct {
    int32 n;
    GLOBAL const float64 *length; /* n by n */
    GLOBAL narrow *status;        /* n by n */
} Subproblem;

/* A 1-tree: the nodes but 0 in the order in which they joined, their parents, and the two ends of the hub's edges. The
 * adjacency lists hold the edges that are not excluded: those of u are near[u * n + k] for k < many[u]. */
typedef struct {
    GLOBAL int32 *order, *place, *parent, *degree, *many, *near;
    GLOBAL float64 *key, *dearest; /* dearest: n by n, see path_maxima */
    int32 ends[2];
} OneTree;

INLINE void set_status(const Subproblem *s, int32 u, int32 v, narrow status) {
    s->status[u * s->n + v] = s->status[v * s->n + u] = status;
}

INLINE void list_edges(const Subproblem *s, OneTree *t) {
    int32 n = s->n;
    for (int32 u = 0; u < n; u++) {
        int32 many = 0;
        for (int32 v = 0; v < n; v++)
            if (s->status[u * n + v] != EXCLUDED) t->near[u * n + many++] = v;
        t->many[u] = many;
    }
}

/* Return the cost of an edge that may be used; forced edges come first. */
INLINE float64 cost_of(const Subproblem *s, GLOBAL const float64 *penalty, int32 u, int32 v) {
    return s->status[u * s->n + v] == FORCED ? -INFINITY : s->length[u * s->n + v] + penalty[u] + penalty[v];
}

/* Return the cost of the minimum 1-tree less twice the penalties; infinite if there is none. */
INLINE float64 grow(const Subproblem *s, GLOBAL const float64 *penalty, OneTree *t) {
    int32 n = s->n, at = 1;
    float64 sum = 0;
    for (int32 v = 0; v < n; v++) t->key[v] = INFINITY, t->degree[v] = 0, t->parent[v] = -1, sum -= 2 * penalty[v];
    for (int32 joined = 0;;) {
        t->key[at] = IN_TREE;
        t->place[at] = joined, t->order[joined++] = at;
        if (joined == n - 1) break;
        for (int32 k = 0; k < t->many[at]; k++) {
            int32 v = t->near[at * n + k];
            if (v == 0) continue;
            float64 cost = cost_of(s, penalty, at, v);
            if (cost < t->key[v]) t->key[v] = cost, t->parent[v] = at;
        }
        float64 least = INFINITY;
        at = -1;
        for (int32 v = 1; v < n; v++)
            if (t->key[v] < least) least = t->key[v], at = v;
        if (at < 0) return INFINITY;
        int32 p = t->parent[at];
        sum += s->length[p * n + at] + penalty[p] + penalty[at];
        t->degree[p]++, t->degree[at]++;
    }
    for (int32 k = 0; k < 2; k++) {
        float64 least = INFINITY;
        int32 end = -1;
        for (int32 e = 0; e < t->many[0]; e++) {
            int32 v = t->near[e];
            if (k == 1 && v == t->ends[0]) continue;
            float64 cost = cost_of(s, penalty, 0, v);
            if (end < 0 || cost < least) least = cost, end = v;
        }
        if (end < 0) return INFINITY;
        t->ends[k] = end, t->degree[end]++;
        sum += s->length[end] + penalty[0] + penalty[end];
    }
    return sum;
}

INLINE int32 in_tree(const OneTree *t, int32 u, int32 v) {
    if (u == 0) return t->ends[0] == v || t->ends[1] == v;
    if (v == 0) return t->ends[0] == u || t->ends[1] == u;
    return t->parent[u] == v || t->parent[v] == u;
}

/* Store the dearest edge on the path of the tree between any two nodes. */
INLINE void path_maxima(const Subproblem *s, GLOBAL const float64 *penalty, OneTree *t) {
    int32 n = s->n;
    t->dearest[n + 1] = -INFINITY;
    for (int32 i = 1; i < n - 1; i++) {
        int32 v = t->order[i], p = t->parent[v];
        float64 cost = cost_of(s, penalty, v, p);
        t->dearest[v * n + v] = -INFINITY;
        for (int32 j = 0; j < i; j++) {
            int32 u = t->order[j];
            float64 most = t->dearest[p * n + u];
            t->dearest[v * n + u] = t->dearest[u * n + v] = most > cost ? most : cost;
        }
    }
}

/* Exclude the edge that would close a forced chain through u too early. */
INLINE void guard_chain(const Subproblem *s, int32 u) {
    int32 n = s->n, ends[2], edges = 0;
    for (int32 side = 0; side < 2; side++) {
        int32 at = u, from = -1, skip = side;
        for (;;) {
            int32 next = -1;
            for (int32 v = 0; v < n && next < 0; v++) {
                if (s->status[at * n + v] != FORCED || v == from) continue;
                if (at == u && from < 0 && skip-- > 0) continue; /* the second chain edge of u */
                next = v;
            }
            if (next < 0 || next == u || edges > n) break; /* more: three forced edges somewhere, no tour */
            from = at, at = next, edges++;
        }
        ends[side] = at;
    }
    if (ends[0] != ends[1] && edges > 1 && edges < n - 1 && s->status[ends[0] * n + ends[1]] == FREE)
        set_status(s, ends[0], ends[1], EXCLUDED);
}

INLINE void force(const Subproblem *s, int32 u, int32 v) {
    set_status(s, u, v, FORCED);
    guard_chain(s, u);
}

/* Exclude and force what would raise the minimum 1-tree, of cost `bound`, above the limit; return how many edges. */
INLINE int32 eliminate(const Subproblem *s, GLOBAL const float64 *penalty, OneTree *t, float64 bound, float64 limit) {
    int32 n = s->n, changed = 0;
    GLOBAL float64 *spare = t->key; /* cheapest edge that may replace the one from v to its parent */
    path_maxima(s, penalty, t);
    for (int32 v = 0; v < n; v++) spare[v] = INFINITY;
    for (int32 u = 1; u < n; u++) {
        for (int32 k = 0; k < t->many[u]; k++) {
            int32 v = t->near[u * n + k];
            if (v < u || s->status[u * n + v] != FREE || in_tree(t, u, v)) continue;
            float64 cost = cost_of(s, penalty, u, v);
            if (bound + (cost - t->dearest[u * n + v]) > limit) {
                set_status(s, u, v, EXCLUDED), changed++;
                continue;
            }
            for (int32 a = u, b = v; a != b;) {
                GLOBAL float64 *edge;
                if (t->place[a] > t->place[b]) edge = spare + a, a = t->parent[a];
                else edge = spare + b, b = t->parent[b];
                if (cost < *edge) *edge = cost;
            }
        }
    }
    for (int32 i = 1; i < n - 1; i++) {
        int32 v = t->order[i], p = t->parent[v];
        if (s->status[v * n + p] != FREE) continue;
        if (bound + (spare[v] - cost_of(s, penalty, v, p)) > limit) force(s, v, p), changed++;
    }
    float64 costs[2], third = INFINITY;
    for (int32 k = 0; k < 2; k++) costs[k] = cost_of(s, penalty, 0, t->ends[k]);
    float64 dearer = costs[0] > costs[1] ? costs[0] : costs[1]; /* -INFINITY if both are forced: then all others go */
    for (int32 k = 0; k < t->many[0]; k++) {
        int32 v = t->near[k];
        if (s->status[v] != FREE || in_tree(t, 0, v)) continue;
        float64 cost = cost_of(s, penalty, 0, v);
        if (bound + (cost - dearer) > limit) set_status(s, 0, v, EXCLUDED), changed++;
        else if (cost < third) third = cost;
    }
    for (int32 k = 0; k < 2; k++)
        if (s->status[t->ends[k]] == FREE && bound + (third - costs[k]) > limit)
            force(s, 0, t->ends[k]), changed++;
    return changed;
}

/* Force and exclude what follows from the degrees; return whether a tour may be left. */
INLINE int32 propagate(const Subproblem *s) {
    int32 n = s->n;
    for (int32 changed = 1; changed;) {
        changed = 0;
        for (int32 u = 0; u < n; u++) {
            int32 forced = 0, open = 0;
            for (int32 v = 0; v < n; v++) {
                if (v == u) continue;
                forced += s->status[u * n + v] == FORCED, open += s->status[u * n + v] == FREE;
            }
            if (forced > 2 || forced + open < 2) return 0;
            if (open == 0 || (forced != 2 && forced + open != 2)) continue;
            for (int32 v = 0; v < n; v++)
                if (v != u && s->status[u * n + v] == FREE) set_status(s, u, v, forced == 2 ? EXCLUDED : FORCED);
            changed = 1;
            for (int32 v = 0; v < n && forced != 2; v++)
                if (v != u && s->status[u * n + v] == FORCED) guard_chain(s, v);
        }
    }
    return 1;
}

/* Raise the bound from penalty[], which becomes the best found; return it, or the first above the limit. */
INLINE float64 ascend(const Subproblem *s, GLOBAL float64 *penalty, GLOBAL float64 *trial, OneTree *t, int32 iterations,
                      float64 limit) {
    float64 best = -INFINITY, share = 1;
    int32 idle = 0;
    list_edges(s, t);
    for (int32 v = 0; v < s->n; v++) trial[v] = penalty[v];
    for (int32 k = 0; k < iterations; k++) {
        float64 bound = grow(s, trial, t), square = 0;
        if (bound > best) {
            best = bound, idle = 0;
            for (int32 v = 0; v < s->n; v++) penalty[v] = trial[v];
        } else if (++idle == PATIENCE) share /= 2, idle = 0;
        if (best > limit) return best;
        for (int32 v = 1; v < s->n; v++) square += (t->degree[v] - 2) * (t->degree[v] - 2);
        if (square == 0) return bound;
        float64 step = share * (1.01 * (limit - bound) + 1) / square;
        for (int32 v = 1; v < s->n; v++) {
            float64 p = rint(trial[v] + step * (t->degree[v] - 2));
            trial[v] = p > LARGEST_PENALTY ? LARGEST_PENALTY : p < -LARGEST_PENALTY ? -LARGEST_PENALTY : p;
        }
    }
    return best;
}

/* Bound a subproblem and leave out what cannot be in a tour of the limit or below, in turn while that helps. Returns
 * whether it is open; then t is the minimum 1-tree under penalty[]. */
INLINE int32 narrow_down(const Subproblem *s, GLOBAL float64 *penalty, GLOBAL float64 *trial, OneTree *t, int32 iterations,
                         float64 limit, float64 *bound) {
    for (int32 turn = 0; turn < TURNS; turn++) {
        if (!propagate(s)) return 0;
        *bound = ascend(s, penalty, trial, t, iterations, limit);
        if (*bound > limit) return 0;
        *bound = grow(s, penalty, t);
        if (!eliminate(s, penalty, t, *bound, limit)) break;
    }
    if (!propagate(s)) return 0;
    list_edges(s, t);
    *bound = grow(s, penalty, t);
    return *bound <= limit;
}

/* Work on at most `most` subproblems of a stack. Each has n * n statuses and n penalties; there is room for `room`.
 *
 * state: the limit, and `unit`, by which it is to be below the cost of a tour that is found. numbers: subproblems on the
 * stack, those done, and whether some did not fit, after which nothing is proved. reals and ints: workspaces of
 * n * (n + 2) and n * (n + 5). */
KERNEL(bound_branch, int32 n, GLOBAL const float64 *length, int32 most, int32 room, int32 iterations,
       GLOBAL narrow *statuses, GLOBAL float64 *penalties, GLOBAL float64 *reals, GLOBAL int32 *ints, GLOBAL float64 *state,
       GLOBAL int64 *numbers) {
    OneTree t = {ints, ints + n, ints + 2 * n, ints + 3 * n, ints + 4 * n, ints + 5 * n, reals, reals + 2 * n, {0, 0}};
    for (int32 done = 0; done < most && numbers[0] > 0 && !numbers[2]; done++) {
        int64 top = numbers[0] - 1;
        Subproblem s = {n, length, statuses + top * n * n};
        GLOBAL float64 *penalty = penalties + top * n;
        float64 bound = 0;
        numbers[1]++, numbers[0]--;
        if (!narrow_down(&s, penalty, reals + n, &t, iterations, state[0], &bound)) continue;
        int32 node = -1, other = -1;
        for (int32 v = 1; v < n; v++)
            if (t.degree[v] > 2 && (node < 0 || t.degree[v] > t.degree[node])) node = v;
        if (node < 0) { /* a tour */
            state[0] = bound - state[1];
            continue;
        }
        float64 dearest = -INFINITY;
        for (int32 v = 0; v < n; v++) {
            float64 cost = length[node * n + v] + penalty[v];
            if (s.status[node * n + v] == FREE && in_tree(&t, node, v) && cost > dearest) dearest = cost, other = v;
        }
        if (numbers[0] + 2 > room || other < 0) {
            numbers[2] = 1;
            return;
        }
        Subproblem with = {n, length, s.status + n * n};
        for (int32 k = 0; k < n * n; k++) with.status[k] = s.status[k];
        for (int32 v = 0; v < n; v++) penalty[n + v] = penalty[v];
        set_status(&s, node, other, EXCLUDED);
        force(&with, node, other);
        numbers[0] += 2;
    }
}
