/* Rounds of symmetric 2-opt on thousands of tours, for EUC_2D, with the outcome of symmetric.c, round for round.
 *
 * Each lane keeps KEEP neighbouring moves of its tour in registers, and together the lanes of a tour have all moves of
 * a round. From a round to the next a lane needs two more places, which it reads from fast memory, and one distance a
 * move, which it computes in float32, never too long. Where no lane sees a move the round is over. Else moves are
 * decided on by exact distances, and the lanes write back what they swapped.
 *
 * A tour lies in a row that moves on by one place a round, the first city becoming the last, so that what a lane reads
 * and writes is in one piece; after `slack` rounds the row is moved back to the start of its memory.
 *
 * A group has TEAMS tours of LANES / TEAMS lanes each, in a warp that short tours would not fill. They do their rounds
 * side by side, and a team that has nothing left to do takes the next tour.
 */
#include "symmetric_ring.h"

#ifndef KEEP
#define KEEP 5 /* odd, so that lanes meet every bank */
#endif
#ifndef TEAMS
#define TEAMS 1
#endif
#define WIDTH (LANES / TEAMS)
#define NEVER ((int32)0x80000000)

#define SLOTS (KEEP + 1)

/* What a lane holds of its moves while it looks at rounds: the places a and c of each, outermost first, then the innermost
 * b and the outermost d. */
typedef struct {
    float32 lx[SLOTS], ly[SLOTS], rx[SLOTS], ry[SLOTS];
    uint32 le[SLOTS], re[SLOTS]; /* edges a-b and c-d */
} Hand;

/* All of it in the round at hand: a[KEEP] is the innermost b. */
typedef struct {
    Place a[KEEP + 1], c[KEEP];
} Spread;

/* Reads the places of this lane's moves, the outermost a at `left` and the outermost d at `right`. */
INLINE void read_places(Spread *all, NEAR const Place *left, NEAR const Place *right) {
#pragma unroll
    for (int32 i = 0; i <= KEEP; i++) all->a[i] = left[i];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) all->c[i] = right[-1 - i];
}

INLINE void take_places(Hand *h, const Spread *all, NEAR const Place *right) {
    const Place d = right[0];
#pragma unroll
    for (int32 i = 0; i < SLOTS; i++) {
        h->lx[i] = all->a[i].x, h->ly[i] = all->a[i].y, h->le[i] = all->a[i].edge;
        h->rx[i] = i < KEEP ? all->c[i % KEEP].x : d.x, h->ry[i] = i < KEEP ? all->c[i % KEEP].y : d.y;
        h->re[i] = i < KEEP ? all->c[i % KEEP].edge : d.edge;
    }
}

/* Looks at so many rounds, or until a lane of the group sees a move that adds less than its limit; `never` is added to
 * what the innermost adds. `at` is the first place of the row, of m, `left` where the outermost a is, `right` where d.
 * The outcome is how many rounds went by before. If they are fewer than `rounds`, `seen` has a bit for each such move of
 * this lane. */
INLINE int32 quiet_rounds(ROOM_PARAMETER Hand *h, NEAR Place *at, int32 left, int32 right, int32 m, int32 mate,
                          int32 mates, int32 rounds, int32 limit, int32 never, float32 margin, uint32 *seen) {
    uint32 ac[KEEP], noted = 0;
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) ac[i] = at_least(h->lx[i], h->ly[i], h->rx[i], h->ry[i], margin);
    NEAR Place *l = at + left + KEEP, *k = at + right, *first = at + mate;
    for (int32 t = 0; t < rounds; t += SLOTS) {
        for (int32 i = 0; mate + i < SLOTS; i += mates) first[m + i] = first[i]; /* the first cities become the last */
        SYNC_LANES();
#pragma unroll
        for (int32 s = 0; s < SLOTS; s++) {
            /* The i-th a is in slot (i + s) % SLOTS, b being the a after, the i-th c in (i - s) % SLOTS, d the c before. */
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

/* Whether a move with its a at place i and its d at place k is made, decided by exact distances, which are then the
 * lengths of its edges. */
INLINE int32 made(const Points *p, const Ring *r, int32 i, int32 k, const Choice *choice, uint64 counter, uint32 *ac,
                  uint32 *bd) {
    *ac = ZERO + (uint32)apart(p, r, i, k - 1), *bd = ZERO + (uint32)apart(p, r, i + 1, k);
    int32 rise = (int32)(*ac + *bd - (r->at[i].edge + r->at[k - 1].edge));
    return rise < 0 || (rise < choice->limit && rises((real)rise, choice->scale, choice->key, counter));
}

/* Makes the moves that `yes` has bits for, in what this lane holds and in the row, where moves from `spare` on are this
 * lane's to write. `odd`: whether an odd number of moves further out is made. Mirrored cities within an odd number of
 * moves change places, and so do the edges of a move within an odd number of others. */
INLINE void make_moves(Spread *all, NEAR Place *left, NEAR Place *right, uint32 yes, int32 odd, int32 spare) {
    uint32 swap = yes; /* bit i: whether the moves 0 .. i made are odd in number */
    swap ^= swap << 1, swap ^= swap << 2, swap ^= swap << 4, swap ^= swap << 8;
    swap = (odd ? ~swap : swap) << 1 | (uint32)odd; /* whether cities a and d of move i change places, and its edges */
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
        if (i == KEEP) { /* whose edge is another lane's */
            if (swap & mine & (1u << KEEP)) left[i].x = all->a[i].x, left[i].y = all->a[i].y, left[i].city = all->a[i].city;
        } else {
            if (i > 0 && (write_a & mine & (1u << i))) left[i] = all->a[i];
            if (i == spare && (write_a >> i & 1)) left[i].edge = all->a[i].edge; /* whose city is another lane's */
        }
    }
}

/* Goes on to the next round, with what is new in it from the row, which has it by now. */
INLINE void next_places(Hand *h, const Spread *all, NEAR const Place *left, NEAR const Place *right) {
    const Place a = left[KEEP], b = left[KEEP + 1], c = right[0], d = right[1];
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        const int32 before = i > 0 ? i - 1 : 0;
        h->lx[i] = i + 1 < KEEP ? all->a[i + 1].x : a.x, h->ly[i] = i + 1 < KEEP ? all->a[i + 1].y : a.y;
        h->le[i] = i + 1 < KEEP ? all->a[i + 1].edge : a.edge;
        h->rx[i] = i > 0 ? all->c[before].x : c.x, h->ry[i] = i > 0 ? all->c[before].y : c.y;
        h->re[i] = i > 0 ? all->c[before].edge : c.edge;
    }
    h->lx[KEEP] = b.x, h->ly[KEEP] = b.y, h->le[KEEP] = b.edge;
    h->rx[KEEP] = d.x, h->ry[KEEP] = d.y, h->re[KEEP] = d.edge;
}

/* Parameters as in symmetric.c; margin is the error of distances in float32. There are no temperatures but in builds with
 * -DHOT. A team has lanes for all moves, KEEP <= (m - 1) / 2 <= KEEP * WIDTH, and memory for m + slack + KEEP + 1 places;
 * slack is at least the lanes of a team. */
KERNEL(symmetric_batch, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, int32 rounds, uint64 seed, int32 first_tour,
       int32 slack, float32 margin, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)temperature, (void)levels, (void)level, (void)seed, (void)first_tour;
    const int32 moves = (m - 1) / 2; /* the last of them, one city, is none */
    const int32 team = LANE / WIDTH < TEAMS ? LANE / WIDTH : TEAMS - 1;
    const int32 mate = LANE - team * WIDTH, mates = team < TEAMS - 1 ? WIDTH : LANES - team * WIDTH;
    /* A lane decides on its own moves. The last one holds others too, so that all are looked at in the same way, and
     * those beyond it nothing else. */
    const int32 from = mate * KEEP < moves ? mate * KEEP : moves;
    const int32 first = from < moves - KEEP ? from : moves - KEEP, last = m - 1 - first;
    const int32 spare = from - first, never = first == moves - KEEP ? (int32)GLUE : 0;
    Ring r;
    r.at = (NEAR Place *)SCRATCH + team * (m + slack + KEEP + 1);
    r.m = m, r.margin = margin;

    int32 t = GROUP * TEAMS + team, live = 0, low = 0, left = 0, idle = 0, accepted = 0, turn = 0, cold = 1;
    int64 done = 0, end = 0;
    Choice choice;
    choice.limit = 0, choice.scale = 0, choice.key = 0;
    for (;;) {
        const int32 over = live && (left <= 0 || idle >= m);
        if (ANY_LANE(over || (!live && t < tours))) {
            if (over)
                for (int32 k = mate; k < m; k += mates) tour[(int64)t * m + k] = r.at[low + k].city;
            SYNC_LANES();
            NEAR int32 *counts = (NEAR int32 *)r.at;
            if (over) counts[mate] = accepted;
            SYNC_LANES();
            if (over && mate == 0) {
                int64 sum = 0;
                for (int32 k = 0; k < mates; k++) sum += counts[k];
                state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += sum;
            }
            SYNC_LANES();
            if (over) live = 0, t += GROUPS * TEAMS;
            const int32 next = !live;
            while (next && t < tours && state[4 * t + 1] >= m) t += GROUPS * TEAMS;
            if (next && t < tours) {
                for (int32 k = mate; k < m; k += mates) {
                    int32 city = tour[(int64)t * m + k], there = city < p.n ? city : p.n - 1;
                    r.at[k].x = (float32)(p.x[there] - p.x[0]), r.at[k].y = (float32)(p.y[there] - p.y[0]);
                    r.at[k].city = city;
                }
                live = 1, low = 0, left = rounds, accepted = 0;
                done = state[4 * t], idle = (int32)state[4 * t + 1], end = 0;
                choice.key = random_key(seed, (uint64)(first_tour + t));
            }
            SYNC_LANES();
            for (int32 k = mate; next && live && k < m; k += mates) {
                int32 after = following(m, k), glued = r.at[k].city >= p.n - 1 && r.at[after].city >= p.n - 1;
                r.at[k].edge = glued ? ZERO - GLUE : ZERO + (uint32)apart(&p, &r, k, after);
            }
            SYNC_LANES();
            if (!ANY_LANE(live)) break;
        }
        if (ANY_LANE(low >= slack)) { /* back to the start, no lane writing what another has not read */
            const int32 far = low >= mates;
            for (int32 k0 = 0; k0 < m; k0 += WIDTH) {
                const int32 k = k0 + mate;
                Place here;
                if (far && mate < WIDTH && k < m) here = r.at[low + k];
                SYNC_LANES();
                if (far && mate < WIDTH && k < m) r.at[k] = here;
            }
            if (far) low = 0;
            SYNC_LANES();
        }
        Spread all;
        Hand hand;
        read_places(&all, r.at + low + first, r.at + low + last);
        take_places(&hand, &all, r.at + low + last);
        for (;;) {
#ifdef HOT
            if (live && done >= end) {
                int64 stage = done / level;
                real heat = stage < levels ? temperature[stage] : (real)0;
                end = stage < levels ? (stage + 1) * level : (int64)1 << 62;
                cold = stage >= levels;
                choice.limit = heat > 0 ? (heat < 1e6 ? (int32)(heat * 22) + 1 : 1 << 27) : 0;
                choice.scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
            }
#endif
            int32 most = m - (cold ? idle : 0);
            if (left < most) most = left;
            if (!cold && end - done < most) most = (int32)(end - done);
            if (!live) most = m;
            if (slack - low < most) most = slack - low;
#if TEAMS > 1
            LEAST_OF_LANES(most, turn);
            turn ^= 1;
#endif
            if (most <= 0) break;
            uint32 seen = 0, yes = 0;
            const int32 quiet = quiet_rounds(ROOM &hand, r.at + low, first, last, m, mate, mates, most,
                                             live ? choice.limit : NEVER, never, margin, &seen);
            low += quiet, done += quiet, left -= quiet, idle = cold ? idle + quiet : 0;
            if (quiet == most) break;
            int32 odd = 0, others = 0;
            read_places(&all, r.at + low + first, r.at + low + last);
            for (; seen; seen &= seen - 1) {
                const int32 bit = lowest_bit(seen);
                uint32 ac, bd;
                if (!made(&p, &r, low + first + bit, low + last - bit, &choice, (uint64)(done * moves + first + bit), &ac,
                          &bd))
                    continue;
                yes |= 1u << bit;
                if (bit < spare) others ^= 1;
                else odd ^= 1, accepted++;
#pragma unroll
                for (int32 i = 0; i < KEEP; i++)
                    if (i == bit) all.a[i].edge = ac, all.c[i].edge = bd;
            }
            int32 some = yes != 0;
#if TEAMS > 1
            const uint32 votes = VOTES_OF_LANES(some);
#endif
            EARLIER_PARITY(odd, some, turn);
            turn ^= 1;
#if TEAMS > 1
            odd ^= (int32)(VOTES_OF_LANES(odd) >> (team * WIDTH) & 1); /* of its own team's lanes alone */
            const int32 ours = (votes >> (team * WIDTH) & (uint32)(((uint64)1 << mates) - 1)) != 0;
#else
            const int32 ours = some;
#endif
            idle = ours || !cold ? 0 : idle + 1;
            low++, done++, left--;
            if (!some) break;
            NEAR Place *here = r.at + low - 1 + first, *there = r.at + low - 1 + last;
            if (LANES <= 32 || yes || odd ^ others) make_moves(&all, here, there, yes, odd ^ others, spare);
            if (mate == 0) r.at[low - 1 + m] = all.a[0];
            SYNC_LANES();
            next_places(&hand, &all, here, there);
        }
    }
}
