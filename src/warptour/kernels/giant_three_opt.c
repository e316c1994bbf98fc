// build: metrics
/* The best feasible pure 3-opt move of a giant tour.
 *
 * A move gains (r_x - f_xy) + (r_y - f_yz) + (r_z - f_xz): each removed edge is paid by the new edge to the next. If it
 * gains g in all, one of the three gains at least g / 3, so only pairs of cuts with such a gain are continued: pairs
 * (i, j), i < j, where the edge of i is paid by the new one have their third cut before i or beyond j, pairs where that
 * of j is paid have it inside.
 *
 *     new edge  third cut k joins
 *     u_i v_j   v_i - u_k, u_j - v_k  (p = 0)   u_j - u_k, v_i - v_k  (beyond p = 1, before p = 2)
 *     v_i v_j   u_i - u_k, u_j - v_k  (beyond p = 2, before p = 3)
 *     u_i u_j   v_i - u_k, v_j - v_k  (beyond p = 3, before p = 1)
 *     v_i u_j   v_j - u_k, u_i - v_k  (p = 0)   u_i - u_k, v_j - v_k  (p = 3), inside
 *     v_i v_j   u_j - u_k, u_i - v_k  (p = 1), inside
 *     u_i u_j   v_j - u_k, v_i - v_k  (p = 2), inside
 */
#include "giant_cuts.h"

#define TILE 32
#define PER_LANE (TILE / LANES)
#define KINDS 6

/* Gain of the first pair of each kind: pairs outside, then inside. */
INLINE float32 first_gain(const Cuts *c, int32 i, int32 j, int32 kind) {
    int32 outside = kind < 3, which = kind % 3;
    End a = which == 1 || (which == 0 && !outside) ? v_of(c, i) : u_of(c, i);
    End b = which == 2 || (which == 0 && !outside) ? u_of(c, j) : v_of(c, j);
    return c->length[outside ? i : j] - bound(c, a, b);
}

/* Consider all third cuts of a pair: each turn one range of cuts and one way to join them. */
INLINE void third_cuts(ROOM_PARAMETER const Tour *t, const Cuts *c, int32 i, int32 j, int32 kind, float32 first,
                       GLOBAL int32 *state, Queue *queue, Best *best) {
    int32 outside = kind < 3, which = kind % 3, ways = which == 0 ? 2 : 1;
    End a = which == 1 || (which == 0 && !outside) ? u_of(c, i) : v_of(c, i); /* the free ends of i and j */
    End b = which == 2 || (which == 0 && !outside) ? v_of(c, j) : u_of(c, j);
    float32 before = first + c->length[outside ? j : i];
    for (int32 turn = 0; turn < (outside ? 2 * ways : ways); turn++) {
        int32 way = turn % ways, side = outside ? turn / ways : INSIDE;
        int32 swapped = outside ? way : which == 0 ? 1 - way : 1;
        int32 p = which == 0 ? way * (1 + side) : 1 + (side + which) % 3;
        int32 begin = side == BEYOND ? j + 1 : side == BEFORE ? 0 : i + 1;
        int32 end = side == BEYOND ? c->count : side == BEFORE ? i : j;
        scan_cuts(t, c, swapped ? b : a, swapped ? a : b, before, begin, end, i, j, side, p, state, queue, best);
    }
}

/* Scan tiles of TILE pairs (i, j) of one kind, those of part `part` of `parts`. */
KERNEL(giant_three_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, int32 part, int32 parts, int32 slot,
       GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    Best best = FIRST_BEST(state);
    NEW_QUEUE(queue);
    int32 wide = (c.count + TILE - 1) / TILE, from = (int32)((int64)c.count * part / parts) * wide;
    int32 to = state[OPTIMAL] || state[FOUND] ? 0 : (int32)((int64)c.count * (part + 1) / parts) * wide;
    for (int32 tile = KINDS * from + GROUP; tile < KINDS * to; tile += GROUPS) {
        int32 kind = tile % KINDS, i = tile / KINDS / wide, j0 = tile / KINDS % wide * TILE;
        if (j0 + TILE <= i + 1) continue;
        float32 known = FLOAT_OF_BITS(LATEST(state + KNOWN));
        if (known > best.known) best.known = known;
        uint32 pairs = 0;
        for (int32 m = 0; m < PER_LANE; m++) {
            int32 j = j0 + m * LANES + LANE;
            int32 gains_enough = i < j && j < c.count && first_gain(&c, i, j, kind) >= 0.3333f * best.known;
            pairs |= (uint32)gains_enough << (m * LANES + LANE);
        }
        pairs = (uint32)SUM_OF_LANES((int32)pairs);
        while (pairs) {
            int32 j = j0 + LOWEST_BIT(pairs);
            pairs &= pairs - 1;
            third_cuts(ROOM &t, &c, i, j, kind, first_gain(&c, i, j, kind), state, &queue, &best);
        }
    }
    EMPTY_QUEUE(&t, state, &queue, &best);
    STORE_BEST(best);
}
