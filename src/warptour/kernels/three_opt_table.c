// build: metrics
/* The distances of a tour by places, as three_opt.h wants them: `size` places in rows and columns, of which number n is
 * the first again and what lies beyond is 0. */
#include "metric.h"

#define TABLE_OF(NUMBER)                                                                                    \
    POINTS_STRUCT(p);                                                                                       \
    for (int32 row = GROUP; row < size; row += GROUPS) {                                                    \
        int32 from = row < n ? row : 0;                                                                     \
        for (int32 at = LANE; at < size; at += LANES) {                                                     \
            int32 to = at < n ? at : 0;                                                                     \
            NUMBER apart = row <= n && at <= n ? (NUMBER)between(&p, tour[from], tour[to]) : (NUMBER)0;     \
            table[(int64)row * stride + at] = apart;                                                        \
            if (at == row + 1) edge[row] = apart;                                                           \
        }                                                                                                   \
    }

KERNEL(three_opt_table, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 size, int32 stride,
       GLOBAL float32 *RESTRICT table, GLOBAL float32 *RESTRICT edge) {
    TABLE_OF(float32)
}

KERNEL(three_opt_exact_table, POINTS_PARAMETERS, GLOBAL const int32 *RESTRICT tour, int32 n, int32 size, int32 stride,
       GLOBAL float64 *RESTRICT table, GLOBAL float64 *RESTRICT edge) {
    TABLE_OF(float64)
}
