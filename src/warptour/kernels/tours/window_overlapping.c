// build: metrics, device
/* Overlapping windows on a device: each has an interior, a cell of window_cut.c, and a halo of the cells around it.
 *
 *     strip   k-1       k       k+1
 *            . . .│. . . . .│. . .
 *            ─────┼─────────┼─────      kicks are made at the cities of the interior;
 *            . . .│interior │. . .      their repair may lead anywhere in the window
 *            ─────┼─────────┼─────
 *            . . .│. . . . .│. . .
 *
 * No kick is near the boundary of its window, and there are as many windows as interiors, so that a tour of some ten
 * thousand cities fills a GPU. All windows start from the same tour and change it independently; their fragments may
 * change ends. Each window records its changes, and tour_conflicts.c and tour_subtours.c combine them into one tour.
 */
#define SITES
#include "tours/window_fast.h"
#include "tours/window_parts.h"

/* Return the shared memory that a window of at most `capacity` cities takes, in bytes. */
KERNEL(overlapping_bytes, int32 capacity, GLOBAL int64 *bytes) {
    if (GROUP == 0 && LANE == 0) bytes[0] = store_bytes(capacity);
}

/* The partition of the plane: a window takes `segment` cities from each of `rows` strips around its interior. The
 * cities of a strip are sorted by the lower `bits` of their keys. */
typedef struct {
    int32 n, strips, across, rows, segment, bits;
    GLOBAL const int32 *ranked;
    GLOBAL const uint32 *keys;
} Board;

/* Return the first rank in low .. high - 1 whose key is at least `key`, or high. */
INLINE int32 rank_of(const Board *b, int32 low, int32 high, uint32 key) {
    while (low < high) {
        int32 middle = low + (high - low) / 2;
        if (b->keys[b->ranked[middle]] < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Bitonic sort, ascending; `values` has capacity for the next power of two. */
INLINE void sort_up(LOCAL uint32 *values, int32 count) {
    int32 all = 1;
    while (all < count) all *= 2;
    for (int32 k = count + LANE; k < all; k += LANES) values[k] = 0xffffffffu;
    SYNC_LANES();
    for (int32 size = 2; size <= all; size *= 2)
        for (int32 gap = size / 2; gap > 0; gap /= 2) {
            for (int32 k = LANE; k < all / 2; k += LANES) {
                int32 i = 2 * k - (k & (gap - 1)), j = i + gap;
                uint32 a = values[i], b = values[j];
                if ((a > b) == ((i & size) == 0)) values[i] = b, values[j] = a;
            }
            SYNC_LANES();
        }
}

/* The output of gather_window, sorted: twice the tour position of each city, plus 1 if it belongs to the interior. It
 * occupies the memory of the coordinates, which are loaded later. */
INLINE LOCAL uint32 *found_in(const Store *s) { return (LOCAL uint32 *)s->x; }

/* Collect the cities of a window. Their tour positions go to slots in increasing order, the indices of the interior
 * cities to heads. Returns the number of cities; *cores: number of interior cities. */
INLINE int32 gather_window(ROOM_PARAMETER const Board *b, int32 window, GLOBAL const int32 *place, Store *s,
                           GLOBAL int32 *slots, int32 *interior_size) {
    LOCAL uint32 *found = found_in(s);
    int32 strip = window / b->across, from = cut(b->n, b->strips, strip), count = 0;
    int32 many = cut(b->n, b->strips, strip + 1) - from;
    int32 start = from + cut(many, b->across, window % b->across);
    int32 end = from + cut(many, b->across, window % b->across + 1), middle = start + (end - start) / 2;
    *interior_size = end - start;
    if (start == end) return 0;
    uint32 along = b->keys[b->ranked[middle]] & (((uint32)1 << b->bits) - 1);
    for (int32 row = 0; row < b->rows; row++) {
        int32 other = strip - b->rows / 2 + row;
        if (other < 0 || other >= b->strips) continue;
        int32 low = cut(b->n, b->strips, other), high = cut(b->n, b->strips, other + 1);
        int32 at = other == strip ? middle : rank_of(b, low, high, ((uint32)other << b->bits) | along);
        int32 begin = at - b->segment / 2;
        if (begin > high - b->segment) begin = high - b->segment;
        if (begin < low) begin = low;
        int32 take = high - begin < b->segment ? high - begin : b->segment;
        for (int32 k = LANE; k < take; k += LANES) {
            int32 rank = begin + k;
            found[count + k] = (uint32)place[b->ranked[rank]] * 2 + (rank >= start && rank < end);
        }
        count += take;
    }
    sort_up(found, count);
    /* compact the interior cities in order: each lane counts those of its chunk, then writes at its prefix sum */
    int32 stretch = (count + LANES - 1) / LANES, first = LANE * stretch, mine = 0, to = 0;
    int32 last = first + stretch < count ? first + stretch : count;
    for (int32 k = first; k < last; k++) mine += (int32)(found[k] & 1);
    for (int32 lane = 0; lane < LANES; lane++) {
        int32 his = FROM_LANE(mine, lane);
        if (lane < LANE) to += his;
    }
    for (int32 k = first; k < last; k++) {
        slots[k] = (int32)(found[k] >> 1);
        if (found[k] & 1) s->heads[to++] = (Index)k;
    }
    SYNC_LANES();
    return count;
}

/* Keep the candidates in `lists` (WIDTH per city, nearest first) that lie in the window. */
INLINE void keep_candidates(const Window *w, const Store *s, GLOBAL const int32 *lists, GLOBAL const int32 *tour,
                            GLOBAL const int32 *place, GLOBAL const int32 *slots) {
    LOCAL const uint32 *found = found_in(s);
    for (int32 c = LANE; c < w->m; c += LANES) {
        GLOBAL const int32 *list = lists + (int64)tour[slots[c]] * WIDTH;
        int32 count = 0;
        for (int32 k = 0; k < WIDTH; k++) {
            if (list[k] == NOBODY) break;
            uint32 at = (uint32)place[list[k]];
            int32 low = 0, high = w->m;
            while (low < high) {
                int32 middle = (low + high) / 2;
                if (found[middle] >> 1 < at) low = middle + 1;
                else high = middle;
            }
            if (low < w->m && found[low] >> 1 == at) s->near[(OFFSET)c * WIDTH + count++] = (Index)low;
        }
        for (; count < WIDTH; count++) s->near[(OFFSET)c * WIDTH + count] = NOBODY;
    }
    SYNC_LANES();
}

/* Load a window's coordinates. Cities are numbered in tour order; the first of each fragment is flagged HEAD, and so is
 * a city that is held to the one before it by a fixed edge. */
INLINE void load_cities(const Window *w, Store *s, GLOBAL const float64 *x, GLOBAL const float64 *y,
                        GLOBAL const int32 *tour, GLOBAL const narrow *held, GLOBAL const int32 *slots) {
    int32 middle = tour[slots[w->m / 2]];
    float64 origin_x = x[middle], origin_y = y[middle];
    for (int32 k = LANE; k < w->m; k += LANES) {
        int32 c = tour[slots[k]];
        s->x[k] = (real)(x[c] - origin_x), s->y[k] = (real)(y[c] - origin_y);
        s->tour[k] = s->place[k] = (Index)k;
        s->queued[k] = (Index)(k == 0 || slots[k] != slots[k - 1] + 1 || held[c] ? HEAD : 0);
    }
    SYNC_LANES();
}

/* Find the current neighbours of a city within its window, NOBODY in place of a join between fragments. Returns whether
 * they differ from its neighbours in the tour, along which cities are numbered. */
INLINE int32 changed(const Window *w, int32 c, int32 *left, int32 *right) {
    int32 next = c + 1 == w->m ? 0 : c + 1, previous = c == 0 ? w->m - 1 : c - 1;
    int32 first = w->queued[c] & HEAD, last = next == 0 || (w->queued[next] & HEAD);
    int32 a = before(w, c), b = after(w, c);
    *left = *right = NOBODY;
    if (first && last) return 0;
    if (first) {
        *right = a == previous ? b : a;
        return *right != next;
    }
    if (last) {
        *left = a == next ? b : a;
        return *left != previous;
    }
    *left = a, *right = b;
    return !((a == previous && b == next) || (a == next && b == previous));
}

/* Write each city whose neighbours changed and its two new neighbours: three numbers per city. Returns the number of
 * changed cities. */
INLINE int32 write_changes(ROOM_PARAMETER const Window *w, int32 n, GLOBAL const int32 *tour, GLOBAL const int32 *slots,
                           GLOBAL int32 *changes) {
    int32 stretch = (w->m + LANES - 1) / LANES, first = LANE * stretch, mine = 0, to = 0, left, right;
    int32 last = first + stretch < w->m ? first + stretch : w->m;
    for (int32 c = first; c < last; c++) mine += changed(w, c, &left, &right);
    for (int32 lane = 0; lane < LANES; lane++) {
        int32 his = FROM_LANE(mine, lane);
        if (lane < LANE) to += his;
    }
    for (int32 c = first; c < last; c++) {
        if (!changed(w, c, &left, &right)) continue;
        int32 at = slots[c];
        changes[3 * to] = tour[at];
        changes[3 * to + 1] = tour[left != NOBODY ? slots[left] : at == 0 ? n - 1 : at - 1];
        changes[3 * to + 2] = tour[right != NOBODY ? slots[right] : at + 1 == n ? 0 : at + 1];
        to++;
    }
    return SUM_OF_LANES(mine);
}

/* Search the windows first .. first + count - 1, each with its share of `kicks`, the total over all windows. A window
 * stops early, after the current repair, once it has evaluated `evaluations` cities, so that all take about as long.
 * held: by city, as cut_held writes it. slots and changes: workspace of `capacity` and 3 * `capacity` numbers per window; counts: number of changed cities per
 * window; tallies: kicks and cities evaluated per window. */
KERNEL(overlapping_search, int32 n, GLOBAL const float64 *x, GLOBAL const float64 *y, int32 strips, int32 across, int32 rows,
       int32 segment, int32 bits, GLOBAL const int32 *ranked, GLOBAL const uint32 *keys, GLOBAL const int32 *lists,
       GLOBAL const int32 *tour, GLOBAL const int32 *place, GLOBAL const narrow *held, int32 first, int32 count,
       GLOBAL int32 *slots, GLOBAL int32 *changes, GLOBAL int32 *counts, GLOBAL int32 *tallies, uint64 seed, uint64 stream, real epsilon,
       int32 walk_length, int64 kicks, int64 evaluations, int32 capacity, SCRATCH_PARAMETER) {
    Store store = divide(SCRATCH, capacity);
    Board board = {n, strips, across, rows, segment, bits, ranked, keys};
    for (int32 window = first + GROUP; window < first + count; window += GROUPS) {
        GLOBAL int32 *mine = slots + (int64)window * capacity;
        int64 windows = (int64)strips * across, quota = kicks * (window + 1) / windows - kicks * window / windows;
        int32 interior_size, made = 0, m = gather_window(ROOM &board, window, place, &store, mine, &interior_size);
        Tally tally = {evaluations, 0, 0, 0};
        if (m >= 8) {
            Window w;
            open_window(&w, &store, m, epsilon);
            w.sites = store.heads;
            keep_candidates(&w, &store, lists, tour, place, mine);
            load_cities(&w, &store, x, y, tour, held, mine);
            uint64 counter = 0, key = random_key(seed, stream + (uint64)window);
            search_window(ROOM &w, store.heads, 0, key, &counter, walk_length, 0, interior_size, quota, &tally);
            SYNC_LANES();
            made = write_changes(ROOM &w, n, tour, mine, changes + 3 * (int64)window * capacity);
        }
        if (LANE == 0) {
            counts[window] = made;
            tallies[2 * window] = (int32)tally.kicks;
            tallies[2 * window + 1] = (int32)(evaluations - tally.left);
        }
        SYNC_LANES();
    }
}

/* Pack the changes of all windows contiguously; sums are the inclusive prefix sums of counts. */
KERNEL(overlapping_pack, int32 windows, int32 capacity, GLOBAL const int32 *counts, GLOBAL const int64 *sums,
       GLOBAL const int32 *changes, GLOBAL int32 *packed) {
    for (int32 window = GROUP; window < windows; window += GROUPS) {
        GLOBAL const int32 *from = changes + 3 * (int64)window * capacity;
        GLOBAL int32 *to = packed + 3 * (sums[window] - counts[window]);
        for (int32 k = LANE; k < 3 * counts[window]; k += LANES) to[k] = from[k];
    }
}
