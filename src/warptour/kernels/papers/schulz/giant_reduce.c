// build: metrics, branches
/* From the fitness structure of a giant tour to its best feasible neighbour, and from there to the next giant tour.
 *
 * The fitness structure has the delta and feasibility of each neighbour. Its deltas are differences of sums over whole
 * tours: their error is at most `error`, which is 0 for integers. So neighbours within it of the best are compared by
 * the edges that they remove and add.
 */
#include "papers/schulz/giant_verdict.h"

#define NO_RANK 0x7fffffffffffffffL

typedef struct {
    float64 delta, removed;
} Change;

/* Delta of a neighbour by its edges, and the length of those that it removes; `routes` of the present tour. */
INLINE Change changed(const Giant *g, GLOBAL const int32 *tour, int32 last, const Neighbour *v, int32 routes,
                      float64 fixed, float64 weight, int32 vehicles) {
    float64 added = 0, removed = 0;
    int32 count = segments_of(v, last), more = 0, at = place_of(g, tour[v->x]);
    for (int32 k = 1; k < count; k++) {
        int32 q = segment_in(v, k), first = segment_first(v, q), end = segment_last(v, q, last);
        int32 reversed = segment_reversed(v, q), enter = place_of(g, tour[reversed ? end : first]);
        int32 from = place_of(g, tour[segment_first(v, k) - 1]), to = place_of(g, tour[segment_first(v, k)]);
        added += giant_distance(g, at, enter), removed += giant_distance(g, from, to);
        more += (from == 0 && to == 0) - (at == 0 && enter == 0);
        at = place_of(g, tour[reversed ? first : end]);
    }
    Change change = {added - removed + PENALTY(routes + more) - PENALTY(routes), removed};
    return change;
}

/* Prepare slots for evaluation: no change, feasible; or only those that a mask keeps. */
KERNEL(giant_clear, int64 slots, GLOBAL const unsigned char *mask, GLOBAL float64 *deltas,
       GLOBAL unsigned char *feasible) {
    EACH(k, 0, slots) deltas[k] = 0, feasible[k] = mask ? mask[k] : 1;
}

#define REDUCTION_PARAMETERS                                                                                   \
    GIANT_PARAMETERS, int32 options, int32 last, GLOBAL const int32 *RESTRICT tour, float64 fixed,             \
        float64 weight, int32 vehicles, GLOBAL const int32 *RESTRICT counts, int64 whole, float64 error

/* Rank of slot k: of a list, of those kept by giant_merge, or of the part. */
#define RANK_OF(k) (ranks ? ranks[k] : rank_at(&part, options, list ? list[k] : (k)))

/* Write the best feasible neighbour of each group that improves the tour: its gain exceeds `absolute` plus `relative`
 * times the length that it removes. */
KERNEL(giant_reduce, REDUCTION_PARAMETERS, float64 absolute, float64 relative, PART_PARAMETERS, int64 slots,
       GLOBAL const int64 *RESTRICT list, GLOBAL const int64 *RESTRICT ranks, GLOBAL const float64 *RESTRICT deltas,
       GLOBAL const unsigned char *RESTRICT feasible, GLOBAL float64 *RESTRICT gains, GLOBAL int64 *RESTRICT places) {
    GIANT_STRUCT(g);
    PART_STRUCT(part);
    float64 gain = 0;
    int64 rank = NO_RANK;
    EACH(k, 0, slots) {
        if (deltas[k] > error - gain || !feasible[k]) continue;
        int32 moved[4];
        int64 place = RANK_OF(k);
        Neighbour v = neighbour_of(last, place, moved);
        Change change = changed(&g, tour, last, &v, counts[whole], fixed, weight, vehicles);
        if (-change.delta <= absolute + relative * change.removed) continue;
        if (-change.delta > gain || (-change.delta == gain && place < rank)) gain = -change.delta, rank = place;
    }
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) gains[GROUP] = gain, places[GROUP] = rank;
}

/* Write the best of all groups: x, y, z and p, the last two -1 for 2-opt, all -1 if no neighbour improves the tour. One
 * group. */
KERNEL(giant_found, int32 last, int32 groups, GLOBAL const float64 *RESTRICT gains, GLOBAL const int64 *RESTRICT places,
       GLOBAL int32 *RESTRICT move, GLOBAL float64 *RESTRICT delta) {
    if (GROUP > 0) return;
    float64 gain = 0;
    int64 rank = NO_RANK;
    for (int32 k = LANE; k < groups; k += LANES)
        if (gains[k] > gain || (gains[k] == gain && places[k] < rank)) gain = gains[k], rank = places[k];
    BEST_OF_LANES(gain, rank);
    if (LANE == 0) {
        int32 moved[4] = {-1, -1, -1, -1};
        if (rank != NO_RANK) neighbour_of(last, rank, moved);
        for (int32 k = 0; k < 4; k++) move[k] = moved[k];
        delta[0] = -gain;
    }
}

/* Copy the move, into memory of the host that is mapped. */
KERNEL(giant_tell, GLOBAL const int32 *RESTRICT move, GLOBAL const float64 *RESTRICT delta,
       GLOBAL int32 *RESTRICT told_move, GLOBAL float64 *RESTRICT told_delta) {
    if (GROUP > 0) return;
    for (int32 k = LANE; k < 4; k += LANES) told_move[k] = move[k];
    if (LANE == 0) told_delta[0] = delta[0];
}

/* Write the giant tour after the move. */
KERNEL(giant_apply, int32 last, GLOBAL const int32 *RESTRICT move, GLOBAL const int32 *RESTRICT tour,
       GLOBAL int32 *RESTRICT next) {
    Neighbour v = move[3] < 0 ? pair_neighbour(last, move[0], move[1])
                              : triple_neighbour(move[0], move[1], move[2], move[3]);
    EACH(k, 0, last + 1) {
        int32 from = (int32)k, at = from - v.x - 1, ahead = v.swapped ? v.z - v.y : v.y - v.x;
        if (v.x >= 0 && from > v.x && from <= v.z) {
            int32 q = (at < ahead) == v.swapped ? 2 : 1;
            int32 within = at < ahead ? at : at - ahead;
            from = segment_reversed(&v, q) ? segment_last(&v, q, last) - within : segment_first(&v, q) + within;
        }
        next[k] = tour[from];
    }
}

/* Ranks of a part's neighbours, or of those in a list. */
KERNEL(giant_ranks, int32 options, int32 last, PART_PARAMETERS, int64 slots, GLOBAL const int64 *RESTRICT list,
       GLOBAL int64 *RESTRICT ranks) {
    PART_STRUCT(part);
    EACH(k, 0, slots) ranks[k] = rank_at(&part, options, list ? list[k] : k);
}

/* Keep the better of the neighbours of two parts in each slot, and its rank, -1 for none. `first`: the part is the
 * first of all, and its fitness lies where the best is kept. */
KERNEL(giant_merge, REDUCTION_PARAMETERS, PART_PARAMETERS, int64 slots, int64 room, int32 first,
       GLOBAL const float64 *deltas, GLOBAL const unsigned char *feasible, GLOBAL float64 *best,
       GLOBAL unsigned char *holds_best, GLOBAL int64 *ranks) {
    GIANT_STRUCT(g);
    PART_STRUCT(part);
    EACH(k, 0, room) {
        if (k >= slots) {
            if (first) best[k] = 0, holds_best[k] = 0, ranks[k] = -1;
            continue;
        }
        int64 rank = rank_at(&part, options, k);
        int32 better = first;
        if (!first && feasible[k]) {
            float64 apart = deltas[k] - best[k];
            better = !holds_best[k] || apart < 0;
            if (holds_best[k] && apart <= 2 * error && -apart <= 2 * error) {
                int32 moved[4];
                Neighbour v = neighbour_of(last, rank, moved), w = neighbour_of(last, ranks[k], moved);
                float64 mine = changed(&g, tour, last, &v, counts[whole], fixed, weight, vehicles).delta;
                float64 its = changed(&g, tour, last, &w, counts[whole], fixed, weight, vehicles).delta;
                better = mine < its || (mine == its && rank < ranks[k]);
            }
        }
        if (better) best[k] = deltas[k], holds_best[k] = feasible[k], ranks[k] = rank;
    }
}

/* 1 for each slot that a mask keeps; the list of these slots, from the running sum of that. */
KERNEL(giant_kept, int64 slots, GLOBAL const unsigned char *RESTRICT mask, GLOBAL int64 *RESTRICT kept) {
    EACH(k, 0, slots) kept[k] = mask[k];
}
KERNEL(giant_list, int64 slots, GLOBAL const unsigned char *RESTRICT mask, GLOBAL const int64 *RESTRICT sums,
       GLOBAL int64 *RESTRICT list) {
    EACH(k, 0, slots) if (mask[k]) list[sums[k] - 1] = k;
}

/* The triples and pairs of many ranks, for tests. */
KERNEL(giant_ranked, int32 last, int64 count, GLOBAL const int64 *RESTRICT ranks, GLOBAL int32 *RESTRICT moves) {
    EACH(k, 0, count) {
        int32 moved[4];
        neighbour_of(last, ranks[k], moved);
        for (int32 j = 0; j < 4; j++) moves[4 * k + j] = moved[j];
    }
}
