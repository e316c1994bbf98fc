// build: metrics, relaxed-float
/* All 2-opt moves of a tour in float32: the least delta of each row, quickly.
 *
 * Row i of the moves removes the edge from place i to place i + 1, column j the one from j to j + 1:
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 * The added edges of move (i, j) are d(i, j) and d(i+1, j+1), so along a diagonal each root serves two moves.
 * ROWS rows go together; with k = j - r the distance u[r] = d(i + r, k + r), and move (i + r, k + r) adds
 * u[r] + u[r + 1]: ROWS + 1 roots for ROWS moves, contiguous loads, and every row starts at the same k.
 *
 * x, y and edge are in the order of the tour and padded: n + ROWS + 1 of each, x and y with the first city at n, edge
 * below any distance from n on, so that columns beyond the last lose. What is found here is confirmed exactly.
 */
#include "metric.h"

#define ROWS 8
#define FAR 1e30f

#if defined(NORM) && ROUNDING == NEAREST
#define MEASURE(square) floorf(sqrtf(square) + 0.5f)
#else
#define MEASURE(square) sqrtf(square)
#endif

/* Writes the least delta of each row from `first`, a multiple of ROWS, to before `last`. */
KERNEL(two_opt_scan, int32 n, int32 first, int32 last, GLOBAL const float32 *RESTRICT x, GLOBAL const float32 *RESTRICT y,
       GLOBAL const float32 *RESTRICT edge, GLOBAL float32 *RESTRICT least) {
    for (int32 i = first + GROUP * ROWS; i < last; i += GROUPS * ROWS) {
        float32 xi[ROWS + 1], yi[ROWS + 1], best[ROWS];
        for (int32 r = 0; r <= ROWS; r++) xi[r] = x[i + r], yi[r] = y[i + r];
        for (int32 r = 0; r < ROWS; r++) best[r] = FAR;
        GLOBAL const float32 *RESTRICT xk = x + i + 2, *RESTRICT yk = y + i + 2, *RESTRICT ek = edge + i + 2;
        int32 columns = n - i - 2;
        for (int32 k = 0; k < columns; k++) {
            float32 u[ROWS + 1];
            for (int32 r = 0; r <= ROWS; r++) {
                float32 dx = xi[r] - xk[k + r], dy = yi[r] - yk[k + r];
                u[r] = MEASURE(dx * dx + dy * dy);
            }
            for (int32 r = 0; r < ROWS; r++) {
                float32 added = u[r] + u[r + 1] - ek[k + r];
                best[r] = added < best[r] ? added : best[r];
            }
        }
        for (int32 r = 0; r < ROWS && i + r < last; r++) least[i + r] = best[r] - edge[i + r];
    }
}
