// build: native, branches
/* The fastest way between two places, as arcs of the network.
 *
 * Two upward searches meet at the vertex that the way climbs to. found[0] is the number of arcs, -1 if there is no way;
 * `cost` is its cost, found[1] and found[2] are the seeds where it begins and ends, found[3] the number of arcs where `room` is too little
 * for them, else 0.
 */
#include "roads/upward.h"

INLINE void search_upward(Queue *q, const Upward *along, const Upward *against, const Seeds *seeds, int32 count,
                          GLOBAL int32 *from, GLOBAL int32 *by) {
    start_search(q);
    for (int32 k = 0; k < count; k++)
        if (reach(q, seeds->vertex[k], seeds->length[k])) from[seeds->vertex[k]] = -1 - k;
    while (q->size > 0) {
        int32 v = settle(q);
        if (is_stalled(q, against, v)) continue;
        for (int64 k = along->first[v]; k < along->first[v + 1]; k++)
            if (reach(q, along->end[k], q->far[v] + along->length[k]))
                from[along->end[k]] = v, by[along->end[k]] = along->name[k];
    }
}

/* Append what an arc stands for; returns the new number of arcs, of which the first `room` are written. */
INLINE int64 unpack(int32 arc, GLOBAL const int32 *left, GLOBAL const int32 *right, GLOBAL int32 *stack,
                    GLOBAL int32 *arcs, int64 count, int64 room) {
    int32 depth = 0;
    stack[depth++] = arc;
    while (depth > 0) {
        arc = stack[--depth];
        while (left[arc] >= 0) stack[depth++] = right[arc], arc = left[arc];
        if (count < room) arcs[count] = arc;
        count++;
    }
    return count;
}

KERNEL(roads_path, int32 n, int64 room, HIERARCHY_PARAMETERS, GLOBAL const int32 *left, GLOBAL const int32 *right,
       int32 sources, GLOBAL const int32 *source_vertex, GLOBAL const uint64 *source_length, int32 targets,
       GLOBAL const int32 *target_vertex, GLOBAL const uint64 *target_length, GLOBAL int32 *found,
       GLOBAL uint64 *cost, GLOBAL int32 *arcs,
       GLOBAL int32 *from, GLOBAL int32 *by, GLOBAL int32 *back_from, GLOBAL int32 *back_by, GLOBAL uint64 *back_far,
       GLOBAL int32 *back_turn, GLOBAL int32 *stack, QUEUE_PARAMETERS) {
    QUEUE_STRUCT(q);
    HIERARCHY_STRUCTS(up, down);
    Queue back = {back_far, back_turn, spot, heap, 0, *clock};
    Seeds begins = {source_vertex, source_length, 0}, ends = {target_vertex, target_length, 0};
    search_upward(&q, &up, &down, &begins, sources, from, by);
    search_upward(&back, &down, &up, &ends, targets, back_from, back_by);
    *clock = q.now;
    uint64 best = UNREACHED;
    int32 top = -1;
    for (int32 v = 0; v < n; v++) {
        uint64 there = distance_to(&q, v), on = distance_to(&back, v);
        if (there != UNREACHED && on != UNREACHED && there + on < best) best = there + on, top = v;
    }
    found[0] = -1, found[3] = 0;
    if (top < 0) return;
    *cost = best;
    int32 v = top, climbed = 0;
    for (; from[v] >= 0; v = from[v]) heap[climbed++] = by[v];
    found[1] = -1 - from[v];
    int64 count = 0;
    while (climbed > 0) count = unpack(heap[--climbed], left, right, stack, arcs, count, room);
    for (v = top; back_from[v] >= 0; v = back_from[v])
        count = unpack(back_by[v], left, right, stack, arcs, count, room);
    found[2] = -1 - back_from[v];
    found[0] = (int32)count, found[3] = count > room ? (int32)count : 0;
}
