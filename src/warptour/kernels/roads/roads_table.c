// build: native, branches
/* Distances from many places to many others, by buckets (Knopp et al., 2007).
 *
 * roads_buckets searches upward from targets against the direction of the streets and lists each vertex settled with
 * its distance. roads_rows searches upward from sources and joins what it settles with the lists of all targets, which
 * are then sorted by vertex. `clock` counts the searches of one thread's queue.
 */
#include "roads/upward.h"

/* Search upward from the seeds; returns how many vertices were listed. */
INLINE int64 list_upward(Queue *q, const Upward *along, const Upward *against, const Seeds *seeds, int64 begin,
                         int64 end, int32 kinds, GLOBAL const uint32 *arc_times, GLOBAL uint32 *times,
                         GLOBAL int32 *vertices) {
    int64 count = 0;
    start_search(q);
    for (int64 k = begin; k < end; k++) {
        int32 v = seeds->vertex[k];
        if (!reach(q, v, seeds->length[k])) continue;
        for (int32 c = 0; c < kinds; c++) times[(int64)v * kinds + c] = seeds->times[k * kinds + c];
    }
    while (q->size > 0) {
        int32 v = settle(q);
        if (is_stalled(q, against, v)) continue;
        vertices[count++] = v;
        for (int64 k = along->first[v]; k < along->first[v + 1]; k++) {
            int32 w = along->end[k];
            if (!reach(q, w, q->far[v] + along->length[k])) continue;
            for (int32 c = 0; c < kinds; c++)
                times[(int64)w * kinds + c] =
                    times[(int64)v * kinds + c] + arc_times[(int64)along->name[k] * kinds + c];
        }
    }
    return count;
}

/* Targets from done[0] on, as long as `room` entries hold another of n at most; done[1] counts the entries. */
KERNEL(roads_buckets, int32 n, int32 targets, int64 room, int32 batch, int32 kinds, HIERARCHY_PARAMETERS,
       GLOBAL const int64 *first_seed, GLOBAL const int32 *seed_vertex, GLOBAL const uint64 *seed_length,
       GLOBAL const uint32 *seed_times, GLOBAL const uint32 *arc_times, GLOBAL int64 *done, GLOBAL int32 *entry_vertex,
       GLOBAL int32 *entry_target, GLOBAL uint64 *entry_length, GLOBAL uint32 *entry_times, GLOBAL uint32 *times,
       QUEUE_PARAMETERS) {
    QUEUE_STRUCT(q);
    HIERARCHY_STRUCTS(up, down);
    Seeds seeds = {seed_vertex, seed_length, seed_times};
    int64 until = done[0] + batch < targets ? done[0] + batch : targets;
    done[1] = 0;
    for (; done[0] < until && done[1] + n <= room; done[0]++) {
        int64 t = done[0], begin = done[1];
        done[1] += list_upward(&q, &down, &up, &seeds, first_seed[t], first_seed[t + 1], kinds, arc_times, times,
                               entry_vertex + begin);
        for (int64 e = begin; e < done[1]; e++) {
            int64 v = entry_vertex[e];
            entry_target[e] = (int32)t, entry_length[e] = far[v];
            for (int32 c = 0; c < kinds; c++) entry_times[e * kinds + c] = times[v * kinds + c];
        }
    }
    *clock = q.now;
}

/* Rows `begin` to `end` of the table; entries are sorted by vertex, those of v begin at first_entry[v]. */
KERNEL(roads_rows, int32 begin, int32 end, int32 targets, int32 kinds, HIERARCHY_PARAMETERS,
       GLOBAL const int64 *first_seed, GLOBAL const int32 *seed_vertex, GLOBAL const uint64 *seed_length,
       GLOBAL const uint32 *seed_times, GLOBAL const uint32 *arc_times, GLOBAL const int64 *first_entry,
       GLOBAL const int32 *entry_target, GLOBAL const uint64 *entry_length, GLOBAL const uint32 *entry_times,
       GLOBAL uint64 *table, GLOBAL uint32 *table_times, GLOBAL uint32 *times, GLOBAL int32 *listed,
       QUEUE_PARAMETERS) {
    QUEUE_STRUCT(q);
    HIERARCHY_STRUCTS(up, down);
    Seeds seeds = {seed_vertex, seed_length, seed_times};
    for (int32 s = begin; s < end; s++) {
        GLOBAL uint64 *row = table + (int64)s * targets;
        GLOBAL uint32 *row_times = table_times + (int64)s * targets * kinds;
        int64 count = list_upward(&q, &up, &down, &seeds, first_seed[s], first_seed[s + 1], kinds, arc_times, times,
                                  listed);
        for (int64 k = 0; k < count; k++) {
            int64 v = listed[k];
            for (int64 e = first_entry[v]; e < first_entry[v + 1]; e++) {
                uint64 length = far[v] + entry_length[e];
                int64 t = entry_target[e];
                if (length >= row[t]) continue;
                row[t] = length;
                for (int32 c = 0; c < kinds; c++)
                    row_times[t * kinds + c] = times[v * kinds + c] + entry_times[e * kinds + c];
            }
        }
    }
    *clock = q.now;
}
