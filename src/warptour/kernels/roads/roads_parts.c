// build: native, branches
/* Strongly connected parts of a road network: from each vertex of one all others of it can be reached, and back.
 *
 * Tarjan's algorithm without recursion. Arcs of v are first[v] .. first[v + 1] - 1 and lead to `head`. `seen` is 0 at
 * first; part[v] becomes the number of the part of v.
 */

KERNEL(roads_parts, int32 n, GLOBAL const int64 *first, GLOBAL const int32 *head, GLOBAL int32 *seen,
       GLOBAL int32 *low, GLOBAL int64 *next, GLOBAL int32 *path, GLOBAL int32 *open, GLOBAL int32 *part) {
    int32 steps = 0, parts = 0, opened = 0;
    for (int32 root = 0; root < n; root++) {
        if (seen[root]) continue;
        int32 depth = 0;
        path[0] = root;
        seen[root] = low[root] = ++steps, next[root] = first[root], open[opened++] = root, part[root] = -1;
        while (depth >= 0) {
            int32 v = path[depth];
            if (next[v] < first[v + 1]) {
                int32 w = head[next[v]++];
                if (!seen[w]) {
                    seen[w] = low[w] = ++steps, next[w] = first[w], open[opened++] = w, part[w] = -1;
                    path[++depth] = w;
                } else if (part[w] < 0 && seen[w] < low[v]) low[v] = seen[w];
                continue;
            }
            if (low[v] == seen[v]) {
                int32 w;
                do w = open[--opened], part[w] = parts;
                while (w != v);
                parts++;
            }
            if (--depth >= 0 && low[v] < low[path[depth]]) low[path[depth]] = low[v];
        }
    }
}
