/* Construction of a k-d tree (tree.h) and neighbour lists of all its points. Native only. */
#include "common/tree.h"

INLINE void swap_spots(GLOBAL float64 *spot, GLOBAL int32 *id, int32 a, int32 b, int32 dim) {
    for (int32 d = 0; d < dim; d++) {
        float64 s = spot[(int64)a * dim + d];
        spot[(int64)a * dim + d] = spot[(int64)b * dim + d];
        spot[(int64)b * dim + d] = s;
    }
    int32 i = id[a];
    id[a] = id[b], id[b] = i;
}

/* Quickselect by coordinate d: reorder points [low, high) so that index `middle` splits smaller from larger ones. */
INLINE void split_spots(GLOBAL float64 *spot, GLOBAL int32 *id, int32 low, int32 high, int32 middle, int32 d, int32 dim) {
    int32 last = high - 1;
    while (low < last) {
        float64 a = spot[(int64)low * dim + d], b = spot[(int64)(low + (last - low) / 2) * dim + d];
        float64 c = spot[(int64)last * dim + d];
        float64 pivot = a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b));
        int32 i = low, j = last;
        while (i <= j) {
            while (spot[(int64)i * dim + d] < pivot) i++;
            while (spot[(int64)j * dim + d] > pivot) j--;
            if (i <= j) swap_spots(spot, id, i++, j--, dim);
        }
        if (middle <= j) last = j;
        else if (middle >= i) low = i;
        else return;
    }
}

INLINE void grow_below(GLOBAL float64 *spot, GLOBAL int32 *id, GLOBAL float64 *box, int32 count, int32 levels, int32 from,
                       int32 until, int32 number, int32 dim) {
    int32 waiting[64], level_of[64], many = 0;
    waiting[many] = number, level_of[many++] = from;
    while (many) {
        int32 k = waiting[--many], level = level_of[many];
        int32 low = first_of(count, level, k), high = first_of(count, level, (int64)k + 1);
        GLOBAL float64 *corner = box + ((int64)(1 << level) + k) * 2 * dim;
        int32 widest = 0;
        for (int32 d = 0; d < dim; d++) {
            float64 least = spot[(int64)low * dim + d], most = least;
            for (int32 s = low + 1; s < high; s++) {
                float64 x = spot[(int64)s * dim + d];
                least = x < least ? x : least, most = x > most ? x : most;
            }
            corner[d] = least, corner[dim + d] = most;
            if (most - least > corner[dim + widest] - corner[widest]) widest = d;
        }
        if (level == levels) continue;
        split_spots(spot, id, low, high, first_of(count, level + 1, 2 * (int64)k + 1), widest, dim);
        if (level + 1 == until) continue;
        waiting[many] = 2 * k + 1, level_of[many++] = level + 1;
        waiting[many] = 2 * k, level_of[many++] = level + 1;
    }
}

/* Bring the points into tree order and compute the bounding boxes of levels [from, until). The groups share the nodes
 * of level `from`, so several may build the lower levels once one has built the upper. */
KERNEL(tree_grow, GLOBAL float64 *spot, GLOBAL int32 *id, GLOBAL float64 *box, int32 count, int32 dim, int32 levels,
       int32 from, int32 until) {
    for (int32 k = GROUP; k < 1 << from; k += GROUPS) {
        if (dim == 2) grow_below(spot, id, box, count, levels, from, until, k, 2);
        else grow_below(spot, id, box, count, levels, from, until, k, dim);
    }
}

/* Set the axes of sector 0..3 around q->at: quarter turns of x and y, or on the sphere of east and north. */
INLINE void face_sector(Query *q, int32 dim, int32 norm) {
    float64 east[3] = {1, 0, 0}, north[3] = {0, 1, 0};
    if (norm == ANGLE) {
        float64 x = q->at[0], y = q->at[1], z = q->at[2], r = sqrt(x * x + y * y);
        if (r > 0) {
            east[0] = -y / r, east[1] = x / r;
            north[0] = -z * x / r, north[1] = -z * y / r, north[2] = r;
        }
    }
    for (int32 d = 0; d < dim; d++) {
        float64 e = east[d], n = north[d];
        q->along[d] = q->sector == 0 ? e : q->sector == 1 ? n : q->sector == 2 ? -e : -n;
        q->aside[d] = q->sector == 0 ? n : q->sector == 1 ? -e : q->sector == 2 ? -n : e;
    }
}

/* Fill one row: the `quadrant` nearest points of each sector, then the nearest not yet listed, `width` in all. A sector
 * is searched only if the overall nearest do not contain enough points of it. */
INLINE void fill_row(const Tree *t, Query *q, int32 spot, int32 width, int32 quadrant, GLOBAL int32 *row, int32 dim,
                     int32 norm) {
    Absent nobody = {0, 0};
    int32 many = 0;
    q->self = spot, q->sector = ANYWHERE, q->wanted = width;
    search_tree(t, q, &nobody, dim, norm);
    GLOBAL const int32 *nearest = q->who;
    int32 found = q->found;
    q->gap += width, q->who += width, q->wanted = quadrant;
    for (q->sector = 0; q->sector < 4 && quadrant > 0; q->sector++) {
        int32 before = many;
        face_sector(q, dim, norm);
        for (int32 k = 0; k < found && many < width && many < before + quadrant; k++)
            if (in_sector(t, q, nearest[k], dim)) row[many++] = nearest[k];
        if (many == width || many == before + quadrant) continue;
        many = before;
        search_tree(t, q, &nobody, dim, norm);
        for (int32 k = 0; k < q->found && many < width; k++) row[many++] = q->who[k];
    }
    q->gap -= width, q->who -= width;
    int32 chosen = many;
    for (int32 k = 0; k < found && many < width; k++) {
        int32 c = 0;
        while (c < chosen && row[c] != nearest[k]) c++;
        if (c == chosen) row[many++] = nearest[k];
    }
}

/* List `width` neighbours of every point, by id; each group takes its share of the leaves. `width` is below the number
 * of points and at least `quadrant`; gaps and whos: workspace of 2 * width numbers per group. */
KERNEL(tree_rows, GLOBAL const float64 *spot, GLOBAL const int32 *id, GLOBAL const float64 *box, int32 count, int32 dim,
       int32 norm, int32 levels, int32 width, int32 quadrant, GLOBAL float64 *gaps, GLOBAL int32 *whos,
       GLOBAL int32 *rows) {
    Tree t = {spot, box, count, dim, norm, levels};
    Query q;
    int64 leaves = (int64)1 << levels;
    int32 end = first_of(count, levels, leaves * (GROUP + 1) / GROUPS);
    q.gap = gaps + 2 * (int64)GROUP * width, q.who = whos + 2 * (int64)GROUP * width;
    for (int32 s = first_of(count, levels, leaves * GROUP / GROUPS); s < end; s++) {
        GLOBAL int32 *row = rows + (int64)id[s] * width;
        if (dim == 2 && norm == EUCLIDEAN_2D) fill_row(&t, &q, s, width, quadrant, row, 2, EUCLIDEAN_2D);
        else fill_row(&t, &q, s, width, quadrant, row, dim, norm);
        for (int32 k = 0; k < width; k++) row[k] = id[row[k]];
    }
}

/* Sort each row of a neighbour list by distance, ties by index. Rows are visited in the order visit[], unless it is
 * null: far fewer cache misses if that follows the nodes in space. */
KERNEL(rows_sort, POINTS_PARAMETERS, int32 width, GLOBAL const int32 *visit, GLOBAL float64 *gaps, GLOBAL int32 *rows) {
    POINTS_STRUCT(p);
    GLOBAL float64 *gap = gaps + (int64)GROUP * width;
    int32 end = (int32)((int64)pn * (GROUP + 1) / GROUPS);
    for (int32 v = (int32)((int64)pn * GROUP / GROUPS); v < end; v++) {
        int32 i = visit ? visit[v] : v;
        GLOBAL int32 *row = rows + (int64)i * width;
        for (int32 k = 0; k < width; k++) {
            int32 j = row[k], at = k;
            float64 g = between(&p, i, j);
            for (; at > 0 && (gap[at - 1] > g || (gap[at - 1] == g && row[at - 1] > j)); at--)
                gap[at] = gap[at - 1], row[at] = row[at - 1];
            gap[at] = g, row[at] = j;
        }
    }
}

/* Nearest-neighbour construction: visit the nearest point left, at most `most` times per call. Entering a chain of
 * cities at one end leaves it at the other, mate[spot]. The current point is already marked gone. `state`: current
 * point, and number of visits. */
INLINE void visit_tree(const Tree *t, Query *q, GLOBAL int32 *left, GLOBAL int32 *gone, GLOBAL const int32 *mate,
                      GLOBAL int32 *visits, GLOBAL int32 *state, int32 most, int32 dim, int32 norm) {
    Absent absent = {left, gone};
    int32 at = state[0], many = state[1];
    for (int32 n = 0; n < most && left[1] > 0; n++) {
        q->self = at;
        search_tree(t, q, &absent, dim, norm);
        int32 entry = q->who[0];
        at = mate[entry];
        visits[many++] = entry;
        for (int32 end = entry;; end = at) {
            gone[end] = 1;
            for (int32 node = (1 << t->levels) + leaf_of(t, end); node > 0; node >>= 1) left[node]--;
            if (end == at) break;
        }
    }
    state[0] = at, state[1] = many;
}

KERNEL(tree_walk, GLOBAL const float64 *spot, GLOBAL const float64 *box, int32 count, int32 dim, int32 norm, int32 levels,
       GLOBAL int32 *left, GLOBAL int32 *gone, GLOBAL const int32 *mate, GLOBAL int32 *visits, GLOBAL int32 *state,
       int32 most, GLOBAL float64 *gap, GLOBAL int32 *who) {
    Tree t = {spot, box, count, dim, norm, levels};
    Query q;
    q.sector = ANYWHERE, q.wanted = 1, q.gap = gap, q.who = who;
    if (dim == 2 && norm == EUCLIDEAN_2D) visit_tree(&t, &q, left, gone, mate, visits, state, most, 2, EUCLIDEAN_2D);
    else visit_tree(&t, &q, left, gone, mate, visits, state, most, dim, norm);
}
