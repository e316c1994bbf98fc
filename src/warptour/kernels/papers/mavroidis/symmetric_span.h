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

/* The cities at the places of a row or of buffers. */
typedef struct {
    NEAR Span *x, *y; /* planar builds only */
    NEAR int32 *city;
} Cities;

INLINE void put_city(const Points *p, const Cities *c, int32 k, int32 city) {
    (void)p;
    c->city[k] = city;
#ifdef NORM
    c->x[k] = (Span)p->x[named(p, city)], c->y[k] = (Span)p->y[named(p, city)];
#endif
}

INLINE void copy_city(const Cities *c, int32 to, int32 from) {
    c->city[to] = c->city[from];
#ifdef NORM
    c->x[to] = c->x[from], c->y[to] = c->y[from];
#endif
}

INLINE void swap_cities(const Cities *c, int32 i, int32 k) {
    int32 city = c->city[i];
    c->city[i] = c->city[k], c->city[k] = city;
#ifdef NORM
    Span x = c->x[i], y = c->y[i];
    c->x[i] = c->x[k], c->y[i] = c->y[k];
    c->x[k] = x, c->y[k] = y;
#endif
}

INLINE Span apart(const Points *p, const Cities *c, int32 i, int32 k) {
#ifdef NORM
    (void)p;
    return edge_length(c->x[i] - c->x[k], c->y[i] - c->y[k]);
#else
    return between(p, named(p, c->city[i]), named(p, c->city[k]));
#endif
}

/* Length of a tour edge; the one between a city and its duplicate is fixed. */
INLINE Span edge_between(const Points *p, const Cities *c, int32 i, int32 k) {
    int32 fixed = c->city[i] >= p->n - 1 && c->city[k] >= p->n - 1;
    return fixed ? -FIXED : apart(p, c, i, k);
}

#endif
