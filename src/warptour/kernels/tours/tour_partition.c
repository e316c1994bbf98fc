// build: metrics, branches
/* Partition crossover (Whitley, Hains and Howe 2009): take each component of differing edges from the better tour, as
 * long as the result is a single tour (tour_segments.h). With at most EXHAUSTIVE components all choices are compared;
 * with more, single components and pairs are flipped as long as that pays.
 */
#include "common/metric.h"
#include "tours/tour_segments.h"

#define EXHAUSTIVE 12
#define MAX_STEPS 20000000 /* maximum segments visited by all traversals together */

/* Whether the current choice yields a single cycle. */
INLINE int32 one_cycle(Choice *choice) {
    int32 end = 0, count = 0;
    do {
        end = joined_to(choice, end ^ 1);
        count++;
    } while (end != 0 && count <= choice->segments);
    choice->steps += count;
    return count == choice->segments;
}

/* Find the best choice, or a good one among many; taken is a valid choice on entry and exit. Returns its gain. */
INLINE real best_choice(Choice *choice, GLOBAL const real *gains, GLOBAL int32 *taken, real epsilon) {
    int32 parts = choice->parts;
    real best = 0;
    if (parts <= EXHAUSTIVE) {
        int32 chosen = 0;
        for (int32 mask = 1; mask < 1 << parts; mask++) {
            real gain = 0;
            for (int32 k = 0; k < parts; k++) {
                taken[k] = mask >> k & 1;
                if (taken[k]) gain += gains[k];
            }
            if (gain > best + epsilon && one_cycle(choice)) best = gain, chosen = mask;
        }
        for (int32 k = 0; k < parts; k++) taken[k] = chosen >> k & 1;
        return best;
    }
    for (int32 better = 1; better;) {
        better = 0;
        for (int32 i = 0; i < parts; i++) {
            real first = taken[i] ? -gains[i] : gains[i];
            taken[i] ^= 1;
            if (first > epsilon && one_cycle(choice)) {
                best += first, better = 1;
                continue;
            }
            int32 found = 0;
            for (int32 j = i + 1; j < parts && !found && choice->steps < MAX_STEPS; j++) {
                real both = first + (taken[j] ? -gains[j] : gains[j]);
                if (both <= epsilon) continue;
                taken[j] ^= 1;
                if (one_cycle(choice)) best += both, better = found = 1;
                else taken[j] ^= 1;
            }
            if (!found) taken[i] ^= 1;
        }
        if (choice->steps >= MAX_STEPS) break;
    }
    return best;
}

/* Cross `tour` with `other`, n cities each, in place. Workspace: links 4 n numbers, ends 8 n, workspace 5 n, part_gains n.
 * gains[0] receives the gain, gains[1] the number of components. */
KERNEL(tour_partition, POINTS_PARAMETERS, int32 n, GLOBAL const int32 *other, GLOBAL int32 *tour, GLOBAL int32 *links,
       GLOBAL int32 *ends, GLOBAL int32 *workspace, GLOBAL real *part_gains, real epsilon, GLOBAL real *gains) {
    POINTS_STRUCT(p);
    GLOBAL int32 *mine = links, *theirs = links + 2 * (int64)n;
    gains[0] = gains[1] = 0;
    link_tour(n, other, theirs);
    Choice choice;
    cut_tour(&p, n, tour, mine, theirs, ends, workspace, part_gains, &choice);
    if (choice.segments == 0) return;
    gains[1] = choice.parts;
    gains[0] = best_choice(&choice, part_gains, choice.taken, epsilon);
    if (gains[0] <= error_share(&p) * choice.removed) gains[0] = 0;
    if (gains[0] > 0) write_segments(&choice, n, tour, workspace + 4 * (int64)n);
}
