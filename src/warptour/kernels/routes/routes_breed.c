// build: general, timed, mixed, branches, native
/* Offspring of hybrid genetic search (Vidal 2022), by all threads at once: two parents are crossed and the child is split
 * into routes; with windows it has routes of both instead. It descends to a local optimum and, if that is infeasible and
 * it is to be repaired, once more at stricter penalties. */
#include "routes/descent.h"
#include "routes/cross.h"
#include "routes/exchange.h"
#include "routes/split.h"
#include "routes/by_angle.h"

#define EAGER 1e9 /* what random individuals serve is worth so many times its prize at first */

/* Workspace of a thread. ints: order, m + slots long; work, 4 * m; child and found, each 2 * m; begins, slots;
 * cells, 4 * slots * m; from, (slots + 1) * m. reals: turns, slots long; places, 3 * slots * m + 2 * m; best, (slots + 1) * m. */
typedef struct {
    GLOBAL int32 *order, *work, *child, *found, *begins, *from;
    GLOBAL real *turns, *best;
    Places places;
} Room;

INLINE Room room_of(int64 m, int64 slots, GLOBAL int32 *ints, GLOBAL real *reals) {
    Room w;
    int64 all = slots * m;
    w.order = ints, w.work = w.order + m + slots, w.child = w.work + 4 * m, w.found = w.child + 2 * m;
    w.begins = w.found + 2 * m, w.from = w.begins + slots;
    w.turns = reals, w.best = w.turns + slots;
    GLOBAL int32 *cells = w.from + (slots + 1) * m;
    GLOBAL real *places = w.best + (slots + 1) * m;
    Places p = {cells, cells + all, places, places + 3 * all, places + 3 * all + m};
    w.places = p;
    return w;
}

/* Copy the customers of a giant tour, in its order. */
INLINE void customers_of(GLOBAL const int32 *giant, int32 size, GLOBAL int32 *tour) {
    for (int32 k = 0; k < size; k++)
        if (giant[k] != 0) *tour++ = giant[k];
}

#ifndef MIXED
/* Write to w->child the routes of which `tour` is the order; return the length. */
INLINE int32 split_child(const LocalSearch *s, const Room *w, GLOBAL const int32 *tour, GLOBAL const real *home, real most) {
    Cut c = {s->m, tour, s->own.table, home, s->demand, s->own.service, s->capacity, s->own.limit, s->fixed,
             s->per_load, s->own.price, most, s->second.table, SECOND(s) ? s->second.service : 0, s->second.limit,
             s->second.price
#ifdef TIMED
             , s->opens, s->closes, s->longest
#endif
    };
    return split_tour(&c, s->slots, w->best, w->from, w->child);
}
#endif

/* Make offspring number `turn`, turn + 1, ... until all `births` have been begun by some thread.
 *
 * home: travel back to the depot. most: see Cut. spots: x and y of each node, or null. per_load, per_time, per_time2:
 * penalties, which factors multiply for each birth; stricter: their factor for a repair. parents: two rows of `pool` for
 * each birth; two rows of -1 stand for a random order of customers, -1 as the second for routes that descend as they are.
 * repairs: whether to repair. sizes: length of each giant tour in `pool`, which are 2 * m apart. Child k becomes number
 * 2 * k of `giants`, likewise, and what its repair gives, if it is feasible, number 2 * k + 1; else that has size 0.
 * costs: four per child, as of descend(). */
KERNEL(routes_breed, ROUTES_PARAMETERS, GLOBAL const real *home, real most, GLOBAL const real *spots, real per_load,
       real per_time, real per_time2, real stricter, uint64 seed, uint64 born, int32 rounds, int64 births,
       GLOBAL int64 *turn, GLOBAL const int32 *parents, GLOBAL const real *factors, GLOBAL const int32 *repairs,
       GLOBAL const int32 *pool, GLOBAL const int32 *sizes, GLOBAL int32 *ints, GLOBAL real *reals,
       GLOBAL int32 *giants, GLOBAL int32 *lengths, GLOBAL real *costs) {
    LocalSearch s = routes_of(ROUTES_ARGUMENTS);
    Room w = room_of(s.m, s.slots, ints, reals);
    int64 row = 2 * (int64)s.m;
    for (int64 k = FETCH_ADD(turn, 1); k < births; k = FETCH_ADD(turn, 1)) {
        int32 a = parents[2 * k], b = parents[2 * k + 1], customers = s.m - 1, size = 0;
        uint64 stream = 3 * (born + (uint64)k);
        Dice d = {random_key(seed, stream), 0};
        s.per_load = factors[k] * per_load, s.own.price = factors[k] * per_time, s.second.price = factors[k] * per_time2;
        GLOBAL const int32 *one = pool + (a < 0 ? 0 : a) * row, *other = pool + (b < 0 ? 0 : b) * row;
        GLOBAL int32 *tour = w.work;
        real times = 1;
#ifdef MIXED
        (void)home, (void)most, (void)customers, (void)tour;
        if (a < 0) times = EAGER;
        else if (b < 0)
            for (size = 0; size < sizes[a]; size++) w.child[size] = one[size];
        else size = exchange_routes(&d, s.m, one, sizes[a], other, sizes[b], w.work, w.child);
#else
        if (a < 0) {
            for (int32 c = 1; c < s.m; c++) tour[c - 1] = c;
            in_random_order(&d, tour, customers);
            size = split_child(&s, &w, tour, home, most);
        } else if (b < 0) {
            for (size = 0; size < sizes[a]; size++) w.child[size] = one[size];
            if (size - customers > s.slots) {
                customers_of(one, size, tour);
                size = split_child(&s, &w, tour, home, most);
            }
        } else {
#ifdef TIMED
            size = exchange_routes(&d, s.m, one, sizes[a], other, sizes[b], w.work, w.child);
#else
            GLOBAL int32 *second = tour + s.m, *taken = tour + 2 * s.m;
            customers_of(one, sizes[a], tour), customers_of(other, sizes[b], second);
            cross_orders(&d, customers, tour, second, taken, w.found);
            size = split_child(&s, &w, w.found, home, most);
#endif
        }
#endif
        for (int32 repaired = 0; repaired < 2; repaired++) {
            int64 at = 2 * k + repaired;
            GLOBAL real *found = costs + 4 * at;
            Dice e = {random_key(seed, stream + 1 + (uint64)repaired), 0};
            size = descend(&s, &e, &w.places, w.child, size, times, w.order, rounds, w.found, found);
            int32 feasible = found[1] == 0 && found[2] == 0 && found[3] == 0;
            lengths[at] = repaired && !feasible ? 0 : size;
            if (spots) order_by_angle(spots, w.found, size, w.turns, w.begins, giants + at * row);
            else
                for (int32 j = 0; j < size; j++) giants[at * row + j] = w.found[j];
            if (repaired || feasible || !repairs[k]) {
                if (!repaired) lengths[at + 1] = 0;
                break;
            }
            for (int32 j = 0; j < size; j++) w.child[j] = w.found[j];
            s.per_load *= stricter, s.own.price *= stricter, s.second.price *= stricter;
        }
    }
}
