// build: metrics
/* The tour of a pruned search: its edges, the choice among the moves found (two_opt_pruned.c), and their application. */
#ifdef NORM
#include "papers/scans/pruned_tour.h"

/* Compute the edges of a tour, multiplied by `kept`, the position and the longer edge of each node. */
KERNEL(two_opt_pruned_load, POINTS_PARAMETERS, int32 n, float64 kept, GLOBAL const int32 *RESTRICT tour,
       GLOBAL int32 *RESTRICT place, GLOBAL float64 *RESTRICT edge, GLOBAL float64 *RESTRICT longest) {
    POINTS_STRUCT(at);
    lay_out(&at, n, kept, tour, place, edge, longest, GROUP * LANES + LANE, GROUPS * LANES);
}

/* Compute the longest edge in each of `count` boxes from `first` on; their children are `children` values. */
KERNEL(two_opt_pruned_far, int32 count, int32 first, int32 children, GLOBAL const float64 *values, int32 child,
       GLOBAL float64 *far) {
    for (int32 b = GROUP * LANES + LANE; b < count; b += GROUPS * LANES)
        far[first + b] = longest_of_fan(values + child, b, children);
}

/* Pick the best of all groups' moves; (0, 0) if it gains at most `threshold` plus its error, or if ties may have been
 * missed. This sets *tied, and nothing more happens until it is cleared. move[2] counts the moves picked. `incumbent`
 * becomes the best gain that survives the move. One group. */
KERNEL(two_opt_pruned_pick, POINTS_PARAMETERS, int32 n, int32 count, float64 kept, GLOBAL const int32 *RESTRICT tour,
       GLOBAL const float64 *RESTRICT edge, GLOBAL float64 *RESTRICT longest, GLOBAL const float64 *RESTRICT gains,
       GLOBAL const int64 *RESTRICT ranks, GLOBAL const float64 *RESTRICT ties, float64 threshold,
       GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta, GLOBAL int32 *RESTRICT incumbent,
       GLOBAL int32 *RESTRICT tied, GLOBAL int32 *RESTRICT ends) {
    POINTS_STRUCT(at);
    if (GROUP > 0) return;
    if (*tied) {
        if (LANE == 0) move[0] = move[1] = 0;
        return;
    }
    float64 gain = 0;
    int64 rank = NO_RANK;
    for (int32 k = LANE; k < count; k += LANES)
        if (gains[k] > gain || (gains[k] == gain && ranks[k] < rank)) gain = gains[k], rank = ranks[k];
    BEST_OF_LANES(gain, rank);
    int32 missed = 0;
    for (int32 k = LANE; k < count; k += LANES) missed |= ties[k] == gain;
    missed = ANY_LANE(missed);
    int32 i = 0, j = 0;
    if (rank != NO_RANK) i = (int32)(rank / n), j = (int32)(rank % n);
    int32 improves = i != j && gain > threshold + error_share(&at) * (edge[i] + edge[j]);
    missed = missed && improves;
    if (missed || !improves) i = j = 0;
    int32 least = 0;
    for (int32 k = LANE; k < count; k += LANES) {
        if (ranks[k] == rank || rank_after(ranks[k], i, j, n) == NO_RANK) continue;
        float64 removed = edge[ranks[k] / n] + edge[ranks[k] % n];
        float64 sure = gains[k] - error_share(&at) * removed; /* once mirrored, its edges are summed in another order */
        if (sure > 0 && -gain_bits(sure) < least) least = -gain_bits(sure);
    }
    MIN_OF_LANES(least, 0);
    if (LANE == 0) {
        move[0] = i, move[1] = j, move[2] += i != j, delta[0] = -gain;
        *incumbent = -least, *tied = missed;
    }
    if (i == j) return;
    find_ends(&at, n, kept, i, j, tour, edge, longest, ends);
}

/* Prepare the move (i, j), chosen among those of several devices; `known` is a gain that some move has after it. One
 * group. */
KERNEL(two_opt_pruned_take, POINTS_PARAMETERS, int32 n, float64 kept, GLOBAL const int32 *RESTRICT tour,
       GLOBAL const float64 *RESTRICT edge, GLOBAL float64 *RESTRICT longest, int32 i, int32 j, float64 known,
       GLOBAL int32 *RESTRICT move, GLOBAL int32 *RESTRICT incumbent, GLOBAL int32 *RESTRICT ends) {
    POINTS_STRUCT(at);
    if (GROUP > 0) return;
    if (LANE == 0) move[0] = i, move[1] = j, *incumbent = gain_bits(known);
    find_ends(&at, n, kept, i, j, tour, edge, longest, ends);
}

/* Reverse positions i + 1 to j, and bring the boxes around the `ends` of the new edges up to date. */
KERNEL(two_opt_pruned_make, POINTS_PARAMETERS, GLOBAL const float64 *RESTRICT box, int32 boxes, int32 n, float64 kept,
       GLOBAL const int32 *RESTRICT move, GLOBAL const int32 *RESTRICT ends, GLOBAL int32 *RESTRICT tour,
       GLOBAL int32 *RESTRICT place, GLOBAL float64 *RESTRICT edge, GLOBAL const float64 *longest, GLOBAL float64 *far) {
    POINTS_STRUCT(at);
    int32 i = move[0], j = move[1], reversing = GROUPS > 1 ? GROUPS - 1 : 1;
    if (i == j) return;
    if (GROUP == GROUPS - 1) {
        Boxes all = boxes_of(box, boxes, n);
        for (int32 v = 0; v < 4; v++) update_boxes(ROOM &all, ends[v], longest, far);
    }
    if (GROUP < reversing) reverse_between(&at, n, kept, i, j, tour, place, edge, GROUP * LANES + LANE, reversing * LANES);
}

#endif
