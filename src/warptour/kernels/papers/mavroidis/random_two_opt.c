/* Random 2-opt moves, made if they improve the tour: the baseline of Mavroidis (2011, 5.2) for his machine. */
#include "common/metric.h"
#include "common/random.h"

/* Evaluate at most `budget` further moves, fewer if `patience` consecutive moves fail. A move is made if the added
 * edges are shorter than `kept` times the removed ones.
 *
 * x, y    coordinates of the cities in tour order, `city` their indices; reordered in place
 * state   moves evaluated, consecutive failures so far, moves made
 */
KERNEL(random_two_opt, GLOBAL real *x, GLOBAL real *y, GLOBAL int32 *city, int32 n, real kept, uint64 seed,
       int64 patience, int64 budget, GLOBAL int64 *state) {
    if (GROUP != 0 || LANE != 0) return;
    uint64 key = random_key(seed, 0);
    int64 looked = state[0], failed = state[1], made = state[2];
    for (; budget > 0 && failed < patience; budget--) {
        uint64 counter = (uint64)(2 * looked++);
        int32 i = (int32)random_below(key, &counter, (uint32)n);
        int32 j = (int32)random_below(key, &counter, (uint32)n);
        if (i > j) {
            int32 other = i;
            i = j, j = other;
        }
        failed++;
        if (j - i < 2 || (i == 0 && j == n - 1)) continue;
        int32 d = j + 1 < n ? j + 1 : 0;
        real ab = sqrt((x[i] - x[i + 1]) * (x[i] - x[i + 1]) + (y[i] - y[i + 1]) * (y[i] - y[i + 1]));
        real cd = sqrt((x[j] - x[d]) * (x[j] - x[d]) + (y[j] - y[d]) * (y[j] - y[d]));
        real ac = sqrt((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]));
        real bd = sqrt((x[i + 1] - x[d]) * (x[i + 1] - x[d]) + (y[i + 1] - y[d]) * (y[i + 1] - y[d]));
        if (!(ac + bd < kept * (ab + cd))) continue;
        failed = 0, made++;
        for (int32 b = i + 1, c = j; b < c; b++, c--) {
            real u = x[b], v = y[b];
            int32 w = city[b];
            x[b] = x[c], y[b] = y[c], city[b] = city[c];
            x[c] = u, y[c] = v, city[c] = w;
        }
    }
    state[0] = looked, state[1] = failed, state[2] = made;
}
