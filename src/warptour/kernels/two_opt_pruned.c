// build: metrics
/* The best of all 2-opt moves of one tour, exactly, by the search of pruned.h. */
#ifdef NORM
#include "pruned.h"

/* Find a first incumbent: from every `stride`-th edge, look only at the leaves of its ends. */
KERNEL(two_opt_pruned_glance, PRUNED_PARAMETERS, int32 stride, GLOBAL int32 *incumbent) {
    PRUNED_STRUCT(t);
    Best mine = {0, NO_RANK, 0};
    for (int32 p = GROUP * stride; p < n; p += GROUPS * stride)
        for (int32 forward = 0; forward < 2; forward++) {
            Look look = look_from(&t, p, forward);
            search_leaf(&t, &look, tour[forward ? p : place_after(p, n)] / FAN, 0, &mine);
        }
    if (mine.gain > 0) RAISE(incumbent, gain_bits(mine.gain));
}

/* Write the best move of each group: its gain, its rank i * n + j, and its gain again if ties with it may have been
 * missed. Groups take `chunk` edges at a time, at most FAN. `incumbent` holds a gain that some move has, and
 * increases. */
KERNEL(two_opt_pruned, PRUNED_PARAMETERS, int32 chunk, GLOBAL int32 *incumbent, GLOBAL float64 *RESTRICT gains,
       GLOBAL int64 *RESTRICT ranks, GLOBAL float64 *RESTRICT ties) {
    PRUNED_STRUCT(t);
    Best mine = {0, NO_RANK, 0};
    float64 known = 0;
    for (int32 first = GROUP * chunk; first < n; first += GROUPS * chunk) {
        float64 told = (float64)FLOAT_OF_BITS(FROM_LANE(LATEST(incumbent), 0));
        if (told > known) known = told;
        uint32 open = 0;
        for (int32 k = LANE; k < chunk; k += LANES)
            if (first + k < n && edge[first + k] > 0 && 2 * edge[first + k] >= known) open |= 1u << k;
        open = (uint32)SUM_OF_LANES((int32)open);
        for (; open; open &= open - 1) {
            int32 p = first + LOWEST_BIT(open);
            if (2 * edge[p] < known) continue;
            float64 before = known;
            search_end(ROOM &t, p, 1, &known, &mine);
            search_end(ROOM &t, p, 0, &known, &mine);
            told = (float64)FLOAT_OF_BITS(FROM_LANE(LATEST(incumbent), 0));
            if (LANE == 0 && known > before && known > told) RAISE(incumbent, gain_bits(known));
            if (told > known) known = told;
        }
    }
    float64 gain = mine.gain;
    int64 rank = mine.rank;
    BEST_OF_LANES(gain, rank);
    int32 tied = ANY_LANE(mine.tied && mine.gain == gain);
    if (LANE == 0) gains[GROUP] = gain, ranks[GROUP] = rank, ties[GROUP] = tied ? gain : -1;
}

#endif
