// build: metrics
/* All 2-opt moves of a tour in the problem's own metric: the least delta of each row, exactly.
 *
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 * `edge` holds the distance from each place of the tour to the next. Built for a metric, the points come in the order
 * of the tour, n + 1 of them with the first one again at the end; built for any, `tour` says which nodes they are.
 * A delta is (d(i, j) + d(i+1, j+1) - edge[j]) - edge[i], in this order, as in the reference.
 */
#include "metric.h"

#define WIDE 8
#define FAR 1e300

#ifdef NORM
#define NODE(at) (at)
#else
#define NODE(at) tour[at]
#endif

/* Writes the least delta of each row from `first` to before `last`; FAR where a row has no move. */
KERNEL(two_opt_exact, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, GLOBAL const float64 *RESTRICT edge, int32 n,
       int32 first, int32 last, GLOBAL float64 *RESTRICT least) {
    POINTS_STRUCT(p);
    (void)tour;
    for (int32 i = first + GROUP; i < last; i += GROUPS) {
        float64 best[WIDE];
        int32 end = i == 0 ? n - 1 : n, j = i + 2; /* the first and the last edge are neighbours */
        for (int32 k = 0; k < WIDE; k++) best[k] = FAR;
        for (; j + WIDE <= end; j += WIDE)
            for (int32 k = 0; k < WIDE; k++) {
                float64 added = between(&p, NODE(i), NODE(j + k)) + between(&p, NODE(i + 1), NODE(j + k + 1));
                float64 delta = added - edge[j + k];
                best[k] = delta < best[k] ? delta : best[k];
            }
        for (; j < end; j++) {
            float64 delta = between(&p, NODE(i), NODE(j)) + between(&p, NODE(i + 1), NODE(j + 1)) - edge[j];
            best[0] = delta < best[0] ? delta : best[0];
        }
        for (int32 k = 1; k < WIDE; k++) best[0] = best[k] < best[0] ? best[k] : best[0];
        least[i] = best[0] < FAR ? best[0] - edge[i] : FAR;
    }
}
