/* A tour as an array of cities and its inverse, as a climber changes it.
 *
 * Positions are cyclic. A climber may work on a subset of the cities; all others have position -1. Reversals are the
 * only changes, so undoing a log of them from its end restores any earlier tour. The lanes of a group share each
 * reversal, and wait for each other before and after it.
 */
#ifndef WARPTOUR_TOUR
#define WARPTOUR_TOUR

typedef struct {
    GLOBAL int32 *city;  /* by position, m cities */
    GLOBAL int32 *place; /* by city: its position, -1 if it is not in this tour */
    GLOBAL int32 *log;   /* first and last position of each reversal */
    int32 m;
    int32 logged, capacity; /* of the log, in reversals; a capacity of 0 disables logging */
    int64 swaps;
} Tour;

INLINE int32 city_after(const Tour *t, int32 city) {
    int32 at = t->place[city] + 1;
    return t->city[at == t->m ? 0 : at];
}

INLINE int32 city_before(const Tour *t, int32 city) {
    int32 at = t->place[city];
    return t->city[(at == 0 ? t->m : at) - 1];
}

/* Return the number of cities from position i forward to position j, both included. */
INLINE int32 span(const Tour *t, int32 i, int32 j) { return (j < i ? j - i + t->m : j - i) + 1; }

INLINE int32 wrapped(const Tour *t, int32 at) { return at < 0 ? at + t->m : at >= t->m ? at - t->m : at; }

/* Reverse the segment from position i forward to position j. */
OUTLINE void reverse_places(Tour *t, int32 i, int32 j) {
    int32 count = span(t, i, j) / 2;
    t->swaps += count;
    SYNC_LANES();
    if (t->capacity > 0 && t->logged < t->capacity) {
        if (LANE == 0) t->log[2 * t->logged] = i, t->log[2 * t->logged + 1] = j;
        t->logged += 1;
    }
    for (int32 k = LANE; k < count; k += LANES) {
        int32 front = wrapped(t, i + k), back = wrapped(t, j - k);
        int32 a = t->city[front], b = t->city[back];
        t->city[front] = b, t->place[b] = front;
        t->city[back] = a, t->place[a] = back;
    }
    SYNC_LANES();
}

/* The same as a cycle: reverse the segment or its complement, whichever is shorter. */
INLINE void reverse_shorter(Tour *t, int32 i, int32 j) {
    if (2 * span(t, i, j) <= t->m)
        reverse_places(t, i, j);
    else
        reverse_places(t, wrapped(t, j + 1), wrapped(t, i - 1));
}

/* Undo all reversals after the first `kept` of the log. */
INLINE void undo_log(Tour *t, int32 kept) {
    int32 capacity = t->capacity;
    t->capacity = 0;
    while (t->logged > kept) {
        t->logged -= 1;
        reverse_places(t, t->log[2 * t->logged], t->log[2 * t->logged + 1]);
    }
    t->capacity = capacity;
}

#endif
