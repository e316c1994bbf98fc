/* Savings construction: join routes end to end, largest saving first, while the limits hold. Native only.
 *
 * link and tail are as in fragments.c, over customers; if `directed`, link has the predecessor and the successor of each
 * customer, and one[e] is to be followed by two[e]. The load of a route and what it takes of its limits, depot legs and
 * service included, are stored at both of its ends.
 */
#define NONE_YET (-1)

/* A limit: travel from the depot to each customer and back, and between the pairs; what routes have of it. */
typedef struct {
    GLOBAL const float64 *out, *home, *apart;
    float64 most;
    GLOBAL float64 *used;
} JoinLimit;

INLINE float64 joined_use(const JoinLimit *t, int32 a, int32 b, int64 e) {
    return t->used[a] + t->used[b] - t->home[a] - t->out[b] + t->apart[e];
}

/* out2, home2, apart2, used2 are null if there is no second limit. */
KERNEL(savings_join, GLOBAL const int32 *one, GLOBAL const int32 *two, int64 from, int64 until, int32 directed,
       float64 capacity, GLOBAL int32 *link, GLOBAL int32 *tail, GLOBAL float64 *load, GLOBAL const float64 *out,
       GLOBAL const float64 *home, GLOBAL const float64 *apart, float64 limit, GLOBAL float64 *used,
       GLOBAL const float64 *out2, GLOBAL const float64 *home2, GLOBAL const float64 *apart2, float64 limit2,
       GLOBAL float64 *used2, GLOBAL int64 *joined) {
    JoinLimit own = {out, home, apart, limit, used}, second = {out2, home2, apart2, limit2, used2};
    for (int64 e = from; e < until; e++) {
        int32 a = one[e], b = two[e];
        GLOBAL int32 *of_a = link + 2 * (int64)a, *of_b = link + 2 * (int64)b;
        if (of_a[1] != NONE_YET || of_b[!directed] != NONE_YET || tail[a] == b || a == b) continue;
        float64 both = load[a] + load[b], all = joined_use(&own, a, b, e), all2 = used2 ? joined_use(&second, a, b, e) : 0;
        if (both > capacity || all > limit || (used2 && all2 > limit2)) continue;
        of_a[directed || of_a[0] != NONE_YET] = b;
        of_b[!directed && of_b[0] != NONE_YET] = a;
        int32 left = tail[a], right = tail[b];
        tail[left] = right, tail[right] = left;
        load[left] = load[right] = both;
        used[left] = used[right] = all;
        if (used2) used2[left] = used2[right] = all2;
        joined[0]++;
    }
}
