/* Bounds on the gains of moves, by the cuts that they remove.
 *
 * Bounds are in float32: removed edges less lower bounds on new ones. An edge between two copies of the depot empties a
 * route, which has a price: the fixed cost of a route, and the penalty while there are too many. Only moves whose bound
 * reaches the best gain so far are evaluated.
 */
#ifndef WARPTOUR_GIANT_CUTS
#define WARPTOUR_GIANT_CUTS

#include "papers/schulz/giant_tour.h"

typedef struct {
    int32 count;
    GLOBAL const float32 *x, *y;  /* of each node */
    GLOBAL const int32 *place;    /* of each node */
    GLOBAL const float32 *length; /* of each cut, less the price between copies of the depot */
    GLOBAL const float32 *least;  /* lower bounds on distances by places, in metrics without coordinates */
    float32 price, error;         /* of an emptied route; of a distance in float32 */
    int32 places;
} Cuts;

/* `rough` has three rows of edges + 1 numbers: x and y of nodes, lengths of cuts. */
#define CUTS_PARAMETERS \
    GLOBAL const float32 *RESTRICT rough, GLOBAL const float32 *RESTRICT least, GLOBAL const float32 *RESTRICT prices
#define CUTS_STRUCT(c)                                                                                              \
    Cuts c = {state[CUTS], rough, rough + edges + 1, place, rough + 2 * (edges + 1), least, prices[0], prices[1], \
              customers + 1}

typedef struct {
    float32 x, y;
    int32 place;
} End;

INLINE End end_at(const Cuts *c, int32 node) {
    End end = {c->x[node], c->y[node], c->place[node]};
    return end;
}

/* Lower bound on the distance between an end and a node, less the price if both are the depot. */
INLINE float32 bound(const Cuts *c, End a, int32 node) {
#ifdef NORM
    float32 dx = a.x - c->x[node], dy = a.y - c->y[node], apart = ROUGH_ROOT(dx * dx + dy * dy) - c->error;
#if ROUNDING == NEAREST
    apart = ROUND_ONE(apart);
#elif ROUNDING == CEILING
    apart = ceil(apart);
#endif
#else
    float32 apart = c->least[(int64)a.place * c->places + c->place[node]] - c->error;
#endif
#if LANES > 1
    return c->price != 0 && a.place + c->place[node] == 0 ? apart - c->price : apart;
#else
    return a.place + c->place[node] == 0 ? apart - c->price : apart; /* no branch, so that loops vectorise */
#endif
}

/* The best move so far. */
typedef struct {
    float64 gain;
    int64 rank;
    float32 known; /* a gain that some feasible move reaches, less the error of bounds */
    float32 slack; /* that error: of their sums in float32 */
} Best;

#define NO_RANK 0x7fffffffffffffff
#define THIRD 0.3333f /* a little less */

/* Parameters of scans: parts `part` to `end_part` - 1 of `parts`, and places for the best moves of groups, from `slot` on. If the scan goes
 * on from an earlier part, they hold the best moves so far. */
#define SCAN_RESULT \
    int32 part, int32 end_part, int32 parts, int32 goes_on, int32 slot, GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks
#define FIRST_BEST(best)                                                 \
    Best best = {0, NO_RANK, FLOAT_OF_BITS(LATEST(state + KNOWN)) - prices[2], prices[2]}; \
    if (goes_on && LANE == 0) best.gain = gains[slot + GROUP], best.rank = ranks[slot + GROUP]

/* Rank of a move among all moves of the giant tour: 2-opt before 3-opt, then by edges. */
INLINE int64 rank_of(const Tour *t, Move m) {
    int64 n = t->edges, rank = t->cut[m.x] * n + t->cut[m.y];
    return m.p == TWO_OPT ? rank : n * n + 4 * (rank * n + t->cut[m.z]) + m.p;
}

/* A float32 of at most `gain`. */
INLINE int32 bits_below(float64 gain) {
    float32 rough = (float32)gain;
    int32 bits = (int32)BITS_OF_FLOAT(rough);
    return (float64)rough > gain ? bits - 1 : bits;
}

/* Evaluate a move whose bound reaches the best: keep it if it is feasible and better. A 3-opt move counts only where its
 * first pair gains a third, so that its part does not depend on what was known when. */
INLINE void consider(const Tour *t, Move m, float32 pair, GLOBAL int32 *state, Best *best) {
    if (!keeps_resources(t, m)) return;
    float64 error, gain = gain_of(t, m, &error);
    int64 rank = rank_of(t, m);
    if (pair < THIRD * gain) return;
    if (gain <= t->threshold + error || gain < best->gain || (gain == best->gain && rank >= best->rank)) return;
    best->gain = gain, best->rank = rank;
    int32 bits = bits_below(gain);
    if (FLOAT_OF_BITS(bits) - best->slack > best->known) best->known = FLOAT_OF_BITS(bits) - best->slack;
    RAISE(state + KNOWN, bits);
}

/* Take over what other groups know. */
INLINE void refresh(GLOBAL int32 *state, Best *best) {
    float32 known = FLOAT_OF_BITS(LATEST(state + KNOWN)) - best->slack;
    if (known > best->known) best->known = known;
}

/* Which cut of a move is k: the last, the first, or the one between i and j. A 2-opt move has i and k only. */
#define BEYOND 0
#define BEFORE 1
#define INSIDE 2

INLINE Move move_of(int32 i, int32 j, int32 k, int32 side, int32 p) {
    Move m = {i, j, k, p};
    if (p == TWO_OPT) m.y = k;
    if (side == BEFORE) m.x = k, m.y = i, m.z = j;
    if (side == INSIDE) m.y = k, m.z = j;
    return m;
}

/* What may be loaded beside the rests of the routes of cuts i and j: third cuts in other routes cut neither, so the rest
 * of a third route must fit in. */
typedef struct {
    float64 first, second;                      /* beside the route joined to the first end of k, and to the second */
    int32 i_start, i_end, j_start, j_end, none; /* the cuts of both routes; whether this says nothing */
} Spare;

INLINE float64 rest_load(const Tour *t, int32 node, int32 begins) {
    GLOBAL const Here *here = t->here + (int64)t->load * t->stride + node;
    return begins ? here->back : here->ahead;
}

INLINE int32 overloaded(const Tour *t, const Spare *spare, int32 k) {
    int32 same = (k >= spare->i_start && k < spare->i_end) || (k >= spare->j_start && k < spare->j_end);
    if (same || spare->none) return 0;
    return rest_load(t, k, 0) > spare->first || rest_load(t, k + 1, 1) > spare->second;
}

/* Consider the moves that join `a` to the first end of cut k and `b` to the second, for all k from `first` to `last` - 1
 * and with the gain `before` that; `pair` is what the pair of i and j gains. */
#define SCAN_PARAMETERS                                                                                          \
    const Tour *t, const Cuts *c, End a, End b, float32 pair, float32 before, const Spare *spare, int32 first,   \
        int32 last, int32 i, int32 j, int32 side, int32 p, GLOBAL int32 *state, Queue *queue, Best *best
#define CUT_BOUND(k) (c->length[k] - bound(c, a, k) - bound(c, b, (k) + 1))

#if LANES == 1
#define CHUNK 64 /* cuts whose bounds are tested together: the compiler vectorises that */

typedef int32 Queue;
#define NEW_QUEUE(queue) Queue queue = 0
#define EMPTY_QUEUE(t, state, queue, best) (void)(queue)

INLINE void scan_cuts(SCAN_PARAMETERS) {
    (void)queue;
    for (int32 begin = first; begin < last; begin += CHUNK) {
        int32 count = begin + CHUNK < last ? CHUNK : last - begin, some = 0;
        float32 known = best->known - before, gains[CHUNK];
        for (int32 m = 0; m < count; m++) {
            gains[m] = CUT_BOUND(begin + m);
            some |= gains[m] >= known;
        }
        if (!some) continue;
        for (int32 m = 0; m < count; m++)
            if (gains[m] >= best->known - before && !overloaded(t, spare, begin + m))
                consider(t, move_of(i, j, begin + m, side, p), pair, state, best);
    }
}
#else
#define WIDE 4 /* cuts per lane whose bounds are tested together */

/* Moves to consider, until there is one for every lane: few lanes find one at the same time. */
typedef struct {
    LOCAL Move *moves;
    LOCAL float32 *pairs;
    int32 count;
} Queue;
#define NEW_QUEUE(queue)                       \
    LOCAL_ARRAY(Move, wt_moves, 2 * LANES);    \
    LOCAL_ARRAY(float32, wt_pairs, 2 * LANES); \
    Queue queue = {wt_moves, wt_pairs, 0}

INLINE void consider_queued(ROOM_PARAMETER const Tour *t, GLOBAL int32 *state, Queue *queue, Best *best) {
    int32 from = queue->count > LANES ? queue->count - LANES : 0;
    SYNC_LANES();
    if (from + LANE < queue->count) consider(t, queue->moves[from + LANE], queue->pairs[from + LANE], state, best);
    queue->count = from;
    SYNC_LANES();
}
#define EMPTY_QUEUE(t, state, queue, best) \
    while ((queue)->count > 0) consider_queued(ROOM t, state, queue, best)

INLINE void wt_scan_cuts(ROOM_PARAMETER SCAN_PARAMETERS) {
    for (int32 begin = first; begin < last; begin += WIDE * LANES) {
        uint32 found = 0;
        UNROLL(WIDE)
        for (int32 m = 0; m < WIDE; m++) {
            int32 k = begin + m * LANES + LANE, near = k < last ? k : first;
            found |= (uint32)(k < last && CUT_BOUND(near) >= best->known - before) << m;
        }
        if (!ANY_LANE(found)) continue;
        for (int32 m = 0; m < WIDE; m++) {
            if ((found >> m & 1) && overloaded(t, spare, begin + m * LANES + LANE)) found &= ~(1u << m);
            if (!ANY_LANE(found >> m & 1)) continue;
            uint32 finders = (uint32)SUM_OF_LANES((int32)((found >> m & 1) << LANE));
            if (found >> m & 1) {
                int32 at = queue->count + COUNT_BITS(finders & ((1u << LANE) - 1));
                queue->moves[at] = move_of(i, j, begin + m * LANES + LANE, side, p), queue->pairs[at] = pair;
            }
            queue->count += COUNT_BITS(finders);
            if (queue->count >= LANES) consider_queued(ROOM t, state, queue, best);
        }
    }
}
#define scan_cuts(...) wt_scan_cuts(ROOM __VA_ARGS__)
#endif

#define STORE_BEST(best)                     \
    BEST_OF_LANES((best).gain, (best).rank); \
    if (LANE == 0) gains[slot + GROUP] = (best).gain, ranks[slot + GROUP] = (best).rank

#endif
