// build: metrics
/* The tour of a pruned search: its edges, the choice among the moves found (two_opt_pruned.c), and their application. */
#ifdef NORM
#include "pruned_rank.h"

/* Compute the edges of a tour, multiplied by `kept`, and the position of each node. */
KERNEL(two_opt_pruned_load, POINTS_PARAMETERS, int32 n, float64 kept, GLOBAL const int32 *RESTRICT tour,
       GLOBAL int32 *RESTRICT place, GLOBAL float64 *RESTRICT edge) {
    POINTS_STRUCT(at);
    for (int32 k = GROUP * LANES + LANE; k < n; k += GROUPS * LANES) {
        place[tour[k]] = k;
        edge[k] = kept * between(&at, tour[k], tour[place_after(k, n)]);
    }
}

/* Pick the best of all groups' moves; (0, 0) if it gains at most `threshold` plus its error, or if ties may have been
 * missed, which sets *tied and keeps it set. `incumbent` becomes the best gain that survives the move. One group. */
KERNEL(two_opt_pruned_pick, POINTS_PARAMETERS, int32 n, int32 count, GLOBAL const float64 *RESTRICT edge,
       GLOBAL const float64 *RESTRICT gains, GLOBAL const int64 *RESTRICT ranks, GLOBAL const float64 *RESTRICT ties,
       float64 threshold, GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta, GLOBAL int32 *RESTRICT incumbent,
       GLOBAL int32 *RESTRICT tied) {
    POINTS_STRUCT(at);
    if (GROUP > 0) return;
    float64 gain = 0;
    int64 rank = NO_RANK;
    for (int32 k = LANE; k < count; k += LANES)
        if (gains[k] > gain || (gains[k] == gain && ranks[k] < rank)) gain = gains[k], rank = ranks[k];
    BEST_OF_LANES(gain, rank);
    int32 missed = 0;
    for (int32 k = LANE; k < count; k += LANES) missed |= ties[k] == gain;
    missed = ANY_LANE(missed) || *tied;
    int32 i = 0, j = 0;
    if (rank != NO_RANK) i = (int32)(rank / n), j = (int32)(rank % n);
    int32 improves = i != j && gain > threshold + error_share(&at) * (edge[i] + edge[j]);
    if (missed || !improves) i = j = 0;
    int32 least = 0;
    for (int32 k = LANE; k < count; k += LANES)
        if (ranks[k] != rank && rank_after(ranks[k], i, j, n) != NO_RANK && -gain_bits(gains[k]) < least)
            least = -gain_bits(gains[k]);
    MIN_OF_LANES(least, 0);
    if (LANE == 0) {
        move[0] = i, move[1] = j, delta[0] = -gain;
        *incumbent = -least, *tied = missed;
    }
}

/* Reverse positions i + 1 to j. */
KERNEL(two_opt_pruned_make, POINTS_PARAMETERS, int32 n, float64 kept, GLOBAL const int32 *RESTRICT move,
       GLOBAL int32 *RESTRICT tour, GLOBAL int32 *RESTRICT place, GLOBAL float64 *RESTRICT edge) {
    POINTS_STRUCT(at);
    int32 i = move[0], j = move[1], count = j - i, after = place_after(j, n);
    if (i == j) return;
    for (int32 k = GROUP * LANES + LANE; 2 * k < count; k += GROUPS * LANES) {
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
