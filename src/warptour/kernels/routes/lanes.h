/* Insertion and local search by the lanes of a warp: as insert_customer and improve_around do it with one lane, but each
 * lane evaluates another position, or the moves beside another customer. Lane 0 alone changes the routes. */
#ifndef WARPTOUR_ROUTES_LANES
#define WARPTOUR_ROUTES_LANES

/* Return the neighbours that are open, less those that are skipped. */
INLINE uint32 without_blinks(uint32 open, Dice *d, real blink, int32 *sight) {
    uint32 rest = open;
    int32 left = COUNT_BITS(rest);
    while (*sight < left) {
        for (int32 k = 0; k < *sight; k++) rest &= rest - 1;
        uint32 skipped = rest & (0u - rest);
        open &= ~skipped, rest &= ~skipped;
        left -= *sight + 1;
        *sight = throw_blink(d, blink);
    }
    *sight -= left;
    return open;
}

INLINE int32 insert_customer(Fleet *f, Dice *d, int32 c, real blink, int32 *sight) {
    const Points *p = &f->points;
    real trip = 2 * between(p, DEPOT, c), best = UNREACHED;
    int32 best_after = ABSENT, best_route = ABSENT;
    GLOBAL const int32 *row = f->near + (int64)c * f->width;
    GLOBAL const real *reach = f->reach + (int64)c * f->width;
    SYNC_LANES();
    UNROLL(1)
    for (int32 k = LANE, first = 0; first < f->width; k += LANES, first += LANES) {
        int32 v = k < f->width ? row[k] : ABSENT, r = v < 0 ? ABSENT : f->route[v], after = ABSENT;
        uint32 open = VOTES(v >= 0);
        int32 ended = ANY_LANE(v < 0);
        if (LANE == 0) open = without_blinks(open, d, blink, sight);
        open = FROM_LANE(open, 0);
        if (open) {
            real more = UNREACHED;
            if ((open >> LANE & 1) && r != ABSENT && has_room(f, r, c)) {
                int32 a = f->prev[v], b = f->next[v];
                real before = reach[k] + between(p, a, c) - f->back[v];
                real behind = reach[k] + between(p, c, b) - f->ahead[v];
                if (keeps_limits(f, r, r, a, c, v, &before)) more = before, after = a;
                if (behind < more && keeps_limits(f, r, r, v, c, b, &behind)) more = behind, after = v;
            }
            real gain = -more;
            int32 lane = LANE;
            BEST_OF_LANES(gain, lane);
            if (-gain < best) best = -gain, best_after = FROM_LANE(after, lane), best_route = FROM_LANE(r, lane);
        }
        if (ended) break;
    }
    int32 found = 0;
    if (LANE == 0) {
        int32 empty = f->spares > 0 ? f->spare[f->spares - 1] : ABSENT;
        if (empty != ABSENT && trip + f->fixed < best && keeps_limits(f, empty, empty, DEPOT, c, DEPOT, &trip))
            best = trip, best_after = DEPOT, best_route = empty;
        found = best_route != ABSENT;
        if (found) put_in(f, c, best_after, best_route, best);
    }
    return FROM_LANE(found, 0);
}

/* Consider all moves that join u to its k-th nearest. */
INLINE void consider_nearest(Fleet *f, Move *best, int32 u, int32 k) {
    int32 v = f->near[(int64)u * f->width + k];
    if (v < 0) return;
    real to = f->reach[(int64)u * f->width + k];
    int32 r = f->route[u], q = f->route[v], joined = 0;
    UNROLL(1)
    for (int32 side = 0; side < 2; side++) {
        real edge = side ? f->back[u] : f->ahead[u], saved = edge - to;
        if (to >= edge) continue;
        joined = 1;
        consider_chains(f, best, u, v, to, to, side);
        int32 mine = side ? f->prev[u] : f->next[u], his = side ? f->next[v] : f->prev[v];
        int32 other = side ? f->prev[v] : f->next[v];
        real turned = saved + (side ? f->back[v] : f->ahead[v]) - apart(f, q, mine, other);
        if (q != r) {
            real tails = saved + (side ? f->ahead[v] : f->back[v]) - (side ? apart(f, q, mine, his) : apart(f, q, his, mine));
            consider_tails(f, best, TAILS, side ? q : r, side ? v : u, side ? r : q, side ? mine : his, tails);
            consider_tails(f, best, HEADS, r, side ? mine : u, q, side ? other : v, turned);
        } else
            consider_reversal(f, best, r, u, v, !side, turned);
    }
    if (q != r && joined) consider_swaps(f, best, u, v, to, to);
}

INLINE Move move_of_lane(Move move, int32 lane) {
    Move m;
    m.gain = FROM_LANE(move.gain, lane), m.kind = FROM_LANE(move.kind, lane);
    m.r = FROM_LANE(move.r, lane), m.u = FROM_LANE(move.u, lane);
    m.q = FROM_LANE(move.q, lane), m.v = FROM_LANE(move.v, lane);
    m.count = FROM_LANE(move.count, lane), m.onward = FROM_LANE(move.onward, lane);
    m.behind = FROM_LANE(move.behind, lane);
    return m;
}

/* The lanes look at as many customers of the queue as their lists of `width` fill; the first with a move is improved. */
INLINE void improve_around(Fleet *f, int32 width, real least) {
    const int32 stride = width < LANES ? width : LANES, slot = stride ? LANE / stride : 0;
    int32 size = LANE == 0 && width > 0 ? enqueue_moved(f) : 0;
    UNROLL(1)
    for (int32 moves = 0; moves < MAX_MOVES;) {
        SYNC_LANES();
        size = FROM_LANE(size, 0);
        if (size == 0) return;
        int32 together = LANES / stride < size ? LANES / stride : size, nearest = 0;
        Move best = {least, NO_MOVE, 0, 0, 0, 0, 0, 0, 0};
        UNROLL(1)
        for (int32 k = LANE % stride; slot < together && k < width; k += LANES) {
            real before = best.gain;
            consider_nearest(f, &best, f->queue[size - 1 - slot], k);
            if (best.gain > before) nearest = k;
        }
        SYNC_LANES();
        uint32 some = VOTES(best.kind != NO_MOVE);
        int32 chosen = some ? LOWEST_BIT(some) / stride : together - 1;
        for (int32 k = 0; LANE == 0 && k <= chosen; k++) f->queued[f->queue[--size]] = 0;
        if (!some) continue;
        real gain = best.kind != NO_MOVE && slot == chosen ? best.gain : -1;
        BEST_OF_LANES(gain, nearest);
        Move m = move_of_lane(best, chosen * stride + nearest % stride);
        if (LANE == 0) size = make_and_enqueue(f, m, size);
        moves++;
    }
    while (LANE == 0 && size > 0) f->queued[f->queue[--size]] = 0;
}

#endif
