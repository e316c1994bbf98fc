/* A tour and another set of links over the same cities, compared by their components of differing edges.
 *
 * The edges that only one of the two has fall into connected components. Each component can be taken from either side,
 * independently except that the result must be a single cycle. The tour is cut into segments at the edges that the
 * other lacks; a choice of components joins the segments, and traversing them shows whether they form one cycle.
 */
#ifndef WARPTOUR_TOUR_SEGMENTS
#define WARPTOUR_TOUR_SEGMENTS

#define NOBODY (-1)

/* Segment r has the ends 2 r and 2 r + 1, its first and last city. */
typedef struct {
    int32 segments, parts;
    GLOBAL const int32 *cut;           /* by segment: position of its last city in the tour */
    GLOBAL const int32 *mine, *theirs; /* by end: the end joined to it in the tour, and in the other */
    GLOBAL const int32 *part;          /* by end: its component */
    GLOBAL int32 *taken;               /* by component: whether it is taken from the other */
    int64 steps;                       /* segments visited by all traversals so far */
    real removed;                      /* total length of the tour edges that the other lacks */
} Choice;

INLINE int32 joined_to(const Choice *choice, int32 end) {
    return choice->taken[choice->part[end]] ? choice->theirs[end] : choice->mine[end];
}

INLINE int32 linked(GLOBAL const int32 *links, int32 a, int32 b) { return links[2 * a] == b || links[2 * a + 1] == b; }

/* Write the neighbours of each city, 2 per city. */
INLINE void link_tour(int32 n, GLOBAL const int32 *tour, GLOBAL int32 *links) {
    for (int32 i = 0; i < n; i++) {
        int32 c = tour[i];
        links[2 * c] = tour[i == 0 ? n - 1 : i - 1];
        links[2 * c + 1] = tour[i + 1 == n ? 0 : i + 1];
    }
}

INLINE int32 leader_of(GLOBAL int32 *leader, int32 c) {
    while (leader[c] != c) {
        leader[c] = leader[leader[c]];
        c = leader[c];
    }
    return c;
}

/* Return a city beside the cut after segment r: the last of the segment (side 0) or the first of the next (side 1). */
INLINE int32 beside_cut(const Choice *choice, int32 n, GLOBAL const int32 *tour, int32 r, int32 side) {
    int32 at = choice->cut[r] + side;
    return tour[at == n ? 0 : at];
}

/* Find the segments of `tour` and their components, with none taken; mine, part_gains and workspace as in cut_tour. What
 * the other's edges cost is not yet in part_gains. */
INLINE void find_components(const Points *p, int32 n, GLOBAL const int32 *tour, GLOBAL int32 *mine,
                            GLOBAL const int32 *theirs, GLOBAL int32 *workspace, GLOBAL real *part_gains,
                            Choice *choice) {
    GLOBAL int32 *leader = workspace, *part_of = workspace + n, *cut = workspace + 2 * (int64)n;
    GLOBAL int32 *taken = workspace + 3 * (int64)n;
    choice->segments = choice->parts = 0, choice->steps = 0, choice->cut = cut, choice->removed = 0;
    for (int32 i = 0; i < n; i++)
        if (!linked(theirs, tour[i], tour[i + 1 == n ? 0 : i + 1])) cut[choice->segments++] = i;
    for (int32 r = 0; r < choice->segments; r++) {
        for (int32 side = 0; side < 2; side++) {
            int32 c = beside_cut(choice, n, tour, r, side), at = cut[r] + side == n ? 0 : cut[r] + side;
            leader[c] = c, part_of[c] = NOBODY;
            mine[2 * c] = tour[at == 0 ? n - 1 : at - 1], mine[2 * c + 1] = tour[at + 1 == n ? 0 : at + 1];
        }
    }
    for (int32 r = 0; r < choice->segments; r++) {
        for (int32 side = 0; side < 2; side++) {
            int32 c = beside_cut(choice, n, tour, r, side);
            for (int32 k = 0; k < 2; k++) {
                int32 gone = mine[2 * c + k], come = theirs[2 * c + k];
                if (!linked(theirs, c, gone)) leader[leader_of(leader, c)] = leader_of(leader, gone);
                if (!linked(mine, c, come)) leader[leader_of(leader, c)] = leader_of(leader, come);
            }
        }
    }
    /* number the components in tour order */
    for (int32 r = 0; r < choice->segments; r++) {
        int32 c = beside_cut(choice, n, tour, r, 0), head = leader_of(leader, c);
        if (part_of[head] == NOBODY) {
            part_gains[choice->parts] = 0;
            taken[choice->parts] = 0;
            part_of[head] = choice->parts++;
        }
        real gone = between(p, c, beside_cut(choice, n, tour, r, 1));
        part_gains[part_of[head]] += gone, choice->removed += gone;
    }
    choice->taken = taken;
}

/* Join the ends of the segments, as the tour does and as the other does, and deduct its edges from part_gains. */
INLINE void join_ends(const Points *p, int32 n, GLOBAL const int32 *tour, GLOBAL const int32 *mine,
                      GLOBAL const int32 *theirs, GLOBAL int32 *ends, GLOBAL int32 *workspace, GLOBAL real *part_gains,
                      Choice *choice) {
    GLOBAL int32 *leader = workspace, *part_of = workspace + n, *spare = workspace + 4 * (int64)n;
    /* four rows of 2 n: partner in the tour, partner in the other, component, and city -> its two ends */
    GLOBAL int32 *by_mine = ends, *by_theirs = ends + 2 * (int64)n, *part = ends + 4 * (int64)n;
    GLOBAL int32 *ends_of = ends + 6 * (int64)n;
    for (int32 r = 0; r < choice->segments; r++) {
        for (int32 side = 0; side < 2; side++) {
            int32 c = beside_cut(choice, n, tour, r, side);
            ends_of[2 * c] = ends_of[2 * c + 1] = NOBODY, spare[c] = 0; /* spare: number of its ends already joined */
        }
    }
    for (int32 r = 0; r < choice->segments; r++) {
        int32 next = r + 1 == choice->segments ? 0 : r + 1;
        int32 last = beside_cut(choice, n, tour, r, 0), first = beside_cut(choice, n, tour, r, 1);
        by_mine[2 * r + 1] = 2 * next, by_mine[2 * next] = 2 * r + 1;
        part[2 * r + 1] = part[2 * next] = part_of[leader_of(leader, last)];
        ends_of[2 * last + (ends_of[2 * last] != NOBODY)] = 2 * r + 1;
        ends_of[2 * first + (ends_of[2 * first] != NOBODY)] = 2 * next;
    }
    for (int32 r = 0; r < choice->segments; r++) {
        for (int32 side = 0; side < 2; side++) {
            int32 c = beside_cut(choice, n, tour, r, !side);
            for (int32 k = 0; k < 2; k++) {
                int32 d = theirs[2 * c + k];
                if (c > d || linked(mine, c, d)) continue;
                if (side == 1 && ends_of[2 * c + 1] != NOBODY) continue; /* a segment of one city is met twice */
                int32 e = ends_of[2 * c + spare[c]], f = ends_of[2 * d + spare[d]];
                by_theirs[e] = f, by_theirs[f] = e;
                spare[c]++, spare[d]++;
                part_gains[part[e]] -= between(p, c, d);
            }
        }
    }
    choice->mine = by_mine, choice->theirs = by_theirs, choice->part = part;
}

/* Cut `tour` into segments, with no component taken. theirs: neighbours in the other, 2 per city; mine receives the
 * neighbours in the tour of the cities beside cuts, part_gains the saving of each component. Workspace: ends 8 n
 * numbers, workspace 5 n. */
INLINE void cut_tour(const Points *p, int32 n, GLOBAL const int32 *tour, GLOBAL int32 *mine,
                     GLOBAL const int32 *theirs, GLOBAL int32 *ends, GLOBAL int32 *workspace, GLOBAL real *part_gains,
                     Choice *choice) {
    find_components(p, n, tour, mine, theirs, workspace, part_gains, choice);
    if (choice->segments) join_ends(p, n, tour, mine, theirs, ends, workspace, part_gains, choice);
}

/* Write the tour of the segments as they are joined now; spare: workspace of n numbers. */
INLINE void write_segments(const Choice *choice, int32 n, GLOBAL int32 *tour, GLOBAL int32 *spare) {
    int32 end = 0, count = 0;
    do {
        int32 r = end >> 1, first = choice->cut[r == 0 ? choice->segments - 1 : r - 1] + 1;
        int32 size = choice->cut[r] - first + 1;
        if (r == 0) size += n;
        for (int32 k = 0; k < size; k++) {
            int32 at = end & 1 ? choice->cut[r] - k : first + k;
            spare[count++] = tour[at < 0 ? at + n : at >= n ? at - n : at];
        }
        end = joined_to(choice, end ^ 1);
    } while (end != 0);
    for (int32 i = 0; i < n; i++) tour[i] = spare[i];
}

#endif
