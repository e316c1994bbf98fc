// build: branches
/* Feasibility for a resource that no distance consumes and number of routes, of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

#define FIRST extension
#define SECOND count
#include "papers/schulz/giant_pair.h"

INLINE segment_pair edge_load_count(const Hierarchy *h, int32 from, int32 to) {
    segment_pair edge = {edge_load(h, from, to), edge_count(h, from, to)};
    return edge;
}

#define OBJECTIVE load_count
#define VERDICT                \
    JUDGE_RESOURCE(all.first)  \
    JUDGE_COUNT(all.second, before.second)

#include "papers/schulz/giant_evaluate.h"
