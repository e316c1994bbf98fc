// build: native
/* Sets of customers that too few vehicles enter: separation of rounded capacity cuts. Host only, one group.
 *
 * A set grows from each customer by the customer that is joined to it most; the best set on the way is then changed by one
 * customer at a time, whatever is best, while what has just moved rests (Augerat et al. 1998). */

#define STEPS 60 /* changes of a set after its growth */
#define REST 8   /* of a customer that has moved, in changes */
#define NOTHING 1e-9

/* A set, its load, the flow over its border, and for each node the flow to the set and when it may move again. */
typedef struct {
    int32 n;
    GLOBAL const real *flow, *load;
    GLOBAL real *joined, *free_at;
    GLOBAL unsigned char *in;
    real capacity, total, border;
} Set;

/* Return what the border of a set lacks. */
INLINE real lack_of(const Set *s, real total, real border) { return 2 * ceil(total / s->capacity - 1e-12) - border; }

/* What the border would be after node v moved in or out, whose flow is 2. */
INLINE real border_after(const Set *s, int32 v) {
    return s->border + (s->in[v] ? 2 * s->joined[v] - 2 : 2 - 2 * s->joined[v]);
}

INLINE void move(Set *s, int32 v) {
    s->border = border_after(s, v);
    real sign = s->in[v] ? -1 : 1;
    s->total += sign * s->load[v];
    s->in[v] = !s->in[v];
    for (int32 u = 1; u < s->n; u++) s->joined[u] += sign * s->flow[(int64)v * s->n + u];
}

/* Return the customer outside that is joined to the set most, by a draw of up to `blur` of it; 0 if none is. */
INLINE int32 most_joined(const Set *s, uint32 *dice, real blur) {
    int32 at = 0;
    real most = 0;
    for (int32 v = 1; v < s->n; v++) {
        if (s->in[v] || s->joined[v] <= NOTHING) continue;
        *dice = *dice * 1664525u + 1013904223u;
        real worth = s->joined[v] * (1 + blur * ((real)(*dice >> 8) / 16777216.0 - 0.5));
        if (worth > most) most = worth, at = v;
    }
    return at;
}

/* Return the customer whose move leaves the border lacking most, then the shortest border; 0 if there is none. */
INLINE int32 best_move(const Set *s, real step) {
    int32 at = 0;
    real best = -INFINITY;
    for (int32 v = 1; v < s->n; v++) {
        if (s->free_at[v] > step || (!s->in[v] && s->joined[v] <= NOTHING)) continue;
        real border = border_after(s, v), total = s->total + (s->in[v] ? -s->load[v] : s->load[v]);
        if (total <= 0) continue;
        real worth = lack_of(s, total, border) - 0.01 * border;
        if (worth > best) best = worth, at = v;
    }
    return at;
}

/* Violated sets: `room` rows of n bytes at most, how much the border of each lacks, and how many vehicles it needs. */
typedef struct {
    GLOBAL unsigned char *rows;
    GLOBAL real *lacks;
    GLOBAL int32 *needs;
    int32 count, room;
} Found;

/* Note a set that lacks more than `least`: in place of the last one since `from` if that needs as many vehicles and lacks
 * less, and not at all if it lacks more. */
INLINE void note(Found *f, const Set *s, real least, int32 from) {
    real lack = lack_of(s, s->total, s->border);
    int32 need = (int32)ceil(s->total / s->capacity - 1e-12), at = f->count;
    if (lack <= least) return;
    if (at > from && f->needs[at - 1] == need) {
        if (f->lacks[at - 1] >= lack - NOTHING) return;
        at--;
    } else if (at == f->room) {
        return;
    }
    f->lacks[at] = lack, f->needs[at] = need, f->count = at + 1;
    for (int32 v = 0; v < s->n; v++) f->rows[(int64)at * s->n + v] = s->in[v];
}

/* flow: n by n, symmetric, node 0 the depot. rows, lacks, needs: as in Found. begin: first customer to grow from; count: sets
 * found. work: 2 n reals; now, start: n bytes. */
KERNEL(grow_sets, int32 n, GLOBAL const real *flow, GLOBAL const real *load, real capacity, real least, int32 seed,
       int32 room, GLOBAL unsigned char *rows, GLOBAL real *lacks, GLOBAL int32 *needs, GLOBAL int32 *count,
       GLOBAL real *work, GLOBAL unsigned char *now, GLOBAL unsigned char *start) {
    Found f = {rows, lacks, needs, 0, room};
    for (int32 from = 1; from < n; from++) {
        uint32 dice = (uint32)seed * 2654435761u + (uint32)from * 40503u + 1u;
        Set s = {n, flow, load, work, work + n, now, capacity, 0, 0};
        real best = -INFINITY;
        int32 first = f.count;
        for (int32 v = 0; v < n; v++) s.joined[v] = 0, s.free_at[v] = 0, s.in[v] = 0;
        for (int32 at = from; at > 0; at = most_joined(&s, &dice, seed ? 0.5 : 0)) {
            move(&s, at);
            note(&f, &s, least, first);
            real worth = lack_of(&s, s.total, s.border) / sqrt(1 + s.total / capacity);
            if (worth <= best) continue;
            best = worth;
            for (int32 v = 0; v < n; v++) start[v] = s.in[v];
        }
        for (int32 v = 1; v < n; v++)
            if (s.in[v] != start[v]) move(&s, v);
        for (int32 step = 1; step <= STEPS; step++) {
            int32 at = best_move(&s, step);
            if (at == 0) break;
            move(&s, at);
            s.free_at[at] = step + REST;
            note(&f, &s, least, first);
        }
    }
    *count = f.count;
}
