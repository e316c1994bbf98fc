// build: metrics
/* The best feasible pure 3-opt move of a giant tour.
 *
 * A move gains (r_x - f_xy) + (r_y - f_yz) + (r_z - f_xz): each removed edge pays for the new edge to the next. If it
 * gains g in all, one of the three gains at least g / 3, so only pairs of cuts with such a gain are continued: pairs
 * i < j where the edge of i pays have their third cut before i or beyond j, pairs where that of j pays have it inside.
 * With u and v for the ends of a cut:
 *
 *     new edge  third cut k joins
 *     u_i v_j   v_i - u_k, u_j - v_k  (p = 0)   u_j - u_k, v_i - v_k  (beyond p = 1, before p = 2)
 *     v_i v_j   u_i - u_k, u_j - v_k  (beyond p = 2, before p = 3)
 *     u_i u_j   v_i - u_k, v_j - v_k  (beyond p = 3, before p = 1)
 *     v_i u_j   v_j - u_k, u_i - v_k  (p = 0)   u_i - u_k, v_j - v_k  (p = 3), inside
 *     v_i v_j   u_j - u_k, u_i - v_k  (p = 1), inside
 *     u_i u_j   v_j - u_k, v_i - v_k  (p = 2), inside
 *
 * The new edge joins the rests of two routes. Unless a cut lies in one of them, they become a route; if that is
 * infeasible, only third cuts in these rests are scanned.
 */
#include "giant_cuts.h"

#define TILE 32
#define PER_LANE (TILE / LANES)
#define KINDS 6

/* A pair of cuts and its new edge: kinds 0 to 2 have their third cut outside, 3 to 5 inside. */
typedef struct {
    int32 i, j, outside, which;
    int32 a, a_first, b, b_first; /* nodes of the new edge, and whether they begin the rest of their route */
    float32 gain;                 /* with the new edge, and with the cut that pays for it */
} Pair;

INLINE Pair pair_of(const Cuts *c, int32 i, int32 j, int32 kind) {
    Pair pair = {i, j, kind < 3, kind % 3, i, 0, j, 0, 0};
    pair.a_first = pair.which == 1 || (pair.which == 0 && !pair.outside);
    pair.b_first = pair.which == 1 || (pair.which == 0 && pair.outside);
    pair.a += pair.a_first, pair.b += pair.b_first;
    pair.gain = c->length[pair.outside ? i : j] - bound(c, end_at(c, pair.a), pair.b);
    return pair;
}

/* Consider all third cuts of a pair: each turn one range of them and one way to join them. */
INLINE void third_cuts(ROOM_PARAMETER const Tour *t, const Cuts *c, Pair pair, GLOBAL int32 *state, Queue *queue,
                       Best *best) {
    int32 i = pair.i, j = pair.j, ways = pair.which == 0 ? 2 : 1;
    End a = end_at(c, pair.a_first ? i : i + 1), b = end_at(c, pair.b_first ? j : j + 1); /* the free ends */
    float32 before = pair.gain + c->length[pair.outside ? j : i];
    int32 crossed = (pair.a_first && j < t->end[pair.a]) || (!pair.b_first && i >= t->start[pair.b]);
    int32 whole = crossed || may_join(t, pair.a, pair.a_first, pair.b, pair.b_first);
    for (int32 turn = 0; turn < (whole ? 1 : 2) * (pair.outside ? 2 * ways : ways); turn++) {
        int32 way = turn % ways, side = pair.outside ? turn / ways % 2 : INSIDE;
        int32 rest = turn >= (pair.outside ? 2 * ways : ways);
        int32 swapped = pair.outside ? way : pair.which == 0 ? 1 - way : 1;
        int32 p = pair.which == 0 ? way * (1 + side) : 1 + (side + pair.which) % 3;
        int32 begin = side == BEYOND ? j + 1 : side == BEFORE ? 0 : i + 1;
        int32 end = side == BEYOND ? c->count : side == BEFORE ? i : j;
        if (!whole) { /* only the cuts of one rest */
            int32 node = rest ? pair.b : pair.a, first = rest ? pair.b_first : pair.a_first;
            int32 from = first ? node : t->start[node], to = first ? t->end[node] : node;
            begin = begin > from ? begin : from, end = end < to ? end : to;
        }
        scan_cuts(t, c, swapped ? b : a, swapped ? a : b, before, begin, end, i, j, side, p, state, queue, best);
    }
}

/* Scan tiles of TILE pairs of one kind, whose first cut is in the part. */
KERNEL(giant_three_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, SCAN_RESULT) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    FIRST_BEST(best);
    NEW_QUEUE(queue);
    int32 wide = (c.count + TILE - 1) / TILE, from = (int32)((int64)c.count * part / parts);
    int32 rows = state[OPTIMAL] || state[FOUND] ? 0 : (int32)((int64)c.count * (part + 1) / parts) - from;
    for (int32 tile = GROUP; tile < KINDS * rows * wide; tile += GROUPS) {
        int32 kind = tile / (rows * wide), i = from + tile / wide % rows, j0 = tile % wide * TILE;
        if (j0 + TILE <= i + 1) continue;
        refresh(state, &best);
        uint32 pairs = 0;
        for (int32 m = 0; m < PER_LANE; m++) {
            int32 j = j0 + m * LANES + LANE;
            int32 gains_enough = i < j && j < c.count && pair_of(&c, i, j, kind).gain >= 0.3333f * best.known;
            pairs |= (uint32)gains_enough << (m * LANES + LANE);
        }
        pairs = (uint32)SUM_OF_LANES((int32)pairs);
        while (pairs) {
            int32 j = j0 + LOWEST_BIT(pairs);
            pairs &= pairs - 1;
            third_cuts(ROOM &t, &c, pair_of(&c, i, j, kind), state, &queue, &best);
        }
    }
    EMPTY_QUEUE(&t, state, &queue, &best);
    STORE_BEST(best);
}
