/* Rounds of symmetric 2-opt that look ahead, on a batch of tours, a group a tour: see symmetric.h.
 *
 * For EUC_2D, with the outcome of symmetric.c, round for round. Late in a descent hardly one round in a hundred makes
 * a move, so lanes look at many rounds at once: each takes KEEP neighbouring moves through some rounds, for which it
 * reads two places a round and keeps the rest in registers, and the group goes on with the first round in which a lane
 * saw a move. A look computes distances in float32, never too long ones; the round itself decides by exact ones.
 *
 * The row is a ring: place k is at[(low + k) % m], and moving on by one place only adds 1 to low. Coordinates are whole
 * and differ by less than 32,768. Built with -DFRACTIONS, for all others, exact distances are in float64. Built with
 * -DWIDE the tours live in `work`, for those that no fast memory holds.
 */
#include "symmetric.h"

#ifndef KEEP
#define KEEP 5 /* odd, so that lanes meet every bank */
#endif

/* Lengths are whole numbers above ZERO: adding it to a float below 2^22 rounds, and leaves the outcome in its bits. */
#define ZERO 0x4B400000u
#define ROUNDER 12582912.0f
#define GLUE (1u << 28)
#define SHORTER 0.99999952f /* 1 - 2^-21: more than what a root in float32 may be too long */

typedef struct ALIGNED(16) {
    float32 x, y;
    uint32 edge; /* to the next place */
    int32 city;
} Place;

#define WARP_IS_GROUP (LANES == 32)
#if LANES > 1 && LANES <= 1024
#define ODD_SHARE 1 /* an odd stride meets every bank of fast memory */
#else
#define ODD_SHARE 0
#endif
#ifdef HOT
#define LOOKS_WHEN_HOT 1
#else
#define LOOKS_WHEN_HOT 0
#endif
#define MOST_SPAN (32 / KEEP * KEEP) /* rounds that a lane looks at in one go */

#if LANES > 1
#define TIMES_PLUS(a, b, c) fmaf(a, b, c)
#else
#define TIMES_PLUS(a, b, c) ((a) * (b) + (c))
#endif

typedef struct {
    NEAR Place *at;
    NEAR char *yes; /* moves accepted in this round */
    int32 m;
    float32 margin; /* error of a distance in float32, beside what grows with it */
} Ring;

INLINE int32 following(int32 m, int32 k) { return k + 1 < m ? k + 1 : 0; }
INLINE int32 preceding(int32 m, int32 k) { return k > 0 ? k - 1 : m - 1; }
INLINE int32 wrapped(int32 m, int32 k) {
    k = k < m ? k : k - m;
    return k < m ? k : k - m;
}

/* A distance, rounded to the nearest integer: now and then one too short, never too long. */
INLINE uint32 at_least(float32 ax, float32 ay, float32 bx, float32 by, float32 margin) {
    float32 dx = ax - bx, dy = ay - by;
    float32 far = ROUGH_ROOT(TIMES_PLUS(dx, dx, dy * dy));
#ifdef FRACTIONS
    far -= margin;
#else
    (void)margin;
#endif
    return BITS_OF_FLOAT(TIMES_PLUS(far, SHORTER, ROUNDER));
}

/* The distance of the cities at two places of the ring, rounded to the nearest integer. */
INLINE int32 apart(const Points *p, const Ring *r, int32 i, int32 k) {
#ifdef FRACTIONS
    int32 a = r->at[i].city, b = r->at[k].city;
    a = a < p->n ? a : p->n - 1, b = b < p->n ? b : p->n - 1;
    float64 dx = p->x[a] - p->x[b], dy = p->y[a] - p->y[b];
    return (int32)floor(sqrt(dx * dx + dy * dy) + 0.5);
#else
    (void)p;
    int32 dx = (int32)(r->at[i].x - r->at[k].x), dy = (int32)(r->at[i].y - r->at[k].y);
    int32 square = dx * dx + dy * dy;
    int32 root = (int32)(ROUGH_ROOT((float32)square) + 0.5f); /* one off at most, which its square tells */
    int32 over = root * root - square;
    if (over > 0 && over >= root) return root - 1;
    return over < -root ? root + 1 : root;
#endif
}

/* What decides on moves at a temperature. */
typedef struct {
    int32 limit; /* nothing that adds so much is made: 2^-32 = exp(-22.18) */
    real scale;  /* log2(e) / temperature */
    uint64 key;
} Choice;

/* Whether a move that adds `rise` at least has a random number that rules it out; most of those are told here. */
INLINE int32 ruled_out(int32 rise, const Choice *choice, uint64 counter) {
    if (rise >= choice->limit) return 1;
    if (rise <= 0) return 0;
    float32 bits = (float32)rise * (float32)choice->scale * 0.999999f;
    if (bits >= 31) return 1;
    int32 whole = (int32)bits;
    return whole > 0 && random_bits(choice->key, counter) >> (32 - whole);
}

/* The lowest bit's number. */
INLINE int32 lowest_bit(uint32 bits) { return (int32)(BITS_OF_FLOAT((float32)(bits & (~bits + 1))) >> 23) - 127; }

/* Looks at KEEP moves through so many rounds: the outermost is between the places `left` and the one after it, and
 * `right` and the one before it. Notes what may be made. `counter` is the random number's of the outermost in the first
 * round, `moves` come between it and the next round's.
 *
 * If a group is a warp, all its lanes are here, and they end in the same round, the first in which one of them notes
 * something: `seen` has this lane's moves of the round, a bit each, and the outcome is how many rounds went by before.
 * Else `seen` has a bit for each such round; there are at most MOST_SPAN. */
INLINE int32 quiet_rounds(ROOM_PARAMETER const Ring *r, int32 left, int32 right, int32 rounds, const Choice *choice,
                          uint64 counter, int32 moves, uint32 *seen) {
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
            /* The i-th a is in register (i + s) % KEEP, the i-th c in (i - s) % KEEP; new are the last b and first d. */
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
#if WARP_IS_GROUP
            if (ANY_LANE(lowest < limit)) {
                if (t + s >= rounds) return rounds;
#pragma unroll
                for (int32 i = 0; i < KEEP; i++) noted |= (uint32)(rise[i] < limit) << i;
                *seen = noted;
                return t + s;
            }
#elif defined HOT
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
    *seen = rounds < 32 ? noted & ((1u << rounds) - 1) : noted;
    return rounds;
}

/* What move q of this round adds to the tour, at least. */
INLINE int32 least_rise(const Ring *r, int32 low, int32 q) {
    int32 a = wrapped(r->m, low + q), b = following(r->m, a);
    int32 d = wrapped(r->m, low + r->m - 1 - q), c = preceding(r->m, d);
    Place at_a = r->at[a], at_c = r->at[c]; /* the edges of b and d are other moves', which may be replacing them */
    uint32 ac = at_least(at_a.x, at_a.y, at_c.x, at_c.y, r->margin);
    uint32 bd = at_least(r->at[b].x, r->at[b].y, r->at[d].x, r->at[d].y, r->margin);
    return (int32)(ac + bd - (at_a.edge + at_c.edge));
}

/* Whether move q of this round is made, decided by exact distances. If it is, its edges are replaced as if no move
 * further out were made: no other move of the round has these edges. */
INLINE int32 made(const Points *p, const Ring *r, int32 low, int32 q, const Choice *choice, uint64 counter) {
    int32 a = wrapped(r->m, low + q), b = following(r->m, a);
    int32 d = wrapped(r->m, low + r->m - 1 - q), c = preceding(r->m, d);
    int32 ac = apart(p, r, a, c), bd = apart(p, r, b, d);
    int32 rise = (int32)((uint32)(ac + bd) + 2 * ZERO - (r->at[a].edge + r->at[c].edge));
    if (rise >= choice->limit || (rise >= 0 && !rises((real)rise, choice->scale, choice->key, counter))) return 0;
    r->at[a].edge = ZERO + (uint32)ac, r->at[c].edge = ZERO + (uint32)bd;
    return 1;
}

/* Makes this lane's part of the round, moves from .. to - 1: mirrored cities within an odd number of moves change
 * places, and so do the edges of moves within an odd number of others. `odd`: whether there are such further out. */
INLINE void swap_some(const Ring *r, int32 low, int32 from, int32 to, int32 odd) {
    int32 a = wrapped(r->m, low + from), d = wrapped(r->m, low + r->m - 1 - from);
    for (int32 q = from; q < to; q++) {
        int32 b = following(r->m, a), c = preceding(r->m, d), before = odd;
        if (r->yes[q]) odd ^= 1, r->yes[q] = 0;
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

/* The same for at most KEEP moves, of which `yes` says by bits which are accepted: all is read, then all is written. */
INLINE void swap_all(const Ring *r, int32 low, int32 from, int32 count, uint32 yes, int32 odd) {
    const int32 left = wrapped(r->m, low + from), right = wrapped(r->m, low + r->m - 2 - from);
    int32 a[KEEP + 1], c[KEEP], city_b[KEEP];
    uint32 edge_a[KEEP];
    float32 bx[KEEP], by[KEEP];
    Place at_c[KEEP];
#pragma unroll
    for (int32 i = 0; i <= KEEP; i++) a[i] = left + i < r->m ? left + i : left + i - r->m;
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        c[i] = right >= i ? right - i : right - i + r->m;
        /* Beyond the last move whatever is this lane's. */
        const int32 own_a = i < count ? a[i] : a[0], own_b = i < count ? a[i + 1] : a[1];
        const int32 own_c = i < count ? c[i] : c[0];
        edge_a[i] = r->at[own_a].edge, at_c[i] = r->at[own_c];
        bx[i] = r->at[own_b].x, by[i] = r->at[own_b].y, city_b[i] = r->at[own_b].city;
    }
#pragma unroll
    for (int32 i = 0; i < KEEP; i++) {
        if (i >= count) continue;
        Place now = at_c[i];
        if (odd) now.edge = edge_a[i], r->at[a[i]].edge = at_c[i].edge;
        odd ^= (int32)(yes >> i & 1);
        if (odd) {
            r->at[a[i + 1]].x = now.x, r->at[a[i + 1]].y = now.y, r->at[a[i + 1]].city = now.city;
            now.x = bx[i], now.y = by[i], now.city = city_b[i];
        }
        r->at[c[i]] = now;
    }
}

/* Parameters as in symmetric.c. A group looks ahead once `calm` rounds in a row made no move, at `ahead` rounds and
 * then at twice as many each time, up to `most_ahead`, or, if it is a warp, always and until it sees a move; margin is
 * the error of distances in float32. A warp has more than KEEP moves a round and at most 32 * KEEP + 1. */
KERNEL(symmetric_ahead, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL const real *temperature, int32 levels, int64 level, int32 rounds, uint64 seed, int32 first_tour,
       int32 calm, int32 ahead, int32 most_ahead, float32 margin, GLOBAL char *work, int64 bytes, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)work, (void)bytes, (void)calm, (void)ahead, (void)most_ahead;
    const int32 moves = (m - 1) / 2; /* the last of them, one city, is none */
    const int32 chunks = (moves - 2 + KEEP) / KEEP;
#if WARP_IS_GROUP
    const int32 share = KEEP;
    const int32 first_seen = LANE * KEEP < moves - 1 - KEEP ? LANE * KEEP : moves - 1 - KEEP;
#else
    const int32 share = ((moves + LANES - 1) / LANES) | ODD_SHARE;
    /* Looking ahead, `parts` lanes have the same moves in other rounds; the last chunk may overlap the one before. */
    const int32 parts = chunks < LANES ? LANES / chunks : 1;
    const int32 part = LANE / chunks < parts ? LANE / chunks : parts;
    if (most_ahead > parts * MOST_SPAN) most_ahead = parts * MOST_SPAN;
#endif
    const int32 from = LANE * share < moves ? LANE * share : moves;
    const int32 to = from + share < moves ? from + share : moves;
    Ring r;
    r.at = (NEAR Place *)NEAR_MEMORY, r.yes = (NEAR char *)(r.at + m);
    r.m = m, r.margin = margin;

    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        int64 done = state[4 * t], accepted = 0;
        int32 idle = (int32)state[4 * t + 1];
        uint64 key = random_key(seed, (uint64)(first_tour + t));
        for (int32 k = LANE; k < m; k += LANES) {
            int32 city = mine[k], there = city < p.n ? city : p.n - 1;
            r.at[k].x = (float32)(p.x[there] - p.x[0]), r.at[k].y = (float32)(p.y[there] - p.y[0]), r.at[k].city = city;
        }
        for (int32 q = LANE; q < moves; q += LANES) r.yes[q] = 0;
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) {
            int32 next = following(m, k), glued = r.at[k].city >= p.n - 1 && r.at[next].city >= p.n - 1;
            r.at[k].edge = glued ? ZERO - GLUE : ZERO + (uint32)apart(&p, &r, k, next);
        }
        SYNC_LANES();

        int32 low = 0, left = rounds, turn = 0, still = 0, window = ahead < most_ahead ? ahead : most_ahead;
        (void)still, (void)window;
        while (left > 0 && idle < m) {
            int64 stage = done / level;
            int64 end = (stage + 1) * level;
            real heat = stage < levels ? temperature[stage] : (real)0;
            Choice choice;
            choice.limit = heat > 0 ? (heat < 1e6 ? (int32)(heat * 22) + 1 : 1 << 27) : 0;
            choice.scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
            choice.key = key;
            const int32 cold = stage >= levels;
            while (left > 0 && (cold ? idle < m : done < end)) {
                int32 odd = 0, some = 0;
                int32 most = left;
                if (cold && m - idle < most) most = m - idle;
                if (!cold && end - done < most) most = (int32)(end - done);
                uint32 seen = 0;
#if WARP_IS_GROUP
                const int32 quiet = quiet_rounds(ROOM &r, wrapped(m, low + first_seen),
                                                 wrapped(m, low + m - 1 - first_seen), most, &choice, 0, 0, &seen);
                low = wrapped(m, low + quiet), done += quiet, left -= quiet, idle = cold ? idle + quiet : 0;
                if (quiet == most) continue;
                uint32 yes = 0;
                /* What two lanes see, the first decides. */
                for (seen = LANE < chunks ? seen >> (from - first_seen) : 0; seen; seen &= seen - 1) {
                    const int32 bit = lowest_bit(seen);
                    if (made(&p, &r, low, from + bit, &choice, (uint64)(done * moves + from + bit)))
                        yes |= 1u << bit, odd ^= 1, some = 1, accepted++;
                }
#else
                if (still >= calm && moves > KEEP && (cold || LOOKS_WHEN_HOT)) {
                    if (window < most) most = window;
                    const int32 span = (most + parts * KEEP - 1) / (parts * KEEP) * KEEP, begin = part * span;
                    int32 quiet = most;
                    if (part < parts && begin < most) {
                        const int32 here = most - begin < span ? most - begin : span, row = low + begin;
                        for (int32 chunk = LANE - part * chunks; chunk < chunks; chunk += LANES) {
                            const int32 first = chunk * KEEP < moves - 1 - KEEP ? chunk * KEEP : moves - 1 - KEEP;
                            quiet_rounds(ROOM &r, wrapped(m, row + first), wrapped(m, row + m - 1 - first), here,
                                         &choice, (uint64)((done + begin) * moves + first), moves, &seen);
                            if (seen && begin + lowest_bit(seen) < quiet) quiet = begin + lowest_bit(seen);
                        }
                    }
                    LEAST_OF_LANES(quiet, turn);
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
                        r.yes[q] = 1, odd ^= 1, some = 1, accepted++;
                }
#endif
                EARLIER_PARITY(odd, some, turn);
                turn ^= 1;
                if (some) {
#if WARP_IS_GROUP
                    if (odd || yes) swap_all(&r, low, from, to - from, yes, odd);
#else
                    swap_some(&r, low, from, to, odd);
#endif
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
