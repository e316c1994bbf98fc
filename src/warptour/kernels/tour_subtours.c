// build: metrics
/* Unite what windows made of one tour, each for itself.
 *
 * Each window turned the tour into another tour, had the rest stayed as it was. Together they may make several
 * cycles: two exchanges that are tours each need not be one both (two interleaved 2-opt moves are not). The cities'
 * new neighbours are compared with the tour's, and the differences fall into components (tour_segments.h). All of them
 * are taken first. Then components are given up, those that save least first, if that makes fewer cycles, until
 * one is left; last, what was given up is tried again, and what does not save is given up too.
 */
#include "metric.h"
#include "tour_segments.h"

#define MAX_STEPS 20000000 /* of all walks of the last part together */

/* The cycles that a choice makes. All walks go from run to run, entering each at one end. */
typedef struct {
    int32 count, smallest;             /* cycles; the one with the fewest runs */
    GLOBAL int32 *at, *cycle, *enter;  /* by run: its place on all the walks, its cycle, the end at which it is entered */
    GLOBAL int32 *first, *members;     /* by component: its ends are members[first[k]] .. members[first[k + 1] - 1] */
    GLOBAL int32 *leaves, *mate, *seen; /* room for a trial: ends where walks leave; by end */
    GLOBAL int32 *stale;               /* by cycle: whether it has been changed since the walk */
} Cycles;

INLINE void trace_cycles(Choice *choice, Cycles *cycles) {
    int32 count = 0, fewest = choice->segments + 1;
    cycles->count = cycles->smallest = 0;
    for (int32 r = 0; r < choice->segments; r++) cycles->at[r] = NOBODY;
    for (int32 r = 0; r < choice->segments; r++) {
        if (cycles->at[r] != NOBODY) continue;
        int32 end = 2 * r, before = count;
        do {
            cycles->at[end >> 1] = count++;
            cycles->cycle[end >> 1] = cycles->count;
            cycles->enter[end >> 1] = end;
            end = joined_to(choice, end ^ 1);
        } while (end != 2 * r);
        if (count - before < fewest) fewest = count - before, cycles->smallest = cycles->count;
        cycles->stale[cycles->count++] = 0;
    }
    choice->steps += count;
}

/* List the ends of each component. */
INLINE void list_members(const Choice *choice, Cycles *cycles) {
    for (int32 k = 0; k <= choice->parts; k++) cycles->first[k] = 0;
    for (int32 end = 0; end < 2 * choice->segments; end++) cycles->first[choice->part[end] + 1]++;
    for (int32 k = 0; k < choice->parts; k++) cycles->first[k + 1] += cycles->first[k];
    for (int32 end = 0; end < 2 * choice->segments; end++) cycles->members[cycles->first[choice->part[end]]++] = end;
    for (int32 k = choice->parts; k > 0; k--) cycles->first[k] = cycles->first[k - 1];
    cycles->first[0] = 0;
}

/* Whether component k touches a cycle that is stale, or where `several` is set, no more than one cycle. */
INLINE int32 pointless(const Cycles *cycles, int32 k, int32 several) {
    int32 one = cycles->cycle[cycles->members[cycles->first[k]] >> 1], same = 1;
    for (int32 i = cycles->first[k]; i < cycles->first[k + 1]; i++) {
        int32 cycle = cycles->cycle[cycles->members[i] >> 1];
        if (cycles->stale[cycle]) return 1;
        same &= cycle == one;
    }
    return several && same;
}

/* By how many cycles more component k would leave if it were had the way that it is not had now. The cycles that it
 * touches consist of arcs, from an end where a walk enters to the next where it leaves, and only the ends of arcs
 * are joined anew. */
INLINE int32 more_cycles(const Choice *choice, Cycles *cycles, int32 k) {
    GLOBAL const int32 *now = choice->taken[k] ? choice->theirs : choice->mine;
    GLOBAL const int32 *then = choice->taken[k] ? choice->mine : choice->theirs;
    GLOBAL int32 *leaves = cycles->leaves;
    int32 count = 0, gap = 1, more = 0;
    for (int32 i = cycles->first[k]; i < cycles->first[k + 1]; i++) {
        int32 end = cycles->members[i];
        cycles->seen[end] = 0;
        if (cycles->enter[end >> 1] != end) leaves[count++] = end;
    }
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int32 i = gap; i < count; i++) {
            int32 end = leaves[i], at = cycles->at[end >> 1], j = i;
            for (; j >= gap && cycles->at[leaves[j - gap] >> 1] > at; j -= gap) leaves[j] = leaves[j - gap];
            leaves[j] = end;
        }
    }
    for (int32 i = 0, begin = 0; i < count; i++) {
        int32 last = i + 1 == count || cycles->cycle[leaves[i + 1] >> 1] != cycles->cycle[leaves[i] >> 1];
        int32 from = now[leaves[i]], to = leaves[last ? begin : i + 1];
        cycles->mate[from] = to, cycles->mate[to] = from;
        if (last) begin = i + 1, more--;
    }
    for (int32 i = cycles->first[k]; i < cycles->first[k + 1]; i++) {
        int32 end = cycles->members[i];
        if (cycles->seen[end]) continue;
        do {
            cycles->seen[end] = 1;
            end = cycles->mate[end];
            cycles->seen[end] = 1;
            end = then[end];
        } while (!cycles->seen[end]);
        more++;
    }
    return more;
}

INLINE void flip(Choice *choice, Cycles *cycles, int32 k) {
    choice->taken[k] ^= 1;
    for (int32 i = cycles->first[k]; i < cycles->first[k + 1]; i++)
        cycles->stale[cycles->cycle[cycles->members[i] >> 1]] = 1;
}

/* Order the components by what they save, least first. */
INLINE void rank_parts(int32 parts, GLOBAL const real *gains, GLOBAL int32 *ranked) {
    int32 gap = 1;
    for (int32 k = 0; k < parts; k++) ranked[k] = k;
    while (gap < parts / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int32 i = gap; i < parts; i++) {
            int32 k = ranked[i], j = i;
            for (; j >= gap && gains[ranked[j - gap]] > gains[k]; j -= gap) ranked[j] = ranked[j - gap];
            ranked[j] = k;
        }
    }
}

/* Give up components until a single cycle is left. None of them is one, so this ends. */
INLINE void give_up(Choice *choice, Cycles *cycles, GLOBAL const int32 *ranked) {
    for (trace_cycles(choice, cycles); cycles->count > 1; trace_cycles(choice, cycles)) {
        int32 fewer = 0;
        for (int32 i = 0; i < choice->parts; i++) {
            int32 k = ranked[i];
            if (!choice->taken[k] || pointless(cycles, k, 1) || more_cycles(choice, cycles, k) >= 0) continue;
            flip(choice, cycles, k);
            fewer = 1;
        }
        if (fewer) continue;
        for (int32 end = 0; end < 2 * choice->segments; end++)
            if (cycles->cycle[end >> 1] == cycles->smallest) choice->taken[choice->part[end]] = 0;
    }
}

/* Flip what saves by that and leaves the single cycle one, most first. The cycles are as walked. */
INLINE void try_again(Choice *choice, Cycles *cycles, GLOBAL const int32 *ranked, GLOBAL const real *gains,
                      real epsilon) {
    for (int32 i = choice->parts - 1; i >= 0 && choice->steps < MAX_STEPS; i--) {
        int32 k = ranked[i];
        real more = choice->taken[k] ? -gains[k] : gains[k];
        if (more <= epsilon || more_cycles(choice, cycles, k) != 0) continue;
        choice->taken[k] ^= 1;
        trace_cycles(choice, cycles);
    }
}

/* Make `tour` what the windows made of it, n cities. theirs are the new neighbours, 2 a city. mine is room for 2 n
 * numbers, ends for 8 n, rooms for 5 n, walks for 7 n and part_gains for n. gains[0] becomes what was won, gains[1]
 * the number of components, gains[2] of those not taken and gains[3] what they would have saved. */
KERNEL(tour_subtours, POINTS_PARAMETERS, int32 n, GLOBAL const int32 *theirs, GLOBAL int32 *tour, GLOBAL int32 *mine,
       GLOBAL int32 *ends, GLOBAL int32 *rooms, GLOBAL int32 *traces, GLOBAL real *part_gains, real epsilon,
       GLOBAL real *gains) {
    POINTS_STRUCT(p);
    gains[0] = gains[1] = gains[2] = gains[3] = 0;
    Choice choice;
    cut_tour(&p, n, tour, mine, theirs, ends, rooms, part_gains, &choice);
    if (choice.segments == 0) return;
    Cycles cycles;
    GLOBAL int32 *ranked = rooms; /* what cut_tour had there is not needed any more */
    cycles.first = rooms + n;
    cycles.members = ends + 6 * (int64)n;
    cycles.mate = mine;
    cycles.at = traces, cycles.cycle = traces + n, cycles.enter = traces + 2 * (int64)n;
    cycles.leaves = traces + 3 * (int64)n, cycles.stale = traces + 4 * (int64)n, cycles.seen = traces + 5 * (int64)n;
    list_members(&choice, &cycles);
    rank_parts(choice.parts, part_gains, ranked);
    for (int32 k = 0; k < choice.parts; k++) choice.taken[k] = 1;
    give_up(&choice, &cycles, ranked);
    choice.steps = 0;
    try_again(&choice, &cycles, ranked, part_gains, epsilon);
    gains[1] = choice.parts;
    for (int32 k = 0; k < choice.parts; k++) {
        if (choice.taken[k]) gains[0] += part_gains[k];
        else gains[2] += 1, gains[3] += part_gains[k];
    }
    if (gains[0] < -epsilon - error_share(&p) * choice.removed) gains[0] = 0;
    else write_segments(&choice, n, tour, rooms + 4 * (int64)n);
}
