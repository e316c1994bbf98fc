// build: metrics, branches
/* The best of all 2-opt moves of one tour, exactly, by the search of pruned.h. */
#ifdef NORM
#include "papers/scans/pruned.h"

/* Find a first incumbent: from every `stride`-th edge, look only at the leaves of its ends. */
KERNEL(two_opt_pruned_glance, PRUNED_PARAMETERS, int32 stride, GLOBAL int32 *incumbent) {
    PRUNED_STRUCT(t);
    Best mine = {0, NO_RANK, 0};
    for (int32 p = GROUP * stride; p < n; p += GROUPS * stride)
        for (int32 forward = 0; forward < 2; forward++) {
            Look look = look_from(&t, p, forward, 0);
            search_leaf(&t, &look, tour[forward ? p : place_after(p, n)] / FAN, 0, &mine);
        }
    if (mine.gain > 0) RAISE(incumbent, gain_bits(mine.gain));
}

/* Search from the edges `from` to `to` - 1, in chunks of `chunk` edges, at most FAN. Each group has PER_LANE places for
 * its best moves: their gains, their ranks i * n + j, and their gains again if ties may have been missed. With `more` they
 * hold moves already found. `incumbent` is a gain that some move has, and increases. */
KERNEL(two_opt_pruned, PRUNED_PARAMETERS, int32 from, int32 to, int32 more, int32 chunk, GLOBAL int32 *incumbent,
       GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks, GLOBAL float64 *RESTRICT ties) {
    PRUNED_STRUCT(t);
    Best best[PER_LANE];
    for (int32 m = 0; m < PER_LANE; m++) {
        int32 slot = GROUP * PER_LANE + m;
        best[m].gain = more ? gains[slot] : 0, best[m].rank = more ? ranks[slot] : NO_RANK;
        best[m].tied = more && ties[slot] == gains[slot];
    }
    float64 known = 0;
    for (int32 first = from + GROUP * chunk; first < to; first += GROUPS * chunk) {
        float64 told = (float64)FLOAT_OF_BITS(FROM_LANE(LATEST(incumbent), 0));
        if (told > known) known = told;
        uint32 open = 0;
        for (int32 k = LANE; k < chunk; k += LANES)
            if (first + k < to && edge[first + k] > 0 && 2 * edge[first + k] >= known) open |= 1u << k;
        open = (uint32)SUM_OF_LANES((int32)open);
        if (!open) continue;
        Best found = {0, NO_RANK, 0};
        for (; open; open &= open - 1) {
            int32 p = first + LOWEST_BIT(open);
            if (2 * edge[p] < known) continue;
            float64 before = known;
            search_edge(ROOM &t, p, &known, &found);
            told = (float64)FLOAT_OF_BITS(FROM_LANE(LATEST(incumbent), 0));
            if (LANE == 0 && known > before && known > told) RAISE(incumbent, gain_bits(known));
            if (told > known) known = told;
        }
        keep_better(&best[first / chunk % PER_LANE], &found);
    }
    for (int32 m = 0; m < PER_LANE; m++) {
        float64 gain = best[m].gain;
        int64 rank = best[m].rank;
        BEST_OF_LANES(gain, rank);
        int32 tied = ANY_LANE(best[m].tied && best[m].gain == gain);
        if (LANE == 0) {
            gains[GROUP * PER_LANE + m] = gain, ranks[GROUP * PER_LANE + m] = rank;
            ties[GROUP * PER_LANE + m] = tied ? gain : -1;
        }
    }
}

#endif
