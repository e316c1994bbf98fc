// build: branches
/* Feasibility for a resource that no distance consumes and number of routes, of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

typedef struct {
    Extension load;
    Count count;
} LoadCount;

INLINE LoadCount no_both(void) {
    LoadCount none = {no_extension(), no_count()};
    return none;
}
INLINE LoadCount edge_both(const Hierarchy *h, int32 from, int32 to) {
    LoadCount edge = {edge_load(h, from, to), edge_count(h, from, to)};
    return edge;
}
INLINE LoadCount joined_both(LoadCount first, LoadCount second) {
    LoadCount both = {joined_extension(first.load, second.load), joined_count(first.count, second.count)};
    return both;
}
INLINE LoadCount read_both(const Hierarchy *h, int32 options, int64 e) {
    LoadCount found = {read_extension(h, options, e), read_count(h, options, e)};
    return found;
}

#define OBJECTIVE load_count
#define SEGMENT LoadCount
#define NOTHING no_both
#define EDGE edge_both
#define JOINED joined_both
#define READ read_both
#define VERDICT               \
    JUDGE_RESOURCE(all.load)  \
    JUDGE_COUNT(all.count, before.count)

#include "papers/schulz/giant_evaluate.h"
