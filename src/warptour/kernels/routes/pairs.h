/* Shipments, in builds with PAIRS: a pickup and its delivery are on one route, the pickup first, and loads change along it.
 *
 *     load at the start     what the customers get from there: demand, and in further dimensions amounts of sums
 *     load behind a stop    changed by what is unloaded or picked up there
 *
 * `aboard` has the load behind each stop of a route that is `timed`. Ruin removes both ends of a shipment, recreate inserts
 * both together, and all other moves are checked by a walk along what they make.
 */
#ifndef WARPTOUR_ROUTES_PAIRS
#define WARPTOUR_ROUTES_PAIRS
#include "routes/routes.h"
#include "routes/sums.h"

/* Return a number whose sum over some customers is 0 if none of them is parted from the other end of its shipment. */
INLINE int32 lonely_ends(const Fleet *f, int32 c) {
#ifdef PAIRS
    return f->mate[c] > 0 ? c : f->mate[c];
#else
    return (void)f, (void)c, 0;
#endif
}

#ifdef PAIRS

/* Return what c adds in dimension k to the load at the start, and how its stop changes the load. */
INLINE real loaded_for(const Fleet *f, int32 c, int32 k) { return k ? amount_of(f, c, k - 1) : f->demand[c]; }
INLINE real change_at(const Fleet *f, int32 c, int32 k) { return f->change[(int64)k * f->m + c]; }

/* Return how much the vehicle of route r carries, and the load behind stop a of it. */
INLINE real room_of(const Fleet *f, int32 r, int32 k) { return k ? most_of(f, r, k - 1) : capacity_of(f, r); }
INLINE real aboard_behind(const Fleet *f, int32 r, int32 a, int32 k) {
    return a != DEPOT ? f->aboard[(int64)k * f->m + a] : k ? sum_of(f, r, k - 1) : f->load[r];
}

/* Whether a vehicle of route r that serves these customers has both ends of their shipments, in order, and room all along. */
INLINE int32 carries(Fleet *f, int32 r, GLOBAL const int32 *visits, int32 count) {
    int32 open = 0;
    f->walk++;
    for (int32 k = 0; k < count; k++) {
        int32 mate = f->mate[visits[k]];
        if (mate > 0) f->met[visits[k]] = f->walk, open++;
        if (mate < 0 && f->met[-mate] != f->walk) return 0;
        open -= mate < 0;
    }
    if (open) return 0;
    for (int32 j = 0; j < f->dimensions; j++) {
        real load = 0, room = room_of(f, r, j);
        for (int32 k = 0; k < count; k++) load += loaded_for(f, visits[k], j);
        if (load > room) return 0;
        for (int32 k = 0; k < count; k++) {
            load += change_at(f, visits[k], j);
            if (load > room) return 0;
        }
    }
    return 1;
}

/* Fill in the loads along route r, and return whether it keeps its shipments. */
INLINE int32 look_aboard(Fleet *f, int32 r) {
    int32 count = 0;
    for (int32 c = f->first[r]; c != DEPOT; c = f->next[c]) f->visits[count++] = c;
    for (int32 j = 0; j < f->dimensions; j++) {
        real load = 0;
        for (int32 k = 0; k < count; k++) load += loaded_for(f, f->visits[k], j);
        for (int32 k = 0; k < count; k++)
            f->aboard[(int64)j * f->m + f->visits[k]] = load += change_at(f, f->visits[k], j);
    }
    return carries(f, r, f->visits, count);
}

/* Whether the load behind stop a of route r, and the goods of pickup c besides, fit into the vehicle of route `driver`. */
INLINE int32 has_room_behind(const Fleet *f, int32 r, int32 driver, int32 a, int32 c) {
    for (int32 k = 0; k < f->dimensions; k++)
        if (aboard_behind(f, r, a, k) + change_at(f, c, k) > room_of(f, driver, k)) return 0;
    return 1;
}

/* Whether the vehicle of the empty route q carries at least as much as that of r. */
INLINE int32 carries_as_much(const Fleet *f, int32 r, int32 q) {
    for (int32 k = 0; k < f->dimensions; k++)
        if (room_of(f, q, k) < room_of(f, r, k)) return 0;
    return 1;
}

#endif
#endif
