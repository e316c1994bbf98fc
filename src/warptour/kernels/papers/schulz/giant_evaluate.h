/* Template of the kernels that evaluate neighbours (giant_fitness_*.c): one thread a neighbour, which joins the
 * segments and gives its verdict on the whole. */

/* Segment from position i to position j of the tour: at most 2 LEVELS + 1 entries. */
INLINE SEGMENT segment(const Hierarchy *h, int32 options, int32 i, int32 j, int32 reversed) {
    if (LEVELS == 0) {
        if (i == j) return NOTHING();
        return READ(h, options, entry_of(h, options, 0, i, j, reversed));
    }
    SEGMENT front = NOTHING(), middle = NOTHING(), back = NOTHING();
    int32 l = 0;
    for (; l < LEVELS; l++) {
        int32 part = part_of(h, options, l, i), size = (int32)h->levels[l].size;
        if (j <= (part + 1) * size) break;
        int32 begin = i == part * size ? part : part + 1;
        int32 end = j == (int32)h->levels[l].last ? (int32)h->levels[l + 1].last : part_of(h, options, l, j);
        SEGMENT head = NOTHING(), tail = NOTHING();
        if (i < begin * size) head = READ(h, options, entry_of(h, options, l, i, begin * size, reversed));
        if (j > end * size) tail = READ(h, options, entry_of(h, options, l, end * size, j, reversed));
        front = JOINED(front, reversed ? tail : head);
        back = JOINED(reversed ? head : tail, back);
        i = begin, j = end;
    }
    if (i < j) middle = READ(h, options, entry_of(h, options, l, i, j, reversed));
    return JOINED(JOINED(front, middle), back);
}

/* `all` and the next segment q of a neighbour, which is `next`; `at`: place where `all` ends. */
INLINE SEGMENT continued(const Hierarchy *h, SEGMENT all, int32 *at, SEGMENT next, const Neighbour *v, int32 q) {
    int32 first = segment_first(v, q), last = segment_last(v, q, h->last), reversed = segment_reversed(v, q);
    int32 enter = place_at(h, reversed ? last : first);
    all = JOINED(JOINED(all, EDGE(h, *at, enter)), next);
    *at = place_at(h, reversed ? first : last);
    return all;
}

#define SEGMENT_IN(q) \
    segment(h, options, segment_first(v, q), segment_last(v, q, h->last), segment_reversed(v, q))

/* The giant tour of a neighbour of `count` segments. */
INLINE SEGMENT recombined(const Hierarchy *h, int32 options, const Neighbour *v, int32 count) {
    int32 at = place_at(h, v->x);
    if (LAZY) {
        SEGMENT all = SEGMENT_IN(0);
        for (int32 k = 1; k < count; k++) {
            int32 q = segment_in(v, k);
            all = continued(h, all, &at, SEGMENT_IN(q), v, q);
        }
        return all;
    }
    if (REGISTERS) {
        SEGMENT a = SEGMENT_IN(0), b = SEGMENT_IN(1), c = SEGMENT_IN(2), d = NOTHING();
        if (count == 4) d = SEGMENT_IN(3);
        SEGMENT all = continued(h, a, &at, v->swapped ? c : b, v, v->swapped ? 2 : 1);
        all = continued(h, all, &at, v->swapped ? b : c, v, v->swapped ? 1 : 2);
        return count == 4 ? continued(h, all, &at, d, v, 3) : all;
    }
    SEGMENT every[4];
    UNROLL(1)
    for (int32 q = 0; q < count; q++) every[q] = SEGMENT_IN(q);
    SEGMENT all = every[0];
    UNROLL(1)
    for (int32 k = 1; k < count; k++) {
        int32 q = segment_in(v, k);
        all = continued(h, all, &at, every[q], v, q);
    }
    return all;
}

/* Evaluate the slots `begin` to `end` - 1 of a part: with a list the neighbours that it names, with a mask those that
 * it keeps. Penalty of r routes: fixed * r + weight * max(0, r - vehicles). */
#define EVALUATE(name, neighbour_at, count)                                                                    \
    KERNEL(NAMED(name, OBJECTIVE), HIERARCHY_PARAMETERS, float64 fixed, float64 weight, int32 vehicles,        \
           PART_PARAMETERS, int64 begin, int64 end, GLOBAL const int64 *RESTRICT list,                         \
           GLOBAL const unsigned char *RESTRICT mask, GLOBAL float64 *RESTRICT deltas,                         \
           GLOBAL unsigned char *RESTRICT feasible) {                                                          \
        HIERARCHY_STRUCT(h);                                                                                   \
        PART_STRUCT(part);                                                                                     \
        SEGMENT before = segment(&h, options, 0, last, 0);                                                     \
        EACH(k, begin, end) {                                                                                  \
            int64 slot = FILTER == LISTED ? list[k] : k;                                                       \
            if (FILTER == MASKED && !mask[slot]) continue;                                                     \
            Neighbour v = neighbour_at(&part, options, slot);                                                  \
            SEGMENT all = recombined(&h, options, &v, count);                                                  \
            VERDICT                                                                                            \
        }                                                                                                      \
    }

EVALUATE(giant_two_opt_, pair_at, 3)
EVALUATE(giant_three_opt_, triple_at, 4)
