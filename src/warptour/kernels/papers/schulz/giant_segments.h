/* What a segment carries for each objective and constraint (papers/schulz/engine): its cost, its resource, its routes.
 *
 * For each of them: its type, a segment without edges, the segment of one edge, two segments joined, and an entry of a
 * hierarchy read and written. A kernel's text picks them by CARRIED, what its segments carry, and OBJECTIVE, which
 * knows the edges.
 */
#ifndef WARPTOUR_GIANT_SEGMENTS
#define WARPTOUR_GIANT_SEGMENTS

#include "papers/schulz/giant_hierarchy.h"

#define WT_NAMED(name, kind) name##kind
#define NAMED(name, kind) WT_NAMED(name, kind)
#define SEGMENT NAMED(segment_, CARRIED)
#define NOTHING NAMED(no_, CARRIED)
#define EDGE NAMED(edge_, OBJECTIVE)
#define JOINED NAMED(joined_, CARRIED)
#define READ NAMED(read_, CARRIED)
#define WRITE NAMED(write_, CARRIED)

/* ---- cost ---- */
typedef float64 segment_cost;
INLINE float64 no_cost(void) { return 0; }
INLINE float64 edge_cost(const Hierarchy *h, int32 from, int32 to) { return giant_distance(&h->giant, from, to); }
INLINE float64 joined_cost(float64 first, float64 second) { return first + second; }
INLINE float64 read_cost(const Hierarchy *h, int32 options, int64 e) { return (void)options, h->costs[e]; }
INLINE void write_cost(const Hierarchy *h, int32 options, int64 e, float64 cost) { (void)options, h->costs[e] = cost; }

/* ---- a resource ---- */
typedef Extension segment_extension;
INLINE Extension no_extension(void) {
    Extension none = {0, -1e300, 1e300};
    return none;
}

/* The edge, and what becomes of the resource at its end. */
INLINE Extension edge_over(const Hierarchy *h, int32 from, int32 to, float64 apart) {
    float64 spent = consumed(&h->giant, h->resource, from, to, apart);
    Extension edge = extension_at(&h->giant, h->resource, to);
    edge.sum += spent, edge.most -= spent;
    return edge;
}
INLINE Extension edge_load(const Hierarchy *h, int32 from, int32 to) { return edge_over(h, from, to, 0); }
INLINE Extension edge_travel(const Hierarchy *h, int32 from, int32 to) {
    return edge_over(h, from, to, giant_distance(&h->giant, from, to));
}

INLINE Extension joined_extension(Extension first, Extension second) { return chained(first, 0, second); }

INLINE Extension read_extension(const Hierarchy *h, int32 options, int64 e) {
    int64 at = SOA ? e : 3 * e, next = SOA ? h->entries : 1;
    Extension found = {h->extensions[at], h->extensions[at + next], h->extensions[at + 2 * next]};
    return found;
}
INLINE void write_extension(const Hierarchy *h, int32 options, int64 e, Extension s) {
    int64 at = SOA ? e : 3 * e, next = SOA ? h->entries : 1;
    h->extensions[at] = s.sum, h->extensions[at + next] = s.least, h->extensions[at + 2 * next] = s.most;
}

/* Whether a giant tour that is this segment keeps the resource within its intervals. */
INLINE int32 holds(const Hierarchy *h, Extension all) {
    return h->giant.visits[(int64)h->resource * (h->giant.customers + 1)].low <= all.most;
}

/* ---- number of routes ---- */
#define HAS_DEPOT 1
#define ENDS_AT_DEPOT 2
#define NO_EDGES 4

/* Complete routes that are not empty, and flags. */
typedef struct {
    int32 routes, flags;
} Count;
typedef Count segment_count;

INLINE Count no_count(void) {
    Count none = {0, NO_EDGES};
    return none;
}
INLINE Count edge_count(const Hierarchy *h, int32 from, int32 to) {
    Count edge = {0, (from == 0 || to == 0 ? HAS_DEPOT : 0) | (to == 0 ? ENDS_AT_DEPOT : 0)};
    return (void)h, edge;
}
/* A route is completed unless a segment has no depot or they meet at one. */
INLINE Count joined_count(Count first, Count second) {
    if (second.flags & NO_EDGES) return first;
    if (first.flags & NO_EDGES) return second;
    int32 completed = (first.flags & second.flags & HAS_DEPOT) && !(first.flags & ENDS_AT_DEPOT);
    Count both = {first.routes + second.routes + completed, second.flags | (first.flags & HAS_DEPOT)};
    return both;
}
INLINE Count read_count(const Hierarchy *h, int32 options, int64 e) {
    Count found = {h->counts[SOA ? e : 2 * e], h->counts[SOA ? h->entries + e : 2 * e + 1]};
    return found;
}
INLINE void write_count(const Hierarchy *h, int32 options, int64 e, Count s) {
    h->counts[SOA ? e : 2 * e] = s.routes, h->counts[SOA ? h->entries + e : 2 * e + 1] = s.flags;
}

#endif
