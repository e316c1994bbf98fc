/* The best 2-opt or or-opt move of one city over its neighbour list.
 *
 * 2-opt, t with the city o after (or before) it, c with the city z after (or before) it:
 *     t-o ... c-z  ->  t-c ... o-z
 * Or-opt, a segment t..e of 1 to 3 cities between p and q is moved between c and z, t next to c:
 *     p-t..e-q ... c-z  ->  p-q ... c-t..e-z
 * A gain counts only above `epsilon` plus the rounding error of its edges (metric.h).
 *
 * The lanes of a group, 1 or 32, share the candidates of a city, each to find the best of its own. Of equal gains the
 * lowest rank wins, the number of the move in the order in which a single lane finds them.
 */
#ifndef WARPTOUR_MOVES
#define WARPTOUR_MOVES

#include "common/metric.h"
#include "papers/scans/tour.h"

#define NO_MOVE 0
#define TWO_OPT 1
#define OR_OPT 2
#define LONGEST_SEGMENT 3

/* A loop from MY_FIRST(bit, ways) in steps of MY_STEP(ways) is shared by lanes: `ways`, a power of two, of them differ in
 * the bits of LANE from `bit` on. A single lane does all of it. */
#if LANES == 1
#define MY_FIRST(bit, ways) 0
#define MY_STEP(ways) 1
#else
#define MY_FIRST(bit, ways) (LANE >> (bit) & ((ways) - 1))
#define MY_STEP(ways) (ways)
#endif

typedef struct {
    GLOBAL const int32 *neighbours; /* `width` per city, nearest first; -1 ends a list early */
    GLOBAL const real *near;        /* distance to each neighbour */
    int32 width;
    GLOBAL const int32 *fixed; /* two per city: the other end of a fixed edge, or -1; null if no edge is fixed */
    int32 seal_a, seal_b;      /* one more fixed edge, or -1 */
    int32 reach;               /* maximum number of cities that a move may reverse */
    real epsilon; /* smallest gain that counts, on top of the rounding error of its edges */
} Surroundings;

typedef struct {
    real gain;
    int32 kind;
    int32 t, o, c, z; /* TWO_OPT: the edges t-o and c-z; OR_OPT: the segment t..o moves between c and z, t next to c */
    int32 ahead;      /* TWO_OPT: o follows t and z follows c; OR_OPT: o lies ahead of t */
    int32 rank;
} Move;

INLINE int32 must_stay(const Surroundings *s, int32 a, int32 b) {
    if (s->seal_a >= 0 && ((a == s->seal_a && b == s->seal_b) || (a == s->seal_b && b == s->seal_a))) return 1;
    return s->fixed != 0 && (s->fixed[2 * (int64)a] == b || s->fixed[2 * (int64)a + 1] == b);
}

INLINE int32 beside(const Tour *tour, int32 city, int32 ahead) {
    return ahead ? city_after(tour, city) : city_before(tour, city);
}

/* Return the number of cities that the exchange of t-o and c-z must reverse. */
INLINE int32 two_opt_reversal(const Tour *tour, int32 t, int32 c, int32 ahead) {
    int32 count = ahead ? span(tour, tour->place[t], tour->place[c]) : span(tour, tour->place[c], tour->place[t]);
    count -= 1;
    return 2 * count <= tour->m ? count : tour->m - count;
}

/* Return the distance along the tour between a segment at t and its destination c, in positions. */
INLINE int32 or_opt_reversal(const Tour *tour, int32 t, int32 c) {
    int32 apart = tour->place[t] - tour->place[c];
    if (apart < 0) apart = -apart;
    return 2 * apart <= tour->m ? apart : tour->m - apart;
}

INLINE void consider_two_opt(const Points *p, const Tour *tour, const Surroundings *s, int32 t, Move *best,
                             int64 *evaluations) {
    for (int32 ahead = MY_FIRST(4, 2); ahead < 2; ahead += MY_STEP(2)) {
        int32 o = beside(tour, t, ahead);
        if (must_stay(s, t, o)) continue;
        real edge = between(p, t, o);
        for (int32 k = MY_FIRST(0, 16); k < s->width; k += MY_STEP(16)) {
            int32 c = s->neighbours[(int64)t * s->width + k];
            if (c < 0) break;
            real first = edge - s->near[(int64)t * s->width + k];
            if (first <= s->epsilon) break;
            *evaluations += 1;
            if (tour->place[c] < 0) continue;
            int32 z = beside(tour, c, ahead);
            real closed = between(p, c, z), gain = first + closed - between(p, o, z);
            if (gain <= best->gain || gain <= s->epsilon + error_share(p) * (edge + closed)) continue;
            if (must_stay(s, c, z) || two_opt_reversal(tour, t, c, ahead) > s->reach) continue;
            Move found = {gain, TWO_OPT, t, o, c, z, ahead, ahead * s->width + k};
            *best = found;
        }
    }
}

/* Evaluate or-opt moves: segments of at most `longest` cities that begin or end at t move next to a neighbour of t. */
INLINE void consider_or_opt(const Points *p, const Tour *tour, const Surroundings *s, int32 t, int32 longest, Move *best,
                            int64 *evaluations) {
    for (int32 ahead = MY_FIRST(4, 2); ahead < 2; ahead += MY_STEP(2)) {
        int32 before = beside(tour, t, !ahead), e = t;
        if (must_stay(s, before, t)) continue;
        real edge = between(p, before, t);
        for (int32 count = 1; count <= longest && count + 3 <= tour->m; count++) {
            if (count > 1) e = beside(tour, e, ahead);
            if (count == 1 && ahead) continue; /* a single city is the same in both directions */
            int32 q = beside(tour, e, ahead);
            if (must_stay(s, e, q)) continue;
            real removed = edge + between(p, e, q), freed = removed - between(p, before, q);
            for (int32 k = MY_FIRST(1, 8); k < s->width; k += MY_STEP(8)) {
                int32 c = s->neighbours[(int64)t * s->width + k];
                if (c < 0) break;
                real first = freed - s->near[(int64)t * s->width + k];
                if (first <= s->epsilon) break;
                if (tour->place[c] < 0) continue;
                int32 offset = wrapped(tour, ahead ? tour->place[c] - tour->place[t] : tour->place[t] - tour->place[c]);
                if (offset < count) continue;
                for (int32 way = MY_FIRST(0, 2); way < 2; way += MY_STEP(2)) {
                    int32 z = beside(tour, c, way);
                    *evaluations += 1;
                    if ((c == before && z == t) || (c == q && z == e)) continue;
                    real closed = between(p, c, z), gain = first + closed - between(p, e, z);
                    if (gain <= best->gain || gain <= s->epsilon + error_share(p) * (removed + closed)) continue;
                    if (must_stay(s, c, z) || or_opt_reversal(tour, t, c) > s->reach) continue;
                    int32 rank = ((ahead * longest + count) * s->width + k) * 2 + way;
                    Move found = {gain, OR_OPT, t, e, c, z, ahead, rank};
                    *best = found;
                }
            }
        }
    }
}

INLINE Move best_move(const Points *p, const Tour *tour, const Surroundings *s, int32 t, int64 *evaluations) {
    Move best = {s->epsilon, NO_MOVE, t, t, t, t, 0, 0};
    consider_two_opt(p, tour, s, t, &best, evaluations);
    consider_or_opt(p, tour, s, t, LONGEST_SEGMENT, &best, evaluations);
    return best;
}

/* Move the cities from position i forward to position j between x and its successor y, optionally reversed.
 *     p-[i..j]-[... x]-y  ->  p-[... x]-[i..j]-y     or, from the other side,
 *     x-[y ...]-[i..j]-q  ->  x-[i..j]-[y ...]-q */
INLINE void move_segment(Tour *t, int32 i, int32 j, int32 x, int32 y, int32 backward) {
    int32 count = span(t, i, j);
    int32 px = t->place[x], py = t->place[y];
    int32 onward = span(t, j, px) - 1, back = span(t, py, i) - 1;
    if (onward <= back) {
        reverse_places(t, i, px);
        if (onward > 1) reverse_places(t, i, wrapped(t, i + onward - 1));
        if (!backward && count > 1) reverse_places(t, wrapped(t, px - count + 1), px);
    } else {
        reverse_places(t, py, j);
        if (back > 1) reverse_places(t, wrapped(t, py + count), j);
        if (!backward && count > 1) reverse_places(t, py, wrapped(t, py + count - 1));
    }
}

INLINE void make_move(Tour *tour, const Move *move) {
    GLOBAL int32 *place = tour->place;
    if (move->kind == TWO_OPT) {
        if (move->ahead)
            reverse_shorter(tour, place[move->o], place[move->c]);
        else
            reverse_shorter(tour, place[move->c], place[move->o]);
        return;
    }
    int32 i = place[move->ahead ? move->t : move->o], j = place[move->ahead ? move->o : move->t];
    int32 onward = city_after(tour, move->c) == move->z; /* c precedes z, and t is next to c */
    if (onward)
        move_segment(tour, i, j, move->c, move->z, !move->ahead);
    else
        move_segment(tour, i, j, move->z, move->c, move->ahead);
}

#endif
