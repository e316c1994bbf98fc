// build: metrics
/* The best feasible 2-opt move of a giant tour. */
#include "giant_cuts.h"

#define COLUMNS 256 /* second cuts that a group scans at once */

/* Scan the moves whose first cut is one of part `part` of `parts`. */
KERNEL(giant_two_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, int32 part, int32 parts, int32 slot,
       GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    Best best = FIRST_BEST(state);
    NEW_QUEUE(queue);
    if (!state[OPTIMAL] && !state[FOUND]) {
        int32 from = (int32)((int64)c.count * part / parts), to = (int32)((int64)c.count * (part + 1) / parts);
        int32 wide = (c.count + COLUMNS - 1) / COLUMNS;
        for (int32 tile = from * wide + GROUP; tile < to * wide; tile += GROUPS) {
            int32 i = tile / wide, begin = tile % wide * COLUMNS, end = begin + COLUMNS;
            if (end <= i + 1) continue;
            float32 known = FLOAT_OF_BITS(LATEST(state + KNOWN));
            if (known > best.known) best.known = known;
            scan_cuts(&t, &c, u_of(&c, i), v_of(&c, i), c.length[i], begin > i ? begin : i + 1,
                      end < c.count ? end : c.count, i, i, BEYOND, TWO_OPT, state, &queue, &best);
        }
    }
    EMPTY_QUEUE(&t, state, &queue, &best);
    STORE_BEST(best);
}
