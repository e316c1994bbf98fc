/* Ruin: remove customers from neighbouring routes, in strings or along a walk.
 *
 * Slack induction by string removals (Christiaens and Vanden Berghe, 2020): capacity and spatial slack become available
 * in adjacent routes, which is where better solutions differ. A string is removed whole or split, which keeps some of
 * its customers:
 *
 *     - a [b c d] e -   ->   - a e -
 *     - a [b] c [d] e - ->   - a c e -
 *
 * A walk (Accorsi and Vigo, 2021) removes customers one by one, the next beside the last in its route or near it in
 * another: few from each of many routes.
 */
#ifndef WARPTOUR_ROUTES_RUIN
#define WARPTOUR_ROUTES_RUIN
#include "common/dice.h"

/* Remove c, and the other end of its shipment. *out receives who is inserted again. */
INLINE void take_with_mate(Fleet *f, int32 c, GLOBAL int32 *out) {
    take_out(f, c);
#ifdef PAIRS
    int32 mate = f->mate[c] < 0 ? -f->mate[c] : f->mate[c];
    if (mate && f->route[mate] != ABSENT) take_out(f, mate);
    if (f->mate[c] < 0) c = mate;
#endif
    *out = c;
}

/* Remove `count` customers of a string of count + kept consecutive ones that contains c; `kept` inside it stay.
 * List the removed customers in `out` and return their number. */
INLINE int32 remove_string(Fleet *f, Dice *d, int32 c, int32 count, int32 kept, GLOBAL int32 *out) {
    int32 span = count + kept, before = 0, after = 0, at = c;
    while (before < span - 1 && f->prev[at] != DEPOT) at = f->prev[at], before++;
    int32 begin = at;
    for (at = c; after < span - 1 && f->next[at] != DEPOT; after++) at = f->next[at];
    /* the string begins `back` positions before c */
    int32 least = span - 1 - after > 0 ? span - 1 - after : 0;
    int32 back = least + (int32)throw_below(d, before - least + 1);
    for (at = begin; before > back; before--) at = f->next[at];
    int32 keep_from = kept > 0 ? 1 + (int32)throw_below(d, count > 1 ? count - 1 : 1) : span, taken = 0;
    int32 listed = 0;
    for (int32 k = 0; k < span; k++, at = f->next[at])
        if (k < keep_from || k >= keep_from + kept) out[listed++] = at;
    for (int32 k = 0; k < listed; k++)
        if (f->route[out[k]] != ABSENT && !is_reload(f, out[k])) take_with_mate(f, out[k], out + taken++);
    return taken;
}

/* Return the customer nearest to c that has a route, with `fresh` an unchanged one; or DEPOT. */
INLINE int32 neighbour_of(const Fleet *f, int32 c, int32 fresh) {
    for (int32 k = 0; k < f->width; k++) {
        int32 v = f->near[(int64)c * f->width + k];
        if (v < 0) break;
        if (f->route[v] != ABSENT && !(fresh && f->stamp[f->route[v]] == f->attempt)) return v;
    }
    return DEPOT;
}

/* Return a random customer, at which a ruin begins. */
INLINE int32 throw_customer(const Fleet *f, Dice *d) {
    int32 number = f->begin + (int32)throw_below(d, f->span);
    return 1 + (number < CUSTOMERS(f) ? number : number - CUSTOMERS(f));
}

/* Remove up to 2 * mean customers along a random walk; list them in `out` and return their number. */
INLINE int32 remove_walk(Fleet *f, Dice *d, real mean, GLOBAL int32 *out) {
    int32 taken = 0, wanted = 1 + (int32)(throw_unit(d) * (2 * mean - 1));
    int32 c = throw_customer(f, d);
    if (f->route[c] == ABSENT) c = neighbour_of(f, c, 0);
    while (taken < wanted && c != DEPOT) {
        int32 r = f->route[c], then = DEPOT, way = (int32)throw_below(d, 4);
        if (way == 0) then = f->next[c] == DEPOT ? f->first[r] : f->next[c];
        if (way == 1) then = f->prev[c] == DEPOT ? f->last[r] : f->prev[c];
        while (then != DEPOT && is_reload(f, then)) then = way ? f->prev[then] : f->next[then];
        if (then == c) then = DEPOT;
        take_with_mate(f, c, out + taken++);
        c = then == DEPOT || f->route[then] == ABSENT ? neighbour_of(f, c, way & 1) : then;
    }
    return taken;
}

/* Remove strings around a random customer; list the removed customers in `out` and return their number. */
INLINE int32 remove_strings(Fleet *f, Dice *d, real mean, int32 longest, real split, real deeper, GLOBAL int32 *out) {
    int32 used = f->slots - f->spares, taken = 0, strings = 0;
    real per_route = (real)CUSTOMERS(f) / used;
    real string = longest < per_route ? longest : per_route;
    real most = 4 * mean / (1 + string) - 1;
    int32 wanted = (int32)(1 + throw_unit(d) * most);
    int32 seed = throw_customer(f, d);
    for (int32 k = -1; k < f->width && strings < wanted; k++) {
        int32 c = k < 0 ? seed : f->near[(int64)seed * f->width + k];
        if (c < 0) break;
        int32 r = f->route[c];
        if (r == ABSENT || f->stamp[r] == f->attempt) continue;
        int32 size = f->size[r], bound = size < string ? size : (int32)string;
        int32 count = 1 + (int32)throw_below(d, bound > 0 ? bound : 1), kept = 0;
        if (count < size && count > 1 && throw_unit(d) <= split) {
            kept = 1;
            while (count + kept < size && throw_unit(d) <= deeper) kept++;
        }
        taken += remove_string(f, d, c, count, kept, out + taken);
        strings++;
    }
    return taken;
}

#ifdef MIXED
#define DISSOLVED 64          /* one ruin in so many removes a whole route: strings hardly ever save a vehicle */
#define LONGEST_DISSOLVED 100 /* customers of such a route, at most */

/* Remove all customers of a random customer's route; list them in `out` and return their number, 0 if they are too many. */
INLINE int32 remove_route(Fleet *f, Dice *d, GLOBAL int32 *out) {
    int32 c = throw_customer(f, d), r = f->route[c], taken = 0;
    if (r == ABSENT || f->size[r] > LONGEST_DISSOLVED) return 0;
    while (f->size[r] > 0)
        if (is_reload(f, f->first[r])) take_out(f, f->first[r]);
        else take_with_mate(f, f->first[r], out + taken++);
    return taken;
}

/* Whether c is unserved and need not be: where it has no prize, one of its alternatives may take its place. */
INLINE int32 may_be_fetched(const Fleet *f, int32 c) {
    if (f->route[c] != ABSENT || f->drawn[c] == f->attempt) return 0;
    return is_optional(f, c) && !(f->group && f->group[c] >= 0 && f->served[f->group[c]] > 0);
}

/* Add unserved customers near the first of the `count` removed ones, or a random one, to the pool; return the new count. */
INLINE int32 draw_unserved(Fleet *f, Dice *d, real mean, GLOBAL int32 *pool, int32 count) {
    int32 seed = count > 0 ? pool[0] : throw_customer(f, d), wanted = 1 + (int32)(throw_unit(d) * mean);
    for (int32 k = 0; k < count; k++) f->drawn[pool[k]] = f->attempt;
    for (int32 k = -1; k < f->width && wanted > 0; k++) {
        int32 c = k < 0 ? seed : f->near[(int64)seed * f->width + k];
        if (c < 0) break;
#ifdef PAIRS
        if (f->mate[c] < 0) c = -f->mate[c];
#endif
        c = leader_of(&f->bonds, c);
        if (!may_be_fetched(f, c) || (k >= 0 && throw_below(d, 2))) continue;
        f->drawn[c] = f->attempt, pool[count++] = c, wanted--;
    }
    return count;
}
#endif

/* Remove some customers, if any have a route; list them in `out` and return their number.
 * walks: whether half of the ruins are walks; mean: average number of customers to remove; longest: maximum string
 * length; split: probability of a split string; deeper: probability of keeping one more customer inside it. */
INLINE int32 ruin(Fleet *f, Dice *d, int32 walks, real mean, int32 longest, real split, real deeper,
                  GLOBAL int32 *out) {
    if (f->spares == f->slots) return 0;
#ifdef MIXED
    if (walks && throw_below(d, DISSOLVED) == 0) {
        int32 taken = remove_route(f, d, out);
        if (taken > 0) return taken;
    }
#endif
    if (walks && throw_below(d, 2)) return remove_walk(f, d, mean, out);
    return remove_strings(f, d, mean, longest, split, deeper, out);
}

#endif
