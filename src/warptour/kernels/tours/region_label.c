/* Regions of space: the leaves of a tree whose inner nodes divide space by hyperplanes. Runs on the host.
 *
 * Node k has the plane numbers[4 k] .. numbers[4 k + 2], its normal, and numbers[4 k + 3], its offset; points on the
 * plane or beyond go to children[2 k + 1], others to children[2 k]. A child below 0 is the region ~child. */

/* Write the region of each of n points, which have `dimensions` coordinates each, at most 3. */
KERNEL(region_label, int64 n, int32 dimensions, GLOBAL const float64 *points, GLOBAL const float64 *numbers,
       GLOBAL const int32 *children, GLOBAL int32 *label) {
    for (int64 i = n * GROUP / GROUPS; i < n * (GROUP + 1) / GROUPS; i++) {
        GLOBAL const float64 *at = points + i * dimensions;
        int32 node = 0;
        while (node >= 0) {
            GLOBAL const float64 *plane = numbers + 4 * (int64)node;
            float64 height = plane[0] * at[0] + plane[1] * at[1] + (dimensions > 2 ? plane[2] * at[2] : 0);
            node = children[2 * (int64)node + (height >= plane[3])];
        }
        label[i] = ~node;
    }
}
