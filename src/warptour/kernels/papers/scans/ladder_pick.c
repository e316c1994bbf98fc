// build: metrics
/* The best of the moves that the groups of a scan found in float32, confirmed in the problem's own metric. */
#include "common/metric.h"

/* Write the move with the largest gain, among ties the smallest rank i * n + j; (0, 0) if it gains at most `threshold`
 * plus its error. move[2] counts the moves picked. One group. */
KERNEL(ladder_pick, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 count,
       GLOBAL const float32 *RESTRICT gains, GLOBAL const int64 *RESTRICT ranks, float64 threshold,
       GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta) {
    POINTS_STRUCT(p);
    if (GROUP > 0) return;
    float32 gain = 0;
    int64 rank = 0;
    for (int32 k = LANE; k < count; k += LANES)
        if (gains[k] > gain || (gains[k] == gain && ranks[k] < rank)) gain = gains[k], rank = ranks[k];
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) {
        int32 i = (int32)(rank / n), j = (int32)(rank % n);
        int32 a = tour[i], b = tour[i + 1], c = tour[j], d = tour[j + 1 < n ? j + 1 : 0];
        float64 removed = between(&p, a, b) + between(&p, c, d);
        float64 change = between(&p, a, c) + between(&p, b, d) - between(&p, c, d) - between(&p, a, b);
        int32 improves = gain > 0 && change < -threshold - error_share(&p) * removed;
        move[0] = improves ? i : 0, move[1] = improves ? j : 0, move[2] += improves;
        delta[0] = change;
    }
}
