// build: native, branches
/* Inequalities that all closed walks through a few atoms satisfy. Native only, one group.
 *
 * A tour of all nodes is a closed walk through the atoms that they are divided into. A metric table a and the length b
 * of its shortest closed walk, a Hamiltonian cycle, give a cut: the tour crosses with sum a(u, v) x(u, v) >= b. */

#define MOST_ATOMS 16
#define THIN 1e-3 /* least value of a pair that walks use from the beginning */
#define FAR 1e3   /* longer than any walk that enters */
#define SHARE 0.6 /* of the best lengths in those that the oracle sees */
#define MOST_PAIRS (MOST_ATOMS * (MOST_ATOMS - 1) / 2)

/* Return the length of a shortest Hamiltonian cycle by dynamic programming over subsets of atoms 0..k-2, from and to
 * atom k - 1. order: the atoms in the order of the cycle. best: MOST_ATOMS for each subset, the shortest path from atom
 * k - 1 through all of it to each atom. */
INLINE float64 shortest_cycle(int32 k, const float64 *table, GLOBAL float64 *best, int32 *order) {
    if (k < 2 || k > MOST_ATOMS) return INFINITY;
    int32 m = k - 1, all = (1 << m) - 1;
    float64 row[MOST_ATOMS * MOST_ATOMS] = {0};
    for (int32 i = 0; i < k; i++)
        for (int32 j = 0; j < k; j++) row[i * MOST_ATOMS + j] = table[i * k + j];
    for (int32 j = 0; j < MOST_ATOMS; j++) best[j] = row[m * MOST_ATOMS + j];
    for (int32 set = 1; set <= all; set++) {
        float64 least[MOST_ATOMS];
        for (int32 j = 0; j < MOST_ATOMS; j++) least[j] = INFINITY;
        for (uint32 left = (uint32)set; left; left &= left - 1) {
            int32 i = LOWEST_BIT(left);
            float64 length = best[(int64)(set ^ 1 << i) * MOST_ATOMS + i];
            for (int32 j = 0; j < MOST_ATOMS; j++) {
                float64 with = length + row[i * MOST_ATOMS + j];
                least[j] = with < least[j] ? with : least[j];
            }
        }
        for (int32 j = 0; j < MOST_ATOMS; j++) best[(int64)set * MOST_ATOMS + j] = least[j];
    }
    int32 set = all, next = m;
    for (int32 place = m - 1; place >= 0; place--) { /* back along the cycle */
        int32 at = -1;
        float64 least = INFINITY;
        for (int32 i = 0; i < m; i++) {
            if (!(set >> i & 1)) continue;
            float64 length = best[(int64)(set ^ 1 << i) * MOST_ATOMS + i] + row[i * MOST_ATOMS + next];
            if (at < 0 || length < least) least = length, at = i;
        }
        order[place] = at, set ^= 1 << at, next = at;
    }
    order[m] = m;
    return best[(int64)all * MOST_ATOMS + m];
}

/* Make a table metric: replace lengths by those of shortest paths; through: an atom on the way, or -1. */
INLINE void close_table(int32 k, float64 *table, int32 *through) {
    for (int32 e = 0; e < k * k; e++) through[e] = -1;
    for (int32 w = 0; w < k; w++)
        for (int32 u = 0; u < k; u++)
            for (int32 v = 0; v < k; v++) {
                float64 length = table[u * k + w] + table[w * k + v];
                if (length < table[u * k + v]) table[u * k + v] = length, through[u * k + v] = w;
            }
}

INLINE int32 pair_of(int32 u, int32 v) {
    return u > v ? u * (u - 1) / 2 + v : v * (v - 1) / 2 + u;
}

/* Count the edges of a shortest path. */
INLINE void add_path(int32 k, const int32 *through, int32 u, int32 v, float64 *count) {
    int32 from[2 * MOST_ATOMS], to[2 * MOST_ATOMS], many = 1;
    from[0] = u, to[0] = v;
    while (many > 0) {
        many--;
        int32 a = from[many], b = to[many], w = through[a * k + b];
        if (w < 0) count[pair_of(a, b)] += 1;
        else from[many] = a, to[many] = w, many++, from[many] = w, to[many] = b, many++;
    }
}

/* Make the k by k table metric, and length[0] that of its shortest closed walk. Integers below 2^40 stay exact. */
KERNEL(walk_length, int32 k, GLOBAL float64 *table, GLOBAL float64 *best, GLOBAL float64 *length) {
    int32 through[MOST_ATOMS * MOST_ATOMS], order[MOST_ATOMS];
    close_table(k, table, through);
    length[0] = shortest_cycle(k, table, best, order);
}

/* A basis of the linear program that packs walks into the values of pairs. */
typedef struct {
    int32 pairs;
    GLOBAL float64 *inverse; /* of the basis, pairs by pairs */
    GLOBAL float64 *duals;
    float64 level[MOST_PAIRS];
    float64 value;
} Packing;

/* Exchange a basic walk or slack for one that gains `gain` a unit; return whether there was one to exchange. */
INLINE int32 pivot_in(Packing *p, const float64 *column, float64 gain) {
    float64 way[MOST_PAIRS], ratio = INFINITY, largest = 0;
    int32 m = p->pairs, leaves = -1;
    for (int32 r = 0; r < m; r++) {
        float64 sum = 0;
        for (int32 e = 0; e < m; e++) sum += p->inverse[r * m + e] * column[e];
        way[r] = sum;
    }
    for (int32 r = 0; r < m; r++) {
        if (way[r] < 1e-9) continue;
        float64 here = p->level[r] / way[r];
        if (here < ratio - 1e-12 || (here < ratio + 1e-12 && way[r] > largest)) ratio = here, largest = way[r], leaves = r;
    }
    if (leaves < 0) return 0;
    p->value += gain * ratio;
    GLOBAL float64 *row = p->inverse + leaves * m;
    for (int32 e = 0; e < m; e++) row[e] /= largest;
    for (int32 r = 0; r < m; r++) {
        if (r == leaves || way[r] == 0) continue;
        for (int32 e = 0; e < m; e++) p->inverse[r * m + e] -= way[r] * row[e];
        float64 level = p->level[r] - way[r] * ratio;
        p->level[r] = level > 0 ? level : 0;
    }
    p->level[leaves] = ratio;
    for (int32 e = 0; e < m; e++) p->duals[e] += gain * row[e];
    return 1;
}

/* Solve a linear program: pack closed walks through k atoms into values x, as many as fit, by the simplex method with
 * the dynamic program as the oracle of walks. Values are positive; walks use those below THIN only once others do not
 * help.
 *
 * Its duals are lengths of pairs under which every closed walk is at least 1 long, and x as short as can be: if that is
 * below 1, x is no mixture of walks, and the duals are a facet that cuts it off. The oracle is asked between the duals
 * and the best lengths so far, which have that property: the sequence converges in fewer steps (Wentges 1997).
 *
 * stop: value from which on x is not worth cutting off. inverse: workspace of pairs by pairs. duals: of the pairs.
 * state: the value, whether the duals are optimal, and the number of pivots, at most `most`. */
KERNEL(pack_walks, int32 k, GLOBAL const float64 *x, int32 most, float64 stop, GLOBAL float64 *best,
       GLOBAL float64 *inverse, GLOBAL float64 *duals, GLOBAL float64 *state) {
    int32 m = k * (k - 1) / 2, wide = 0, through[MOST_ATOMS * MOST_ATOMS], order[MOST_ATOMS];
    float64 column[MOST_PAIRS], center[MOST_PAIRS], mixed[MOST_PAIRS], table[MOST_ATOMS * MOST_ATOMS];
    Packing p = {m, inverse, duals, {0}, 0};
    float64 above = 0, share = SHARE; /* value at the center; its share of the lengths that the oracle sees */
    for (int32 e = 0; e < m; e++) {
        p.level[e] = x[e], duals[e] = 0, center[e] = 1.0 / k, above += x[e] / k;
        for (int32 f = 0; f < m; f++) inverse[e * m + f] = e == f;
    }
    state[0] = 0, state[1] = 0;
    for (int32 pivot = 0; pivot < most; pivot++) {
        int32 slack = 0;
        for (int32 e = 1; e < m; e++)
            if (duals[e] < duals[slack]) slack = e;
        for (int32 e = 0; e < m; e++) column[e] = 0;
        state[0] = p.value, state[2] = pivot;
        if (duals[slack] < -1e-9) {
            column[slack] = 1;
            if (!pivot_in(&p, column, -duals[slack])) return;
            continue;
        }
        for (int32 e = 0; e < m; e++) {
            float64 length = share * center[e] + (1 - share) * duals[e];
            mixed[e] = !wide && x[e] < THIN ? FAR : length > 0 ? length : 0;
        }
        for (int32 u = 0; u < k; u++)
            for (int32 v = 0; v < k; v++) table[u * k + v] = u == v ? 0 : mixed[pair_of(u, v)];
        close_table(k, table, through);
        float64 shortest = shortest_cycle(k, table, best, order), under = 0, gain = 1;
        for (int32 at = 0; at < k; at++) add_path(k, through, order[at], order[at + 1 < k ? at + 1 : 0], column);
        for (int32 e = 0; e < m; e++) {
            under += (wide || x[e] >= THIN ? mixed[e] : 0) * x[e];
            gain -= duals[e] * column[e];
        }
        if (shortest > 1e-9 && under / shortest < above) {
            above = under / shortest;
            for (int32 e = 0; e < m; e++) center[e] = mixed[e] / shortest;
        }
        if (gain > 1e-7) {
            if (!pivot_in(&p, column, gain)) return;
            if (p.value > stop && !wide) return;
            share = SHARE;
        } else if (share > 0) share = 0;
        else if (wide) {
            state[1] = 1;
            return;
        } else {
            wide = 1, share = SHARE, above = 0;
            for (int32 e = 0; e < m; e++)
                if (x[e] < THIN) center[e] = 1;
            for (int32 e = 0; e < m; e++) above += center[e] * x[e];
        }
    }
}
