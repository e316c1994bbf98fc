/* Symmetric 2-opt: moves on nested segments, all decided and all applied at once (Mavroidis 2011, chapter 6).
 *
 * A tour of odd length m = 2h + 1 lies in a row of places low .. low + m - 1. Move q, for q = 0 .. h - 2, reverses the
 * places low + q + 1 .. low + m - 2 - q:
 *
 *     a-b ... c-d  ->  a-c ... b-d      a = low + q, b = a + 1, d = low + m - 1 - q, c = d - 1
 *
 * The moves are nested around the middle place and touch different edges, so any of them may be accepted together:
 * the mirrored cities b and c change places if an odd number of the moves 0 .. q was accepted. Then the row moves on by
 * one place, the first city becoming the last, and after m rounds every 2-opt move has been looked at.
 *
 * Of the four distances among a, b, c and d a round needs, only d(b, d) is new: d(a, c) was the new one of the round
 * before, since its b and d are this round's a and c, and d(a, b), d(c, d) are edges. Swapping cities permutes the four,
 * so a move costs one root, accepted or not.
 */
#ifndef WARPTOUR_SYMMETRIC
#define WARPTOUR_SYMMETRIC

#include "metric.h"
#include "random.h"

/* Where a tour lies: in the fast memory of its group or, built with -DWIDE, in its part of `work`. */
#ifdef WIDE
#define NEAR GLOBAL
#define NEAR_MEMORY (work + (int64)GROUP * bytes)
#else
#define NEAR LOCAL
#define NEAR_MEMORY SCRATCH
#endif

#define FIXED_EDGE ((real)1e30) /* what removing the edge between a city and its double would cost */

/* Moves evaluated before one is decided on: natively enough for vectors. */
#if LANES > 1
#define SYMMETRIC_BLOCK 1
#else
#define SYMMETRIC_BLOCK 64
#endif

/* Whether exp(-rise / temperature) > u for 32 random bits u: computed with sums and products only, so that every dialect
 * decides alike. `scale` is log2(e) / temperature. */
INLINE int32 rises(real rise, real scale, uint64 key, uint64 counter) {
    real bits = rise > 0 ? rise * scale : (real)0;
    if (!(bits < 31)) return 0;
    int32 whole = (int32)bits;
    uint32 drawn = random_bits(key, counter);
    if (whole > 0 && drawn >> (32 - whole)) return 0; /* not even if the rest were 1 */
    real f = bits - (real)whole; /* 2^-f by its series */
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
