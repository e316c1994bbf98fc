/* Positions along a Hilbert curve in two or three dimensions. */

#define BLOCK 16 /* points processed together, so that the compiler vectorises */

/* Move bit b of v to bit 2b or 3b. */
INLINE uint64 spread(uint64 v, int32 dim) {
    if (dim == 2) {
        v = (v | v << 16) & (uint64)0x0000ffff0000ffff;
        v = (v | v << 8) & (uint64)0x00ff00ff00ff00ff;
        v = (v | v << 4) & (uint64)0x0f0f0f0f0f0f0f0f;
        v = (v | v << 2) & (uint64)0x3333333333333333;
        return (v | v << 1) & (uint64)0x5555555555555555;
    }
    v = (v | v << 32) & (uint64)0x001f00000000ffff;
    v = (v | v << 16) & (uint64)0x001f0000ff0000ff;
    v = (v | v << 8) & (uint64)0x100f00f00f00f00f;
    v = (v | v << 4) & (uint64)0x10c30c30c30c30c3;
    return (v | v << 2) & (uint64)0x1249249249249249;
}

/* Where bit b of y is set, invert the bits of x below b; elsewhere exchange them with those of y. */
INLINE void turn_below(uint32 *x, uint32 *y, int32 b) {
    uint32 below = ((uint32)1 << b) - 1;
    for (int32 k = 0; k < BLOCK; k++) {
        uint32 set = (uint32)0 - ((y[k] >> b) & 1);
        uint32 swap = (x[k] ^ y[k]) & below & ~set;
        x[k] ^= swap | (below & set);
        y[k] ^= swap;
    }
}

/* Compute the keys of a block of cells, after Skilling, "Programming the Hilbert curve" (2004), without branches. */
INLINE void hilbert_block(uint32 x[3][BLOCK], int32 dim, int32 bits, uint64 *key) {
    for (int32 b = bits - 1; b > 0; b--) {
        for (int32 k = 0; k < BLOCK; k++) x[0][k] ^= (((uint32)1 << b) - 1) & ((uint32)0 - ((x[0][k] >> b) & 1));
        turn_below(x[0], x[1], b);
        if (dim == 3) turn_below(x[0], x[2], b);
    }
    for (int32 k = 0; k < BLOCK; k++) {
        for (int32 d = 1; d < dim; d++) x[d][k] ^= x[d - 1][k];
        uint32 turn = x[dim - 1][k] >> 1; /* bit b becomes the parity of all bits above b */
        turn ^= turn >> 1, turn ^= turn >> 2, turn ^= turn >> 4, turn ^= turn >> 8, turn ^= turn >> 16;
        key[k] = 0;
        for (int32 d = 0; d < dim; d++) key[k] |= spread(x[d][k] ^ turn, dim) << (dim - 1 - d);
    }
}

/* Compute key[i], the position of point i along the curve through cells of side 1 / scale, counted from `origin`.
 * `bits` per dimension: at most 32 in two dimensions, 21 in three. */
KERNEL(hilbert, GLOBAL const float64 *points, GLOBAL const float64 *origin, float64 scale, int32 count, int32 dim,
       int32 bits, GLOBAL uint64 *key) {
    const float64 most = (float64)((((uint64)1) << bits) - 1);
    uint32 x[3][BLOCK];
    uint64 keys[BLOCK];
    int32 end = (int32)((int64)count * (GROUP + 1) / GROUPS);
    for (int32 i = (int32)((int64)count * GROUP / GROUPS); i < end; i += BLOCK) {
        int32 many = end - i < BLOCK ? end - i : BLOCK;
        for (int32 k = 0; k < BLOCK; k++) {
            for (int32 d = 0; d < dim; d++) {
                float64 cell = k < many ? (points[(int64)(i + k) * dim + d] - origin[d]) * scale : 0;
                x[d][k] = (uint32)(cell < 0 ? 0 : cell > most ? most : cell);
            }
        }
        if (dim == 2)
            hilbert_block(x, 2, bits, keys);
        else
            hilbert_block(x, 3, bits, keys);
        for (int32 k = 0; k < many; k++) key[i + k] = keys[k];
    }
}
