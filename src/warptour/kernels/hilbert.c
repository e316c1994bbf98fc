/* Positions along a Hilbert curve, in two dimensions or three. */

/* key[i] is the place of point i along the curve through cells of side 1 / scale, counted from `origin`.
 * After Skilling, "Programming the Hilbert curve" (2004), without branches. */
KERNEL(hilbert, GLOBAL const float64 *points, GLOBAL const float64 *origin, float64 scale, int32 count, int32 dim,
       int32 bits, GLOBAL uint64 *key) {
    const float64 most = (float64)((((uint64)1) << bits) - 1);
    int32 end = (int32)((int64)count * (GROUP + 1) / GROUPS);
    for (int32 i = (int32)((int64)count * GROUP / GROUPS); i < end; i++) {
        uint32 x[3] = {0, 0, 0};
        for (int32 d = 0; d < dim; d++) {
            float64 cell = (points[(int64)i * dim + d] - origin[d]) * scale;
            x[d] = (uint32)(cell < 0 ? 0 : cell > most ? most : cell);
        }
        for (int32 b = bits - 1; b > 0; b--) {
            uint32 below = ((uint32)1 << b) - 1;
            for (int32 d = 0; d < dim; d++) {
                uint32 set = (uint32)0 - ((x[d] >> b) & 1);
                uint32 swap = (x[0] ^ x[d]) & below & ~set;
                x[0] ^= swap | (below & set);
                x[d] ^= swap;
            }
        }
        for (int32 d = 1; d < dim; d++) x[d] ^= x[d - 1];
        uint32 turn = 0;
        for (int32 b = bits - 1; b > 0; b--) turn ^= (((uint32)1 << b) - 1) & ((uint32)0 - ((x[dim - 1] >> b) & 1));
        uint64 along = 0;
        for (int32 b = bits - 1; b >= 0; b--)
            for (int32 d = 0; d < dim; d++) along = along << 1 | (((x[d] ^ turn) >> b) & 1);
        key[i] = along;
    }
}
