// build: branches
/* Number of routes of the neighbours of a giant tour. */
#include "papers/schulz/giant_verdict.h"

#define OBJECTIVE count
#define SEGMENT Count
#define NOTHING no_count
#define EDGE edge_count
#define JOINED joined_count
#define READ read_count
#define VERDICT (void)feasible; JUDGE_COUNT(all, before)

#include "papers/schulz/giant_evaluate.h"
