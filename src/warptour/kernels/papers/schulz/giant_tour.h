/* A giant tour with its runs of empty routes shortened, and the tables that evaluate any of its moves in constant time.
 *
 *     2-opt  A B' C       p = -1: removes the edges x < y
 *     3-opt  A C B D      p = 0: removes the edges x < y < z
 *            A C B' D     p = 1
 *            A C' B D     p = 2
 *            A B' C' D    p = 3
 *
 * B' is B reversed. Between copies of the depot it does not matter which edge is removed: moving a cut back by one edge
 * of such a run changes neither cost nor feasibility, as long as no other cut is in the way. So a run is shortened to its
 * first two edges, the second for moves that take a single copy out of it. What is left are the *cuts*: cut c joins nodes
 * c and c + 1, and moves are numbered by cuts here.
 *
 * A table holds, for each level l and node k, the segment between k and the end of its block of 2^l nodes that faces the
 * other half of its block of 2^(l+1). The segment from i to j is then two entries and an edge: those of i and j at the
 * highest bit in which i and j differ.
 */
#ifndef WARPTOUR_GIANT_TOUR
#define WARPTOUR_GIANT_TOUR

#include "papers/schulz/giant.h"

#define FOREVER 1e300 /* a value beyond all intervals */

#define TWO_OPT -1
#define NO_MOVE -2

/* What the device knows of the present tour: indices into `state`. */
#define ROUTES_USED 0 /* routes with customers */
#define KNOWN 1       /* bits of a float32 that some feasible gain reaches */
#define CUTS 2        /* their number */
#define OPTIMAL 3     /* whether no move improves the tour */
#define MOVES_MADE 4
#define FOUND 5 /* whether a part of the neighbourhood has an improving move */

/* A resource at a node. */
typedef struct {
    float64 enter, leave;   /* consumption when it is entered and left */
    float64 ahead, allowed; /* its value there, and the largest that the rest of the tour allows */
    float64 back;           /* its value after the rest of the route in reverse, a lower bound if that is infeasible */
    float64 across[2];      /* consumption of the edge from the node before, and of its reverse */
} Here;

typedef struct {
    Giant g;
    int32 edges;  /* of the whole giant tour */
    int32 stride; /* of rows of nodes */
    int32 levels;
    GLOBAL const int32 *place;      /* of each node */
    GLOBAL const int32 *cut;        /* edge of the giant tour that each cut is */
    GLOBAL const float64 *length;   /* of each cut */
    GLOBAL const int32 *start, *end; /* nearest copies of the depot before and after each node, or itself */
    GLOBAL const Here *here;        /* by resource and node */
    GLOBAL const Extension *tables; /* by resource, direction, level and node */
    float64 fixed;                  /* cost of a route */
    float64 weight;                 /* penalty of a route beyond the vehicles */
    int32 vehicles, used;           /* routes allowed, and routes with customers */
    float64 threshold;              /* that a gain must exceed, beside its rounding error */
    int32 load;                     /* the resource that is a load: its order does not matter; -1 if none is */
    float64 capacity;
} Tour;

#define TOUR_PARAMETERS                                                                                              \
    GIANT_PARAMETERS, int32 edges, int32 levels, GLOBAL const int32 *RESTRICT place, GLOBAL const int32 *RESTRICT cut, \
        GLOBAL const float64 *RESTRICT length, GLOBAL const int32 *RESTRICT bounds, GLOBAL const Here *RESTRICT here,  \
        GLOBAL const Extension *RESTRICT tables, float64 fixed, float64 weight, int32 vehicles, float64 threshold,     \
        int32 load, float64 capacity, GLOBAL int32 *state
#define TOUR_STRUCT(t)                                                                                            \
    GIANT_STRUCT(wt_g);                                                                                           \
    Tour t = {wt_g, edges, edges + 1, levels, place, cut, length, bounds, bounds + edges + 1, here, tables, fixed, \
              weight, vehicles, state[ROUTES_USED], threshold, load, capacity}

typedef struct {
    int32 x, y, z, p;
} Move;

/* New edges of a move, by their nodes, in tour order; return their number. */
INLINE int32 new_edges(Move m, int32 *from, int32 *to) {
    from[0] = m.x;
    if (m.p == TWO_OPT) {
        to[0] = m.y, from[1] = m.x + 1, to[1] = m.y + 1, from[2] = to[2] = 0;
        return 2;
    }
    to[0] = m.p < 2 ? m.y + 1 : m.p == 2 ? m.z : m.y;
    from[1] = m.p < 2 ? m.z : m.p == 2 ? m.y + 1 : m.x + 1;
    to[1] = m.p == 1 ? m.y : m.p == 3 ? m.z : m.x + 1;
    from[2] = m.p == 1 ? m.x + 1 : m.p == 3 ? m.y + 1 : m.y;
    to[2] = m.z + 1;
    return 3;
}

/* Return the gain of a move in the objective; `error`: bound on its rounding error. */
INLINE float64 gain_of(const Tour *t, Move m, float64 *error) {
    int32 from[3], to[3], count = new_edges(m, from, to), emptied = 0;
    float64 added = 0, removed = t->length[m.x] + t->length[m.y] + (count == 3 ? t->length[m.z] : 0);
    UNROLL(3)
    for (int32 k = 0; k < 3; k++) {
        if (k == count) break;
        int32 a = t->place[from[k]], b = t->place[to[k]], old = k == 0 ? m.x : k == 1 ? m.y : m.z;
        added += giant_distance(&t->g, a, b);
        emptied += (a == 0 && b == 0) - (t->place[old] == 0 && t->place[old + 1] == 0);
    }
    int32 before = t->used - t->vehicles, after = before - emptied;
    *error = error_share(&t->g.points) * removed;
    return removed - added + t->fixed * emptied + t->weight * ((before > 0 ? before : 0) - (after > 0 ? after : 0));
}

/* Consumption of resource r along a new edge. */
INLINE float64 consumed_between(const Tour *t, int32 r, int32 from, int32 to) {
    GLOBAL const Here *here = t->here + (int64)r * t->stride;
    float64 travel = t->g.travel[r], ends = here[from].leave + here[to].enter;
    return travel != 0 ? travel * giant_distance(&t->g, t->place[from], t->place[to]) + ends : ends;
}

/* A segment: two entries of a table and the edge between them. */
typedef struct {
    Extension one, other;
    float64 across;
} Entries;

/* Return the segment from node `first` to node `last`, in reverse if `last` comes before `first`. */
INLINE Entries segment_of(const Tour *t, int32 r, int32 first, int32 last) {
    int32 reversed = last < first, level = first == last ? 0 : HIGHEST_BIT((uint32)(first ^ last));
    int32 middle = (reversed ? first : last) >> level << level;
    GLOBAL const Extension *row = t->tables + (int64)((2 * r + reversed) * t->levels + level) * t->stride;
    Entries segment = {row[first], row[last], t->here[(int64)r * t->stride + middle].across[reversed]};
    if (first == last) { /* the second entry changes nothing */
        segment.across = segment.other.sum = 0;
        segment.other.least = -FOREVER, segment.other.most = FOREVER;
    }
    return segment;
}

/* Extend a resource's value over a segment; beyond its limits it becomes FOREVER. */
INLINE float64 extended(Extension over, float64 value) {
    float64 later = value + over.sum;
    if (later < over.least) later = over.least;
    return value > over.most ? FOREVER : later;
}
INLINE float64 extended_over(Entries s, float64 value) {
    return extended(s.other, extended(s.one, value) + s.across);
}

/* Return whether a move keeps every resource within its intervals. All that decides is loaded at once. */
INLINE int32 keeps_resources(const Tour *t, Move m) {
    int32 from[3], to[3], count = new_edges(m, from, to);
    for (int32 r = 0; r < t->g.resources; r++) {
        GLOBAL const Here *here = t->here + (int64)r * t->stride;
        float64 value = here[m.x].ahead, allowed = here[(count == 3 ? m.z : m.y) + 1].allowed;
        Entries first = segment_of(t, r, to[0], from[1]);
        float64 begin = consumed_between(t, r, from[0], to[0]), end = consumed_between(t, r, from[1], to[1]);
        if (count == 3) {
            Entries second = segment_of(t, r, to[1], from[2]);
            float64 last = consumed_between(t, r, from[2], to[2]);
            value = extended_over(second, extended_over(first, value + begin) + end) + last;
        } else {
            value = extended_over(first, value + begin) + end;
        }
        if (value > allowed) return 0;
    }
    return 1;
}

/* Return whether a route may consist of the rest of a route that ends in node a and the rest of one that begins in
 * node b, in either direction: `a_first` and `b_first` say which rests begin there rather than end. */
INLINE int32 may_join(const Tour *t, int32 a, int32 a_first, int32 b, int32 b_first) {
    for (int32 way = 0; way < 2; way++) {
        int32 feasible = 1;
        for (int32 r = 0; r < t->g.resources && feasible; r++) {
            GLOBAL const Here *here = t->here + (int64)r * t->stride;
            float64 value = (a_first ? here[a].back : here[a].ahead) + consumed_between(t, r, a, b);
            feasible = extended_over(segment_of(t, r, b, b_first ? t->end[b] : t->start[b]), value) < FOREVER;
        }
        if (feasible) return 1;
        int32 node = a, first = a_first;
        a = b, a_first = b_first, b = node, b_first = first;
    }
    return 0;
}

#endif
