/* What a vehicle is to the times of its route, in builds with TIMED: vehicles that are all alike, or with MIXED, kinds. */
#ifndef WARPTOUR_ROUTES_VEHICLE
#define WARPTOUR_ROUTES_VEHICLE
#include "routes/routes.h"
#ifdef TIMED

/* When the vehicle of route r is ready and when it leaves its start late, and how long it is served there; when it may
 * come to its end at the earliest and latest, and when it is late there. TIMES: whether routes have times at all.
 * TAILS_END_OUT: whether tails end with the last customer, since vehicles end in different places. */
#ifdef MIXED
#define TIMES(f) ((f)->times != 0)
#define TAILS_END_OUT 1
INLINE real opens_at_start(const Fleet *f, int32 r) { return kind_of(f, r)->opens; }
INLINE real due_at_start(const Fleet *f, int32 r) { return kind_of(f, r)->closes; }
INLINE real served_at_start(const Fleet *f, int32 r) { return kind_of(f, r)->serve; }
INLINE real opens_at_end(const Fleet *f, int32 r) { return kind_of(f, r)->back_opens; }
INLINE real closes_at_end(const Fleet *f, int32 r) { return kind_of(f, r)->back_closes; }
INLINE int32 open_end(const Fleet *f, int32 r) { return kind_of(f, r)->end >= f->points.n; }
INLINE real due_at_end(const Fleet *f, int32 r) { return kind_of(f, r)->back_due; }
INLINE int32 gaps_at_start(const Fleet *f) { return (void)f, 0; }
#else
#define TIMES(f) 1
#define TAILS_END_OUT 0
INLINE real opens_at_start(const Fleet *f, int32 r) { return (void)r, f->opens[DEPOT]; }
INLINE real due_at_start(const Fleet *f, int32 r) { return (void)r, f->due[DEPOT]; }
INLINE real served_at_start(const Fleet *f, int32 r) { return (void)r, f->serve[DEPOT]; }
INLINE real opens_at_end(const Fleet *f, int32 r) { return (void)r, f->opens[DEPOT]; }
INLINE real closes_at_end(const Fleet *f, int32 r) { return (void)r, OPEN(f) ? (real)UNREACHED : f->closes[DEPOT]; }
INLINE int32 open_end(const Fleet *f, int32 r) { return (void)r, OPEN(f); }
INLINE real due_at_end(const Fleet *f, int32 r) { return (void)r, OPEN(f) ? (real)UNREACHED : f->due[DEPOT]; }
INLINE int32 gaps_at_start(const Fleet *f) { return f->gap_ends != 0; }
#endif

/* Return what route r costs beside its distance if it is `travel` long and takes `duration`; UNREACHED if that is too long. */
INLINE real priced(const Fleet *f, int32 r, real travel, real duration) {
#ifdef MIXED
    GLOBAL const Kind *k = kind_of(f, r);
    real over = duration > k->longest ? duration - k->longest : 0;
    if (over > k->overtime) return UNREACHED;
    return k->fixed + k->per_distance * travel + k->per_time * duration + k->per_overtime * over;
#else
    (void)r, (void)travel;
    return duration <= f->longest ? f->per_time * duration : UNREACHED;
#endif
}

/* Return the travel time from a to b in route r. */
INLINE real time_leg(const Fleet *f, int32 r, int32 a, int32 b) {
    if (a == b) return 0;
#ifdef MIXED
    real pace = kind_of(f, r)->pace;
    int64 n = f->points.n;
    if (!f->clock) return pace * leg(f, r, a, b);
    a = place_before(f, r, a), b = place_behind(f, r, b);
    return a >= n || b >= n ? 0 : pace * f->clock[(kind_of(f, r)->hours * n + a) * n + b];
#else
    return f->clock ? f->clock[(int64)a * f->m + b] : leg(f, r, a, b);
#endif
}

/* Return the travel time from a to b, which are consecutive in route r and `way` apart. */
INLINE real along(const Fleet *f, int32 r, int32 a, int32 b, real way) {
#ifdef MIXED
    return f->clock ? time_leg(f, r, a, b) : kind_of(f, r)->pace * way;
#else
    return f->clock ? time_leg(f, r, a, b) : way;
#endif
}

#endif
#endif
