/* A window: a cycle of m cities, some of whose edges are bonds.
 *
 * tour[place[c]] == c. A bond is an edge that no move may break: the join between two fragments of the tour, a fixed
 * edge of the problem, the closing of an open path. Every change is a reversal of a segment, and each is logged, so
 * that any state since the last mark can be restored.
 */
#ifndef WARPTOUR_WINDOW
#define WARPTOUR_WINDOW

#define NOBODY (-1)
#define QUEUED 1
#define HEAD 2

/* Address space of a window's arrays: GLOBAL, which a CPU caches, unless the build sets LOCAL (shared memory). */
#ifndef FAST
#define FAST GLOBAL
#endif

/* Type of a city's index within its window. GPUs use 16 bits so that more windows fit into shared memory. */
#ifndef INDEX
#define INDEX int32
#endif
typedef INDEX Index;

/* Type of an index into the m by width candidate array; int32 suffices for windows that fit on a GPU. */
#ifndef OFFSET
#define OFFSET int64
#endif

#ifndef DEPTH
#define DEPTH 25 /* maximum number of steps of one Lin-Kernighan search */
#endif
#define MAX_SEGMENTS (2 * DEPTH + 1)

/* Maximum number of steps of this window's searches: DEPTH unless the kernel defines VARIABLE_DEPTH. */
#ifdef VARIABLE_DEPTH
#define STEPS(w) (w)->depth
#else
#define STEPS(w) DEPTH
#endif

/* One step of a Lin-Kernighan search; window_moves.h explains the names. */
typedef struct {
    int32 kind, t3, t4, t5, t6;
    int32 i, j;        /* t3 = v(i), t5 = v(j) */
    real open, closed; /* gain with the path left open, and with its end joined to t1 */
    real top;          /* largest partial sum so far, which bounds the rounding error */
} Step;

/* A candidate t3 for the edge added at the end of the path, and the edge removed on either side of it. */
typedef struct {
    int32 t3, i;
    int32 behind, ahead; /* t4 on either side, NOBODY if that edge may not be removed */
    real gain_behind, gain_ahead;
} Third;
#define MAX_THIRDS 16 /* maximum candidates per city where lanes evaluate them in parallel */

/* Working memory of one search. */
typedef struct {
    Index from[MAX_SEGMENTS], to[MAX_SEGMENTS];
    Step taken[DEPTH];
    Third thirds[MAX_THIRDS];
    int32 walks[3];    /* end cities of a kick's three random walks */
    int32 cut[8];      /* endpoints of the four edges that the kick removes */
} Notes;

typedef struct {
    Points points;
    int32 m;                   /* number of cities */
    int32 width;               /* maximum number of candidates per city */
    FAST const Index *near;   /* m by width, nearest first, padded with NOBODY */
    FAST const real *reach;   /* distance to each candidate; unused with NO_REACH */
    FAST const Index *bonds;  /* m by 2: the cities bonded to each city, or NOBODY */
    FAST Index *tour, *place; /* the cycle (city at each position) and its inverse */
    FAST Index *queue;        /* ring buffer of m queued cities (don't-look bits) */
    FAST Index *queued;       /* flags per city: QUEUED: in the queue; HEAD (JOINS_ONLY): first of a fragment */
    int32 head, queue_length;        /* of the ring buffer */
    LOCAL Notes *notes;
    LOCAL Index *log;         /* reversals as pairs (first position, number of cities) */
    int32 logged, log_size;
    real epsilon; /* smallest gain that counts, on top of the rounding error of its edges */
#ifdef VARIABLE_DEPTH
    int32 depth; /* from 1 to DEPTH */
#endif
#ifdef SITES
    FAST const Index *sites; /* the cities at which kicks are made */
#endif
} Window;

/* Return the threshold that a gain must exceed: epsilon plus the rounding error, if no partial sum exceeded `top`. */
INLINE real tolerance(const Window *w, real top) {
    const real share = error_share(&w->points);
    return share > 0 ? w->epsilon + share * top : w->epsilon;
}

INLINE real larger(real a, real b) { return a > b ? a : b; }

INLINE int32 after(const Window *w, int32 c) {
    int32 at = w->place[c] + 1;
    return w->tour[at == w->m ? 0 : at];
}

INLINE int32 before(const Window *w, int32 c) {
    int32 at = w->place[c];
    return w->tour[(at == 0 ? w->m : at) - 1];
}

#ifdef JOINS_ONLY
/* All bonds are joins of fragments. Cities are numbered along the fragments, so each join precedes a HEAD. */
INLINE int32 bonded(const Window *w, int32 a, int32 b) {
    int32 low = a < b ? a : b, high = a < b ? b : a;
    if (high - low == 1) return w->queued[high] & HEAD;
    return low == 0 && high == w->m - 1;
}
#else
INLINE int32 bonded(const Window *w, int32 a, int32 b) {
    return w->bonds[2 * a] == b || w->bonds[2 * a + 1] == b;
}
#endif

INLINE void enqueue(Window *w, int32 c) {
    if (w->queued[c] & QUEUED) return;
    int32 tail = w->head + w->queue_length;
    SYNC_LANES();
    if (LANE == 0) {
        w->queue[tail >= w->m ? tail - w->m : tail] = (Index)c;
        w->queued[c] |= QUEUED;
    }
    w->queue_length++;
    SYNC_LANES();
}

INLINE int32 next_queued(Window *w) {
    int32 c = w->queue[w->head];
    SYNC_LANES();
    if (LANE == 0) w->queued[c] &= HEAD;
    w->head = w->head + 1 == w->m ? 0 : w->head + 1;
    w->queue_length--;
    SYNC_LANES();
    return c;
}

/* Remove the most recently queued cities until `count` are left. */
INLINE void dequeue_last(Window *w, int32 count) {
    SYNC_LANES();
    for (int32 k = count + LANE; k < w->queue_length; k += LANES) {
        int32 at = w->head + k;
        w->queued[w->queue[at >= w->m ? at - w->m : at]] &= HEAD;
    }
    w->queue_length = count;
    SYNC_LANES();
}

/* Reverse `count` cities from position `first` on, wrapping around the end. */
OUTLINE void reverse_places(FAST Index *tour, FAST Index *place, int32 m, int32 first, int32 count) {
    int32 last = first + count - 1;
    SYNC_LANES();
    if (last < m) {
        for (int32 k = LANE; k < count / 2; k += LANES) {
            int32 i = first + k, j = last - k, a = tour[i], b = tour[j];
            tour[i] = (Index)b, place[b] = (Index)i;
            tour[j] = (Index)a, place[a] = (Index)j;
        }
    } else {
        for (int32 k = LANE; k < count / 2; k += LANES) {
            int32 i = first + k, j = last - k;
            if (i >= m) i -= m;
            if (j >= m) j -= m;
            int32 a = tour[i], b = tour[j];
            tour[i] = (Index)b, place[b] = (Index)i;
            tour[j] = (Index)a, place[a] = (Index)j;
        }
    }
    SYNC_LANES();
}

INLINE void reverse_and_log(Window *w, int32 first, int32 count) {
    if (count < 2) return;
    if (first >= w->m) first -= w->m;
    reverse_places(w->tour, w->place, w->m, first, count);
    if (LANE == 0) w->log[2 * w->logged] = (Index)first, w->log[2 * w->logged + 1] = (Index)count;
    w->logged++;
}

/* Reverse the path from a forward to b, or its complement if that is shorter: the cycle is the same. */
INLINE void reverse_path(Window *w, int32 a, int32 b) {
    int32 i = w->place[a], count = w->place[b] - i + 1;
    if (count <= 0) count += w->m;
    if (2 * count > w->m) i += count, count = w->m - count;
    reverse_and_log(w, i, count);
}

/* Exchange two adjacent segments: `left` cities from position `first` on, and the `right` cities after them. */
INLINE void swap_segments(Window *w, int32 first, int32 left, int32 right) {
    if (first >= w->m) first -= w->m;
    reverse_and_log(w, first, left + right);
    reverse_and_log(w, first, right);
    reverse_and_log(w, first + right, left);
}

/* Undo all reversals after the first `mark`. */
INLINE void undo_to(Window *w, int32 mark) {
    SYNC_LANES();
    while (w->logged > mark) {
        w->logged--;
        reverse_places(w->tour, w->place, w->m, w->log[2 * w->logged], w->log[2 * w->logged + 1]);
    }
}

#endif
