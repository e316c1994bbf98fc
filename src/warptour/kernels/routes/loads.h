/* Loads along routes, in builds with PAIRS: what customers get from the depot, give for it, or send to one another.
 *
 *     load at the start     what the customers get from there: demand, and in further dimensions amounts of sums
 *     load behind a stop    changed by what is unloaded or picked up there
 *
 * A piece of a route has three numbers per dimension, and those of two pieces follow from theirs in constant time, as in
 * Vidal, Crainic, Gendreau and Prins (2014). `load_heads` and `load_tails` have those of each route that is `timed`.
 *
 * With backhauls, all deliveries of a route come before its pickups; `strict` forbids routes of pickups alone, too.
 */
#ifndef WARPTOUR_ROUTES_LOADS
#define WARPTOUR_ROUTES_LOADS
#include "routes/routes.h"
#include "routes/sums.h"
#ifdef PAIRS

#define BRINGS 1 /* what is done on a piece: there are deliveries, pickups for the depot, and a delivery behind a pickup */
#define TAKES 2
#define CROSSED 4
#ifdef TRIPS
#define NO_LOAD {0, 0, 0, 0, 0, 0, 0}
#else
#define NO_LOAD {0, 0, 0}
#endif

/* Return what c adds in dimension k to the load at the start, and how its stop changes the load. */
#ifdef TRIPS
INLINE real loaded_for(const Fleet *f, int32 c, int32 k) { return f->brings[(int64)k * f->m + c]; }
#else
INLINE real loaded_for(const Fleet *f, int32 c, int32 k) { return k ? amount_of(f, c, k - 1) : f->demand[c]; }
#endif
INLINE real change_at(const Fleet *f, int32 c, int32 k) { return f->change[(int64)k * f->m + c]; }

/* Return how much the vehicle of route r carries, and the load behind stop a of it. */
INLINE real room_of(const Fleet *f, int32 r, int32 k) { return k ? most_of(f, r, k - 1) : capacity_of(f, r); }
INLINE real aboard_behind(const Fleet *f, int32 r, int32 a, int32 k) {
    real start = k ? sum_of(f, r, k - 1) : f->load[r];
    if (a == DEPOT) return start;
    GLOBAL const Load *head = f->load_heads + (int64)k * f->m + a;
    return start - head->brought + head->left;
}

INLINE Load load_at(const Fleet *f, int32 c, int32 k) {
    real brought = loaded_for(f, c, k), left = brought + change_at(f, c, k);
    Load load = NO_LOAD;
    load.brought = brought, load.left = left, load.peak = brought > left ? brought : left;
#ifdef TRIPS
    load.reloads = is_reload(f, c);
#endif
    return load;
}

/* Return the load of piece a with piece b behind it: on a the goods for b are on board, on b what is left of a. Across a
 * reload neither is. */
INLINE Load joined_loads(Load a, Load b) {
    real before = a.peak + b.brought, behind = a.left + b.peak;
    Load both = a;
    both.brought += b.brought, both.left += b.left, both.peak = before > behind ? before : behind;
#ifdef TRIPS
    if (!b.reloads) return both;
    real brought = a.brought + b.first_brought, peak = a.peak + b.first_brought, last = a.left + b.first_peak;
    both = b, both.reloads = 1;
    if (last > peak) peak = last;
    if (!a.reloads) return both.first_brought = brought, both.first_peak = peak, both;
    both.first_brought = a.first_brought, both.first_peak = a.first_peak;
    if (peak > both.between) both.between = peak;
    if (a.between > both.between) both.between = a.between;
#endif
    return both;
}

/* Return the most that is on board on a route. */
INLINE real most_aboard(Load load) {
    real most = load.peak;
#ifdef TRIPS
    if (load.first_peak > most) most = load.first_peak;
    if (load.between > most) most = load.between;
#endif
    return most;
}

INLINE int32 joined_order(int32 a, int32 b) { return a | b | ((a & TAKES) && (b & BRINGS) ? CROSSED : 0); }
INLINE int32 done_at(const Fleet *f, int32 c) { return f->does ? f->does[c] : 0; }

/* Whether what is done on a route keeps its order. */
INLINE int32 in_order(const Fleet *f, int32 done) { return !(done & CROSSED) && !(f->strict && done == TAKES); }

/* Whether route p up to a, then the `count` customers of `middle`, then q from b on keeps its order and fits into the vehicle
 * of route `driver`. DEPOT as a or b stands for nothing of that route; else it is `timed`. */
INLINE int32 keeps_loads(const Fleet *f, int32 a, const int32 *middle, int32 count, int32 b, int32 driver) {
    for (int32 k = 0; k < f->dimensions; k++) {
        int64 of = (int64)k * f->m;
        Load whole = NO_LOAD;
        if (a != DEPOT) whole = f->load_heads[of + a];
        for (int32 j = 0; j < count; j++) whole = joined_loads(whole, load_at(f, middle[j], k));
        if (b != DEPOT) whole = joined_loads(whole, f->load_tails[of + b]);
        if (most_aboard(whole) > room_of(f, driver, k)) return 0;
    }
    if (!f->does) return 1;
    int32 done = a == DEPOT ? 0 : f->done_to[a];
    for (int32 j = 0; j < count; j++) done = joined_order(done, done_at(f, middle[j]));
    return in_order(f, b == DEPOT ? done : joined_order(done, f->done_from[b]));
}

/* Fill in the loads along route r, and return whether they fit and keep their order. */
INLINE int32 look_aboard(Fleet *f, int32 r) {
    int32 kept = 1, done = 0;
    for (int32 k = 0; k < f->dimensions; k++) {
        int64 of = (int64)k * f->m;
        Load load = NO_LOAD;
        for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c])
            f->load_heads[of + c] = load = joined_loads(load, load_at(f, c, k));
        kept &= most_aboard(load) <= room_of(f, r, k);
        Load none = NO_LOAD;
        load = none;
        for (int32 c = f->size[r] > 0 ? f->last[r] : DEPOT; c != DEPOT; c = f->prev[c])
            f->load_tails[of + c] = load = joined_loads(load_at(f, c, k), load);
    }
    if (!f->does) return kept;
    for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c])
        f->done_to[c] = done = joined_order(done, done_at(f, c));
    kept &= in_order(f, done);
    done = 0;
    for (int32 c = f->size[r] > 0 ? f->last[r] : DEPOT; c != DEPOT; c = f->prev[c])
        f->done_from[c] = done = joined_order(done_at(f, c), done);
    return kept;
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

/* Whether only the loads along a route tell if c fits: goods for the depot are picked up there, or vehicles reload. */
INLINE int32 is_taken_from(const Fleet *f, int32 c) {
    for (int32 k = 0; k < f->dimensions; k++)
        if (load_at(f, c, k).left > 0 || is_reload(f, f->m - 1)) return 1;
    return 0;
}

#endif
#endif
