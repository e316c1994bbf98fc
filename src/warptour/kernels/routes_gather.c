/* Neighbour lists within a group: of each node's list those that are in the group, by their numbers there.
 *
 * nodes: the m nodes of the group; node 0 of them is the depot, which has no list. home: the group of every node.
 * number: what every node is called in its group. A list that runs short ends with -1. */
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
