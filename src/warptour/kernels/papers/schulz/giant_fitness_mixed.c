// build: metrics, branches
/* Any two, any three, or all of cost, number of routes, capacity and length in one kernel, of the neighbours of a giant
 * tour; pairs that are best have kernels of their own (giant_fitness_cost_travel.c, giant_fitness_load_count.c).
 *
 * Schulz (2011) tried all of them, which made the compiler of his time crash. A GPU compiles the one that ONLY names. */
#include "papers/schulz/giant_verdict.h"

#define COST 1
#define ROUTES 2
#define LOAD 4
#define LENGTH 8

typedef struct {
    float64 cost;
    Extension load, length;
    Count count;
} Mixed;

INLINE Mixed no_mixed(void) {
    Mixed none = {0, no_extension(), no_extension(), no_count()};
    return none;
}

/* The hierarchy of the resource beside. */
INLINE Hierarchy beside_of(const Hierarchy *h) {
    Hierarchy other = *h;
    other.extensions = h->beside, other.resource = h->beside_resource;
    return other;
}

#if !defined(ONLY) || ONLY == 3
#define OBJECTIVE mixed_3
#define WITH 3
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 5
#define OBJECTIVE mixed_5
#define WITH 5
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 10
#define OBJECTIVE mixed_10
#define WITH 10
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 12
#define OBJECTIVE mixed_12
#define WITH 12
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 7
#define OBJECTIVE mixed_7
#define WITH 7
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 11
#define OBJECTIVE mixed_11
#define WITH 11
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 13
#define OBJECTIVE mixed_13
#define WITH 13
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 14
#define OBJECTIVE mixed_14
#define WITH 14
#include "papers/schulz/giant_mixed.h"
#endif
#if !defined(ONLY) || ONLY == 15
#define OBJECTIVE mixed_15
#define WITH 15
#include "papers/schulz/giant_mixed.h"
#endif
