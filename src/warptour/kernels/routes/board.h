/* A board on which threads that anneal one solution together post what they change.
 *
 * Few iterations change anything: on X-n1001-k43 one in six where annealing begins, one in 250 where it ends. So each
 * thread searches a copy of all routes and posts each change that it accepts. If another thread has changed one of the
 * same routes since this one last read the board, the change is undone instead. Before each iteration a thread takes over
 * the others' posts.
 *
 * A post holds its length, its author, whether it reached the lowest cost so far, and for each changed route its number,
 * size and customers.
 */
#ifndef WARPTOUR_ROUTES_BOARD
#define WARPTOUR_ROUTES_BOARD
#include "routes/annealing.h"

#define POST_HEADER 3

/* Entries of counters, each in a cache line of its own, of up to 128 bytes. */
#define WRITTEN 0  /* length of all posts */
#define LOCKED 16  /* whether a thread is writing */
#define STARTED 32 /* iterations that all threads have begun */
#define LONGEST_WAIT 2000 /* looks at the lock before a change is given up */

typedef struct {
    GLOBAL int32 *posts;
    int64 room, read; /* length of posts, and how much of them this thread has read */
    GLOBAL int64 *counters;
    GLOBAL real *costs; /* COST and LOWEST of the common routes; for the thread that holds the lock */
    int32 author;
    GLOBAL int32 *prev, *first, *size; /* routes as they were when this thread last read or posted */
    int32 champion;                    /* whether its routes are the cheapest so far and not yet saved */
} Board;

/* seen: room for prev, first and size. */
INLINE Board board_of(GLOBAL int32 *posts, int64 room, GLOBAL int64 *counters, GLOBAL real *costs, int32 author,
                      GLOBAL int32 *seen, const Fleet *f) {
    Board b = {posts, room, 0, counters, costs, author, seen, seen + f->m, seen + f->m + f->slots, 0};
    return b;
}

/* Whether the longest possible post no longer fits. */
INLINE int32 is_full(const Fleet *f, const Board *b) {
    return ACQUIRE(b->counters + WRITTEN) + POST_HEADER + 3 * (int64)f->m > b->room;
}

/* Note route r as it is. What is not in a route has no predecessor. */
INLINE void note_route(const Fleet *f, Board *b, int32 r) {
    b->size[r] = f->size[r], b->first[r] = f->first[r];
    for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c]) b->prev[c] = f->prev[c];
}

INLINE int32 is_changed(const Fleet *f, const Board *b, int32 r) {
    if (f->size[r] != b->size[r]) return 1;
    if (f->size[r] == 0) return 0;
    if (f->first[r] != b->first[r]) return 1;
    for (int32 c = f->first[r]; c != DEPOT; c = f->next[c])
        if (f->prev[c] != b->prev[c]) return 1;
    return 0;
}

#ifdef MIXED
/* Whether some nodes may be in no route: optional customers, or reloads. */
INLINE int32 may_be_absent(const Fleet *f) { return f->prize || f->group || CUSTOMERS(f) < f->m - 1; }

/* Whether c may have been fetched by a post: it or one of its alternatives is in it. */
INLINE int32 is_posted(const Fleet *f, const Board *b, int32 c, int64 at) {
    int32 group = f->group ? f->group[c] : -1;
    for (int64 k = at + POST_HEADER; k < at + b->posts[at]; k += 2 + b->posts[k + 1])
        for (int64 j = k + 2; j < k + 2 + b->posts[k + 1]; j++) {
            int32 v = b->posts[j];
            if (v == c || (group >= 0 && f->group[v] == group)) return 1;
        }
    return 0;
}

/* Whether a customer that this iteration has fetched is in a post of another thread between b->read and `end`. */
INLINE int32 fetched_twice(const Fleet *f, const Board *b, int64 end) {
    for (int64 at = b->read; at < end && may_be_absent(f); at += b->posts[at]) {
        if (b->posts[at + 1] == b->author) continue;
        for (int32 k = 0; k < f->logged; k++) {
            GLOBAL const int32 *line = f->log + LOG_LINE * (int64)k;
            if (line[0] == INSERTION && b->prev[line[2]] == ABSENT && is_posted(f, b, line[2], at)) return 1;
        }
    }
    return 0;
}

/* Note the customers that this iteration has dropped. */
INLINE void note_dropped(const Fleet *f, Board *b) {
    for (int32 k = 0; k < f->logged && may_be_absent(f); k++) {
        GLOBAL const int32 *line = f->log + LOG_LINE * (int64)k;
        if (line[0] == REMOVAL && f->route[line[2]] == ABSENT) b->prev[line[2]] = ABSENT;
    }
}

/* Take the customers of a post's routes out of them, before others take their places. */
INLINE void vacate_routes(Fleet *f, Board *b, GLOBAL const int32 *post) {
    for (int32 k = POST_HEADER; k < post[0]; k += 2 + post[k + 1]) {
        int32 r = post[k];
        for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c]) {
            f->route[c] = b->prev[c] = ABSENT, f->cost += prize_of(f, c);
            note_service(f, c, -1);
        }
    }
}
#else
INLINE int32 fetched_twice(const Fleet *f, const Board *b, int64 end) { return (void)f, (void)b, (void)end, 0; }
INLINE void note_dropped(const Fleet *f, Board *b) { (void)f, (void)b; }
INLINE void vacate_routes(Fleet *f, Board *b, GLOBAL const int32 *post) { (void)f, (void)b, (void)post; }
#endif

/* Whether one of the `count` routes was changed by a post of another thread between b->read and `end`. */
INLINE int32 clashes(const Board *b, GLOBAL const int32 *routes, int32 count, int64 end) {
    for (int64 at = b->read; at < end; at += b->posts[at]) {
        if (b->posts[at + 1] == b->author) continue;
        for (int64 k = at + POST_HEADER; k < at + b->posts[at]; k += 2 + b->posts[k + 1])
            for (int32 j = 0; j < count; j++)
                if (routes[j] == b->posts[k]) return 1;
    }
    return 0;
}

INLINE void write_post(const Fleet *f, const Board *b, GLOBAL int32 *post, GLOBAL const int32 *routes, int32 count,
                       int32 lowest) {
    int32 at = POST_HEADER;
    for (int32 k = 0; k < count; k++) {
        int32 r = routes[k];
        post[at++] = r, post[at++] = f->size[r];
        for (int32 c = f->size[r] > 0 ? f->first[r] : DEPOT; c != DEPOT; c = f->next[c]) post[at++] = c;
    }
    post[0] = at, post[1] = b->author, post[2] = lowest;
}

/* Post what this iteration has changed. Return 0 if it must be undone: another thread has changed one of its routes or
 * holds the lock too long, or the board is full. */
INLINE int32 post_change(Fleet *f, Board *b, real least) {
    GLOBAL int32 *routes = f->queue;
    int32 count = 0, length = POST_HEADER, posted = 0;
    for (int32 k = 0; k < f->touches; k++) {
        if (count == f->m) return 0; /* there is room for no more */
        if (is_changed(f, b, f->touched[k])) routes[count++] = f->touched[k], length += 2 + f->size[f->touched[k]];
    }
    if (count == 0) return 1;
    for (int32 look = 0; !LOCK(b->counters + LOCKED); look++)
        if (look == LONGEST_WAIT) return 0;
    int64 end = b->counters[WRITTEN];
    if (end + length <= b->room && !clashes(b, routes, count, end) && !fetched_twice(f, b, end)) {
        real cost = b->costs[COST] + (f->cost - f->old_cost);
        int32 lowest = cost < b->costs[LOWEST] - least;
        write_post(f, b, b->posts + end, routes, count, lowest);
        b->costs[COST] = cost;
        if (lowest) b->costs[LOWEST] = cost;
        RELEASE(b->counters + WRITTEN, end + length);
        posted = 1;
    }
    RELEASE(b->counters + LOCKED, 0);
    if (!posted) return 0;
    for (int32 k = 0; k < count; k++) note_route(f, b, routes[k]);
    note_dropped(f, b);
    return 1;
}

/* Let route r be the given customers. */
INLINE void replace_route(Fleet *f, int32 r, GLOBAL const int32 *customers, int32 size) {
    real load = 0, time = 0;
    int32 a = DEPOT;
    f->first[r] = f->last[r] = DEPOT;
    for (int32 k = 0; k < size; k++) {
        int32 c = customers[k];
        int32 was = f->route[c], known = f->prev[c] == a && was != ABSENT;
        known = known && (a != DEPOT || alike(f, r, was)) && same_ways(f, r, was);
        real d = known ? f->back[c] : leg(f, r, a, c);
        load += f->demand[c], time += d + f->service[c];
        if (f->route[c] == ABSENT) f->cost -= prize_of(f, c), note_service(f, c, 1);
        f->route[c] = r, f->prev[c] = a, f->back[c] = d;
        if (a != DEPOT) f->next[a] = c, f->ahead[a] = d;
        a = c;
    }
    if (size > 0) {
        real home = leg(f, r, a, DEPOT);
        f->first[r] = customers[0], f->last[r] = a;
        f->next[a] = DEPOT, f->ahead[a] = home, time += home;
    }
    f->load[r] = load, f->time[r] = time, forget_sums(f, r);
    if (f->size[r] > 0 && size == 0) push_spare(f, r);
    if (f->size[r] == 0 && size > 0) pop_spare(f, r);
    f->size[r] = size;
    add_up_sums(f, r);
}

/* Take over the routes of a post. */
INLINE void take_over(Fleet *f, Board *b, GLOBAL const int32 *post) {
    int32 used = f->slots - f->spares;
    real more = 0;
    vacate_routes(f, b, post);
    for (int32 k = POST_HEADER; k < post[0]; k += 2 + post[k + 1]) {
        int32 r = post[k];
        more -= f->time[r];
        replace_route(f, r, post + k + 2, post[k + 1]);
        note_route(f, b, r);
        more += f->time[r];
#ifdef TIMED
        schedule_route(f, r);
#endif
    }
    f->cost += more + (f->slots - f->spares - used) * f->fixed;
}

/* Save the routes of a champion in `best` if they are cheaper than those saved before; size: length of the giant tour. */
INLINE void save_champion(const Fleet *f, Board *b, GLOBAL int32 *best, real *lowest, int64 *size) {
    if (b->champion && f->cost < *lowest) *size = write_giant_tour(f, best), *lowest = f->cost;
    b->champion = 0;
}

/* Take over what other threads have posted. Before the cheapest routes get worse, they are saved. */
INLINE void read_board(Fleet *f, Board *b, GLOBAL int32 *best, real *lowest, int64 *size) {
    int64 end = ACQUIRE(b->counters + WRITTEN);
    while (b->read < end) {
        GLOBAL const int32 *post = b->posts + b->read;
        b->read += post[0];
        if (post[1] == b->author) {
            b->champion |= post[2];
            continue;
        }
        if (post[2]) b->champion = 0;
        save_champion(f, b, best, lowest, size);
        take_over(f, b, post);
    }
}

#endif
