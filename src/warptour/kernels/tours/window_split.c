/* Splitting a tour into windows, and joining the refined windows into a tour again. */
#include "common/metric.h"

#define NOBODY (-1)

/* Count the cities and fragments of each window; label[c] is the window of city c. Both arrays come in as zero and are
 * written at index window + 1, so that their prefix sums are the offsets. */
KERNEL(window_count, int64 n, GLOBAL const int32 *tour, GLOBAL const int32 *label, GLOBAL int64 *cities,
       GLOBAL int64 *fragments) {
    int32 last = NOBODY;
    for (int64 i = 0; i < n; i++) {
        int32 here = label[tour[i]];
        cities[here + 1]++;
        if (here != last) fragments[here + 1]++;
        last = here;
    }
}

/* Assign each city a slot: windows one after the other, the cities of each window in tour order. city_next and
 * fragment_next come in as the offsets and are overwritten. heads[f] is the first city of fragment f, as an index
 * within its window; sequence lists the fragments in tour order. */
KERNEL(window_deal, int64 n, GLOBAL const int32 *tour, GLOBAL const int32 *label, GLOBAL const int64 *offsets,
       GLOBAL int64 *city_next, GLOBAL int64 *fragment_next, GLOBAL int32 *order, GLOBAL int32 *slot,
       GLOBAL int32 *heads, GLOBAL int32 *sequence) {
    int32 last = NOBODY;
    int64 count = 0;
    for (int64 i = 0; i < n; i++) {
        int32 c = tour[i], here = label[c];
        int64 at = city_next[here]++;
        order[at] = c;
        slot[c] = (int32)at;
        if (here != last) {
            int64 fragment = fragment_next[here]++;
            heads[fragment] = (int32)(at - offsets[here]);
            sequence[count++] = (int32)fragment;
        }
        last = here;
    }
}

/* Fill the arrays of window GROUP from the instance. Its cities are order[offsets[GROUP]] .., numbered from 0, and its
 * initial cycle is in that order. Cities with a mark are queued. Afterwards a mark is set if a candidate of the city
 * lies outside the window, and cleared otherwise. Output starts at the beginning of each array. */
KERNEL(window_fill, POINTS_PARAMETERS, GLOBAL const int32 *all_near, int32 width, GLOBAL const int32 *fixed,
       GLOBAL const int32 *order, GLOBAL const int32 *slot, GLOBAL const int64 *offsets, GLOBAL const int32 *heads,
       GLOBAL const int64 *fragment_offsets, GLOBAL int32 *marks, GLOBAL real *x, GLOBAL real *y, GLOBAL real *z,
       GLOBAL int32 *near, GLOBAL real *reach, GLOBAL int32 *bonds, GLOBAL int32 *tour, GLOBAL int32 *place,
       GLOBAL int32 *queue, GLOBAL int32 *queued, GLOBAL int64 *state) {
    POINTS_STRUCT(p);
    int64 first = offsets[GROUP], end = offsets[GROUP + 1];
    int32 m = (int32)(end - first), queue_length = 0;
    for (int32 s = 0; s < m; s++) {
        int32 c = order[first + s], count = 0, cut = 0;
        if (c < p.n) {
            x[s] = p.x[c], y[s] = p.y[c];
            if (p.norm != EUCLIDEAN_2D) z[s] = p.z[c];
        }
        for (int32 k = 0; k < width; k++) {
            int32 other = all_near[(int64)c * width + k];
            if (other == NOBODY) break;
            if (other >= p.n) continue; /* the node that closes an open path has its own window */
            int64 at = slot[other];
            if (at < first || at >= end) {
                cut = 1;
                continue;
            }
            near[(int64)s * width + count] = (int32)(at - first);
            reach[(int64)s * width + count] = between(&p, c, other);
            count++;
        }
        for (; count < width; count++) near[(int64)s * width + count] = NOBODY;
        for (int32 k = 0; k < 2; k++) {
            int32 mate = fixed == 0 ? NOBODY : fixed[2 * (int64)c + k];
            int64 at = mate == NOBODY ? -1 : (int64)slot[mate];
            bonds[2 * s + k] = at < first || at >= end ? NOBODY : (int32)(at - first);
        }
        tour[s] = s, place[s] = s;
        queued[s] = marks[c];
        if (marks[c]) queue[queue_length++] = s;
        marks[c] = cut;
    }
    /* bond the last city of each fragment to the first of the next, and the last fragment to the first */
    int64 f = fragment_offsets[GROUP], fragments = fragment_offsets[GROUP + 1] - f;
    for (int64 k = 0; k < fragments; k++) {
        int32 to = heads[f + k], from = (to == 0 ? m : to) - 1;
        if (bonds[2 * from] == to || bonds[2 * from + 1] == to) continue; /* a fixed edge closes the array */
        bonds[2 * from + 1 - (bonds[2 * from] == NOBODY)] = to;
        bonds[2 * to + 1 - (bonds[2 * to] == NOBODY)] = from;
    }
    state[0] = 0, state[1] = queue_length, state[2] = state[3] = state[4] = state[5] = 0;
}

/* Write the refined cycle of window GROUP back to its part of `order`, and the new number of cities of each fragment to
 * `counts`. */
KERNEL(window_empty, GLOBAL const int64 *offsets, GLOBAL const int32 *heads, GLOBAL const int64 *fragment_offsets,
       GLOBAL const int32 *tour, GLOBAL const int32 *place, GLOBAL int32 *spare, GLOBAL int32 *order,
       GLOBAL int32 *counts) {
    int64 at = offsets[GROUP], f = fragment_offsets[GROUP], fragments = fragment_offsets[GROUP + 1] - f;
    int32 m = (int32)(offsets[GROUP + 1] - at), origin = place[0], last = place[m - 1];
    int32 forward = last + 1 == origin || (origin == 0 && last == m - 1);
    for (int32 s = 0; s < m; s++) spare[s] = order[at + s];
    for (int32 s = 0; s < m; s++) {
        int32 from = forward ? origin + s : origin - s;
        order[at + s] = spare[tour[from < 0 ? from + m : from >= m ? from - m : from]];
    }
    for (int64 k = 0; k < fragments; k++) {
        int32 end = k + 1 < fragments ? place[heads[f + k + 1]] - origin : m;
        int32 begin = place[heads[f + k]] - origin;
        if (!forward) {
            begin = -begin;
            if (k + 1 < fragments) end = -end;
        }
        if (begin < 0) begin += m;
        if (end < 0) end += m;
        counts[f + k] = end - begin;
    }
}

/* Write the new neighbours of the cities of window GROUP, 2 per city, to `links`, which holds those of the tour before.
 * At a join between fragments the neighbour outside the window is kept. */
KERNEL(window_relink, GLOBAL const int64 *offsets, GLOBAL const int32 *heads, GLOBAL const int64 *fragment_offsets,
       GLOBAL const int32 *tour, GLOBAL const int32 *place, GLOBAL const int32 *order, GLOBAL int32 *spare,
       GLOBAL int32 *links) {
    int64 at = offsets[GROUP], f = fragment_offsets[GROUP], fragments = fragment_offsets[GROUP + 1] - f;
    int32 m = (int32)(offsets[GROUP + 1] - at);
    for (int32 s = 0; s < m; s++) spare[s] = 0; /* 1: first city of a fragment, 2: last, 3: both */
    for (int64 k = 0; k < fragments; k++) {
        int32 head = heads[f + k];
        spare[head] |= 1;
        spare[(head == 0 ? m : head) - 1] |= 2;
    }
    for (int32 s = 0; s < m; s++) {
        if (spare[s] == 3) continue;
        int32 here = place[s], ahead = tour[here + 1 == m ? 0 : here + 1], behind = tour[(here == 0 ? m : here) - 1];
        GLOBAL int32 *mine = links + 2 * (int64)order[at + s];
        if (spare[s] == 0) {
            mine[0] = order[at + behind], mine[1] = order[at + ahead];
        } else {
            int32 joined = spare[s] == 1 ? (s == 0 ? m : s) - 1 : s + 1 == m ? 0 : s + 1;
            mine[spare[s] == 1] = order[at + (ahead == joined ? behind : ahead)];
        }
    }
}

/* Write the tour: the refined fragments in their original sequence. starts[f] is the slot of fragment f's first
 * city. */
KERNEL(window_join, int64 fragments, GLOBAL const int32 *sequence, GLOBAL const int64 *starts,
       GLOBAL const int32 *counts, GLOBAL const int32 *order, GLOBAL int32 *tour) {
    int64 to = 0;
    for (int64 k = 0; k < fragments; k++) {
        int32 f = sequence[k];
        for (int32 s = 0; s < counts[f]; s++) tour[to++] = order[starts[f] + s];
    }
}
