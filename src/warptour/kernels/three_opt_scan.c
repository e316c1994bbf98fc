/* 3-opt scans in whole numbers: distances that are whole and below 2^27, or others scaled and rounded to that.
 *
 * A sum and a minimum of int32 are one instruction on recent GPUs, and no order of summation matters. What is found in
 * rounded distances is to be confirmed.
 */
#define NUMBER int32
#define FAR (1 << 30)
#define SIDE 64
#define WIDE 8
#define SCAN three_opt_scan
#define CHOOSE three_opt_choose
#define COLUMNS three_opt_columns
#define FINISH three_opt_finish
#include "three_opt.h"

/* P, Q and K of the blocks `first` to before `last`, three numbers each. */
KERNEL(three_opt_blocks, int64 first, int64 last, GLOBAL int32 *RESTRICT found) {
    for (int64 block = first + GROUP; block < last; block += GROUPS) {
        int32 P, Q, K;
        block_of(block, &P, &Q, &K);
        if (LANE == 0) {
            GLOBAL int32 *at = found + 3 * (block - first);
            at[0] = P, at[1] = Q, at[2] = K;
        }
    }
}
