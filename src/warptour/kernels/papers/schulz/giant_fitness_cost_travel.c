// build: metrics, branches
/* Cost and feasibility for a resource that distances consume, of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

#define FIRST cost
#define SECOND extension
#include "papers/schulz/giant_pair.h"

INLINE segment_pair edge_cost_travel(const Hierarchy *h, int32 from, int32 to) {
    float64 apart = giant_distance(&h->giant, from, to);
    segment_pair edge = {apart, edge_over(h, from, to, apart)};
    return edge;
}

#define OBJECTIVE cost_travel
#define VERDICT                                \
    (void)fixed, (void)weight, (void)vehicles; \
    JUDGE_COST(all.first, before.first)        \
    JUDGE_RESOURCE(all.second)

#include "papers/schulz/giant_evaluate.h"
