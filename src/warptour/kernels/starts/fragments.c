// build: native
/* Greedy edge construction: edges in order of length join cities to fragments, until one path is left.
 *
 * link holds two neighbours per city, NONE_YET where one is missing; tail[c] is the other end of the fragment that ends
 * at c, c itself for a single city. An edge is rejected if it would give a city three neighbours or close a cycle.
 */
#include "common/metric.h"

#define NONE_YET (-1)

#define SHORT_ROW 16 /* maximum width at which finding duplicate edges is cheaper than rejecting them later */

/* Compute the length of each edge from city i to its k-th neighbour, at i * width + k; infinite if the neighbour's row
 * also lists the edge (checked for rows of at most SHORT_ROW). There are `count` rows; row i belongs to city[i], or to
 * i if city is null. */
KERNEL(edge_lengths, POINTS_PARAMETERS, GLOBAL const int32 *city, GLOBAL const int32 *rows, int32 count, int32 width,
       GLOBAL float32 *lengths) {
    POINTS_STRUCT(p);
    int32 end = (int32)((int64)count * (GROUP + 1) / GROUPS);
    for (int32 i = (int32)((int64)count * GROUP / GROUPS); i < end; i++) {
        for (int32 k = 0; k < width; k++) {
            int64 edge = (int64)i * width + k;
            int32 j = rows[edge], known = 0;
            for (int32 m = 0; j < i && m < width && width <= SHORT_ROW; m++) known |= rows[(int64)j * width + m] == i;
            lengths[edge] = known ? INFINITY : (float32)between(&p, city ? city[i] : i, city ? city[j] : j);
        }
    }
}

#define DIGIT 2048 /* radix: keys are sorted by 11 bits per pass */

/* Convert float32 lengths in place into unsigned keys of the same order, negative lengths included. */
KERNEL(edge_keys, GLOBAL uint32 *bits, int64 count) {
    int64 end = count * (GROUP + 1) / GROUPS;
    for (int64 e = count * GROUP / GROUPS; e < end; e++) bits[e] ^= bits[e] >> 31 ? 0xffffffffu : 0x80000000u;
}

/* One pass of a radix sort of such keys. `many`: number of edges on entry, number left on exit. The first pass (order
 * null) takes all edges and drops those of infinite length. */
KERNEL(edge_sort_pass, GLOBAL const uint32 *key, GLOBAL const uint32 *order, int32 shift, GLOBAL int64 *many,
       GLOBAL int64 *place, GLOBAL uint32 *sorted_key, GLOBAL uint32 *sorted) {
    const uint32 infinite = 0xff800000u;
    int64 count = many[0], sum = 0;
    for (int32 d = 0; d < DIGIT; d++) place[d] = 0;
    for (int64 e = 0; e < count; e++) place[(key[e] >> shift) & (DIGIT - 1)] += key[e] < infinite;
    for (int32 d = 0; d < DIGIT; d++) {
        int64 here = place[d];
        place[d] = sum, sum += here;
    }
    for (int64 e = 0; e < count; e++) {
        if (key[e] >= infinite) continue;
        int64 to = place[(key[e] >> shift) & (DIGIT - 1)]++;
        sorted_key[to] = key[e], sorted[to] = order ? order[e] : (uint32)e;
    }
    many[0] = sum;
}

#define AHEAD 16 /* edges between a prefetch and its use: by length, edges come from everywhere */

/* Prefetch an edge that is tried after AHEAD others, and the ends of one that is tried after half as many. */
INLINE void edge_prefetch(GLOBAL const uint32 *order, GLOBAL const int32 *rows, uint32 width, GLOBAL const int32 *link,
                          GLOBAL const int32 *tail) {
    uint32 edge = order[AHEAD / 2];
    int32 a = (int32)(edge / width), b = rows[edge];
    PREFETCH(rows + order[AHEAD]);
    PREFETCH(link + 2 * (int64)a), PREFETCH(link + 2 * (int64)b), PREFETCH(tail + a), PREFETCH(tail + b);
}

/* Try the edges order[from..until) in sequence; joined[0] counts the accepted edges. */
KERNEL(edge_join, GLOBAL const uint32 *order, int64 from, int64 until, GLOBAL const int32 *city, GLOBAL const int32 *rows,
       int32 width, GLOBAL int32 *link, GLOBAL int32 *tail, GLOBAL int64 *joined) {
    for (int64 e = from; e < until; e++) {
        if (!city && e + AHEAD < until) /* lists of some cities only are short */
            edge_prefetch(order + e, rows, (uint32)width, link, tail);
        int32 a = (int32)(order[e] / (uint32)width), b = rows[order[e]];
        if (city) a = city[a], b = city[b];
        GLOBAL int32 *of_a = link + 2 * (int64)a, *of_b = link + 2 * (int64)b;
        if (of_a[1] != NONE_YET || of_b[1] != NONE_YET || tail[a] == b || a == b) continue;
        of_a[of_a[0] != NONE_YET] = b;
        of_b[of_b[0] != NONE_YET] = a;
        int32 left = tail[a], right = tail[b];
        tail[left] = right, tail[right] = left;
        joined[0]++;
    }
}

/* Write the cities fragment by fragment, each from its end with the lower index. starts[f] is where fragment f begins
 * in order, fragments[0] the number of fragments. A negative link ends a fragment; there must be no cycles. */
KERNEL(fragments_walk, GLOBAL const int32 *link, GLOBAL const int32 *tail, int32 count, GLOBAL int32 *order,
       GLOBAL int32 *starts, GLOBAL int32 *fragments) {
    int32 many = 0, at = 0;
    for (int32 first = 0; first < count; first++) {
        if ((link[2 * (int64)first] >= 0 && link[2 * (int64)first + 1] >= 0) || tail[first] < first) continue;
        starts[many++] = at;
        for (int32 c = first, from = -1;;) {
            int32 one = link[2 * (int64)c], two = link[2 * (int64)c + 1];
            order[at++] = c;
            int32 next = one >= 0 && one != from ? one : two >= 0 && two != from ? two : -1;
            if (next < 0) break;
            from = c, c = next;
        }
    }
    fragments[0] = many;
}
