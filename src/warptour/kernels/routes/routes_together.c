// build: metrics, general, timed, mixed, pairs, trips, branches, native
/* Ruin and recreate by several threads on one solution. */
#include "routes/board.h"

/* Take over what was posted in the last call after this thread had stopped reading. */
INLINE void catch_up(Fleet *f, Board *b, GLOBAL const int32 *posts, int64 read, int64 written) {
    for (int64 at = read; at < written; at += posts[at])
        if (posts[at + 1] != b->author) take_over(f, b, posts + at);
}

#define TURN 16 /* iterations that a thread claims at a time */

/* Anneal one solution together with other threads, which make this call with copies of the same routes: see board.h.
 *
 * All threads together make `attempts` iterations while the temperature falls geometrically from hot to cold; a thread ends
 * early if the board is full. All customers have a route. boards: two, of `room` entries each; this call uses number
 * `which`, and the other holds `written` entries of the last call. own: entries that this thread has read, and changes that it
 * gave up. seen: m + 2 * slots long. Ruins begin at one of `span` customers, from number 1 + begin on. */
KERNEL(routes_together, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL int32 *best, GLOBAL real *rank, GLOBAL int32 *boards,
       int64 room, int32 which, int64 written, GLOBAL int64 *counters, GLOBAL real *common, GLOBAL int64 *own,
       GLOBAL int32 *seen, int32 begin, int32 span, ANNEALING_PARAMETERS) {
    POINTS_STRUCT(points);
    RUIN_STRUCT(how);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    f.begin = begin, f.span = span;
    Board b = board_of(boards + which * room, room, counters, common, (int32)stream, seen, &f);
    Dice d = {random_key(seed, stream), (uint64)fcounts[DRAWS]};
    real lowest = fcosts[LOWEST];
    int32 sight = throw_blink(&d, blink), full = 0;
    int64 taken = 0, done = 0, size = 0;
    catch_up(&f, &b, boards + (1 - which) * room, own[0], written);
    recompute_sums(&f);
    for (int32 c = 0; c < f.m; c++) b.prev[c] = ABSENT;
    for (int32 r = 0; r < f.slots; r++) note_route(&f, &b, r);
    while (!full) {
        int64 begun = FETCH_ADD(counters + STARTED, TURN);
        if (begun >= attempts) break;
        real heat = hot * pow(cold / hot, (real)begun / (real)attempts);
        for (int64 k = begun; k < begun + TURN && k < attempts && !full; k++, done++) {
            read_board(&f, &b, best, &lowest, &size);
            Outcome outcome = change_routes(&f, &d, &how, fscratch, fscratch + f.m, 0, 0, 0, rank, &sight, heat);
            real worse = f.cost - f.old_cost;
            int32 accepted = !outcome.failed && worse <= outcome.allowed && within_limit(&f);
            int32 saves = accepted && b.champion && worse > outcome.least;
            if (accepted && !saves && post_change(&f, &b, outcome.least)) {
                taken++;
                continue;
            }
            undo_attempt(&f);
            if (saves) save_champion(&f, &b, best, &lowest, &size);
            else if (accepted) own[1]++, full = is_full(&f, &b);
        }
    }
    read_board(&f, &b, best, &lowest, &size);
    save_champion(&f, &b, best, &lowest, &size);
    own[0] = b.read;
    fcounts[SPARES] = f.spares, fcounts[DRAWS] = (int64)d.counter, fcounts[DONE] += done, fcounts[TAKEN] += taken;
    fcounts[GIANT_TOUR_SIZE] = size;
    fcosts[COST] = f.cost, fcosts[LOWEST] = lowest;
}
