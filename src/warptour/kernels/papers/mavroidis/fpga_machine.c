/* Emulation of the symmetric 2-opt machine of Mavroidis (2011, chapter 5), loop by loop; warptour/papers/mavroidis/fpga/machine.py
 * describes it.
 *
 * The shift register is a window of n positions in arrays of 2n + 1; the position before the window repeats the last
 * city. Shifting the cities right is done by moving the window left. One group, one lane.
 */
#include "papers/mavroidis/symmetric.h"

typedef struct {
    GLOBAL real *x, *y;
    GLOBAL int32 *city;
    int32 squared;
} Register;

INLINE real register_apart(const Register *r, int32 i, int32 k) {
    real dx = r->x[i] - r->x[k], dy = r->y[i] - r->y[k];
    real square = dx * dx + dy * dy;
    return r->squared ? square : sqrt(square);
}

INLINE void register_swap(const Register *r, int32 i, int32 k) {
    real x = r->x[i], y = r->y[i];
    int32 city = r->city[i];
    r->x[i] = r->x[k], r->y[i] = r->y[k], r->city[i] = r->city[k];
    r->x[k] = x, r->y[k] = y, r->city[k] = city;
}

INLINE void register_copy(const Register *r, int32 to, int32 from) {
    r->x[to] = r->x[from], r->y[to] = r->y[from], r->city[to] = r->city[from];
}

/* Run at most `loops` further loops, or until n - 1 consecutive loops made no move.
 *
 * x, y, city  2n + 1 positions each; the window begins at state[3], and position state[3] - 1 is free
 * elements    number of processing elements P; `groups` is 2 * ceil(floor(n / 4) / P)
 * squared     whether to compare squared distances, as hardware without root units does
 * kept        factor on removed edges: just under 1, so that a rounding error is no gain
 * temperature one per level, then 0; each holds for `level` loops
 * rise, yes   workspace: one number and one byte per element
 * state       loops so far, trailing loops without a move, moves, first position of the window
 * gained      total length removed by the moves
 */
KERNEL(fpga_machine, GLOBAL real *x, GLOBAL real *y, GLOBAL int32 *city, int32 n, int32 elements, int32 groups,
       int32 squared, real kept, GLOBAL const real *temperature, int32 levels, int64 level, uint64 seed, int64 loops,
       GLOBAL real *rise, GLOBAL char *yes, GLOBAL int64 *state, GLOBAL real *gained) {
    if (GROUP != 0 || LANE != 0) return;
    Register r;
    r.x = x, r.y = y, r.city = city, r.squared = squared;
    uint64 key = random_key(seed, 0);
    int64 done = state[0], idle = state[1], moves = state[2];
    int32 low = (int32)state[3];
    real gain = gained[0];
    for (int64 left = loops; left > 0 && idle < n - 1; left--) {
        int64 stage = done / level;
        real heat = stage < levels ? temperature[stage] : (real)0;
        real scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
        real limit = heat > 0 ? (real)INFINITY : (real)0;
        int32 moved = 0;
        for (int32 g = 0; g < groups; g++) {
            const int32 width = 2 * elements + (g / 2) * 2 * elements + g % 2; /* longest segment of the group */
            int32 first = 0, odd = 0, any = 0;
            if (width > n / 2 + 1) first = (width - n / 2) / 2; /* outer segments would exceed half the tour */
            register_copy(&r, low - 1, low + n - 1);
            for (int32 k = first; k < elements; k++) {
                int32 b = low + k, c = low + width - 1 - k;
                rise[k] = (register_apart(&r, b - 1, c) + register_apart(&r, b, c + 1)) -
                          kept * (register_apart(&r, b - 1, b) + register_apart(&r, c, c + 1));
                any |= rise[k] < limit;
            }
            if (!any) continue;
            for (int32 k = first; k < elements; k++) {
                yes[k] = rise[k] < 0 ||
                         (heat > 0 && rises(rise[k], scale, key, (uint64)((done * groups + g) * elements + k)));
                if (yes[k]) moved = 1, moves++, gain -= rise[k];
            }
            for (int32 k = first; k < elements; k++) {
                odd ^= yes[k];
                if (odd) register_swap(&r, low + k, low + width - 1 - k);
            }
            if (!odd) continue;
            for (int32 i = low + elements, k = low + width - elements - 1; i < k; i++, k--) register_swap(&r, i, k);
        }
        low--;
        register_copy(&r, low, low + n);
        if (low == 1) { /* copy back to the far end */
            for (int32 k = n - 1; k >= 0; k--) register_copy(&r, n + 1 + k, 1 + k);
            low = n + 1;
        }
        idle = moved || stage < levels ? 0 : idle + 1;
        done++;
    }
    state[0] = done, state[1] = idle, state[2] = moves, state[3] = low;
    gained[0] = gain;
}
