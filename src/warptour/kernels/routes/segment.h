/* Pieces of routes with time windows, joined in constant time (Vidal, Crainic, Gendreau and Prins 2013).
 *
 * A piece takes `duration` from the start of its first service to the end of its last, waits included, if it begins between
 * `earliest` and `latest`. Beginning earlier only adds a wait. `warp` is the time by which clocks must be turned back to
 * serve all of it; 0 if its windows can be kept.
 */
#ifndef WARPTOUR_ROUTES_SEGMENT
#define WARPTOUR_ROUTES_SEGMENT

typedef struct {
    real duration, earliest, latest, warp;
} Segment;

INLINE Segment stop_segment(real opens, real closes, real service) {
    Segment s = {service, opens, closes, 0};
    return s;
}

/* Return piece a followed, `travel` later, by piece b. */
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
