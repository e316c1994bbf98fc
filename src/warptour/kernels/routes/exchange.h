/* Selective route exchange (Nagata and Bräysy 2010): a child has the routes of one parent, but in place of some adjacent
 * ones as many of the other's that serve nearly the same customers. */
#ifndef WARPTOUR_ROUTES_EXCHANGE
#define WARPTOUR_ROUTES_EXCHANGE
#include "common/dice.h"

/* A parent: its giant tour, in which the depot follows each route, where each route begins, the route of each customer, and
 * `count` routes from number `start` on, cyclically, which are chosen. */
typedef struct {
    GLOBAL const int32 *giant;
    GLOBAL int32 *begin, *home;
    int32 routes, start, count;
} Parent;

INLINE Parent parent_of(int32 m, GLOBAL const int32 *giant, int32 size, GLOBAL int32 *begin, GLOBAL int32 *home) {
    Parent p = {giant, begin, home, 0, 0, 0};
    begin[0] = 0;
    for (int32 c = 1; c < m; c++) home[c] = 2 * m; /* in no route */
    for (int32 k = 0; k < size; k++) {
        if (giant[k] > 0) home[giant[k]] = p.routes;
        else begin[++p.routes] = k + 1;
    }
    return p;
}

/* Whether customer c is on a chosen route. */
INLINE int32 is_chosen(const Parent *p, int32 c) {
    int32 ahead = p->home[c] - p->start;
    return (ahead < 0 ? ahead + p->routes : ahead) < p->count;
}

/* Return how many customers are on chosen routes of one parent alone. */
INLINE int32 differing(const Parent *one, const Parent *other, int32 m) {
    int32 count = 0;
    for (int32 c = 1; c < m; c++) count += is_chosen(one, c) != is_chosen(other, c);
    return count;
}

/* Move the chosen routes of both parents around, step by step, as long as they then differ less. */
INLINE void choose_alike(Parent *one, Parent *other, int32 m) {
    int32 least = differing(one, other, m);
    for (int32 step = 0, failed = 0; failed < 4; step = (step + 1) & 3) {
        Parent *p = step & 1 ? other : one;
        int32 before = p->start;
        p->start = (before + (step & 2 ? 1 : p->routes - 1)) % p->routes;
        int32 now = differing(one, other, m);
        if (now < least) least = now, failed = 0;
        else p->start = before, failed++;
    }
}

/* Write a child of two giant tours; return its length. It lacks customers of the chosen routes of the first that
 * are on no chosen one of the second. Customers that it would have twice are left out of either, at random. work: room for
 * 4 * m. child: 2 * m long. */
INLINE int32 exchange_routes(Dice *d, int32 m, GLOBAL const int32 *one, int32 one_size, GLOBAL const int32 *other,
                            int32 other_size, GLOBAL int32 *work, GLOBAL int32 *child) {
    Parent a = parent_of(m, one, one_size, work, work + m);
    Parent b = parent_of(m, other, other_size, work + 2 * m, work + 3 * m);
    a.count = b.count = 1 + (int32)throw_below(d, a.routes < b.routes ? a.routes : b.routes);
    a.start = (int32)throw_below(d, a.routes), b.start = a.start % b.routes;
    choose_alike(&a, &b, m);
    int32 whole = (int32)throw_below(d, 2), at = 0; /* whether the second parent's routes are kept whole */
    for (int32 side = 0; side < 2; side++) {
        const Parent *p = side ? &b : &a;
        for (int32 r = 0; r < p->routes; r++) {
            int32 first = p->giant[p->begin[r]], begin = at;
            if (first <= 0 || is_chosen(p, first) != side) continue;
            int32 k = p->begin[r];
            for (; p->giant[k] > 0; k++) {
                int32 c = p->giant[k], twice = side ? !is_chosen(&a, c) : is_chosen(&b, c);
                if (!twice || whole == side) child[at++] = c;
            }
            if (at > begin) child[at++] = p->giant[k];
        }
    }
    return at;
}

#endif
