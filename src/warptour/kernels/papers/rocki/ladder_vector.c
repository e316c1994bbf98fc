// build: metrics
/* The vector kernel with correctly rounded roots. */
#include "papers/rocki/ladder_vector.h"

#define EXACT_ROOTS(W) ROW_LEAST(W) VECTOR_KERNEL(ladder_vector, W)
WIDTHS(EXACT_ROOTS)
