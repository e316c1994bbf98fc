/* A window: a cycle of m cities held in fast memory, some of whose edges are bonds.
 *
 * tour[place[c]] == c. A bond is an edge that no move breaks: the join between
 * two fragments of the tour, a fixed edge of the problem, the closing of an open
 * path. All changes are reversals of a run of places, and each is logged, so
 * that any state since the last mark can be restored.
 */
#ifndef WARPTOUR_WINDOW
#define WARPTOUR_WINDOW

#define NOBODY (-1)
#define QUEUED 1
#define HEAD 2

/* Where a window lies: in GLOBAL memory, which a CPU caches, unless the build says LOCAL. */
#ifndef FAST
#define FAST GLOBAL
#endif

/* The number of a city within its window. A GPU takes 16 bits, to hold more windows at once. */
#ifndef INDEX
#define INDEX int32
#endif
typedef INDEX Index;

/* Numbers a row of candidates; int32 is enough for windows that a GPU holds. */
#ifndef OFFSET
#define OFFSET int64
#endif

#ifndef DEPTH
#define DEPTH 25 /* steps of a search that has found nothing yet */
#endif
#define MAX_SEGMENTS (2 * DEPTH + 1)

/* One step of a search: see window_moves.h. */
typedef struct {
    int32 kind, t3, t4, t5, t6;
    int32 i, j;        /* t3 = v(i), t5 = v(j) */
    real open, closed; /* gain with the end left open, and joined to t1 */
    real top;          /* the largest sum on the way there */
} Step;

/* A city that the end may be joined to, and what that leads to on either side of it. */
typedef struct {
    int32 t3, i;
    int32 behind, ahead; /* the t4 of either side, NOBODY where its edge may not be taken out */
    real gain_behind, gain_ahead;
} Third;
#define MAX_THIRDS 16 /* candidates of a city, where they are looked at side by side */

/* What a search writes down on its way. */
typedef struct {
    Index from[MAX_SEGMENTS], to[MAX_SEGMENTS];
    Step taken[DEPTH];
    Third thirds[MAX_THIRDS];
    int32 walks[3];    /* where the walks of a kick end */
    int32 cut[8];      /* the edges that it takes out */
} Notes;

typedef struct {
    Points points;
    int32 m;                   /* cities */
    int32 width;               /* candidates a city, at most */
    FAST const Index *near;   /* m by width, nearest first, NOBODY past the last */
    FAST const real *reach;   /* distance to each of them, unless built with NO_REACH */
    FAST const Index *bonds;  /* m by 2, NOBODY where there is none */
    FAST Index *tour, *place; /* the cycle and its inverse */
    FAST Index *queue;        /* ring of m dirty cities */
    FAST Index *queued;       /* of each city: QUEUED if it is in it; HEAD if JOINS_ONLY and it begins a fragment */
    int32 head, queue_length;        /* of the ring */
    LOCAL Notes *notes;
    LOCAL Index *log;         /* pairs (first place, number of places) reversed */
    int32 logged, log_size;
    real epsilon; /* what a gain must exceed besides the error of its edges */
#ifdef SITES
    FAST const Index *sites; /* the cities that kicks are made at */
#endif
} Window;

/* What a gain must exceed to be more than an error of the arithmetic, if no sum on the way to it was above `top`. */
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
/* All bonds are joins of fragments, along which cities are numbered: each lies before the head of one. */
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

INLINE void make_dirty(Window *w, int32 c) {
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

/* Take the cities that became dirty last off the ring until `count` are left. */
INLINE void forget_dirty(Window *w, int32 count) {
    SYNC_LANES();
    for (int32 k = count + LANE; k < w->queue_length; k += LANES) {
        int32 at = w->head + k;
        w->queued[w->queue[at >= w->m ? at - w->m : at]] &= HEAD;
    }
    w->queue_length = count;
    SYNC_LANES();
}

/* Reverse `count` places from `first` on, round the end if need be. */
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

/* Reverse the path from a forward to b, or what is the same cycle, the rest. */
INLINE void reverse_path(Window *w, int32 a, int32 b) {
    int32 i = w->place[a], count = w->place[b] - i + 1;
    if (count <= 0) count += w->m;
    if (2 * count > w->m) i += count, count = w->m - count;
    reverse_and_log(w, i, count);
}

/* Swap two neighbouring runs of places: `left` of them from `first` on, then `right` more. */
INLINE void swap_segments(Window *w, int32 first, int32 left, int32 right) {
    if (first >= w->m) first -= w->m;
    reverse_and_log(w, first, left + right);
    reverse_and_log(w, first, right);
    reverse_and_log(w, first + right, left);
}

/* Take back all reversals after the first `mark`. */
INLINE void undo_to(Window *w, int32 mark) {
    SYNC_LANES();
    while (w->logged > mark) {
        w->logged--;
        reverse_places(w->tour, w->place, w->m, w->log[2 * w->logged], w->log[2 * w->logged + 1]);
    }
}

#endif
