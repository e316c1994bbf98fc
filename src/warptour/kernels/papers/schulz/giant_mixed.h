/* Template of the kernels that evaluate several objectives and constraints at once (giant_fitness_mixed.c).
 *
 * WITH: bits of those that are evaluated; OBJECTIVE: mixed_ and these bits. A segment has a field for each, and those
 * without a bit are left out by the compiler. Loads are the first resource of the hierarchy, lengths the one beside. */
#define CARRIED OBJECTIVE
#define segment NAMED(segment_over_, OBJECTIVE)
#define continued NAMED(continued_, OBJECTIVE)
#define recombined NAMED(recombined_, OBJECTIVE)

typedef Mixed NAMED(segment_, OBJECTIVE);

INLINE Mixed NAMED(no_, OBJECTIVE)(void) { return no_mixed(); }

INLINE Mixed NAMED(edge_, OBJECTIVE)(const Hierarchy *h, int32 from, int32 to) {
    Mixed edge = no_mixed();
    float64 apart = WITH & (COST | LENGTH) ? giant_distance(&h->giant, from, to) : 0;
    if (WITH & COST) edge.cost = apart;
    if (WITH & ROUTES) edge.count = edge_count(h, from, to);
    if (WITH & LOAD) edge.load = edge_load(h, from, to);
    if (WITH & LENGTH) {
        Hierarchy other = beside_of(h);
        edge.length = edge_over(&other, from, to, apart);
    }
    return edge;
}

INLINE Mixed NAMED(joined_, OBJECTIVE)(Mixed first, Mixed second) {
    Mixed both = no_mixed();
    if (WITH & COST) both.cost = joined_cost(first.cost, second.cost);
    if (WITH & ROUTES) both.count = joined_count(first.count, second.count);
    if (WITH & LOAD) both.load = joined_extension(first.load, second.load);
    if (WITH & LENGTH) both.length = joined_extension(first.length, second.length);
    return both;
}

INLINE Mixed NAMED(read_, OBJECTIVE)(const Hierarchy *h, int32 options, int64 e) {
    Mixed found = no_mixed();
    if (WITH & COST) found.cost = read_cost(h, options, e);
    if (WITH & ROUTES) found.count = read_count(h, options, e);
    if (WITH & LOAD) found.load = read_extension(h, options, e);
    if (WITH & LENGTH) {
        Hierarchy other = beside_of(h);
        found.length = read_extension(&other, options, e);
    }
    return found;
}

#define VERDICT                                                                 \
    Hierarchy wt_beside = beside_of(&h);                                        \
    if (WITH & COST) { JUDGE_COST(all.cost, before.cost) }                      \
    if (WITH & ROUTES) { JUDGE_COUNT(all.count, before.count) }                 \
    if (WITH & LOAD) { JUDGE_RESOURCE(all.load) }                               \
    if ((WITH & LENGTH) && !holds(&wt_beside, all.length)) feasible[k] = 0;

#include "papers/schulz/giant_evaluate.h"

#undef segment
#undef continued
#undef recombined
#undef VERDICT
#undef CARRIED
#undef EVALUATE
#undef OBJECTIVE
#undef WITH
