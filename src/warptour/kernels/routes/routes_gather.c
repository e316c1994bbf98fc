/* Neighbour lists restricted to one group of routes: the entries of each list that belong to the group, renumbered.
 *
 * near: lists of all nodes, `wide` entries each; out: lists of the group, `width` entries each, padded with -1.
 * nodes: the m nodes of the group, of which number 0 is the depot and has no list. home: group of every node.
 * number: index of every node within its group. */
KERNEL(routes_gather, GLOBAL const int32 *near, int32 wide, GLOBAL const int32 *home, GLOBAL const int32 *number,
       int32 group, GLOBAL const int32 *nodes, int32 m, GLOBAL int32 *out, int32 width) {
    for (int32 i = GROUP; i < m; i += GROUPS) {
        GLOBAL int32 *row = out + (int64)i * width;
        int32 found = 0;
        for (int32 k = 0; i > 0 && k < wide && found < width; k++) {
            int32 v = near[(int64)nodes[i] * wide + k];
            if (v < 0) break;
            if (home[v] == group) row[found++] = number[v];
        }
        for (; found < width; found++) row[found] = -1;
    }
}
