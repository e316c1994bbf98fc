/* Savings construction: join routes end to end, largest saving first, while the limits hold. Native only.
 *
 * link and tail are as in fragments.c, over customers. The load of a route and its length, depot legs and service
 * included, are stored at both of its ends.
 */
#define NONE_YET (-1)

KERNEL(savings_join, GLOBAL const int32 *one, GLOBAL const int32 *two, GLOBAL const float64 *apart, int64 from, int64 until,
       GLOBAL const float64 *leg, float64 capacity, float64 limit, GLOBAL int32 *link, GLOBAL int32 *tail,
       GLOBAL float64 *load, GLOBAL float64 *travel, GLOBAL int64 *joined) {
    for (int64 e = from; e < until; e++) {
        int32 a = one[e], b = two[e];
        GLOBAL int32 *of_a = link + 2 * (int64)a, *of_b = link + 2 * (int64)b;
        if (of_a[1] != NONE_YET || of_b[1] != NONE_YET || tail[a] == b || a == b) continue;
        float64 both = load[a] + load[b], all = travel[a] + travel[b] - leg[a] - leg[b] + apart[e];
        if (both > capacity || all > limit) continue;
        of_a[of_a[0] != NONE_YET] = b;
        of_b[of_b[0] != NONE_YET] = a;
        int32 left = tail[a], right = tail[b];
        tail[left] = right, tail[right] = left;
        load[left] = load[right] = both;
        travel[left] = travel[right] = all;
        joined[0]++;
    }
}
