// build: metrics, branches
/* Feasibility of the neighbours of a giant tour for a resource that distances consume, as length or time. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE travel
#define CARRIED extension
#define VERDICT (void)fixed, (void)weight, (void)vehicles, (void)deltas, (void)before; JUDGE_RESOURCE(all)

#include "papers/schulz/giant_evaluate.h"
