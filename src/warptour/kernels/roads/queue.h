/* A queue of vertices by their distances, for searches of Dijkstra's kind. Native only.
 *
 * A distance is (milliseconds << 32) + centimetres: sums keep both, and the fastest of all ways, the shortest among the
 * equally fast, is the least.
 */
#ifndef ROADS_QUEUE
#define ROADS_QUEUE

#define UNREACHED UINT64_MAX

typedef struct {
    GLOBAL uint64 *far;   /* distance of each vertex reached */
    GLOBAL int32 *turn;   /* search in which it was reached last: others have not reached it */
    GLOBAL int32 *spot;   /* its place in the heap, -1 once it is settled */
    GLOBAL int32 *heap;
    int32 size, now;
} Queue;

#define QUEUE_PARAMETERS GLOBAL uint64 *far, GLOBAL int32 *turn, GLOBAL int32 *spot, GLOBAL int32 *heap, \
    GLOBAL int32 *clock
#define QUEUE_STRUCT(q) Queue q = {far, turn, spot, heap, 0, *clock}

INLINE void start_search(Queue *q) { q->size = 0, q->now++; }

INLINE uint64 distance_to(const Queue *q, int32 v) { return q->turn[v] == q->now ? q->far[v] : UNREACHED; }

INLINE void put(Queue *q, int32 at, int32 v) { q->heap[at] = v, q->spot[v] = at; }

INLINE void rise(Queue *q, int32 at) {
    int32 v = q->heap[at];
    for (; at > 0 && q->far[q->heap[(at - 1) / 2]] > q->far[v]; at = (at - 1) / 2) put(q, at, q->heap[(at - 1) / 2]);
    put(q, at, v);
}

/* Return whether this way to v is better than any found before; if so, v is in the queue with it. */
INLINE int32 reach(Queue *q, int32 v, uint64 far) {
    if (q->turn[v] != q->now) {
        q->turn[v] = q->now, q->far[v] = far;
        put(q, q->size, v), q->size++;
        rise(q, q->size - 1);
        return 1;
    }
    if (far >= q->far[v]) return 0;
    q->far[v] = far;
    rise(q, q->spot[v]); /* distances are positive: no settled vertex gets a better one */
    return 1;
}

/* Remove the nearest vertex from the queue and return it. */
INLINE int32 settle(Queue *q) {
    int32 least = q->heap[0], v = q->heap[--q->size], at = 0;
    q->spot[least] = -1;
    if (q->size == 0) return least;
    for (;;) {
        int32 child = 2 * at + 1;
        if (child >= q->size) break;
        if (child + 1 < q->size && q->far[q->heap[child + 1]] < q->far[q->heap[child]]) child++;
        if (q->far[q->heap[child]] >= q->far[v]) break;
        put(q, at, q->heap[child]), at = child;
    }
    put(q, at, v);
    return least;
}

#endif
