/* Annealing of a group of routes by ruin and recreate (Christiaens and Vanden Berghe, 2020).
 *
 * With a warp of lanes, lane 0 changes the routes and alone knows the scalars of a Fleet and the random numbers; the others
 * help it to find positions and moves (lanes.h). All customers must have a route then.
 */
#ifndef WARPTOUR_ROUTES_ANNEALING
#define WARPTOUR_ROUTES_ANNEALING
#include "common/metric.h"
#include "common/dice.h"
#include "routes/journal.h"
#include "routes/trips.h"
#include "routes/ruin.h"
#include "routes/recreate.h"
#include "routes/local.h"
#if LANES == 32
#include "routes/lanes.h"
#endif

/* Kernel parameters of a Fleet.
 *
 * reach: as long as near, with GENERAL twice as long. summing, most, amount, tables, travel: number of further sums and what
 * belongs to them (see Fleet). nodes: next, prev, route, place, each m long; edges: ahead, back, load_to, time_to, each m
 * long, and a row of sum_to for each node. ways: first, last, size, spare, stamp, touched, measured, each `slots` long.
 * sums: load, time, old_load, old_time, each `slots` long, and for each route a row of sum and one of old_sum. scratch: pool,
 * left_out, queue and queued, each m long, and the journal, 2 * m lines for ruin and recreate, with MIXED 3 * m, since an
 * insertion may change the vehicle, and those of local search.
 * counts, costs: indexed by the names below. */
#define FLEET_PARAMETERS                                                                                             \
    int32 fwidth, GLOBAL const int32 *fnear, GLOBAL real *freach, GLOBAL const real *fdemand,                        \
        GLOBAL const real *fservice, real fcapacity, real flimit, int32 fsumming, GLOBAL const real *fmost,          \
        GLOBAL const real *famount, GLOBAL const real *ftables, GLOBAL const int32 *ftravel, real ffixed,            \
        int32 fslots, GLOBAL int32 *fnodes, GLOBAL real *fedges, GLOBAL int32 *fways, GLOBAL real *fsums,            \
        GLOBAL int32 *fscratch, GLOBAL int64 *fcounts, GLOBAL real *fcosts TIMED_PARAMETERS MIXED_PARAMETERS         \
        PAIRS_PARAMETERS TRIPS_PARAMETERS
#define FLEET_ARGUMENTS                                                                                             \
    fwidth, fnear, freach, fdemand, fservice, fcapacity, flimit, fsumming, fmost, famount, ftables, ftravel, ffixed, \
        fslots, fnodes, fedges, fways, fsums, fscratch, fcounts, fcosts TIMED_ARGUMENTS MIXED_ARGUMENTS PAIRS_ARGUMENTS TRIPS_ARGUMENTS

/* With TIMED. times: opens, closes, due, serve and, if there are any, releases, each m long, and the gaps. rules: longest,
 * longest_wait, per_time, per_late, rounding, open, walks, and whether there are releases. day: early, late, each m long;
 * starts, 2 * m + 2; price, old_price, each `slots` long; heads and tails, each m segments, if durations count. visits:
 * visits, middle, each m long; timed, `slots` long. */
#ifdef TIMED
#define TIMED_PARAMETERS                                                                                             \
    , GLOBAL const real *ftimes, GLOBAL const int32 *fgaps, GLOBAL const real *fclock, GLOBAL const real *frules,    \
        GLOBAL real *fday, GLOBAL int32 *fvisits
#define TIMED_ARGUMENTS , ftimes, fgaps, fclock, frules, fday, fvisits
#else
#define TIMED_PARAMETERS
#define TIMED_ARGUMENTS
#endif

/* With MIXED. nodes: those of the Fleet, behind which the points have places of depots. vehicles: kind of each slot, empty
 * slots of each kind, members served of each group, and `drawn`; bonds, locks: see bonds.h and locks.h; the rest as in Fleet. */
#ifdef MIXED
#define MIXED_PARAMETERS                                                                                         \
    , int32 gnodes, int32 gkinds, int32 ggroups, int32 gtimes, GLOBAL const real *gkind, GLOBAL const int32 *gallows, \
        GLOBAL const real *gprize, GLOBAL const int32 *gmust, GLOBAL const int32 *ggroup, GLOBAL const int32 *gends,     \
        GLOBAL const int32 *gmembers, GLOBAL const int32 *gbonds, GLOBAL const int32 *glocks, GLOBAL const real *grests, \
        GLOBAL int32 *gvehicles
#define MIXED_ARGUMENTS \
    , gnodes, gkinds, ggroups, gtimes, gkind, gallows, gprize, gmust, ggroup, gends, gmembers, gbonds, glocks, \
        grests, gvehicles
#define FLEET_NODES gnodes
#else
#define MIXED_PARAMETERS
#define MIXED_ARGUMENTS
#define FLEET_NODES points.n
#endif

/* With PAIRS. hdimensions, hmate, hchange, hstrict, hdoes, hrides: as in Fleet; hstacked: whether goods are a stack. haboard:
 * heads and tails of loads, each a row of m per dimension; hmet: met, done_to, done_from, below, boarded, each m long. */
#ifdef PAIRS
#define PAIRS_PARAMETERS                                                                                       \
    , int32 hdimensions, int32 hstrict, int32 hstacked, GLOBAL const int32 *hmate, GLOBAL const int32 *hdoes, GLOBAL const real *hchange, \
        GLOBAL const real *hrides, GLOBAL real *haboard, GLOBAL int32 *hmet
#define PAIRS_ARGUMENTS , hdimensions, hstrict, hstacked, hmate, hdoes, hchange, hrides, haboard, hmet
#else
#define PAIRS_PARAMETERS
#define PAIRS_ARGUMENTS
#endif

/* With TRIPS. docks: their number, the first node of one, and behind the last of each; brings: as in Fleet. stages: one per
 * node. idle: idle, idle_place, each m long, and idles. */
#ifdef TRIPS
#define TRIPS_PARAMETERS \
    , GLOBAL const int32 *tdocks, GLOBAL const real *tbrings, GLOBAL real *tstages, GLOBAL int32 *tidle
#define TRIPS_ARGUMENTS , tdocks, tbrings, tstages, tidle
#else
#define TRIPS_PARAMETERS
#define TRIPS_ARGUMENTS
#endif

#define SPARES 0    /* number of empty routes */
#define LEFT_OUT 1  /* number of unserved customers */
#define DRAWS 2     /* random numbers drawn so far */
#define DONE 3      /* iterations done */
#define TAKEN 4     /* iterations accepted */
#define GIANT_TOUR_SIZE 5 /* length of the giant tour written last */
#define DETOURS 6   /* whether distances may violate the triangle inequality, as in a matrix */
#define TURNS 7     /* whether routes may be reversed */

#define EAGER_SHARE 0.5 /* share of iterations in which prizes count up to MOST_EAGER times while customers are inserted */
#define MOST_EAGER 4
#define UNCHANGED 1e-3 /* temperatures that a cost may change by rounding alone */

#define COST 0   /* of the current routes */
#define LOWEST 1 /* of the best routes; UNREACHED while customers are unserved */

INLINE Fleet fleet_of(Points points, FLEET_PARAMETERS) {
    Fleet f;
    const int32 nodes = FLEET_NODES;
    int64 m = nodes, k = fslots;
    f.points = points, f.m = nodes, f.width = fwidth, f.near = fnear, f.reach = freach;
    f.demand = fdemand, f.service = fservice, f.capacity = fcapacity, f.limit = flimit, f.fixed = ffixed;
    f.next = fnodes, f.prev = fnodes + m, f.route = fnodes + 2 * m, f.place = fnodes + 3 * m;
    f.ahead = fedges, f.back = fedges + m;
    f.load_to = fedges + 2 * m, f.time_to = fedges + 3 * m, f.sum_to = fedges + 4 * m;
    f.first = fways, f.last = fways + k, f.size = fways + 2 * k, f.spare = fways + 3 * k;
    f.stamp = fways + 4 * k, f.touched = fways + 5 * k, f.measured = fways + 6 * k;
    f.load = fsums, f.time = fsums + k, f.old_load = fsums + 2 * k, f.old_time = fsums + 3 * k;
    f.sums = fsumming, f.most = fmost, f.amount = famount, f.tables = ftables, f.travel = ftravel;
    f.sum = fsums + 4 * k, f.old_sum = f.sum + k * f.sums;
    f.queue = fscratch + 2 * m, f.queued = fscratch + 3 * m, f.log = fscratch + 4 * m;
    f.spares = (int32)fcounts[SPARES], f.slots = fslots, f.detours = (int32)fcounts[DETOURS];
    f.reversible = (int32)fcounts[TURNS];
    f.cost = f.old_cost = fcosts[COST];
    f.logged = f.touches = f.attempt = 0;
    f.begin = 0, f.span = f.m - 1;
#ifdef TIMED
    f.opens = ftimes, f.closes = ftimes + m, f.due = ftimes + 2 * m, f.serve = ftimes + 3 * m, f.gaps = ftimes + 4 * m;
    f.releases = 0;
    if (frules[7] != 0) f.releases = f.gaps, f.gaps += m;
    f.gap_ends = fgaps, f.clock = fclock;
    f.longest = frules[0], f.longest_wait = frules[1], f.per_time = frules[2], f.per_late = frules[3];
    f.rounding = frules[4], f.open = frules[5] != 0, f.walks = frules[6] != 0;
    f.priced = f.per_time > 0 || f.per_late < UNREACHED;
#ifdef MIXED
    f.kinds = (GLOBAL const Kind *)gkind, f.number = gkinds, f.times = gtimes, f.allows = gallows;
    f.prize = gprize, f.must = gmust, f.group = ggroup, f.group_ends = gends, f.members = gmembers;
    f.kind = gvehicles, f.kind_spares = gvehicles + k, f.served = f.kind_spares + gkinds, f.drawn = f.served + ggroups;
    for (int32 c = 0; c < f.m; c++) f.drawn[c] = 0;
    f.own = 0, f.largest = 0, f.larger = 1, f.eager = 1, f.bonds = bonds_of(gbonds, nodes), f.locks = locks_of(glocks, nodes);
    for (int32 j = 0; j < gkinds; j++) f.largest = f.kinds[j].capacity > f.largest ? f.kinds[j].capacity : f.largest;
    for (int32 j = 0; j < gkinds; j++) f.own |= f.kinds[j].ways > 0;
    f.rests = (GLOBAL const Rest *)grests;
    f.lasting = f.walks || f.rests;
    for (int32 j = 0; j < gkinds; j++)
        f.lasting |= f.kinds[j].per_time > 0 || f.kinds[j].longest < UNREACHED || f.kinds[j].day != f.kinds[0].day;
#else
    f.lasting = f.priced || f.walks || f.longest < UNREACHED;
#endif
#ifdef PAIRS
    f.dimensions = hdimensions, f.mate = hmate, f.change = hchange, f.strict = hstrict, f.does = hdoes;
    f.load_heads = (GLOBAL Load *)haboard, f.load_tails = f.load_heads + hdimensions * m;
    f.met = hmet, f.done_to = hmet + m, f.done_from = hmet + 2 * m, f.walk = f.paired = 0;
    f.below = hstacked ? hmet + 3 * m : 0, f.rides = hrides, f.boarded = hmet + 4 * m;
    for (int32 c = 0; c < f.m; c++) f.met[c] = 0, f.paired |= hmate[c] != 0;
#endif
#ifdef TRIPS
    f.docks = tdocks[0], f.reloads = tdocks[1], f.dock_ends = tdocks + 2, f.brings = tbrings;
    f.stages = (GLOBAL Stage *)tstages, f.idle = tidle, f.idle_place = tidle + m, f.idles = tidle + 2 * m;
    f.walks |= f.releases && (f.lasting || f.gap_ends), f.lasting |= f.walks, f.staged = f.releases && !f.gap_ends;
    f.span = CUSTOMERS(&f);
    begin_reloads(&f, 1);
#endif
    f.early = fday, f.late = fday + m, f.starts = fday + 2 * m, f.price = fday + 4 * m + 2, f.old_price = f.price + k;
    f.heads = (GLOBAL Segment *)(f.price + 2 * k), f.tails = f.heads + (f.lasting ? m : 0);
#ifdef MIXED
    f.behind = f.tails + m;
#endif
    f.visits = fvisits, f.middle = fvisits + m, f.timed = fvisits + 2 * m;
    for (int32 r = LANE; r < fslots; r += LANES) f.timed[r] = 0;
#endif
    for (int32 r = LANE; r < fslots; r += LANES) f.stamp[r] = 0, f.measured[r] = 0;
    for (int32 c = LANE; c < f.m; c += LANES) f.queued[c] = 0;
    return f;
}

/* Load the routes of a giant tour, in which the depot follows each route. Customers not in it have no route. */
INLINE void enter_routes(Fleet *f, GLOBAL const int32 *giant, int32 size) {
    int32 r = 0;
    for (int32 c = 0; c < f->m; c++) f->route[c] = ABSENT;
#ifdef MIXED
    for (int32 c = 1; f->group && c < f->m; c++)
        if (f->group[c] >= 0) f->served[f->group[c]] = 0;
#endif
    for (int32 k = 0; k < f->slots; k++) f->size[k] = 0, f->load[k] = 0, f->time[k] = 0, f->first[k] = f->last[k] = DEPOT;
    f->spares = 0, f->cost = 0;
#ifdef MIXED
    for (int32 k = 0; k < f->number; k++) f->kind_spares[k] = 0;
#endif
#ifdef TRIPS
    begin_reloads(f, 0);
#endif
    for (int32 k = f->slots - 1; k >= 0; k--) push_spare(f, k);
    for (int32 k = 0, a = DEPOT; k < size; k++) {
        int32 c = giant[k];
        real more = apart(f, r, a, c);
        f->cost += more, f->time[r] += more;
        if (c == DEPOT) {
            f->cost += f->fixed;
            r++;
        } else {
            link_customer(f, c, a, r);
            f->load[r] += f->demand[c], f->time[r] += f->service[c];
        }
        a = c;
    }
}

/* Sum over the customers in a list of 1 + the number of iterations that left them unserved. */
INLINE real worth(GLOBAL const int32 *list, int32 count, GLOBAL const real *misses) {
    real sum = 0;
    for (int32 k = 0; k < count; k++) sum += 1 + misses[list[k]];
    return sum;
}

#define ANNEALING_PARAMETERS                                                                                       \
    uint64 seed, uint64 stream, real mean, int32 longest, real split, real deeper, real blink, int32 sought, real slack, \
        real hot, real cold, real absolute, real relative, int64 attempts
#define ANNEALING_ARGUMENTS \
    seed, stream, mean, longest, split, deeper, blink, sought, slack, hot, cold, absolute, relative, attempts

/* How routes are changed. mean, longest, split, deeper: see ruin(). blink: see recreate.h. sought, slack: an iteration
 * that is too expensive by at most `slack` temperatures is improved by local search with lists of `sought` neighbours. Cost
 * differences up to absolute + relative * cost count as rounding errors. */
typedef struct {
    real mean;
    int32 longest;
    real split, deeper, blink;
    int32 sought;
    real slack, absolute, relative;
} Ruin;
#define RUIN_STRUCT(name) Ruin name = {mean, longest, split, deeper, blink, sought, slack, absolute, relative}

/* The result of an iteration: number of customers without a route, the rise in cost that its temperature allows, and the
 * smallest change in cost that is not a rounding error. */
typedef struct {
    int32 failed;
    real allowed, least;
} Outcome;

/* Ruin and recreate, and improve by local search what is not much too expensive, unless the cost is unchanged: in more than
 * half of all iterations every customer returns to its place. left_out: the `missing` customers without a route, which are
 * inserted too. absence: see anneal_routes(). pool, rank: room; pool lists those that fit nowhere. sight: see
 * insert_customer(). */
INLINE Outcome change_routes(Fleet *f, Dice *d, const Ruin *how, GLOBAL int32 *pool, GLOBAL const int32 *left_out,
                             int32 missing, GLOBAL const real *misses, real absence, GLOBAL real *rank,
                             int32 *sight, real heat) {
    int32 count = 0, patient = missing || absence > 0;
    Outcome outcome = {0, 0, 0};
    if (LANE == 0) {
        begin_attempt(f);
#ifdef MIXED
        f->larger = f->number > 1 && throw_below(d, 2);
        f->eager = f->prize && throw_unit(d) < EAGER_SHARE ? 1 + (MOST_EAGER - 1) * throw_unit(d) : 1;
#endif
        count = ruin(f, d, !missing || absence > 0, how->mean, how->longest, how->split, how->deeper, pool);
#ifdef MIXED
        if (f->bonds.company) count = remove_companies(f, pool, count);
        merge_trips(f);
        if (f->prize || f->group) count = draw_unserved(f, d, how->mean, pool, count);
#endif
        for (int32 j = 0; j < missing; j++) pool[count++] = left_out[j];
        order_pool(f, d, pool, rank, count);
    }
    SYNC_LANES();
    count = FROM_LANE(count, 0);
    for (int32 j = 0; j < count && (patient || !outcome.failed); j++)
        if (!insert_customer(f, d, pool[j], how->blink, sight)) {
            if (LANE == 0) pool[outcome.failed] = pool[j];
            outcome.failed++;
        }
    if (LANE == 0) settle_prices(f);
    /* an acceptable rise is -heat * log(u), u uniform in (0, 1] */
    real worse = f->cost - f->old_cost, allowed = LANE == 0 ? -heat * log(throw_unit(d)) : 0;
    if (absence > 0) worse += absence * (worth(pool, outcome.failed, misses) - worth(left_out, missing, misses));
    real least = how->absolute + how->relative * fabs(f->old_cost);
    int32 hopeful = worse <= allowed + how->slack * heat && fabs(worse) > UNCHANGED * heat;
    hopeful = FROM_LANE(hopeful, 0), least = FROM_LANE(least, 0);
    if ((absence > 0 || (!missing && !outcome.failed)) && hopeful)
        improve_around(f, how->sought < f->width ? how->sought : f->width, least);
    if (LANE == 0) {
        if (!outcome.failed && hopeful) merge_trips(f);
        settle_prices(f);
    }
    outcome.allowed = allowed, outcome.least = least;
    return outcome;
}

/* Do `attempts` iterations of ruin and recreate while the temperature falls geometrically from hot to cold.
 *
 * An iteration is accepted if the cost rises by at most what its temperature allows. Where vehicles are too few, some
 * customers stay unserved; serving often-missed customers then takes precedence over cost, as in the fleet minimisation of
 * Christiaens and Vanden Berghe, and ruins remove strings alone. misses: number of iterations that left each customer
 * unserved. absence: if positive, what each unserved customer costs instead: there is no other precedence.
 *
 * best, up to 2 * m long, receives the giant tour of the best routes if they improve on costs[LOWEST], in which case
 * counts[GIANT_TOUR_SIZE] > 0. It is written only before the routes get worse, so successive improvements cost no copies.
 * pool, left_out: m long. */
INLINE void anneal_routes(Fleet *f, GLOBAL int32 *pool, GLOBAL int32 *left_out, GLOBAL int32 *best, GLOBAL real *rank,
                          GLOBAL real *misses, real absence, GLOBAL int64 *counts, GLOBAL real *costs, ANNEALING_PARAMETERS) {
    RUIN_STRUCT(how);
    Dice d = {random_key(seed, stream), (uint64)counts[DRAWS]};
    real lowest = costs[LOWEST], heat = hot, factor = attempts > 1 ? pow(cold / hot, 1 / (real)attempts) : 1;
    int32 missing = (int32)counts[LEFT_OUT], unsaved = 0, sight = throw_blink(&d, blink);
    int64 taken = 0, size = 0;
    if (LANE == 0) recompute_sums(f);
    for (int64 k = 0; k < attempts; k++, heat *= factor) {
        Outcome outcome = change_routes(f, &d, &how, pool, left_out, missing, misses, absence, rank, &sight, heat);
        if (LANE > 0) continue;
        int32 failed = outcome.failed, accepted;
        real worse = f->cost - f->old_cost;
        if (missing == 0 && absence == 0) {
            accepted = !failed && worse <= outcome.allowed && within_limit(f);
        } else {
            accepted = within_limit(f);
            real now = worth(pool, failed, misses), before = worth(left_out, missing, misses);
            if (absence > 0) accepted = accepted && worse + absence * (now - before) <= outcome.allowed;
            else accepted = accepted && (now < before || (now == before && worse <= outcome.allowed));
            for (int32 j = 0; j < failed; j++) misses[pool[j]] += 1;
        }
        int32 saves = accepted && unsaved && (failed || worse > outcome.least);
        if (!accepted || saves) {
            undo_attempt(f);
            if (saves) size = write_giant_tour(f, best), unsaved = 0;
            continue;
        }
        taken++;
        missing = failed;
        for (int32 j = 0; j < failed; j++) left_out[j] = pool[j];
        if (missing == 0 && f->cost < lowest - outcome.least) lowest = f->cost, unsaved = 1;
    }
    if (LANE == 0) {
        if (unsaved) size = write_giant_tour(f, best);
        counts[SPARES] = f->spares, counts[LEFT_OUT] = missing, counts[DRAWS] = (int64)d.counter;
        counts[DONE] += attempts, counts[TAKEN] += taken, counts[GIANT_TOUR_SIZE] = size;
        costs[COST] = f->cost, costs[LOWEST] = lowest;
    }
    SYNC_LANES();
}

#endif
