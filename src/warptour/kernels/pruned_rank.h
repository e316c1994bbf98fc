/* Gains and ranks of the moves that a pruned search has found. A move (i, j) has the rank i * n + j. */
#ifndef WARPTOUR_PRUNED_RANK
#define WARPTOUR_PRUNED_RANK

#include "metric.h"

#define NO_RANK 0x7fffffffffffffffLL

INLINE int32 place_after(int32 p, int32 n) { return p + 1 < n ? p + 1 : 0; }

/* Gains known so far, rounded down to float32, as order-preserving bits. */
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
