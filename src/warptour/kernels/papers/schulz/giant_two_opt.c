// build: metrics, branches
/* The best feasible 2-opt move of a giant tour. */
#include "papers/schulz/giant_cuts.h"

#define COLUMNS 128 /* second cuts that a group scans at once */

/* Scan the moves whose first cut is in the parts. */
KERNEL(giant_two_opt, TOUR_PARAMETERS, CUTS_PARAMETERS, SCAN_RESULT) {
    TOUR_STRUCT(t);
    CUTS_STRUCT(c);
    FIRST_BEST(best);
    NEW_QUEUE(queue);
    int32 wide = (c.count + COLUMNS - 1) / COLUMNS, from = (int32)((int64)c.count * part / parts) * wide;
    int32 to = state[OPTIMAL] || state[FOUND] ? 0 : (int32)((int64)c.count * end_part / parts) * wide;
    for (int32 tile = from + GROUP; tile < to; tile += GROUPS) {
        int32 i = tile / wide, begin = tile % wide * COLUMNS, end = begin + COLUMNS;
        if (end <= i + 1) continue;
        refresh(state, &best);
        Spare spare = {0, 0, t.start[i], t.end[i + 1], 0, 0, t.load < 0};
        if (!spare.none)
            spare.first = t.capacity - rest_load(&t, i, 0), spare.second = t.capacity - rest_load(&t, i + 1, 1);
        scan_cuts(&t, &c, end_at(&c, i), end_at(&c, i + 1), 1e30f, c.length[i], &spare, begin > i ? begin : i + 1,
                  end < c.count ? end : c.count, i, i, BEYOND, TWO_OPT, state, &queue, &best);
    }
    EMPTY_QUEUE(&t, state, &queue, &best);
    STORE_BEST(best);
}
