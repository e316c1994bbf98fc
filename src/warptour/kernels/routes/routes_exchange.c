/* A step of routes_breed.c alone: exchange of routes. counts[0] receives the length of the child. */
#include "routes/exchange.h"

KERNEL(routes_exchange, int32 m, GLOBAL const int32 *one, int32 one_size, GLOBAL const int32 *other, int32 other_size,
       uint64 seed, uint64 stream, GLOBAL int32 *work, GLOBAL int32 *child, GLOBAL int64 *counts) {
    Dice d = {random_key(seed, stream), 0};
    counts[0] = exchange_routes(&d, m, one, one_size, other, other_size, work, child);
}
