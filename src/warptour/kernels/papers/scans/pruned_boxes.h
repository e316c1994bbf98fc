/* The boxes of a pruned search (pruned.h), and the gains and ranks of the moves it finds: (i, j) has rank i * n + j. */
#ifndef WARPTOUR_PRUNED_BOXES
#define WARPTOUR_PRUNED_BOXES

#include "common/metric.h"

#define FAN 32 /* nodes per leaf and boxes per larger box; a multiple of LANES where lanes search */
#define MAX_LEVELS 6
#define NO_RANK 0x7fffffffffffffffLL

typedef struct {
    GLOBAL const float64 *low_x, *low_y, *high_x, *high_y; /* level by level, from the leaves */
    int32 begin[MAX_LEVELS];                               /* first box of each level */
    int32 levels;
} Boxes;

/* Return the boxes of `n` nodes; a level has a whole number of FANs, the last one exactly one. */
INLINE Boxes boxes_of(GLOBAL const float64 *box, int32 boxes, int32 n) {
    Boxes b;
    b.low_x = box, b.low_y = box + boxes, b.high_x = box + 2 * boxes, b.high_y = box + 3 * boxes;
    b.levels = 0;
    int32 first = 0, count = n;
    do {
        count = (count + FAN * FAN - 1) / (FAN * FAN) * FAN;
        b.begin[b.levels++] = first, first += count;
    } while (count > FAN);
    return b;
}

/* Return the square of the distance from a point to a box. */
INLINE float64 squared_gap(const Boxes *b, int32 box, float64 x, float64 y) {
    float64 left = b->low_x[box] - x, right = x - b->high_x[box], down = b->low_y[box] - y, up = y - b->high_y[box];
    float64 dx = left > right ? left : right, dy = down > up ? down : up;
    dx = dx > 0 ? dx : 0, dy = dy > 0 ? dy : 0;
    return dx * dx + dy * dy;
}

/* Return the maximum of the values of a box's children; the last boxes of a level have none. */
INLINE float64 longest_of_fan(GLOBAL const float64 *values, int32 box, int32 children) {
    float64 most = 0;
    for (int32 k = box * FAN; k < (box + 1) * FAN && k < children; k++) most = values[k] > most ? values[k] : most;
    return most;
}

INLINE int32 place_after(int32 p, int32 n) { return p + 1 < n ? p + 1 : 0; }
INLINE int32 place_before(int32 p, int32 n) { return p > 0 ? p - 1 : n - 1; }

/* A gain rounded down to float32, as bits in the same order. */
INLINE int32 gain_bits(float64 gain) {
    float32 rough = (float32)gain;
    int32 bits = (int32)BITS_OF_FLOAT(rough);
    return (float64)rough > gain ? bits - 1 : bits;
}

/* Return where the reversal of positions i + 1 to j takes edge p; -1 if it is removed. */
INLINE int32 edge_after(int32 p, int32 i, int32 j) {
    if (p == i || p == j) return -1;
    return i < p && p < j ? i + j - p : p;
}

/* Return the rank of a move (p, q) after the move (i, j), which preserves its gain if it reverses both of its edges or
 * neither; NO_RANK if it does not. */
INLINE int64 rank_after(int64 rank, int32 i, int32 j, int32 n) {
    if (rank == NO_RANK || i == j) return rank;
    int32 p = (int32)(rank / n), q = (int32)(rank % n), a = edge_after(p, i, j), b = edge_after(q, i, j);
    if (a < 0 || b < 0 || (i < p && p < j) != (i < q && q < j)) return NO_RANK;
    return a < b ? (int64)a * n + b : (int64)b * n + a;
}

#endif
