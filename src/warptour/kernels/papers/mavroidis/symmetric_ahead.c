/* Rounds of symmetric 2-opt (symmetric.h) with lookahead, one group per tour.
 *
 * For EUC_2D and CEIL_2D, with results identical to symmetric.c round for round. Late in a descent hardly one round in
 * a hundred makes a move, so the lanes evaluate many rounds in parallel: each follows KEEP adjacent moves through
 * several rounds, reading two positions per round and keeping the rest in registers, and the group continues with the
 * first round in which some lane found a candidate. Lookahead uses float32 lower bounds; the round itself decides by
 * exact distances.
 *
 * Position k of a round is at[(low + k) % m]; a shift by one position only adds 1 to low. With -DWIDE tours reside in
 * `work` in global memory, for tours that exceed shared memory.
 */
#include "papers/mavroidis/symmetric_ring.h"

#ifndef KEEP
#define KEEP 5 /* moves per lane; odd to avoid bank conflicts */
#endif

#if LANES > 1 && LANES <= 1024
#define ODD_SHARE 1 /* odd stride: no shared-memory bank conflicts */
#else
#define ODD_SHARE 0
#endif
#ifdef HOT
#define LOOKS_WHEN_HOT 1
#else
#define LOOKS_WHEN_HOT 0
#endif
#define MAX_SPAN (32 / KEEP * KEEP) /* maximum rounds per lane and lookahead: a bit each, a multiple of KEEP */

/* Evaluate KEEP adjacent moves through `rounds` rounds, at most MAX_SPAN. Return a bit per round in which one of them
 * may be accepted. In the first round the outermost move has its a at `left` and its d at `right`. `counter`: random
 * counter of the outermost move in the first round; it advances by `moves` per round. */
INLINE uint32 rounds_seen(const Ring *r, int32 left, int32 right, int32 rounds, const Choice *choice, uint64 counter,
                          int32 moves) {
    const int32 limit = choice->limit;
    (void)counter, (void)moves;
    float32 lx[KEEP], ly[KEEP], rx[KEEP], ry[KEEP];
    uint32 le[KEEP], re[KEEP], ac[KEEP], noted = 0;
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        Place a = r->at[left + i < r->m ? left + i : left + i - r->m];
        Place c = r->at[right > i ? right - 1 - i : right - 1 - i + r->m];
        lx[i] = a.x, ly[i] = a.y, le[i] = a.edge;
        rx[i] = c.x, ry[i] = c.y, re[i] = c.edge;
        ac[i] = at_least(lx[i], ly[i], rx[i], ry[i], r->margin);
    }
    int32 l = wrapped(r->m, left + KEEP), k = right;
    Place b = r->at[l], d = r->at[k];
    for (int32 t = 0; t < rounds; t += KEEP) {
#pragma unroll
        for (int32 s = 0; s < KEEP; s++) {
            /* The i-th a is in register (i + s) % KEEP, the i-th c in (i - s) % KEEP; last b and first d are new. */
            const int32 last = s, outer = KEEP - 1 - s;
            float32 bx = b.x, by = b.y, dx = d.x, dy = d.y;
            uint32 next_le = b.edge, next_re = d.edge;
            l = following(r->m, l), k = following(r->m, k);
            b = r->at[l], d = r->at[k];
            int32 rise[KEEP], lowest = limit;
#pragma unroll
            for (int32 i = 0; i < KEEP; i++) {
                const int32 a = (i + s) % KEEP, b1 = (i + 1 + s) % KEEP;
                const int32 c = (i + KEEP - s) % KEEP, d1 = (i + 2 * KEEP - 1 - s) % KEEP;
                uint32 bd = at_least(i + 1 < KEEP ? lx[b1] : bx, i + 1 < KEEP ? ly[b1] : by, i > 0 ? rx[d1] : dx,
                                     i > 0 ? ry[d1] : dy, r->margin);
                rise[i] = (int32)(ac[i] + bd - (le[a] + re[c]));
                lowest = rise[i] < lowest ? rise[i] : lowest;
                ac[i] = bd;
            }
#ifdef HOT
            if (lowest < limit) {
#pragma unroll
                for (int32 i = 0; i < KEEP; i++)
                    if (!ruled_out(rise[i], choice, counter + (uint64)((t + s) * moves + i))) noted |= 1u << (t + s);
            }
#else
            if (lowest < limit) noted |= 1u << (t + s);
#endif
            lx[last] = bx, ly[last] = by, le[last] = next_le;
            rx[outer] = dx, ry[outer] = dy, re[outer] = next_re;
        }
    }
    return rounds < 32 ? noted & ((1u << rounds) - 1) : noted;
}

/* Lower bound of what move q of this round adds to the tour. */
INLINE int32 least_rise(const Ring *r, int32 low, int32 q) {
    int32 a = wrapped(r->m, low + q), b = following(r->m, a);
    int32 d = wrapped(r->m, low + r->m - 1 - q), c = preceding(r->m, d);
    Place at_a = r->at[a], at_c = r->at[c]; /* b.edge and d.edge belong to other moves, which may be writing them */
    uint32 ac = at_least(at_a.x, at_a.y, at_c.x, at_c.y, r->margin);
    uint32 bd = at_least(r->at[b].x, r->at[b].y, r->at[d].x, r->at[d].y, r->margin);
    return (int32)(ac + bd - (at_a.edge + at_c.edge));
}

/* Decide move q of this round by exact distances. If accepted, write its new edges as if no move further out were
 * accepted: no other move of the round removes these edges. */
INLINE int32 made(const Points *p, const Ring *r, int32 low, int32 q, const Choice *choice, uint64 counter) {
    int32 a = wrapped(r->m, low + q), b = following(r->m, a);
    int32 d = wrapped(r->m, low + r->m - 1 - q), c = preceding(r->m, d);
    int32 ac = apart(p, r, a, c), bd = apart(p, r, b, d);
    int32 rise = (int32)((uint32)(ac + bd) + 2 * ZERO - (r->at[a].edge + r->at[c].edge));
    if (rise >= choice->limit || (rise >= 0 && !rises((real)rise, choice->scale, choice->key, counter))) return 0;
    r->at[a].edge = ZERO + (uint32)ac, r->at[c].edge = ZERO + (uint32)bd;
    return 1;
}

/* Apply this lane's share of the round, moves from .. to - 1: mirrored cities inside an odd number of accepted moves
 * are swapped, and so are the two edges of a move inside an odd number of others. `odd`: parity of the moves further
 * out. */
INLINE void swap_some(const Ring *r, NEAR char *yes, int32 low, int32 from, int32 to, int32 odd) {
    int32 a = wrapped(r->m, low + from), d = wrapped(r->m, low + r->m - 1 - from);
    for (int32 q = from; q < to; q++) {
        int32 b = following(r->m, a), c = preceding(r->m, d), before = odd;
        if (yes[q]) odd ^= 1, yes[q] = 0;
        if (before) {
            uint32 edge = r->at[a].edge;
            r->at[a].edge = r->at[c].edge, r->at[c].edge = edge;
        }
        if (odd) {
            float32 x = r->at[b].x, y = r->at[b].y;
            int32 city = r->at[b].city;
            r->at[b].x = r->at[c].x, r->at[b].y = r->at[c].y, r->at[b].city = r->at[c].city;
            r->at[c].x = x, r->at[c].y = y, r->at[c].city = city;
        }
        a = b, d = c;
    }
}

/* Parameters as in symmetric.c. Lookahead starts after `calm` consecutive rounds without a move; it covers `ahead`
 * rounds and doubles each time up to `most_ahead`. margin: absolute error of float32 distances. */
KERNEL(symmetric_ahead, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, int32 rounds, uint64 seed, int32 first_tour,
       int32 calm, int32 ahead, int32 most_ahead, float32 margin, GLOBAL char *work, int64 bytes, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)work, (void)bytes;
    const int32 moves = (m - 1) / 2; /* the last is a single city, not a move */
    const int32 chunks = (moves - 2 + KEEP) / KEEP;
    const int32 share = ((moves + LANES - 1) / LANES) | ODD_SHARE;
    /* In a lookahead, `parts` lanes share a chunk of moves, each with its own rounds; the last chunk may overlap. */
    const int32 parts = chunks < LANES ? LANES / chunks : 1;
    const int32 part = LANE / chunks < parts ? LANE / chunks : parts;
    if (most_ahead > parts * MAX_SPAN) most_ahead = parts * MAX_SPAN;
    const int32 from = LANE * share < moves ? LANE * share : moves;
    const int32 to = from + share < moves ? from + share : moves;
    Ring r;
    r.at = (NEAR Place *)NEAR_MEMORY;
    NEAR char *yes = (NEAR char *)(r.at + m); /* flags of the moves accepted in this round */
    r.m = m, r.margin = margin;

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], accepted = 0;
        int32 idle = (int32)state[4 * t + 1];
        uint64 key = random_key(seed, (uint64)(first_tour + t));
        for (int32 q = LANE; q < moves; q += LANES) yes[q] = 0;
        lay_ring(&p, mine, &r);

        int32 low = 0, left = rounds, turn = 0, still = 0, window = ahead < most_ahead ? ahead : most_ahead;
        while (left > 0 && idle < m) {
            int64 stage = done / level;
            int64 end = (stage + 1) * level;
            real heat = stage < levels ? temperature[stage] : (real)0;
            Choice choice;
            set_heat(&choice, heat);
            choice.key = key;
            const int32 cold = stage >= levels;
            while (left > 0 && (cold ? idle < m : done < end)) {
                int32 odd = 0, some = 0;
                int32 most = left < m ? left : m;
                if (cold && m - idle < most) most = m - idle;
                if (!cold && end - done < most) most = (int32)(end - done);
                if (still >= calm && moves > KEEP && (cold || LOOKS_WHEN_HOT)) {
                    if (window < most) most = window;
                    const int32 span = (most + parts * KEEP - 1) / (parts * KEEP) * KEEP, begin = part * span;
                    int32 quiet = most;
                    if (part < parts && begin < most) {
                        const int32 here = most - begin < span ? most - begin : span, row = low + begin;
                        for (int32 chunk = LANE - part * chunks; chunk < chunks; chunk += LANES) {
                            const int32 first = chunk * KEEP < moves - 1 - KEEP ? chunk * KEEP : moves - 1 - KEEP;
                            const uint32 seen =
                                rounds_seen(&r, wrapped(m, row + first), wrapped(m, row + m - 1 - first), here, &choice,
                                            (uint64)((done + begin) * moves + first), moves);
                            if (seen && begin + lowest_bit(seen) < quiet) quiet = begin + lowest_bit(seen);
                        }
                    }
                    MIN_OF_LANES(quiet, turn);
                    turn ^= 1;
                    low = wrapped(m, low + quiet), done += quiet, left -= quiet, idle = cold ? idle + quiet : 0;
                    window = quiet < most ? ahead : 2 * window;
                    if (window > most_ahead) window = most_ahead;
                    if (quiet == most) continue;
                }
                for (int32 q = from; q < to && q < moves - 1; q++) {
                    const uint64 counter = (uint64)(done * moves + q);
                    if (!ruled_out(least_rise(&r, low, q), &choice, counter) &&
                        made(&p, &r, low, q, &choice, counter))
                        yes[q] = 1, odd ^= 1, some = 1, accepted++;
                }
                EARLIER_PARITY(odd, some, turn);
                turn ^= 1;
                if (some) {
                    swap_some(&r, yes, low, from, to, odd);
                    SYNC_LANES();
                }
                still = some ? 0 : still + 1;
                idle = some || !cold ? 0 : idle + 1;
                low = following(m, low), done++, left--;
            }
        }
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) mine[k] = r.at[wrapped(m, low + k)].city;
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted;
        SYNC_LANES();
    }
}
