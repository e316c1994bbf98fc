// build: metrics, branches
/* Feasibility of the neighbours of a giant tour for a resource that distances consume, as length or time. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE travel
#define SEGMENT Extension
#define NOTHING no_extension
#define EDGE edge_travel
#define JOINED joined_extension
#define READ read_extension
#define VERDICT (void)fixed, (void)weight, (void)vehicles, (void)deltas, (void)before; JUDGE_RESOURCE(all)

#include "papers/schulz/giant_evaluate.h"
