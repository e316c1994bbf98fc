/* Census of a population: how many tours have each edge. Runs on the host. */

#define NOBODY (-1)

/* Count the edges of `count` tours of n cities each, at the cities of group g: `width` other ends per city, in the order
 * in which they are met, and how many tours have them. Further ends are left out. */
KERNEL(tour_census, int32 n, int32 count, GLOBAL const int32 *tours, int32 width, GLOBAL int32 *ends,
       GLOBAL int32 *counts) {
    int32 low = (int32)((int64)n * GROUP / GROUPS), high = (int32)((int64)n * (GROUP + 1) / GROUPS);
    for (int64 k = (int64)low * width; k < (int64)high * width; k++) ends[k] = NOBODY, counts[k] = 0;
    for (int32 t = 0; t < count; t++) {
        GLOBAL const int32 *tour = tours + (int64)t * n;
        for (int32 i = 0; i < n; i++) {
            int32 c = tour[i];
            if (c < low || c >= high) continue;
            for (int32 side = 0; side < 2; side++) {
                int32 d = side ? tour[i + 1 == n ? 0 : i + 1] : tour[i == 0 ? n - 1 : i - 1];
                int64 k = (int64)c * width, end = k + width;
                while (k < end && ends[k] != NOBODY && ends[k] != d) k++;
                if (k < end) ends[k] = d, counts[k]++;
            }
        }
    }
}
