// build: relaxed-float
/* The pairs of many ids (triangle.h), for tests. */
#include "papers/scans/triangle.h"

KERNEL(triangle_pairs, int32 count, GLOBAL const int64 *RESTRICT ids, GLOBAL int32 *RESTRICT first,
       GLOBAL int32 *RESTRICT second) {
    for (int32 k = GROUP * LANES + LANE; k < count; k += GROUPS * LANES) {
        int32 i, j;
        triangle_pair(ids[k], &i, &j);
        first[k] = i, second[k] = j;
    }
}
