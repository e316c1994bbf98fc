// build: metrics
/* Rounds of symmetric 2-opt (symmetric.h) on a batch of tours, one group per tour, in the shared memory of its group.
 *
 * With -DWIDE tours reside in `work` in global memory, for tours that exceed shared memory.
 */
#include "papers/mavroidis/symmetric_span.h"

typedef struct {
    Cities at;        /* each position */
    NEAR Span *edge;  /* length of the edge from each position to the next */
    NEAR Span *old;   /* d(a, c) per move */
    NEAR Span *fresh; /* d(b, d) per move */
    NEAR char *yes; /* moves accepted in this round */
} Row;

INLINE void copy_place(const Row *r, int32 to, int32 from) {
    copy_city(&r->at, to, from);
    r->edge[to] = r->edge[from];
}

/* Apply this lane's share of the accepted moves; `odd`: parity of the accepted moves further out. */
INLINE void apply_moves(const Row *r, int32 low, int32 m, int32 first, int32 last, int32 odd) {
    for (int32 q = first; q < last; q++) {
        int32 before = odd, d = low + m - 1 - q;
        if (r->yes[q]) odd ^= 1, r->yes[q] = 0;
        if (!(odd | before)) continue;
        Span left = r->edge[low + q], right = r->edge[d - 1], ac = r->old[q], bd = r->fresh[q];
        if (odd) swap_cities(&r->at, low + q + 1, d - 1);
        r->edge[low + q] = before ? (odd ? right : bd) : ac;
        r->edge[d - 1] = before ? (odd ? left : ac) : bd;
        r->fresh[q] = before ? (odd ? ac : left) : right;
    }
}

/* Run at most `rounds` further rounds on each tour of m cities, m odd; a tour stops after m consecutive rounds at
 * temperature 0 without a move.
 *
 * tour         tours x m; numbers from n on are duplicates of city n - 1 and stay next to it
 * state        tours x 4: rounds so far, trailing rounds at temperature 0 without a move, moves accepted, unused
 * temperature  one per level; 0 after the last level
 * level        rounds per temperature
 * least        smallest gain that counts, beyond the rounding error of the removed edges (those are scaled by `kept`)
 * slack        positions that a row may shift beyond m before it is copied back, at least 1
 * first_tour   number of the first tour, which selects its random numbers
 * work, bytes  global memory of WIDE builds, and bytes of it per group
 */
KERNEL(symmetric_rounds, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, real least, int32 rounds, int32 slack, uint64 seed,
       int32 first_tour, GLOBAL char *work, int64 bytes, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)work, (void)bytes, (void)least;
#ifndef INTEGERS
    const real kept = (real)1 - error_share(&p);
#endif
    const int32 places = m + slack, moves = (m - 1) / 2;
    int32 share = (moves + LANES - 1) / LANES;
    if (LANES > 1 && LANES <= 1024) share |= 1; /* odd stride: no shared-memory bank conflicts */
    const int32 from = LANE * share < moves ? LANE * share : moves;
    const int32 to = from + share < moves ? from + share : moves;
    const int32 decided = to < moves ? to : moves - 1; /* the innermost segment is a single city, not a move */
    NEAR Span *memory = (NEAR Span *)NEAR_MEMORY;
    Row r;
    r.at.x = memory, r.at.y = memory + places, r.edge = r.at.y + places, r.old = r.edge + places, r.fresh = r.old + moves;
    r.at.city = (NEAR int32 *)(r.fresh + moves), r.yes = (NEAR char *)(r.at.city + places);

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], idle = state[4 * t + 1], accepted = 0;
        uint64 key = random_key(seed, (uint64)(first_tour + t));
        for (int32 k = LANE; k < m; k += LANES) put_city(&p, &r.at, k, mine[k]);
        for (int32 q = from; q < to; q++) r.yes[q] = 0;
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) r.edge[k] = edge_between(&p, &r.at, k, k + 1 < m ? k + 1 : 0);
        SYNC_LANES();
        for (int32 q = from; q < to; q++) r.old[q] = q < moves - 1 ? apart(&p, &r.at, q, m - 2 - q) : r.edge[q];

        int32 low = 0, left = rounds;
        while (left > 0 && idle < m) {
            int64 stage = done / level;
            int64 end = (stage + 1) * level; /* last round of this temperature, exclusive */
            real heat = stage < levels ? temperature[stage] : (real)0;
            Span limit = heat > 0 ? LIMIT(heat) : BETTER; /* rejected beyond it: 2^-32 = exp(-22.18) */
            real scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
            int32 last_stage = stage >= levels;
            for (; left > 0 && (last_stage ? idle < m : done < end); left--, done++, low++) {
                int32 odd = 0, some = 0;
                for (int32 q0 = from; q0 < to; q0 += SYMMETRIC_BLOCK) {
                    Span rise[SYMMETRIC_BLOCK];
                    Span lowest = limit;
                    int32 here = to - q0 < SYMMETRIC_BLOCK ? to - q0 : SYMMETRIC_BLOCK;
                    for (int32 i = 0; i < here; i++) {
                        int32 q = q0 + i, d = low + m - 1 - q;
                        Span bd = apart(&p, &r.at, low + q + 1, d);
                        r.fresh[q] = bd;
                        rise[i] = (r.old[q] + bd) - KEPT(r.edge[low + q] + r.edge[d - 1]);
                        lowest = rise[i] < lowest ? rise[i] : lowest;
                    }
                    if (!(lowest < limit)) continue;
                    for (int32 i = 0; i < here && q0 + i < decided; i++) {
                        if (!(rise[i] < limit)) continue;
                        if (rise[i] < BETTER || rises((real)rise[i], scale, key, (uint64)(done * moves + q0 + i))) {
                            r.yes[q0 + i] = 1, odd ^= 1, some = 1, accepted++;
                        }
                    }
                }
                EARLIER_PARITY(odd, some, (int32)(done & 1));
                if (some) apply_moves(&r, low, m, from, to, odd);
                if (LANE == 0) copy_place(&r, low + m, low);
                if (some) SYNC_LANES();
                idle = some || !last_stage ? 0 : idle + 1;
                NEAR Span *swapped = r.old;
                r.old = r.fresh, r.fresh = swapped;
                if (low + 1 < slack) continue;
                SYNC_LANES();
                for (int32 k0 = 0; k0 < m; k0 += slack) { /* copy back to the start, in non-overlapping parts */
                    int32 k1 = k0 + slack < m ? k0 + slack : m;
                    for (int32 k = k0 + LANE; k < k1; k += LANES) copy_place(&r, k, k + slack);
                    SYNC_LANES();
                }
                low = -1;
            }
        }
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) mine[k] = r.at.city[low + k];
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted;
        SYNC_LANES();
    }
}
