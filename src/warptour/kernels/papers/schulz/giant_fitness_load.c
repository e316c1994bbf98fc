// build: branches
/* Feasibility of the neighbours of a giant tour for a resource that no distance consumes, as capacity. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE load
#define CARRIED extension
#define VERDICT (void)fixed, (void)weight, (void)vehicles, (void)deltas, (void)before; JUDGE_RESOURCE(all)

#include "papers/schulz/giant_evaluate.h"
