// build: metrics
/* The best feasible 2-opt move of a giant tour. */
#include "giant_cuts.h"

/* Scan the moves whose first cut is one of part `part` of `parts`. */
KERNEL(giant_two_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, int32 part, int32 parts, int32 slot,
       GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    Best best = FIRST_BEST(state);
    if (!state[OPTIMAL] && !state[FOUND]) {
        int32 from = (int32)((int64)c.count * part / parts), to = (int32)((int64)c.count * (part + 1) / parts);
        for (int32 i = from + GROUP; i < to; i += GROUPS) {
            float32 known = FLOAT_OF_BITS(LATEST(state + KNOWN));
            if (known > best.known) best.known = known;
            scan_cuts(&t, &c, u_of(&c, i), v_of(&c, i), c.length[i], i + 1, c.count, i, i, BEYOND, TWO_OPT, state,
                      &best);
        }
    }
    STORE_BEST(best);
}
