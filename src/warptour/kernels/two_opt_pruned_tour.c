// build: metrics
/* The tour of a pruned search: its edges, the choice among the moves found (two_opt_pruned.c), and their application. */
#ifdef NORM
#include "pruned_boxes.h"

/* Compute the edges of a tour, multiplied by `kept`, the position and the longer edge of each node. */
KERNEL(two_opt_pruned_load, POINTS_PARAMETERS, int32 n, float64 kept, GLOBAL const int32 *RESTRICT tour,
       GLOBAL int32 *RESTRICT place, GLOBAL float64 *RESTRICT edge, GLOBAL float64 *RESTRICT longest) {
    POINTS_STRUCT(at);
    for (int32 k = GROUP * LANES + LANE; k < n; k += GROUPS * LANES) {
        int32 node = tour[k];
        float64 before = kept * between(&at, tour[place_before(k, n)], node);
        float64 after = kept * between(&at, node, tour[place_after(k, n)]);
        place[node] = k, edge[k] = after, longest[node] = before > after ? before : after;
    }
}

/* Compute the longest edge in each of `count` boxes from `first` on, whose children are the `children` values from
 * `child` on, fewer than FAN in the last boxes. */
KERNEL(two_opt_pruned_far, int32 count, int32 first, int32 children, int32 child, GLOBAL const float64 *values,
       GLOBAL float64 *far) {
    for (int32 b = GROUP * LANES + LANE; b < count; b += GROUPS * LANES) {
        float64 most = 0;
        for (int64 k = (int64)b * FAN; k < children && k < (int64)(b + 1) * FAN; k++)
            most = values[child + k] > most ? values[child + k] : most;
        far[first + b] = most;
    }
}

/* Pick the best of all groups' moves; (0, 0) if it gains at most `threshold` plus its error, or if ties may have been
 * missed. This sets tied[0], and nothing more happens until it is cleared; tied[1] counts the picks. `incumbent` becomes
 * the best gain that survives the move. One group. */
KERNEL(two_opt_pruned_pick, POINTS_PARAMETERS, int32 n, int32 count, float64 kept, GLOBAL const int32 *RESTRICT tour,
       GLOBAL const float64 *RESTRICT edge, GLOBAL float64 *RESTRICT longest, GLOBAL const float64 *RESTRICT gains,
       GLOBAL const int64 *RESTRICT ranks, GLOBAL const float64 *RESTRICT ties, float64 threshold,
       GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta, GLOBAL int32 *RESTRICT incumbent,
       GLOBAL int32 *RESTRICT tied, GLOBAL int32 *RESTRICT ends) {
    POINTS_STRUCT(at);
    if (GROUP > 0) return;
    if (tied[0]) {
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
        move[0] = i, move[1] = j, delta[0] = -gain;
        *incumbent = -least, tied[0] = missed, tied[1]++;
    }
    if (i == j) return;
    for (int32 v = LANE; v < 4; v += LANES) { /* the ends of the new edges */
        int32 here = v < 2 ? i + v : v == 2 ? j : place_after(j, n);
        int32 to = v == 0 ? j : v == 1 ? place_after(j, n) : v == 2 ? i : i + 1;
        int32 other = v == 0 ? place_before(i, n) : v == 1 ? i + 1 : v == 2 ? j - 1 : here;
        float64 joined = kept * between(&at, tour[here], tour[to]);
        longest[tour[here]] = joined > edge[other] ? joined : edge[other];
        ends[v] = tour[here];
    }
}

/* Compute the longest edge in all boxes around a node. One group. */
INLINE void update_boxes(ROOM_PARAMETER const Boxes *boxes, int32 node, GLOBAL const float64 *longest,
                         GLOBAL float64 *far) {
    for (int32 level = 0; level < boxes->levels; level++) {
        GLOBAL const float64 *values = level == 0 ? longest : far + boxes->begin[level - 1];
        node /= FAN;
        float64 most = 0;
        for (int32 k = LANE; k < FAN; k += LANES)
            most = values[node * FAN + k] > most ? values[node * FAN + k] : most;
        int32 rank = 0;
        BEST_OF_LANES(most, rank);
        if (LANE == 0) far[boxes->begin[level] + node] = most;
        SYNC_LANES();
    }
}

/* Reverse positions i + 1 to j, and bring the boxes around the `ends` of the new edges up to date. */
KERNEL(two_opt_pruned_make, POINTS_PARAMETERS, GLOBAL const float64 *RESTRICT box, int32 boxes, int32 n, float64 kept,
       GLOBAL const int32 *RESTRICT move, GLOBAL const int32 *RESTRICT ends, GLOBAL int32 *RESTRICT tour,
       GLOBAL int32 *RESTRICT place, GLOBAL float64 *RESTRICT edge, GLOBAL const float64 *longest, GLOBAL float64 *far) {
    POINTS_STRUCT(at);
    int32 i = move[0], j = move[1], count = j - i, after = place_after(j, n), reversing = GROUPS > 1 ? GROUPS - 1 : 1;
    if (i == j) return;
    if (GROUP == GROUPS - 1) {
        Boxes all = boxes_of(box, boxes, n);
        for (int32 v = 0; v < 4; v++) update_boxes(ROOM &all, ends[v], longest, far);
    }
    for (int32 k = GROUP * LANES + LANE; GROUP < reversing && 2 * k < count; k += reversing * LANES) {
        int32 low = i + 1 + k, high = j - k, a = tour[low], b = tour[high];
        if (k == 0) {
            edge[i] = kept * between(&at, tour[i], b);
            edge[j] = kept * between(&at, a, tour[after]);
        }
        tour[low] = b, place[b] = low;
        tour[high] = a, place[a] = high;
        if (low < high - 1) {
            float64 mirrored = edge[high - 1];
            edge[high - 1] = edge[low], edge[low] = mirrored;
        }
    }
}

#endif
