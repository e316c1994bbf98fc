// build: metrics
/* Lengths of successive edges of a tour, in the problem's metric, from coordinates as the problem holds them: a row of
 * two or three per city. Cities are gathered in blocks, so that each costs one access to memory out of order. */
#define POINTS_SPACE /* private: the points of a block */
#include "common/metric.h"

#define BLOCK 512

/* lengths[k] is the length of the edge from tour[k] to tour[k + 1], for k from 0 to count - 1. */
KERNEL(tour_edges, GLOBAL const float64 *rows, int32 dimensions, int32 norm, int32 rounding, float64 divisor,
       int64 count, GLOBAL const int32 *tour, GLOBAL float64 *lengths) {
    real x[BLOCK + 1], y[BLOCK + 1], z[BLOCK + 1];
    Points p = {x, y, z, 0, BLOCK + 1, norm, rounding, divisor, 1};
    for (int64 from = (int64)GROUP * BLOCK; from < count; from += (int64)GROUPS * BLOCK) {
        int32 many = count - from < BLOCK ? (int32)(count - from) : BLOCK;
        for (int32 k = 0; k <= many; k++) {
            GLOBAL const float64 *row = rows + (int64)tour[from + k] * dimensions;
            x[k] = row[0], y[k] = row[1], z[k] = dimensions > 2 ? row[2] : 0;
        }
        for (int32 k = 0; k < many; k++) lengths[from + k] = between(&p, k, k + 1);
    }
}
