/* Branch and bound on 1-trees, for up to about a hundred nodes (Held and Karp 1971). Native only, one group.
 *
 * Node 0 is the hub. Lengths and penalties are integers so small that all sums are exact in float64. A subproblem forces
 * some edges and excludes others; it is closed once the cost of a 1-tree, less twice the penalties, exceeds the limit:
 * then it holds no tour of the limit or below.
 */

#define FREE 0
#define FORCED 1
#define EXCLUDED 2

#define IN_TREE (INFINITY - INFINITY) /* key of a node in the tree: not a number, so that it compares false */
#define LARGEST_PENALTY 8796093022208.0 /* 2^43 */
#define PATIENCE 4                      /* iterations without a higher bound, after which the step is halved */

typedef struct {
    int32 n;
    GLOBAL const float64 *length; /* n by n */
    GLOBAL narrow *status;        /* n by n */
} Subproblem;

/* A 1-tree: parent[v] of each node but 0 and 1, and the two ends of the hub's edges. */
typedef struct {
    GLOBAL int32 *parent, *degree;
    GLOBAL float64 *key;
    int32 ends[2];
} OneTree;

INLINE void set_status(const Subproblem *s, int32 u, int32 v, narrow status) {
    s->status[u * s->n + v] = s->status[v * s->n + u] = status;
}

/* Return the cost of the minimum 1-tree less twice the penalties; infinite if there is none. */
INLINE float64 grow(const Subproblem *s, GLOBAL const float64 *penalty, OneTree *t) {
    int32 n = s->n, at = 1;
    float64 sum = 0;
    for (int32 v = 0; v < n; v++) t->key[v] = INFINITY, t->degree[v] = 0, t->parent[v] = -1, sum -= 2 * penalty[v];
    for (int32 many = 2; many < n; many++) {
        GLOBAL const narrow *status = s->status + at * n;
        GLOBAL const float64 *length = s->length + at * n;
        float64 least = INFINITY;
        int32 next = -1;
        t->key[at] = IN_TREE;
        for (int32 v = 1; v < n; v++) {
            float64 cost = length[v] + penalty[v] + penalty[at];
            cost = status[v] == FREE ? cost : status[v] == FORCED ? -INFINITY : INFINITY;
            if (cost < t->key[v]) t->key[v] = cost, t->parent[v] = at;
            if (t->key[v] < least) least = t->key[v], next = v;
        }
        if (next < 0) return INFINITY;
        at = next;
        int32 p = t->parent[at];
        sum += s->length[p * n + at] + penalty[p] + penalty[at];
        t->degree[p]++, t->degree[at]++;
    }
    for (int32 k = 0; k < 2; k++) {
        float64 least = INFINITY;
        int32 end = -1;
        for (int32 v = 1; v < n; v++) {
            if (s->status[v] == EXCLUDED || (k == 1 && v == t->ends[0])) continue;
            float64 cost = s->status[v] == FORCED ? -INFINITY : s->length[v] + penalty[v];
            if (end < 0 || cost < least) least = cost, end = v;
        }
        if (end < 0) return INFINITY;
        t->ends[k] = end, t->degree[end]++;
        sum += s->length[end] + penalty[end];
    }
    return sum;
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
            if (next < 0 || next == u) break;
            from = at, at = next, edges++;
        }
        ends[side] = at;
    }
    if (ends[0] != ends[1] && edges > 1 && edges < n - 1 && s->status[ends[0] * n + ends[1]] == FREE)
        set_status(s, ends[0], ends[1], EXCLUDED);
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

/* Work on at most `most` subproblems of a stack. Each has n * n statuses and n penalties; there is room for `room`.
 *
 * state: the limit, and `unit`, by which it is to be below the cost of a tour that is found. numbers: subproblems on the
 * stack, those done, and whether some did not fit, after which nothing is proved. reals and ints: workspaces of 2 * n. */
KERNEL(bound_branch, int32 n, GLOBAL const float64 *length, int32 most, int32 room, int32 iterations,
       GLOBAL narrow *statuses, GLOBAL float64 *penalties, GLOBAL float64 *reals, GLOBAL int32 *ints, GLOBAL float64 *state,
       GLOBAL int64 *numbers) {
    OneTree t = {ints, ints + n, reals, {0, 0}};
    for (int32 done = 0; done < most && numbers[0] > 0 && !numbers[2]; done++) {
        int64 top = numbers[0] - 1;
        Subproblem s = {n, length, statuses + top * n * n};
        GLOBAL float64 *penalty = penalties + top * n;
        numbers[1]++, numbers[0]--;
        if (!propagate(&s)) continue;
        float64 bound = ascend(&s, penalty, reals + n, &t, iterations, state[0]);
        if (bound > state[0]) continue;
        bound = grow(&s, penalty, &t);
        int32 node = -1, other = -1;
        for (int32 v = 1; v < n; v++)
            if (t.degree[v] > 2 && (node < 0 || t.degree[v] > t.degree[node])) node = v;
        if (node < 0) { /* a tour */
            state[0] = bound - state[1];
            continue;
        }
        float64 dearest = -INFINITY;
        for (int32 v = 0; v < n; v++) {
            int32 joined = v == 0 ? t.ends[0] == node || t.ends[1] == node
                                  : v != node && (t.parent[v] == node || t.parent[node] == v);
            float64 cost = length[node * n + v] + penalty[v];
            if (joined && s.status[node * n + v] == FREE && cost > dearest) dearest = cost, other = v;
        }
        if (numbers[0] + 2 > room || other < 0) {
            numbers[2] = 1;
            return;
        }
        Subproblem with = {n, length, s.status + n * n};
        for (int32 k = 0; k < n * n; k++) with.status[k] = s.status[k];
        for (int32 v = 0; v < n; v++) penalty[n + v] = penalty[v];
        set_status(&s, node, other, EXCLUDED);
        set_status(&with, node, other, FORCED);
        guard_chain(&with, node);
        numbers[0] += 2;
    }
}
