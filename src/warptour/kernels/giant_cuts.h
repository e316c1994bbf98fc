/* Cuts: the edges that moves need to remove, and bounds on the gains of moves that remove them.
 *
 * Between copies of the depot it does not matter which edge is removed: moving a cut back by one edge of such a run
 * changes neither cost nor feasibility, as long as no other cut is in the way. So only the first two edges of a run are
 * cuts, the second for moves that take a single copy out of it.
 *
 * Bounds are in float32: removed edges less lower bounds on new ones. An edge between two copies of the depot empties a
 * route, which has a price: the fixed cost of a route, and the penalty while there are too many.
 */
#ifndef WARPTOUR_GIANT_CUTS
#define WARPTOUR_GIANT_CUTS

#include "giant_tour.h"

typedef struct {
    int32 count;
    GLOBAL const int32 *edge;                   /* position of the first end */
    GLOBAL const float32 *ux, *uy, *vx, *vy;    /* its ends */
    GLOBAL const int32 *u, *v;                  /* their places */
    GLOBAL const float32 *length;               /* less the price, between copies of the depot */
    GLOBAL const float32 *least;                /* lower bounds on distances by places, in metrics without coordinates */
    float32 price, error;                       /* of an emptied route; of a distance in float32 */
    int32 places;
} Cuts;

#define CUTS_PARAMETERS                                                                                          \
    GLOBAL const int32 *RESTRICT cut, GLOBAL const float32 *RESTRICT ends, GLOBAL const int32 *RESTRICT end_places, \
        GLOBAL const float32 *RESTRICT least, GLOBAL const float32 *RESTRICT prices
/* `ends` and `end_places` have rows of `edges` numbers: ux, uy, vx, vy and length; u and v. */
#define CUTS_STRUCT(c)                                                                                     \
    Cuts c = {state[CUTS], cut, ends, ends + edges, ends + 2 * edges, ends + 3 * edges, end_places,        \
              end_places + edges, ends + 4 * edges, least, prices[0], prices[1], customers + 1}

typedef struct {
    float32 x, y;
    int32 place;
} End;

INLINE End u_of(const Cuts *c, int32 k) {
    End end = {c->ux[k], c->uy[k], c->u[k]};
    return end;
}
INLINE End v_of(const Cuts *c, int32 k) {
    End end = {c->vx[k], c->vy[k], c->v[k]};
    return end;
}

/* Lower bound on the distance between two ends, less the price if both are the depot. */
INLINE float32 bound(const Cuts *c, End a, End b) {
#ifdef NORM
    float32 dx = a.x - b.x, dy = a.y - b.y, apart = ROUGH_ROOT(dx * dx + dy * dy) - c->error;
#if ROUNDING == NEAREST
    apart = ROUND_ONE(apart);
#elif ROUNDING == CEILING
    apart = ceil(apart);
#endif
#else
    float32 apart = c->least[(int64)a.place * c->places + b.place] - c->error;
#endif
    return a.place + b.place == 0 ? apart - c->price : apart;
}

/* The best move so far. */
typedef struct {
    float64 gain;
    int64 rank;
    float32 known; /* a gain that some feasible move reaches */
} Best;

#define NO_RANK 0x7fffffffffffffff
#define FIRST_BEST(state) {0, NO_RANK, FLOAT_OF_BITS(LATEST((state) + KNOWN))}

INLINE int64 rank_of(const Tour *t, Move m) {
    int64 n = t->edges, rank = m.x * n + m.y;
    return m.p == TWO_OPT ? rank : n * n + 4 * (rank * n + m.z) + m.p;
}

/* A float32 of at most `gain`. */
INLINE int32 bits_below(float64 gain) {
    float32 rough = (float32)gain;
    int32 bits = (int32)BITS_OF_FLOAT(rough);
    return (float64)rough > gain ? bits - 1 : bits;
}

/* Evaluate a move whose bound reaches the best: keep it if it is feasible and better. */
INLINE void consider(const Tour *t, Move m, GLOBAL int32 *state, Best *best) {
    float64 error, gain = gain_of(t, m, &error);
    int64 rank = rank_of(t, m);
    if (gain <= t->threshold + error || gain < best->gain || (gain == best->gain && rank >= best->rank)) return;
    if (!keeps_resources(t, m)) return;
    best->gain = gain, best->rank = rank;
    int32 bits = bits_below(gain);
    if (FLOAT_OF_BITS(bits) > best->known) best->known = FLOAT_OF_BITS(bits);
    RAISE(state + KNOWN, bits);
}

/* Which cut of a move is k: the last, the first, or the one between i and j. A 2-opt move has two. */
#define BEYOND 0
#define BEFORE 1
#define INSIDE 2

INLINE Move move_of(const Cuts *c, int32 i, int32 j, int32 k, int32 side, int32 p) {
    Move m = {c->edge[i], c->edge[j], c->edge[k], p};
    if (p == TWO_OPT) m.y = m.z;
    if (side == BEFORE) m.x = c->edge[k], m.y = c->edge[i], m.z = c->edge[j];
    if (side == INSIDE) m.y = c->edge[k], m.z = c->edge[j];
    return m;
}

#if LANES == 1
#define CHUNK 64 /* cuts whose bounds are tested together: the compiler vectorises that */
#else
#define CHUNK 1
#endif

/* Consider the moves that join `a` to the first end of cut k and `b` to the second, for all k from `first` to `last` - 1
 * and with the given gain before that. */
INLINE void scan_cuts(const Tour *t, const Cuts *c, End a, End b, float32 before, int32 first, int32 last, int32 i,
                      int32 j, int32 side, int32 p, GLOBAL int32 *state, Best *best) {
    for (int32 begin = first + LANE * CHUNK; begin < last; begin += LANES * CHUNK) {
        int32 end = begin + CHUNK < last ? begin + CHUNK : last, some = 0;
        float32 known = best->known - before;
        for (int32 k = begin; k < end; k++)
            some |= c->length[k] - bound(c, a, u_of(c, k)) - bound(c, b, v_of(c, k)) >= known;
        if (!some) continue;
        for (int32 k = begin; k < end; k++)
            if (c->length[k] - bound(c, a, u_of(c, k)) - bound(c, b, v_of(c, k)) >= best->known - before)
                consider(t, move_of(c, i, j, k, side, p), state, best);
    }
}

/* Store the best move of a group, from place `slot` on. */
#define STORE_BEST(best)                    \
    BEST_OF_LANES((best).gain, (best).rank); \
    if (LANE == 0) gains[slot + GROUP] = (best).gain, ranks[slot + GROUP] = (best).rank

#endif
