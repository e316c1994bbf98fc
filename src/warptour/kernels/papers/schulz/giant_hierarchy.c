// build: metrics, branches
/* Hierarchies of segments of a giant tour (giant_hierarchy.h), one kernel for each objective and kind of constraint. */
#include "papers/schulz/giant_segments.h"

#define OBJECTIVE cost
#define CARRIED cost
#include "papers/schulz/giant_build.h"

#define OBJECTIVE count
#define CARRIED count
#include "papers/schulz/giant_build.h"

#define OBJECTIVE load
#define CARRIED extension
#include "papers/schulz/giant_build.h"

#define OBJECTIVE travel
#define CARRIED extension
#include "papers/schulz/giant_build.h"
