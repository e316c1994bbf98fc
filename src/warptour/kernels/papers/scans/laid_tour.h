/* A tour laid out for exact scans in the problem's own metric: builds for one metric take the points in tour order, the
 * `any` build takes node numbers from `tour`. */
#ifndef WARPTOUR_LAID_TOUR
#define WARPTOUR_LAID_TOUR

#include "common/metric.h"

#define FAR 1e300

#ifdef NORM
#define APART(a, b) between(&p, a, b)
#else
#define APART(a, b) between(&p, tour[a], tour[b])
#endif

#endif
