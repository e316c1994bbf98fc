/* Cut a tour into windows and put the refined windows together again. */
#include "metric.h"

#define NOBODY (-1)

/* Count the cities and the fragments of each window: label[c] is the window of city c. Both counts come in as
 * zero, at index window + 1, so that a running sum over them gives the offsets. */
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

/* Give each city its slot: windows one after the other, the cities of each in the order of the tour.
 * city_next and fragment_next come in as the offsets and are used up. heads[f] is the first city of fragment f,
 * counted within its window; sequence lists the fragments in the order of the tour. */
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

/* Fill window GROUP from the whole: its cities are order[offsets[GROUP]] .., numbered from 0, and the cycle
 * starts as they come. A city is dirty if its mark is set; a mark is set anew if a candidate of the city is not
 * in the window, and else cleared. What is written starts at the beginning of each array given. */
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
            if (other >= p.n) continue; /* the closing node has a window of its own */
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
    /* join the last city of each fragment to the first of the next, the very last to the very first */
    int64 f = fragment_offsets[GROUP], fragments = fragment_offsets[GROUP + 1] - f;
    for (int64 k = 0; k < fragments; k++) {
        int32 to = heads[f + k], from = (to == 0 ? m : to) - 1;
        if (bonds[2 * from] == to || bonds[2 * from + 1] == to) continue; /* a fixed edge at the end of the array */
        bonds[2 * from + 1 - (bonds[2 * from] == NOBODY)] = to;
        bonds[2 * to + 1 - (bonds[2 * to] == NOBODY)] = from;
    }
    state[0] = 0, state[1] = queue_length, state[2] = state[3] = state[4] = state[5] = 0;
}

/* Write the refined cycle of window GROUP back over its part of order, and how long each fragment now is. */
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

/* Write the neighbours that the cities of window GROUP have now, 2 a city, into links, which hold those of the tour
 * before. Where a city has a join to another fragment, its neighbour in the tour, outside, stays. */
KERNEL(window_relink, GLOBAL const int64 *offsets, GLOBAL const int32 *heads, GLOBAL const int64 *fragment_offsets,
       GLOBAL const int32 *tour, GLOBAL const int32 *place, GLOBAL const int32 *order, GLOBAL int32 *spare,
       GLOBAL int32 *links) {
    int64 at = offsets[GROUP], f = fragment_offsets[GROUP], fragments = fragment_offsets[GROUP + 1] - f;
    int32 m = (int32)(offsets[GROUP + 1] - at);
    for (int32 s = 0; s < m; s++) spare[s] = 0; /* 1: the first of a fragment, 2: the last, 3: both */
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

/* Write the tour: all fragments in their sequence, from where their windows hold them now. starts[f] is the slot
 * of the first city of fragment f. */
KERNEL(window_join, int64 fragments, GLOBAL const int32 *sequence, GLOBAL const int64 *starts,
       GLOBAL const int32 *counts, GLOBAL const int32 *order, GLOBAL int32 *tour) {
    int64 to = 0;
    for (int64 k = 0; k < fragments; k++) {
        int32 f = sequence[k];
        for (int32 s = 0; s < counts[f]; s++) tour[to++] = order[starts[f] + s];
    }
}
