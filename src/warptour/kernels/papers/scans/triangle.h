/* Pairs of positions as a triangle of jobs, after Rocki (2013): id 0 is (0, 1), ids 1 and 2 are (0, 2) and (1, 2), and
 * row j >= 1 holds j pairs (i, j), i < j, from id j (j - 1) / 2 on. Rows 1 to n - 1 hold n (n - 1) / 2 ids.
 *
 *     j = 1:  0
 *     j = 2:  1 2
 *     j = 3:  3 4 5
 *     j = 4:  6 7 8 9
 */
#ifndef WARPTOUR_TRIANGLE
#define WARPTOUR_TRIANGLE

/* Write the pair of `id`, exactly, for all ids below 2^31 (2^31 - 1) / 2, that is for n up to 2^31.
 *
 * A float32 root estimates the row, and integers correct it: up to n = 2^20 it is at most one row off; beyond, a step
 * of Newton's method brings it as close. */
INLINE void triangle_pair(int64 id, int32 *i, int32 *j) {
    float32 guess = sqrtf(2.0f * (float32)id) + 0.5f;
    int64 row = (int64)guess, rest = id - (row * (row - 1) >> 1);
    if (rest <= -row || rest >= 2 * row) {
        row += (int64)((float32)(rest - (row >> 1)) / guess);
        rest = id - (row * (row - 1) >> 1);
    }
    if (rest < 0) row--, rest += row;
    if (rest >= row) rest -= row, row++;
    *i = (int32)rest, *j = (int32)row;
}

#endif
