/* The places of a tour, and what symmetric 2-opt in EUC_2D and CEIL_2D asks about them: quickly a length that no distance
 * is below, and exact ones.
 *
 * Coordinates are whole and differ by less than 32,768. Built with -DFRACTIONS, for all others, exact distances are in
 * float64.
 */
#ifndef WARPTOUR_SYMMETRIC_RING
#define WARPTOUR_SYMMETRIC_RING

#include "symmetric.h"

/* Lengths are whole numbers above ZERO: adding it to a float below 2^22 rounds, and leaves the outcome in its bits. */
#define ZERO 0x4B400000u
#define ROUNDER 12582912.0f
#define GLUE (1u << 28)
#define SHORTER 0.99999952f /* 1 - 2^-21: more than what a root in float32 may be too long */

typedef struct ALIGNED(16) {
    float32 x, y;
    uint32 edge; /* to the next place */
    int32 city;
} Place;

#if LANES > 1
#define TIMES_PLUS(a, b, c) fmaf(a, b, c)
#else
#define TIMES_PLUS(a, b, c) ((a) * (b) + (c))
#endif

typedef struct {
    NEAR Place *at;
    int32 m;
    float32 margin; /* error of a distance in float32, beside what grows with it */
} Ring;

INLINE int32 following(int32 m, int32 k) { return k + 1 < m ? k + 1 : 0; }
INLINE int32 preceding(int32 m, int32 k) { return k > 0 ? k - 1 : m - 1; }
INLINE int32 wrapped(int32 m, int32 k) {
    k = k < m ? k : k - m;
    return k < m ? k : k - m;
}

#if defined(ROUNDING) && ROUNDING == CEILING
#define ROUNDS_UP 1
#else
#define ROUNDS_UP 0
#endif

/* A distance as the metric rounds it: now and then one too short, never too long. */
INLINE uint32 at_least(float32 ax, float32 ay, float32 bx, float32 by, float32 margin) {
    float32 dx = ax - bx, dy = ay - by;
    float32 far = ROUGH_ROOT(TIMES_PLUS(dx, dx, dy * dy));
#ifdef FRACTIONS
    far -= margin;
#else
    (void)margin;
#endif
#if ROUNDS_UP
    return BITS_OF_FLOAT(TIMES_PLUS(far, SHORTER, 0.4999f) + ROUNDER);
#else
    return BITS_OF_FLOAT(TIMES_PLUS(far, SHORTER, ROUNDER));
#endif
}

/* The distance of the cities at two places. */
INLINE int32 apart(const Points *p, const Ring *r, int32 i, int32 k) {
#ifdef FRACTIONS
    int32 a = r->at[i].city, b = r->at[k].city;
    a = a < p->n ? a : p->n - 1, b = b < p->n ? b : p->n - 1;
    float64 dx = p->x[a] - p->x[b], dy = p->y[a] - p->y[b];
    return ROUNDS_UP ? (int32)ceil(sqrt(dx * dx + dy * dy)) : (int32)floor(sqrt(dx * dx + dy * dy) + 0.5);
#else
    (void)p;
    int32 dx = (int32)(r->at[i].x - r->at[k].x), dy = (int32)(r->at[i].y - r->at[k].y);
    int32 square = dx * dx + dy * dy;
    int32 root = (int32)(ROUGH_ROOT((float32)square) + 0.5f); /* one off at most, which its square tells */
    int32 over = root * root - square;
    if (ROUNDS_UP) return over < 0 ? root + 1 : over > 0 && over >= 2 * root - 1 ? root - 1 : root;
    if (over > 0 && over >= root) return root - 1;
    return over < -root ? root + 1 : root;
#endif
}

/* Lays a tour along the ring, with the lengths of its edges; the one between a city and its double is glued. */
INLINE void lay_ring(const Points *p, GLOBAL const int32 *tour, const Ring *r) {
    for (int32 k = LANE; k < r->m; k += LANES) {
        int32 city = tour[k], there = city < p->n ? city : p->n - 1;
        r->at[k].x = (float32)(p->x[there] - p->x[0]), r->at[k].y = (float32)(p->y[there] - p->y[0]);
        r->at[k].city = city;
    }
    SYNC_LANES();
    for (int32 k = LANE; k < r->m; k += LANES) {
        int32 next = following(r->m, k), glued = r->at[k].city >= p->n - 1 && r->at[next].city >= p->n - 1;
        r->at[k].edge = glued ? ZERO - GLUE : ZERO + (uint32)apart(p, r, k, next);
    }
    SYNC_LANES();
}

/* What decides on moves at a temperature. */
typedef struct {
    int32 limit; /* nothing that adds so much is made: 2^-32 = exp(-22.18) */
    real scale;  /* log2(e) / temperature */
    uint64 key;
} Choice;

/* At no temperature only moves that shorten the tour are made. */
INLINE void set_heat(Choice *choice, real heat) {
    choice->limit = heat > 0 ? (heat < 1e6 ? (int32)(heat * 22) + 1 : 1 << 27) : 0;
    choice->scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
}

/* Whether a move that adds `rise` at least has a random number that rules it out; most of those are told here. */
INLINE int32 ruled_out(int32 rise, const Choice *choice, uint64 counter) {
    if (rise >= choice->limit) return 1;
    if (rise <= 0) return 0;
    float32 bits = (float32)rise * (float32)choice->scale * 0.999999f;
    if (bits >= 31) return 1;
    int32 whole = (int32)bits;
    return whole > 0 && random_bits(choice->key, counter) >> (32 - whole);
}

/* The lowest bit's number. */
INLINE int32 lowest_bit(uint32 bits) { return (int32)(BITS_OF_FLOAT((float32)(bits & (~bits + 1))) >> 23) - 127; }

#endif
