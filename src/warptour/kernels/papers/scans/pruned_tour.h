/* A tour under pruned search (pruned.h): its edges, and what a move changes. Work is dealt out by `start` and `stride`. */
#ifndef WARPTOUR_PRUNED_TOUR
#define WARPTOUR_PRUNED_TOUR

#include "papers/scans/pruned_boxes.h"

/* Compute the edges of a tour, multiplied by `kept`, the position and the longer edge of each node. */
INLINE void lay_out(const Points *at, int32 n, float64 kept, GLOBAL const int32 *tour, GLOBAL int32 *place,
                    GLOBAL float64 *edge, GLOBAL float64 *longest, int32 start, int32 stride) {
    for (int32 k = start; k < n; k += stride) {
        int32 node = tour[k];
        float64 before = kept * between(at, tour[place_before(k, n)], node);
        float64 after = kept * between(at, node, tour[place_after(k, n)]);
        place[node] = k, edge[k] = after, longest[node] = before > after ? before : after;
    }
}

/* Before the move (i, j): the four ends of its new edges, and the longer edge that each of them will have. One group. */
INLINE void find_ends(const Points *at, int32 n, float64 kept, int32 i, int32 j, GLOBAL const int32 *tour,
                      GLOBAL const float64 *edge, GLOBAL float64 *longest, GLOBAL int32 *ends) {
    for (int32 v = LANE; v < 4; v += LANES) {
        int32 here = v < 2 ? i + v : v == 2 ? j : place_after(j, n);
        int32 to = v == 0 ? j : v == 1 ? place_after(j, n) : v == 2 ? i : i + 1;
        int32 other = v == 0 ? place_before(i, n) : v == 1 ? i + 1 : v == 2 ? j - 1 : here;
        float64 joined = kept * between(at, tour[here], tour[to]);
        longest[tour[here]] = joined > edge[other] ? joined : edge[other];
        ends[v] = tour[here];
    }
}

/* Reverse positions i + 1 to j. */
INLINE void reverse_between(const Points *at, int32 n, float64 kept, int32 i, int32 j, GLOBAL int32 *tour,
                            GLOBAL int32 *place, GLOBAL float64 *edge, int32 start, int32 stride) {
    for (int32 k = start; 2 * k < j - i; k += stride) {
        int32 low = i + 1 + k, high = j - k, a = tour[low], b = tour[high];
        if (k == 0) {
            edge[i] = kept * between(at, tour[i], b);
            edge[j] = kept * between(at, a, tour[place_after(j, n)]);
        }
        tour[low] = b, place[b] = low;
        tour[high] = a, place[a] = high;
        if (low < high - 1) {
            float64 mirrored = edge[high - 1];
            edge[high - 1] = edge[low], edge[low] = mirrored;
        }
    }
}

/* Compute the longest edge in all boxes around a node. One group. */
INLINE void update_boxes(ROOM_PARAMETER const Boxes *boxes, int32 node, GLOBAL const float64 *longest,
                         GLOBAL float64 *far) {
    for (int32 level = 0; level < boxes->levels; level++) {
        GLOBAL const float64 *values = level == 0 ? longest : far + boxes->begin[level - 1];
        node /= FAN;
        float64 most = 0;
        for (int32 k = LANE; k < FAN; k += LANES)
            most = values[node * FAN + k] > most ? values[node * FAN + k] : most;
        int32 rank = 0;
        BEST_OF_LANES(most, rank);
        if (LANE == 0) far[boxes->begin[level] + node] = most;
        SYNC_LANES();
    }
}

#endif
