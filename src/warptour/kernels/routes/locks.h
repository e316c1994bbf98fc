/* What a plan under way fixes, in builds with MIXED: which stops keep their order, and what it costs to change vehicles.
 *
 * Along a route ranks never fall: those of stops that come first are below 0, those of stops that come last above, and all
 * others have 0. Nor do turns, which order some of the stops, whatever comes between; those without have 0.
 */
#ifndef WARPTOUR_ROUTES_LOCKS
#define WARPTOUR_ROUTES_LOCKS
#ifdef MIXED

/* As Kinds.locks in routes/engine/kinds.py, each per node: home, the kind of the vehicle that a stop is planned for, or -1. */
typedef struct {
    GLOBAL const int32 *home, *rank, *turn; /* home: null if nothing is locked */
} Locks;

INLINE Locks locks_of(GLOBAL const int32 *words, int32 m) {
    Locks l = {words, words ? words + m : words, words ? words + 2 * (int64)m : words};
    return l;
}

/* Return what the changes of a vehicle's route of `count` stops cost, `change` each, or UNREACHED if they break an order. */
INLINE real locked_price(const Locks *l, int32 kind, real change, GLOBAL const int32 *visits, int32 count) {
    int32 turn = 0, changes = 0;
    for (int32 k = 0; k < count; k++) {
        int32 c = visits[k];
        if (k && l->rank[c] < l->rank[visits[k - 1]]) return UNREACHED;
        if (l->turn[c] && l->turn[c] < turn) return UNREACHED;
        if (l->turn[c]) turn = l->turn[c];
        changes += l->home[c] >= 0 && l->home[c] != kind;
    }
    return changes * change;
}

#endif
#endif
