/* The best of the moves that groups have found. */
#include "papers/schulz/giant_tour.h"

/* Write the move with the largest gain of `count` groups, the first of ties. Without any, the part has no improving
 * move, and after the last part the tour is locally optimal. One group. */
KERNEL(giant_pick, int32 edges, int32 count, int32 last, GLOBAL const float64 *RESTRICT gains,
       GLOBAL const int64 *RESTRICT ranks, GLOBAL int32 *RESTRICT state, GLOBAL int32 *RESTRICT move,
       GLOBAL float64 *RESTRICT best) {
    if (GROUP > 0 || state[FOUND]) return;
    float64 gain = 0;
    int64 rank = 0x7fffffffffffffff;
    for (int32 w = LANE; w < count; w += LANES)
        if (gains[w] > gain || (gains[w] == gain && ranks[w] < rank)) gain = gains[w], rank = ranks[w];
    BEST_OF_LANES(gain, rank);
    if (LANE > 0) return;
    best[0] = gain;
    move[3] = NO_MOVE;
    if (gain > 0) {
        int64 n = edges, pair = rank < n * n ? rank : (rank - n * n) / 4 / n;
        move[0] = (int32)(pair / n), move[1] = (int32)(pair % n);
        move[2] = rank < n * n ? 0 : (int32)((rank - n * n) / 4 % n);
        move[3] = rank < n * n ? TWO_OPT : (int32)((rank - n * n) % 4);
        state[FOUND] = 1, state[MOVES_MADE]++;
    } else if (last) {
        state[OPTIMAL] = 1;
    }
}
