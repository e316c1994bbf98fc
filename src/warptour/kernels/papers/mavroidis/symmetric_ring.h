/* Distances for symmetric 2-opt in EUC_2D and CEIL_2D: fast lower bounds in float32, and exact values.
 *
 * Coordinates are integers that differ by less than 32,768. With -DFRACTIONS they are arbitrary, and exact distances
 * are computed in float64.
 */
#ifndef WARPTOUR_SYMMETRIC_RING
#define WARPTOUR_SYMMETRIC_RING

#include "papers/mavroidis/symmetric.h"

/* Lengths are stored as integers offset by ZERO, the bit pattern of ROUNDER = 1.5 * 2^23: adding ROUNDER to a float32
 * below 2^22 rounds it to an integer in the low bits of the sum. */
#define ZERO 0x4B400000u
#define ROUNDER 12582912.0f
#define GLUE (1u << 28) /* more than any move changes the length: makes a move impossible */
#define SHORTER 0.99999952f /* 1 - 2^-21: outweighs the error of a float32 root, so that no distance is too long */

typedef struct ALIGNED(16) {
    float32 x, y;
    uint32 edge; /* length of the edge to the next position, plus ZERO */
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
    float32 margin; /* absolute error of a float32 distance; the relative error is covered by SHORTER */
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

/* Lower bound of the distance as rounded by the metric, plus ZERO: occasionally 1 too short, never too long. */
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

/* Exact distance between the cities at two positions. */
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
    int32 root = (int32)(ROUGH_ROOT((float32)square) + 0.5f); /* off by at most 1, corrected by comparing squares */
    int32 over = root * root - square;
    if (ROUNDS_UP) return over < 0 ? root + 1 : over > 0 && over >= 2 * root - 1 ? root - 1 : root;
    if (over > 0 && over >= root) return root - 1;
    return over < -root ? root + 1 : root;
#endif
}

/* Load a tour into the ring, with its edge lengths; the edge between a city and its duplicate is fixed by GLUE. */
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

/* Acceptance parameters at one temperature. */
typedef struct {
    int32 limit; /* moves that add at least this are rejected: acceptance probability about 2^-32 = exp(-22.18) */
    real scale;  /* log2(e) / temperature */
    uint64 key;
} Choice;

/* At temperature 0 only improving moves are accepted. */
INLINE void set_heat(Choice *choice, real heat) {
    choice->limit = heat > 0 ? (heat < 1e6 ? (int32)(heat * 22) + 1 : 1 << 27) : 0;
    choice->scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
}

/* Whether a move that adds at least `rise` is certain to be rejected; a quick test that catches most rejections. */
INLINE int32 ruled_out(int32 rise, const Choice *choice, uint64 counter) {
    if (rise >= choice->limit) return 1;
    if (rise <= 0) return 0;
    float32 bits = (float32)rise * (float32)choice->scale * 0.999999f;
    if (bits >= 31) return 1;
    int32 whole = (int32)bits;
    return whole > 0 && random_bits(choice->key, counter) >> (32 - whole);
}

/* Index of the lowest set bit. */
INLINE int32 lowest_bit(uint32 bits) { return (int32)(BITS_OF_FLOAT((float32)(bits & (~bits + 1))) >> 23) - 127; }

#endif
