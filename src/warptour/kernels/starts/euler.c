// build: branches
/* Euler circuits of connected multigraphs with even degrees (Hierholzer), and their shortcuts. Native only. */
#include "common/metric.h"

#define LEFT_OUT (-1)

/* Walk every edge once, from node 0. The edges at node i are those at start[i]..start[i + 1): `to` holds their other
 * ends, `edge` their numbers. cursor: start[] on entry; waiting: workspace for edges + 1 nodes; circuit: as many. */
KERNEL(euler_walk, GLOBAL const int32 *start, GLOBAL const int32 *to, GLOBAL const int32 *edge, int32 edges,
       GLOBAL int32 *cursor, GLOBAL int32 *used, GLOBAL int32 *waiting, GLOBAL int32 *circuit) {
    int32 many = 1, at = edges;
    waiting[0] = 0;
    while (many) {
        int32 node = waiting[many - 1];
        while (cursor[node] < start[node + 1] && used[edge[cursor[node]]]) cursor[node]++;
        if (cursor[node] == start[node + 1]) {
            circuit[at--] = node, many--;
        } else {
            int32 k = cursor[node]++;
            used[edge[k]] = 1, waiting[many++] = to[k];
        }
    }
}

/* What leaving out visit v of a circuit saves; next and before link the visits that are left. */
INLINE float64 saved(const Points *p, GLOBAL const int32 *circuit, GLOBAL const int32 *next, GLOBAL const int32 *before,
                     int32 v) {
    int32 a = circuit[before[v]], c = circuit[v], b = circuit[next[v]];
    return (a == c ? 0 : between(p, a, c)) + (c == b ? 0 : between(p, c, b)) - (a == b ? 0 : between(p, a, b));
}

INLINE void sift_visit(GLOBAL int32 *heap, int32 size, GLOBAL const float64 *key, int32 at) {
    int32 v = heap[at];
    for (;;) {
        int32 child = 2 * at + 1;
        if (child >= size) break;
        if (child + 1 < size && key[heap[child + 1]] > key[heap[child]]) child++;
        if (key[heap[child]] <= key[v]) break;
        heap[at] = heap[child], at = child;
    }
    heap[at] = v;
}

/* Leave out visits until each city has one, the largest saving first. visits: of each city in the circuit; heap: the
 * `size` visits of cities with several. A key is computed when its visit comes to the top, and then if it has changed.
 * `tour`: the cities that are left, `count` of them. */
KERNEL(euler_shorten, POINTS_PARAMETERS, GLOBAL const int32 *circuit, int32 many, GLOBAL int32 *visits, GLOBAL int32 *next,
       GLOBAL int32 *before, GLOBAL int32 *heap, int32 size, GLOBAL float64 *key, GLOBAL int32 *tour, int32 count) {
    POINTS_STRUCT(p);
    for (int32 v = 0; v < many; v++) next[v] = v + 1 < many ? v + 1 : 0, before[v] = v > 0 ? v - 1 : many - 1;
    for (int32 k = 0; k < size; k++) key[heap[k]] = saved(&p, circuit, next, before, heap[k]);
    for (int32 at = size / 2 - 1; at >= 0; at--) sift_visit(heap, size, key, at);
    while (size) {
        int32 v = heap[0];
        float64 now = saved(&p, circuit, next, before, v);
        if (visits[circuit[v]] > 1 && now < key[v]) {
            key[v] = now;
        } else {
            if (visits[circuit[v]] > 1) {
                visits[circuit[v]]--;
                next[before[v]] = next[v], before[next[v]] = before[v], next[v] = LEFT_OUT;
            }
            heap[0] = heap[--size];
        }
        if (size) sift_visit(heap, size, key, 0);
    }
    int32 v = 0;
    while (next[v] == LEFT_OUT) v++;
    for (int32 k = 0; k < count; k++, v = next[v]) tour[k] = circuit[v];
}
