// build: metrics
/* Variable neighbourhood search: descent through an ordered list of neighbourhoods, with shakes of growing strength.
 *
 * Each neighbourhood has a queue of cities to evaluate. The first neighbourhood whose queue is not empty is searched; a
 * move adds the cities at its ends to all queues, so that the search returns to the first neighbourhood. When all
 * queues are empty the tour is a local optimum of all neighbourhoods. It is kept if it is no longer than before the
 * shake, or at most `slack` longer than the best tour, which is then stored; otherwise the shake and its repair are
 * undone from a log. The next shake has strength 1 after an improvement; after a failure it has one double bridge more,
 * up to `strongest`, and then strength 1 again.
 *
 * A call does a bounded amount of work and can be resumed: all state is in the arrays.
 */
#include "papers/scans/bridge.h"
#include "common/metric.h"
#include "papers/scans/moves.h"
#include "common/random.h"
#include "papers/scans/tour.h"
#include "papers/ermis/vns_moves.h"

/* Counters of one search. */
#define DRAWS 0
#define SHAKES 1
#define STRENGTH 2 /* of the next shake, in double bridges, minus 1 */
#define KEPT 3
#define NUMBER 4  /* index of the search, for the random key */
#define PENDING 5 /* 1: the best tour is the current one; 0: it is stored */
#define COUNTERS 6

/* Sums of one search: gain of the current and of the best tour over the initial one. */
#define PRESENT 0
#define BEST 1
#define SUMS 2

/* Counters of one neighbourhood of a search. */
#define QUEUE_HEAD 0
#define QUEUE_TAIL 1
#define EVALUATIONS 2 /* moves evaluated */
#define MOVES 3 /* moves made */
#define SWAPS 4 /* swaps of two cities made by their reversals */
#define LEVEL_COUNTERS 5

#define MAX_REVERSALS 3 /* maximum reversals per move */
#define LAST_IN_QUEUE (-1)
#define NOT_QUEUED (-2)

typedef struct {
    GLOBAL int32 *next;     /* by neighbourhood and city: the next city in the queue */
    GLOBAL int64 *counters; /* by neighbourhood */
    int32 levels, nodes;
} Queues;

INLINE void push_all(Queues *q, int32 city) {
    for (int32 level = 0; level < q->levels; level++) {
        GLOBAL int32 *next = q->next + (int64)level * q->nodes;
        GLOBAL int64 *c = q->counters + level * LEVEL_COUNTERS;
        if (next[city] != NOT_QUEUED) continue;
        next[city] = LAST_IN_QUEUE;
        if (c[QUEUE_HEAD] < 0)
            c[QUEUE_HEAD] = city;
        else
            next[c[QUEUE_TAIL]] = city;
        c[QUEUE_TAIL] = city;
    }
}

INLINE int32 first_waiting(const Queues *q) {
    for (int32 level = 0; level < q->levels; level++)
        if (q->counters[level * LEVEL_COUNTERS + QUEUE_HEAD] >= 0) return level;
    return -1;
}

/* Evaluate the first city of a neighbourhood's queue and make its best improving move, if any. Returns the gain and
 * adds the evaluations and swaps to `work`. */
INLINE real descend_next(const Points *p, Tour *tour, const Surroundings *s, Queues *q, GLOBAL real *gains, int32 level,
                        int32 by, int32 longest, int64 *work) {
    GLOBAL int32 *next = q->next + (int64)level * q->nodes;
    GLOBAL int64 *c = q->counters + level * LEVEL_COUNTERS;
    int32 t = (int32)c[QUEUE_HEAD];
    c[QUEUE_HEAD] = next[t];
    next[t] = NOT_QUEUED;
    if (tour->capacity > 0 && tour->logged + MAX_REVERSALS > tour->capacity) return 0; /* the log is full */
    int64 evaluations = 0, swaps = tour->swaps;
    Change change = best_change(p, tour, s, t, by, longest, &evaluations);
    c[EVALUATIONS] += evaluations;
    *work += evaluations;
    if (change.count == 0) return 0;
    for (int32 e = 0; e < change.count; e++) push_all(q, change.ends[e]);
    push_all(q, t);
    make_change(tour, &change, by);
    c[MOVES] += 1;
    c[SWAPS] += tour->swaps - swaps;
    *work += tour->swaps - swaps;
    gains[level] += change.gain;
    return change.gain;
}

/* Kick after a position; the cities at its cuts are queued. Returns the gain. */
INLINE real bridge(const Points *p, Tour *t, const Surroundings *s, Queues *q, uint64 key, uint64 *draws, int32 at,
                   int32 longest) {
    int32 ends[BRIDGE_ENDS], made;
    real gain = double_bridge(p, t, s, key, draws, at, longest, ends, &made);
    for (int32 k = 0; made && k < BRIDGE_ENDS; k++) push_all(q, ends[k]);
    return gain;
}

/* Store the tour as it was before the reversals in the log. */
INLINE void write_down(const Tour *t, GLOBAL int32 *best) {
    for (int32 k = 0; k < t->m; k++) best[k] = t->city[k];
    for (int32 entry = t->logged - 1; entry >= 0; entry--) {
        int32 i = t->log[2 * entry], j = t->log[2 * entry + 1];
        for (int32 count = span(t, i, j) / 2; count > 0; count--) {
            int32 city = best[i];
            best[i] = best[j], best[j] = city;
            i = i + 1 == t->m ? 0 : i + 1;
            j = (j == 0 ? t->m : j) - 1;
        }
    }
}

/* Run searches GROUP, GROUP + GROUPS, ... until their queues are empty and they have made `shakes` shakes in total, or
 * until this call has made `effort` evaluations and swaps. `kinds`: the neighbourhoods, `levels` of them. */
KERNEL(vns_search, POINTS_PARAMETERS, int32 searches, int32 m, GLOBAL const int32 *neighbours, GLOBAL const real *near,
       int32 width, GLOBAL const int32 *fixed, GLOBAL const int32 *kinds, int32 levels, GLOBAL int32 *cities,
       GLOBAL int32 *places, GLOBAL int32 *nexts, GLOBAL int32 *logs, int32 log_capacity, GLOBAL int32 *bests,
       GLOBAL int64 *all_counters, GLOBAL int64 *level_counters, GLOBAL real *level_gains, GLOBAL real *all_sums,
       uint64 seed, real epsilon, real slack, int32 longest, int32 segment, int32 strongest, int32 reach, int64 shakes, int64 effort) {
    POINTS_STRUCT(p);
    for (int32 w = GROUP; w < searches; w += GROUPS) {
        GLOBAL int64 *counters = all_counters + (int64)w * COUNTERS;
        GLOBAL real *gains = level_gains + (int64)w * levels, *sums = all_sums + (int64)w * SUMS;
        Tour tour = {cities + (int64)w * m, places + (int64)w * m, logs + (int64)w * 2 * log_capacity, m, 0, 0, 0};
        Queues queues = {nexts + (int64)w * levels * m, level_counters + (int64)w * levels * LEVEL_COUNTERS, levels, m};
        Surroundings s = {neighbours, near, width, fixed, -1, -1, m, epsilon};
        uint64 key = random_key(seed, (uint64)counters[NUMBER]), draws = (uint64)counters[DRAWS];
        int64 work = 0;
        int32 level = first_waiting(&queues);

        while (level >= 0 && work < effort) {
            sums[PRESENT] += descend_next(&p, &tour, &s, &queues, gains, level, kinds[level], longest, &work);
            sums[BEST] = sums[PRESENT];
            level = first_waiting(&queues);
        }
        tour.capacity = log_capacity;
        s.reach = reach;
        while (level < 0 && counters[SHAKES] < shakes && work < effort) {
            int32 strength = 1 + (int32)counters[STRENGTH];
            counters[SHAKES] += 1;
            tour.logged = 0;
            real gain = 0;
            int32 at = (int32)random_below(key, &draws, (uint32)m);
            for (int32 k = 0; k < strength; k++) {
                gain += bridge(&p, &tour, &s, &queues, key, &draws, at, segment);
                at = wrapped(&tour, at + (int32)random_below(key, &draws, (uint32)segment));
            }
            for (level = first_waiting(&queues); level >= 0; level = first_waiting(&queues))
                gain += descend_next(&p, &tour, &s, &queues, gains, level, kinds[level], longest, &work);
            if (gain >= -epsilon || sums[PRESENT] + gain >= sums[BEST] - slack) {
                counters[KEPT] += 1;
                sums[PRESENT] += gain;
                if (sums[PRESENT] >= sums[BEST]) {
                    sums[BEST] = sums[PRESENT];
                    counters[PENDING] = 1;
                } else if (counters[PENDING]) {
                    write_down(&tour, bests + (int64)w * m);
                    counters[PENDING] = 0;
                }
            } else {
                undo_log(&tour, 0);
            }
            counters[STRENGTH] = gain > epsilon || strength >= strongest ? 0 : strength;
        }
        counters[DRAWS] = (int64)draws;
    }
}
