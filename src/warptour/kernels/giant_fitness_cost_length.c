// build: metrics
/* Cost and feasibility for a resource that distances consume, of the neighbours of a giant tour. */
#include "giant_verdict.h"

typedef struct {
    float64 cost;
    Extension length;
} CostLength;

INLINE CostLength no_both(void) {
    CostLength none = {no_cost(), no_extension()};
    return none;
}
INLINE CostLength edge_both(const Hierarchy *h, int32 from, int32 to) {
    float64 apart = giant_distance(&h->giant, from, to);
    CostLength edge = {apart, edge_over(h, from, to, apart)};
    return edge;
}
INLINE CostLength joined_both(CostLength first, CostLength second) {
    CostLength both = {joined_cost(first.cost, second.cost), joined_extension(first.length, second.length)};
    return both;
}
INLINE CostLength read_both(const Hierarchy *h, int32 options, int64 e) {
    CostLength found = {read_cost(h, options, e), read_extension(h, options, e)};
    return found;
}

#define OBJECTIVE cost_length
#define SEGMENT CostLength
#define NOTHING no_both
#define EDGE edge_both
#define JOINED joined_both
#define READ read_both
#define VERDICT                                \
    (void)fixed, (void)weight, (void)vehicles; \
    JUDGE_COST(all.cost, before.cost)          \
    JUDGE_RESOURCE(all.length)

#include "giant_evaluate.h"
