// build: native
/* All routes without a repeated customer up to some reduced cost (Baldacci, Christofides and Mingozzi 2008): depth first, where
 * labels from the end (ng_routes.h) say what a path still costs at least. Up to 128 nodes. Host only, one group. */
#include "bound/ng_routes.h"

/* Paths that were extended: one that visits the same customers with the same last one, and is neither shorter nor earlier, need
 * not be. A place holds the path that came last; routes are then found more than once, never missed. */
typedef struct {
    uint64 low, high;
    int64 length;
    int32 first, node;
} Seen;

typedef struct {
    Label label;
    int64 length;
    uint64 low, high;
    int32 next, fresh; /* position in the list of heads; whether the way to the depot is still to be tried */
} Step;

/* Return whether a path need not be extended, and note it if it does. */
INLINE int32 known(GLOBAL Seen *table, int64 mask, const Step *s) {
    uint64 hash = (s->low * 0x9E3779B97F4A7C15u) ^ (s->high * 0xC2B2AE3D27D4EB4Fu) ^ ((uint64)s->label.node << 32);
    GLOBAL Seen *t = &table[(int64)((hash ^ hash >> 29) & (uint64)mask)];
    if (t->low == s->low && t->high == s->high && t->node == s->label.node) {
        if (t->length <= s->length && t->first <= s->label.first) return 1;
        if (t->length < s->length) return 0;
    }
    t->low = s->low, t->high = s->high, t->length = s->length, t->first = s->label.first, t->node = s->label.node;
    return 0;
}

/* Go on for `steps` steps. length: n by n, what is noted of routes, beside costs, which are at most `below`. table: mask + 1
 * entries of zeros at first; stack: n + 1 steps, the first of them the depot's. ends, lengths: `room` routes; nodes: their
 * customers, up to `nodes_room`. state: depth, number of routes, of their customers, whether it is done (1) or there is no room
 * (2). */
KERNEL(ng_elementary, NETWORK_PARAMETERS, GLOBAL const int64 *length, GLOBAL const int32 *gap, int64 whole, int64 below,
       int32 most, GLOBAL const int64 *behind, GLOBAL const int32 *many_behind, int64 mask, GLOBAL int64 *table,
       GLOBAL int64 *stack, int64 steps, int64 room, int64 nodes_room, GLOBAL int64 *ends, GLOBAL int64 *lengths,
       GLOBAL narrow *nodes, GLOBAL int64 *state) {
    Network w = NETWORK;
    Shelves back = {(GLOBAL Label *)behind, (GLOBAL int32 *)many_behind, most};
    GLOBAL Step *path = (GLOBAL Step *)stack;
    int64 depth = state[0], routes = state[1], total = state[2];
    for (int64 done = 0; done < steps && depth >= 0; done++) {
        GLOBAL Step *s = &path[depth];
        int32 at = s->label.node, to = s->next < n ? w.near[at * n + s->next] : -1;
        if (s->fresh) {
            int64 arc = (int64)at * n;
            s->fresh = 0;
            if (w.cost[arc] < NONE && s->label.cost + w.cost[arc] < below && s->label.first + gap[arc] <= w.closes[0]) {
                if (routes == room || total + depth > nodes_room) {
                    state[3] = 2;
                    return;
                }
                for (int64 k = 1; k <= depth; k++) nodes[total++] = (narrow)path[k].label.node;
                ends[routes] = total, lengths[routes++] = s->length + length[arc];
            }
        }
        if (to < 0) {
            depth--;
            continue;
        }
        s->next++;
        if ((to < 64 ? s->low >> to : s->high >> (to - 64)) & 1) continue;
        int64 arc = (int64)at * n + to;
        if (continued(&back, (const Label *)&s->label, to, w.cost[arc], w.keep[arc], gap[arc], whole, w.capacity, below) < 0)
            continue;
        Step next = *s;
        next.label.cost += w.cost[arc], next.length += length[arc], next.label.node = to;
        next.label.first += w.step[arc], next.label.second += w.load[to];
        if (next.label.first < w.opens[to]) next.label.first = w.opens[to];
        next.label.seen = (next.label.seen & w.keep[arc]) | w.colour[to];
        next.next = 0, next.fresh = 1;
        if (to < 64)
            next.low |= (uint64)1 << to;
        else
            next.high |= (uint64)1 << (to - 64);
        if (next.label.first > w.closes[to] || next.label.second > w.capacity || known((GLOBAL Seen *)table, mask, &next)) continue;
        path[++depth] = next;
    }
    state[0] = depth, state[1] = routes, state[2] = total, state[3] = depth < 0;
}
