/* What the kernels of giant_fitness_*.c make of a neighbour's giant tour `all` and the present one, `before`, in slot k
 * of the fitness structure. */
#ifndef WARPTOUR_GIANT_VERDICT
#define WARPTOUR_GIANT_VERDICT

#include "papers/schulz/giant_neighbours.h"
#include "papers/schulz/giant_segments.h"

INLINE float64 penalty(int32 routes, float64 fixed, float64 weight, int32 vehicles) {
    return fixed * routes + weight * (routes > vehicles ? routes - vehicles : 0);
}

#define PENALTY(routes) penalty(routes, fixed, weight, vehicles)
#define JUDGE_COST(all, before) deltas[k] += (all) - (before);
#define JUDGE_RESOURCE(all) \
    if (!holds(&h, all)) feasible[k] = 0;
#define JUDGE_COUNT(all, before) \
    if ((all).routes != (before).routes) deltas[k] += PENALTY((all).routes) - PENALTY((before).routes);

#endif
