// build: metrics
/* Climbers: descent by 2-opt and or-opt over neighbour lists, then kicks, each repaired and kept or undone.
 *
 * Cities whose neighbourhood changed wait in a queue (the complement of Bentley's don't-look bits). A kick is a double
 * bridge of short segments; only the cities at its cuts are queued, so its repair touches a few dozen cities whatever
 * the size of the tour, and a rejected kick is undone from a log. Nothing costs O(m) per kick.
 *
 * A call does a bounded amount of work and can be resumed: all state is in the arrays. Random numbers depend on (seed,
 * climber, draw) only, so the tours depend neither on the machine's speed nor on the number of threads.
 */
#include "papers/scans/bridge.h"
#include "common/metric.h"
#include "papers/scans/moves.h"
#include "common/random.h"
#include "papers/scans/tour.h"

/* Counters of one climber. */
#define QUEUE_HEAD 0
#define QUEUE_TAIL 1
#define DRAWS 2
#define KICKS 3
#define EVALUATIONS 4     /* moves evaluated */
#define MOVES 5     /* moves made */
#define ACCEPTED 6  /* kicks kept */
#define JOURNAL 7   /* reversals since the best tour, while it is pending */
#define PENDING 8   /* 1: the best tour is the current one with the journal undone; 0: it is stored */
#define SEAL_A 9
#define SEAL_B 10
#define CLIMBER 11 /* index of the climber, for the random key */
#define COUNTERS 12

/* Costs of one climber's current and best tour. */
#define COST 0
#define BEST 1
#define SUMS 2

#define LAST_IN_QUEUE (-1)
#define NOT_QUEUED (-2)

typedef struct {
    GLOBAL int32 *next;
    int32 head, tail;
} Queue;

INLINE void push(Queue *q, int32 city) {
    if (q->next[city] != NOT_QUEUED) return;
    q->next[city] = LAST_IN_QUEUE;
    if (q->head < 0)
        q->head = city;
    else
        q->next[q->tail] = city;
    q->tail = city;
}

INLINE int32 pop(Queue *q) {
    int32 city = q->head;
    q->head = q->next[city];
    q->next[city] = NOT_QUEUED;
    return city;
}

/* Make improving moves at the first city of the queue until it is locally optimal; return their total gain. */
INLINE real descend_from(const Points *p, Tour *tour, const Surroundings *s, Queue *q, GLOBAL int64 *counters) {
    int32 t = pop(q);
    real gained = 0;
    int64 evaluations = 1;
    for (;;) {
        if (tour->capacity > 0 && tour->logged + 3 > tour->capacity) break; /* the log is full */
        Move move = best_move(p, tour, s, t, &evaluations);
        if (move.kind == NO_MOVE) break;
        gained += move.gain;
        counters[MOVES] += 1;
        push(q, move.o), push(q, move.c), push(q, move.z), push(q, move.t);
        if (move.kind == OR_OPT) {
            push(q, beside(tour, move.t, !move.ahead));
            push(q, beside(tour, move.o, move.ahead));
        }
        make_move(tour, &move);
    }
    counters[EVALUATIONS] += evaluations;
    return gained;
}

/* Kick at a random position; the cities at its cuts are queued. Returns the gain. */
INLINE real kick(const Points *p, Tour *t, const Surroundings *s, Queue *q, uint64 key, uint64 *draws, int32 longest) {
    int32 ends[BRIDGE_ENDS], made, at = (int32)random_below(key, draws, (uint32)t->m);
    real gain = double_bridge(p, t, s, key, draws, at, longest, ends, &made);
    for (int32 k = 0; made && k < BRIDGE_ENDS; k++) push(q, ends[k]);
    return gain;
}

/* Store the best tour: the current one with the reversals of the log and then those of the journal undone. */
INLINE void write_down(const Tour *t, GLOBAL int32 *best, GLOBAL const int32 *journal, int64 journalled) {
    for (int32 k = 0; k < t->m; k++) best[k] = t->city[k];
    for (int64 entry = journalled + t->logged - 1; entry >= 0; entry--) {
        GLOBAL const int32 *ends = entry < journalled ? journal + 2 * entry : t->log + 2 * (entry - journalled);
        int32 i = ends[0], j = ends[1];
        for (int32 count = span(t, i, j) / 2; count > 0; count--) {
            int32 city = best[i];
            best[i] = best[j], best[j] = city;
            i = i + 1 == t->m ? 0 : i + 1;
            j = (j == 0 ? t->m : j) - 1;
        }
    }
}

/* Accept the tour after a kick and its repair; if it is worse than the best, record the way back to the best. */
INLINE void keep(Tour *t, GLOBAL int64 *counters, GLOBAL real *sums, GLOBAL int32 *best, GLOBAL int32 *journal,
                 int32 capacity) {
    counters[ACCEPTED] += 1;
    if (sums[COST] <= sums[BEST]) {
        sums[BEST] = sums[COST];
        counters[PENDING] = 1;
        counters[JOURNAL] = 0;
    } else if (counters[PENDING]) {
        if (counters[JOURNAL] + t->logged > capacity) {
            write_down(t, best, journal, counters[JOURNAL]);
            counters[PENDING] = 0;
            counters[JOURNAL] = 0;
        } else {
            for (int32 k = 0; k < 2 * t->logged; k++) journal[2 * counters[JOURNAL] + k] = t->log[k];
            counters[JOURNAL] += t->logged;
        }
    }
}

/* Run climbers GROUP, GROUP + GROUPS, ... until their queue is empty and they have made `kicks` kicks in total, or
 * until this call has made `effort` evaluations and swaps.
 *
 * The repair of a kick makes no move that reverses more than `reach` cities. A kick is kept if it shortens the tour by
 * more than `epsilon`, or if the tour is then at most `slack` longer than the best one; a negative slack disables the
 * second rule. */
KERNEL(climb, POINTS_PARAMETERS, int32 climbers, int32 nodes, int32 m, GLOBAL const int32 *neighbours,
       GLOBAL const real *near, int32 width, GLOBAL const int32 *fixed, GLOBAL int32 *cities, GLOBAL int32 *places,
       GLOBAL int32 *nexts, GLOBAL int32 *logs, int32 log_capacity, GLOBAL int32 *bests, GLOBAL int32 *journals,
       int32 journal_capacity, GLOBAL int64 *all_counters, GLOBAL real *all_sums, uint64 seed, real epsilon, real slack,
       int32 longest, int32 reach, int64 kicks, int64 effort) {
    POINTS_STRUCT(p);
    for (int32 w = GROUP; w < climbers; w += GROUPS) {
        GLOBAL int64 *counters = all_counters + (int64)w * COUNTERS;
        GLOBAL real *sums = all_sums + (int64)w * SUMS;
        GLOBAL int32 *best = bests + (int64)w * m;
        GLOBAL int32 *journal = journals + (int64)w * 2 * journal_capacity;
        Tour tour = {cities + (int64)w * m, places + (int64)w * nodes, logs + (int64)w * 2 * log_capacity, m, 0, 0, 0};
        Queue queue = {nexts + (int64)w * nodes, (int32)counters[QUEUE_HEAD], (int32)counters[QUEUE_TAIL]};
        Surroundings s = {neighbours, near, width, fixed, (int32)counters[SEAL_A], (int32)counters[SEAL_B], m, epsilon};
        uint64 key = random_key(seed, (uint64)counters[CLIMBER]), draws = (uint64)counters[DRAWS];
        int64 limit = counters[EVALUATIONS] + effort;

        while (queue.head >= 0 && counters[EVALUATIONS] + tour.swaps < limit) {
            real gain = descend_from(&p, &tour, &s, &queue, counters);
            if (gain > 0) {
                sums[COST] -= gain;
                sums[BEST] = sums[COST];
                counters[PENDING] = 1;
                counters[JOURNAL] = 0;
            }
        }
        tour.capacity = log_capacity;
        s.reach = reach;
        while (queue.head < 0 && counters[KICKS] < kicks && counters[EVALUATIONS] + tour.swaps < limit) {
            counters[KICKS] += 1;
            tour.logged = 0;
            real gain = kick(&p, &tour, &s, &queue, key, &draws, longest);
            while (queue.head >= 0) gain += descend_from(&p, &tour, &s, &queue, counters);
            real cost = sums[COST] - gain;
            if (gain > epsilon || (slack >= 0 && cost <= sums[BEST] + slack)) {
                sums[COST] = cost;
                keep(&tour, counters, sums, best, journal, journal_capacity);
            } else {
                undo_log(&tour, 0);
            }
        }
        counters[QUEUE_HEAD] = queue.head;
        counters[QUEUE_TAIL] = queue.tail;
        counters[DRAWS] = (int64)draws;
    }
}

/* Store the best tour of every climber. */
KERNEL(climb_best, int32 climbers, int32 m, GLOBAL const int32 *cities, GLOBAL int32 *bests,
       GLOBAL const int32 *journals, int32 journal_capacity, GLOBAL int64 *all_counters) {
    for (int32 w = GROUP; w < climbers; w += GROUPS) {
        GLOBAL int64 *counters = all_counters + (int64)w * COUNTERS;
        if (!counters[PENDING]) continue;
        Tour tour = {(GLOBAL int32 *)(cities + (int64)w * m), 0, 0, m, 0, 0, 0};
        write_down(&tour, bests + (int64)w * m, journals + (int64)w * 2 * journal_capacity, counters[JOURNAL]);
        counters[PENDING] = 0;
        counters[JOURNAL] = 0;
    }
}
