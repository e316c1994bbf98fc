// build: native
/* A subpopulation of hybrid genetic search: individuals are added, and when there are too many the least fit leave.
 *
 * The fitness of an individual is its rank by cost plus, weighted, its rank by diversity: how much it differs from those
 * most similar to it (Vidal 2022). Less is better.
 */

#define MOST_CLOSE 8 /* largest number of individuals to which diversity is measured */

/* giants, lengths, measures, costs, links, differences: of each individual; a giant tour has room for 2 * m, links are
 * successor and predecessor of each node, m each, and `room` individuals are known to differ by so many broken pairs. */
typedef struct {
    int32 m, room, count, directed, close;
    real elite;
    GLOBAL int32 *giants, *lengths, *links, *differences;
    GLOBAL real *measures, *costs;
} Subpopulation;

/* Note who follows and precedes whom in the routes of individual k. */
INLINE void link_customers(const Subpopulation *p, int32 k) {
    GLOBAL int32 *after = p->links + 2 * (int64)k * p->m, *before = after + p->m;
    GLOBAL const int32 *giant = p->giants + 2 * (int64)k * p->m;
    for (int32 c = 1; c < p->m; c++) after[c] = before[c] = c; /* in no route */
    for (int32 j = 0, a = 0; j < p->lengths[k]; j++) {
        int32 c = giant[j] > 0 ? giant[j] : 0;
        if (a) after[a] = c;
        if (c) before[c] = a;
        a = c;
    }
}

/* Return how many customers of individual k have other successors in individual j, or are first in one alone. Unless
 * `directed`, a reversed route is the same. */
INLINE int32 broken_pairs(const Subpopulation *p, int32 k, int32 j) {
    GLOBAL const int32 *after = p->links + 2 * (int64)k * p->m, *before = after + p->m;
    GLOBAL const int32 *then = p->links + 2 * (int64)j * p->m, *prior = then + p->m;
    int32 broken = 0, either = !p->directed;
    for (int32 c = 1; c < p->m; c++) {
        int32 follows = after[c] == then[c] || (either && after[c] == prior[c]);
        int32 begins = prior[c] == 0 || (either && then[c] == 0);
        broken += !follows || (before[c] == 0 && !begins);
    }
    return broken;
}

/* Return the diversity of individual k among those listed; range receives the smallest and largest difference in it. */
INLINE int32 diversity_of(const Subpopulation *p, int32 k, GLOBAL const int32 *listed, int32 count, GLOBAL int32 *range) {
    int32 near[MOST_CLOSE], close = p->close < count - 1 ? p->close : count - 1, sum = 0;
    for (int32 j = 0; j < close; j++) near[j] = 2147483647;
    for (int32 j = 0; j < count; j++) {
        int32 by = p->differences[(int64)k * p->room + listed[j]], at = close;
        if (listed[j] == k) continue;
        for (; at > 0 && near[at - 1] > by; at--)
            if (at < close) near[at] = near[at - 1];
        if (at < close) near[at] = by;
    }
    for (int32 j = 0; j < close; j++) sum += near[j];
    range[0] = close > 0 ? near[0] : 1, range[1] = close > 0 ? near[close - 1] : 1;
    return sum;
}

/* Write the fitness of those listed, whose costs and diversities are given. */
INLINE void rank(const Subpopulation *p, int32 count, GLOBAL const real *costs, GLOBAL const int32 *diversity,
                 GLOBAL real *fitness) {
    real weight = p->elite < count ? 1 - p->elite / count : 0;
    for (int32 k = 0; k < count; k++) {
        int32 cheaper = 0, apart = 0;
        for (int32 j = 0; j < count; j++) {
            cheaper += costs[j] < costs[k] || (costs[j] == costs[k] && j < k);
            apart += diversity[j] > diversity[k] || (diversity[j] == diversity[k] && j < k);
        }
        fitness[k] = cheaper + weight * apart;
    }
}

/* Copy individual `from` to `to`, differences aside. */
INLINE void move_individual(const Subpopulation *p, int32 from, int32 to) {
    int64 row = 2 * (int64)p->m;
    for (int32 j = 0; j < p->lengths[from]; j++) p->giants[to * row + j] = p->giants[from * row + j];
    for (int64 j = 0; j < row; j++) p->links[to * row + j] = p->links[from * row + j];
    for (int32 j = 0; j < 4; j++) p->measures[4 * to + j] = p->measures[4 * from + j];
    p->lengths[to] = p->lengths[from], p->costs[to] = p->costs[from];
}

/* Individuals that are left, with what ranks them: each `room` long, ranges twice. */
typedef struct {
    GLOBAL int32 *listed, *diversity, *ranges;
    GLOBAL real *costs, *fitness;
} Ranking;

/* Write fitness, costs and diversities of all individuals, and list them. */
INLINE void rank_all(const Subpopulation *p, const Ranking *r) {
    for (int32 k = 0; k < p->count; k++) r->listed[k] = k, r->costs[k] = p->costs[k];
    for (int32 k = 0; k < p->count; k++) r->diversity[k] = diversity_of(p, k, r->listed, p->count, r->ranges + 2 * k);
    rank(p, p->count, r->costs, r->diversity, r->fitness);
}

/* Strike number `out` off the list of `count` individuals; those it was close to become more diverse. */
INLINE void strike_off(const Subpopulation *p, const Ranking *r, int32 out, int32 count) {
    int32 gone = r->listed[out];
    for (int32 k = out; k < count - 1; k++) {
        r->listed[k] = r->listed[k + 1], r->costs[k] = r->costs[k + 1], r->diversity[k] = r->diversity[k + 1];
        r->ranges[2 * k] = r->ranges[2 * k + 2], r->ranges[2 * k + 1] = r->ranges[2 * k + 3];
    }
    for (int32 k = 0; k < count - 1; k++)
        if (p->differences[(int64)r->listed[k] * p->room + gone] <= r->ranges[2 * k + 1])
            r->diversity[k] = diversity_of(p, r->listed[k], r->listed, count - 1, r->ranges + 2 * k);
}

/* Remove the least fit one by one until `least` are left: clones first, never the cheapest. */
INLINE void select_survivors(Subpopulation *p, const Ranking *r, int32 least) {
    int32 count = p->count;
    rank_all(p, r);
    for (; count > least; rank(p, --count, r->costs, r->diversity, r->fitness)) {
        int32 worst = -1, cheapest = 0;
        real most = 0;
        for (int32 k = 1; k < count; k++)
            if (r->costs[k] < r->costs[cheapest]) cheapest = k;
        for (int32 k = 0; k < count; k++) {
            real fitness = r->fitness[k] + (r->ranges[2 * k] == 0 ? 2 * count : 0);
            if (k != cheapest && (worst < 0 || fitness > most)) worst = k, most = fitness;
        }
        strike_off(p, r, worst, count);
    }
    for (int32 k = 0; k < count; k++) {
        for (int32 j = 0; j < count; j++)
            p->differences[(int64)k * p->room + j] = p->differences[(int64)r->listed[k] * p->room + r->listed[j]];
        if (r->listed[k] != k) move_individual(p, r->listed[k], k);
    }
    p->count = count;
}

/* Add individuals to a subpopulation, which has room for `most` and one more, and keep `least` of them whenever there are
 * too many. rows: `added` rows of new_giants and so on. fitness receives that of all individuals, counts[0] their number.
 * ints: 4 * room long; reals: room. Other parameters: see Subpopulation. */
KERNEL(routes_enlist, int32 m, int32 directed, int32 least, int32 most, real elite, int32 close, GLOBAL int64 *counts,
       GLOBAL int32 *giants, GLOBAL int32 *lengths, GLOBAL real *measures, GLOBAL real *costs, GLOBAL int32 *links,
       GLOBAL int32 *differences, GLOBAL real *fitness, GLOBAL int32 *ints, GLOBAL real *reals, int32 added,
       GLOBAL const int32 *rows, GLOBAL const int32 *new_giants, GLOBAL const int32 *new_lengths,
       GLOBAL const real *new_measures, GLOBAL const real *new_costs) {
    int32 room = most + 1;
    int64 row = 2 * (int64)m;
    Subpopulation p = {m, room, (int32)counts[0], directed, close, elite, giants, lengths, links, differences, measures, costs};
    Ranking r = {ints, ints + room, ints + 2 * room, reals, fitness};
    for (int32 k = 0; k < added; k++) {
        int32 at = p.count++, from = rows[k];
        for (int32 j = 0; j < new_lengths[from]; j++) giants[at * row + j] = new_giants[from * row + j];
        for (int32 j = 0; j < 4; j++) measures[4 * at + j] = new_measures[4 * from + j];
        lengths[at] = new_lengths[from], costs[at] = new_costs[from];
        link_customers(&p, at);
        differences[(int64)at * room + at] = m;
        for (int32 j = 0; j < at; j++)
            differences[(int64)at * room + j] = differences[(int64)j * room + at] = broken_pairs(&p, at, j);
        if (p.count > most) select_survivors(&p, &r, least);
    }
    rank_all(&p, &r);
    counts[0] = p.count;
}
