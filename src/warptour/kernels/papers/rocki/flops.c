// build: relaxed-float
/* Rocki's test of FLOP/s (2013): dependent multiply-adds on a vector of float32 or float64 per lane.
 *
 * There is one chain, so a wider vector is more work at the same latency; peak.c has independent chains instead. The
 * numbers converge, so that nothing overflows. */
#include "papers/rocki/vector.h"

#define TURNS_AT_ONCE 16 /* multiply-adds per iteration of the loop over turns */

#define FLOPS(type, W)                                                                                              \
    KERNEL(flops_##type##_##W, int32 turns, type seed, type c, type d, GLOBAL type *RESTRICT out) {                 \
        type##_##W a[PARTS(W)];                                                                                     \
        type sum = 0;                                                                                               \
        VEC_UNROLL(W)                                                                                               \
        for (int32 k = 0; k < W; k++) ((type *)a)[k] = seed + (type)(k + GROUP % 7);                                \
        for (int32 t = 0; t < turns; t++) {                                                                         \
            VEC_UNROLL(TURNS_AT_ONCE)                                                                               \
            for (int32 s = 0; s < TURNS_AT_ONCE; s++) {                                                             \
                VEC_UNROLL(W)                                                                                       \
                for (int32 p = 0; p < PARTS(W); p++) a[p] = a[p] * c + d;                                           \
            }                                                                                                       \
        }                                                                                                           \
        VEC_UNROLL(W)                                                                                               \
        for (int32 k = 0; k < W; k++) sum += ((type *)a)[k];                                                        \
        out[GROUP * LANES + LANE] = sum;                                                                            \
    }
#define FLOPS_OF(W) FLOPS(float32, W) FLOPS(float64, W)

FLOPS_OF(1)
FLOPS_OF(2)
FLOPS_OF(4)
FLOPS_OF(8)
FLOPS_OF(16)
