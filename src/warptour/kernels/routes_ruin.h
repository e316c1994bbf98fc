/* Ruin: remove strings of consecutive customers from neighbouring routes.
 *
 * Slack induction by string removals (Christiaens and Vanden Berghe, 2020): capacity and spatial slack become available
 * in adjacent routes, which is where better solutions differ. A string is removed whole or split, which keeps some of
 * its customers:
 *
 *     - a [b c d] e -   ->   - a e -
 *     - a [b] c [d] e - ->   - a c e -
 */
#ifndef WARPTOUR_ROUTES_RUIN
#define WARPTOUR_ROUTES_RUIN
#include "dice.h"

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
    for (int32 k = 0; k < span; k++) {
        int32 then = f->next[at];
        if (k < keep_from || k >= keep_from + kept) {
            take_out(f, at);
            out[taken++] = at;
        }
        at = then;
    }
    return taken;
}

/* Remove strings around a random customer; list the removed customers in `out` and return their number.
 * mean: average number of customers to remove; longest: maximum string length; split: probability of a split string;
 * deeper: probability of keeping one more customer inside it. */
INLINE int32 ruin(Fleet *f, Dice *d, real mean, int32 longest, real split, real deeper, GLOBAL int32 *out) {
    int32 used = f->slots - f->spares, taken = 0, strings = 0;
    if (used == 0) return 0;
    real per_route = (real)(f->m - 1) / used;
    real string = longest < per_route ? longest : per_route;
    real most = 4 * mean / (1 + string) - 1;
    int32 wanted = (int32)(1 + throw_unit(d) * most);
    int32 seed = 1 + (int32)throw_below(d, f->m - 1);
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

#endif
