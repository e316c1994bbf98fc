/* A window in shared memory (CUDA) or local memory (OpenCL) of a group. */
#ifndef WARPTOUR_WINDOW_FAST
#define WARPTOUR_WINDOW_FAST

#define FAST LOCAL
#define POINTS_SPACE LOCAL
#define NO_REACH
#define JOINS_ONLY
#include "common/metric.h"
#include "common/random.h"
#include "tours/window.h"
#include "tours/window_moves.h"
#include "tours/window_ils.h"

#ifndef WIDTH
#define WIDTH 7 /* number of candidates per city */
#endif
#ifndef LOG_SIZE
#define LOG_SIZE 256 /* capacity in reversals; a repair that needs more ends early */
#endif

/* Arrays of one window in shared memory, for at most `capacity` cities. */
typedef struct {
    LOCAL real *x, *y;
    LOCAL Index *near, *tour, *place, *queue, *queued, *heads, *log;
    LOCAL Notes *notes;
} Store;

INLINE Store divide(LOCAL char *memory, int32 capacity) {
    Store s;
    s.notes = (LOCAL Notes *)memory;
    s.x = (LOCAL real *)(s.notes + 1);
    s.y = s.x + capacity;
    s.log = (LOCAL Index *)(s.y + capacity);
    s.near = s.log + 2 * LOG_SIZE;
    s.tour = s.near + WIDTH * capacity;
    s.place = s.tour + capacity;
    s.queue = s.place + capacity;
    s.queued = s.queue + capacity;
    s.heads = s.queued + capacity;
    return s;
}

/* Return the size of a Store in bytes. */
INLINE int64 store_bytes(int32 capacity) {
    return (int64)sizeof(Notes) + (int64)capacity * 2 * sizeof(real) + 2 * LOG_SIZE * sizeof(Index) +
           (int64)capacity * (WIDTH + 5) * sizeof(Index);
}

/* Initialise an empty window of m cities over a store; its cities are loaded later. */
INLINE void open_window(Window *w, const Store *s, int32 m, real epsilon) {
    w->m = m, w->width = WIDTH;
    w->points.x = s->x, w->points.y = s->y, w->points.z = 0, w->points.table = 0, w->points.n = m;
    w->points.norm = EUCLIDEAN_2D, w->points.rounding = NONE, w->points.divisor = 1, w->points.radius = 0;
    w->near = s->near, w->reach = 0, w->bonds = 0, w->tour = s->tour, w->place = s->place;
    w->queue = s->queue, w->queued = s->queued, w->head = 0, w->queue_length = 0, w->notes = s->notes;
    w->log = s->log, w->logged = 0, w->log_size = LOG_SIZE, w->epsilon = epsilon;
}

#endif
