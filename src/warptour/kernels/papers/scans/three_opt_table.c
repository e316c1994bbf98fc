// build: metrics
/* Distance table of a tour by positions, as three_opt.h takes it: `size` rows and columns, where position n repeats
 * position 0 and entries beyond are 0. A launch fills rows `first` to `last` - 1. */
#include "common/metric.h"

#define TABLE_OF(NUMBER, MEASURE, KEPT)                                                                     \
    POINTS_STRUCT(p);                                                                                       \
    for (int32 row = first + GROUP; row < last; row += GROUPS) {                                            \
        int32 from = row < n ? row : 0;                                                                     \
        for (int32 at = LANE; at < size; at += LANES) {                                                     \
            int32 to = at < n ? at : 0;                                                                     \
            NUMBER apart = 0;                                                                               \
            if (row <= n && at <= n) apart = (NUMBER)MEASURE(between(&p, tour[from], tour[to]));            \
            table[(int64)row * stride + at] = apart;                                                        \
            if (at == row + 1) edge[row] = KEPT(apart);                                                     \
        }                                                                                                   \
    }

#define MOST 134217728.0 /* 2^27: no move that adds a longer edge improves the tour (papers/scans/three_opt.py) */
#define AS_IT_IS(apart) (apart)
#define SHORTENED(apart) ((apart) * kept)
#define SCALED(apart) floor(((apart) * scale < MOST ? (apart) * scale : MOST) + 0.5)

/* Distances times `scale`, rounded to the nearest integer and capped at MOST. */
KERNEL(three_opt_table, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 first, int32 last,
       int32 size, int32 stride, GLOBAL int32 *RESTRICT table, GLOBAL int32 *RESTRICT edge, float64 scale) {
    TABLE_OF(int32, SCALED, AS_IT_IS)
}

/* Unscaled distances; tour edges are multiplied by `kept` (at most 1), so that a rounding error is no gain. */
KERNEL(three_opt_exact_table, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 first, int32 last,
       int32 size, int32 stride, GLOBAL float64 *RESTRICT table, GLOBAL float64 *RESTRICT edge, float64 kept) {
    TABLE_OF(float64, AS_IT_IS, SHORTENED)
}
