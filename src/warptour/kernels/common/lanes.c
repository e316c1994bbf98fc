/* Test kernel of the preludes: uses each collective of the lanes once. */

/* For each of `count` rows of `lanes` values write 8 numbers: 0 the sum, 1 whether any value exceeds 100, 2 the value
 * at index `chosen`, 3 and 4 the maximum and the smallest index that has it, 5 and 6 the same in float32 and int32, 7
 * the last index, lanes - 1, read back from a LOCAL_ARRAY. Each lane handles indices LANE, LANE + LANES, ... */
KERNEL(lanes, int32 count, int32 lanes, int32 chosen, GLOBAL const float64 *RESTRICT values, GLOBAL float64 *RESTRICT out,
       SCRATCH_PARAMETER) {
    LOCAL_ARRAY(int32, told, 1024);
    LOCAL float64 *room = (LOCAL float64 *)SCRATCH;
    for (int32 w = GROUP; w < count; w += GROUPS) {
        float64 sum = 0, gain = -1e300;
        int64 rank = 0;
        int32 above = 0, short_rank = 0;
        SYNC_LANES();
        for (int32 k = LANE; k < lanes; k += LANES) {
            float64 value = values[w * lanes + k];
            room[k] = value;
            told[k] = k;
            sum += value;
            above |= value > 100;
            if (value > gain) gain = value, rank = k;
        }
        SYNC_LANES();
        float32 short_gain = (float32)gain;
        short_rank = (int32)rank;
        sum = SUM_OF_LANES(sum);
        above = ANY_LANE(above);
        float64 from = FROM_LANE(room[(chosen + LANE) % lanes], 0);
        BEST_OF_LANES(gain, rank);
        BEST_OF_LANES(short_gain, short_rank);
        int32 whole = SUM_OF_LANES(LANE == 0 ? told[lanes - 1] : 0);
        if (LANE == 0) {
            out[w * 8] = sum, out[w * 8 + 1] = above, out[w * 8 + 2] = from, out[w * 8 + 3] = gain;
            out[w * 8 + 4] = (float64)rank, out[w * 8 + 5] = short_gain, out[w * 8 + 6] = short_rank;
            out[w * 8 + 7] = whole;
        }
    }
}
