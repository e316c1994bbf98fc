/* Neighbours of a giant tour and their numbers (papers/schulz/engine/numbering.py).
 *
 * Edges 0 to last - 1 lead from a position to the next. A 2-opt neighbour has the edges x < y, a pure 3-opt neighbour
 * x < y < z and one of four recombinations p:
 *
 *     A = [0, x], B = [x+1, y], C = [y+1, z], D = [z+1, last]    0: A C B D   1: A C B' D   2: A C' B D   3: A B' C' D
 *
 * Ranks order all 2-opt neighbours by (x, y), then all pure 3-opt neighbours by (x, y, z, p). The threads of a launch
 * are numbered as the version says: `Part`.
 */
#ifndef WARPTOUR_GIANT_NEIGHBOURS
#define WARPTOUR_GIANT_NEIGHBOURS

#include "papers/schulz/giant_hierarchy.h"
#include "papers/scans/triangle.h"

#define MASKED 1
#define LISTED 2

/* A 2-opt neighbour has z = last and no D. */
typedef struct {
    int32 x, y, z;
    int32 swapped, b_reversed, c_reversed;
} Neighbour;

/* The neighbours that are evaluated together: 2-opt neighbours in the order of the version's mapping, then all
 * recombinations of triples of edges. */
typedef struct {
    int64 pair_first, pairs, triple_first, triples;
    GLOBAL const int64 *table; /* x, y and z of each triple, 21 bits each */
    int32 last;
} Part;

#define PART_PARAMETERS int64 pair_first, int64 pairs, int64 triple_first, int64 triples, GLOBAL const int64 *table
#define PART_STRUCT(part) Part part = {pair_first, pairs, triple_first, triples, table, last}

INLINE int64 choose_2(int64 n) { return n * (n - 1) / 2; }
INLINE int64 choose_3(int64 n) { return n * (n - 1) * (n - 2) / 6; }

/* Pair x < y of edges with number `rank` in lexicographic order. */
INLINE void pair_of(int32 edges, int64 rank, int32 *x, int32 *y) {
    int32 i, j;
    triangle_pair(choose_2(edges) - 1 - rank, &i, &j);
    *x = edges - 1 - j, *y = edges - 1 - i;
}

/* Root s of s^3 - s = 6 number, s >= 1, by Newton's method from `above`: as Schulz (2011) computes triples. */
INLINE float64 newton_root(float64 number, float64 above) {
    float64 s = above, step = 1;
    while (step > 0.25) {
        step = (s * s * s - s - 6.0 * number) / (3.0 * s * s - 1.0);
        s -= step;
    }
    return s;
}

/* Triple x < y < z of edges with number `rank` in lexicographic order: a root, corrected by integers. */
INLINE void triple_of(int32 options, int32 edges, int64 rank, int32 *x, int32 *y, int32 *z) {
    int64 rest = choose_3(edges) - 1 - rank;
    int64 a = (int64)(NEWTON ? newton_root((float64)rest, (float64)edges) : cbrt(6.0 * (float64)rest)) + 1;
    while (choose_3(a) > rest) a--;
    while (choose_3(a + 1) <= rest) a++;
    int32 i, j;
    triangle_pair(rest - choose_3(a), &i, &j);
    *x = edges - 1 - (int32)a, *y = edges - 1 - j, *z = edges - 1 - i;
}

/* Pair of edges with number `id` in the cut triangle: row r of a rectangle holds row r of the triangle of pairs, x = r,
 * and then one of its last rows, which is as long as there is room. */
INLINE void cut_pair(int32 edges, int64 id, int32 *x, int32 *y) {
    int32 odd = edges & 1, width = edges - 1 + odd;
    int32 row = id <= 0xffffffffL ? (int32)((uint32)id / (uint32)width) : (int32)(id / width);
    int32 column = (int32)(id - (int64)row * width), first = edges - 1 - row;
    *x = column < first ? row : edges - 1 - odd - row;
    *y = *x + 1 + (column < first ? column : column - first);
}

INLINE Neighbour pair_neighbour(int32 last, int32 x, int32 y) {
    Neighbour v = {x, y, last, 0, 1, 0};
    return v;
}

INLINE Neighbour triple_neighbour(int32 x, int32 y, int32 z, int32 p) {
    Neighbour v = {x, y, z, p != 3, p & 1, p >> 1};
    return v;
}

INLINE Neighbour pair_at(const Part *part, int32 options, int64 slot) {
    int32 x, y;
    if (CUT)
        cut_pair(part->last, part->pair_first + slot, &x, &y);
    else
        pair_of(part->last, part->pair_first + slot, &x, &y);
    return pair_neighbour(part->last, x, y);
}

/* Triple, counted from the first of the part, and recombination of a slot beyond the pairs. */
INLINE int64 triple_in(const Part *part, int32 options, int64 slot, int32 *p) {
    int64 place = slot - part->pairs, many = part->triples;
    if (!RECOMBINATION) {
        *p = (int32)(place & 3);
        return place >> 2;
    }
    *p = (place >= many) + (place >= 2 * many) + (place >= 3 * many);
    return place - *p * many;
}

INLINE Neighbour triple_at(const Part *part, int32 options, int64 slot) {
    int32 x, y, z, p;
    int64 place = triple_in(part, options, slot, &p);
    if (COMPUTED) {
        triple_of(options, part->last, part->triple_first + place, &x, &y, &z);
    } else {
        int64 packed = part->table[place];
        x = (int32)(packed >> 42), y = (int32)(packed >> 21 & 0x1fffff), z = (int32)(packed & 0x1fffff);
    }
    return triple_neighbour(x, y, z, p);
}

/* Rank of the neighbour of a slot. */
INLINE int64 rank_at(const Part *part, int32 options, int64 slot) {
    if (slot >= part->pairs) {
        int32 p;
        int64 place = triple_in(part, options, slot, &p);
        return choose_2(part->last) + 4 * (part->triple_first + place) + p;
    }
    if (!CUT) return part->pair_first + slot;
    int32 x, y;
    cut_pair(part->last, part->pair_first + slot, &x, &y);
    return choose_2(part->last) - choose_2(part->last - x) + (y - x - 1);
}

/* Neighbour of a rank; `moved`: x, y, z and p, the last two -1 for 2-opt. */
INLINE Neighbour neighbour_of(int32 last, int64 rank, int32 *moved) {
    int64 pairs = choose_2(last), place = rank - pairs;
    moved[2] = moved[3] = -1;
    if (rank < pairs) {
        pair_of(last, rank, &moved[0], &moved[1]);
        return pair_neighbour(last, moved[0], moved[1]);
    }
    triple_of(0, last, place >> 2, &moved[0], &moved[1], &moved[2]);
    moved[3] = (int32)(place & 3);
    return triple_neighbour(moved[0], moved[1], moved[2], moved[3]);
}

/* Number of segments of a neighbour; the k-th of them in the new tour, by its number in the old one; first and last
 * position of segment q, and whether it is reversed. */
INLINE int32 segments_of(const Neighbour *v, int32 last) { return v->z == last ? 3 : 4; }
INLINE int32 segment_in(const Neighbour *v, int32 k) { return v->swapped && (k == 1 || k == 2) ? 3 - k : k; }
INLINE int32 segment_first(const Neighbour *v, int32 q) {
    return q == 0 ? 0 : (q == 1 ? v->x : q == 2 ? v->y : v->z) + 1;
}
INLINE int32 segment_last(const Neighbour *v, int32 q, int32 last) {
    return q == 0 ? v->x : q == 1 ? v->y : q == 2 ? v->z : last;
}
INLINE int32 segment_reversed(const Neighbour *v, int32 q) {
    return (q == 1 && v->b_reversed) || (q == 2 && v->c_reversed);
}

#endif
