// build: metrics, branches
/* Cost and feasibility for a resource that distances consume, of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

typedef struct {
    float64 cost;
    Extension travel;
} CostTravel;

INLINE CostTravel no_both(void) {
    CostTravel none = {no_cost(), no_extension()};
    return none;
}
INLINE CostTravel edge_both(const Hierarchy *h, int32 from, int32 to) {
    float64 apart = giant_distance(&h->giant, from, to);
    CostTravel edge = {apart, edge_over(h, from, to, apart)};
    return edge;
}
INLINE CostTravel joined_both(CostTravel first, CostTravel second) {
    CostTravel both = {joined_cost(first.cost, second.cost), joined_extension(first.travel, second.travel)};
    return both;
}
INLINE CostTravel read_both(const Hierarchy *h, int32 options, int64 e) {
    CostTravel found = {read_cost(h, options, e), read_extension(h, options, e)};
    return found;
}

#define OBJECTIVE cost_travel
#define SEGMENT CostTravel
#define NOTHING no_both
#define EDGE edge_both
#define JOINED joined_both
#define READ read_both
#define VERDICT                                \
    (void)fixed, (void)weight, (void)vehicles; \
    JUDGE_COST(all.cost, before.cost)          \
    JUDGE_RESOURCE(all.travel)

#include "papers/schulz/giant_evaluate.h"
