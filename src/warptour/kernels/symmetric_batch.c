// build: metrics, relaxed-float
/* Rounds of symmetric 2-opt on a batch of tours, each in the registers of its group: see symmetric.h.
 *
 * A lane holds KEEP mirrored pairs of places with their edges. Mirrored cities are in the same lane, so swaps stay
 * there, and when the row moves on by one place, only one city comes from either neighbour lane: the rest is a renaming
 * of registers, for which KEEP rounds are written out. Nothing is read from memory between the first round and the last.
 * A round in which some move is made leaves these: the registers get their first names back and the one text that
 * decides and applies does it.
 *
 * The row has exactly 2 * LANES * KEEP + 1 places; shorter tours are filled up with doubles of city n - 1, all beside it.
 * At most 32 lanes. Distances are of the plane and as precise as `real` and the build allow; who needs exact ones goes on
 * with symmetric.c.
 */
#include "symmetric.h"

#ifndef KEEP
#define KEEP 8
#endif

/* What a lane keeps, place i counted from the outermost of its own: the left places, the right ones, the edges of each
 * inward, and d(a, c) and d(b, d) of the move between a pair and the next. */
typedef struct {
    real lx[KEEP], ly[KEEP], le[KEEP], rx[KEEP], ry[KEEP], re[KEEP], ac[KEEP], bd[KEEP];
    int32 left[KEEP], right[KEEP];
    real mx, my, closing; /* the place in the middle, for the innermost lane; the edge that closes the tour, for the first */
    int32 middle;
} Pairs;

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

/* Evaluates the moves of a round whose left places are in registers (i + r) % KEEP and right ones in (i - r) % KEEP;
 * nx, ny is the left place after the lane's last. Returns the least rise, or `limit` if none is below it. */
INLINE real evaluate(Pairs *l, const int32 r, real nx, real ny, real limit) {
    real lowest = limit;
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        const int32 a = (i + r) % KEEP, b = (i + 1 + r) % KEEP, d = (i + KEEP - r) % KEEP;
        l->bd[i] = i + 1 < KEEP ? span(l->lx[b], l->ly[b], l->rx[d], l->ry[d]) : span(nx, ny, l->rx[d], l->ry[d]);
        real rise = (l->ac[i] + l->bd[i]) - (l->le[a] + l->re[d]);
        if (i + 1 < KEEP || LANE != LANES - 1) lowest = rise < lowest ? rise : lowest;
    }
    return lowest;
}

/* Moves the row on by one place, from names r to names r + 1. */
INLINE void move_on(Pairs *l, const int32 r, real nx, real ny) {
    const int32 first = r % KEEP, outer = (2 * KEEP - 1 - r) % KEEP;
    const int32 inward = (LANE + 1) % LANES, outward = (LANE + LANES - 1) % LANES;
    int32 next = FROM_LANE(l->left[first], inward), back = FROM_LANE(l->right[outer], outward);
    real next_edge = FROM_LANE(l->le[first], inward), back_edge = FROM_LANE(l->re[outer], outward);
    real bx = FROM_LANE(l->rx[outer], outward), by = FROM_LANE(l->ry[outer], outward);
    (void)inward, (void)outward;
    if (LANE == 0) {
        bx = l->lx[first], by = l->ly[first], back = l->left[first], back_edge = l->closing;
        l->closing = l->le[first];
    }
    if (LANE == LANES - 1) {
        next = l->middle, next_edge = l->re[outer];
        l->mx = l->rx[outer], l->my = l->ry[outer], l->middle = l->right[outer];
    }
    l->lx[first] = nx, l->ly[first] = ny, l->left[first] = next, l->le[first] = next_edge;
    l->rx[outer] = bx, l->ry[outer] = by, l->right[outer] = back, l->re[outer] = back_edge;
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) l->ac[i] = l->bd[i];
}

INLINE void turn_reals(real *x, const int32 by) {
    real turned[KEEP];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) turned[i] = x[(i + by) % KEEP];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) x[i] = turned[i];
}

INLINE void turn_cities(int32 *x, const int32 by) {
    int32 turned[KEEP];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) turned[i] = x[(i + by) % KEEP];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) x[i] = turned[i];
}

/* Gives registers with names r their first names back. */
INLINE void rename(Pairs *l, const int32 r) {
    turn_reals(l->lx, r), turn_reals(l->ly, r), turn_reals(l->le, r), turn_cities(l->left, r);
    turn_reals(l->rx, KEEP - r), turn_reals(l->ry, KEEP - r), turn_reals(l->re, KEEP - r);
    turn_cities(l->right, KEEP - r);
}

/* Applies this lane's part of the accepted moves, names 0; `odd` is the parity of those further out. */
INLINE void apply_to_pairs(Pairs *l, uint32 yes, int32 odd) {
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        int32 before = odd;
        odd ^= (int32)(yes >> i) & 1;
        if (before) {
            real x = l->lx[i], y = l->ly[i];
            int32 city = l->left[i];
            l->lx[i] = l->rx[i], l->ly[i] = l->ry[i], l->left[i] = l->right[i];
            l->rx[i] = x, l->ry[i] = y, l->right[i] = city;
        }
        real ab = l->le[i], cd = l->re[i], ac = l->ac[i], bd = l->bd[i];
        l->le[i] = before ? (odd ? cd : bd) : (odd ? ac : ab);
        l->re[i] = before ? (odd ? ab : ac) : (odd ? bd : cd);
        l->bd[i] = before ? (odd ? ac : ab) : (odd ? cd : bd);
    }
}

/* Parameters as in symmetric.c. */
KERNEL(symmetric_batch, POINTS_PARAMETERS, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, real least, int32 rounds, uint64 seed,
       int32 first_tour) {
    POINTS_STRUCT(p);
    const int32 pairs = LANES * KEEP, m = 2 * pairs + 1, inward = (LANE + 1) % LANES;
    (void)inward;

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], accepted = 0;
        int32 idle = (int32)state[4 * t + 1];
        uint64 key = random_key(seed, (uint64)(first_tour + t));
        Pairs l;
        l.middle = mine[pairs];
        int32 there = l.middle < p.n ? l.middle : p.n - 1;
        l.mx = p.x[there], l.my = p.y[there], l.closing = edge_between(&p, mine[0], mine[m - 1]);
#pragma unroll
        for (int32 i = 0; i < KEEP; i++) {
            int32 q = LANE * KEEP + i;
            int32 a = mine[q], b = mine[q + 1], c = mine[m - 2 - q], d = mine[m - 1 - q];
            int32 ai = a < p.n ? a : p.n - 1, ci = c < p.n ? c : p.n - 1, di = d < p.n ? d : p.n - 1;
            l.left[i] = a, l.right[i] = d;
            l.lx[i] = p.x[ai], l.ly[i] = p.y[ai], l.rx[i] = p.x[di], l.ry[i] = p.y[di];
            l.le[i] = edge_between(&p, a, b), l.re[i] = edge_between(&p, d, c);
            l.ac[i] = span(l.lx[i], l.ly[i], p.x[ci], p.y[ci]);
        }
        SYNC_LANES();
        int32 rounds_left = rounds;
        while (rounds_left > 0 && idle < m) {
            int64 stage = done / level;
            int64 end = (stage + 1) * level - done; /* rounds left at this temperature */
            real heat = stage < levels ? temperature[stage] : (real)0;
            real limit = heat > 0 ? heat * (real)22 : -least;
            real scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
            const int32 cold = stage >= levels;
            int32 until = rounds_left;
            if (!cold && end < until) until = (int32)end;
            while (until > 0 && idle < m) {
                int32 steps = 0;
                if (until >= KEEP && m - idle >= KEEP) {
#pragma unroll
                    for (int32 r = 0; r < KEEP; r++) {
                        real nx = FROM_LANE(l.lx[r], inward), ny = FROM_LANE(l.ly[r], inward);
                        if (LANE == LANES - 1) nx = l.mx, ny = l.my;
                        if (ANY_LANE(evaluate(&l, r, nx, ny, limit) < limit)) break;
                        move_on(&l, r, nx, ny);
                        steps++;
                    }
#pragma unroll
                    for (int32 r = 1; r < KEEP; r++)
                        if (steps == r) rename(&l, r);
                }
                idle = cold ? idle + steps : 0;
                if (steps < KEEP) { /* one round that decides, with first names */
                    real nx = FROM_LANE(l.lx[0], inward), ny = FROM_LANE(l.ly[0], inward);
                    if (LANE == LANES - 1) nx = l.mx, ny = l.my;
                    evaluate(&l, 0, nx, ny, limit);
                    uint32 yes = 0;
#pragma unroll
                    for (int32 i = 0; i < KEEP; i++) {
                        real rise = (l.ac[i] + l.bd[i]) - (l.le[i] + l.re[i]);
                        if (!(rise < limit) || (i + 1 == KEEP && LANE == LANES - 1)) continue;
                        uint64 counter = (uint64)((done + steps) * pairs + LANE * KEEP + i);
                        if (rise < -least || rises(rise, scale, key, counter)) yes |= 1u << i;
                    }
                    int32 odd = 0, some = yes != 0;
#pragma unroll
                    for (int32 i = 0; i < KEEP; i++) odd ^= (int32)(yes >> i) & 1, accepted += (int64)((yes >> i) & 1);
                    EARLIER_PARITY(odd, some, 0);
                    if (some) {
                        apply_to_pairs(&l, yes, odd);
                        nx = FROM_LANE(l.lx[0], inward), ny = FROM_LANE(l.ly[0], inward);
                        if (LANE == LANES - 1) nx = l.mx, ny = l.my;
                    }
                    move_on(&l, 0, nx, ny);
                    rename(&l, 1);
                    idle = some || !cold ? 0 : idle + 1;
                    steps++;
                }
                done += steps, rounds_left -= steps, until -= steps;
            }
        }
#pragma unroll
        for (int32 i = 0; i < KEEP; i++) {
            int32 q = LANE * KEEP + i;
            mine[q] = l.left[i], mine[m - 1 - q] = l.right[i];
        }
        if (LANE == LANES - 1) mine[pairs] = l.middle;
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted;
        SYNC_LANES();
    }
}
