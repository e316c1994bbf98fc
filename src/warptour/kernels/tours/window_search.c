// build: metrics
/* Iterated local search of windows in global memory, resumable call by call. */
#define VARIABLE_DEPTH
#include "common/metric.h"
#include "common/random.h"
#include "tours/window.h"
#include "tours/window_moves.h"
#include "tours/window_ils.h"

#define LOG_SIZE 4096 /* capacity in reversals; a repair that needs more ends early */

/* Search window GROUP.
 *
 * Window g holds the cities offsets[g] .. offsets[g + 1] - 1 of every per-city array, numbered from 0 within it, and
 * the fragments from fragment_offsets[g] on in heads. Queued cities are repaired first. Then up to `kicks` kicks are
 * made at cities kick_from .. kick_from + kick_count - 1 (wrapping around), until `budget` cities have been evaluated.
 *
 * state, six numbers per window, persists between calls: queue head, queue length, random counter, kicks made,
 * improvements, cities evaluated. gains: total gain per window. depth: maximum steps of a Lin-Kernighan search. */
KERNEL(window_search, POINTS_PARAMETERS, GLOBAL const int32 *near, GLOBAL const real *reach, int32 width,
       GLOBAL const int32 *bonds, GLOBAL int32 *tour, GLOBAL int32 *place, GLOBAL int32 *queue, GLOBAL int32 *queued,
       GLOBAL const int64 *offsets, GLOBAL const int32 *heads, GLOBAL const int64 *fragment_offsets,
       GLOBAL int64 *state, GLOBAL real *gains, uint64 seed, uint64 stream, real epsilon, int32 depth, int32 walk_length,
       int32 kick_from, int32 kick_count, int64 kicks, int64 budget) {
    POINTS_STRUCT(points);
    LOCAL_ARRAY(Index, reversals, 2 * LOG_SIZE);
    LOCAL_ARRAY(Notes, notes, 1);
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
    w.head = (int32)mine[0], w.queue_length = (int32)mine[1];
    w.log = reversals, w.logged = 0, w.log_size = LOG_SIZE;
    w.notes = notes;
    w.epsilon = epsilon, w.depth = depth;
    uint64 counter = (uint64)mine[2], key = random_key(seed, stream + (uint64)GROUP);
    Tally tally = {budget, 0, 0, 0};
    search_window(ROOM &w, first, fragments, key, &counter, walk_length, kick_from, kick_count, kicks, &tally);
    SYNC_LANES();
    mine[0] = w.head, mine[1] = w.queue_length, mine[2] = (int64)counter;
    mine[3] += tally.kicks, mine[4] += tally.better, mine[5] += budget - tally.left;
    gains[GROUP] += tally.won;
}
