/* Customers that one vehicle serves, and those of which no vehicle serves two, in builds with MIXED.
 *
 * A company is a group of customers that go together: all of them are on one route, or none is served. Its leader, the first
 * of them, stands for it where customers are removed and inserted. A customer has rivals with which it is never on a route.
 */
#ifndef WARPTOUR_ROUTES_BONDS
#define WARPTOUR_ROUTES_BONDS
#ifdef MIXED

/* As Kinds.bonds in routes/engine/kinds.py: numbers of companies, companions, groups of rivals and entries of these; then the
 * company of each node or -1, the end of each company, companions; the end of each node's groups, groups; the end of each
 * group, rivals. */
typedef struct {
    GLOBAL const int32 *company, *company_ends, *companions; /* company: null if nobody has bonds */
    GLOBAL const int32 *quarrel_ends, *quarrels, *rival_ends, *rivals;
} Bonds;

INLINE Bonds bonds_of(GLOBAL const int32 *words, int32 m) {
    Bonds b = {0, 0, 0, 0, 0, 0, 0};
    if (!words) return b;
    b.company = words + 4, b.company_ends = b.company + m, b.companions = b.company_ends + words[0];
    b.quarrel_ends = b.companions + words[1], b.quarrels = b.quarrel_ends + m, b.rival_ends = b.quarrels + words[3];
    b.rivals = b.rival_ends + words[2];
    return b;
}

/* Return the number of the company of c, or -1. */
INLINE int32 company_of(const Bonds *b, int32 c) { return b->company ? b->company[c] : -1; }

/* Return where something begins whose ends are listed. */
INLINE int32 begin_of(GLOBAL const int32 *ends, int32 at) { return at > 0 ? ends[at - 1] : 0; }

INLINE int32 leader_of(const Bonds *b, int32 c) {
    int32 company = company_of(b, c);
    return company < 0 ? c : b->companions[begin_of(b->company_ends, company)];
}

/* Whether a rival of c other than `leaving` is on route r. */
INLINE int32 rival_on(const Bonds *b, GLOBAL const int32 *route, int32 c, int32 r, int32 leaving) {
    if (!b->company) return 0;
    for (int32 k = begin_of(b->quarrel_ends, c); k < b->quarrel_ends[c]; k++)
        for (int32 j = begin_of(b->rival_ends, b->quarrels[k]); j < b->rival_ends[b->quarrels[k]]; j++) {
            int32 v = b->rivals[j];
            if (route[v] == r && v != c && v != leaving) return 1;
        }
    return 0;
}

#endif
#endif
