// build: metrics, general, branches
/* Ruin and recreate on the host: a group of routes that stays in memory from call to call. */
#include "routes_annealing.h"
#include "routes_board.h"

/* Load the routes of a giant tour, in which the depot follows each route. Customers not in it are unserved. */
KERNEL(routes_enter, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL const int32 *giant, int32 size) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    int32 missing = 0;
    enter_routes(&f, giant, size);
    for (int64 k = f.width, c = 1; c < f.m; c++)
        for (int32 j = 0; j < f.width; j++, k++) {
            freach[k] = fnear[k] < 0 ? 0 : between(&points, (int32)c, fnear[k]);
            if (DIRECTED) freach[k + (int64)f.m * f.width] = fnear[k] < 0 ? 0 : between(&points, fnear[k], (int32)c);
        }
    for (int32 c = 1; c < f.m; c++)
        if (f.route[c] == ABSENT) fscratch[f.m + missing++] = c;
    fcounts[SPARES] = f.spares, fcounts[LEFT_OUT] = missing;
    fcosts[COST] = f.cost;
    fcosts[LOWEST] = missing ? (real)UNREACHED : f.cost;
}

/* Write the current routes as a giant tour. */
KERNEL(routes_leave, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL int32 *giant) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    fcounts[GIANT_TOUR_SIZE] = write_giant_tour(&f, giant);
}

/* See anneal_routes(). */
KERNEL(routes_search, POINTS_PARAMETERS, FLEET_PARAMETERS, GLOBAL int32 *best, GLOBAL real *rank, GLOBAL real *misses,
       ANNEALING_PARAMETERS) {
    POINTS_STRUCT(points);
    Fleet f = fleet_of(points, FLEET_ARGUMENTS);
    anneal_routes(&f, fscratch, fscratch + f.m, best, rank, misses, fcounts, fcosts, ANNEALING_ARGUMENTS);
}

/* Take over what was posted in the call before this one after this thread had read its last post. */
INLINE void catch_up(Fleet *f, Board *b, GLOBAL const int32 *posts, int64 read, int64 written) {
    for (int64 at = read; at < written; at += posts[at])
        if (posts[at + 1] != b->author) take_over(f, b, posts + at);
}

#define TURN 16 /* iterations that a thread takes on at a time */

/* Anneal one solution together with other threads, which make this call with copies of the same routes: see routes_board.h.
 *
 * All threads together make `attempts` iterations while the temperature falls geometrically from hot to cold; a thread ends
 * early if the board is full. All customers have a route. boards: two of `room` entries, of which this call uses number
 * `which`, and `written` is the length of the posts on the other. own: how much of the posts this thread has read, and how many
 * of its changes clashed. seen: m + 2 * slots long. Ruins begin at one of `span` customers, from number 1 + begin on. */
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
    for (int32 r = 0; r < f.slots; r++) note_route(&f, &b, r);
    while (!full) {
        int64 begun = FETCH_ADD(counters + STARTED, TURN);
        if (begun >= attempts) break;
        real heat = hot * pow(cold / hot, (real)begun / (real)attempts);
        for (int64 k = begun; k < begun + TURN && k < attempts && !full; k++, done++) {
            read_board(&f, &b, best, &lowest, &size);
            Outcome outcome = change_routes(&f, &d, &how, fscratch, fscratch + f.m, 0, rank, &sight, heat);
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
