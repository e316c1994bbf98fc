/* The step of the search: Lin-Kernighan over complete sequential 3-opt moves.
 *
 * Take the edge t1-t2 out of the cycle: what is left is a path v0 .. v(m-1) from
 * t2 = v0 to t1 = v(m-1). Each step joins the end t2 to a near city t3 = v(i) and
 * takes out an edge of t3, so that another city becomes the end:
 *
 *   turn    t4 = v(i-1)      v(i-1) .. v0  v(i) ..             one more path
 *   ring    t4 = v(i+1)      ring v0 .. v(i), path v(i+1) ..   open it at t5-t6 and join t5 to t4:
 *     swap    t5 = v(j), t6 = v(j+1)   v(j+1) .. v(i)  v0 .. v(j)    v(i+1) ..
 *     twist   t5 = v(j), t6 = v(j-1)   v(j-1) .. v0    v(i) .. v(j)  v(i+1) ..
 *
 * TURN (2-opt), TURN_TURN, SWAP and TWIST are all the sequential 3-opt moves. The
 * best that closes with a gain is taken. If none does, the search goes on from
 * the end of the one that leaves the path shortest, to a given depth. Meanwhile
 * the cycle stays as it is: the path is a short list of runs of it.
 */
#ifndef WARPTOUR_WINDOW_MOVES
#define WARPTOUR_WINDOW_MOVES

#define TURN 0
#define TURN_TURN 1
#define SWAP 2
#define TWIST 3

#ifndef DEPTH
#define DEPTH 25
#endif
#define MOST_RUNS (2 * DEPTH + 1)

typedef struct {
    int32 kind, t3, t4, t5, t6;
    int32 i, j;        /* t3 = v(i), t5 = v(j) */
    real open, closed; /* gain with the end left open, and joined to t1 */
} Step;

/* The path of a search, in runs. The path before the first step numbers the cities: number 0 is the first
 * t2, and number k is k places on. Run r holds the numbers from[r] to to[r], counting up or down. */
typedef struct {
    int32 t1, t2, backward, origin;
    real gain; /* of all steps so far, the edge t1-t2 out */
    int32 steps, runs;
    int32 from[MOST_RUNS], to[MOST_RUNS];
    Step taken[DEPTH];
    int32 ends[DEPTH]; /* t2 before each of them */
} Path;

/* Where a city lies on the path. */
typedef struct {
    int32 index, run, number;
} Spot;

INLINE int32 city_numbered(const Window *w, const Path *path, int32 number) {
    int32 at = path->backward ? path->origin - number : path->origin + number;
    return w->tour[at < 0 ? at + w->m : at >= w->m ? at - w->m : at];
}

INLINE Spot spot_of(const Window *w, const Path *path, int32 c) {
    Spot spot;
    int32 number = path->backward ? path->origin - w->place[c] : w->place[c] - path->origin;
    if (number < 0) number += w->m;
    spot.number = number, spot.run = 0, spot.index = number;
    if (path->runs == 1) return spot;
    int32 start = 0;
    for (int32 r = 0;; r++) {
        int32 from = path->from[r], to = path->to[r];
        if (from <= to) {
            if (from <= number && number <= to) {
                spot.run = r, spot.index = start + number - from;
                return spot;
            }
            start += to - from + 1;
        } else {
            if (to <= number && number <= from) {
                spot.run = r, spot.index = start + from - number;
                return spot;
            }
            start += from - to + 1;
        }
    }
}

/* The next city of the path; there must be one. */
INLINE int32 ahead(const Window *w, const Path *path, Spot at) {
    int32 from = path->from[at.run], to = path->to[at.run];
    int32 number = at.number == to ? path->from[at.run + 1] : at.number + (from <= to ? 1 : -1);
    return city_numbered(w, path, number);
}

INLINE int32 behind(const Window *w, const Path *path, Spot at) {
    int32 from = path->from[at.run], to = path->to[at.run];
    int32 number = at.number == from ? path->to[at.run - 1] : at.number - (from <= to ? 1 : -1);
    return city_numbered(w, path, number);
}

/* Begin a run at the path's index `at`; return which run that is. */
INLINE int32 split_run(Path *path, int32 at) {
    int32 start = 0, r = 0;
    for (;; r++) {
        int32 from = path->from[r], to = path->to[r];
        int32 count = (from <= to ? to - from : from - to) + 1;
        if (at == start) return r;
        if (at < start + count) break;
        start += count;
        if (r + 1 == path->runs) return path->runs;
    }
    for (int32 k = path->runs; k > r; k--) path->from[k] = path->from[k - 1], path->to[k] = path->to[k - 1];
    path->runs++;
    int32 down = path->from[r] <= path->to[r] ? 1 : -1;
    path->from[r + 1] = path->from[r] + down * (at - start);
    path->to[r] = path->from[r + 1] - down;
    return r + 1;
}

/* Reverse the part of the path made of runs first .. last. */
INLINE void reverse_runs(Path *path, int32 first, int32 last) {
    for (; first < last; first++, last--) {
        int32 from = path->from[first], to = path->to[first];
        path->from[first] = path->to[last], path->to[first] = path->from[last];
        path->from[last] = to, path->to[last] = from;
    }
    if (first == last) {
        int32 from = path->from[first];
        path->from[first] = path->to[first], path->to[first] = from;
    }
}

INLINE void extend(Path *path, const Step *s) {
    path->ends[path->steps] = path->t2;
    path->taken[path->steps++] = *s;
    path->gain = s->open;
    path->t2 = s->t6;
    if (s->kind == TURN_TURN) {
        int32 i = split_run(path, s->i);
        reverse_runs(path, 0, i - 1);
        int32 j = split_run(path, s->j < s->i ? s->i - 1 - s->j : s->j);
        reverse_runs(path, 0, j - 1);
        return;
    }
    int32 j = split_run(path, s->kind == SWAP ? s->j + 1 : s->j), i = split_run(path, s->i + 1);
    reverse_runs(path, 0, j - 1);
    reverse_runs(path, j, i - 1);
    if (s->kind == SWAP) reverse_runs(path, 0, i - 1);
}

INLINE int32 same_edge(int32 a, int32 b, int32 c, int32 d) { return (a == c && b == d) || (a == d && b == c); }

/* Whether the edge a-b may be taken out: it is no bond and was not put in by a step of this path. */
INLINE int32 breakable(const Window *w, const Path *path, int32 a, int32 b) {
    if (bonded(w, a, b)) return 0;
    for (int32 k = 0; k < path->steps; k++) {
        const Step *s = &path->taken[k];
        if (same_edge(a, b, path->ends[k], s->t3) || same_edge(a, b, s->t4, s->t5)) return 0;
    }
    return 1;
}

INLINE void keep_better(Step *best_closed, Step *best_open, const Step *found) {
    if (found->closed > best_closed->closed) *best_closed = *found;
    if (found->open > best_open->open && found->kind != TURN) *best_open = *found;
}

/* Find the best step that closes and the best that stays open; both come in as worthless. */
INLINE void best_steps(const Window *w, const Path *path, Step *closed, Step *open) {
    const Points *p = &w->points;
    int32 t1 = path->t1, t2 = path->t2;
    for (int32 k = LANE; k < w->width; k += LANES) {
        int64 slot = (int64)t2 * w->width + k;
        Step s;
        s.t3 = w->near[slot];
        if (s.t3 == NOBODY) break;
        real g1 = path->gain - w->reach[slot];
        if (g1 <= w->noise) break;
        if (s.t3 == t1) continue;
        Spot third = spot_of(w, path, s.t3);
        s.i = third.index;

        s.t4 = behind(w, path, third);
        if (s.i >= 2 && breakable(w, path, s.t3, s.t4)) {
            real g2 = g1 + between(p, s.t3, s.t4);
            s.kind = TURN, s.open = g2, s.closed = g2 - between(p, s.t4, t1);
            keep_better(closed, open, &s);
            s.kind = TURN_TURN;
            for (int32 q = 0; q < w->width; q++) {
                int64 far = (int64)s.t4 * w->width + q;
                s.t5 = w->near[far];
                if (s.t5 == NOBODY) break;
                real g3 = g2 - w->reach[far];
                if (g3 <= w->noise) break;
                if (s.t5 == s.t3 || s.t5 == t1) continue;
                Spot fifth = spot_of(w, path, s.t5);
                s.j = fifth.index;
                s.t6 = s.j < s.i ? ahead(w, path, fifth) : behind(w, path, fifth);
                if (s.t6 == s.t4 || !breakable(w, path, s.t5, s.t6)) continue;
                s.open = g3 + between(p, s.t5, s.t6);
                if (s.open <= closed->closed && s.open <= open->open) continue;
                s.closed = s.open - between(p, s.t6, t1);
                keep_better(closed, open, &s);
            }
        }

        s.t4 = ahead(w, path, third);
        if (s.i >= 1 && breakable(w, path, s.t3, s.t4)) {
            real g2 = g1 + between(p, s.t3, s.t4);
            for (int32 q = 0; q < w->width; q++) {
                int64 far = (int64)s.t4 * w->width + q;
                s.t5 = w->near[far];
                if (s.t5 == NOBODY) break;
                real g3 = g2 - w->reach[far];
                if (g3 <= w->noise) break;
                Spot fifth = spot_of(w, path, s.t5);
                s.j = fifth.index;
                if (s.j >= s.i) continue;
                for (s.kind = SWAP; s.kind <= TWIST; s.kind++) {
                    if (s.kind == TWIST && s.j == 0) break;
                    s.t6 = s.kind == SWAP ? ahead(w, path, fifth) : behind(w, path, fifth);
                    if (!breakable(w, path, s.t5, s.t6)) continue;
                    s.open = g3 + between(p, s.t5, s.t6);
                    if (s.open <= closed->closed && s.open <= open->open) continue;
                    s.closed = s.open - between(p, s.t6, t1);
                    keep_better(closed, open, &s);
                }
            }
        }
        if (closed->kind != NOBODY) return;
    }
}

/* SWAP in the cycle: of the runs t2..t5, t6..t3 and t4..t1 the longest stays where it is. */
INLINE void swap_in_cycle(Window *w, int32 t1, int32 t2, int32 backward, const Step *s) {
    int32 x = s->j + 1, y = s->i - s->j, z = w->m - x - y;
    if (!backward) {
        if (z >= x && z >= y) swap_runs(w, w->place[t2], x, y);
        else if (x >= y) swap_runs(w, w->place[s->t6], y, z);
        else swap_runs(w, w->place[s->t4], z, x);
    } else {
        if (z >= x && z >= y) swap_runs(w, w->place[s->t3], y, x);
        else if (x >= y) swap_runs(w, w->place[t1], z, y);
        else swap_runs(w, w->place[s->t5], x, z);
    }
}

/* Reverse the part a .. b of the path that starts at the neighbour of t1. */
INLINE void turn_in_cycle(Window *w, int32 backward, int32 a, int32 b) {
    if (backward) reverse_path(w, b, a);
    else reverse_path(w, a, b);
}

/* Make a step in the cycle itself. t1 and t2 are neighbours in it before, t1 and the new end after. */
INLINE void apply_step(Window *w, int32 t1, int32 t2, const Step *s) {
    int32 backward = after(w, t1) != t2;
    if (s->kind == SWAP) {
        swap_in_cycle(w, t1, t2, backward, s);
        return;
    }
    int32 end = s->kind == TWIST ? s->t6 : s->t4;
    turn_in_cycle(w, backward, t2, end);
    if (s->kind == TURN) return;
    backward = after(w, t1) != end; /* the rest may have been turned instead */
    if (s->kind == TURN_TURN) turn_in_cycle(w, backward, end, s->t6);
    else turn_in_cycle(w, backward, s->t5, s->t3);
}

/* Make all steps of a path in the cycle, the last of which closes it; all cities involved become dirty. */
INLINE void apply_path(Window *w, const Path *path, int32 first_t2, const Step *last) {
    int32 t2 = first_t2;
    make_dirty(w, path->t1);
    make_dirty(w, t2);
    for (int32 k = 0; k <= path->steps; k++) {
        const Step *s = k < path->steps ? &path->taken[k] : last;
        apply_step(w, path->t1, t2, s);
        t2 = s->t6;
        make_dirty(w, s->t3);
        make_dirty(w, s->t4);
        if (s->kind == TURN) return;
        make_dirty(w, s->t5);
        make_dirty(w, s->t6);
    }
}

/* Improve the cycle by a path that starts with the edge of t1 on one side; return the gain, 0 if there is none. */
INLINE real improve_edge(Window *w, int32 t1, int32 backward) {
    int32 t2 = backward ? before(w, t1) : after(w, t1);
    if (bonded(w, t1, t2)) return 0;
    Path path;
    path.t1 = t1, path.t2 = t2, path.backward = backward, path.origin = w->place[t2];
    path.gain = between(&w->points, t1, t2);
    path.steps = 0, path.runs = 1, path.from[0] = 0, path.to[0] = w->m - 1;
    for (;;) {
        Step closed, open;
        closed.closed = w->noise, closed.kind = NOBODY;
        open.open = w->noise, open.kind = NOBODY;
        best_steps(w, &path, &closed, &open);
        if (closed.kind != NOBODY) {
            apply_path(w, &path, t2, &closed);
            return closed.closed;
        }
        if (open.kind == NOBODY || path.steps + 1 == DEPTH) return 0;
        extend(&path, &open);
    }
}

INLINE real improve_city(Window *w, int32 c) {
    real gain = improve_edge(w, c, 0);
    return gain > 0 ? gain : improve_edge(w, c, 1);
}

#endif
