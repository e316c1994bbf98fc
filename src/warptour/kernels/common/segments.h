/* Segments of routes and what they make of a resource, joined in constant time.
 *
 * An Extension (Irnich 2008, Schulz 2011) is for any resource with intervals that may not be left: its value T at the start
 * becomes max(least, T + sum) at the end, and T <= most is feasible. For a vehicle that leaves at T that is the time of its
 * last service, at the earliest.
 *
 * A Segment (Vidal, Crainic, Gendreau and Prins 2013) is for time alone and says more: how long the vehicle is out if it
 * leaves as late as it may, and by how much windows are missed.
 */
#ifndef WARPTOUR_SEGMENTS
#define WARPTOUR_SEGMENTS

#define NEVER -1e300 /* `most` of an infeasible extension */

typedef struct {
    float64 sum, least, most;
} Extension;

/* Return two extensions in turn and what the edge between them consumes. */
INLINE Extension chained(Extension first, float64 edge, Extension second) {
    float64 across = first.sum + edge, arrival = first.least + edge;
    Extension both = {across + second.sum, arrival + second.sum, NEVER};
    if (both.least < second.least) both.least = second.least;
    if (arrival <= second.most) both.most = first.most < second.most - across ? first.most : second.most - across;
    return both;
}

/* It takes `duration` from the start of its first service to the end of its last, waits included, if it begins between
 * `earliest` and `latest`. Beginning earlier only adds a wait. `warp` is the time by which clocks must be turned back to
 * serve all of it; 0 if its windows can be kept. */
typedef struct {
    real duration, earliest, latest, warp;
} Segment;

INLINE Segment stop_segment(real opens, real closes, real service) {
    Segment s = {service, opens, closes, 0};
    return s;
}

/* Return segment a followed, `travel` later, by segment b. */
INLINE Segment joined(Segment a, real travel, Segment b) {
    real shift = a.duration - a.warp + travel;
    real wait = b.earliest - shift - a.latest, warp = a.earliest + shift - b.latest;
    wait = wait > 0 ? wait : 0, warp = warp > 0 ? warp : 0;
    real earliest = b.earliest - shift, latest = b.latest - shift;
    Segment s = {a.duration + b.duration + travel + wait, (earliest > a.earliest ? earliest : a.earliest) - wait,
                 (latest < a.latest ? latest : a.latest) + warp, a.warp + b.warp + warp};
    return s;
}

#endif
