/* Insertion heuristics and minimum spanning trees for any distances, in O(n) per city and some more for CHEAPEST.
 * Native only. The rules are those of insert_tree.c.
 *
 * key and partner of a city outside the tour: for SPAN, NEAREST and FARTHEST distance and number of the nearest city of
 * the tour; for CHEAPEST the least cost of insertion, and the city after which. Equal keys: the lowest number.
 */
#include "common/metric.h"

#define SPAN 0
#define FARTHEST_RULE 2
#define CHEAPEST_RULE 3

#define OUTSIDE (-1)

INLINE float64 added(const Points *p, GLOBAL const int32 *next, int32 a, int32 c) {
    int32 b = next[a];
    return between(p, a, c) + between(p, c, b) - (a == b ? 0 : between(p, a, b));
}

/* Set key and partner of c to the least of all tour[0..size). */
INLINE void scan_tour(const Points *p, int32 rule, GLOBAL const int32 *tour, int32 size, GLOBAL const int32 *next, int32 c,
                      GLOBAL float64 *key, GLOBAL int32 *partner) {
    key[c] = INFINITY;
    for (int32 k = 0; k < size; k++) {
        float64 here = rule == CHEAPEST_RULE ? added(p, next, tour[k], c) : between(p, tour[k], c);
        if (here < key[c]) key[c] = here, partner[c] = tour[k];
    }
}

/* Find key and partner of the cities from <= c < until outside the tour. */
KERNEL(insert_table_begin, POINTS_PARAMETERS, int32 rule, int32 from, int32 until, GLOBAL const int32 *tour,
       GLOBAL const int32 *state, GLOBAL const int32 *next, GLOBAL float64 *key, GLOBAL int32 *partner) {
    POINTS_STRUCT(p);
    for (int32 c = from; c < until; c++)
        if (next[c] == OUTSIDE) scan_tour(&p, rule, tour, state[0], next, c, key, partner);
}

/* Choose the next city, insert it and update the others, `most` times at most. tour: the state[0] cities so far, in the
 * order of insertion. For SPAN next[c] is the parent of c. */
KERNEL(insert_table, POINTS_PARAMETERS, int32 rule, int32 most, GLOBAL int32 *tour, GLOBAL int32 *state,
       GLOBAL int32 *next, GLOBAL float64 *key, GLOBAL int32 *partner) {
    POINTS_STRUCT(p);
    for (; most > 0 && state[0] < pn; most--) {
        int32 c = -1;
        for (int32 k = 0; k < pn; k++) {
            if (next[k] != OUTSIDE) continue;
            if (c < 0 || (rule == FARTHEST_RULE ? key[k] > key[c] : key[k] < key[c])) c = k;
        }
        int32 size = state[0], a = partner[c];
        if (rule == SPAN) {
            next[c] = a;
        } else {
            if (rule != CHEAPEST_RULE) {
                float64 least = INFINITY;
                for (int32 k = 0; k < size; k++) {
                    float64 here = added(&p, next, tour[k], c);
                    if (here < least) least = here, a = tour[k];
                }
            }
            next[c] = next[a], next[a] = c;
        }
        tour[size] = c, state[0] = size + 1;
        for (int32 k = 0; k < pn; k++) {
            if (next[k] != OUTSIDE) continue;
            if (rule != CHEAPEST_RULE) {
                float64 here = between(&p, c, k);
                if (here < key[k]) key[k] = here, partner[k] = c;
                continue;
            }
            float64 one = added(&p, next, a, k), two = added(&p, next, c, k), old = key[k];
            int32 lost = partner[k] == a; /* its edge is gone: another may be as cheap as the new two */
            if (lost || one < old || two < old) key[k] = one < two ? one : two, partner[k] = one <= two ? a : c;
            if (lost && key[k] > old) scan_tour(&p, rule, tour, size + 1, next, k, key, partner);
        }
    }
}

/* Write the cities of a closed tour in its order, from `first` on. */
KERNEL(insert_walk, GLOBAL const int32 *next, int32 first, int32 count, GLOBAL int32 *order) {
    for (int32 k = 0, c = first; k < count; k++, c = next[c]) order[k] = c;
}
