/* Searches in a contraction hierarchy: along arcs to more important vertices alone. Native only.
 *
 * Vertices are numbered by importance, the most important is 0. The arcs of vertex v are first[v] .. first[v + 1] - 1,
 * and lead to `end`; of a backward search they are driven from `end` to v. `kinds` counts the classes of street whose
 * times are summed up beside the distance, for traffic; usually none.
 */
#ifndef ROADS_UPWARD
#define ROADS_UPWARD

#include "roads/queue.h"

typedef struct {
    GLOBAL const int64 *first;
    GLOBAL const int32 *end;
    GLOBAL const uint64 *length;
    GLOBAL const int32 *name; /* number of the arc in the hierarchy */
} Upward;

/* Where searches begin: vertices with what it takes to or from the place itself. */
typedef struct {
    GLOBAL const int32 *vertex;
    GLOBAL const uint64 *length;
    GLOBAL const uint32 *times;
} Seeds;

#define HIERARCHY_PARAMETERS GLOBAL const int64 *first_up, GLOBAL const int32 *end_up, \
    GLOBAL const uint64 *length_up, GLOBAL const int32 *name_up, GLOBAL const int64 *first_down, \
    GLOBAL const int32 *end_down, GLOBAL const uint64 *length_down, GLOBAL const int32 *name_down
#define HIERARCHY_STRUCTS(up, down) Upward up = {first_up, end_up, length_up, name_up}, \
    down = {first_down, end_down, length_down, name_down}

/* Return whether a shorter way to v comes down from above: then no shortest way goes up through v. */
INLINE int32 is_stalled(const Queue *q, const Upward *against, int32 v) {
    for (int64 k = against->first[v]; k < against->first[v + 1]; k++) {
        uint64 far = distance_to(q, against->end[k]);
        if (far != UNREACHED && far + against->length[k] < q->far[v]) return 1;
    }
    return 0;
}

#endif
