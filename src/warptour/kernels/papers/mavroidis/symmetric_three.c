// build: metrics
/* Symmetric 3-opt: nested rearrangements of two mirrored segments, all decided and applied in parallel.
 *
 * A tour of odd length m lies in a row. The element at q has a segment of k cities on each side:
 *
 *     a [s] [inner] [r] d        a at q, s at q+1 .. q+k, r at m-1-q-k .. m-2-q, d at m-1-q
 *
 * and takes the shortest arrangement of the three pieces that has at least one of their four edges. Elements of a round
 * are k + 1 positions apart. An inner piece is reversed if an odd number of elements further out reversed theirs, and
 * shifted by the cities that those moved from right to left. One group works on a tour; its row is in global memory.
 */
#include "common/metric.h"

#define WORDS 9 /* of an arrangement: four pairs of ends, 8 u + v; edges kept, a bit each; three pieces; cities moved */
#define EDGES_KEPT 4
#define PIECES 5
#define MOVED 8 /* segments before the inner piece, less 1 */
#define INNER 1 /* a piece is twice its number, s, inner or r, plus 1 if reversed */

typedef struct {
    GLOBAL int32 *row, *fresh; /* cities, from position `low` on, and those of the next round */
    int32 m, low;
} Ring;

INLINE int32 place_of(const Ring *r, int32 k) { return k + r->low < r->m ? k + r->low : k + r->low - r->m; }
INLINE int32 city_at(const Ring *r, int32 k) { return r->row[place_of(r, k)]; }
INLINE void lay(const Ring *r, int32 to, int32 from) { r->fresh[place_of(r, to)] = city_at(r, from); }

/* Number of elements of a round with segments of k cities, the outermost at `offset`. */
INLINE int32 elements_of(int32 m, int32 k, int32 offset) {
    int32 room = (m - 1) / 2 - k - offset;
    return room > 0 ? (room + k) / (k + 1) : 0;
}

/* Return the shortest arrangement of the element at q, the first of ties; 0, the present one, if the gain is no more
 * than `least` and a `share` of the present edges. An edge between a city and its duplicate stays. */
INLINE int32 best_arrangement(const Points *p, const Ring *r, int32 q, int32 k, GLOBAL const int32 *arrangement,
                              int32 arrangements, real least, real share) {
    const int32 at[8] = {q, q + 1, q + k, q + k + 1, r->m - 2 - q - k, r->m - 1 - q - k, r->m - 2 - q, r->m - 1 - q};
    int32 city[8], glued = 0, best = 0;
    real apart[64];
    for (int32 u = 0; u < 8; u++) {
        city[u] = city_at(r, at[u]);
        if (city[u] >= p->n - 1) city[u] = p->n - 1;
        else continue;
        if (u % 2 && city[u - 1] == p->n - 1) glued |= 1 << (u / 2);
    }
    for (int32 u = 0; u < 8; u++)
        for (int32 v = u + 1; v < 8; v++)
            if (!(u % 2 && v == u + 1)) apart[8 * u + v] = between(p, city[u], city[v]);
    real present = 0, lowest = 0;
    for (int32 c = 0; c < arrangements; c++) {
        GLOBAL const int32 *its = arrangement + WORDS * c;
        if (glued & ~its[EDGES_KEPT]) continue;
        real total = ((apart[its[0]] + apart[its[1]]) + apart[its[2]]) + apart[its[3]];
        if (c == 0) present = lowest = total;
        if (total < lowest) lowest = total, best = c;
    }
    return present - lowest > least + share * present ? best : 0;
}

/* Lay one piece, `backwards` or not, from position `to` of the next row on; return the position after it. */
INLINE int32 lay_piece(const Ring *r, int32 piece, int32 q, int32 k, int32 backwards, int32 to) {
    int32 from = piece / 2 == 0 ? q + 1 : r->m - 1 - q - k;
    for (int32 i = 0; i < k; i++) lay(r, to + i, (piece % 2) ^ backwards ? from + k - 1 - i : from + i);
    return to + k;
}

/* Lay the segments of the element at q, whose inner pieces are `turned` and shifted by `shift` from further out, and
 * the outermost cities of its inner piece, unless it is the `last`. */
INLINE void lay_element(const Ring *r, GLOBAL const int32 *piece, int32 q, int32 k, int32 turned, int32 shift,
                        int32 last) {
    int32 centre = piece[0] / 2 == INNER ? 0 : piece[1] / 2 == INNER ? 1 : 2;
    int32 before = turned ? 2 - centre : centre, to = q + 1 + shift, inside = turned ^ (piece[centre] % 2);
    for (int32 i = 0; i < before; i++) to = lay_piece(r, piece[turned ? 2 - i : i], q, k, turned, to);
    int32 left = q + k + 1, right = r->m - 2 - q - k, end = r->m - 1 - q + shift - (2 - before) * k;
    if (!last) lay(r, to, inside ? right : left), lay(r, end - 1, inside ? left : right);
    for (int32 i = before; i < 2; i++) end = lay_piece(r, piece[turned ? 1 - i : i + 1], q, k, turned, end);
}

/* Run at most `rounds` further rounds on each tour of m cities, m odd; a tour stops after m turns of the row without a
 * move. A turn has k + 1 rounds for each k up to `longest`.
 *
 * tour         tours x m; numbers from n on are duplicates of city n - 1 and stay next to it
 * state        tours x 4: rounds so far, trailing turns without a move, elements rearranged, those of this turn
 * arrangement  arrangements x WORDS, the present one first
 * work         per group two rows of m cities, and an arrangement per position
 */
KERNEL(symmetric_three, POINTS_PARAMETERS, int32 m, int32 tours, GLOBAL int32 *tour, GLOBAL int64 *state, int32 longest,
       GLOBAL const int32 *arrangement, int32 arrangements, real least, real share, int32 rounds, GLOBAL int32 *work) {
    POINTS_STRUCT(p);
    LOCAL_ARRAY(int32, passed, 2 * LANES); /* of each lane's elements: parity of reversals, and shift */
    GLOBAL int32 *chosen = work + 3 * (int64)GROUP * m + 2 * m;
    const int32 turn = longest * (longest + 3) / 2;
    for (int32 t = GROUP; t < tours; t += GROUPS) {
        GLOBAL int32 *mine = tour + (int64)t * m;
        Ring r = {work + 3 * (int64)GROUP * m, work + 3 * (int64)GROUP * m + m, m, 0};
        int64 done = state[4 * t], idle = state[4 * t + 1], moved = state[4 * t + 3], accepted = 0;
        for (int32 k = LANE; k < m; k += LANES) r.row[k] = mine[k];
        SYNC_LANES();
        for (int32 left = rounds; left > 0 && idle < m; left--) {
            int32 offset = (int32)(done % turn), k = 1, odd = 0, shift = 0, some = 0;
            while (offset > k) offset -= ++k;
            int32 count = elements_of(m, k, offset), part = (count + LANES - 1) / LANES;
            int32 from = LANE * part < count ? LANE * part : count, to = from + part < count ? from + part : count;
            for (int32 e = from; e < to; e++) {
                int32 c = best_arrangement(&p, &r, offset + e * (k + 1), k, arrangement, arrangements, least, share);
                GLOBAL const int32 *its = arrangement + WORDS * c;
                chosen[e] = c, some += c > 0;
                shift += odd ? -k * its[MOVED] : k * its[MOVED];
                for (int32 i = 0; i < 3; i++) odd ^= its[PIECES + i] == 2 * INNER + 1;
            }
            accepted += some;
            if (ANY_LANE(some)) {
                moved = 1;
                passed[2 * LANE] = odd, passed[2 * LANE + 1] = shift;
                SYNC_LANES();
                odd = shift = 0;
                int32 all_odd = 0, all_shift = 0;
                for (int32 lane = 0; lane < LANES; lane++) {
                    if (lane == LANE) odd = all_odd, shift = all_shift;
                    all_shift += all_odd ? -passed[2 * lane + 1] : passed[2 * lane + 1];
                    all_odd ^= passed[2 * lane];
                }
                for (int32 e = from; e < to; e++) {
                    GLOBAL const int32 *its = arrangement + WORDS * chosen[e];
                    lay_element(&r, its + PIECES, offset + e * (k + 1), k, odd, shift, e + 1 == count);
                    shift += odd ? -k * its[MOVED] : k * its[MOVED];
                    for (int32 i = 0; i < 3; i++) odd ^= its[PIECES + i] == 2 * INNER + 1;
                }
                int32 core = offset + count * (k + 1); /* first position inside the innermost element */
                for (int32 i = core + LANE; i < m - core; i += LANES)
                    lay(&r, i + all_shift, all_odd ? m - 1 - i : i);
                for (int32 i = LANE; i <= offset; i += LANES) lay(&r, i, i), lay(&r, m - 1 - i, m - 1 - i);
                SYNC_LANES();
                GLOBAL int32 *swapped = r.row;
                r.row = r.fresh, r.fresh = swapped;
            }
            if (++done % turn) continue;
            idle = moved ? 0 : idle + 1, moved = 0;
            r.low = r.low + 1 < m ? r.low + 1 : 0;
        }
        SYNC_LANES();
        for (int32 k = LANE; k < m; k += LANES) mine[k] = city_at(&r, k);
        accepted = SUM_OF_LANES(accepted);
        if (LANE == 0) {
            state[4 * t] = done, state[4 * t + 1] = idle, state[4 * t + 2] += accepted, state[4 * t + 3] = moved;
        }
        SYNC_LANES();
    }
}
