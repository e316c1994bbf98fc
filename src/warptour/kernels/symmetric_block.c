/* Rounds of symmetric 2-opt on tours of up to 2 * LANES * SHARE + 1 places, a group each: see symmetric.h.
 *
 * For EUC_2D, with the outcome of symmetric.c, round for round. Whole coordinates from 0 to 32,767 are x * 65536 + y and
 * roots of integers. Built with -DFRACTIONS, for all others, distances are float32, and float64 where that leaves open how
 * they round. Most rounds make no move, so AHEAD of them are evaluated before lanes compare notes: what comes after the first
 * round with a move is thrown away. A lane has SHARE moves a round, whose distances stay in its registers. Built with -DWIDE the tours live in `work`, for those that no fast memory holds.
 */
#include "symmetric.h"

#ifndef SHARE
#define SHARE 8
#endif
#ifndef AHEAD
#define AHEAD 3
#endif
#define GLUE (1 << 28)

#ifdef FRACTIONS
typedef float32 Spot;
#else
typedef int32 Spot;
#endif

typedef struct {
    NEAR Spot *spot; /* of the city at each place: x, or x and y */
    NEAR Spot *up;   /* y, with fractions */
    NEAR int32 *edge; /* from each place to the next */
    NEAR int32 *city;
    float32 margin; /* error of a distance in float32, beside what grows with it */
} Block;

/* The distance of the cities at two places, rounded to the nearest integer. */
INLINE int32 spots_apart(const Points *p, const Block *r, int32 i, int32 k) {
#ifdef FRACTIONS
    float32 dx = r->spot[i] - r->spot[k], dy = r->up[i] - r->up[k];
    float32 far = ROUGH_ROOT(dx * dx + dy * dy);
    int32 root = (int32)(far + 0.5f);
    float32 off = far - (float32)root;
    if (fabsf(off) < 0.5f - r->margin - far * 4.76837158e-7f) return root;
    int32 a = r->city[i], b = r->city[k];
    a = a < p->n ? a : p->n - 1, b = b < p->n ? b : p->n - 1;
    float64 ex = p->x[a] - p->x[b], ey = p->y[a] - p->y[b];
    return (int32)floor(sqrt(ex * ex + ey * ey) + 0.5);
#else
    (void)p;
    int32 a = r->spot[i], b = r->spot[k];
    int32 dx = (a >> 16) - (b >> 16), dy = (a & 65535) - (b & 65535);
    int32 square = dx * dx + dy * dy;
    int32 root = (int32)(ROUGH_ROOT((float32)square) + 0.5f); /* one off at most, which its square tells */
    int32 over = root * root - square;
    if (over > 0 && over >= root) return root - 1;
    return over < -root ? root + 1 : root;
#endif
}

INLINE void block_copy(const Block *r, int32 to, int32 from) {
#ifdef FRACTIONS
    r->up[to] = r->up[from];
#endif
    r->spot[to] = r->spot[from], r->edge[to] = r->edge[from], r->city[to] = r->city[from];
}

INLINE void block_swap(const Block *r, int32 i, int32 k) {
    Spot spot = r->spot[i];
    int32 city = r->city[i];
    r->spot[i] = r->spot[k], r->city[i] = r->city[k];
    r->spot[k] = spot, r->city[k] = city;
#ifdef FRACTIONS
    spot = r->up[i], r->up[i] = r->up[k], r->up[k] = spot;
#endif
}

/* Parameters as in symmetric.c; slack is at least 4 * AHEAD, margin the error of coordinates in float32. */
KERNEL(symmetric_block, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, int32 rounds, int32 slack, uint64 seed,
       int32 first_tour, float32 margin, GLOBAL char *work, int64 bytes, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)work, (void)bytes;
    const int32 places = m + slack, moves = (m - 1) / 2;
    const int32 from = LANE * SHARE;
    Block r;
    r.edge = (NEAR int32 *)NEAR_MEMORY, r.city = r.edge + places, r.margin = margin;
    r.spot = (NEAR Spot *)(r.city + places), r.up = r.spot + places;

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], idle = state[4 * t + 1], accepted = 0;
        uint64 key = random_key(seed, (uint64)(first_tour + t));
        for (int32 k = LANE; k < m; k += LANES) {
            int32 city = mine[k], there = city < p.n ? city : p.n - 1;
            r.city[k] = city;
#ifdef FRACTIONS
            r.spot[k] = (float32)(p.x[there] - p.x[0]), r.up[k] = (float32)(p.y[there] - p.y[0]);
#else
            r.spot[k] = (int32)p.x[there] * 65536 + (int32)p.y[there];
#endif
        }
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) {
            int32 next = k + 1 < m ? k + 1 : 0;
            int32 glued = r.city[k] >= p.n - 1 && r.city[next] >= p.n - 1;
            r.edge[k] = glued ? -GLUE : spots_apart(&p, &r, k, next);
        }
        SYNC_LANES();
        for (int32 k = LANE; k < 2 * AHEAD; k += LANES) block_copy(&r, m + k, k % m);
        int32 ac[SHARE], bd[AHEAD][SHARE];
#pragma unroll
        for (int32 i = 0; i < SHARE; i++) {
            int32 q = from + i < moves ? from + i : moves - 1;
            ac[i] = q < moves - 1 ? spots_apart(&p, &r, q, m - 2 - q) : r.edge[q];
        }
        SYNC_LANES();

        int32 low = 0, left = rounds;
        while (left > 0 && idle < m) {
            int64 stage = done / level;
            int64 end = (stage + 1) * level;
            real heat = stage < levels ? temperature[stage] : (real)0;
            int32 limit = heat > 0 ? (heat < 1e6 ? (int32)(heat * 22) + 1 : 1 << 27) : 0;
            real scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
            const int32 cold = stage >= levels;
            while (left > 0 && (cold ? idle < m : done < end)) {
                int32 ahead = left < AHEAD ? left : AHEAD;
                if (cold && m - idle < ahead) ahead = (int32)(m - idle);
                if (!cold && end - done < ahead) ahead = (int32)(end - done);
                uint32 yes[AHEAD], any = 0;
#pragma unroll
                for (int32 s = 0; s < AHEAD; s++) {
                    yes[s] = 0;
#pragma unroll
                    for (int32 i = 0; i < SHARE; i++) {
                        if (from >= moves) continue; /* lanes beyond the last move only keep up */
                        int32 q = from + i < moves ? from + i : moves - 1;
                        int32 a = low + s + q, d = low + s + m - 1 - q;
                        bd[s][i] = spots_apart(&p, &r, a + 1, d);
                        int32 rise = (s > 0 ? bd[s > 0 ? s - 1 : 0][i] : ac[i]) + bd[s][i] - r.edge[a] - r.edge[d - 1];
                        if (rise < limit && from + i < moves - 1 && s < ahead)
                            if (rise < 0 || rises((real)rise, scale, key, (uint64)((done + s) * moves + q)))
                                yes[s] |= 1u << i;
                    }
                    any |= yes[s];
                }
                if (LANE < AHEAD)
                    for (int32 s = AHEAD + LANE; s < 2 * AHEAD; s += LANES) block_copy(&r, low + m + s, low + s);
                int32 steps = ahead;
                if (LANES == 32) SYNC_LANES(); /* a vote of one warp orders no memory */
                if (!ANY_LANE(any != 0)) {
#pragma unroll
                    for (int32 s = 0; s < AHEAD; s++)
                        if (s + 1 == ahead) {
#pragma unroll
                            for (int32 i = 0; i < SHARE; i++) ac[i] = bd[s][i];
                        }
                    idle = cold ? idle + ahead : 0;
                } else {
                    int32 found = 0;
#pragma unroll
                    for (int32 s = 0; s < AHEAD; s++) {
                        if (found) continue;
                        int32 odd = 0, some = yes[s] != 0;
#pragma unroll
                        for (int32 i = 0; i < SHARE; i++) odd ^= (int32)(yes[s] >> i) & 1;
                        EARLIER_PARITY(odd, some, s % 2);
                        if (!some) continue;
                        found = 1, steps = s + 1;
#pragma unroll
                        for (int32 i = 0; i < SHARE; i++) {
                            int32 q = from + i, a = low + s + q, d = low + s + m - 1 - q, before = odd;
                            int32 was = s > 0 ? bd[s > 0 ? s - 1 : 0][i] : ac[i], now = bd[s][i];
                            odd ^= (int32)(yes[s] >> i) & 1;
                            accepted += (int64)((yes[s] >> i) & 1);
                            ac[i] = now;
                            if (!(odd | before) || q >= moves) continue;
                            if (odd) block_swap(&r, a + 1, d - 1);
                            int32 ab = r.edge[a], cd = r.edge[d - 1];
                            r.edge[a] = before ? (odd ? cd : now) : was;
                            r.edge[d - 1] = before ? (odd ? ab : was) : now;
                            ac[i] = before ? (odd ? was : ab) : cd;
                        }
                    }
                    SYNC_LANES();
                    const int32 row = low + steps - 1; /* as it was when the moves were made; its first edge may be new */
                    for (int32 k = LANE; k <= 2 * AHEAD; k += LANES) block_copy(&r, row + m + k, row + k % m);
                    SYNC_LANES();
                    idle = 0;
                }
                low += steps, done += steps, left -= steps;
                if (low + 3 * AHEAD < slack) continue;
                SYNC_LANES();
                for (int32 k0 = 0; k0 < m; k0 += low) { /* back to the start, in parts that do not overlap */
                    int32 k1 = k0 + low < m ? k0 + low : m;
                    for (int32 k = k0 + LANE; k < k1; k += LANES) block_copy(&r, k, k + low);
                    SYNC_LANES();
                }
                low = 0;
                for (int32 k = LANE; k < 2 * AHEAD; k += LANES) block_copy(&r, m + k, k % m);
                SYNC_LANES();
            }
        }
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) mine[k] = r.city[low + k];
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted;
        SYNC_LANES();
    }
}
