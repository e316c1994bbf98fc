// build: native
/* Sets of customers that too few vehicles enter: separation of rounded capacity cuts. Host only, one group.
 *
 * A set grows from each customer by the customer that is joined to it most (Augerat et al. 1998), for some customers less a
 * share of what the candidate's load exceeds; of all sets on the way, the one that its border's flow misses most is kept. */

/* flow: n by n, symmetric, node 0 the depot. sets: n by n, row i receives the set grown from i; violation: how much its border
 * lacks, 0 if less than `least`. joined: 2 n reals of work space. */
KERNEL(grow_sets, int32 n, GLOBAL const real *flow, GLOBAL const int64 *load, real capacity, real least, int32 seed,
       GLOBAL unsigned char *sets, GLOBAL real *violation, GLOBAL real *work) {
    GLOBAL real *joined = work, *mine = work + n;
    violation[0] = 0;
    for (int32 from = 1; from < n; from++) {
        GLOBAL unsigned char *set = sets + (int64)from * n;
        uint32 dice = (uint32)seed * 2654435761u + (uint32)from * 40503u + 1u;
        int32 grown = 0, best_size = 0, at = from;
        real total = 0, border = 0, best = least;
        for (int32 v = 0; v < n; v++) joined[v] = 0, mine[v] = -1, set[v] = 0;
        while (at > 0) {
            mine[at] = grown++;
            total += (real)load[at];
            border += 2 - 2 * joined[at];
            for (int32 v = 1; v < n; v++) joined[v] += flow[(int64)at * n + v];
            real lack = 2 * ceil(total / capacity - 1e-12) - border;
            if (lack > best) best = lack, best_size = grown;
            at = -1;
            real most = 1e-9;
            for (int32 v = 1; v < n; v++) {
                if (mine[v] >= 0 || joined[v] <= 1e-9) continue;
                dice = dice * 1664525u + 1013904223u;
                real worth = joined[v] * (seed ? 1 + 0.3 * ((real)(dice >> 8) / 16777216.0 - 0.5) : 1);
                if (worth > most) most = worth, at = v;
            }
        }
        violation[from] = best_size ? best : 0;
        for (int32 v = 1; v < n; v++) set[v] = mine[v] >= 0 && mine[v] < best_size;
    }
}
