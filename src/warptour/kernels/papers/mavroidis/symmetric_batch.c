/* Rounds of symmetric 2-opt (symmetric.h) on a batch of tours, for EUC_2D and CEIL_2D, with results identical to
 * symmetric.c. One group per tour.
 *
 * Each lane keeps KEEP adjacent moves in registers; the lanes of a group together hold all moves of a round. From one
 * round to the next a lane reads two new positions from shared memory and computes one float32 lower bound of a
 * distance per move. If no lane finds a candidate, the round is over. Otherwise candidates are decided by exact
 * distances, and the lanes write back the swapped positions.
 *
 * A tour occupies a row that shifts by one position per round, the first city becoming the last, so that a lane's reads
 * and writes are contiguous; after `slack` rounds the row is copied back to the start of its memory.
 */
#include "papers/mavroidis/symmetric_ring.h"

#ifndef KEEP
#define KEEP 5 /* moves per lane; odd to avoid bank conflicts */
#endif

#define SLOTS (KEEP + 1)

/* Registers of a lane during rounds without candidates: positions a and c of each move, outermost first, then the
 * innermost b and the outermost d. */
typedef struct {
    float32 lx[SLOTS], ly[SLOTS], rx[SLOTS], ry[SLOTS];
    uint32 le[SLOTS], re[SLOTS]; /* edges a-b and c-d */
} Hand;

/* All positions of a lane's moves in the current round: a[KEEP] is the innermost b, d the outermost d. */
typedef struct {
    Place a[KEEP + 1], c[KEEP], d;
} Spread;

/* Read the positions of this lane's moves, the outermost a at `left` and the outermost d at `right`. */
INLINE void read_places(Spread *all, NEAR const Place *left, NEAR const Place *right) {
#pragma unroll
    for (int32 i = 0; i <= KEEP; i++) all->a[i] = left[i];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) all->c[i] = right[-1 - i];
    all->d = right[0];
}

/* Evaluate the current round: set bd, and return a bit per move that may add less than `limit`. */
INLINE uint32 evaluate_round(const Spread *all, uint32 *bd, int32 limit, int32 never, float32 margin) {
    uint32 noted = 0;
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        const Place *d = i > 0 ? &all->c[i > 0 ? i - 1 : 0] : &all->d;
        const uint32 ac = at_least(all->a[i].x, all->a[i].y, all->c[i].x, all->c[i].y, margin);
        bd[i] = at_least(all->a[i + 1].x, all->a[i + 1].y, d->x, d->y, margin);
        const int32 rise = (int32)(ac + bd[i] - (all->a[i].edge + all->c[i].edge)) + (i == KEEP - 1 ? never : 0);
        noted |= (uint32)(rise < limit) << i;
    }
    return noted;
}

/* Set up the registers for the next round; `left`, `right`: outermost a and d of the current round. */
INLINE void take_places(Hand *h, const Spread *all, NEAR const Place *left, NEAR const Place *right) {
    const Place b = left[KEEP + 1], d = right[1];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        const Place *c = i > 0 ? &all->c[i > 0 ? i - 1 : 0] : &all->d;
        h->lx[i] = all->a[i + 1].x, h->ly[i] = all->a[i + 1].y, h->le[i] = all->a[i + 1].edge;
        h->rx[i] = c->x, h->ry[i] = c->y, h->re[i] = c->edge;
    }
    h->lx[KEEP] = b.x, h->ly[KEEP] = b.y, h->le[KEEP] = b.edge;
    h->rx[KEEP] = d.x, h->ry[KEEP] = d.y, h->re[KEEP] = d.edge;
}

/* Evaluate up to `rounds` rounds, until a lane of the group finds a move that may add less than `limit`. Return the
 * number of rounds before that one; if fewer than `rounds`, `seen` gets a bit per such move of this lane. `at`: first
 * of the m positions of the row; `left`, `right`: offsets of the outermost a and d; `never`: added to the innermost
 * move. */
INLINE int32 quiet_rounds(ROOM_PARAMETER Hand *h, uint32 *ac, NEAR Place *at, int32 left, int32 right, int32 m,
                          int32 rounds, int32 limit, int32 never, float32 margin, uint32 *seen) {
    uint32 noted = 0;
    NEAR Place *l = at + left + KEEP, *k = at + right, *first = at + LANE;
    for (int32 t = 0; t < rounds; t += SLOTS) {
        for (int32 i = 0; LANE + i < SLOTS; i += LANES) first[m + i] = first[i]; /* the first cities become the last */
        SYNC_LANES();
#pragma unroll
        for (int32 s = 0; s < SLOTS; s++) {
            /* The i-th a is in slot (i + s) % SLOTS, the next one is b; the i-th c in (i - s) % SLOTS, the one before
             * is d. */
            const Place b = l[s + 1], d = k[s + 1]; /* new in the next round */
            int32 rise[KEEP], lowest = limit;
#pragma unroll
            for (int32 i = 0; i < KEEP; i++) {
                const int32 a = (i + s) % SLOTS, b1 = (i + 1 + s) % SLOTS;
                const int32 c = (i + SLOTS - s) % SLOTS, d1 = (i + 2 * SLOTS - 1 - s) % SLOTS;
                const uint32 bd = at_least(h->lx[b1], h->ly[b1], h->rx[d1], h->ry[d1], margin);
                rise[i] = (int32)(ac[i] + bd - (h->le[a] + h->re[c]));
                if (i == KEEP - 1) rise[i] += never;
                lowest = rise[i] < lowest ? rise[i] : lowest;
                ac[i] = bd;
            }
            if (ANY_LANE(lowest < limit)) {
                if (t + s >= rounds) return rounds;
#pragma unroll
                for (int32 i = 0; i < KEEP; i++) noted |= (uint32)(rise[i] < limit) << i;
                *seen = noted;
                return t + s;
            }
            const int32 last = s, outer = (2 * SLOTS - 2 - s) % SLOTS;
            h->lx[last] = b.x, h->ly[last] = b.y, h->le[last] = b.edge;
            h->rx[outer] = d.x, h->ry[outer] = d.y, h->re[outer] = d.edge;
        }
        l += SLOTS, k += SLOTS, first += SLOTS;
    }
    return rounds;
}

/* Decide the move with a at position i and d at position k by exact distances; ac, bd: lengths of its new edges. */
INLINE int32 made(const Points *p, const Ring *r, int32 i, int32 k, const Choice *choice, uint64 counter, uint32 *ac,
                  uint32 *bd) {
    *ac = ZERO + (uint32)apart(p, r, i, k - 1), *bd = ZERO + (uint32)apart(p, r, i + 1, k);
    int32 rise = (int32)(*ac + *bd - (r->at[i].edge + r->at[k - 1].edge));
    return rise < 0 || (rise < choice->limit && rises((real)rise, choice->scale, choice->key, counter));
}

/* Apply the accepted moves, bits `yes`, in this lane's registers and in the row, where this lane writes moves from
 * `spare` on. `odd`: parity of the accepted moves further out. Mirrored cities inside an odd number of accepted moves
 * are swapped, and so are the two edges of a move inside an odd number of others. */
INLINE void make_moves(Spread *all, NEAR Place *left, NEAR Place *right, uint32 yes, int32 odd, int32 spare) {
    uint32 swap = yes; /* bit i, after the prefix sums: parity of the accepted moves 0 .. i */
    swap ^= swap << 1, swap ^= swap << 2, swap ^= swap << 4, swap ^= swap << 8;
    swap = (odd ? ~swap : swap) << 1 | (uint32)odd; /* bit i: swap cities a and d of move i, and its edges */
    const uint32 mine = ~(uint32)1 << spare, write_a = swap | swap >> 1, write_d = (swap | yes << 1) & mine;
#pragma unroll
    for (int32 i = 0; i <= KEEP; i++) {
        const int32 d = i > 0 ? i - 1 : 0;
        if (i < KEEP && (swap >> i & 1)) {
            const uint32 edge = all->a[i].edge;
            all->a[i].edge = all->c[i % KEEP].edge, all->c[i % KEEP].edge = edge;
        }
        if (i > 0 && (swap >> i & 1)) {
            const float32 x = all->a[i].x, y = all->a[i].y;
            const int32 city = all->a[i].city;
            all->a[i].x = all->c[d].x, all->a[i].y = all->c[d].y, all->a[i].city = all->c[d].city;
            all->c[d].x = x, all->c[d].y = y, all->c[d].city = city;
        }
        if (i > 0 && (write_d >> i & 1)) right[-i] = all->c[d];
        if (i == KEEP) { /* its edge belongs to another lane */
            if (swap & mine & (1u << KEEP)) left[i].x = all->a[i].x, left[i].y = all->a[i].y, left[i].city = all->a[i].city;
        } else {
            if (i > 0 && (write_a & mine & (1u << i))) left[i] = all->a[i];
            if (i == spare && (write_a >> i & 1)) left[i].edge = all->a[i].edge; /* its city belongs to another lane */
        }
    }
}

INLINE int32 odd_in_all(uint32 yes, int32 odd) {
    yes ^= yes >> 8, yes ^= yes >> 4, yes ^= yes >> 2, yes ^= yes >> 1;
    return (int32)(yes & 1) ^ odd;
}

/* Advance to the next round; new positions are read from the row, which is up to date. */
INLINE void next_places(Spread *all, NEAR const Place *left, NEAR const Place *right) {
#pragma unroll
    for (int32 i = 0; i + 1 < KEEP; i++) all->a[i] = all->a[i + 1];
    all->a[KEEP - 1] = left[KEEP], all->a[KEEP] = left[KEEP + 1];
#pragma unroll
    for (int32 i = KEEP - 1; i > 0; i--) all->c[i] = all->c[i - 1];
    all->c[0] = right[0], all->d = right[1];
}

/* Parameters as in symmetric.c; margin: absolute error of float32 distances. Temperatures require -DHOT.
 * Requires KEEP <= (m - 1) / 2 <= KEEP * LANES + 1 (lanes for all moves), slack >= LANES, and memory for
 * m + slack + KEEP + 2 positions. */
KERNEL(symmetric_batch, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, int32 rounds, uint64 seed, int32 first_tour,
       int32 slack, float32 margin, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)temperature, (void)levels, (void)level;
    const int32 moves = (m - 1) / 2; /* the last is a single city, not a move */
    /* A lane decides its own moves. The last lane with moves also holds `spare` moves of the one before, so that every
     * lane holds exactly KEEP; lanes beyond it hold only moves of others. */
    const int32 from = LANE * KEEP < moves ? LANE * KEEP : moves;
    const int32 first = from < moves - KEEP ? from : moves - KEEP, last = m - 1 - first;
    const int32 spare = from - first, never = first == moves - KEEP ? (int32)GLUE : 0;
    /* If the innermost position, which is no move, is beyond all lanes, the last lane updates the edges there. */
    const int32 inner = LANES * KEEP < moves && LANE == LANES - 1;
    Ring r;
    r.at = (NEAR Place *)SCRATCH;
    r.m = m, r.margin = margin;

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], end = 0, accepted = 0;
        int32 idle = (int32)state[4 * t + 1], low = 0, left = rounds, turn = 0, cold = 1;
        Choice choice;
        set_heat(&choice, 0);
        choice.key = random_key(seed, (uint64)(first_tour + t));
        (void)end;
        if (idle >= m) continue;
        lay_ring(&p, mine, &r);

        while (left > 0 && idle < m) {
            if (low >= slack) { /* copy back to the start; barriers order reads before writes */
                for (int32 k = LANE; k - LANE < m; k += LANES) {
                    Place here = r.at[k < m ? low + k : low];
                    SYNC_LANES();
                    if (k < m) r.at[k] = here;
                }
                low = 0;
                SYNC_LANES();
            }
            if (LANE == 0) r.at[low + m] = r.at[low]; /* the first city becomes the last */
            SYNC_LANES();
            Spread all;
            read_places(&all, r.at + low + first, r.at + low + last);
            for (;;) {
#ifdef HOT
                if (done >= end) {
                    int64 stage = done / level;
                    real heat = stage < levels ? temperature[stage] : (real)0;
                    end = stage < levels ? (stage + 1) * level : (int64)1 << 62;
                    cold = stage >= levels;
                    set_heat(&choice, heat);
                }
#endif
                int32 most = slack - low;
                if (left < most) most = left;
                if (cold && m - idle < most) most = m - idle;
                if (!cold && end - done < most) most = (int32)(end - done);
                if (most <= 0) break;
                uint32 bd[KEEP], yes = 0, seen = evaluate_round(&all, bd, choice.limit, never, margin);
                if (!ANY_LANE(seen)) {
                    Hand hand;
                    take_places(&hand, &all, r.at + low + first, r.at + low + last);
                    const int32 quiet = 1 + quiet_rounds(ROOM &hand, bd, r.at + low + 1, first, last, m, most - 1,
                                                         choice.limit, never, margin, &seen);
                    low += quiet, done += quiet, left -= quiet, idle = cold ? idle + quiet : 0;
                    if (quiet == most) break;
                    read_places(&all, r.at + low + first, r.at + low + last);
                }
                int32 odd = 0, others = 0; /* parity of accepted moves: its own, and spare ones of the lane before */
                for (; seen; seen &= seen - 1) {
                    const int32 bit = lowest_bit(seen);
                    const uint64 counter = (uint64)(done * moves + first + bit);
                    uint32 new_ac, new_bd;
                    if (!made(&p, &r, low + first + bit, low + last - bit, &choice, counter, &new_ac, &new_bd)) continue;
                    yes |= 1u << bit;
                    if (bit < spare) others ^= 1;
                    else odd ^= 1, accepted++;
#pragma unroll
                    for (int32 i = 0; i < KEEP; i++)
                        if (i == bit) all.a[i].edge = new_ac, all.c[i].edge = new_bd;
                }
                int32 some = yes != 0;
                EARLIER_PARITY(odd, some, turn);
                turn ^= 1;
                idle = some || !cold ? 0 : idle + 1;
                low++, done++, left--;
                if (!some) break;
                NEAR Place *here = r.at + low - 1 + first, *there = r.at + low - 1 + last;
                make_moves(&all, here, there, yes, odd ^ others, spare);
                if (LANE == 0) r.at[low - 1 + m] = all.a[0], r.at[low + m] = all.a[1]; /* wrap the row around */
                if (inner && odd_in_all(yes, odd ^ others)) {
                    const uint32 edge = here[KEEP].edge;
                    here[KEEP].edge = here[KEEP + 1].edge, here[KEEP + 1].edge = edge;
                }
                SYNC_LANES();
                next_places(&all, here, there);
            }
        }
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) mine[k] = r.at[low + k].city;
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted;
        SYNC_LANES();
    }
}
