/* A giant tour and the tables that evaluate any of its moves in constant time.
 *
 *     2-opt  A B' C       p = -1: removes the edges x < y
 *     3-opt  A C B D      p = 0: removes the edges x < y < z
 *            A C B' D     p = 1
 *            A C' B D     p = 2
 *            A B' C' D    p = 3
 *
 * Edge k joins positions k and k + 1, and B' is B reversed. A table holds, for each level l and position k, the segment
 * between k and the end of its block of 2^l positions that faces the other half of its block of 2^(l+1). The segment
 * from i to j is then two entries and an edge: those of i and j at the highest bit in which i and j differ.
 */
#ifndef WARPTOUR_GIANT_TOUR
#define WARPTOUR_GIANT_TOUR

#include "giant.h"

#define TWO_OPT -1
#define NO_MOVE -2

/* What the device knows of the present tour: indices into `state`. */
#define ROUTES_USED 0 /* routes with customers */
#define KNOWN 1       /* bits of a float32 that some feasible gain reaches */
#define NEXT_TILE 2   /* first tile of the 3-opt scan that no group has claimed */
#define CUTS 3        /* edges that moves need to remove: see giant_cuts.h */
#define OPTIMAL 4     /* whether no move improves the tour */
#define MOVES_MADE 5
#define FOUND 6 /* whether a part of the neighbourhood has an improving move */

typedef struct {
    Giant g;
    int32 edges, levels;
    GLOBAL const int32 *at;         /* place at each position */
    GLOBAL const float64 *edge;     /* length of each edge */
    GLOBAL const Extension *tables; /* by resource, direction, level and position */
    GLOBAL const float64 *ahead;    /* by resource and position: its value there */
    GLOBAL const float64 *allowed;  /* by resource and position: its largest value there that the rest allows */
    float64 fixed;                  /* cost of a route */
    float64 weight;                 /* penalty of a route beyond the vehicles */
    int32 vehicles, used;           /* routes allowed, and routes with customers */
    float64 threshold;              /* that a gain must exceed, beside its rounding error */
} Tour;

#define TOUR_PARAMETERS                                                                                           \
    GIANT_PARAMETERS, int32 edges, int32 levels, GLOBAL const int32 *RESTRICT at,                                 \
        GLOBAL const float64 *RESTRICT edge, GLOBAL const Extension *RESTRICT tables,                             \
        GLOBAL const float64 *RESTRICT ahead, GLOBAL const float64 *RESTRICT allowed, float64 fixed, float64 weight, \
        int32 vehicles, float64 threshold, GLOBAL int32 *state
#define TOUR_STRUCT(t) \
    GIANT_STRUCT(wt_g); \
    Tour t = {wt_g, edges, levels, at, edge, tables, ahead, allowed, fixed, weight, vehicles, state[ROUTES_USED], threshold}

typedef struct {
    int32 x, y, z, p;
} Move;

/* New edges of a move, by their positions, in tour order; return their number. */
INLINE int32 new_edges(Move m, int32 *from, int32 *to) {
    from[0] = m.x;
    if (m.p == TWO_OPT) {
        to[0] = m.y, from[1] = m.x + 1, to[1] = m.y + 1;
        return 2;
    }
    if (m.p < 2)
        to[0] = m.y + 1, from[1] = m.z, to[1] = m.p == 0 ? m.x + 1 : m.y, from[2] = m.p == 0 ? m.y : m.x + 1;
    else if (m.p == 2)
        to[0] = m.z, from[1] = m.y + 1, to[1] = m.x + 1, from[2] = m.y;
    else
        to[0] = m.y, from[1] = m.x + 1, to[1] = m.z, from[2] = m.y + 1;
    to[2] = m.z + 1;
    return 3;
}

/* Return the gain of a move in the objective; `error`: bound on its rounding error. */
INLINE float64 gain_of(const Tour *t, Move m, float64 *error) {
    int32 from[3], to[3], count = new_edges(m, from, to), emptied = 0;
    float64 added = 0, removed = t->edge[m.x] + t->edge[m.y] + (count == 3 ? t->edge[m.z] : 0);
    for (int32 k = 0; k < count; k++) {
        int32 a = t->at[from[k]], b = t->at[to[k]], old = k == 0 ? m.x : k == 1 ? m.y : m.z;
        added += giant_distance(&t->g, a, b);
        emptied += (a == 0 && b == 0) - (t->at[old] == 0 && t->at[old + 1] == 0);
    }
    int32 before = t->used - t->vehicles, after = before - emptied;
    *error = error_share(&t->g.points) * removed;
    return removed - added + t->fixed * emptied + t->weight * ((before > 0 ? before : 0) - (after > 0 ? after : 0));
}

/* Extend a resource's value over a segment; return whether that is feasible. */
INLINE int32 extend(Extension over, float64 *value) {
    if (*value > over.most) return 0;
    *value = *value + over.sum > over.least ? *value + over.sum : over.least;
    return 1;
}

/* The same over positions i to j, or over j to i. */
INLINE int32 extend_segment(const Tour *t, int32 r, int32 i, int32 j, int32 reversed, float64 *value) {
    if (i == j) return extend(extension_at(&t->g, r, t->at[i]), value);
    int32 level = HIGHEST_BIT((uint32)(i ^ j)), middle = j >> level << level;
    GLOBAL const Extension *row = t->tables + (int64)((2 * r + reversed) * t->levels + level) * (t->edges + 1);
    int32 left = t->at[middle - 1], right = t->at[middle];
    if (!extend(row[reversed ? j : i], value)) return 0;
    *value += consumed(&t->g, r, reversed ? right : left, reversed ? left : right, t->edge[middle - 1]);
    return extend(row[reversed ? i : j], value);
}

/* Return whether a move keeps every resource within its intervals. */
INLINE int32 keeps_resources(const Tour *t, Move m) {
    int32 from[3], to[3], count = new_edges(m, from, to), nodes = t->edges + 1;
    for (int32 r = 0; r < t->g.resources; r++) {
        float64 value = t->ahead[(int64)r * nodes + m.x];
        for (int32 k = 0; k < count; k++) {
            int32 a = t->at[from[k]], b = t->at[to[k]];
            value += consumed(&t->g, r, a, b, t->g.travel[r] != 0 ? giant_distance(&t->g, a, b) : 0);
            if (k == count - 1) break;
            int32 first = to[k], last = from[k + 1], reversed = first > last;
            if (!extend_segment(t, r, reversed ? last : first, reversed ? first : last, reversed, &value)) return 0;
        }
        if (value > t->allowed[(int64)r * nodes + to[count - 1]]) return 0;
    }
    return 1;
}

#endif
