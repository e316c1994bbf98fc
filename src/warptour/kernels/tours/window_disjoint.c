// build: metrics, device
/* Disjoint windows on a device: search each window in the shared memory of a group, and join them.
 *
 * The windows are those of window_cut.c. slots[s] is the tour position of the s-th city, windows one after the other,
 * the cities of each in tour order. A fragment is identified by the tour position of its head: lengths[head] is its
 * number of cities after the search, begins[head] where they start in `order`. Fragments keep their sequence, so the
 * prefix sums of lengths give each fragment's position in the new tour.
 */
#include "tours/window_fast.h"
#include "tours/window_parts.h"

#define QUADRANTS 4
#define MARKED 1 /* in `marks`: to be repaired */
#define HELD 2   /* in `marks`: the edge from the city before it in the tour is fixed, so that a fragment begins here */
#define MAX_EVALUATIONS 1000 /* per city and per kick; reached only if float32 rounding errors make the search cycle */

/* Return the shared memory that a window of at most `capacity` cities takes, in bytes. */
KERNEL(disjoint_bytes, int32 capacity, GLOBAL int64 *bytes) {
    if (GROUP == 0 && LANE == 0) bytes[0] = store_bytes(capacity);
}

/* The cell of a window: the extent of its cities along its rotated sides. */
typedef struct {
    real cosine, sine;
    real low[2], high[2];
} Cell;

INLINE real across_cell(const Cell *cell, real x, real y, int32 side) {
    return side == 0 ? x * cell->cosine - y * cell->sine : x * cell->sine + y * cell->cosine;
}

INLINE void measure_cell(ROOM_PARAMETER const Window *w, Cell *cell) {
    for (int32 side = 0; side < 2; side++) {
        int32 lane = LANE;
        real most = across_cell(cell, w->points.x[0], w->points.y[0], side), least = -most;
        for (int32 c = LANE; c < w->m; c += LANES) {
            real at = across_cell(cell, w->points.x[c], w->points.y[c], side);
            most = at > most ? at : most, least = -at > least ? -at : least;
        }
        BEST_OF_LANES(most, lane);
        lane = LANE;
        BEST_OF_LANES(least, lane);
        cell->low[side] = -least, cell->high[side] = most;
    }
}

/* Whether a city is closer to the boundary of the cell than to its farthest candidate (squared distance `gap`), so that
 * it may have closer candidates outside the window. */
INLINE int32 at_the_edge(const Window *w, const Cell *cell, int32 c, real gap) {
    for (int32 side = 0; side < 2; side++) {
        real at = across_cell(cell, w->points.x[c], w->points.y[c], side);
        real below = at - cell->low[side], above = cell->high[side] - at, least = below < above ? below : above;
        if (least * least < gap) return 1;
    }
    return 0;
}

/* Find the candidates of every city within its window: the nearest of each quadrant, then the nearest overall. Marks
 * the cities that may have other candidates in the next round. */
INLINE void find_candidates(const Window *w, const Cell *cell, LOCAL Index *near, GLOBAL const int32 *tour,
                            GLOBAL const int32 *slots, GLOBAL narrow *marks) {
    LOCAL const real *x = w->points.x, *y = w->points.y;
    for (int32 c = LANE; c < w->m; c += LANES) {
        real gaps[WIDTH], nearest[QUADRANTS];
        int32 whos[WIDTH], quadrant[QUADRANTS];
        for (int32 k = 0; k < QUADRANTS; k++) quadrant[k] = NOBODY, nearest[k] = (real)INFINITY;
        for (int32 k = 0; k < WIDTH; k++) gaps[k] = (real)INFINITY, whos[k] = NOBODY;
        for (int32 other = 0; other < w->m; other++) {
            real dx = x[other] - x[c], dy = y[other] - y[c], gap = dx * dx + dy * dy;
            int32 sector = (dx < 0) + 2 * (dy < 0);
            if (other == c) continue;
            for (int32 k = 0; k < QUADRANTS; k++)
                if (k == sector && gap < nearest[k]) nearest[k] = gap, quadrant[k] = other;
            if (gap < gaps[WIDTH - 1]) {
                real g = gap;
                int32 who = other;
                for (int32 k = 0; k < WIDTH; k++)
                    if (g < gaps[k]) {
                        real later = gaps[k];
                        int32 his = whos[k];
                        gaps[k] = g, whos[k] = who, g = later, who = his;
                    }
            }
        }
        int32 city = tour[slots[c]], again = w->m <= WIDTH || at_the_edge(w, cell, c, gaps[WIDTH - 1]);
        marks[city] = (narrow)((marks[city] & HELD) | (again ? MARKED : 0));
        /* a quadrant's nearest that is not yet listed replaces the farthest entry that represents no quadrant */
        for (int32 k = 0; k < QUADRANTS; k++) {
            int32 known = quadrant[k] == NOBODY, out = NOBODY;
            for (int32 i = 0; i < WIDTH; i++) {
                known |= whos[i] == quadrant[k];
                int32 stands = whos[i] != NOBODY;
                for (int32 q = 0; q < QUADRANTS && stands; q++) stands = whos[i] != quadrant[q];
                if (stands || whos[i] == NOBODY) out = i;
            }
            if (known || out == NOBODY) continue;
            gaps[out] = nearest[k], whos[out] = quadrant[k];
        }
        for (int32 i = 1; i < WIDTH; i++)
            for (int32 k = i; k > 0; k--)
                if (gaps[k] < gaps[k - 1]) {
                    real g = gaps[k];
                    int32 who = whos[k];
                    gaps[k] = gaps[k - 1], whos[k] = whos[k - 1], gaps[k - 1] = g, whos[k - 1] = who;
                }
        for (int32 i = 0; i < WIDTH; i++) near[(OFFSET)c * WIDTH + i] = (Index)whos[i];
    }
    SYNC_LANES();
}

/* Load a window: number its cities in tour order and find its fragments. Return the number of fragments. */
INLINE int32 load_window(ROOM_PARAMETER Window *w, Store *s, GLOBAL const float64 *x, GLOBAL const float64 *y,
                         GLOBAL const int32 *tour, GLOBAL const int32 *slots, GLOBAL const narrow *marks) {
    int32 m = w->m, middle = tour[slots[m / 2]], fragments = 0;
    float64 origin_x = x[middle], origin_y = y[middle];
    for (int32 k = LANE; k < m; k += LANES) {
        int32 c = tour[slots[k]];
        s->x[k] = (real)(x[c] - origin_x), s->y[k] = (real)(y[c] - origin_y);
        s->tour[k] = s->place[k] = (Index)k;
        int32 head = k == 0 || slots[k] != slots[k - 1] + 1 || (marks[c] & HELD);
        s->queued[k] = (Index)((marks[c] & MARKED ? QUEUED : 0) | (head ? HEAD : 0));
    }
    SYNC_LANES();
    /* compact heads and queued cities in order: each lane counts those of its chunk, then writes at its prefix sum */
    int32 stretch = (m + LANES - 1) / LANES, first = LANE * stretch, mine = 0, waiting = 0;
    int32 last = first + stretch < m ? first + stretch : m;
    for (int32 k = first; k < last; k++) {
        mine += (s->queued[k] & HEAD) != 0;
        waiting += (s->queued[k] & QUEUED) != 0;
    }
    int32 at = 0, to = 0;
    for (int32 lane = 0; lane < LANES; lane++) {
        int32 heads = FROM_LANE(mine, lane), queue_length = FROM_LANE(waiting, lane);
        if (lane < LANE) at += heads, to += queue_length;
        fragments += heads, w->queue_length += queue_length;
    }
    for (int32 k = first; k < last; k++) {
        if (s->queued[k] & QUEUED) s->queue[to++] = (Index)k;
        if (s->queued[k] & HEAD) s->heads[at++] = (Index)k;
    }
    SYNC_LANES();
    return fragments;
}

/* Write the cities of a window in their new order, and each fragment's number of cities and start in `order`. */
INLINE void unload_window(const Window *w, const Store *s, int32 fragments, int32 start, GLOBAL const int32 *tour,
                          GLOBAL const int32 *slots, GLOBAL int32 *order, GLOBAL int32 *heads,
                          GLOBAL int32 *lengths, GLOBAL int32 *begins) {
    int32 m = w->m, origin = s->place[0], last = s->place[m - 1];
    int32 forward = last + 1 == origin || (origin == 0 && last == m - 1);
    for (int32 f = 0; f < fragments; f++) {
        int32 place = slots[s->heads[f]];
        int32 begin = s->place[s->heads[f]] - origin, end = f + 1 < fragments ? s->place[s->heads[f + 1]] - origin : m;
        if (!forward) begin = -begin, end = f + 1 < fragments ? -end : m;
        if (begin < 0) begin += m;
        if (end < 0) end += m;
        for (int32 k = begin + LANE; k < end; k += LANES) {
            int32 at = forward ? origin + k : origin - k;
            int32 c = s->tour[at < 0 ? at + m : at >= m ? at - m : at];
            order[start + k] = tour[slots[c]];
            heads[start + k] = place;
        }
        if (LANE == 0) lengths[place] = end - begin, begins[place] = start + begin;
    }
}

/* Search the windows first .. first + count - 1: repair the marked cities, then make each window's share of `kicks`,
 * the total over all windows. With kicks below 0 all windows are left unchanged. won (gain) and tallies (kicks, cities
 * evaluated) are per window. */
KERNEL(disjoint_search, int32 n, GLOBAL const float64 *x, GLOBAL const float64 *y, float64 cosine, float64 sine,
       int32 strips, int32 across, int32 first, int32 count, GLOBAL narrow *marks, GLOBAL const int32 *tour,
       GLOBAL const int32 *slots, GLOBAL int32 *order, GLOBAL int32 *heads, GLOBAL int32 *lengths, GLOBAL int32 *begins,
       GLOBAL real *won, GLOBAL int32 *tallies, uint64 seed, uint64 stream, real epsilon, int32 walk_length, int64 kicks,
       int32 capacity, SCRATCH_PARAMETER) {
    Store store = divide(SCRATCH, capacity);
    for (int32 window = first + GROUP; window < first + count; window += GROUPS) {
        int32 strip = window / across, from = cut(n, strips, strip), many = cut(n, strips, strip + 1) - from;
        int32 start = from + cut(many, across, window % across);
        int32 end = from + cut(many, across, window % across + 1);
        GLOBAL const int32 *mine = slots + start;
        Window w;
        open_window(&w, &store, end - start, epsilon);
        if (w.m == 0) continue;
        int32 fragments = load_window(ROOM &w, &store, x, y, tour, mine, marks);
        int64 windows = (int64)strips * across, quota = kicks * (window + 1) / windows - kicks * window / windows;
        const int64 evaluations = MAX_EVALUATIONS * (w.m + (kicks > 0 ? quota : 0));
        Tally tally = {evaluations, 0, 0, 0};
        if (kicks >= 0 && w.m >= 8) {
            Cell cell;
            cell.cosine = (real)cosine, cell.sine = (real)sine;
            measure_cell(ROOM &w, &cell);
            find_candidates(&w, &cell, store.near, tour, mine, marks);
            uint64 counter = 0, key = random_key(seed, stream + (uint64)window);
            search_window(ROOM &w, store.heads, fragments, key, &counter, walk_length, 0, w.m, quota, &tally);
        }
        SYNC_LANES();
        unload_window(&w, &store, fragments, start, tour, mine, order, heads, lengths, begins);
        if (LANE == 0) {
            won[window] = tally.won;
            tallies[2 * window] = (int32)tally.kicks;
            tallies[2 * window + 1] = (int32)(evaluations - tally.left);
        }
        SYNC_LANES();
    }
}

/* Write the new tour, rotated so that its first city is at position `turn`. sums: inclusive prefix sums of lengths. */
KERNEL(disjoint_join, int32 n, int32 turn, GLOBAL const int32 *order, GLOBAL const int32 *heads,
       GLOBAL const int32 *lengths, GLOBAL const int64 *sums, GLOBAL const int32 *begins, GLOBAL int32 *tour) {
    for (int32 s = GROUP * LANES + LANE; s < n; s += GROUPS * LANES) {
        int32 head = heads[s];
        int64 to = sums[head] - lengths[head] + (s - begins[head]) + turn;
        tour[to < n ? to : to - n] = order[s];
    }
}
