// build: native
/* Label setting for ng-routes (ng_routes.h), in the order of the first amount. Host only, one group. */
#include "bound/ng_routes.h"

/* Labels still to be treated: a binary heap of numbers in the pool, by first amount and cost. Numbers of labels that were
 * dominated meanwhile are used again: they form a list through `from`. */
typedef struct {
    GLOBAL Label *pool;
    GLOBAL int32 *heap;
    int32 size, count, room, unused;
} Pending;

INLINE int32 before(const Label *a, const Label *b) {
    return a->first < b->first || (a->first == b->first && a->cost < b->cost);
}

INLINE void push(Pending *p, int32 number) {
    int32 at = p->size++;
    for (; at > 0; at = (at - 1) / 2) {
        int32 above = p->heap[(at - 1) / 2];
        if (!before(&p->pool[number], &p->pool[above])) break;
        p->heap[at] = above;
    }
    p->heap[at] = number;
}

INLINE int32 pop(Pending *p) {
    int32 first = p->heap[0], last = p->heap[--p->size], at = 0;
    for (;;) {
        int32 child = 2 * at + 1;
        if (child >= p->size) break;
        if (child + 1 < p->size && before(&p->pool[p->heap[child + 1]], &p->pool[p->heap[child]])) child++;
        if (!before(&p->pool[p->heap[child]], &p->pool[last])) break;
        p->heap[at] = p->heap[child], at = child;
    }
    p->heap[at] = last;
    return first;
}

/* Return whether a label on the shelf of `node` costs, uses and remembers no more. `loose` does not ask what it remembers. */
INLINE int32 dominated(const Shelves *s, int32 node, const Label *l, int32 loose) {
    GLOBAL const Label *shelf = s->labels + (int64)node * s->most;
    for (int32 k = 0, many = s->many[node]; k < many && shelf[k].cost <= l->cost; k++)
        if ((loose || !(shelf[k].seen & ~l->seen)) && shelf[k].second <= l->second && shelf[k].first <= l->first) return 1;
    return 0;
}

/* Put a label on its shelf, behind those that cost as much; return 0 if it is full. */
INLINE int32 put(const Shelves *s, const Label *l, int32 number) {
    GLOBAL Label *shelf = s->labels + (int64)l->node * s->most;
    int32 at = s->many[l->node];
    if (at == s->most) return 0;
    for (; at > 0 && shelf[at - 1].cost > l->cost; at--) shelf[at] = shelf[at - 1];
    shelf[at] = *l, shelf[at].node = number;
    s->many[l->node]++;
    return 1;
}

INLINE int32 extend(const Network *w, const Shelves *s, Pending *p, int32 number, int32 stored, int32 loose) {
    Label l = p->pool[number];
    for (int32 k = 0; k < w->n; k++) {
        int32 to = w->near[l.node * w->n + k];
        if (to < 0) break;
        int64 arc = (int64)l.node * w->n + to;
        uint64 kept = l.seen & w->keep[arc];
        if (w->cost[arc] >= NONE || kept & w->colour[to]) continue;
        Label next = {l.cost + w->cost[arc], kept | w->colour[to], l.first + w->step[arc], l.second + w->load[to], to, number};
        if (next.first < w->opens[to]) next.first = w->opens[to];
        if (next.first > w->closes[to] || next.first > stored || next.second > w->capacity) continue;
        if (dominated(s, to, &next, loose)) continue;
        int32 place = p->unused;
        if (place >= 0)
            p->unused = p->pool[place].from;
        else if (p->count == p->room)
            return 0;
        else
            place = p->count++;
        p->pool[place] = next;
        push(p, place);
    }
    return 1;
}

/* Treat up to `steps` labels: keep those that are not dominated, and extend those whose first amount is at most `extended`
 * to labels of at most `stored`. The depot's label begins the pool and the heap. A customer forgets itself nowhere: keep of
 * an arc has the colour of its head if the tail may remember it.
 * state: size of the heap, labels in the pool, first unused one or -1, and whether there was no room for all. */
KERNEL(ng_labels, NETWORK_PARAMETERS, int32 extended, int32 stored, int32 loose, int32 steps, int32 room, GLOBAL int64 *pool,
       GLOBAL int32 *heap, int32 most, GLOBAL int64 *shelves, GLOBAL int32 *many, GLOBAL int32 *state) {
    Network w = NETWORK;
    Shelves s = {(GLOBAL Label *)shelves, many, most};
    Pending p = {(GLOBAL Label *)pool, heap, state[0], state[1], room, state[2]};
    for (int32 done = 0; done < steps && p.size > 0; done++) {
        int32 number = pop(&p);
        GLOBAL Label *l = &p.pool[number];
        if (dominated(&s, l->node, l, loose)) {
            l->from = p.unused, p.unused = number;
            continue;
        }
        if (!put(&s, l, number) || (l->first <= extended && !extend(&w, &s, &p, number, stored, loose))) {
            state[3] = 1;
            break;
        }
    }
    state[0] = p.size, state[1] = p.count, state[2] = p.unused;
}
