// build: native
/* Reduced costs of edges under the duals of degrees and cuts, in integers. Native only.
 *
 * A cut divides the nodes into atoms; atom 0 is outside. Its coefficient of an edge between atoms u and v is
 * h(u) + h(v) - s(u, v), with s >= 0, and s(u, v) = 0 if u or v is outside. The weight of a node holds its own dual and
 * those of all cuts times h, so the reduced cost of an edge is its length, less both weights, and more by the dual
 * times s of each cut that has both ends inside. The nodes' lists of cuts and atoms are in the order of cuts. */

typedef struct {
    GLOBAL const int64 *weight;
    GLOBAL const int64 *first; /* of each node's list */
    GLOBAL const int32 *cut, *atom;
    GLOBAL const int64 *place; /* of each cut's table */
    GLOBAL const int32 *width;
    GLOBAL const int64 *saved; /* dual times s */
} Duals;

#define DUALS_PARAMETERS                                                                                            \
    GLOBAL const int64 *weight, GLOBAL const int64 *first, GLOBAL const int32 *cut, GLOBAL const int32 *atom,       \
        GLOBAL const int64 *place, GLOBAL const int32 *width, GLOBAL const int64 *saved
#define DUALS {weight, first, cut, atom, place, width, saved}

/* Return by how much the cuts that hold both nodes inside raise the reduced cost of their edge. */
INLINE int64 shared(const Duals *d, int32 i, int32 j) {
    int64 a = d->first[i], b = d->first[j], a_end = d->first[i + 1], b_end = d->first[j + 1], sum = 0;
    while (a < a_end && b < b_end) {
        int32 one = d->cut[a], two = d->cut[b];
        if (one == two) sum += d->saved[d->place[one] + (int64)d->atom[a] * d->width[one] + d->atom[b]];
        a += one <= two, b += two <= one;
    }
    return sum;
}

/* The edges of the complete graph whose reduced cost is at most `limit`; found[0] becomes their number. Those beyond
 * `room` are counted, not written. */
KERNEL(edges_priced, int32 n, GLOBAL const int64 *length, int64 limit, DUALS_PARAMETERS, int64 room,
       GLOBAL int32 *one, GLOBAL int32 *two, GLOBAL int64 *reduced, GLOBAL int64 *found) {
    Duals d = DUALS;
    int64 many = 0;
    for (int32 i = 0; i < n; i++) {
        GLOBAL const int64 *row = length + (int64)i * n;
        int64 most = limit + weight[i];
        for (int32 j = i + 1; j < n; j++) {
            if (row[j] - weight[j] > most) continue;
            int64 cost = row[j] - weight[i] - weight[j] + shared(&d, i, j);
            if (cost > limit) continue;
            if (many < room) one[many] = i, two[many] = j, reduced[many] = cost;
            many++;
        }
    }
    found[0] = many;
}

/* The reduced costs of given edges. */
KERNEL(edges_reduced, int64 count, GLOBAL const int32 *one, GLOBAL const int32 *two, GLOBAL const int64 *length,
       DUALS_PARAMETERS, GLOBAL int64 *reduced) {
    Duals d = DUALS;
    for (int64 e = 0; e < count; e++) {
        int32 i = one[e], j = two[e];
        reduced[e] = length[e] - weight[i] - weight[j] + shared(&d, i, j);
    }
}
