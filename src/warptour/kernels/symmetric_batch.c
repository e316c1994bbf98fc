// build: metrics, relaxed-float
/* Rounds of symmetric 2-opt on a batch of tours, each in the registers of its group: see symmetric.h.
 *
 * A lane holds KEEP mirrored pairs of places with their edges. Mirrored cities are in the same lane, so swaps stay
 * there, and when the row moves on by one place, only one city comes from either neighbour lane: the rest is a renaming
 * of registers, for which KEEP rounds are written out. Nothing is read from memory between the first round and the last.
 *
 * The row has exactly 2 * LANES * KEEP + 1 places; shorter tours are filled up with doubles of city n - 1, all beside it.
 * At most 32 lanes. Distances are of the plane and as precise as `real` and the build allow; who needs exact ones goes on
 * with symmetric.c. Built with -DCOLD it only descends.
 */
#include "symmetric.h"

#ifndef KEEP
#define KEEP 8
#endif

INLINE real span(real ax, real ay, real bx, real by) {
    real dx = ax - bx, dy = ay - by;
#if defined NORM && LANES > 1 && ROUNDING == NEAREST
    return ROUND_ONE(sqrt(dx * dx + dy * dy)); /* in float32, where the rounding instruction is slow */
#elif defined NORM
    return rounded(ROUNDING, sqrt(dx * dx + dy * dy));
#else
    return sqrt(dx * dx + dy * dy);
#endif
}

INLINE real edge_between(const Points *p, int32 a, int32 b) {
    if (a >= p->n - 1 && b >= p->n - 1) return -FIXED_EDGE;
    int32 i = a < p->n ? a : p->n - 1, k = b < p->n ? b : p->n - 1;
    return span(p->x[i], p->y[i], p->x[k], p->y[k]);
}

/* Parameters as in symmetric.c; rounds and level are multiples of KEEP. */
KERNEL(symmetric_batch, POINTS_PARAMETERS, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, real least, int32 rounds, uint64 seed,
       int32 first_tour) {
    POINTS_STRUCT(p);
    const int32 pairs = LANES * KEEP, m = 2 * pairs + 1;
    const int32 innermost = LANE == LANES - 1;

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], accepted = 0;
        int32 idle = (int32)state[4 * t + 1];
        uint64 key = random_key(seed, (uint64)(first_tour + t));
        /* Left places q, right places m - 1 - q, their edges inward, d(a, c) and d(b, d) of the move between. */
        real lx[KEEP], ly[KEEP], le[KEEP], rx[KEEP], ry[KEEP], re[KEEP], ac[KEEP], bd[KEEP];
        int32 left[KEEP], right[KEEP];
        int32 middle = mine[pairs];
        int32 there = middle < p.n ? middle : p.n - 1;
        real mx = p.x[there], my = p.y[there];
        real closing = edge_between(&p, mine[0], mine[m - 1]);
#pragma unroll
        for (int32 i = 0; i < KEEP; i++) {
            int32 q = LANE * KEEP + i;
            int32 a = mine[q], b = mine[q + 1], c = mine[m - 2 - q], d = mine[m - 1 - q];
            int32 ai = a < p.n ? a : p.n - 1, ci = c < p.n ? c : p.n - 1, di = d < p.n ? d : p.n - 1;
            left[i] = a, right[i] = d;
            lx[i] = p.x[ai], ly[i] = p.y[ai], rx[i] = p.x[di], ry[i] = p.y[di];
            le[i] = edge_between(&p, a, b), re[i] = edge_between(&p, d, c);
            ac[i] = span(lx[i], ly[i], p.x[ci], p.y[ci]);
        }
        SYNC_LANES();
        int32 rounds_left = rounds;
        while (rounds_left > 0 && idle < m) {
            int64 stage = done / level;
            real heat = stage < levels ? temperature[stage] : (real)0;
            real limit = heat > 0 ? heat * (real)22 : -least;
            real scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
            int32 heated = heat > 0;
            const int32 cold = stage >= levels;
            (void)heated, (void)scale, (void)key;
#pragma unroll
            for (int32 r = 0; r < KEEP; r++) {
                /* Left place i of the lane is in register (i + r) % KEEP, right place i in (i - r) % KEEP. */
                const int32 first = r % KEEP, outer = (2 * KEEP - 1 - r) % KEEP;
                real nx = FROM_LANE(lx[first], (LANE + 1) % LANES), ny = FROM_LANE(ly[first], (LANE + 1) % LANES);
                if (innermost) nx = mx, ny = my;
                real lowest = limit;
#pragma unroll
                for (int32 i = 0; i < KEEP; i++) {
                    const int32 a = (i + r) % KEEP, b = (i + 1 + r) % KEEP, d = (i + KEEP - r) % KEEP;
                    bd[i] = i + 1 < KEEP ? span(lx[b], ly[b], rx[d], ry[d]) : span(nx, ny, rx[d], ry[d]);
                    real rise = (ac[i] + bd[i]) - (le[a] + re[d]);
                    if (i + 1 < KEEP || !innermost) lowest = rise < lowest ? rise : lowest;
                }
                int32 some = 0;
                if (ANY_LANE(lowest < limit)) {
                    uint32 yes = 0, wanted = 0;
                    (void)wanted;
#pragma unroll
                    for (int32 i = 0; i < KEEP; i++) {
                        const int32 a = (i + r) % KEEP, d = (i + KEEP - r) % KEEP;
                        real rise = (ac[i] + bd[i]) - (le[a] + re[d]);
                        if (rise < limit && (i + 1 < KEEP || !innermost)) wanted |= 1u << i;
                        if (rise < -least && (i + 1 < KEEP || !innermost)) yes |= 1u << i;
                    }
#ifndef COLD
                    for (uint32 open = heated ? wanted & ~yes : 0; open; open &= open - 1) {
                        uint32 bit = open & (~open + 1);
                        real rise = 0;
                        int32 which = 0;
#pragma unroll
                        for (int32 i = 0; i < KEEP; i++) {
                            const int32 a = (i + r) % KEEP, d = (i + KEEP - r) % KEEP;
                            if (bit == 1u << i) rise = (ac[i] + bd[i]) - (le[a] + re[d]), which = i;
                        }
                        uint64 counter = (uint64)((done + r) * pairs + LANE * KEEP + which);
                        if (rises(rise, scale, key, counter)) yes |= bit;
                    }
#endif
                    int32 odd = 0;
#pragma unroll
                    for (int32 i = 0; i < KEEP; i++) odd ^= (int32)(yes >> i) & 1, accepted += (int64)((yes >> i) & 1);
                    some = yes != 0;
                    EARLIER_PARITY(odd, some, r % 2);
                    if (some) {
#pragma unroll
                        for (int32 i = 0; i < KEEP; i++) {
                            const int32 a = (i + r) % KEEP, d = (i + KEEP - r) % KEEP;
                            int32 before = odd;
                            odd ^= (int32)(yes >> i) & 1;
                            if (before) {
                                real x = lx[a], y = ly[a];
                                int32 city = left[a];
                                lx[a] = rx[d], ly[a] = ry[d], left[a] = right[d];
                                rx[d] = x, ry[d] = y, right[d] = city;
                            }
                            real ab = le[a], cd = re[d];
                            le[a] = before ? (odd ? cd : bd[i]) : (odd ? ac[i] : ab);
                            re[d] = before ? (odd ? ab : ac[i]) : (odd ? bd[i] : cd);
                            bd[i] = before ? (odd ? ac[i] : ab) : (odd ? cd : bd[i]);
                        }
                        nx = FROM_LANE(lx[first], (LANE + 1) % LANES), ny = FROM_LANE(ly[first], (LANE + 1) % LANES);
                        if (innermost) nx = mx, ny = my;
                    }
                }
                idle = some || !cold ? 0 : idle + 1;
                /* The row moves on: a city from the lane further in for the left half, from further out for the right. */
                int32 next = FROM_LANE(left[first], (LANE + 1) % LANES);
                real next_edge = FROM_LANE(le[first], (LANE + 1) % LANES);
                real bx = FROM_LANE(rx[outer], (LANE + LANES - 1) % LANES);
                real by = FROM_LANE(ry[outer], (LANE + LANES - 1) % LANES);
                real back_edge = FROM_LANE(re[outer], (LANE + LANES - 1) % LANES);
                int32 back = FROM_LANE(right[outer], (LANE + LANES - 1) % LANES);
                if (LANE == 0) {
                    bx = lx[first], by = ly[first], back = left[first], back_edge = closing;
                    closing = le[first];
                }
                if (innermost) {
                    next = middle, next_edge = re[outer];
                    mx = rx[outer], my = ry[outer], middle = right[outer];
                }
                lx[first] = nx, ly[first] = ny, left[first] = next, le[first] = next_edge;
                rx[outer] = bx, ry[outer] = by, right[outer] = back, re[outer] = back_edge;
#pragma unroll
                for (int32 i = 0; i < KEEP; i++) ac[i] = bd[i];
            }
            done += KEEP, rounds_left -= KEEP;
        }
#pragma unroll
        for (int32 i = 0; i < KEEP; i++) {
            int32 q = LANE * KEEP + i;
            mine[q] = left[i], mine[m - 1 - q] = right[i];
        }
        if (innermost) mine[pairs] = middle;
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted;
        SYNC_LANES();
    }
}
