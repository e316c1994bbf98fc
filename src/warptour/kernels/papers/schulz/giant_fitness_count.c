// build: branches
/* Number of routes of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE count
#define CARRIED count
#define VERDICT (void)feasible; JUDGE_COUNT(all, before)

#include "papers/schulz/giant_evaluate.h"
