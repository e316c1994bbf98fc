// build: metrics, relaxed-float
/* The vector kernel with roots by estimates, where the processor has them. */
#include "papers/rocki/ladder_vector.h"

#define FAST_ROOTS(W) ROW_LEAST(W) VECTOR_KERNEL(ladder_vector_fast, W)
WIDTHS(FAST_ROOTS)
