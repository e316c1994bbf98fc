/* Times of routes with releases, in builds with TRIPS: a trip is loaded once the vehicle is at its dock and the goods of all its
 * customers are.
 *
 *     departure behind a stop  =  max(max(ready, released) + sum, least)      while max(ready, released) <= most
 *
 * `way` has sum, least and most; it leads from the loading of the trip to the departure. So a customer whose goods come late
 * moves all stops of its trip, and whether windows are kept is known in constant time all the same.
 */
#ifndef WARPTOUR_ROUTES_STAGES
#define WARPTOUR_ROUTES_STAGES
#ifdef TRIPS

INLINE Extension way_through(real opens, real closes, real serve) {
    Extension way = {serve, opens + serve, closes};
    return way;
}

/* Return where route r begins: nothing is released later there. */
INLINE Stage first_stage(const Fleet *f, int32 r) {
    Stage stage = {opens_at_start(f, r), way_through(opens_at_start(f, r), due_at_start(f, r), served_at_start(f, r)), 0, 0};
    return stage;
}

/* Return when a vehicle leaves behind a stage of a trip whose goods are there at a time; UNREACHED if windows cannot be kept. */
INLINE real leaves_stage(Stage stage, real released) {
    real loaded = stage.ready > released ? stage.ready : released, leaves = loaded + stage.way.sum;
    if (loaded > stage.way.most) return UNREACHED;
    return leaves > stage.way.least ? leaves : stage.way.least;
}

/* Return the stage behind c, `travel` away from the stop of another; its `most` or `ready` says if windows cannot be kept. */
INLINE Stage next_stage(const Fleet *f, Stage stage, real travel, int32 c) {
    Extension stop = way_through(f->opens[c], f->closes[c], f->serve[c]);
    if (is_reload(f, c)) {
        real arrival = leaves_stage(stage, stage.released_to) + travel;
        stage.ready = arrival > f->opens[c] ? arrival : f->opens[c];
        stage.way = stop, stage.released_to = 0;
        return stage;
    }
    if (f->releases[c] > stage.released_to) stage.released_to = f->releases[c];
    stage.way = chained(stage.way, travel, stop);
    return stage;
}

/* Fill in stages, early and late along route r, and return whether its windows can be kept. */
INLINE int32 look_along_trips(Fleet *f, int32 r) {
    real latest = closes_at_end(f, r), released = 0;
    for (int32 c = f->last[r], at = DEPOT; c != DEPOT; at = c, c = f->prev[c]) {
        latest = last_start(f, c, latest - along(f, r, c, at, f->ahead[c]) - f->serve[c]);
        if (is_reload(f, c)) {
            if (released > latest) latest = NEVER;
            released = 0;
        } else if (f->releases[c] > released) released = f->releases[c];
        f->late[c] = latest, f->stages[c].released_from = released;
    }
    Stage stage = first_stage(f, r);
    int32 at = DEPOT;
    for (int32 c = f->first[r]; c != DEPOT; at = c, c = f->next[c]) {
        stage.released_from = f->stages[c].released_from;
        f->stages[c] = stage = next_stage(f, stage, along(f, r, at, c, f->back[c]), c);
        f->early[c] = leaves_stage(stage, stage.released_to);
        if (is_reload(f, c) && stage.ready > f->closes[c]) return 0;
    }
    return leaves_stage(stage, stage.released_to) + time_leg(f, r, at, DEPOT) <= closes_at_end(f, r);
}

/* Whether windows are kept on the route of in_time(); `own`: whether `late` holds for the vehicle. */
INLINE int32 stages_in_time(const Fleet *f, int32 p, int32 a, const int32 *middle, int32 count, int32 b, int32 own) {
    Stage stage = a == DEPOT ? first_stage(f, p) : f->stages[a];
    int32 at = a;
    for (int32 k = 0; k < count; at = middle[k++]) {
        stage = next_stage(f, stage, time_leg(f, p, at, middle[k]), middle[k]);
        if (stage.way.most == NEVER || (is_reload(f, middle[k]) && stage.ready > f->closes[middle[k]])) return 0;
    }
    real released = stage.released_to;
    if (b != DEPOT && f->stages[b].released_from > released) released = f->stages[b].released_from;
    real leaves = leaves_stage(stage, released);
    return leaves < UNREACHED && (!own || leaves + time_leg(f, p, at, b) <= (b == DEPOT ? closes_at_end(f, p) : f->late[b]));
}

#endif
#endif
