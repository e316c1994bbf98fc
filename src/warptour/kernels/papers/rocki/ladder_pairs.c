// build: metrics, relaxed-float
/* One move per lane and iteration, after Rocki's GPU kernel (2013): a job id gives the pair of edges (triangle.h), and
 * all four distances are computed, 31 FLOP as the slides count them.
 *
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 *
 * Row r of the triangle holds the moves (i, r + 1), i < r, so rows 1 to n - 2 hold all moves, and (0, n - 1), which is
 * none: its edges are neighbours. */
#include "papers/scans/strip.h"
#include "papers/scans/triangle.h"

INLINE float32 apart(GLOBAL const float32 *RESTRICT x, GLOBAL const float32 *RESTRICT y, int32 i, int32 j) {
    return planar_length(x[i] - x[j], y[i] - y[j]);
}

/* Write the best move of each group among ids `first` to `last` - 1; beyond id 0, what it found before counts too. */
KERNEL(ladder_pairs, int32 n, int64 first, int64 last, GLOBAL const float32 *RESTRICT x, GLOBAL const float32 *RESTRICT y,
       GLOBAL float32 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {
    float32 gain = 0;
    int64 rank = (int64)n * n;
    if (LANE == 0 && first > 0) gain = gains[GROUP], rank = ranks[GROUP];
    for (int64 id = first + (int64)GROUP * LANES + LANE; id < last; id += (int64)GROUPS * LANES) {
        int32 i, j;
        triangle_pair(id, &i, &j);
        j++;
        float32 found = apart(x, y, i, i + 1) + apart(x, y, j, j + 1) - apart(x, y, i, j) - apart(x, y, i + 1, j + 1);
        if (found >= gain && !(i == 0 && j == n - 1)) {
            int64 place = (int64)i * n + j;
            if (found > gain || place < rank) gain = found, rank = place;
        }
    }
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) gains[GROUP] = gain, ranks[GROUP] = gain > 0 ? rank : 0;
}
