/* Giant tours of the DCVRP, and the resources of their segments (papers/schulz/engine).
 *
 * Nodes 1 to `customers` are customers, all others copies of the depot, which is place 0 of the problem. A resource has a
 * value T at each node; along the edge (i, j) it becomes max(a_j, T + t_ij), and must not exceed b_j. Over a segment that
 * is an Extension (common/segments.h), and in reverse another.
 */
#ifndef WARPTOUR_GIANT
#define WARPTOUR_GIANT

#include "common/metric.h"
#include "common/segments.h"

/* A resource at a place: consumption when it is entered and when it is left, and the interval [a, b]. */
typedef struct {
    float64 enter, leave, low, high;
} Visit;

typedef struct {
    Points points;
    int32 customers;
    int32 resources;
    GLOBAL const float64 *travel; /* of each resource: consumption per unit of distance */
    GLOBAL const Visit *visits;   /* of each resource, one per place */
} Giant;

#define GIANT_PARAMETERS                                                                                       \
    POINTS_PARAMETERS, int32 customers, int32 resources, GLOBAL const float64 *RESTRICT travel,                \
        GLOBAL const Visit *RESTRICT visits
#define GIANT_STRUCT(g)       \
    POINTS_STRUCT(wt_points); \
    Giant g = {wt_points, customers, resources, travel, visits}

/* Place of a node: 0 for copies of the depot. */
INLINE int32 place_of(const Giant *g, int32 node) { return node > g->customers ? 0 : node; }

/* Distance between two places. Copies of the depot have none between them. */
INLINE float64 giant_distance(const Giant *g, int32 from, int32 to) {
    return from == to ? 0 : between(&g->points, from, to);
}

/* Consumption of resource r along the edge between two places at distance `apart`. */
INLINE float64 consumed(const Giant *g, int32 r, int32 from, int32 to, float64 apart) {
    int64 row = (int64)r * (g->customers + 1);
    return g->travel[r] * apart + g->visits[row + from].leave + g->visits[row + to].enter;
}

/* The segment of a single place: from the depot a vehicle starts anew. */
INLINE Extension extension_at(const Giant *g, int32 r, int32 place) {
    Visit at = g->visits[(int64)r * (g->customers + 1) + place];
    Extension one = {place ? 0 : at.low - at.high, at.low, at.high};
    return one;
}

#endif
