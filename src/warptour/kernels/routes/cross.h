/* Order crossover (OX): the offspring keeps a random segment of one giant tour in place; the remaining customers follow
 * in the order of the other. */
#ifndef WARPTOUR_ROUTES_CROSS
#define WARPTOUR_ROUTES_CROSS
#include "common/dice.h"

/* one, other (parents) and child: giant tours of n customers, numbered from 1. taken: workspace, n + 1 long. */
INLINE void cross_orders(Dice *d, int32 n, GLOBAL const int32 *one, GLOBAL const int32 *other, GLOBAL int32 *taken,
                         GLOBAL int32 *child) {
    int32 begin = (int32)throw_below(d, n), count = 1 + (int32)throw_below(d, n), at = begin;
    for (int32 c = 0; c <= n; c++) taken[c] = 0;
    for (int32 k = 0; k < count; k++) {
        taken[child[at] = one[at]] = 1;
        at = at + 1 < n ? at + 1 : 0;
    }
    for (int32 k = 0, from = at; k < n; k++) {
        int32 c = other[from];
        from = from + 1 < n ? from + 1 : 0;
        if (taken[c]) continue;
        child[at] = c;
        at = at + 1 < n ? at + 1 : 0;
    }
}

#endif
