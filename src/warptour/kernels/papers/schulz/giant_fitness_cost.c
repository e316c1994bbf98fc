// build: metrics, branches
/* Cost of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE cost
#define CARRIED cost
#define VERDICT (void)fixed, (void)weight, (void)vehicles, (void)feasible; JUDGE_COST(all, before)

#include "papers/schulz/giant_evaluate.h"
