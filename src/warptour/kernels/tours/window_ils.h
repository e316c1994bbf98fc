/* Iterated local search in a window: double-bridge kick, repair from the queued cities, undo if that does not pay. */
#ifndef WARPTOUR_WINDOW_ILS
#define WARPTOUR_WINDOW_ILS

#define LOG_SPARE (3 * DEPTH) /* reversals that one Lin-Kernighan search may log: at most 3 per step */

/* Whether every fragment still leads from its first city to its last, so that the fragments keep their sequence.
 * heads[f] is the first city of fragment f, heads[f + 1] - 1 its last; cities are numbered along the fragments. */
INLINE int32 paired(ROOM_PARAMETER const Window *w, FAST const Index *heads, int32 fragments) {
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

/* Choose cities near `c`: the ends of three random walks of `walk_length` steps over the candidate lists, stored in the
 * notes. A walk steps back where a candidate is missing, as at the node that closes an open path. */
INLINE void walk_from(const Window *w, int32 c, uint64 key, uint64 *counter, int32 walk_length) {
    for (int32 k = LANE; k < 3; k += LANES) {
        uint64 draw = *counter + (uint64)(k * walk_length);
        int32 at = c, last = c;
        for (int32 walk_step = 0; walk_step < walk_length; walk_step++) {
            int32 to = w->near[(OFFSET)at * w->width + (int32)random_below(key, &draw, (uint32)w->width)];
            if (to == NOBODY) to = last;
            last = at, at = to;
        }
        w->notes->walks[k] = at;
    }
    *counter += (uint64)(3 * walk_length);
    SYNC_LANES();
}

/* Kick: a double bridge that replaces the edges leaving `c` and three cities near it, so that the segments A B C
 * between them become C B A, none reversed. Returns its cost; *top: largest partial sum. If two of the cities coincide
 * or a bond would break, nothing changes and *kicked is 0. */
INLINE real kick(Window *w, int32 c, uint64 key, uint64 *counter, int32 walk_length, int32 *kicked, real *top) {
    int32 m = w->m, cut[4], left[4], right[4];
    *kicked = 0, *top = 0;
    walk_from(w, c, key, counter, walk_length);
    for (int32 k = 0; k < 4; k++) {
        int32 at = w->place[k == 0 ? c : w->notes->walks[k - 1]], to = k;
        for (; to > 0 && cut[to - 1] > at; to--) cut[to] = cut[to - 1];
        cut[to] = at;
    }
    for (int32 k = 1; k < 4; k++)
        if (cut[k] == cut[k - 1]) return 0;
    /* the longest of the four segments stays in place */
    int32 longest = 0, most = 0;
    for (int32 k = 0; k < 4; k++) {
        int32 segment = k < 3 ? cut[k + 1] - cut[k] : cut[0] + m - cut[3];
        if (segment > most) most = segment, longest = k;
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
    if (LANE == 0)
        for (int32 k = 0; k < 4; k++) w->notes->cut[2 * k] = left[k], w->notes->cut[2 * k + 1] = right[k];
    const Points *p = &w->points;
    real cost = between(p, left[0], right[2]) + between(p, left[3], right[1]) + between(p, left[2], right[0]) +
                between(p, left[1], right[3]);
    real removed = 0;
    for (int32 k = 0; k < 4; k++) removed += between(p, left[k], right[k]);
    *top = larger(cost, removed);
    cost -= removed;
    int32 first = turned[0] + 1, segment_a = turned[1] - turned[0], segment_b = turned[2] - turned[1];
    int32 segment_c = turned[3] - turned[2];
    reverse_and_log(w, first, segment_a + segment_b + segment_c);
    reverse_and_log(w, first, segment_c);
    reverse_and_log(w, first + segment_c, segment_b);
    reverse_and_log(w, first + segment_c + segment_b, segment_a);
    for (int32 k = 0; k < 4; k++) {
        enqueue(w, left[k]);
        enqueue(w, right[k]);
    }
    *kicked = 1;
    return cost;
}

/* Choose the city of the next kick, among `count` cities from `first` on (wrapping around) or among the sites. They
 * come in an order unrelated to their location, each once before any repeats. A kick draws 3 * walk_length + 1 random
 * numbers, so the counter gives the number of kicks so far. */
INLINE int32 site_of(const Window *w, int32 first, int32 count, uint64 key, uint64 *counter, int32 walk_length) {
    uint64 number = *counter / (uint64)(3 * walk_length + 1);
    int32 c = first + (int32)(((key >> 33) + number * 2654435761u) % (uint64)count);
    *counter += 1;
#ifdef SITES
    return w->sites[c];
#else
    return c < w->m ? c : c - w->m;
#endif
}

/* Whether all edges that the last kick removed are present again. */
INLINE int32 taken_back(const Window *w) {
    int32 back = 1;
    for (int32 k = 0; k < 4; k++) {
        int32 a = w->notes->cut[2 * k], b = w->notes->cut[2 * k + 1];
        back &= after(w, a) == b || before(w, a) == b;
    }
    return back;
}

/* Budget and statistics of a search. */
typedef struct {
    int64 left; /* number of cities it may still evaluate */
    int64 kicks, better;
    real won;
} Tally;

/* Smallest gain at which a kick is kept. Kicks of zero gain are kept, since they may lead on. Changes of overlapping
 * windows conflict with each other, so there only every fourth zero-gain kick is kept. */
#ifdef SITES
#define MIN_GAIN(error, tally) ((tally)->kicks & 3 ? (error) : -(error))
#else
#define MIN_GAIN(error, tally) (-(error))
#endif

/* Repair the queued cities, then make up to `kicks` kicks at cities kick_from .. kick_from + kick_count - 1 (wrapping
 * around), until tally->left cities have been evaluated. */
INLINE void search_window(ROOM_PARAMETER Window *w, FAST const Index *heads, int32 fragments, uint64 key,
                          uint64 *counter, int32 walk_length, int32 kick_from, int32 kick_count, int64 kicks, Tally *tally) {
    int32 kicked = 0; /* whether the queued cities stem from a kick; then the log starts at it */
    real gain = 0, top = 0; /* of the kick and its repair; largest partial sum */
    for (;;) {
        if (w->queue_length == 0 || (kicked && w->logged + LOG_SPARE >= w->log_size)) {
            dequeue_last(w, 0);
            if (kicked) {
                real error = tolerance(w, top);
                if (gain < MIN_GAIN(error, tally) || !paired(ROOM w, heads, fragments)) undo_to(w, 0);
                else tally->won += gain, tally->better += gain > error;
            }
            if (tally->kicks >= kicks || tally->left <= 0) return;
            int32 where = site_of(w, kick_from, kick_count, key, counter, walk_length);
            w->logged = 0;
            gain = -kick(w, where, key, counter, walk_length, &kicked, &top);
            tally->kicks++;
            continue;
        }
        if (!kicked && tally->left <= 0) return;
        int32 c = next_queued(w), waiting = w->queue_length;
        if (!kicked) w->logged = 0;
        real more = improve_city(ROOM w, c, &top);
        tally->left--;
        if (kicked) {
            real error = tolerance(w, top);
            gain += more;
            /* the repair has only reverted the kick: stop */
            if (more > 0 && gain <= error && gain >= -error && taken_back(w)) dequeue_last(w, 0);
        } else if (more > 0 && !paired(ROOM w, heads, fragments)) {
            undo_to(w, 0);
            dequeue_last(w, waiting);
        } else {
            tally->won += more;
        }
    }
}

#endif
