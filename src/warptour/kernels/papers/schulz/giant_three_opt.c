// build: metrics, branches
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
 * What the third cut can gain is bounded by the reach of each free end: its best cut and its shortest new edge, by
 * classes of cuts. Pairs whose bound is too low are dropped.
 *
 * The new edge joins the rests of two routes. Unless a cut lies in one of them, they become a route; if that is
 * infeasible, only third cuts in these rests are scanned.
 */
#include "papers/schulz/giant_cuts.h"

/* Classes of cuts: which of their ends are the depot. */
#define CLASSES 4
#define CLASS_OF(c, k) (((c)->place[k] == 0) + 2 * ((c)->place[(k) + 1] == 0))

/* Of the cuts of each class: what the best one gains if a node is joined to its first end, or to its second; and the
 * shortest such edge. */
typedef struct {
    float32 to_first[CLASSES], to_second[CLASSES], near_first[CLASSES], near_second[CLASSES];
} Reach;

/* Find the reach of each node. */
KERNEL(giant_reach, int32 customers, int32 edges, GLOBAL const int32 *RESTRICT place, GLOBAL const int32 *RESTRICT state,
       CUTS_PARAMETERS, GLOBAL Reach *RESTRICT reach) {
    CUTS_STRUCT(c);
    if (state[OPTIMAL] || state[FOUND]) return;
    for (int32 node = GROUP; node <= c.count; node += GROUPS) {
        End end = end_at(&c, node);
        float32 far[4 * CLASSES];
        UNROLL(16)
        for (int32 q = 0; q < 4 * CLASSES; q++) far[q] = -1e30f;
        for (int32 k = LANE; k < c.count; k += LANES) {
            float32 first = k == node ? 1e30f : bound(&c, end, k);
            float32 second = k + 1 == node ? 1e30f : bound(&c, end, k + 1);
            float32 found[4] = {c.length[k] - first, c.length[k] - second, -first, -second};
            UNROLL(16)
            for (int32 q = 0; q < 4 * CLASSES; q++)
                if (q % CLASSES == CLASS_OF(&c, k) && found[q / CLASSES] > far[q]) far[q] = found[q / CLASSES];
        }
        UNROLL(16)
        for (int32 q = 0; q < 4 * CLASSES; q++) {
            int32 lane = LANE;
            BEST_OF_LANES(far[q], lane);
        }
        if (LANE > 0) continue;
        UNROLL(4)
        for (int32 q = 0; q < CLASSES; q++) {
            reach[node].to_first[q] = far[q], reach[node].to_second[q] = far[q + CLASSES];
            reach[node].near_first[q] = -far[q + 2 * CLASSES], reach[node].near_second[q] = -far[q + 3 * CLASSES];
        }
    }
}

#define TILE 32
#define PER_LANE (TILE / LANES)
#define KINDS 6

/* A pair of cuts and its new edge: kinds 0 to 2 have their third cut outside, 3 to 5 inside. */
typedef struct {
    int32 i, j, outside, which;
    int32 a, a_first, b, b_first; /* nodes of the new edge, and whether they begin the rest of their route */
    int32 free_a, free_b;         /* the other ends */
    float32 gain;                 /* with the new edge, and with the cut that pays for it */
    float32 before;               /* with both cuts */
} Pair;

INLINE Pair pair_of(const Cuts *c, int32 i, int32 j, int32 kind) {
    Pair pair = {i, j, kind < 3, kind % 3, i, 0, j, 0, i, j, 0, 0};
    pair.a_first = pair.which == 1 || (pair.which == 0 && !pair.outside);
    pair.b_first = pair.which == 1 || (pair.which == 0 && pair.outside);
    pair.a += pair.a_first, pair.b += pair.b_first;
    pair.free_a += !pair.a_first, pair.free_b += !pair.b_first;
    pair.gain = c->length[pair.outside ? i : j] - bound(c, end_at(c, pair.a), pair.b);
    pair.before = pair.gain + c->length[pair.outside ? j : i];
    return pair;
}

/* Upper bound on what a third cut gains whose first end is joined to node a and whose second to node b. */
INLINE float32 third_gain(GLOBAL const Reach *a, GLOBAL const Reach *b) {
    float32 most = -1e30f;
    UNROLL(4)
    for (int32 q = 0; q < CLASSES; q++) {
        float32 one = a->to_first[q] - b->near_second[q], other = b->to_second[q] - a->near_first[q];
        float32 lower = one < other ? one : other;
        if (lower > most) most = lower;
    }
    return most;
}

/* Return whether a move of this pair may gain as much as `known`. */
INLINE int32 may_gain(Pair pair, GLOBAL const Reach *reach, float32 known) {
    if (pair.gain < THIRD * known) return 0;
    GLOBAL const Reach *a = reach + pair.free_a, *b = reach + pair.free_b;
    return pair.before + third_gain(a, b) >= known || pair.before + third_gain(b, a) >= known;
}

/* Return what may be loaded beside the rests of the free ends, unless one of the pair's cuts lies in them. */
INLINE Spare spare_of(const Tour *t, Pair pair) {
    int32 a_begins = !pair.a_first, b_begins = !pair.b_first;
    int32 crossed = (a_begins && pair.j < t->end[pair.free_a]) || (!b_begins && pair.i >= t->start[pair.free_b]);
    Spare spare = {0, 0, t->start[pair.i], t->end[pair.i + 1], t->start[pair.j], t->end[pair.j + 1],
                   crossed || t->load < 0};
    if (spare.none) return spare;
    spare.first = t->capacity - rest_load(t, pair.free_a, a_begins);
    spare.second = t->capacity - rest_load(t, pair.free_b, b_begins);
    return spare;
}

/* Consider all third cuts of a pair: each turn one range of them and one way to join them. */
INLINE void third_cuts(ROOM_PARAMETER const Tour *t, const Cuts *c, Pair pair, GLOBAL int32 *state, Queue *queue,
                       Best *best) {
    int32 i = pair.i, j = pair.j, ways = pair.which == 0 ? 2 : 1, turned = 0;
    End a = end_at(c, pair.free_a), b = end_at(c, pair.free_b);
    int32 crossed = (pair.a_first && j < t->end[pair.a]) || (!pair.b_first && i >= t->start[pair.b]);
    int32 whole = crossed || may_join(t, pair.a, pair.a_first, pair.b, pair.b_first);
    Spare spare = spare_of(t, pair);
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
        if (swapped != turned) {
            float64 first = spare.first;
            spare.first = spare.second, spare.second = first, turned = swapped;
        }
        scan_cuts(t, c, swapped ? b : a, swapped ? a : b, pair.gain, pair.before, &spare, begin, end, i, j, side, p,
                  state, queue, best);
    }
}

/* Scan tiles of TILE pairs of one kind, whose first cut is in the parts. */
KERNEL(giant_three_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, SCAN_RESULT, GLOBAL const Reach *RESTRICT reach) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    FIRST_BEST(best);
    NEW_QUEUE(queue);
    int32 wide = (c.count + TILE - 1) / TILE, from = (int32)((int64)c.count * part / parts);
    int32 rows = state[OPTIMAL] || state[FOUND] ? 0 : (int32)((int64)c.count * end_part / parts) - from;
    for (int32 tile = GROUP; tile < KINDS * rows * wide; tile += GROUPS) {
        int32 kind = tile / (rows * wide), i = from + tile / wide % rows, j0 = tile % wide * TILE;
        if (j0 + TILE <= i + 1) continue;
        refresh(state, &best);
        uint32 pairs = 0;
        float32 firsts[PER_LANE];
        Pair like = pair_of(&c, i, i, kind);
        End a = end_at(&c, like.a);
        for (int32 m = 0; m < PER_LANE; m++) {
            int32 j = j0 + m * LANES + LANE, near = j < c.count ? j : c.count - 1;
            firsts[m] = c.length[like.outside ? i : near] - bound(&c, a, near + like.b_first);
        }
        for (int32 m = 0; m < PER_LANE; m++) {
            int32 j = j0 + m * LANES + LANE, kept = i < j && j < c.count && firsts[m] >= THIRD * best.known;
            kept = kept && may_gain(pair_of(&c, i, j, kind), reach, best.known);
            pairs |= (uint32)kept << (m * LANES + LANE);
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
