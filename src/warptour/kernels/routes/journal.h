/* Undo journal of one iteration of ruin and recreate: a rejected iteration costs as much to undo as it cost to do. */
#ifndef WARPTOUR_ROUTES_JOURNAL
#define WARPTOUR_ROUTES_JOURNAL
#include "routes/routes.h"
#include "routes/schedule.h"
#include "routes/tails.h"

/* A line of the journal is a kind, a route, a node of it, and another route and node:
 *     REMOVAL     of u from r, where v preceded it        INSERTION   of u into r
 *     TAILS, HEADS, REVERSAL: arguments of the function that undoes it */
#define LOG_LINE 5
#define REMOVAL 0
#define INSERTION 1
#define TAILS 2
#define HEADS 3
#define REVERSAL 4

INLINE void begin_attempt(Fleet *f) {
    f->logged = f->touches = 0;
    f->attempt++;
    f->old_cost = f->cost;
}

INLINE void touch(Fleet *f, int32 r) {
    if (f->stamp[r] == f->attempt) return;
    f->stamp[r] = f->attempt;
    f->old_load[r] = f->load[r], f->old_time[r] = f->time[r];
    for (int32 k = 0; k < SUMS(f); k++) f->old_sum[r * (int64)f->sums + k] = f->sum[r * (int64)f->sums + k];
#ifdef TIMED
    f->old_price[r] = f->price[r];
#endif
    f->touched[f->touches++] = r;
}

INLINE void write_log(Fleet *f, int32 kind, int32 r, int32 u, int32 q, int32 v) {
    GLOBAL int32 *line = f->log + LOG_LINE * (int64)f->logged++;
    line[0] = kind, line[1] = r, line[2] = u, line[3] = q, line[4] = v;
}

/* Remove customer c from its route. */
INLINE void take_out(Fleet *f, int32 c) {
    int32 r = f->route[c];
    touch(f, r);
    write_log(f, REMOVAL, r, c, r, f->prev[c]);
    change_sums(f, r, f->prev[c], c, f->next[c], -1);
    real less = f->back[c] + f->ahead[c] - unlink_customer(f, c);
    f->load[r] -= f->demand[c];
    f->time[r] -= less + f->service[c];
    f->cost -= less - prize_of(f, c);
    if (f->size[r] == 0) f->load[r] = 0, f->time[r] = 0, f->cost -= f->fixed, clear_sums(f, r);
}

/* Insert customer c into route r after a, which adds `more` travel. */
INLINE void put_in(Fleet *f, int32 c, int32 a, int32 r, real more) {
    touch(f, r);
    write_log(f, INSERTION, r, c, r, a);
    if (f->size[r] == 0) f->cost += f->fixed;
    link_customer(f, c, a, r);
    change_sums(f, r, a, c, f->next[c], 1);
    f->load[r] += f->demand[c];
    f->time[r] += more + f->service[c];
    f->cost += more - prize_of(f, c);
}

/* Undo all changes since begin_attempt. */
INLINE void undo_attempt(Fleet *f) {
    while (f->logged > 0) {
        GLOBAL const int32 *line = f->log + LOG_LINE * (int64)--f->logged;
        int32 r = line[1], u = line[2], q = line[3], v = line[4];
        if (line[0] == INSERTION) unlink_customer(f, u);
        else if (line[0] == REMOVAL) link_customer(f, u, v, r);
        else if (line[0] == TAILS) exchange_tails(f, r, u, q, v);
        else if (line[0] == HEADS) join_heads(f, r, u, q, v);
        else reverse_segment(f, r, u, v);
    }
    for (int32 k = 0; k < f->touches; k++) {
        int32 r = f->touched[k];
        f->load[r] = f->old_load[r], f->time[r] = f->old_time[r];
        for (int32 k = 0; k < SUMS(f); k++) f->sum[r * (int64)f->sums + k] = f->old_sum[r * (int64)f->sums + k];
#ifdef TIMED
        f->price[r] = f->old_price[r];
#endif
    }
    f->cost = f->old_cost;
}

#endif
