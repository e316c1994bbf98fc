/* Labels of ng-routes (Baldacci, Mingozzi and Roberti 2011): paths from the depot that forget a customer as soon as they
 * visit one that does not have it among its neighbours. All costs and amounts are integers, so that comparisons are exact.
 *
 * A label has a cost, two amounts and the customers that it remembers, as bits of their colours: those that one customer
 * may remember have different colours. The first amount rises along each leg, up to the closing of the node: time from its
 * opening on, or the load. The second is the load, or nothing. */

typedef struct {
    int64 cost;
    uint64 seen;
    int32 first, second; /* amounts */
    int32 node, from;    /* from: number of the label before in the pool; on a shelf, node is the label's own number */
} Label;

/* n nodes, 0 is the depot. cost, step, keep: n by n, along arcs; cost is NONE where there is no arc. keep: colours that the
 * head remembers of what the tail does. near: the heads of each node, ended by -1 or after n. */
typedef struct {
    int32 n, capacity;
    GLOBAL const int64 *cost;
    GLOBAL const int32 *step, *opens, *closes, *load, *near;
    GLOBAL const uint64 *keep, *colour;
} Network;

#define NONE ((int64)1 << 60)

#define NETWORK_PARAMETERS                                                                                              \
    int32 n, int32 capacity, GLOBAL const int64 *cost, GLOBAL const int32 *step, GLOBAL const int32 *opens,             \
        GLOBAL const int32 *closes, GLOBAL const int32 *load, GLOBAL const int32 *near, GLOBAL const uint64 *keep,      \
        GLOBAL const uint64 *colour
#define NETWORK {n, capacity, cost, step, opens, closes, load, near, keep, colour}

/* Labels that no other one dominates, by node: those of a node are sorted by cost, `most` of them at most. */
typedef struct {
    GLOBAL Label *labels;
    GLOBAL int32 *many;
    int32 most;
} Shelves;

/* Return the number on the shelf of the cheapest path to the depot from `to` that continues path `l` over an arc, together
 * below `least`; -1 if there is none. gap: what the arc adds to the first amounts of both, which are `whole` at most. */
INLINE int32 continued(const Shelves *back, const Label *l, int32 to, int64 arc_cost, uint64 keep, int64 gap, int64 whole,
                       int64 capacity, int64 least) {
    GLOBAL const Label *shelf = back->labels + (int64)to * back->most;
    int64 cost = l->cost + arc_cost;
    for (int32 k = 0, many = back->many[to]; k < many && cost + shelf[k].cost < least; k++)
        if (!(l->seen & keep & shelf[k].seen) && l->first + gap + shelf[k].first <= whole &&
            (int64)l->second + shelf[k].second <= capacity)
            return k;
    return -1;
}
