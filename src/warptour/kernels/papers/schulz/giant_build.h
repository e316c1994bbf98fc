/* Template of the kernel that fills one level of a hierarchy (giant_hierarchy.c): one thread a position, which walks to
 * the end of its part. Level 0 takes the edges of the tour, each other level the whole parts of the level below. */
KERNEL(NAMED(giant_build_, OBJECTIVE), HIERARCHY_PARAMETERS, int32 l) {
    HIERARCHY_STRUCT(h);
    int32 end = (int32)h.levels[l].last, size = (int32)h.levels[l].size;
    EACH(start, 0, end) {
        int32 i = (int32)start, stop = (part_of(&h, options, l, i) + 1) * size;
        SEGMENT ahead = NOTHING(), back = NOTHING();
        for (int32 j = i + 1; j <= (stop < end ? stop : end); j++) {
            SEGMENT step, turn;
            if (l == 0) {
                int32 from = place_at(&h, j - 1), to = place_at(&h, j);
                step = EDGE(&h, from, to), turn = EDGE(&h, to, from);
            } else {
                int32 below = (int32)h.levels[l - 1].size, most = (int32)h.levels[l - 1].last;
                int32 to = j * below < most ? j * below : most;
                step = READ(&h, options, entry_of(&h, options, l - 1, (j - 1) * below, to, 0));
                turn = READ(&h, options, entry_of(&h, options, l - 1, (j - 1) * below, to, 1));
            }
            ahead = JOINED(ahead, step), back = JOINED(turn, back);
            WRITE(&h, options, entry_of(&h, options, l, i, j, 0), ahead);
            WRITE(&h, options, entry_of(&h, options, l, i, j, 1), back);
        }
    }
}
#undef OBJECTIVE
#undef CARRIED
