/* Local search around the customers that ruin and recreate has moved: 2-opt*, 2-opt, Or-opt and swaps.
 *
 * Insertion moves customers one by one into what the ruin has left; these moves change what is between them. Each joins
 * a customer u to one of its nearest, v, and the best for u is made if it lowers the cost and keeps all limits.
 */
#ifndef WARPTOUR_ROUTES_LOCAL
#define WARPTOUR_ROUTES_LOCAL
#include "routes/journal.h"

#define LONGEST_CHAIN 3
#define MAX_MOVES 16                        /* per iteration, for which the journal has room */
#define LINES_PER_MOVE (2 * LONGEST_CHAIN)  /* at most, in the journal */

/* A move, and what it saves. kind: of the journal's line, or */
#define NO_MOVE (-1)
#define CHAIN 5 /* the chain of `count` customers from u on, onward or backward, comes behind v or before it */
#define SWAP 6  /* u and v change places */
typedef struct {
    real gain;
    int32 kind, r, u, q, v, count, onward, behind;
} Move;

INLINE void keep_better(Move *best, real gain, int32 kind, int32 r, int32 u, int32 q, int32 v) {
    Move move = {gain, kind, r, u, q, v, 0, 0, 0};
    if (gain > best->gain) *best = move;
}

/* Whether a move may gain by other vehicles or ends of routes what it does not gain by distance. */
#ifdef MIXED
#define MAY_GAIN(f, r, q) ((f)->kind[r] != (f)->kind[q])
#else
#define MAY_GAIN(f, r, q) 0
#endif

#ifdef MIXED
/* Whether the vehicle of q may serve route r from x on, and that of r the part of q that comes to it: from y on or, if
 * `turned`, up to v. */
INLINE int32 may_serve_parts(const Fleet *f, int32 turned, int32 r, int32 x, int32 q, int32 v, int32 y) {
    if (!f->allows || f->kind[r] == f->kind[q]) return 1;
    for (int32 c = x; c != DEPOT; c = f->next[c])
        if (!may_serve(f, q, c)) return 0;
    for (int32 c = turned ? v : y; c != DEPOT; c = turned ? f->prev[c] : f->next[c])
        if (!may_serve(f, r, c)) return 0;
    return 1;
}

/* Whether c changes its route as tails, or heads if `turned`, are exchanged behind u of route r and v of q. */
INLINE int32 changes_route(const Fleet *f, int32 turned, int32 r, int32 u, int32 q, int32 v, int32 c) {
    if (f->route[c] == r) return u == DEPOT || f->place[c] > f->place[u];
    if (f->route[c] != q) return 0;
    return turned ? v != DEPOT && f->place[c] <= f->place[v] : v == DEPOT || f->place[c] > f->place[v];
}

/* Whether c, which changes its route then, does so with its company, and leaves or meets no rival. */
INLINE int32 keeps_bonds(const Fleet *f, int32 turned, int32 r, int32 u, int32 q, int32 v, int32 c) {
    const Bonds *b = &f->bonds;
    int32 company = b->company[c], other = f->route[c] == r ? q : r;
    for (int32 k = company < 0 ? 0 : begin_of(b->company_ends, company); company >= 0 && k < b->company_ends[company]; k++)
        if (!changes_route(f, turned, r, u, q, v, b->companions[k])) return 0;
    for (int32 k = begin_of(b->quarrel_ends, c); k < b->quarrel_ends[c]; k++)
        for (int32 j = begin_of(b->rival_ends, b->quarrels[k]); j < b->rival_ends[b->quarrels[k]]; j++)
            if (f->route[b->rivals[j]] == other && !changes_route(f, turned, r, u, q, v, b->rivals[j])) return 0;
    return 1;
}

/* Whether all customers that change their routes keep their bonds. Both routes are measured. */
INLINE int32 all_keep_bonds(const Fleet *f, int32 turned, int32 r, int32 u, int32 x, int32 q, int32 v, int32 y) {
    if (!f->bonds.company) return 1;
    for (int32 c = x; c != DEPOT; c = f->next[c])
        if (!keeps_bonds(f, turned, r, u, q, v, c)) return 0;
    for (int32 c = turned ? v : y; c != DEPOT; c = turned ? f->prev[c] : f->next[c])
        if (!keeps_bonds(f, turned, r, u, q, v, c)) return 0;
    return 1;
}
#endif

/* Consider exchange_tails or join_heads at u and v, which saves `gain`. */
INLINE void consider_tails(Fleet *f, Move *best, int32 kind, int32 r, int32 u, int32 q, int32 v, real gain) {
    if (!MAY_GAIN(f, r, q) && gain <= best->gain) return;
#ifdef PAIRS
    if (kind == HEADS) return; /* loads of a reversed part would be those of its other end */
#endif
    Halves halves = halves_after(f, kind == HEADS, r, u, q, v);
    if (halves.load_r > capacity_of(f, r) || halves.load_q > capacity_of(f, q)) return;
    if (halves.time_r > limit_of(f, r) || halves.time_q > limit_of(f, q)) return;
    for (int32 k = 0; k < SUMS(f); k++) {
        real sum_q, sum_r = sum_after(f, k, kind == HEADS, r, u, q, v, &sum_q);
        if (sum_r > most_of(f, r, k) || sum_q > most_of(f, q, k)) return;
    }
#ifdef TIMED
    real price_r, price_q;
    int32 x = successor(f, r, u), y = successor(f, q, v), turned = kind == HEADS; /* if so, times do not count */
#ifdef MIXED
    if (!may_serve_parts(f, turned, r, x, q, v, y) || !all_keep_bonds(f, turned, r, u, x, q, v, y)) return;
    gain = f->time[r] + f->time[q] - halves.time_r - halves.time_q;
#endif
    schedule_route(f, r), schedule_route(f, q);
    if (!keeps_times(f, r, u, 0, 0, q, turned ? v : y, r, halves.time_r, &price_r)) return;
    if (!keeps_times(f, q, turned ? y : v, 0, 0, r, x, q, halves.time_q, &price_q)) return;
    gain += f->price[r] + f->price[q] - price_r - price_q;
#endif
    keep_better(best, gain, kind, r, u, q, v);
}

#ifdef TIMED
/* List the chain s..t of `count` customers, if `turned` from behind, in f->middle from number `listed` on; return the new
 * number. */
INLINE int32 list_chain(Fleet *f, int32 s, int32 t, int32 count, int32 turned, int32 listed) {
    for (int32 k = 0, c = turned ? t : s; k < count; k++, c = turned ? f->prev[c] : f->next[c]) f->middle[listed++] = c;
    return listed;
}
#endif

/* Consider 2-opt in route r, which saves `gain`: cut behind u and v, or before both, and reverse what is between. */
INLINE void consider_reversal(Fleet *f, Move *best, int32 r, int32 u, int32 v, int32 behind, real gain) {
    if (gain <= best->gain) return;
    measure_route(f, r);
    int32 first = f->place[u] < f->place[v] ? u : v, last = first == u ? v : u;
    int32 from = behind ? f->next[first] : first, to = behind ? last : f->prev[last];
    if (!sums_allow_turn(f, r, from, to)) return;
#ifdef PAIRS
    int32 listed = list_chain(f, from, to, f->place[to] - f->place[from] + 1, 1, 0);
    schedule_route(f, r);
    if (!keeps_loads(f, f->prev[from], f->middle, listed, f->next[to], r)) return;
#endif
    keep_better(best, gain, REVERSAL, r, from, r, to);
}

#ifdef TIMED
/* Whether times are kept after Or-opt with the chain u..e of `count` customers as make_move() makes it, after which the routes
 * of u and v are `left` and `travel` long; *gain receives what they then cost less beside that. */
INLINE int32 chain_in_time(Fleet *f, int32 u, int32 e, int32 count, int32 v, int32 onward, int32 behind, real left,
                           real travel, real *gain) {
    int32 r = f->route[u], q = f->route[v], s = onward ? u : e, t = onward ? e : u, listed = 0;
    int32 before = f->prev[s], after = f->next[t], a = behind ? v : f->prev[v], b = behind ? f->next[v] : v;
    real price, other = 0;
    schedule_route(f, r), schedule_route(f, q);
    if (q == r) {
        measure_route(f, r);
        int32 later = f->place[v] > f->place[u];
        for (int32 c = after; later && c != b; c = f->next[c]) f->middle[listed++] = c;
        listed = list_chain(f, s, t, count, behind != onward, listed);
        for (int32 c = b; !later && c != s; c = f->next[c]) f->middle[listed++] = c;
        if (!keeps_times(f, r, later ? before : a, f->middle, listed, r, later ? b : after, r, travel, &price)) return 0;
        *gain = f->price[r] - price;
        return 1;
    }
    listed = list_chain(f, s, t, count, behind != onward, 0);
    if (!keeps_times(f, q, a, f->middle, listed, q, b, q, travel, &price)) return 0;
    if (PRICED(f) && !keeps_times(f, r, before, 0, 0, r, after, r, left, &other)) return 0;
    *gain = f->price[r] + f->price[q] - price - other;
    return 1;
}
#endif

/* Consider Or-opt with chains that begin at u and lead onward or back, u coming next to v. to, from: d(u, v), d(v, u).
 *
 *     onward:   - a u .. e z -    - p v y -    ->    - a z -    - p v u .. e y -    or    - p e .. u v y - */
INLINE void consider_chains(Fleet *f, Move *best, int32 u, int32 v, real to, real from, int32 onward) {
    int32 r = f->route[u], q = f->route[v], a = onward ? f->prev[u] : f->next[u], e = u;
    real load = 0, time = 0, near = onward ? f->back[u] : f->ahead[u];
    real foreign = 0; /* what the chain is longer with the vehicle of q */
    int32 parted = 0;
    UNROLL(1)
    for (int32 count = 1; count <= LONGEST_CHAIN && e != DEPOT && e != v; count++) {
        int32 z = onward ? f->next[e] : f->prev[e];
        load += f->demand[e], time += f->service[e];
        if (q != r && (f->load[q] + load > capacity_of(f, q) || !may_join(f, q, e, ABSENT))) return;
        parted += lonely_ends(f, e);
        real far = onward ? f->ahead[e] : f->back[e], less = near + far - (onward ? apart(f, r, a, z) : apart(f, r, z, a));
        UNROLL(1)
        for (int32 behind = 0; behind < 2 && (q == r || !parted); behind++) {
            int32 y = behind ? f->next[v] : f->prev[v];
            if (y == u || y == e || (!REVERSIBLE(f) && count > 1 && behind != onward)) continue;
            real gain = less + (behind ? f->ahead[v] - from : f->back[v] - to) - foreign;
            if (gain <= best->gain) continue;
            gain -= behind ? apart(f, q, e, y) : apart(f, q, y, e);
            if (gain <= best->gain || (q != r && f->time[q] + time + less - gain > limit_of(f, q))) continue;
            if (!sums_allow_chain(f, r, q, u, e, v, y, onward, behind)) continue;
#ifdef TIMED
            real cheaper, travel = q == r ? f->time[r] - gain : f->time[q] + time + less - gain;
            if (!chain_in_time(f, u, e, count, v, onward, behind, f->time[r] - time - less, travel, &cheaper)) continue;
            gain += cheaper;
            if (gain <= best->gain) continue;
#endif
            Move move = {gain, CHAIN, r, u, q, v, count, onward, behind};
            *best = move;
        }
        if (!same_ways(f, r, q) && z != DEPOT) foreign += (onward ? leg(f, q, e, z) : leg(f, q, z, e)) - far;
        time += far;
        e = z;
    }
}

/* Consider swapping u with the customer y next to v, in another route.
 *
 *     - a u b -    - v y z -    ->    - a y b -    - v u z - */
INLINE void consider_swaps(Fleet *f, Move *best, int32 u, int32 v, real to, real from) {
    int32 r = f->route[u], q = f->route[v], a = f->prev[u], b = f->next[u];
    real out = f->back[u] + f->ahead[u];
    UNROLL(1)
    for (int32 behind = 0; behind < 2; behind++) {
        int32 y = behind ? f->next[v] : f->prev[v];
        if (y == DEPOT || lonely_ends(f, u) || lonely_ends(f, y)) continue;
        real load = f->demand[y] - f->demand[u], leaves = f->back[y] + f->ahead[y], next_to = behind ? from : to;
        if (f->load[r] + load > capacity_of(f, r) || f->load[q] - load > capacity_of(f, q)) continue;
        if (!may_join(f, r, y, u) || !may_join(f, q, u, y)) continue;
        if (out + leaves - next_to <= best->gain) continue;
        real comes = apart(f, r, a, y) + apart(f, r, y, b);
        if (out + leaves - next_to - comes <= best->gain) continue;
        real goes = next_to + (behind ? apart(f, q, u, f->next[y]) : apart(f, q, f->prev[y], u));
        real gain = out + leaves - comes - goes, time = f->service[y] - f->service[u];
        if (gain <= best->gain) continue;
        real travel_r = f->time[r] + comes - out + time, travel_q = f->time[q] + goes - leaves - time;
        if (travel_r > limit_of(f, r) || travel_q > limit_of(f, q) || !sums_allow_swap(f, u, y)) continue;
#ifdef TIMED
        real price_r, price_q;
        schedule_route(f, r), schedule_route(f, q);
        if (!keeps_times(f, r, a, &y, 1, r, b, r, travel_r, &price_r)) continue;
        if (!keeps_times(f, q, f->prev[y], &u, 1, q, f->next[y], q, travel_q, &price_q)) continue;
        gain += f->price[r] + f->price[q] - price_r - price_q;
#endif
        keep_better(best, gain, SWAP, r, u, q, y);
    }
}

#ifdef MIXED
#define SWAPPED_NEAR 3 /* nearest customers whose vehicles are tried */

/* Consider giving the whole route of u to an empty vehicle of another kind, or exchanging its vehicle with one nearby. */
INLINE void consider_vehicles(Fleet *f, Move *best, int32 u) {
    int32 r = f->route[u];
    for (int32 k = 0; k < f->number; k++) {
        int32 q = empty_of(f, k);
        if (k != f->kind[r] && q != ABSENT) consider_tails(f, best, TAILS, r, DEPOT, q, DEPOT, 0);
    }
    for (int32 k = 0; k < SWAPPED_NEAR && k < f->width; k++) {
        int32 v = f->near[(int64)u * f->width + k], q = v < 0 ? ABSENT : f->route[v];
        if (q != ABSENT && f->kind[r] != f->kind[q]) consider_tails(f, best, TAILS, r, DEPOT, q, DEPOT, 0);
    }
}
#endif

#if LANES != 32 /* else lanes.h */
/* Return the best move that joins u to one of its `width` nearest and saves more than `least`. */
INLINE Move best_move(Fleet *f, int32 u, int32 width, real least) {
    int32 r = f->route[u], w = f->prev[u], x = f->next[u];
    real back = f->back[u], ahead = f->ahead[u], longest = back > ahead ? back : ahead;
    GLOBAL const int32 *row = f->near + (int64)u * f->width;
    GLOBAL const real *reach = f->reach + (int64)u * f->width;
    GLOBAL const real *back_reach = DIRECTED ? reach + (int64)f->m * f->width : reach;
    Move best = {least, NO_MOVE, 0, 0, 0, 0, 0, 0, 0};
#ifdef MIXED
    if (f->number > 1 && w == DEPOT) consider_vehicles(f, &best, u);
#endif
    for (int32 k = 0; k < width; k++) {
        int32 v = row[k];
        if (v < 0) break;
        if (f->route[v] == ABSENT) continue;
        if (REVERSIBLE(f) && reach[k] >= longest) break;
        int32 q = f->route[v], p = f->prev[v], y = f->next[v];
        real to = reached(f, q, u, v, reach[k]), from = reached(f, q, v, u, back_reach[k]);
        if (to < ahead) {
            real saved = ahead - to;
            consider_chains(f, &best, u, v, to, from, 0);
            if (q != r) consider_tails(f, &best, TAILS, r, u, q, p, saved + f->back[v] - apart(f, q, p, x));
            real turned = saved + f->ahead[v] - apart(f, q, x, y);
            if (REVERSIBLE(f) && q != r) consider_tails(f, &best, HEADS, r, u, q, v, turned);
            if (REVERSIBLE(f) && q == r) consider_reversal(f, &best, r, u, v, 1, turned);
        }
        if (from < back) {
            real saved = back - from;
            consider_chains(f, &best, u, v, to, from, 1);
            if (q != r) consider_tails(f, &best, TAILS, q, v, r, w, saved + f->ahead[v] - apart(f, r, w, y));
            real turned = saved + f->back[v] - apart(f, r, w, p);
            if (REVERSIBLE(f) && q != r) consider_tails(f, &best, HEADS, r, w, q, p, turned);
            if (REVERSIBLE(f) && q == r) consider_reversal(f, &best, r, u, v, 0, turned);
        }
        if (q != r) consider_swaps(f, &best, u, v, to, from);
    }
    return best;
}
#endif

/* Insert c into route r behind a. */
INLINE void put_behind(Fleet *f, int32 c, int32 a, int32 r) {
    int32 b = successor(f, r, a);
    put_in(f, c, a, r, apart(f, r, a, c) + apart(f, r, c, b) - apart(f, r, a, b));
}

INLINE void move_chain(Fleet *f, Move m) {
    int32 chain[LONGEST_CHAIN], at = m.behind ? m.v : f->prev[m.v];
    for (int32 k = 0, c = m.u; k < m.count; k++, c = m.onward ? f->next[c] : f->prev[c]) chain[k] = c;
    for (int32 k = 0; k < m.count; k++) take_out(f, chain[k]);
    for (int32 k = 0; k < m.count; k++) {
        int32 c = chain[m.behind ? k : m.count - 1 - k];
        put_behind(f, c, at, m.q);
        at = c;
    }
}

/* Route q never becomes empty meanwhile: the stack of empty routes is last in, first out. */
INLINE void swap_customers(Fleet *f, Move m) {
    int32 a = f->prev[m.u];
    take_out(f, m.u);
    put_behind(f, m.u, m.v, m.q);
    take_out(f, m.v);
    put_behind(f, m.v, a, m.r);
}

INLINE void change_tails(Fleet *f, Move m) {
    int32 used = f->slots - f->spares, x = successor(f, m.r, m.u);
    Halves halves = halves_after(f, m.kind == HEADS, m.r, m.u, m.q, m.v);
    real gain = PRICED(f) ? f->time[m.r] + f->time[m.q] - halves.time_r - halves.time_q : m.gain;
    touch(f, m.r), touch(f, m.q);
    for (int32 k = 0; k < SUMS(f); k++) {
        real sum_q, sum_r = sum_after(f, k, m.kind == HEADS, m.r, m.u, m.q, m.v, &sum_q);
        f->sum[m.r * (int64)f->sums + k] = sum_r, f->sum[m.q * (int64)f->sums + k] = sum_q;
    }
    write_log(f, m.kind, m.r, m.u, m.q, m.kind == HEADS ? x : m.v);
    if (m.kind == HEADS) join_heads(f, m.r, m.u, m.q, m.v);
    else exchange_tails(f, m.r, m.u, m.q, m.v);
    f->load[m.r] = halves.load_r, f->load[m.q] = halves.load_q;
    f->time[m.r] = halves.time_r, f->time[m.q] = halves.time_q;
    f->cost -= gain + (used - f->slots + f->spares) * f->fixed;
}

INLINE void make_move(Fleet *f, Move m) {
    if (m.kind == CHAIN) move_chain(f, m);
    else if (m.kind == SWAP) swap_customers(f, m);
    else if (m.kind != REVERSAL) change_tails(f, m);
    else {
        touch(f, m.r);
        write_log(f, REVERSAL, m.r, m.v, m.r, m.u);
        for (int32 k = 0; k < SUMS(f); k++) f->sum[m.r * (int64)f->sums + k] += turned_sum(f, k, m.r, m.u, m.v);
        reverse_segment(f, m.r, m.u, m.v);
        f->time[m.r] -= m.gain, f->cost -= m.gain;
    }
}

INLINE int32 enqueue(Fleet *f, int32 c, int32 size) {
    if (c == DEPOT || f->queued[c] == f->attempt) return size;
    f->queued[c] = f->attempt, f->queue[size] = c;
    return size + 1;
}

/* Add the ends of the edges around c. */
INLINE int32 enqueue_around(Fleet *f, int32 c, int32 size) {
    if (c == DEPOT || f->route[c] == ABSENT) return size;
    size = enqueue(f, f->prev[c], size);
    size = enqueue(f, f->next[c], size);
    return enqueue(f, c, size);
}

/* Queue the customers that this iteration has moved and those beside them; return the length of the queue. */
INLINE int32 enqueue_moved(Fleet *f) {
    int32 size = 0;
    for (int32 k = 0; k < f->logged; k++) {
        GLOBAL const int32 *line = f->log + LOG_LINE * (int64)k;
        size = enqueue_around(f, line[0] == REMOVAL ? line[4] : line[2], size);
    }
#ifdef MIXED
    for (int32 k = 0; k < f->touches && f->number > 1; k++) size = enqueue(f, f->first[f->touched[k]], size);
#endif
    return size;
}

/* Make a move; return the length of the queue with the customers around it. */
INLINE int32 make_and_enqueue(Fleet *f, Move m, int32 size) {
    int32 before = m.u == DEPOT ? DEPOT : f->prev[m.u], behind = successor(f, m.r, m.u);
    make_move(f, m);
    size = enqueue_around(f, before, size);
    size = enqueue_around(f, behind, size);
    size = enqueue_around(f, m.u, size);
    return enqueue_around(f, m.v, size);
}

#if LANES != 32 /* else lanes.h */
/* Improve the routes around the customers that this iteration has moved, until no move pays or there were MAX_MOVES. */
INLINE void improve_around(Fleet *f, int32 width, real least) {
    int32 size = enqueue_moved(f);
    for (int32 moves = 0; size > 0 && moves < MAX_MOVES;) {
        int32 u = f->queue[--size];
        f->queued[u] = 0;
        Move m = best_move(f, u, width, least);
        if (m.kind == NO_MOVE) continue;
        size = make_and_enqueue(f, m, size);
        moves++;
    }
    while (size > 0) f->queued[f->queue[--size]] = 0;
}
#endif

#endif
