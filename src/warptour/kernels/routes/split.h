/* Split (Prins 2004): divide a giant tour of all customers, in its order, into routes at minimum penalised cost.
 *
 * A route may exceed the capacity and its limits at a penalty, but a route of several customers carries at most `most`
 * times the capacity. Dynamic programme: best[i] is the minimum cost of the first i customers, from[i] the position at
 * which their last route begins. If that needs more than `slots` routes, it is solved again with one row of best and
 * from per number of routes. Both are (slots + 1) * m long.
 */
#ifndef WARPTOUR_ROUTES_SPLIT
#define WARPTOUR_ROUTES_SPLIT
#ifdef TIMED
#include "common/segments.h"
#endif

typedef struct {
    int32 m;
    GLOBAL const int32 *tour;
    GLOBAL const real *table, *home, *demand, *service; /* home: travel back to the depot */
    real capacity, limit, fixed, per_load, per_time, most;
    GLOBAL const real *travel2, *service2; /* of the second limit; service2 is null if there is none */
    real limit2, per_time2;
#ifdef TIMED
    GLOBAL const real *opens, *closes; /* as in penalized.h; the second limit is on the trouble of routes */
    real longest;
#endif
} Cut;

#define FAR ((real)1e300)

/* Relax all routes that begin at position i: from best[i] to `then` and `from` at the end of each route. */
INLINE void extend(const Cut *c, int32 i, GLOBAL const real *best, GLOBAL real *then, GLOBAL int32 *from) {
    real load = 0, time = 0;
#ifdef TIMED
    Segment piece = stop_segment(c->opens[0], c->closes[0], c->service2[0]);
    Segment end = stop_segment(c->opens[0], c->closes[c->m], 0);
#else
    real time2 = 0;
#endif
    for (int32 j = i, a = 0; j < c->m - 1; j++) {
        int32 b = c->tour[j];
        load += c->demand[b];
        if (j > i && load > c->most * c->capacity) break;
        time += c->table[(int64)a * c->m + b] + c->service[b];
        real whole = time + c->home[b], cost = best[i] + whole + c->fixed;
        if (load > c->capacity) cost += c->per_load * (load - c->capacity);
        if (whole > c->limit) cost += c->per_time * (whole - c->limit);
#ifdef TIMED
        piece = joined(piece, c->travel2[(int64)a * c->m + b], stop_segment(c->opens[b], c->closes[b], c->service2[b]));
        Segment all = joined(piece, c->travel2[(int64)b * c->m], end);
        cost += c->per_time2 * (all.warp + (all.duration > c->longest ? all.duration - c->longest : 0));
#else
        if (c->service2) {
            time2 += c->travel2[(int64)a * c->m + b] + c->service2[b];
            real whole2 = time2 + c->travel2[(int64)b * c->m];
            if (whole2 > c->limit2) cost += c->per_time2 * (whole2 - c->limit2);
        }
#endif
        if (cost < then[j + 1]) then[j + 1] = cost, from[j + 1] = i;
        a = b;
    }
}

/* Write the optimal routes that end in row `row`, each followed by the depot, last route first; return the length. */
INLINE int32 write_routes(const Cut *c, GLOBAL const int32 *from, int32 row, int32 rows_apart, GLOBAL int32 *giant) {
    int32 at = 0, end = c->m - 1;
    for (int32 k = row; end > 0; k--) {
        int32 begin = from[(int64)k * rows_apart + end];
        for (int32 j = begin; j < end; j++) giant[at++] = c->tour[j];
        giant[at++] = 0;
        end = begin;
    }
    return at;
}

/* Write the optimal routes of c->tour, at most `slots`; return the length of the giant tour. */
INLINE int32 split_tour(Cut *c, int32 slots, GLOBAL real *best, GLOBAL int32 *from, GLOBAL int32 *giant) {
    int32 m = c->m, routes = 0;
    for (int32 i = 1; i < m; i++) best[i] = FAR;
    best[0] = 0;
    for (int32 i = 0; i < m - 1; i++) extend(c, i, best, best, from);
    for (int32 end = m - 1; end > 0; end = from[end]) routes++;
    if (routes <= slots) return write_routes(c, from, 0, 0, giant);
    c->most = 2; /* filling routes in order up to twice the capacity never takes more than `slots` routes */
    for (int64 k = 0; k < (int64)(slots + 1) * m; k++) best[k] = FAR;
    best[0] = 0;
    for (int32 k = 0; k < slots; k++)
        for (int32 i = k; i < m - 1; i++)
            if (best[(int64)k * m + i] < FAR)
                extend(c, i, best + (int64)k * m, best + (int64)(k + 1) * m, from + (int64)(k + 1) * m);
    for (int32 k = 1, least = 0; k <= slots; k++)
        if (least == 0 || best[(int64)k * m + m - 1] < best[(int64)least * m + m - 1]) routes = least = k;
    return write_routes(c, from, routes, m, giant);
}

#endif
