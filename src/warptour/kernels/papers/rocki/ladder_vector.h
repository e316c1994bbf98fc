/* The vector kernel of Rocki (2013): rows of the triangle of moves are dealt to the groups, columns go in vectors.
 *
 *     i-(i+1) ... j-(j+1)  ->  i-j ... (i+1)-(j+1)
 *
 * Row i has the columns j from i + 2 on. Both new edges and the edge at j are computed for each move, as in the slides,
 * and the edge at i once per row. A lane takes W columns together, chunks of which are LANES chunks apart, so that the
 * lanes of a GPU read consecutive numbers. The last vector of a row overlaps the one before it; rows shorter than a
 * vector are evaluated one by one. Only minima are kept: the best row is read again to find its column. */
#ifndef WARPTOUR_LADDER_VECTOR
#define WARPTOUR_LADDER_VECTOR

#include "common/metric.h"
#include "papers/rocki/vector.h"

#define FAR 1e30f
#if defined(NORM) && ROUNDING == NEAREST
#define VEC_MEASURE(N, square) VEC_ROUND(N, VEC_ROOT(N, square))
#else
#define VEC_MEASURE(N, square) VEC_ROOT(N, square)
#endif

/* Squared length of an edge with this x and y. */
#define SQUARE(x, y) ((x) * (x) + (y) * (y))

typedef struct {
    float32 ax, ay, bx, by; /* positions i and i + 1 */
} Row;

/* Length of edge i. */
INLINE float32 row_edge(Row row) { return VEC_MEASURE(1, SQUARE(row.ax - row.bx, row.ay - row.by)); }

INLINE Row row_at(GLOBAL const float32 *RESTRICT x, GLOBAL const float32 *RESTRICT y, int32 i) {
    Row row = {x[i], y[i], x[i + 1], y[i + 1]};
    return row;
}

/* Row 0 lacks the move (0, n - 1), whose edges are neighbours. */
INLINE int32 row_end(int32 i, int32 n) { return i == 0 ? n - 1 : n; }

/* N deltas from column j on, without the edge at i. Declares `name`. */
#define ADDED_AT(N, name, j)                                                                                         \
    VEC(N) name##_x = VEC_LOAD(N, x + (j)), name##_y = VEC_LOAD(N, y + (j));                                         \
    VEC(N) name##_u = VEC_LOAD(N, x + (j) + 1), name##_v = VEC_LOAD(N, y + (j) + 1);                                 \
    VEC(N) name = VEC_MEASURE(N, SQUARE(row.ax - name##_x, row.ay - name##_y))                                       \
                  + VEC_MEASURE(N, SQUARE(row.bx - name##_u, row.by - name##_v))                                     \
                  - VEC_MEASURE(N, SQUARE(name##_x - name##_u, name##_y - name##_v))

/* The least delta of this lane's columns of a row, without the edge at i; FAR if it has none. */
#define ROW_LEAST(W)                                                                                                 \
    INLINE float32 row_least_##W(GLOBAL const float32 *RESTRICT x, GLOBAL const float32 *RESTRICT y, Row row,        \
                                 int32 first, int32 end) {                                                           \
        float32 least = FAR;                                                                                         \
        if (W == 1 || end - first < W * LANES) {                                                                     \
            for (int32 j = first + LANE; j < end; j += LANES) {                                                      \
                ADDED_AT(1, added, j);                                                                               \
                least = added < least ? added : least;                                                               \
                SCALAR_ONLY();                                                                                       \
            }                                                                                                        \
            return least;                                                                                            \
        }                                                                                                            \
        VEC(CHUNK(W)) low[W / CHUNK(W)];                                                                             \
        VEC_UNROLL(W)                                                                                                \
        for (int32 p = 0; p < W / CHUNK(W); p++) low[p] = VEC_OF(CHUNK(W), FAR);                                     \
        for (int32 k = first; k < end; k += W * LANES) {                                                             \
            int32 at = (k + W * LANES <= end ? k : end - W * LANES) + LANE * CHUNK(W);                               \
            VEC_UNROLL(W)                                                                                            \
            for (int32 p = 0; p < W / CHUNK(W); p++) {                                                               \
                ADDED_AT(CHUNK(W), added, at + p * LANES * CHUNK(W));                                                \
                low[p] = VEC_MIN(CHUNK(W), added, low[p]);                                                           \
            }                                                                                                        \
        }                                                                                                            \
        VEC_UNROLL(W)                                                                                                \
        for (int32 p = 0; p < W / CHUNK(W); p++) {                                                                   \
            float32 found = VEC_LEAST(CHUNK(W), low[p]);                                                             \
            least = found < least ? found : least;                                                                   \
        }                                                                                                            \
        return least;                                                                                                \
    }

/* Write the best move of each group among rows `first` to `last` - 1; beyond row 0, what it found before counts too. */
#define VECTOR_KERNEL(name, W)                                                                                       \
    KERNEL(name##_##W, int32 n, int32 first, int32 last, GLOBAL const float32 *RESTRICT x,                           \
           GLOBAL const float32 *RESTRICT y, GLOBAL float32 *RESTRICT gains, GLOBAL int64 *RESTRICT ranks) {         \
        float32 gain = first > 0 ? gains[GROUP] : 0;                                                                 \
        int32 best = n;                                                                                              \
        for (int32 i = first + GROUP; i < last; i += GROUPS) {                                                       \
            Row row = row_at(x, y, i);                                                                               \
            float32 found = row_edge(row) - row_least_##W(x, y, row, i + 2, row_end(i, n));                          \
            if (found > gain) gain = found, best = i;                                                                \
        }                                                                                                            \
        BEST_OF_LANES(gain, best);                                                                                   \
        float32 most = -FAR;                                                                                         \
        int32 column = n;                                                                                            \
        if (best < n) {                                                                                              \
            Row row = row_at(x, y, best);                                                                            \
            for (int32 j = best + 2 + LANE; j < row_end(best, n); j += LANES) {                                      \
                ADDED_AT(1, added, j);                                                                               \
                if (-added > most) most = -added, column = j;                                                        \
            }                                                                                                        \
        }                                                                                                            \
        BEST_OF_LANES(most, column);                                                                                 \
        if (LANE == 0 && (best < n || first == 0)) {                                                                 \
            gains[GROUP] = gain;                                                                                     \
            ranks[GROUP] = best < n ? (int64)best * n + column : 0;                                                  \
        }                                                                                                            \
    }

#endif
