/* A step of routes_breed.c alone: order crossover. */
#include "routes/cross.h"

KERNEL(routes_cross, int32 n, GLOBAL const int32 *one, GLOBAL const int32 *other, uint64 seed, uint64 stream,
       GLOBAL int32 *taken, GLOBAL int32 *child) {
    Dice d = {random_key(seed, stream), 0};
    cross_orders(&d, n, one, other, taken, child);
}
