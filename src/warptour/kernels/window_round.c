// build: metrics
/* A round of windows on a device: cut the tour into windows, search each in the fast memory of a group, join them.
 *
 * Windows are the cells of a turned chequerboard that holds as many cities in each of its cells as in any other: the
 * cities in order of one coordinate make strips, those of a strip in order of the other make its windows. All sizes
 * follow from n, strips and across, so that no offsets are stored:
 *
 *   strip k      the ranks cut(n, strips, k) .. cut(n, strips, k + 1) - 1
 *   window j     of it, cut into `across` windows likewise
 *
 * slots[s] is the place in the tour of the s-th city, windows one after the other, the cities of each in the order of
 * the tour. A fragment is known by the place of its head: lengths[place] is how many cities it then has, begins[place]
 * where they lie in `order`. Fragments keep their order, so a running sum of lengths says where each goes.
 */
#define FAST LOCAL
#define POINTS_SPACE LOCAL
#define NO_REACH
#include "metric.h"
#include "random.h"
#include "window.h"
#include "window_moves.h"
#include "window_ils.h"

#ifndef WIDTH
#define WIDTH 7 /* candidates a city */
#endif
#ifndef LOG_SIZE
#define LOG_SIZE 256 /* reversals; a repair that needs more ends early */
#endif
#define QUADRANTS 4

/* Where part k begins if `count` things are cut into `parts`. */
INLINE int32 cut(int32 count, int32 parts, int32 k) { return (int32)(((int64)count * k + parts - 1) / parts); }

/* Which part holds rank i: the last that begins at or before it. */
INLINE int32 part_of(int32 count, int32 parts, int32 i) { return (int32)((int64)i * parts / count); }

/* The keys that sort cities into strips: turned by an angle, one coordinate. */
KERNEL(round_strip_keys, int32 n, GLOBAL const float64 *x, GLOBAL const float64 *y, float64 cosine, float64 sine,
       float64 least, float64 scale, GLOBAL uint32 *keys) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES)
        keys[i] = (uint32)((x[i] * cosine - y[i] * sine - least) * scale);
}

/* Once `ranked` lists the cities by that key: the keys that sort them within strips, by the other coordinate. */
KERNEL(round_cell_keys, int32 n, int32 strips, GLOBAL const float64 *x, GLOBAL const float64 *y, float64 cosine,
       float64 sine, float64 least, float64 scale, int32 bits, GLOBAL const int32 *ranked, GLOBAL uint32 *keys) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) {
        int32 c = ranked[i];
        uint32 along = (uint32)((x[c] * sine + y[c] * cosine - least) * scale);
        keys[c] = ((uint32)part_of(n, strips, i) << bits) | along;
    }
}

/* Once `ranked` lists them by those: the window of each city. */
KERNEL(round_labels, int32 n, int32 strips, int32 across, GLOBAL const int32 *ranked, GLOBAL uint32 *label) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) {
        int32 strip = part_of(n, strips, i), first = cut(n, strips, strip), many = cut(n, strips, strip + 1) - first;
        label[ranked[i]] = (uint32)(strip * across + part_of(many, across, i - first));
    }
}

/* The windows along the tour. */
KERNEL(round_along, int32 n, GLOBAL const int32 *tour, GLOBAL const uint32 *label, GLOBAL uint32 *along) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) along[i] = label[tour[i]];
}

/* The fast memory of one window, for at most `room` cities. */
typedef struct {
    LOCAL real *x, *y;
    LOCAL Index *near, *bonds, *tour, *place, *queue, *queued, *heads;
    LOCAL int32 *log;
    LOCAL Notes *notes;
} Store;

INLINE Store divide(LOCAL char *memory, int32 room) {
    Store s;
    s.notes = (LOCAL Notes *)memory;
    s.x = (LOCAL real *)(s.notes + 1);
    s.y = s.x + room;
    s.log = (LOCAL int32 *)(s.y + room);
    s.near = (LOCAL Index *)(s.log + 2 * LOG_SIZE);
    s.bonds = s.near + WIDTH * room;
    s.tour = s.bonds + 2 * room;
    s.place = s.tour + room;
    s.queue = s.place + room;
    s.queued = s.queue + room;
    s.heads = s.queued + room;
    return s;
}

/* How many bytes a window of so many cities takes, for whoever launches. */
KERNEL(round_bytes, int32 room, GLOBAL int64 *bytes) {
    if (GROUP == 0 && LANE == 0)
        bytes[0] = (int64)sizeof(Notes) + (int64)room * 2 * sizeof(real) + 2 * LOG_SIZE * sizeof(int32) +
                   (int64)room * (WIDTH + 7) * sizeof(Index);
}

/* Put (gap, who) into a list in order of gaps, of `many` that are there already and `most` at most. */
INLINE int32 insert(real *gaps, int32 *whos, int32 many, int32 most, real gap, int32 who) {
    int32 at = many < most ? many : most - 1;
    for (; at > 0 && gaps[at - 1] > gap; at--) gaps[at] = gaps[at - 1], whos[at] = whos[at - 1];
    gaps[at] = gap, whos[at] = who;
    return many < most ? many + 1 : most;
}

/* The candidates of every city among those of its window: the nearest in each quadrant, then the nearest of all. */
INLINE void find_candidates(const Window *w, LOCAL Index *near) {
    LOCAL const real *x = w->points.x, *y = w->points.y;
    for (int32 c = LANE; c < w->m; c += LANES) {
        real gaps[WIDTH], nearest[QUADRANTS];
        int32 whos[WIDTH], quadrant[QUADRANTS], many = 0;
        for (int32 k = 0; k < QUADRANTS; k++) quadrant[k] = NOBODY, nearest[k] = 0;
        for (int32 k = 0; k < WIDTH; k++) gaps[k] = (real)INFINITY, whos[k] = NOBODY;
        for (int32 other = 0; other < w->m; other++) {
            real dx = x[other] - x[c], dy = y[other] - y[c], gap = dx * dx + dy * dy;
            int32 sector = (dx < 0) + 2 * (dy < 0);
            if (other == c) continue;
            for (int32 k = 0; k < QUADRANTS; k++)
                if (k == sector && (quadrant[k] == NOBODY || gap < nearest[k])) nearest[k] = gap, quadrant[k] = other;
            if (gap < gaps[WIDTH - 1]) {
                many = many < WIDTH ? many + 1 : WIDTH;
                real g = gap;
                int32 o = other;
                for (int32 k = 0; k < WIDTH; k++)
                    if (g < gaps[k]) {
                        real old = gaps[k];
                        int32 who = whos[k];
                        gaps[k] = g, whos[k] = o, g = old, o = who;
                    }
            }
        }
        /* quadrants that are not among the nearest take the places of the farthest */
        int32 missing = 0;
        for (int32 k = 0; k < QUADRANTS; k++) {
            int32 known = quadrant[k] == NOBODY;
            for (int32 i = 0; i < WIDTH; i++) known |= whos[i] == quadrant[k];
            if (known) quadrant[k] = NOBODY;
            else missing++;
        }
        /* a place given up must not be a quadrant's own nearest: the first WIDTH - QUADRANTS never are asked to go */
        int32 kept = many;
        for (int32 i = WIDTH - 1; i >= 0 && missing > 0; i--) {
            if (kept + missing <= WIDTH) break;
            kept = i;
        }
        for (int32 k = 0; k < QUADRANTS && kept < WIDTH; k++)
            if (quadrant[k] != NOBODY) kept = insert(gaps, whos, kept, WIDTH, nearest[k], quadrant[k]);
        for (int32 i = 0; i < WIDTH; i++) near[(OFFSET)c * WIDTH + i] = (Index)(i < kept ? whos[i] : NOBODY);
    }
    SYNC_LANES();
}

/* Number the cities of a window along the tour, and join its fragments; return how many there are. */
INLINE int32 load_window(ROOM_PARAMETER Window *w, Store *s, GLOBAL const float64 *x, GLOBAL const float64 *y,
                         GLOBAL const int32 *tour, GLOBAL const int32 *slots) {
    int32 m = w->m, middle = tour[slots[m / 2]], fragments = 0;
    float64 origin_x = x[middle], origin_y = y[middle];
    for (int32 k = LANE; k < m; k += LANES) {
        int32 c = tour[slots[k]];
        s->x[k] = (real)(x[c] - origin_x), s->y[k] = (real)(y[c] - origin_y);
        s->tour[k] = s->place[k] = s->queue[k] = (Index)k;
        s->queued[k] = 1;
        s->bonds[2 * k] = s->bonds[2 * k + 1] = NOBODY;
    }
    SYNC_LANES();
    /* heads in order: each lane counts its stretch, then writes after those before it */
    int32 stretch = (m + LANES - 1) / LANES, first = LANE * stretch, mine = 0;
    int32 last = first + stretch < m ? first + stretch : m;
    for (int32 k = first; k < last; k++) mine += k == 0 || slots[k] != slots[k - 1] + 1;
    int32 at = 0;
    for (int32 lane = 0; lane < LANES; lane++) {
        int32 theirs = FROM_LANE(mine, lane);
        if (lane < LANE) at += theirs;
        fragments += theirs;
    }
    for (int32 k = first; k < last; k++) {
        if (k > 0 && slots[k] == slots[k - 1] + 1) continue;
        int32 before = (k == 0 ? m : k) - 1;
        s->heads[at++] = (Index)k;
        s->bonds[2 * k + 1] = (Index)before;
        s->bonds[2 * before] = (Index)k;
    }
    SYNC_LANES();
    return fragments;
}

/* Write the cities of a window in their new order, and for each fragment how many it has and where. */
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

/* Search the windows first .. first + count - 1: repair all of each, then kick it `kicks` times for 1024 of its cities;
 * with kicks below 0 they stay as they are. won and tallies (kicks, cities looked at) are per window. */
KERNEL(round_search, int32 n, GLOBAL const float64 *x, GLOBAL const float64 *y, int32 strips, int32 across, int32 first,
       int32 count, GLOBAL const int32 *tour, GLOBAL const int32 *slots, GLOBAL int32 *order, GLOBAL int32 *heads,
       GLOBAL int32 *lengths, GLOBAL int32 *begins, GLOBAL real *won, GLOBAL int32 *tallies, uint64 seed, uint64 stream,
       real noise, int32 paces, int32 kicks, int32 room, SCRATCH_PARAMETER) {
    Store store = divide(SCRATCH, room);
    for (int32 window = first + GROUP; window < first + count; window += GROUPS) {
        int32 strip = window / across, from = cut(n, strips, strip), many = cut(n, strips, strip + 1) - from;
        int32 start = from + cut(many, across, window % across);
        int32 end = from + cut(many, across, window % across + 1);
        GLOBAL const int32 *mine = slots + start;
        Window w;
        w.m = end - start, w.width = WIDTH;
        if (w.m == 0) continue;
        w.points.x = store.x, w.points.y = store.y, w.points.z = 0, w.points.table = 0, w.points.n = w.m;
        w.points.norm = EUCLIDEAN_2D, w.points.rounding = NONE, w.points.divisor = 1, w.points.radius = 0;
        w.near = store.near, w.reach = 0, w.bonds = store.bonds, w.tour = store.tour, w.place = store.place;
        w.queue = store.queue, w.queued = store.queued, w.head = 0, w.dirty = w.m, w.notes = store.notes;
        w.log = store.log, w.logged = 0, w.log_size = LOG_SIZE, w.noise = noise;
        int32 fragments = load_window(ROOM &w, &store, x, y, tour, mine);
        Tally tally = {(int64)1 << 40, 0, 0, 0};
        if (kicks >= 0 && w.m >= 8) {
            find_candidates(&w, store.near);
            uint64 counter = 0, key = random_key(seed, stream + (uint64)window);
            search_window(ROOM &w, store.heads, fragments, key, &counter, paces, 0, w.m, (int64)w.m * kicks / 1024, &tally);
        }
        SYNC_LANES();
        unload_window(&w, &store, fragments, start, tour, mine, order, heads, lengths, begins);
        if (LANE == 0) {
            won[window] = tally.won;
            tallies[2 * window] = (int32)tally.kicks;
            tallies[2 * window + 1] = (int32)(((int64)1 << 40) - tally.left);
        }
        SYNC_LANES();
    }
}

/* Write the new tour: sums are the running sums of lengths; its first city comes to be at place `turn`. */
KERNEL(round_join, int32 n, int32 turn, GLOBAL const int32 *order, GLOBAL const int32 *heads,
       GLOBAL const int32 *lengths, GLOBAL const int64 *sums, GLOBAL const int32 *begins, GLOBAL int32 *tour) {
    for (int32 s = GROUP * LANES + LANE; s < n; s += GROUPS * LANES) {
        int32 head = heads[s];
        int64 to = sums[head] - lengths[head] + (s - begins[head]) + turn;
        tour[to < n ? to : to - n] = order[s];
    }
}
