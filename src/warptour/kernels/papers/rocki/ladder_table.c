// build: metrics
/* Moves evaluated from a table of all distances, after Rocki (2013): 4 n^2 bytes, read by city through the tour.
 *
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 *
 * Rows i of moves are dealt to the groups, columns j to their lanes. */
#include "common/metric.h"

#define FAR 1e30f

/* Write rows `first` to `last` - 1 of the table. */
KERNEL(ladder_table_fill, POINTS_PARAMETERS, int32 n, int32 first, int32 last, GLOBAL float32 *RESTRICT table) {
    POINTS_STRUCT(p);
    for (int32 i = first + GROUP; i < last; i += GROUPS)
        for (int32 j = LANE; j < n; j += LANES) table[(int64)i * n + j] = (float32)between(&p, i, j);
}

/* Apply a move: `made` receives `tour` with positions i + 1 to j reversed, `cycle` the same and the first city again.
 * `move` holds i and j, null for no move. */
KERNEL(ladder_table_lay, int32 n, GLOBAL const int32 *RESTRICT tour, GLOBAL const int32 *RESTRICT move,
       GLOBAL int32 *RESTRICT made, GLOBAL int32 *RESTRICT cycle) {
    int32 i = move ? move[0] : 0, j = move ? move[1] : 0;
    for (int32 k = GROUP * LANES + LANE; k < n; k += GROUPS * LANES) {
        int32 city = tour[i < k && k <= j ? i + 1 + j - k : k];
        made[k] = cycle[k] = city;
        if (k == 0) cycle[n] = city;
    }
}

/* Write the best move of each group among rows `first` to `last` - 1; beyond row 0, what it found before counts too. */
KERNEL(ladder_table, int32 n, int32 first, int32 last, GLOBAL const float32 *RESTRICT table,
       GLOBAL const int32 *RESTRICT cycle, GLOBAL float32 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {
    float32 gain = 0;
    int64 rank = (int64)n * n;
    if (LANE == 0 && first > 0) gain = gains[GROUP], rank = ranks[GROUP];
    for (int32 i = first + GROUP; i < last; i += GROUPS) {
        GLOBAL const float32 *from = table + (int64)cycle[i] * n, *after = table + (int64)cycle[i + 1] * n;
        float32 edge = from[cycle[i + 1]];
        int32 end = i == 0 ? n - 1 : n;
        for (int32 j = i + 2 + LANE; j < end; j += LANES) {
            int32 c = cycle[j], d = cycle[j + 1];
            float32 found = edge + table[(int64)c * n + d] - from[c] - after[d];
            if (found > gain) gain = found, rank = (int64)i * n + j;
        }
    }
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) gains[GROUP] = gain, ranks[GROUP] = gain > 0 ? rank : 0;
}
