/* Lin-Kernighan local search whose step is a complete sequential 3-opt move.
 *
 * Removing the edge t1-t2 turns the cycle into a path v0 .. v(m-1) from t2 = v0 to t1 = v(m-1). Each step joins the end
 * t2 to a near city t3 = v(i) and removes an edge of t3, so that another city becomes the end:
 *
 *   turn    t4 = v(i-1)      v(i-1) .. v0  v(i) ..             a path again
 *   ring    t4 = v(i+1)      ring v0 .. v(i), path v(i+1) ..   open the ring at t5-t6 and join t5 to t4:
 *     swap    t5 = v(j), t6 = v(j+1)   v(j+1) .. v(i)  v0 .. v(j)    v(i+1) ..
 *     twist   t5 = v(j), t6 = v(j-1)   v(j-1) .. v0    v(i) .. v(j)  v(i+1) ..
 *
 * TURN (2-opt), TURN_TURN, SWAP and TWIST are all the sequential 3-opt moves. The best step that closes the tour with a
 * gain is made. If there is none, the search continues from the step that leaves the path shortest, up to STEPS steps.
 * Meanwhile the cycle stays unchanged: the path is represented as a short list of its segments.
 */
#ifndef WARPTOUR_WINDOW_MOVES
#define WARPTOUR_WINDOW_MOVES

#define TURN 0
#define TURN_TURN 1
#define SWAP 2
#define TWIST 3

/* Distance from c to its k-th candidate `to`. */
#ifdef NO_REACH
#define REACH(w, c, k, to) between(&(w)->points, c, to)
#else
#define REACH(w, c, k, to) (w)->reach[(OFFSET)(c) * (w)->width + (k)]
#endif

/* The path of a search as a list of segments. Cities are numbered along the path before the first step: number 0 is the
 * first t2, number k is k positions on. Segment r holds the numbers from[r] to to[r], ascending or descending. */
typedef struct {
    int32 t1, t2, backward, origin;
    real gain; /* total over all steps, with t1-t2 removed */
    real top;  /* largest partial sum so far */
    int32 steps, segments;
    LOCAL Index *from, *to;
    LOCAL Step *taken;
} Path;

/* Location of a city on the path. */
typedef struct {
    int32 index, segment, number;
} Spot;

INLINE int32 city_numbered(const Window *w, const Path *path, int32 number) {
    int32 at = path->backward ? path->origin - number : path->origin + number;
    return w->tour[at < 0 ? at + w->m : at >= w->m ? at - w->m : at];
}

INLINE Spot spot_of(const Window *w, const Path *path, int32 c) {
    Spot spot;
    int32 number = path->backward ? path->origin - w->place[c] : w->place[c] - path->origin;
    if (number < 0) number += w->m;
    spot.number = number, spot.segment = 0, spot.index = number;
    if (path->segments == 1) return spot;
    int32 start = 0;
    for (int32 r = 0;; r++) {
        int32 from = path->from[r], to = path->to[r];
        if (from <= to) {
            if (from <= number && number <= to) {
                spot.segment = r, spot.index = start + number - from;
                return spot;
            }
            start += to - from + 1;
        } else {
            if (to <= number && number <= from) {
                spot.segment = r, spot.index = start + from - number;
                return spot;
            }
            start += from - to + 1;
        }
    }
}

/* Return the next city of the path; there must be one. */
INLINE int32 ahead(const Window *w, const Path *path, Spot at) {
    int32 from = path->from[at.segment], to = path->to[at.segment];
    int32 number = at.number == to ? path->from[at.segment + 1] : at.number + (from <= to ? 1 : -1);
    return city_numbered(w, path, number);
}

INLINE int32 behind(const Window *w, const Path *path, Spot at) {
    int32 from = path->from[at.segment], to = path->to[at.segment];
    int32 number = at.number == from ? path->to[at.segment - 1] : at.number - (from <= to ? 1 : -1);
    return city_numbered(w, path, number);
}

/* Split a segment so that one begins at index `at` of the path; return its number. */
INLINE int32 split_segment(Path *path, int32 at) {
    int32 start = 0, r = 0;
    for (;; r++) {
        int32 from = path->from[r], to = path->to[r];
        int32 count = (from <= to ? to - from : from - to) + 1;
        if (at == start) return r;
        if (at < start + count) break;
        start += count;
        if (r + 1 == path->segments) return path->segments;
    }
    int32 down = path->from[r] <= path->to[r] ? 1 : -1, begin = path->from[r] + down * (at - start);
    SYNC_LANES();
    if (LANE == 0) {
        for (int32 k = path->segments; k > r; k--) path->from[k] = path->from[k - 1], path->to[k] = path->to[k - 1];
        path->from[r + 1] = (Index)begin;
        path->to[r] = (Index)(begin - down);
    }
    SYNC_LANES();
    path->segments++;
    return r + 1;
}

/* Reverse the part of the path that consists of segments first .. last. */
INLINE void reverse_segments(Path *path, int32 first, int32 last) {
    SYNC_LANES();
    for (int32 k = LANE; first + k <= last - k; k += LANES) {
        int32 a = first + k, b = last - k;
        Index from = path->from[a], to = path->to[a];
        path->from[a] = path->to[b], path->to[a] = path->from[b];
        path->from[b] = to, path->to[b] = from;
    }
    SYNC_LANES();
}

INLINE void extend(Path *path, const Step *s) {
    if (LANE == 0) path->taken[path->steps] = *s;
    path->steps++;
    path->gain = s->open;
    path->top = s->top;
    path->t2 = s->t6;
    if (s->kind == TURN_TURN) {
        int32 i = split_segment(path, s->i);
        reverse_segments(path, 0, i - 1);
        int32 j = split_segment(path, s->j < s->i ? s->i - 1 - s->j : s->j);
        reverse_segments(path, 0, j - 1);
        return;
    }
    int32 j = split_segment(path, s->kind == SWAP ? s->j + 1 : s->j), i = split_segment(path, s->i + 1);
    reverse_segments(path, 0, j - 1);
    reverse_segments(path, j, i - 1);
    if (s->kind == SWAP) reverse_segments(path, 0, i - 1);
}

/* Whether the path edge from city `a` at a spot to `b`, its successor (onward) or predecessor, may be removed: it is no
 * bond and was not added by a step. Edges added by steps join two segments; all others lie within one. */
INLINE int32 breakable(const Window *w, const Path *path, Spot at, int32 a, int32 b, int32 onward) {
    return at.number != (onward ? path->to[at.segment] : path->from[at.segment]) && !bonded(w, a, b);
}

/* Evaluate the k-th candidate of the end t2 as t3. Return 1, 0 if it is not valid, -1 if no later one can gain. */
INLINE int32 join_to(const Window *w, const Path *path, int32 k, Third *third) {
    int32 t2 = path->t2, t3 = w->near[(OFFSET)t2 * w->width + k];
    if (t3 == NOBODY) return -1;
    real gain = path->gain - REACH(w, t2, k, t3);
    if (gain <= w->epsilon) return -1;
    if (t3 == path->t1) return 0;
    Spot spot = spot_of(w, path, t3);
    third->t3 = t3, third->i = spot.index;
    third->behind = third->ahead = NOBODY, third->gain_behind = third->gain_ahead = 0;
    if (spot.index >= 2) {
        int32 t4 = behind(w, path, spot);
        if (breakable(w, path, spot, t3, t4, 0))
            third->behind = t4, third->gain_behind = gain + between(&w->points, t3, t4);
    }
    if (spot.index >= 1) {
        int32 t4 = ahead(w, path, spot);
        if (breakable(w, path, spot, t3, t4, 1))
            third->ahead = t4, third->gain_ahead = gain + between(&w->points, t3, t4);
    }
    return 1;
}

/* The best closing step and the best open step found so far, each with its rank in evaluation order. */
typedef struct {
    Step closed, open;
    int32 closed_rank, open_rank;
    real epsilon;
} Best;

#define WORST_RANK 0x7fffffff
#define RANKS 1024 /* ranks reserved per t3 */

/* Return the gain that a step of the given rank must exceed to become the best closing step. A step through a nearer t3
 * beats any step through a farther one. */
INLINE real closed_bar(const Best *best, int32 rank) {
    int32 held = best->closed_rank / RANKS, k = rank / RANKS;
    if (best->closed.kind == NOBODY || k < held) return best->epsilon;
    return k == held ? best->closed.closed : (real)INFINITY;
}

/* The city that t4 is joined to, and the partial gain including that edge. */
typedef struct {
    int32 t5;
    Spot spot;
    real gain;
} Fifth;

/* Evaluate the q-th candidate of t4 as t5: return whether it can gain. If not, no later candidate can. */
INLINE int32 join_on(const Window *w, const Path *path, int32 t4, real gain, int32 q, Fifth *fifth) {
    if (t4 == NOBODY) return 0;
    fifth->t5 = w->near[(OFFSET)t4 * w->width + q];
    if (fifth->t5 == NOBODY) return 0;
    fifth->gain = gain - REACH(w, t4, q, fifth->t5);
    if (fifth->gain <= w->epsilon) return 0;
    fifth->spot = spot_of(w, path, fifth->t5);
    return 1;
}

/* Build the step of a kind other than TURN through t3 and t5; return whether it is valid and may beat the best. */
INLINE int32 complete(const Window *w, const Path *path, const Third *third, const Fifth *fifth, int32 kind,
                      int32 rank, const Best *best, Step *s) {
    int32 onward = kind == SWAP;
    s->kind = kind, s->t3 = third->t3, s->i = third->i, s->t5 = fifth->t5, s->j = fifth->spot.index;
    if (kind == TURN_TURN) {
        s->t4 = third->behind;
        if (s->t5 == s->t3 || s->t5 == path->t1) return 0;
        onward = s->j < s->i;
    } else {
        s->t4 = third->ahead;
        if (s->j >= s->i || (kind == TWIST && s->j == 0)) return 0;
    }
    s->t6 = onward ? ahead(w, path, fifth->spot) : behind(w, path, fifth->spot);
    if (!breakable(w, path, fifth->spot, s->t5, s->t6, onward)) return 0;
    if (kind == TURN_TURN && s->t6 == s->t4) return 0;
    s->open = fifth->gain + between(&w->points, s->t5, s->t6);
    if (s->open <= closed_bar(best, rank) && s->open <= best->open.open) return 0;
    s->closed = s->open - between(&w->points, s->t6, path->t1);
    s->top = larger(larger(path->top, s->open), kind == TURN_TURN ? third->gain_behind : third->gain_ahead);
    return 1;
}

INLINE void keep_better(const Window *w, Best *best, const Step *found, int32 rank) {
    if (found->closed > closed_bar(best, rank) && found->closed > tolerance(w, found->top))
        best->closed = *found, best->closed_rank = rank;
    if (found->open > best->open.open && found->kind != TURN) best->open = *found, best->open_rank = rank;
}

#if LANES > 1
/* Return the lane that evaluated the step of a given rank; `each`: steps per t3 besides its TURN. */
INLINE int32 lane_of(int32 rank, int32 each) {
    int32 k = rank / RANKS, place = rank % RANKS;
    return place == 0 ? k : (k * each + place - 1) % LANES;
}

/* Broadcast the best step from the lane that holds it to all lanes. */
INLINE void share_step(ROOM_PARAMETER Step *s, int32 lane) {
    s->kind = FROM_LANE(s->kind, lane);
    s->t3 = FROM_LANE(s->t3, lane), s->t4 = FROM_LANE(s->t4, lane);
    s->t5 = FROM_LANE(s->t5, lane), s->t6 = FROM_LANE(s->t6, lane);
    s->i = FROM_LANE(s->i, lane), s->j = FROM_LANE(s->j, lane);
    s->open = FROM_LANE(s->open, lane), s->closed = FROM_LANE(s->closed, lane), s->top = FROM_LANE(s->top, lane);
}
#endif

/* Evaluate the TURN step through one t3. */
INLINE void try_turn(const Window *w, const Path *path, const Third *third, int32 rank, Best *best) {
    if (third->behind == NOBODY) return;
    real gain = third->gain_behind, closed = gain - between(&w->points, third->behind, path->t1);
    Step s = {TURN, third->t3, third->behind, 0, 0, third->i, 0, gain, closed, larger(path->top, gain)};
    keep_better(w, best, &s, rank);
}

/* Find the best closing step through the nearest t3 that has one, or else the best open step. Steps through one t3 are
 * ranked TURN, TURN_TURN by q, then SWAP and TWIST by q. */
#if LANES == 1
INLINE void best_steps(const Window *w, const Path *path, Best *best) {
    Step s;
    Third third;
    Fifth fifth;
    best->closed.closed = w->epsilon, best->closed.kind = NOBODY, best->closed_rank = WORST_RANK;
    best->open.open = w->epsilon, best->open.kind = NOBODY, best->open_rank = WORST_RANK, best->epsilon = w->epsilon;
    for (int32 k = 0; k < w->width && best->closed.kind == NOBODY; k++) {
        int32 found = join_to(w, path, k, &third);
        if (found < 0) break;
        if (!found) continue;
        try_turn(w, path, &third, 0, best);
        for (int32 q = 0; q < w->width && join_on(w, path, third.behind, third.gain_behind, q, &fifth); q++)
            if (complete(w, path, &third, &fifth, TURN_TURN, 0, best, &s)) keep_better(w, best, &s, 0);
        for (int32 q = 0; q < w->width && join_on(w, path, third.ahead, third.gain_ahead, q, &fifth); q++)
            for (int32 kind = SWAP; kind <= TWIST; kind++)
                if (complete(w, path, &third, &fifth, kind, 0, best, &s)) keep_better(w, best, &s, 0);
    }
}
#else
/* The same in parallel: one lane per t3, then one lane per step over all t3. */
INLINE void best_steps(ROOM_PARAMETER const Window *w, const Path *path, Best *best) {
    Step s;
    Third third;
    Fifth fifth;
    LOCAL Third *thirds = w->notes->thirds;
    best->closed.closed = w->epsilon, best->closed.kind = NOBODY, best->closed_rank = WORST_RANK;
    best->open.open = w->epsilon, best->open.kind = NOBODY, best->open_rank = WORST_RANK, best->epsilon = w->epsilon;
    int32 found = LANE < w->width ? join_to(w, path, LANE, &third) : -1, each = 3 * w->width;
    if (found > 0) {
        try_turn(w, path, &third, LANE * RANKS, best);
        thirds[LANE] = third;
    } else if (found == 0) {
        thirds[LANE].behind = thirds[LANE].ahead = NOBODY;
    }
    int32 steps = each * SUM_OF_LANES((int32)(found >= 0));
    SYNC_LANES();
    for (int32 r = LANE; r < steps; r += LANES) {
        int32 k = r / each, q = r - k * each, kind = TURN_TURN, rank = k * RANKS + 1 + q;
        if (q >= w->width) q -= w->width, kind = SWAP + (q & 1), q >>= 1;
        third = thirds[k];
        int32 turns = kind == TURN_TURN, t4 = turns ? third.behind : third.ahead;
        if (!join_on(w, path, t4, turns ? third.gain_behind : third.gain_ahead, q, &fifth)) continue;
        if (complete(w, path, &third, &fifth, kind, rank, best, &s)) keep_better(w, best, &s, rank);
    }
    if (ANY_LANE(best->closed.kind != NOBODY)) {
        int32 nearest = -(best->closed_rank / RANKS), lane = LANE;
        BEST_OF_LANES(nearest, lane);
        if (best->closed_rank / RANKS != -nearest) best->closed.closed = w->epsilon, best->closed_rank = WORST_RANK;
        BEST_OF_LANES(best->closed.closed, best->closed_rank);
        share_step(ROOM &best->closed, lane_of(best->closed_rank, each));
        return;
    }
    BEST_OF_LANES(best->open.open, best->open_rank);
    if (best->open_rank != WORST_RANK) share_step(ROOM &best->open, lane_of(best->open_rank, each));
}
#endif

/* Make a SWAP in the cycle: of the segments t2..t5, t6..t3 and t4..t1 the longest stays in place. */
INLINE void swap_in_cycle(Window *w, int32 t1, int32 t2, int32 backward, const Step *s) {
    int32 x = s->j + 1, y = s->i - s->j, z = w->m - x - y, first, left, right;
    if (z >= x && z >= y) first = backward ? s->t3 : t2, left = x, right = y;
    else if (x >= y) first = backward ? t1 : s->t6, left = y, right = z;
    else first = backward ? s->t5 : s->t4, left = z, right = x;
    swap_segments(w, w->place[first], backward ? right : left, backward ? left : right);
}

/* Reverse the part a .. b of the path that starts at the neighbour of t1. */
INLINE void turn_in_cycle(Window *w, int32 backward, int32 a, int32 b) {
    reverse_path(w, backward ? b : a, backward ? a : b);
}

/* Make a step in the cycle itself. t1 is a neighbour of t2 before it, and of the new end after it. */
INLINE void apply_step(Window *w, int32 t1, int32 t2, const Step *s) {
    int32 end = s->kind == TWIST ? s->t6 : s->t4, a = t2, b = end;
    if (s->kind == SWAP) {
        swap_in_cycle(w, t1, t2, after(w, t1) != t2, s);
        return;
    }
    for (int32 turn = 0;; turn++) {
        int32 beside = turn == 0 ? t2 : end;
        turn_in_cycle(w, after(w, t1) != beside, a, b); /* orientation may have changed with the first reversal */
        if (s->kind == TURN || turn == 1) return;
        a = s->kind == TURN_TURN ? end : s->t5, b = s->kind == TURN_TURN ? s->t6 : s->t3;
    }
}

/* Make all steps of a path in the cycle, the last of which closes it, and enqueue all cities involved. */
INLINE void apply_path(Window *w, const Path *path, int32 first_t2, const Step *last) {
    int32 t2 = first_t2;
    enqueue(w, path->t1);
    enqueue(w, t2);
    for (int32 k = 0; k <= path->steps; k++) {
        Step made = k < path->steps ? path->taken[k] : *last;
        const Step *s = &made;
        apply_step(w, path->t1, t2, s);
        t2 = s->t6;
        enqueue(w, s->t3);
        enqueue(w, s->t4);
        if (s->kind == TURN) return;
        enqueue(w, s->t5);
        enqueue(w, s->t6);
    }
}

/* Improve the cycle by a Lin-Kernighan search from the edge between t1 and its predecessor (backward) or successor.
 * Returns the gain, 0 if there is none, and raises *top to the largest partial sum. */
INLINE real improve_edge(ROOM_PARAMETER Window *w, int32 t1, int32 backward, real *top) {
    int32 t2 = backward ? before(w, t1) : after(w, t1);
    if (bonded(w, t1, t2)) return 0;
    LOCAL Notes *notes = w->notes;
    real out = between(&w->points, t1, t2);
    Path path = {t1, t2, backward, w->place[t2], out, out, 0, 1, notes->from, notes->to, notes->taken};
    SYNC_LANES();
    if (LANE == 0) path.from[0] = 0, path.to[0] = (Index)(w->m - 1);
    SYNC_LANES();
    for (;;) {
        Best best;
        best_steps(ROOM w, &path, &best);
        if (best.closed.kind != NOBODY) {
            apply_path(w, &path, t2, &best.closed);
            *top = larger(*top, best.closed.top);
            return best.closed.closed;
        }
        if (best.open.kind == NOBODY || path.steps + 1 == STEPS(w)) return 0;
        extend(&path, &best.open);
    }
}

INLINE real improve_city(ROOM_PARAMETER Window *w, int32 c, real *top) {
    real gain = 0;
    for (int32 backward = 0; backward < 2 && !(gain > 0); backward++) gain = improve_edge(ROOM w, c, backward, top);
    return gain;
}

#endif
