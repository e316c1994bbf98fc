// build: native
/* Sets of nodes that too few edges of a fractional tour leave. Native only, one group. */

/* For each node the run of consecutive nodes from it on that the least value leaves.
 *
 * The nodes are numbered in the order of a tour. first, other, value: the edges of each node. size, least: the number
 * of nodes of the run, 2 to n / 2, and the value of the edges that leave it. */
KERNEL(run_cuts, int32 n, GLOBAL const int32 *first, GLOBAL const int32 *other, GLOBAL const float64 *value,
       GLOBAL int32 *size, GLOBAL float64 *least) {
    for (int32 i = 0; i < n; i++) {
        float64 cut = 0;
        size[i] = 0, least[i] = INFINITY;
        for (int32 k = 0; k < n / 2; k++) {
            int32 j = i + k < n ? i + k : i + k - n;
            for (int32 e = first[j]; e < first[j + 1]; e++) {
                int32 back = other[e] - i;
                if (back < 0) back += n;
                cut += back < k ? -value[e] : value[e];
            }
            if (k > 0 && cut < least[i]) least[i] = cut, size[i] = k + 1;
        }
    }
}

INLINE int32 root_of(GLOBAL int32 *parent, int32 v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Write the set that v stands for, unless there is no room. */
INLINE void write_set(int32 n, GLOBAL int32 *parent, int32 v, int32 room, GLOBAL int32 *sets, GLOBAL int32 *many) {
    if (*many >= room) return;
    GLOBAL int32 *set = sets + (int64)*many * n;
    for (int32 u = 0; u < n; u++) set[u] = root_of(parent, u) == v;
    ++*many;
}

/* Sets that less than `enough` leaves: the smallest such cut of all, if there is one, and others met on the way.
 *
 * Nodes are visited in the order of maximum adjacency (Nagamochi and Ibaraki 1992): each next one has the highest value
 * to those visited. That value is at most the smallest cut between the last two, so nodes are merged where it reaches
 * `enough`; and the last one is a smallest cut from the one before it (Stoer and Wagner 1997), so they are merged, too.
 * value: n by n, overwritten. ints, reals: workspaces of 3 n and n. */
KERNEL(small_cuts, int32 n, GLOBAL float64 *value, float64 enough, int32 room, GLOBAL int32 *ints, GLOBAL float64 *reals,
       GLOBAL int32 *sets, GLOBAL int32 *many) {
    GLOBAL int32 *parent = ints, *live = ints + n, *told = ints + 2 * n;
    GLOBAL float64 *key = reals;
    int32 left = n;
    many[0] = 0;
    for (int32 v = 0; v < n; v++) parent[v] = live[v] = v, told[v] = 0;
    while (left > 1) {
        for (int32 a = 0; a < left; a++) {
            int32 v = live[a];
            float64 degree = 0;
            for (int32 b = 0; b < left; b++) degree += b == a ? 0 : value[(int64)v * n + live[b]];
            if (degree < enough && !told[v]) write_set(n, parent, v, room, sets, many);
            told[v] = 1, key[v] = 0;
        }
        if (left == 2) break;
        int32 last = -1, before = -1;
        for (int32 visited = 0; visited < left; visited++) {
            int32 at = visited;
            for (int32 a = visited + 1; a < left; a++)
                if (key[live[a]] > key[live[at]]) at = a;
            int32 v = live[at];
            live[at] = live[visited], live[visited] = v;
            before = last, last = v;
            for (int32 a = visited + 1; a < left; a++) {
                int32 u = live[a];
                float64 step = value[(int64)v * n + u];
                key[u] += step;
                if (step > 0 && key[u] >= enough) parent[root_of(parent, u)] = root_of(parent, v);
            }
        }
        parent[root_of(parent, last)] = root_of(parent, before);
        for (int32 a = 0; a < left; a++) { /* add the rows of merged nodes, then their columns */
            int32 v = live[a], r = root_of(parent, v);
            if (r == v) continue;
            told[r] = 0;
            for (int32 b = 0; b < left; b++) value[(int64)r * n + live[b]] += value[(int64)v * n + live[b]];
        }
        for (int32 a = 0; a < left; a++) {
            int32 v = live[a], r = root_of(parent, v);
            if (r == v) continue;
            for (int32 b = 0; b < left; b++) value[(int64)live[b] * n + r] += value[(int64)live[b] * n + v];
        }
        int32 kept = 0;
        for (int32 a = 0; a < left; a++)
            if (parent[live[a]] == live[a]) live[kept++] = live[a];
        left = kept;
    }
}
