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
 * A call does a bounded amount of work and can be resumed: all state is in the arrays. Each search is the work of one
 * group: its lanes share the candidates of a city, reversals and queues, and decide together, so that a search makes the
 * same moves on every device.
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
#define GOAL 6    /* shakes after which it waits */
#define COUNTERS 7

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

/* Queue cities for all neighbourhoods. A lane changes the queues of levels LANE, LANE + LANES, ... and no others. */
INLINE void push_all(Queues *q, const int32 *cities, int32 count) {
    for (int32 level = LANE; level < q->levels; level += LANES) {
        GLOBAL int32 *next = q->next + (int64)level * q->nodes;
        GLOBAL int64 *c = q->counters + level * LEVEL_COUNTERS;
        for (int32 k = 0; k < count; k++) {
            int32 city = cities[k];
            if (next[city] != NOT_QUEUED) continue;
            next[city] = LAST_IN_QUEUE;
            if (c[QUEUE_HEAD] < 0)
                c[QUEUE_HEAD] = city;
            else
                next[c[QUEUE_TAIL]] = city;
            c[QUEUE_TAIL] = city;
        }
    }
}

/* Remove the first city from the queue of a level and return it. */
INLINE int32 pop(Queues *q, int32 level) {
    GLOBAL int32 *next = q->next + (int64)level * q->nodes;
    GLOBAL int64 *c = q->counters + level * LEVEL_COUNTERS;
    int32 city = (int32)c[QUEUE_HEAD];
    SYNC_LANES();
    if (LANE == level % LANES) {
        c[QUEUE_HEAD] = next[city];
        next[city] = NOT_QUEUED;
    }
    return city;
}

/* Return the first level whose queue is not empty, or -1. */
INLINE int32 first_waiting(const Queues *q) {
    SYNC_LANES();
    for (int32 level = 0; level < q->levels; level++)
        if (q->counters[level * LEVEL_COUNTERS + QUEUE_HEAD] >= 0) return level;
    return -1;
}

/* Evaluate the first city of a neighbourhood's queue and make its best improving move, if any. Returns the gain and
 * adds the evaluations and swaps to `work`. */
OUTLINE real descend_next(ROOM_PARAMETER const Points *p, Tour *tour, const Surroundings *s, Queues *q,
                         GLOBAL real *gains, int32 level, int32 by, int32 longest, int64 *work) {
    GLOBAL int64 *c = q->counters + level * LEVEL_COUNTERS;
    int32 t = pop(q, level), ends[MAX_ENDS];
    if (tour->capacity > 0 && tour->logged + MAX_REVERSALS > tour->capacity) return 0; /* the log is full */
    int64 evaluations = LANE == 0, swaps = tour->swaps;
    Change change = best_change(ROOM p, tour, s, t, by, longest, &evaluations);
    evaluations = SUM_OF_LANES(evaluations);
    *work += evaluations;
    if (LANE == 0) c[EVALUATIONS] += evaluations;
    if (change.rank == NO_RANK) return 0;
    int32 count = ends_of(tour, &change, by, ends);
    push_all(q, ends, count);
    push_all(q, &t, 1);
    make_change(tour, &change, by);
    swaps = tour->swaps - swaps;
    *work += swaps;
    if (LANE == 0) c[MOVES] += 1, c[SWAPS] += swaps, gains[level] += change.gain;
    return change.gain;
}

/* Kick after a position; the cities at its cuts are queued. Returns the gain. */
INLINE real bridge(const Points *p, Tour *t, const Surroundings *s, Queues *q, uint64 key, uint64 *draws, int32 at,
                   int32 longest) {
    int32 ends[BRIDGE_ENDS], made;
    real gain = double_bridge(p, t, s, key, draws, at, longest, ends, &made);
    if (made) push_all(q, ends, BRIDGE_ENDS);
    return gain;
}

/* Store the tour as it was before the reversals in the log. */
INLINE void write_down(const Tour *t, GLOBAL int32 *best) {
    for (int32 k = LANE; k < t->m; k += LANES) best[k] = t->city[k];
    for (int32 entry = t->logged - 1; entry >= 0; entry--) {
        int32 i = t->log[2 * entry], j = t->log[2 * entry + 1];
        SYNC_LANES();
        for (int32 k = LANE; k < span(t, i, j) / 2; k += LANES) {
            int32 front = wrapped(t, i + k), back = wrapped(t, j - k), city = best[front];
            best[front] = best[back], best[back] = city;
        }
    }
    SYNC_LANES();
}

/* Repair the tour after a shake that gained `gain`, usually negative. Returns the gain of both. */
INLINE real repaired(ROOM_PARAMETER const Points *p, Tour *tour, const Surroundings *s, Queues *q, GLOBAL real *gains,
                     GLOBAL const int32 *kinds, int32 longest, real gain, int64 *work) {
    for (int32 level = first_waiting(q); level >= 0; level = first_waiting(q))
        gain += descend_next(ROOM p, tour, s, q, gains, level, kinds[level], longest, work);
    return gain;
}

/* Run searches GROUP, GROUP + GROUPS, ... until their queues are empty and they have made as many shakes in total as
 * their goal, or until each has made `effort` evaluations and swaps. `kinds`: the neighbourhoods, `levels` of them. */
KERNEL(vns_search, POINTS_PARAMETERS, int32 searches, int32 m, GLOBAL const int32 *neighbours, GLOBAL const real *near,
       int32 width, GLOBAL const int32 *fixed, GLOBAL const int32 *kinds, int32 levels, GLOBAL int32 *cities,
       GLOBAL int32 *places, GLOBAL int32 *nexts, GLOBAL int32 *logs, int32 log_capacity, GLOBAL int32 *bests,
       GLOBAL int64 *all_counters, GLOBAL int64 *level_counters, GLOBAL real *level_gains, GLOBAL real *all_sums,
       uint64 seed, real epsilon, real slack, int32 longest, int32 segment, int32 strongest, int32 reach, int64 effort) {
    POINTS_STRUCT(p);
    for (int32 w = GROUP; w < searches; w += GROUPS) {
        GLOBAL int64 *counters = all_counters + (int64)w * COUNTERS;
        GLOBAL real *gains = level_gains + (int64)w * levels, *sums = all_sums + (int64)w * SUMS;
        Tour tour = {cities + (int64)w * m, places + (int64)w * m, logs + (int64)w * 2 * log_capacity, m, 0, 0, 0};
        Queues queues = {nexts + (int64)w * levels * m, level_counters + (int64)w * levels * LEVEL_COUNTERS, levels, m};
        Surroundings s = {neighbours, near, width, fixed, -1, -1, m, epsilon};
        uint64 key = random_key(seed, (uint64)counters[NUMBER]), draws = (uint64)counters[DRAWS];
        int64 work = 0, shakes = counters[SHAKES], kept = counters[KEPT], goal = counters[GOAL];
        int32 strength = (int32)counters[STRENGTH], pending = (int32)counters[PENDING];
        real present = sums[PRESENT], least = sums[BEST];
        int32 level = first_waiting(&queues);

        while (level >= 0 && work < effort) {
            present += descend_next(ROOM &p, &tour, &s, &queues, gains, level, kinds[level], longest, &work);
            least = present;
            level = first_waiting(&queues);
        }
        tour.capacity = log_capacity;
        s.reach = reach;
        while (level < 0 && shakes < goal && work < effort) {
            shakes += 1;
            tour.logged = 0;
            real gain = 0;
            int32 at = (int32)random_below(key, &draws, (uint32)m);
            for (int32 k = 0; k <= strength; k++) {
                gain += bridge(&p, &tour, &s, &queues, key, &draws, at, segment);
                at = wrapped(&tour, at + (int32)random_below(key, &draws, (uint32)segment));
            }
            gain = repaired(ROOM &p, &tour, &s, &queues, gains, kinds, longest, gain, &work);
            if (gain >= -epsilon || present + gain >= least - slack) {
                kept += 1;
                present += gain;
                if (present >= least) {
                    least = present;
                    pending = 1;
                } else if (pending) {
                    write_down(&tour, bests + (int64)w * m);
                    pending = 0;
                }
            } else {
                undo_log(&tour, 0);
            }
            strength = gain > epsilon || strength + 1 >= strongest ? 0 : strength + 1;
        }
        if (LANE == 0) {
            counters[DRAWS] = (int64)draws, counters[SHAKES] = shakes, counters[KEPT] = kept;
            counters[STRENGTH] = strength, counters[PENDING] = pending;
            sums[PRESENT] = present, sums[BEST] = least;
        }
    }
}

/* Start all searches from one tour, all cities queued in its order. */
KERNEL(vns_start, int32 searches, int32 m, GLOBAL const int32 *tour, int32 levels, GLOBAL int32 *cities,
       GLOBAL int32 *places, GLOBAL int32 *nexts, GLOBAL int64 *all_counters, GLOBAL int64 *level_counters) {
    for (int32 w = GROUP; w < searches; w += GROUPS) {
        for (int32 k = LANE; k < m; k += LANES) {
            int32 city = tour[k], after = k + 1 < m ? tour[k + 1] : LAST_IN_QUEUE;
            cities[(int64)w * m + k] = city;
            places[(int64)w * m + city] = k;
            for (int32 level = 0; level < levels; level++) nexts[((int64)w * levels + level) * m + city] = after;
        }
        for (int32 level = LANE; level < levels; level += LANES) {
            GLOBAL int64 *c = level_counters + ((int64)w * levels + level) * LEVEL_COUNTERS;
            c[QUEUE_HEAD] = tour[0], c[QUEUE_TAIL] = tour[m - 1];
        }
        if (LANE == 0) all_counters[(int64)w * COUNTERS + NUMBER] = w, all_counters[(int64)w * COUNTERS + PENDING] = 1;
    }
}

/* Copy the best tour of search `from`. */
KERNEL(vns_best, int32 from, int32 m, GLOBAL const int32 *cities, GLOBAL const int32 *bests,
       GLOBAL const int64 *all_counters, GLOBAL int32 *tour) {
    GLOBAL const int32 *best = all_counters[(int64)from * COUNTERS + PENDING] ? cities : bests;
    for (int32 k = GROUP * LANES + LANE; k < m; k += GROUPS * LANES) tour[k] = best[(int64)from * m + k];
}

/* All searches whose best tour has gained less than `gain` continue from `tour`, a local optimum that has. */
KERNEL(vns_continue, int32 searches, int32 m, GLOBAL const int32 *tour, real gain, GLOBAL int32 *cities,
       GLOBAL int32 *places, GLOBAL int64 *all_counters, GLOBAL real *all_sums) {
    for (int32 w = GROUP; w < searches; w += GROUPS) {
        GLOBAL real *sums = all_sums + (int64)w * SUMS;
        real own = sums[BEST];
        SYNC_LANES();
        if (own >= gain) continue;
        for (int32 k = LANE; k < m; k += LANES) {
            cities[(int64)w * m + k] = tour[k];
            places[(int64)w * m + tour[k]] = k;
        }
        if (LANE == 0) all_counters[(int64)w * COUNTERS + PENDING] = 1, sums[PRESENT] = sums[BEST] = gain;
    }
}
