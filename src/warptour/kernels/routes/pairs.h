/* Shipments, in builds with PAIRS: a pickup and its delivery are on one route, the pickup first.
 *
 * Ruin removes both ends of a shipment, recreate inserts both together, and all other moves are checked by a walk along what
 * they make. With `below`, goods are unloaded last in, first out: they are a stack.
 */
#ifndef WARPTOUR_ROUTES_PAIRS
#define WARPTOUR_ROUTES_PAIRS
#include "routes/loads.h"

/* Return a number whose sum over some customers is 0 if none of them is parted from the other end of its shipment. */
INLINE int32 lonely_ends(const Fleet *f, int32 c) {
#ifdef PAIRS
    return f->mate[c] > 0 ? c : f->mate[c];
#else
    return (void)f, (void)c, 0;
#endif
}

#ifdef PAIRS

/* Whether a route of these customers has both ends of their shipments, in order. */
INLINE int32 keeps_pairs(Fleet *f, GLOBAL const int32 *visits, int32 count) {
    int32 open = 0, top = DEPOT; /* of the stack: the pickup of the goods in front */
    f->walk++;
    for (int32 k = 0; k < count; k++) {
        int32 mate = f->mate[visits[k]];
        if (f->below && mate < 0 && top != -mate) return 0;
        if (f->below && mate > 0) f->below[visits[k]] = top, top = visits[k];
        if (f->below && mate < 0) top = f->below[-mate];
        if (mate > 0) f->met[visits[k]] = f->walk, open++;
        if (mate < 0 && f->met[-mate] != f->walk) return 0;
        open -= mate < 0;
    }
    return !open;
}

#endif
#endif
