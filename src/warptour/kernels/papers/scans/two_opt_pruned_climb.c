// build: metrics, branches
/* Climbers by the pruned search: independent best-improvement 2-opt descents, one per group, exact in every step.
 *
 * They start from the tours of two_opt_climb.c. The best moves found in a step stay candidates for the next one if the
 * move that is made leaves their edges alone: a good incumbent from the start.
 */
#ifdef NORM
#include "papers/scans/climber.h"
#include "papers/scans/pruned.h"
#include "papers/scans/pruned_tour.h"

/* Search all edges; `best` holds the best moves of each lane, by the place of their chunk. */
INLINE void search_all(ROOM_PARAMETER const Pruned *t, Best *best) {
    int32 least = 0;
    for (int32 m = 0; m < PER_LANE; m++)
        if (-gain_bits(best[m].gain) < least) least = -gain_bits(best[m].gain);
    MIN_OF_LANES(least, 0);
    float64 known = (float64)FLOAT_OF_BITS(-least);
    for (int32 first = 0; first < t->n; first += FAN) {
        uint32 open = 0;
        for (int32 k = LANE; k < FAN; k += LANES)
            if (first + k < t->n && t->edge[first + k] > 0 && 2 * t->edge[first + k] >= known) open |= 1u << k;
        open = (uint32)SUM_OF_LANES((int32)open);
        Best found = {0, NO_RANK, 0};
        for (; open; open &= open - 1) {
            int32 p = first + LOWEST_BIT(open);
            if (2 * t->edge[p] < known) continue;
            search_edge(ROOM t, p, &known, &found);
        }
        keep_better(&best[first / FAN % PER_LANE], &found);
    }
}

/* Return the gain of a move, summed as in `consider`; a reversal changes the order, and so perhaps the last bits. */
INLINE float64 gain_of(const Pruned *t, int32 i, int32 j) {
    float64 added = between(&t->at, t->tour[i], t->tour[j]) +
                    between(&t->at, t->tour[i + 1], t->tour[place_after(j, t->n)]);
    return -(added - t->edge[j] - t->edge[i]);
}

/* Return the smallest rank of all moves that gain `gain`. */
INLINE int64 first_of_ties(ROOM_PARAMETER const Pruned *t, float64 gain) {
    int32 n = t->n;
    for (int32 i = 0; i < n - 2; i++) {
        int32 least = n;
        for (int32 j = i + 2 + LANE; j < (i == 0 ? n - 1 : n) && least == n; j += LANES)
            if (gain_of(t, i, j) == gain) least = j;
        MIN_OF_LANES(least, i & 1);
        if (least < n) return (int64)i * n + least;
    }
    return NO_RANK;
}

/* Advance climbers `from` to `to` - 1 that are not locally optimal by at most `scans` scans. A climber that has not
 * begun starts from a shuffled tour. A move improves if it gains more than `threshold` plus the error of its edges.
 * nodes: number of nodes with padding; rank: node of each city; first: number of climber 0. */
KERNEL(two_opt_pruned_climb, BOXES_PARAMETERS, int32 nodes, int32 from, int32 to, int32 scans, float64 threshold, uint64 seed, int32 first, GLOBAL const int32 *RESTRICT rank,
       GLOBAL int32 *tours, GLOBAL int32 *places, GLOBAL float64 *edges, GLOBAL float64 *longests, GLOBAL float64 *fars,
       GLOBAL int32 *all_ends, GLOBAL float64 *lengths, GLOBAL int32 *all_counters) {
    POINTS_STRUCT(at);
    for (int32 w = from + GROUP; w < to; w += GROUPS) {
        GLOBAL int32 *counters = all_counters + (int64)w * COUNTERS, *ends = all_ends + 4 * (int64)w;
        GLOBAL int32 *tour = tours + (int64)w * n, *place = places + (int64)w * n;
        GLOBAL float64 *edge = edges + (int64)w * n, *longest = longests + (int64)w * nodes, *far = fars + (int64)w * boxes;
        int32 optimal = counters[LOCALLY_OPTIMAL], done = 0;
        if (optimal) continue;
        if (LANE == 0 && !counters[BEGUN]) {
            random_tour(tour, 1, n, random_key(seed, (uint64)(first + w)));
            for (int32 k = 0; k < n; k++) tour[k] = rank[tour[k]];
        }
        SYNC_LANES();
        lay_out(&at, n, 1.0, tour, place, edge, longest, LANE, LANES);
        SYNC_LANES();
        Pruned t = {at, boxes_of(box, boxes, n), tour, place, edge, longest, far, near, gaps, n};
        for (int32 level = 0; level < t.boxes.levels; level++) {
            GLOBAL const float64 *values = level == 0 ? longest : far + t.boxes.begin[level - 1];
            int32 begin = t.boxes.begin[level], end = level + 1 < t.boxes.levels ? t.boxes.begin[level + 1] : boxes;
            int32 children = level == 0 ? nodes : begin - t.boxes.begin[level - 1];
            for (int32 b = LANE; begin + b < end; b += LANES) far[begin + b] = longest_of_fan(values, b, children);
            SYNC_LANES();
        }
        Best best[PER_LANE];
        for (int32 m = 0; m < PER_LANE; m++) best[m].gain = 0, best[m].rank = NO_RANK, best[m].tied = 0;
        while (done < scans) {
            search_all(ROOM &t, best);
            done++;
            Best mine = best[0];
            for (int32 m = 1; m < PER_LANE; m++) keep_better(&mine, &best[m]);
            float64 gain = mine.gain;
            int64 chosen = mine.rank;
            BEST_OF_LANES(gain, chosen);
            if (ANY_LANE(mine.tied && mine.gain == gain)) chosen = first_of_ties(ROOM &t, gain);
            int32 i = chosen == NO_RANK ? 0 : (int32)(chosen / n), j = chosen == NO_RANK ? 0 : (int32)(chosen % n);
            if (i == j || gain <= threshold + error_share(&at) * (edge[i] + edge[j])) {
                optimal = 1;
                break;
            }
            find_ends(&at, n, 1.0, i, j, tour, edge, longest, ends);
            SYNC_LANES();
            reverse_between(&at, n, 1.0, i, j, tour, place, edge, LANE, LANES);
            SYNC_LANES();
            for (int32 v = 0; v < 4; v++) update_boxes(ROOM &t.boxes, ends[v], longest, far);
            for (int32 m = 0; m < PER_LANE; m++) {
                int64 moved = rank_after(best[m].rank, i, j, n);
                float64 still = moved == NO_RANK ? 0 : gain_of(&t, (int32)(moved / n), (int32)(moved % n));
                best[m].gain = still > 0 ? still : 0, best[m].rank = still > 0 ? moved : NO_RANK, best[m].tied = 0;
            }
        }
        float64 sum = 0;
        for (int32 k = LANE; k < n; k += LANES) sum += edge[k];
        sum = SUM_OF_LANES(sum);
        SYNC_LANES();
        if (LANE == 0) {
            counters[BEGUN] = 1, counters[LOCALLY_OPTIMAL] = optimal, counters[SCANS] += done;
            if (optimal) lengths[w] = sum;
        }
    }
}

#endif
