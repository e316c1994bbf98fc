// build: timed
/* A step of routes_breed.c alone: the optimal split of an order of customers. */
#include "routes/split.h"

#ifdef TIMED
#define TIMES_PARAMETERS , GLOBAL const real *opens, GLOBAL const real *closes, real longest
#define TIMES_ARGUMENTS , opens, closes, longest
#else
#define TIMES_PARAMETERS
#define TIMES_ARGUMENTS
#endif

/* giant receives the routes, counts[0] its length. table: m by m distances. Other parameters as in LocalSearch. */
KERNEL(routes_split, int32 m, int32 slots, GLOBAL const int32 *tour, GLOBAL const real *table, GLOBAL const real *home,
       GLOBAL const real *demand, GLOBAL const real *service, real capacity, real limit, GLOBAL const real *travel2,
       GLOBAL const real *service2, real limit2, real fixed, real per_load, real per_time, real per_time2, real most,
       GLOBAL real *best, GLOBAL int32 *from, GLOBAL int32 *giant, GLOBAL int64 *counts TIMES_PARAMETERS) {
    Cut c = {m, tour, table, home, demand, service, capacity, limit, fixed, per_load, per_time, most,
             travel2, service2, limit2, per_time2 TIMES_ARGUMENTS};
    counts[0] = split_tour(&c, slots, best, from, giant);
}
