/* When service may begin at nodes with windows: from their first opening to their last closing, but for gaps between. */
#ifndef WARPTOUR_ROUTES_OPENINGS
#define WARPTOUR_ROUTES_OPENINGS

/* Return when service at node c begins after an arrival, in time or not. gaps: closing and next opening of each gap;
 * gap_ends: number of gaps of all nodes up to each, or null. */
INLINE real next_opening(GLOBAL const real *opens, GLOBAL const real *gaps, GLOBAL const int32 *gap_ends, int32 c,
                         real arrival) {
    real start = arrival > opens[c] ? arrival : opens[c];
    if (!gap_ends) return start;
    for (int32 k = c ? gap_ends[c - 1] : 0; k < gap_ends[c]; k++)
        if (start > gaps[2 * k] && start < gaps[2 * k + 1]) start = gaps[2 * k + 1];
    return start;
}

#endif
