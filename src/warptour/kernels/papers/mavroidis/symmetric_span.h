/* Lengths and decisions of symmetric 2-opt in the problem's own metric.
 *
 * With -DINTEGERS, for EUC_2D with integer coordinates that differ by less than 32,768, arithmetic is in 32-bit
 * integers, with identical results.
 */
#ifndef WARPTOUR_SYMMETRIC_SPAN
#define WARPTOUR_SYMMETRIC_SPAN

#include "papers/mavroidis/symmetric.h"

#ifdef INTEGERS
typedef int32 Span;
#define FIXED (1 << 28)
#define BETTER 0
#define KEPT(length) (length)
#define LIMIT(heat) ((heat) < 1e6 ? (Span)((heat) * 22) + 1 : 1 << 27)
#else
typedef real Span;
#define FIXED FIXED_EDGE
#define BETTER (-least)
#define KEPT(length) (kept * (length))
#define LIMIT(heat) ((heat) * (real)22)
#endif

/* Index of a city's coordinates: numbers from n on are duplicates of the last city. */
INLINE int32 named(const Points *p, int32 city) { return city < p->n ? city : p->n - 1; }

#ifdef NORM
/* Length of the edge between two cities whose coordinates differ by dx and dy. */
INLINE Span edge_length(Span dx, Span dy) {
#ifdef INTEGERS
    uint32 square = (uint32)(dx * dx + dy * dy);
    uint32 root = (uint32)(ROUGH_ROOT((float32)square) + 0.5f); /* off by at most 1 */
    if (root && root * (root - 1) >= square) root--;
    if (root * (root + 1) < square) root++;
    return (Span)root;
#else
    return rounded(ROUNDING, sqrt(dx * dx + dy * dy));
#endif
}
#endif

#endif
