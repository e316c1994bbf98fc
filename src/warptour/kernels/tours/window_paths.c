// build: metrics, branches
/* Alternating-path exchanges: exchanges of many edges that no chain of small steps finds.
 *
 * Remove the edge t1-t2. From the loose end t2 an edge is added to a near city, one of whose edges is removed; the path
 * continues from that edge's other end. It is closed by an edge to t1:
 *
 *     t1 - - t2 ===== c - - z ===== c' - - z' ...  ===== t1        - - removed, == added
 *
 * Unlike in Lin-Kernighan, the remaining edges need not form a single path on the way. So an end is the same state
 * however it was reached, and all alternating paths from one edge are a single shortest-path search: best first, each
 * end expanded once. The partial gain must stay positive all the way. An alternating path that closes with a gain
 * leaves one cycle or several, which are patched (window_exchange.h).
 *
 * This finds what kicks find last: two long edges far apart that both disappear when everything between them shifts by
 * one, at no cost where cities lie in rows.
 */
#include "common/metric.h"
#include "tours/window.h"
#include "tours/window_moves.h"
#include "tours/window_exchange.h"

#define MAX_STEPS 75   /* maximum removed edges of an alternating path; leaves MAX_SWAPS capacity for patches */
#define MAX_CLOSED 100 /* maximum closed alternating paths traced per starting edge */
#define PUSHES 16       /* heap capacity per evaluated end */

/* The ends reached by a search. End 2 z is city z without the edge to its predecessor, 2 z + 1 without the edge to its
 * successor. */
typedef struct {
    GLOBAL real *gain;    /* by end: largest partial gain found; negative if not reached */
    GLOBAL int32 *parent; /* by end: the end before it on its path, or NOBODY */
    GLOBAL int32 *steps;  /* by end: number of edges removed up to it; negated once evaluated */
    GLOBAL real *keys;    /* heap ordered by key, largest first, then fewest steps, then smallest end */
    GLOBAL int64 *ends;   /* heap items: steps in the high 32 bits, end in the low */
    GLOBAL int32 *reached;
    int32 size, count, room;
    real top; /* largest partial gain at any end */
} Front;

INLINE int32 precedes(real key, int64 end, real other_key, int64 other_end) {
    return key > other_key || (key == other_key && end < other_end);
}

INLINE void push(Front *f, real key, int32 steps, int32 end) {
    if (f->size == f->room) return;
    int64 item = ((int64)steps << 32) | end;
    int32 at = f->size++;
    while (at > 0) {
        int32 up = (at - 1) / 2;
        if (!precedes(key, item, f->keys[up], f->ends[up])) break;
        f->keys[at] = f->keys[up], f->ends[at] = f->ends[up];
        at = up;
    }
    f->keys[at] = key, f->ends[at] = item;
}

INLINE int32 pop(Front *f) {
    int32 top = (int32)(f->ends[0] & 0x7fffffff), at = 0, size = --f->size;
    real key = f->keys[size];
    int64 item = f->ends[size];
    for (int32 down = 1; down < size; down = 2 * at + 1) {
        if (down + 1 < size && precedes(f->keys[down + 1], f->ends[down + 1], f->keys[down], f->ends[down])) down++;
        if (!precedes(f->keys[down], f->ends[down], key, item)) break;
        f->keys[at] = f->keys[down], f->ends[at] = f->ends[down];
        at = down;
    }
    f->keys[at] = key, f->ends[at] = item;
    return top;
}

INLINE int32 beside(const Window *w, int32 c, int32 onward) { return onward ? after(w, c) : before(w, c); }

INLINE void reach_end(Front *f, int32 end, int32 parent, int32 steps, real gain, real key) {
    if (f->gain[end] < 0) {
        if (f->count == f->room) return;
        f->reached[f->count++] = end;
    }
    f->gain[end] = gain, f->parent[end] = parent, f->steps[end] = steps;
    f->top = larger(f->top, gain);
    push(f, key, steps, end);
}

/* Whether the path to an end removes its last edge twice. */
INLINE int32 repeats(const Window *w, const Front *f, int32 end) {
    int32 other = 2 * beside(w, end >> 1, end & 1) + !(end & 1);
    for (int32 e = f->parent[end]; e != NOBODY; e = f->parent[e])
        if (e == other || e == end) return 1;
    return 0;
}

/* Convert the closed alternating path to an end into an exchange. */
INLINE void collect(const Window *w, const Front *f, int32 end, int32 t1, Exchange *x) {
    int32 from = end >> 1, to = t1, k = 0;
    for (int32 e = end; e != NOBODY; e = f->parent[e], k++) {
        int32 at = w->place[e >> 1];
        x->from[k] = from, x->to[k] = to;
        x->cut[k] = e & 1 ? at : place_before(w, at), x->onward[k] = !(e & 1), x->next[k] = k - 1;
        to = beside(w, e >> 1, e & 1);
        from = f->parent[e] >> 1; /* not used after the last iteration */
    }
    x->swaps = k, x->next[0] = k - 1;
}

/* Extend the path from an end by all candidates. */
INLINE void expand(const Window *w, Front *f, int32 end, int32 t1, real pull) {
    int32 z = end >> 1, steps = 1 - f->steps[end], before_z = before(w, z), after_z = after(w, z);
    for (int32 k = 0; k < w->width; k++) {
        int32 c = w->near[(OFFSET)z * w->width + k];
        if (c == NOBODY) return;
        real open = f->gain[end] - REACH(w, z, k, c);
        if (open <= w->epsilon) return;
        if (c == t1 || c == before_z || c == after_z) continue;
        for (int32 onward = 0; onward < 2; onward++) {
            int32 e = beside(w, c, onward), next = 2 * e + !onward;
            if (f->steps[next] < 0 || bonded(w, c, e)) continue;
            real gain = open + between(&w->points, c, e);
            if (gain > f->gain[next])
                reach_end(f, next, end, steps, gain, gain - pull * between(&w->points, e, t1));
        }
    }
}

/* Search for an exchange that removes the edge from t1 to its successor (onward) or predecessor, evaluating at most
 * `most` ends. Applies it and returns its gain, or 0. *work counts evaluated ends and traced exchanges. */
INLINE real path(Window *w, Front *f, int32 t1, int32 onward, int32 most, real pull, Exchange *x,
                 GLOBAL int32 *spare, int64 *work) {
    int32 t2 = beside(w, t1, onward), closed = 0;
    real won = 0, out = between(&w->points, t1, t2);
    f->size = f->count = 0, f->top = 0;
    reach_end(f, 2 * t2 + !onward, NOBODY, 1, out, out);
    for (int32 looked = 0; f->size > 0 && looked < most && closed < MAX_CLOSED && !(won > 0);) {
        int32 end = pop(f), z = end >> 1, steps = f->steps[end];
        if (steps < 0) continue;
        f->steps[end] = -steps;
        if (repeats(w, f, end)) continue;
        looked++;
        *work += 1;
        real gain = f->gain[end] - between(&w->points, z, t1), least = tolerance(w, f->top);
        if (steps > 1 && gain > least && z != t1 && before(w, t1) != z && after(w, t1) != z) {
            closed++;
            *work += 1;
            collect(w, f, end, t1, x);
            won = patched(w, x, gain, least);
        }
        if (!(won > 0) && steps < MAX_STEPS) expand(w, f, end, t1, pull);
    }
    if (won > 0) {
        make_exchange(w, x, spare);
        for (int32 k = 0; k < x->swaps; k++) {
            enqueue(w, x->from[k]);
            enqueue(w, x->to[k]);
        }
    }
    for (int32 k = 0; k < f->count; k++) f->gain[f->reached[k]] = -1, f->steps[f->reached[k]] = 0;
    return won;
}

/* Whether an edge is more than `ratio` times as long as the distance from each endpoint to its nearest candidate. */
INLINE int32 stretched(const Window *w, int32 a, int32 b, real ratio) {
    real out = between(&w->points, a, b);
    out -= tolerance(w, out);
    int32 near_a = w->near[(OFFSET)a * w->width], near_b = w->near[(OFFSET)b * w->width];
    if (near_a != NOBODY && out <= ratio * REACH(w, a, 0, near_a)) return 0;
    return near_b == NOBODY || out > ratio * REACH(w, b, 0, near_b);
}

/* Search alternating paths from the edges of cities progress[0] .. m - 1, until `budget` ends have been evaluated.
 *
 * An edge is tried if it is stretched by `ratio`. A search evaluates at most `most` ends, in order of partial gain
 * minus `pull` times the distance to t1, where the path must close. state: as in window_search. progress[0] becomes the
 * first city not processed; progress[1] accumulates the evaluations, gains[0] the gain. Workspace: reals 2 m + PUSHES *
 * most numbers, longs PUSHES * most, ints 5 m + PUSHES * most. */
KERNEL(window_paths, POINTS_PARAMETERS, GLOBAL const int32 *near, GLOBAL const real *reach, int32 width,
       GLOBAL const int32 *bonds, GLOBAL int32 *tour, GLOBAL int32 *place, GLOBAL int32 *queue, GLOBAL int32 *queued,
       int32 m, GLOBAL int64 *state, GLOBAL int64 *progress, GLOBAL real *gains, real epsilon, real ratio, real pull,
       int32 most, int64 budget, GLOBAL real *reals, GLOBAL int64 *longs, GLOBAL int32 *ints) {
    POINTS_STRUCT(points);
    if (LANE != 0 || GROUP != 0) return;
    Window w;
    w.points = points, w.m = m, w.epsilon = epsilon;
    w.width = width, w.near = near, w.reach = reach, w.bonds = bonds;
    w.tour = tour, w.place = place, w.queue = queue, w.queued = queued;
    w.head = (int32)state[0], w.queue_length = (int32)state[1];
    Front f;
    f.room = PUSHES * most;
    f.gain = reals, f.keys = reals + 2 * (int64)m, f.ends = longs;
    f.parent = ints, f.steps = ints + 2 * (int64)m, f.reached = ints + 5 * (int64)m;
    GLOBAL int32 *spare = ints + 4 * (int64)m;
    for (int32 end = 0; end < 2 * m; end++) f.gain[end] = -1, f.steps[end] = 0;
    Exchange x;
    x.swaps = 0;
    int64 work = 0;
    int32 c = (int32)progress[0];
    for (; c < m && work < budget; c++) {
        for (int32 onward = 0; onward < 2; onward++) {
            int32 other = beside(&w, c, onward);
            if (bonded(&w, c, other) || !stretched(&w, c, other, ratio)) continue;
            gains[0] += path(&w, &f, c, onward, most, pull, &x, spare, &work);
        }
    }
    progress[0] = c, progress[1] += work;
    state[0] = w.head, state[1] = w.queue_length;
}
