// build: metrics, branches
/* Cost of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE cost
#define SEGMENT float64
#define NOTHING no_cost
#define EDGE edge_cost
#define JOINED joined_cost
#define READ read_cost
#define VERDICT (void)fixed, (void)weight, (void)vehicles, (void)feasible; JUDGE_COST(all, before)

#include "papers/schulz/giant_evaluate.h"
