/* Trips, in builds with TRIPS: a vehicle comes back to a depot, a dock, to be loaded and to go out again.
 *
 *     depot  a b c  R  d e  R'  f  depot
 *
 * R and R' are nodes that stand for a dock; as many as can be of use are at its place, and those in no route are idle. They come
 * into a route with the first customer behind or before them (recreate.h), and leave it here once two trips can be one.
 */
#ifndef WARPTOUR_ROUTES_TRIPS
#define WARPTOUR_ROUTES_TRIPS
#include "routes/journal.h"
#ifdef TRIPS

/* Whether reload c of route r can be left out without a higher cost: a trip beside it is empty, or its two are one then. */
INLINE int32 is_needless(Fleet *f, int32 r, int32 c) {
    int32 a = f->prev[c], b = f->next[c];
    if (a == DEPOT || b == DEPOT || is_reload(f, b)) return 1;
    real less = f->back[c] + f->ahead[c] - apart(f, r, a, b), price;
    schedule_route(f, r);
    if (!keeps_times(f, r, a, 0, 0, r, b, r, f->time[r] - less - f->service[c], &price)) return 0;
    return less + f->price[r] - price >= 0;
}

/* Remove needless reloads from all changed routes. */
INLINE void merge_trips(Fleet *f) {
    for (int32 k = 0; k < f->touches; k++) {
        int32 r = f->touched[k], then;
        for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = then) {
            then = f->next[c];
            if (is_reload(f, c) && is_needless(f, r, c)) take_out(f, c);
        }
    }
}

#else
INLINE void merge_trips(Fleet *f) { (void)f; }
#endif
#endif
