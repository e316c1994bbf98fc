/* Symmetric 2-opt: moves on nested segments, all decided and applied in parallel (Mavroidis 2011, chapter 6).
 *
 * A tour of odd length m = 2h + 1 occupies positions low .. low + m - 1 of a row. Move q, for q = 0 .. h - 2, reverses
 * positions low + q + 1 .. low + m - 2 - q:
 *
 *     a-b ... c-d  ->  a-c ... b-d      a = low + q, b = a + 1, d = low + m - 1 - q, c = d - 1
 *
 * The moves are nested around the middle position and remove distinct edges, so any subset may be accepted together:
 * the mirrored cities b and c are swapped if an odd number of the moves 0 .. q was accepted. Then the row shifts by one
 * position, the first city becoming the last; after m rounds every 2-opt move has been evaluated.
 *
 * Of the four distances among a, b, c and d that a round needs, only d(b, d) is new: d(a, c) was d(b, d) of the
 * previous round, whose b and d are this round's a and c; d(a, b) and d(c, d) are tour edges. Swapping cities permutes
 * the four, so a move costs one square root, accepted or not.
 */
#ifndef WARPTOUR_SYMMETRIC
#define WARPTOUR_SYMMETRIC

#include "common/metric.h"
#include "common/random.h"

/* Storage of a tour: shared memory of its group or, with -DWIDE, its slice of `work` in global memory. */
#ifdef WIDE
#define NEAR GLOBAL
#define NEAR_MEMORY (work + (int64)GROUP * bytes)
#else
#define NEAR LOCAL
#define NEAR_MEMORY SCRATCH
#endif

#define FIXED_EDGE ((real)1e30) /* penalty for removing the edge between a city and its duplicate */

/* Moves evaluated before decisions are made; natively enough to vectorise the evaluation. */
#if LANES > 1
#define SYMMETRIC_BLOCK 1
#else
#define SYMMETRIC_BLOCK 64
#endif

/* Metropolis criterion: whether exp(-rise / temperature) > u, u uniform with 32 random bits. Uses sums and products
 * only, so that all dialects decide identically. `scale` is log2(e) / temperature. */
INLINE int32 rises(real rise, real scale, uint64 key, uint64 counter) {
    real bits = rise > 0 ? rise * scale : (real)0;
    if (!(bits < 31)) return 0;
    int32 whole = (int32)bits;
    uint32 drawn = random_bits(key, counter);
    if (whole > 0 && drawn >> (32 - whole)) return 0; /* rejected even if 2^-f were 1 */
    real f = bits - (real)whole; /* 2^-f by its power series */
    real p = (real)1 -
             f * ((real)0.6931471805599453 -
                  f * ((real)0.2402265069591007 -
                       f * ((real)0.05550410866482158 -
                            f * ((real)0.009618129107628477 -
                                 f * ((real)0.0013333558146428443 -
                                      f * ((real)0.00015403530393381608 - f * (real)0.00001525273380405984))))));
    real u = (real)drawn;
    return u * (real)(1u << whole) < p * (real)4294967296.0;
}

#endif
