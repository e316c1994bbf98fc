/* Kick for neighbour-list searches: a double bridge of three consecutive short segments after a position.
 *     a-[B]-[C]-[D]-e  ->  a-[D]-[C]-[B]-e
 */
#ifndef WARPTOUR_BRIDGE
#define WARPTOUR_BRIDGE

#include "papers/scans/moves.h"
#include "common/random.h"

#define BRIDGE_ENDS 8

/* Make a double bridge of segments of at most `longest` cities; ends receives the cities at its cuts. Returns the gain,
 * usually negative. If a cut edge is fixed, nothing changes and *made is 0. */
INLINE real double_bridge(const Points *p, Tour *t, const Surroundings *s, uint64 key, uint64 *draws, int32 at,
                          int32 longest, int32 *ends, int32 *made) {
    int32 b = 1 + (int32)random_below(key, draws, (uint32)longest);
    int32 c = 1 + (int32)random_below(key, draws, (uint32)longest);
    int32 d = 1 + (int32)random_below(key, draws, (uint32)longest);
    int32 b0 = wrapped(t, at + 1), c0 = wrapped(t, b0 + b), d0 = wrapped(t, c0 + c), e0 = wrapped(t, d0 + d);
    int32 last = wrapped(t, e0 - 1);
    ends[0] = t->city[at], ends[1] = t->city[b0], ends[2] = t->city[wrapped(t, c0 - 1)], ends[3] = t->city[c0];
    ends[4] = t->city[wrapped(t, d0 - 1)], ends[5] = t->city[d0], ends[6] = t->city[last], ends[7] = t->city[e0];
    real gain = 0;
    *made = 0;
    for (int32 k = 0; k < BRIDGE_ENDS; k += 2) {
        if (must_stay(s, ends[k], ends[k + 1])) return 0;
        gain += between(p, ends[k], ends[k + 1]);
    }
    gain -= between(p, ends[0], ends[5]) + between(p, ends[6], ends[3]);
    gain -= between(p, ends[4], ends[1]) + between(p, ends[2], ends[7]);
    reverse_places(t, b0, last);
    int32 c1 = wrapped(t, b0 + d), b1 = wrapped(t, c1 + c);
    reverse_places(t, b0, wrapped(t, c1 - 1));
    reverse_places(t, c1, wrapped(t, b1 - 1));
    reverse_places(t, b1, last);
    *made = 1;
    return gain;
}

#endif
