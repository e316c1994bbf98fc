/* A tour as an array of cities with the place of each: what a climber changes.
 *
 * All places are cyclic. A climber may work on a part of the cities: the others
 * have the place -1. Reversals are the only change that is ever made, so a list
 * of them, undone from its end, restores any earlier tour.
 */
#ifndef WARPTOUR_TOUR
#define WARPTOUR_TOUR

typedef struct {
    GLOBAL int32 *city;  /* by place, m of them */
    GLOBAL int32 *place; /* by city, -1 where it is not in this tour */
    GLOBAL int32 *log;   /* places of the reversals made, two numbers each */
    int32 m;
    int32 logged, capacity; /* of the log, in reversals; nothing is logged while the capacity is 0 */
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

/* The cities from place i forward to place j, both counted. */
INLINE int32 span(const Tour *t, int32 i, int32 j) { return (j < i ? j - i + t->m : j - i) + 1; }

INLINE int32 wrapped(const Tour *t, int32 at) { return at < 0 ? at + t->m : at >= t->m ? at - t->m : at; }

/* Reverses what lies from place i forward to place j. */
INLINE void reverse_places(Tour *t, int32 i, int32 j) {
    int32 count = span(t, i, j) / 2;
    t->swaps += count;
    if (t->capacity > 0 && t->logged < t->capacity) {
        t->log[2 * t->logged] = i;
        t->log[2 * t->logged + 1] = j;
        t->logged += 1;
    }
    for (; count > 0; count--) {
        int32 a = t->city[i], b = t->city[j];
        t->city[i] = b, t->place[b] = i;
        t->city[j] = a, t->place[a] = j;
        i = i + 1 == t->m ? 0 : i + 1;
        j = (j == 0 ? t->m : j) - 1;
    }
}

/* The same as a cycle, by way of whichever side is shorter. */
INLINE void reverse_shorter(Tour *t, int32 i, int32 j) {
    if (2 * span(t, i, j) <= t->m)
        reverse_places(t, i, j);
    else
        reverse_places(t, wrapped(t, j + 1), wrapped(t, i - 1));
}

/* Takes back the reversals made since the log held `kept`. */
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
