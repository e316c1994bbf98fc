// build: metrics
/* Bring what one search has won into the tour of another, change by change.
 *
 * Two searches left the same base tour. Where the second differs from the base, the edges that went and those
 * that came fall into connected components, each an exchange of its own. One after the other is made in the
 * first tour if that still has the edges to take out, if it gains, and if what comes of it is one cycle.
 */
#include "metric.h"

#define NOBODY (-1)

INLINE int32 linked(GLOBAL const int32 *links, int32 a, int32 b) { return links[2 * a] == b || links[2 * a + 1] == b; }

INLINE void relink(GLOBAL int32 *links, int32 a, int32 old, int32 with) {
    links[2 * a + (links[2 * a] != old)] = with;
}

INLINE void link_tour(int32 n, GLOBAL const int32 *tour, GLOBAL int32 *links) {
    for (int32 i = 0; i < n; i++) {
        int32 c = tour[i];
        links[2 * c] = tour[i == 0 ? n - 1 : i - 1];
        links[2 * c + 1] = tour[i + 1 == n ? 0 : i + 1];
    }
}

INLINE int32 leader_of(GLOBAL int32 *leader, int32 c) {
    while (leader[c] != c) c = leader[c] = leader[leader[c]];
    return c;
}

/* Walk the links from city 0; write the cities in order and return how many there are until it comes back. */
INLINE int32 walk_links(int32 n, GLOBAL const int32 *links, GLOBAL int32 *tour) {
    int32 last = NOBODY, here = 0, count = 0;
    do {
        tour[count++] = here;
        int32 next = links[2 * here] != last ? links[2 * here] : links[2 * here + 1];
        last = here, here = next;
    } while (here != 0 && count < n);
    return here == 0 ? count : n + 1;
}

/* Merge `other` into `tour`, both made from `base`, n cities each. links is room for 6 n, leader for n, spare for
 * n numbers; gains[0] grows by what was won, gains[1] by the number of exchanges made. */
KERNEL(tour_merge, POINTS_PARAMETERS, int32 n, GLOBAL const int32 *base, GLOBAL const int32 *other,
       GLOBAL int32 *tour, GLOBAL int32 *links, GLOBAL int32 *leader, GLOBAL int32 *spare, GLOBAL real *gains) {
    POINTS_STRUCT(p);
    GLOBAL int32 *were = links, *are = links + 2 * (int64)n, *mine = links + 4 * (int64)n;
    link_tour(n, base, were);
    link_tour(n, other, are);
    link_tour(n, tour, mine);
    for (int32 c = 0; c < n; c++) leader[c] = c;
    for (int32 c = 0; c < n; c++) {
        for (int32 k = 0; k < 2; k++) {
            int32 gone = were[2 * c + k], come = are[2 * c + k];
            if (!linked(are, c, gone)) leader[leader_of(leader, c)] = leader_of(leader, gone);
            if (!linked(were, c, come)) leader[leader_of(leader, c)] = leader_of(leader, come);
        }
    }
    /* chain the cities of each component: spare[c] is the next one, heads are the leaders */
    GLOBAL int32 *next = spare;
    for (int32 c = 0; c < n; c++) next[c] = NOBODY;
    for (int32 c = 0; c < n; c++) {
        int32 head = leader_of(leader, c);
        if (head != c) next[c] = next[head], next[head] = c;
    }
    for (int32 head = 0; head < n; head++) {
        if (leader[head] != head || next[head] == NOBODY) continue;
        int32 fits = 1;
        real gain = 0;
        for (int32 c = head; c != NOBODY && fits; c = next[c]) {
            for (int32 k = 0; k < 2; k++) {
                int32 gone = were[2 * c + k], come = are[2 * c + k];
                if (!linked(are, c, gone)) {
                    fits &= linked(mine, c, gone);
                    gain += between(&p, c, gone) / 2;
                }
                if (!linked(were, c, come)) {
                    fits &= !linked(mine, c, come);
                    gain -= between(&p, c, come) / 2;
                }
            }
        }
        if (!fits || gain <= 0) continue;
        for (int32 turn = 0; turn < 2; turn++) {
            GLOBAL const int32 *from = turn ? are : were, *to = turn ? were : are;
            for (int32 c = head; c != NOBODY; c = next[c]) {
                int32 first = NOBODY;
                for (int32 k = 0; k < 2; k++) {
                    int32 gone = from[2 * c + k];
                    if (linked(to, c, gone)) continue;
                    for (int32 q = 0; q < 2; q++) {
                        int32 come = to[2 * c + q];
                        if (linked(from, c, come) || come == first) continue;
                        relink(mine, c, gone, come);
                        first = come;
                        break;
                    }
                }
            }
            if (turn == 0 && walk_links(n, mine, tour) == n) {
                gains[0] += gain, gains[1] += 1;
                break;
            }
        }
    }
    walk_links(n, mine, tour);
}
