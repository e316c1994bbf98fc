/* The best move of one city over its neighbour list, in each neighbourhood of variable neighbourhood search (2-opt: see
 * moves.h).
 *
 * A gain counts only above the `epsilon` of the Surroundings plus the rounding error of its edges, and no move reverses
 * more cities than their `reach`. Lanes share the candidates as in moves.h.
 */
#ifndef WARPTOUR_VNS_MOVES
#define WARPTOUR_VNS_MOVES

#include "common/metric.h"
#include "papers/scans/moves.h"
#include "papers/scans/tour.h"

/* Neighbourhood codes, as in papers/ermis/engine/variable.py. */
#define BY_TWO_OPT 0
#define BY_OR_OPT 1
#define BY_THREE_OPT 2
#define BY_SWAP 3
#define BY_RELOCATE 4

#define MAX_ENDS 6
#define NO_RANK 0x7fffffff /* of a lane that has found no move */

/* The best move of a lane. `city`: the letters of 2-opt and or-opt in moves.h, t o c z; of swap t y; t0 to t5 of 3-opt. */
typedef struct {
    real gain;
    int32 rank;
    int32 ahead; /* as in Move */
    int32 city[MAX_ENDS];
} Change;

/* Record a move of moves.h, if there is one. */
INLINE void record(const Move *found, Change *best) {
    if (found->kind == NO_MOVE) return;
    best->gain = found->gain, best->rank = found->rank, best->ahead = found->ahead;
    best->city[1] = found->o, best->city[2] = found->c, best->city[3] = found->z;
}

/* Evaluate swaps of t with a city y adjacent to one of its neighbours.
 *     p-t-q ... r-y-s  ->  p-y-q ... r-t-s        p-t-y-s  ->  p-y-t-s */
INLINE void consider_swaps(const Points *p, const Tour *tour, const Surroundings *s, int32 t, Change *best,
                           int64 *evaluations) {
    int32 before = city_before(tour, t), after = city_after(tour, t);
    if (must_stay(s, before, t) || must_stay(s, t, after)) return;
    real come = between(p, before, t), go = between(p, t, after);
    for (int32 k = MY_FIRST(1, 16); k < s->width; k += MY_STEP(16)) {
        int32 c = s->neighbours[(int64)t * s->width + k];
        if (c < 0 || s->near[(int64)t * s->width + k] >= come + go) break;
        for (int32 way = MY_FIRST(0, 2); way < 2; way += MY_STEP(2)) {
            int32 y = beside(tour, c, way);
            if (y == t) continue;
            *evaluations += 1;
            int32 r = city_before(tour, y), z = city_after(tour, y);
            if (must_stay(s, r, y) || must_stay(s, y, z)) continue;
            real removed, gain;
            if (y == after) {
                removed = come + between(p, y, z);
                gain = removed - between(p, before, y) - between(p, t, z);
            } else if (y == before) {
                removed = between(p, r, y) + go;
                gain = removed - between(p, r, t) - between(p, y, after);
            } else {
                removed = come + go + between(p, r, y) + between(p, y, z);
                gain = removed - between(p, before, y) - between(p, y, after) - between(p, r, t) - between(p, t, z);
            }
            if (gain <= best->gain || gain <= s->epsilon + error_share(p) * removed) continue;
            if (or_opt_reversal(tour, t, y) > s->reach) continue;
            best->gain = gain, best->rank = 2 * k + way, best->city[1] = y;
        }
    }
}

/* Return the reconnection of neighborhoods/three_opt.py (its `way`) in which the edges (t[1], t[2]), (t[3], t[4]) and
 * (t[5], t[0]) replace (t[0], t[1]), (t[2], t[3]) and (t[4], t[5]), or -1 if that is no tour. Sets i, j and k. */
INLINE int32 way_of(const Tour *tour, const int32 *t, int32 *i, int32 *j, int32 *k) {
    int32 at[3], rank[3], letter[6], partner[6];
    *i = *j = *k = 0;
    for (int32 e = 0; e < 3; e++) {
        int32 x = tour->place[t[2 * e]], y = tour->place[t[2 * e + 1]];
        at[e] = (x + 1 == tour->m ? 0 : x + 1) == y ? x : y;
    }
    if (at[0] == at[1] || at[0] == at[2] || at[1] == at[2]) return -1;
    for (int32 e = 0; e < 3; e++) rank[e] = (at[e] > at[(e + 1) % 3]) + (at[e] > at[(e + 2) % 3]);
    for (int32 e = 0; e < 3; e++) {
        int32 second = tour->place[t[2 * e]] != at[e];
        letter[2 * e] = 2 * rank[e] + second;
        letter[2 * e + 1] = 2 * rank[e] + !second;
        if (rank[e] == 0) *i = at[e];
        if (rank[e] == 1) *j = at[e];
        if (rank[e] == 2) *k = at[e];
    }
    for (int32 e = 0; e < 3; e++) {
        int32 x = letter[2 * e + 1], y = letter[(2 * e + 2) % 6];
        partner[x] = y, partner[y] = x;
    }
    if (partner[0] == 3 && partner[1] == 4) return 0;
    if (partner[0] == 2 && partner[1] == 4) return 1;
    if (partner[0] == 4 && partner[1] == 3) return 2;
    if (partner[0] == 3 && partner[1] == 5) return 3;
    return -1;
}

/* Evaluate sequential 3-opt moves, in which the first two added edges lead to a neighbour:
 *     t0-t1 removed, t1-t2 added, t2-t3 removed, t3-t4 added, t4-t5 removed, t5-t0 added. */
INLINE void consider_three_opt(const Points *p, const Tour *tour, const Surroundings *s, int32 city, Change *best,
                               int64 *evaluations) {
    int32 t[6];
    t[0] = city;
    for (int32 first = MY_FIRST(4, 2); first < 2; first += MY_STEP(2)) {
        t[1] = beside(tour, city, first);
        if (must_stay(s, city, t[1])) continue;
        real edge = between(p, city, t[1]);
        for (int32 a = MY_FIRST(1, 8); a < s->width; a += MY_STEP(8)) {
            t[2] = s->neighbours[(int64)t[1] * s->width + a];
            if (t[2] < 0) break;
            real one = edge - s->near[(int64)t[1] * s->width + a];
            if (one <= s->epsilon) break;
            for (int32 second = MY_FIRST(0, 2); second < 2; second += MY_STEP(2)) {
                t[3] = beside(tour, t[2], second);
                if (t[2] == city || t[3] == t[1] || must_stay(s, t[2], t[3])) continue;
                real second_edge = between(p, t[2], t[3]), two = one + second_edge;
                for (int32 b = 0; b < s->width; b++) {
                    t[4] = s->neighbours[(int64)t[3] * s->width + b];
                    if (t[4] < 0) break;
                    real three = two - s->near[(int64)t[3] * s->width + b];
                    if (three <= s->epsilon) break;
                    for (int32 third = 0; third < 2; third++) {
                        t[5] = beside(tour, t[4], third);
                        *evaluations += 1;
                        real third_edge = between(p, t[4], t[5]), gain = three + third_edge - between(p, t[5], city);
                        real error = error_share(p) * (edge + second_edge + third_edge);
                        if (gain <= best->gain || gain <= s->epsilon + error || must_stay(s, t[4], t[5])) continue;
                        int32 i, j, k;
                        if (way_of(tour, t, &i, &j, &k) < 0) continue;
                        int32 longest = j - i > k - j ? j - i : k - j;
                        if (longest < tour->m - k + i) longest = tour->m - k + i;
                        if (tour->m - longest > s->reach) continue;
                        best->gain = gain;
                        best->rank = (((first * s->width + a) * 2 + second) * s->width + b) * 2 + third;
                        for (int32 e = 1; e < 6; e++) best->city[e] = t[e];
                    }
                }
            }
        }
    }
}

/* Make a 3-opt move by two or three reversals that leave the longest of the three segments in place. As a cycle, way 1
 * reverses the first and the second segment in place, way 2 the first and the third, way 3 the second and the third,
 * way 0 all three. */
INLINE void make_three_opt(Tour *t, int32 i, int32 j, int32 k, int32 way) {
    int32 start[3], size[3], turned[3], most = 0;
    start[0] = i + 1, start[1] = j + 1, start[2] = wrapped(t, k + 1);
    size[0] = j - i, size[1] = k - j, size[2] = t->m - k + i;
    turned[0] = way != 3, turned[1] = way != 2, turned[2] = way != 1;
    for (int32 e = 1; e < 3; e++)
        if (size[e] > size[most]) most = e;
    int32 x = (most + 1) % 3, y = (most + 2) % 3;
    int32 x0 = start[x], y1 = wrapped(t, start[most] - 1);
    if (!turned[most]) {
        reverse_places(t, x0, wrapped(t, x0 + size[x] - 1));
        reverse_places(t, start[y], y1);
        return;
    }
    reverse_places(t, x0, y1); /* now y precedes x, both reversed */
    if (turned[y]) reverse_places(t, x0, wrapped(t, x0 + size[y] - 1));
    if (turned[x]) reverse_places(t, wrapped(t, x0 + size[y]), y1);
}

/* Swap the cities at positions i and j. */
INLINE void make_swap(Tour *t, int32 i, int32 j) {
    if (span(t, i, j) > span(t, j, i)) {
        int32 other = i;
        i = j, j = other;
    }
    int32 inside = span(t, i, j) - 2;
    reverse_places(t, i, j);
    if (inside > 1) reverse_places(t, wrapped(t, i + 1), wrapped(t, j - 1));
}

/* Return the best move of all lanes, the same in each of them. */
INLINE Change agreed(ROOM_PARAMETER Change mine) {
    int64 rank = mine.rank == NO_RANK ? NO_RANK : (int64)mine.rank * LANES + LANE;
    BEST_OF_LANES(mine.gain, rank);
    if (rank == NO_RANK) {
        mine.rank = NO_RANK;
        return mine;
    }
    mine.rank = (int32)(rank / LANES);
    int32 lane = (int32)(rank % LANES);
    mine.ahead = FROM_LANE(mine.ahead, lane);
    for (int32 e = 1; e < MAX_ENDS; e++) mine.city[e] = FROM_LANE(mine.city[e], lane);
    return mine;
}

/* Return the best move of t, of rank NO_RANK if none improves the tour. */
INLINE Change best_change(ROOM_PARAMETER const Points *p, const Tour *tour, const Surroundings *s, int32 t, int32 by,
                          int32 longest, int64 *evaluations) {
    Move move = {s->epsilon, NO_MOVE, t, t, t, t, 0, 0};
    Change best = {s->epsilon, NO_RANK, 0, {t, t, t, t, t, t}};
    if (by == BY_THREE_OPT)
        consider_three_opt(p, tour, s, t, &best, evaluations);
    else if (by == BY_SWAP)
        consider_swaps(p, tour, s, t, &best, evaluations);
    else if (by == BY_TWO_OPT)
        consider_two_opt(p, tour, s, t, &move, evaluations);
    else
        consider_or_opt(p, tour, s, t, by == BY_RELOCATE ? 1 : longest, &move, evaluations);
    record(&move, &best);
    return agreed(ROOM best);
}

/* List the cities that lose a neighbour; returns their number. */
INLINE int32 ends_of(const Tour *tour, const Change *change, int32 by, int32 *ends) {
    const int32 *at = change->city;
    if (by == BY_SWAP) {
        for (int32 e = 0; e < 2; e++) {
            ends[3 * e] = city_before(tour, at[e]), ends[3 * e + 1] = at[e], ends[3 * e + 2] = city_after(tour, at[e]);
        }
        return 6;
    }
    if (by == BY_TWO_OPT || by == BY_THREE_OPT) {
        int32 count = by == BY_TWO_OPT ? 4 : 6;
        for (int32 e = 0; e < count; e++) ends[e] = at[e];
        return count;
    }
    ends[0] = beside(tour, at[0], !change->ahead), ends[1] = at[0];
    ends[2] = at[1], ends[3] = beside(tour, at[1], change->ahead);
    ends[4] = at[2], ends[5] = at[3];
    return 6;
}

INLINE void make_change(Tour *tour, const Change *change, int32 by) {
    const int32 *at = change->city;
    if (by == BY_THREE_OPT) {
        int32 i, j, k, way = way_of(tour, at, &i, &j, &k);
        make_three_opt(tour, i, j, k, way);
    } else if (by == BY_SWAP) {
        make_swap(tour, tour->place[at[0]], tour->place[at[1]]);
    } else {
        int32 kind = by == BY_TWO_OPT ? TWO_OPT : OR_OPT;
        Move move = {change->gain, kind, at[0], at[1], at[2], at[3], change->ahead, change->rank};
        make_move(tour, &move);
    }
}

#endif
