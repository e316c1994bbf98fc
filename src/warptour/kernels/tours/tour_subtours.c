// build: metrics, branches
/* Subtour repair: combine the changes that windows made to one tour independently.
 *
 * Each window alone yields a tour. Together they may yield several cycles (subtours): two interleaved 2-opt moves, for
 * example, do. The cities' new neighbours are compared with those in the tour, and the differences fall into components
 * (tour_segments.h). All of them are taken first. Then components are rejected, smallest saving first, if that reduces
 * the number of cycles, until one is left. Finally rejected components are tried again, and components without a saving
 * are rejected too.
 */
#include "common/metric.h"
#include "tours/tour_segments.h"

#define MAX_STEPS 3000000 /* maximum segments visited by all traversals of the final phase */

/* The cycles of a choice. A traversal goes from segment to segment, entering each at one end. */
typedef struct {
    int32 count, smallest;             /* number of cycles; the one with the fewest segments */
    GLOBAL int32 *at, *cycle, *enter;  /* by segment: index in the traversal, cycle, end entered */
    GLOBAL int32 *first, *members;     /* by component: its ends are members[first[k]] .. members[first[k + 1] - 1] */
    GLOBAL int32 *leaves, *mate, *seen; /* workspace: ends where the traversal leaves a segment; by end */
    GLOBAL int32 *stale;               /* by cycle: whether it has changed since the traversal */
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

/* Whether component k touches a stale cycle or, if `several` is set, only one cycle. */
INLINE int32 pointless(const Cycles *cycles, int32 k, int32 several) {
    int32 one = cycles->cycle[cycles->members[cycles->first[k]] >> 1], same = 1;
    for (int32 i = cycles->first[k]; i < cycles->first[k + 1]; i++) {
        int32 cycle = cycles->cycle[cycles->members[i] >> 1];
        if (cycles->stale[cycle]) return 1;
        same &= cycle == one;
    }
    return several && same;
}

/* Return the change in the number of cycles if component k were flipped. The cycles that it touches consist of arcs,
 * from an end where the traversal enters to the next where it leaves, and only the ends of arcs are rejoined. */
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

/* Sort the components by saving, smallest first (Shell sort). */
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

/* Reject components until a single cycle is left. Terminates: with all rejected, the tour is the original one. */
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

/* Flip components that save and keep the single cycle, largest saving first. The cycles must be traced. */
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

/* Apply the windows' changes to `tour` of n cities. theirs: new neighbours, 2 per city. Workspace: mine 2 n numbers,
 * ends 8 n, workspace 5 n, traces 7 n, part_gains n. gains[0] receives the gain, gains[1] the number of components,
 * gains[2] the number rejected and gains[3] their total saving. */
KERNEL(tour_subtours, POINTS_PARAMETERS, int32 n, GLOBAL const int32 *theirs, GLOBAL int32 *tour, GLOBAL int32 *mine,
       GLOBAL int32 *ends, GLOBAL int32 *workspace, GLOBAL int32 *traces, GLOBAL real *part_gains, real epsilon,
       GLOBAL real *gains) {
    POINTS_STRUCT(p);
    gains[0] = gains[1] = gains[2] = gains[3] = 0;
    Choice choice;
    cut_tour(&p, n, tour, mine, theirs, ends, workspace, part_gains, &choice);
    if (choice.segments == 0) return;
    Cycles cycles;
    GLOBAL int32 *ranked = workspace; /* the workspace of cut_tour is free again */
    cycles.first = workspace + n;
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
    else write_segments(&choice, n, tour, workspace + 4 * (int64)n);
}
