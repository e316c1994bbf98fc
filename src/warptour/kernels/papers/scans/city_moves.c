// build: metrics
/* Exact scans of all or-opt (with relocate) and swap moves of a tour in the problem's own metric: the minimum delta of
 * each row. Row i holds the moves of the city at position i.
 *
 * The tour is repeated, 2n positions, so that none needs a modulo. edge: distance from each position to the next.
 * Builds for one metric take the points in tour order; the `any` build takes node numbers from `tour`. Sums are in the
 * order of neighborhoods/or_opt.py and neighborhoods/swap.py.
 */
#include "papers/scans/laid_tour.h"

#if LANES == 1
#define WIDE 8
#else
#define WIDE 1
#endif

/* Minimum of WIDE numbers over all lanes. */
#define MIN_OF_ALL(best, lowest)                                                \
    for (int32 w = 1; w < WIDE; w++)                                              \
        if (best[w] < best[0]) best[0] = best[w];                                 \
    float64 gain = -best[0];                                                      \
    int32 rank = 0;                                                               \
    (void)rank;                                                                   \
    BEST_OF_LANES(gain, rank);                                                    \
    lowest = -gain

/* Write the minimum delta of each row from `first` to `last` - 1 of or-opt:
 *
 *     p-[a..b]-q ... c-d  ->  p-q ... c-[a..b]-d  or  p-q ... c-[b..a]-d       a at i, c at j
 *
 * with segments a..b of up to `longest` cities. */
KERNEL(or_opt_rows, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       int32 longest, int32 first, int32 last, GLOBAL float64 *RESTRICT least) {
    POINTS_STRUCT(p);
    (void)tour;
    for (int32 i = first + GROUP; i < last; i += GROUPS) {
        float64 best[WIDE], lowest;
        for (int32 w = 0; w < WIDE; w++) best[w] = FAR;
        int32 before = i > 0 ? i - 1 : n - 1;
        for (int32 count = 1; count <= longest; count++) {
            int32 b = i + count - 1, q = i + count;
            float64 closed = APART(before, q), opened = edge[before], after = edge[b];
            for (int32 j = q + LANE * WIDE; j < i + n - 1; j += LANES * WIDE)
                for (int32 w = 0; w < WIDE; w++) {
                    int32 c = j + w < i + n - 1 ? j + w : i + n - 2; /* repeat the last one */
                    float64 ahead = closed + APART(c, i) + APART(b, c + 1) - opened - after - edge[c];
                    float64 back = closed + APART(c, b) + APART(i, c + 1) - opened - after - edge[c];
                    float64 lesser = back < ahead ? back : ahead;
                    best[w] = lesser < best[w] ? lesser : best[w];
                }
        }
        MIN_OF_ALL(best, lowest);
        if (LANE == 0) least[i] = lowest;
    }
}

/* Write the minimum delta of each row from `first` to `last` - 1 of swap; FAR if a row has no move:
 *
 *     p-x-q ... r-y-s  ->  p-y-q ... r-x-s       x at i, y at j; adjacent cities  p-x-y-s  ->  p-y-x-s */
KERNEL(swap_rows, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       int32 first, int32 last, GLOBAL float64 *RESTRICT least) {
    POINTS_STRUCT(p);
    (void)tour;
    for (int32 i = first + GROUP; i < last; i += GROUPS) {
        float64 best[WIDE], lowest;
        for (int32 w = 0; w < WIDE; w++) best[w] = FAR;
        int32 before = i > 0 ? i - 1 : n - 1, end = n == 4 ? 0 : i == 0 ? n - 1 : n; /* opposite ones of 4: no move */
        float64 removed = edge[before] + edge[i];
        if (i + 1 < n) best[0] = (APART(before, i + 1) + APART(i, i + 2)) - (edge[before] + edge[i + 1]);
        if (i == 0) { /* the last position is adjacent to the first */
            float64 delta = (APART(n - 2, 0) + APART(n - 1, 1)) - (edge[n - 2] + edge[0]);
            best[0] = delta < best[0] ? delta : best[0];
        }
        for (int32 j = i + 2 + LANE * WIDE; j < end; j += LANES * WIDE)
            for (int32 w = 0; w < WIDE; w++) {
                int32 y = j + w < end ? j + w : end - 1;
                float64 added = (APART(before, y) + APART(y, i + 1)) + (APART(y - 1, i) + APART(i, y + 1));
                float64 delta = added - (removed + (edge[y - 1] + edge[y]));
                best[w] = delta < best[w] ? delta : best[w];
            }
        MIN_OF_ALL(best, lowest);
        if (LANE == 0) least[i] = lowest;
    }
}
