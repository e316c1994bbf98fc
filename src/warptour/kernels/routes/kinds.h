/* Kinds of vehicles, in builds with MIXED: slots of routes are numbered kind by kind.
 *
 * The cost of a route is its distance plus its price; the price holds what a kind asks beyond one per unit of distance.
 */
#ifndef WARPTOUR_ROUTES_KINDS
#define WARPTOUR_ROUTES_KINDS

/* As KIND in routes/engine/kinds.py. */
typedef struct {
    real capacity, limit;                  /* of the load, of the distance */
    real fixed, per_distance, per_time;    /* costs; per_distance beyond one per unit */
    real longest, overtime, per_overtime;  /* limit on the duration, how far it may be exceeded, and at what cost */
    real opens, closes, serve;             /* at the start: when service may begin there, and how long it takes */
    real back_opens, back_closes, back_due; /* at the end: back_closes may not be missed, back_due at a price */
    real pace;                             /* factor on travel times */
    real wheel;                            /* longest driving without one of its breaks, where those are not within hours */
    real change;                           /* cost of each stop that is planned for another vehicle */
    int32 start, end;                      /* nodes; at least points.n where routes are open */
    int32 first, slots;                    /* first slot, and number of slots */
    int32 first_rest, rests;               /* first of its breaks, and their number */
    int32 day;                             /* kinds with the same places and times have the same number */
    int32 ways, hours;                     /* its tables of distances and travel times, of which the first are for most */
} Kind;

/* A break of a driver: when it may begin, and how long it takes. */
typedef struct {
    real opens, closes, length;
} Rest;

#endif
