// build: relaxed-float
/* Microbenchmark of arithmetic throughput: `width` independent chains of multiply-adds (peak_*) or of square roots
 * (peak_roots_*) per lane.
 *
 * After Rocki's test of FLOP/s by vector width. Each chain converges, so that nothing overflows, and the sums are
 * written so that the compiler eliminates nothing.
 */
#define TURNS_AT_ONCE 16 /* operations per chain and iteration of the loop over turns */

#define PEAK_BODY(width, operation)                                                              \
    float32 a[width], sum = 0;                                                                   \
    UNROLL_ALL                                                                                   \
    for (int32 k = 0; k < width; k++) a[k] = seed + (float32)(k + GROUP % 7);                    \
    for (int32 t = 0; t < turns; t++) {                                                          \
        UNROLL(width)                                                                            \
        UNROLL_ALL                                                                               \
        for (int32 k = 0; k < width; k++) {                                                      \
            UNROLL(TURNS_AT_ONCE)                                                                \
            UNROLL_ALL                                                                           \
            for (int32 s = 0; s < TURNS_AT_ONCE; s++) a[k] = operation;                          \
        }                                                                                        \
    }                                                                                            \
    UNROLL_ALL                                                                                   \
    for (int32 k = 0; k < width; k++) sum += a[k];                                               \
    out[GROUP * LANES + LANE] = sum;

#define PEAK(width)                                                                                            \
    KERNEL(peak_##width, int32 turns, float32 seed, float32 c, float32 d, GLOBAL float32 *RESTRICT out) {      \
        PEAK_BODY(width, a[k] * c + d)                                                                         \
    }                                                                                                          \
    KERNEL(peak_roots_##width, int32 turns, float32 seed, float32 c, float32 d, GLOBAL float32 *RESTRICT out) { \
        (void)d;                                                                                               \
        PEAK_BODY(width, sqrtf(a[k] + c))                                                                      \
    }

PEAK(1)
PEAK(4)
PEAK(16)
PEAK(64)
