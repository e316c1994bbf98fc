/* Which edges of a tour are candidates. Native only. */

/* listed[k] is 1 if one end of the edge from tour[k] to the next city lists the other; a list has `width` cities. */
KERNEL(tour_listed, int32 n, GLOBAL const int32 *tour, GLOBAL const int32 *lists, int32 width, GLOBAL int32 *listed) {
    int32 end = (int32)((int64)n * (GROUP + 1) / GROUPS);
    for (int32 k = (int32)((int64)n * GROUP / GROUPS); k < end; k++) {
        int32 a = tour[k], b = tour[k + 1 == n ? 0 : k + 1], found = 0;
        for (int32 w = 0; w < width; w++)
            found |= lists[(int64)a * width + w] == b || lists[(int64)b * width + w] == a;
        listed[k] = found;
    }
}
