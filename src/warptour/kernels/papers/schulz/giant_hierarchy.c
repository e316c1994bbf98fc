// build: metrics, branches
/* Hierarchies of segments of a giant tour (giant_hierarchy.h), one kernel for each objective and kind of constraint. */
#include "papers/schulz/giant_segments.h"

#define SEGMENT float64
#define NOTHING no_cost
#define EDGE edge_cost
#define JOINED joined_cost
#define READ read_cost
#define WRITE write_cost
#define BUILD giant_build_cost
#include "papers/schulz/giant_build.h"

#undef SEGMENT
#undef NOTHING
#undef EDGE
#undef JOINED
#undef READ
#undef WRITE
#undef BUILD
#define SEGMENT Count
#define NOTHING no_count
#define EDGE edge_count
#define JOINED joined_count
#define READ read_count
#define WRITE write_count
#define BUILD giant_build_count
#include "papers/schulz/giant_build.h"

#undef SEGMENT
#undef NOTHING
#undef EDGE
#undef JOINED
#undef READ
#undef WRITE
#undef BUILD
#define SEGMENT Extension
#define NOTHING no_extension
#define EDGE edge_load
#define JOINED joined_extension
#define READ read_extension
#define WRITE write_extension
#define BUILD giant_build_load
#include "papers/schulz/giant_build.h"

#undef EDGE
#undef BUILD
#define EDGE edge_travel
#define BUILD giant_build_travel
#include "papers/schulz/giant_build.h"
