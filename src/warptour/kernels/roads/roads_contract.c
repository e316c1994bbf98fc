// build: native, branches
/* A contraction hierarchy: vertices are removed from the network one by one, the least important first.
 *
 *     u -- a --> v -- b --> w    ->    u ----- a b -----> w     unless another way from u to w is as good
 *
 * What is left of a removed vertex are its arcs from and to vertices that are removed later. Arcs are numbers in
 * lists: of those that leave a vertex (next_out) and of those that enter it (next_in). A shortcut knows the arcs that
 * it stands for. One call settles about `budget` vertices in its searches and goes on where the last one ended; it
 * stops early, with state[FULL], where there may be no room for the shortcuts of a vertex.
 */
#include "roads/queue.h"

#define NO_ARC (-1)
#define IN_NETWORK (-1) /* rank of a vertex that is not removed yet */
#define WITNESS 60         /* vertices that a search for another way settles at most */
#define BASE 1000000       /* keeps the importance of a vertex above 0 */

enum { ARCS, REMOVED, PRICED, FULL, WORK };

typedef struct {
    Queue queue; /* searches for other ways */
    Queue order; /* vertices by importance; `far` is the importance */
    GLOBAL int32 *tail, *head;
    GLOBAL uint64 *far;
    GLOBAL int32 *left, *right, *next_out, *next_in, *first_out, *first_in, *level, *rank;
    GLOBAL int32 *touched; /* how many vertices were removed when this one was priced last */
    int64 arcs, capacity, work;
} Network;

/* Search from u for ways that avoid v, up to a distance. */
INLINE void look_around(Network *g, int32 u, int32 v, uint64 most) {
    Queue *q = &g->queue;
    start_search(q);
    reach(q, u, 0);
    for (int32 settled = 0; q->size > 0 && settled < WITNESS; settled++) {
        int32 x = settle(q);
        g->work++;
        if (q->far[x] > most) break;
        for (int32 arc = g->first_out[x]; arc != NO_ARC; arc = g->next_out[arc])
            if (g->head[arc] != v) reach(q, g->head[arc], q->far[x] + g->far[arc]);
    }
}

/* Make the shortcut u-w, or let one that is there stand for a better way. */
INLINE void join(Network *g, int32 a, int32 b) {
    int32 u = g->tail[a], w = g->head[b], arc = g->first_out[u];
    while (arc != NO_ARC && g->head[arc] != w) arc = g->next_out[arc];
    if (arc == NO_ARC) {
        arc = (int32)g->arcs++;
        g->tail[arc] = u, g->head[arc] = w;
        g->next_out[arc] = g->first_out[u], g->first_out[u] = arc;
        g->next_in[arc] = g->first_in[w], g->first_in[w] = arc;
    } else if (g->far[arc] <= g->far[a] + g->far[b]) return;
    g->far[arc] = g->far[a] + g->far[b];
    g->left[arc] = a, g->right[arc] = b;
}

/* Return how many shortcuts the removal of v needs, and make them if `make`. */
INLINE int64 shortcuts(Network *g, int32 v, int32 make) {
    int64 count = 0;
    for (int32 a = g->first_in[v]; a != NO_ARC; a = g->next_in[a]) {
        int32 u = g->tail[a];
        uint64 most = 0;
        for (int32 b = g->first_out[v]; b != NO_ARC; b = g->next_out[b])
            if (g->head[b] != u && g->far[a] + g->far[b] > most) most = g->far[a] + g->far[b];
        if (most == 0) continue;
        look_around(g, u, v, most);
        for (int32 b = g->first_out[v]; b != NO_ARC; b = g->next_out[b]) {
            if (g->head[b] == u || distance_to(&g->queue, g->head[b]) <= g->far[a] + g->far[b]) continue;
            count++;
            if (make) join(g, a, b);
        }
    }
    return count;
}

INLINE int64 degree(const int32 *next, int32 arc) {
    int64 count = 0;
    for (; arc != NO_ARC; arc = next[arc]) count++;
    return count;
}

/* Importance of v: first those whose removal makes the network smaller, evenly all over it. */
INLINE uint64 importance(Network *g, int32 v) {
    int64 removed = degree(g->next_in, g->first_in[v]) + degree(g->next_out, g->first_out[v]);
    return (uint64)(BASE + 2 * shortcuts(g, v, 0) - removed + g->level[v]);
}

/* Price a neighbour of the vertex that was removed last, once. */
INLINE void price_again(Network *g, int32 v, int32 level) {
    if (g->touched[v] == g->order.now) return;
    g->touched[v] = g->order.now;
    if (g->level[v] <= level) g->level[v] = level + 1;
    Queue *q = &g->order;
    uint64 before = q->far[v];
    q->far[v] = importance(g, v);
    if (q->far[v] < before) rise(q, q->spot[v]);
    else
        for (int32 at = q->spot[v];;) { /* sink */
            int32 child = 2 * at + 1;
            if (child >= q->size) break;
            if (child + 1 < q->size && q->far[q->heap[child + 1]] < q->far[q->heap[child]]) child++;
            if (q->far[q->heap[child]] >= q->far[v]) break;
            put(q, at, q->heap[child]), put(q, child, v), at = child;
        }
}

INLINE void unlink_arc(int32 *first, int32 *next, int32 arc) {
    while (*first != arc) first = &next[*first];
    *first = next[arc];
}

INLINE void remove_vertex(Network *g, int32 v, int32 rank) {
    shortcuts(g, v, 1);
    g->rank[v] = rank;
    for (int32 a = g->first_in[v]; a != NO_ARC; a = g->next_in[a])
        unlink_arc(&g->first_out[g->tail[a]], g->next_out, a);
    for (int32 b = g->first_out[v]; b != NO_ARC; b = g->next_out[b])
        unlink_arc(&g->first_in[g->head[b]], g->next_in, b);
    g->order.now++; /* so that each neighbour is priced once */
    for (int32 a = g->first_in[v]; a != NO_ARC; a = g->next_in[a]) price_again(g, g->tail[a], g->level[v]);
    for (int32 b = g->first_out[v]; b != NO_ARC; b = g->next_out[b]) price_again(g, g->head[b], g->level[v]);
}

KERNEL(roads_contract, int32 n, int64 capacity, int64 budget, GLOBAL int64 *state, GLOBAL int32 *tail,
       GLOBAL int32 *head, GLOBAL uint64 *length, GLOBAL int32 *left, GLOBAL int32 *right, GLOBAL int32 *next_out,
       GLOBAL int32 *next_in, GLOBAL int32 *first_out, GLOBAL int32 *first_in, GLOBAL int32 *level, GLOBAL int32 *rank,
       GLOBAL int32 *touched, GLOBAL uint64 *price, GLOBAL int32 *place, GLOBAL int32 *sequence, GLOBAL int32 *numbers,
       QUEUE_PARAMETERS) {
    Network g = {{far, turn, spot, heap, 0, *clock},
                 {price, touched, place, sequence, numbers[0], numbers[1]},
                 tail, head, length, left, right, next_out, next_in, first_out, first_in, level, rank, touched,
                 state[ARCS], capacity, 0};
    state[FULL] = 0;
    for (; state[PRICED] < n && g.work < budget; state[PRICED]++) {
        int32 v = (int32)state[PRICED];
        price[v] = importance(&g, v);
        put(&g.order, g.order.size, v);
        rise(&g.order, g.order.size++);
    }
    while (state[PRICED] == n && g.order.size > 0 && g.work < budget) {
        int32 v = g.order.heap[0];
        if (g.arcs + degree(next_in, first_in[v]) * degree(next_out, first_out[v]) > capacity) {
            state[FULL] = 1;
            break;
        }
        settle(&g.order);
        remove_vertex(&g, v, (int32)state[REMOVED]++);
        g.work++;
    }
    state[ARCS] = g.arcs, state[WORK] += g.work;
    numbers[0] = g.order.size, numbers[1] = g.order.now, *clock = g.queue.now;
}
