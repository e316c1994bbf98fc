// build: metrics
/* Exact scan of all 2-opt moves of a tour in the problem's own metric: the minimum delta of each row.
 *
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 *
 * edge: distance from each position of the tour to the next. Builds for one metric take the points in tour order, n + 1
 * of them, the first repeated at the end; the `any` build takes node numbers from `tour`. A delta is
 * (d(i, j) + d(i+1, j+1) - edge[j]) - edge[i], summed in this order, as in the reference implementation.
 */
#include "papers/scans/laid_tour.h"

#define TOGETHER 8 /* independent minima, so that consecutive columns do not wait for each other */

/* Write the minimum delta of each row from `first` to `last` - 1; FAR if a row has no move. */
KERNEL(two_opt_exact, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       int32 first, int32 last, GLOBAL float64 *RESTRICT least) {
    POINTS_STRUCT(p);
    (void)tour;
    for (int32 i = first + GROUP; i < last; i += GROUPS) {
        float64 best[TOGETHER];
        int32 end = i == 0 ? n - 1 : n, j = i + 2 + LANE; /* the first and the last edge are adjacent */
        for (int32 k = 0; k < TOGETHER; k++) best[k] = FAR;
        for (; j + (TOGETHER - 1) * LANES < end; j += TOGETHER * LANES)
            for (int32 k = 0; k < TOGETHER; k++) {
                int32 at = j + k * LANES;
                float64 added = APART(i, at) + APART(i + 1, at + 1);
                float64 delta = added - edge[at];
                best[k] = delta < best[k] ? delta : best[k];
            }
        for (; j < end; j += LANES) {
            float64 delta = APART(i, j) + APART(i + 1, j + 1) - edge[j];
            best[0] = delta < best[0] ? delta : best[0];
        }
        for (int32 k = 1; k < TOGETHER; k++) best[0] = best[k] < best[0] ? best[k] : best[0];
        float64 gain = -best[0];
        int32 rank = 0;
        BEST_OF_LANES(gain, rank);
        (void)rank;
        if (LANE == 0) least[i] = -gain < FAR ? -gain - edge[i] : FAR;
    }
}
