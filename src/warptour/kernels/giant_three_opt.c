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

/* Consider all third cuts of a pair. */
INLINE void third_cuts(const Tour *t, const Cuts *c, int32 i, int32 j, int32 kind, float32 first, GLOBAL int32 *state,
                       Best *best) {
    End ui = u_of(c, i), vi = v_of(c, i), uj = u_of(c, j), vj = v_of(c, j);
    float32 before = first + c->length[kind < 3 ? j : i];
#define OUTSIDE(a, b, beyond, ahead)                                                                   \
    scan_cuts(t, c, a, b, before, j + 1, c->count, i, j, BEYOND, beyond, state, best);                 \
    scan_cuts(t, c, a, b, before, 0, i, i, j, BEFORE, ahead, state, best)
#define BETWEEN(a, b, p) scan_cuts(t, c, a, b, before, i + 1, j, i, j, INSIDE, p, state, best)
    if (kind == 0) {
        OUTSIDE(vi, uj, 0, 0);
        OUTSIDE(uj, vi, 1, 2);
    } else if (kind == 1) {
        OUTSIDE(ui, uj, 2, 3);
    } else if (kind == 2) {
        OUTSIDE(vi, vj, 3, 1);
    } else if (kind == 3) {
        BETWEEN(vj, ui, 0);
        BETWEEN(ui, vj, 3);
    } else if (kind == 4) {
        BETWEEN(uj, ui, 1);
    } else {
        BETWEEN(vj, vi, 2);
    }
}

/* Scan tiles of TILE pairs (i, j), claimed one by one, of part `part` of `parts`. */
KERNEL(giant_three_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, int32 part, int32 parts, int32 slot,
       GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    Best best = FIRST_BEST(state);
    int32 wide = (c.count + TILE - 1) / TILE, from = (int32)((int64)c.count * wide * part / parts);
    int32 until = state[OPTIMAL] || state[FOUND] ? 0 : (int32)((int64)c.count * wide * (part + 1) / parts);
    for (;;) {
        int32 tile = LANE == 0 ? from + CLAIM(state + NEXT_TILE) : 0;
        tile = FROM_LANE(tile, 0);
        if (tile >= until) break;
        int32 i = tile / wide, j0 = tile % wide * TILE;
        if (j0 + TILE <= i + 1) continue;
        float32 firsts[PER_LANE];
        for (int32 kind = 0; kind < KINDS; kind++) {
            float32 known = FLOAT_OF_BITS(LATEST(state + KNOWN));
            if (known > best.known) best.known = known;
            uint32 pairs = 0;
            for (int32 m = 0; m < PER_LANE; m++) {
                int32 j = j0 + m * LANES + LANE;
                firsts[m] = i < j && j < c.count ? first_gain(&c, i, j, kind) : -1e30f;
                pairs |= (uint32)(firsts[m] >= 0.3333f * best.known) << (m * LANES + LANE);
            }
            pairs = (uint32)SUM_OF_LANES((int32)pairs);
            while (pairs) {
                int32 j = j0 + LOWEST_BIT(pairs);
                pairs &= pairs - 1;
                third_cuts(&t, &c, i, j, kind, first_gain(&c, i, j, kind), state, &best);
            }
        }
    }
    STORE_BEST(best);
}
