/* 3-opt scan in int32: integer distances below 2^27, or others scaled and rounded to that range.
 *
 * Recent GPUs add and take a minimum of int32 in one instruction, and the order of summation does not matter. Moves
 * found in rounded distances must be confirmed.
 */
#define NUMBER int32
#define FAR (1 << 30)
#define SIDE 64
#define WIDE 8
#define SCAN three_opt_scan
#define CHOOSE three_opt_choose
#define COLUMNS three_opt_columns
#define FINISH three_opt_finish
#include "papers/scans/three_opt.h"

/* Write P, Q and K of blocks `first` to `last` - 1, three numbers each; for tests of block_of. */
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
