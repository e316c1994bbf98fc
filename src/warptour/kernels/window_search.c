// build: metrics
/* Iterated local search inside windows: kick, repair from the dirty cities, undo what does not pay. */
#include "metric.h"
#include "random.h"
#include "window.h"
#include "window_moves.h"

#define LOG_SIZE 4096 /* reversals; a repair that needs more ends early */
#define LOG_SPARE (3 * DEPTH)

/* Repair what a kick left until no city is dirty or the log is full; return the gain and count the cities down. */
INLINE real repair(Window *w, int64 *left) {
    real gain = 0;
    while (w->dirty > 0 && w->logged + LOG_SPARE < w->log_size) {
        gain += improve_city(w, next_dirty(w));
        *left -= 1;
    }
    forget_dirty(w, 0);
    return gain;
}

/* Whether every fragment still leads from its first city to its last, so that they keep their order.
 * heads[f] is the first city of fragment f, heads[f + 1] - 1 its last; cities are numbered along the fragments. */
INLINE int32 paired(const Window *w, FAST const int32 *heads, int32 fragments) {
    if (fragments < 2) return 1;
    int32 m = w->m, origin = w->place[0], last = w->place[m - 1], broken = 0;
    int32 forward = last + 1 == origin || (origin == 0 && last == m - 1);
    for (int32 f = 1 + LANE; f < fragments; f += LANES) {
        int32 a = w->place[heads[f - 1]] - origin, b = w->place[heads[f]] - origin;
        if (!forward) a = -a, b = -b;
        if (a < 0) a += m;
        if (b < 0) b += m;
        int32 end = w->place[heads[f] - 1] - origin;
        if (!forward) end = -end;
        if (end < 0) end += m;
        broken |= !(a <= end && end + 1 == b);
    }
    return !ANY_LANE(broken);
}

/* A city near `c`: the end of a short random walk over the candidates. */
INLINE int32 walk_from(const Window *w, int32 c, uint64 key, uint64 *counter, int32 paces) {
    for (int32 k = 0; k < paces; k++) {
        int32 to = w->near[(int64)c * w->width + (int32)random_below(key, counter, (uint32)w->width)];
        if (to != NOBODY) c = to;
    }
    return c;
}

/* A double bridge: the edges that leave `c` and three cities near it are replaced so that the runs A B C
 * between them become C B A, none of them reversed. Returns what it costs. Where two of the cities are the
 * same or a bond would break, nothing is changed and *kicked is 0. */
INLINE real kick(Window *w, int32 c, uint64 key, uint64 *counter, int32 paces, int32 *kicked) {
    int32 m = w->m, cut[4], left[4], right[4];
    *kicked = 0;
    for (int32 k = 0; k < 4; k++) {
        int32 at = w->place[k == 0 ? c : walk_from(w, c, key, counter, paces)], to = k;
        for (; to > 0 && cut[to - 1] > at; to--) cut[to] = cut[to - 1];
        cut[to] = at;
    }
    for (int32 k = 1; k < 4; k++)
        if (cut[k] == cut[k - 1]) return 0;
    /* let the longest of the four runs be the one that stays */
    int32 longest = 0, most = 0;
    for (int32 k = 0; k < 4; k++) {
        int32 run = k < 3 ? cut[k + 1] - cut[k] : cut[0] + m - cut[3];
        if (run > most) most = run, longest = k;
    }
    int32 turned[4];
    for (int32 k = 0; k < 4; k++) turned[k] = cut[(longest + 1 + k) & 3];
    for (int32 k = 1; k < 4; k++)
        if (turned[k] < turned[k - 1]) turned[k] += m;
    for (int32 k = 0; k < 4; k++) {
        left[k] = w->tour[turned[k] % m];
        right[k] = w->tour[(turned[k] + 1) % m];
        if (bonded(w, left[k], right[k])) return 0;
    }
    const Points *p = &w->points;
    real cost = between(p, left[0], right[2]) + between(p, left[3], right[1]) + between(p, left[2], right[0]) +
                between(p, left[1], right[3]);
    for (int32 k = 0; k < 4; k++) cost -= between(p, left[k], right[k]);
    int32 first = turned[0] + 1, run_a = turned[1] - turned[0], run_b = turned[2] - turned[1];
    int32 run_c = turned[3] - turned[2];
    reverse_and_log(w, first, run_a + run_b + run_c);
    reverse_and_log(w, first, run_c);
    reverse_and_log(w, first + run_c, run_b);
    reverse_and_log(w, first + run_c + run_b, run_a);
    for (int32 k = 0; k < 4; k++) {
        make_dirty(w, left[k]);
        make_dirty(w, right[k]);
    }
    *kicked = 1;
    return cost;
}

/* Search window GROUP.
 *
 * Window g holds the cities offsets[g] .. offsets[g+1]-1 of every per-city array, numbered from 0 within it, and
 * the fragments fragment_offsets[g] .. of heads. It repairs first what is dirty and then makes up to `kicks`
 * kicks, each at one of the cities kick_from .. kick_from + kick_count - 1 (round the end), until it has looked
 * at `budget` cities.
 *
 * state, six numbers a window, goes from call to call: ring head, dirty cities, random counter, kicks made,
 * improvements, cities looked at. gains: what was won in all. */
KERNEL(window_search, POINTS_PARAMETERS, GLOBAL const int32 *near, GLOBAL const real *reach, int32 width,
       GLOBAL const int32 *bonds, GLOBAL int32 *tour, GLOBAL int32 *place, GLOBAL int32 *queue, GLOBAL int32 *queued,
       GLOBAL const int64 *offsets, GLOBAL const int32 *heads, GLOBAL const int64 *fragment_offsets,
       GLOBAL int64 *state, GLOBAL real *gains, uint64 seed, uint64 stream, real noise, int32 paces, int32 kick_from,
       int32 kick_count, int64 kicks, int64 budget) {
    POINTS_STRUCT(points);
    LOCAL_ARRAY(int32, reversals, 2 * LOG_SIZE);
    int64 at = offsets[GROUP];
    int32 fragments = (int32)(fragment_offsets[GROUP + 1] - fragment_offsets[GROUP]);
    FAST const int32 *first = heads + fragment_offsets[GROUP];
    GLOBAL int64 *mine = state + 6 * (int64)GROUP;
    Window w;
    if (points.norm != MATRIX) {
        points.x += at, points.y += at;
        if (points.norm != EUCLIDEAN_2D) points.z += at;
    }
    w.points = points;
    w.m = (int32)(offsets[GROUP + 1] - at);
    w.width = width, w.near = near + at * width, w.reach = reach + at * width;
    w.bonds = bonds + 2 * at;
    w.tour = tour + at, w.place = place + at;
    w.queue = queue + at, w.queued = queued + at;
    w.head = (int32)mine[0], w.dirty = (int32)mine[1];
    w.log = reversals, w.logged = 0, w.log_size = LOG_SIZE;
    w.noise = noise;
    uint64 counter = (uint64)mine[2], key = random_key(seed, stream + (uint64)GROUP);
    int64 left = budget, done = 0, better = 0;
    real won = 0;

    while (w.dirty > 0 && left > 0) {
        int32 c = next_dirty(&w), waiting = w.dirty;
        w.logged = 0;
        real gain = improve_city(&w, c);
        left--;
        if (gain > 0 && !paired(&w, first, fragments)) {
            undo_to(&w, 0);
            forget_dirty(&w, waiting);
        } else {
            won += gain;
        }
    }
    while (w.dirty == 0 && done < kicks && left > 0) {
        int32 kicked, where = kick_from + (int32)random_below(key, &counter, (uint32)kick_count);
        w.logged = 0;
        real gain = -kick(&w, where < w.m ? where : where - w.m, key, &counter, paces, &kicked);
        done++;
        if (!kicked) continue;
        gain += repair(&w, &left);
        if (gain < -noise || !paired(&w, first, fragments)) undo_to(&w, 0);
        else won += gain, better += gain > noise;
    }
    SYNC_LANES();
    mine[0] = w.head, mine[1] = w.dirty, mine[2] = (int64)counter;
    mine[3] += done, mine[4] += better, mine[5] += budget - left;
    gains[GROUP] += won;
}
