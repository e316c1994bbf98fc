/* A random number stream: its key, and the number of draws so far. */
#ifndef WARPTOUR_DICE
#define WARPTOUR_DICE
#include "common/random.h"

typedef struct {
    uint64 key, counter;
} Dice;

INLINE uint32 throw_below(Dice *d, int32 bound) { return random_below(d->key, &d->counter, (uint32)bound); }

/* Return a uniform number in (0, 1]. */
INLINE real throw_unit(Dice *d) {
    uint32 bits = random_bits(d->key, d->counter);
    d->counter += 1;
    return ((real)bits + 1) * (real)(1.0 / 4294967296.0);
}

/* Shuffle a list (Fisher-Yates). */
INLINE void in_random_order(Dice *d, GLOBAL int32 *list, int32 count) {
    for (int32 k = count - 1; k > 0; k--) {
        int32 j = (int32)throw_below(d, k + 1), held = list[k];
        list[k] = list[j], list[j] = held;
    }
}

#endif
