/* What all kernels of climbers share: counters and first tours. */
#ifndef WARPTOUR_CLIMBER
#define WARPTOUR_CLIMBER

#include "common/random.h"

#define BEGUN 0           /* whether the climber has a tour to continue from */
#define LOCALLY_OPTIMAL 1 /* whether it is at a local optimum with no kicks left */
#define SCANS 2           /* complete scans */
#define KICKS 3           /* 0 for climbers that end at their first local optimum */
#define DRAWS 4           /* random numbers drawn */
#define COUNTERS 5

/* Uniformly random tour (Fisher-Yates shuffle) in city[0], city[apart], city[2 * apart] ..., run by one lane. All
 * climbers of a number start from the same tour. Returns the draws made. */
INLINE int32 random_tour(GLOBAL int32 *city, int32 apart, int32 n, uint64 key) {
    uint64 draws = 0;
    UNROLL(1)
    for (int32 k = 0; k < n; k++) city[k * apart] = k;
    UNROLL(1)
    for (int32 k = n - 1; k > 0; k--) {
        int32 other = (int32)random_below(key, &draws, (uint32)k + 1), moved = city[k * apart];
        city[k * apart] = city[other * apart], city[other * apart] = moved;
    }
    return (int32)draws;
}

#endif
