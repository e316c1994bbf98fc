/* Routes in the order of their directions from the depot: of a giant tour like that, adjacent routes are neighbours. */
#ifndef WARPTOUR_ROUTES_BY_ANGLE
#define WARPTOUR_ROUTES_BY_ANGLE

/* A number that grows with the angle of a vector, from -2 to 2: unlike an arctangent, the same everywhere. */
INLINE real turn_of(real x, real y) {
    real span = fabs(x) + fabs(y), turn = span > 0 ? 1 - x / span : 0;
    return y < 0 ? -turn : turn;
}

/* Write the routes of `giant`, `size` long, to `out`. places: x and y of each node. turns, begins: room for a number per
 * route. */
INLINE void order_by_angle(GLOBAL const real *places, GLOBAL const int32 *giant, int32 size, GLOBAL real *turns,
                           GLOBAL int32 *begins, GLOBAL int32 *out) {
    int32 routes = 0;
    for (int32 k = 0; k < size; routes++) {
        int32 begin = k, at = routes;
        real x = 0, y = 0;
        for (; giant[k] > 0; k++) x += places[2 * giant[k]] - places[0], y += places[2 * giant[k] + 1] - places[1];
        k++;
        real turn = turn_of(x, y);
        for (; at > 0 && turns[at - 1] > turn; at--) turns[at] = turns[at - 1], begins[at] = begins[at - 1];
        turns[at] = turn, begins[at] = begin;
    }
    for (int32 r = 0, at = 0; r < routes; r++)
        for (int32 k = begins[r], c = 1; c > 0; k++) out[at++] = c = giant[k];
}

#endif
