/* The metrics of warptour/model/metric.py in the dialect.
 *
 * A metric is a norm and a rounding. A kernel built with -DNORM and -DROUNDING
 * knows both at compile time; otherwise they come with the points. Angles are
 * measured between unit vectors, so GEO and great circles are one case. A node
 * beyond the last real one is at no distance from all others: it closes open
 * paths.
 */
#ifndef WARPTOUR_METRIC
#define WARPTOUR_METRIC

#define EUCLIDEAN_2D 0
#define EUCLIDEAN_3D 1
#define MANHATTAN 2
#define MAXIMUM 3
#define ANGLE 4
#define MATRIX 5

#define NONE 0
#define NEAREST 1
#define CEILING 2
#define FLOOR 3
#define GEOGRAPHIC 4

/* Searches that say so take the dialect's quick root. */
#ifdef QUICK_ROOTS
#define ROOT(x) ROUGH_ROOT(x)
#else
#define ROOT(x) sqrt(x)
#endif

/* Where coordinates lie: in GLOBAL memory unless the text says otherwise. */
#ifndef POINTS_SPACE
#define POINTS_SPACE GLOBAL
#endif

typedef struct {
    POINTS_SPACE const real *x, *y, *z; /* z is read by the norms in space only */
    GLOBAL const real *table;           /* the n by n distances of a MATRIX */
    int32 n;                            /* real nodes */
    int32 norm, rounding;
    real divisor; /* of the square, before the root */
    real radius;  /* of the sphere, for ANGLE */
} Points;

/* How a kernel takes points, and how it makes one struct of what it took. */
#define POINTS_PARAMETERS                                                                                     \
    GLOBAL const real *px, GLOBAL const real *py, GLOBAL const real *pz, GLOBAL const real *ptable, int32 pn, \
        int32 pnorm, int32 prounding, real pdivisor, real pradius
#define POINTS_STRUCT(p) Points p = {px, py, pz, ptable, pn, pnorm, prounding, pdivisor, pradius}

INLINE real rounded(int32 rounding, real measure) {
    if (rounding == NEAREST) return floor(measure + (real)0.5);
    if (rounding == NONE) return measure;
    if (rounding == CEILING) return ceil(measure);
    if (rounding == FLOOR) return floor(measure);
    return floor(measure + (real)1);
}

/* The error of a sum of distances, as a share of the largest sum on the way to it, generously: a gain counts only beyond
 * it. It follows the distances at hand, not the longest of the problem, which may be one outlier. Whole numbers add up
 * exactly as long as `real` holds them. neighborhoods/tolerance.py has the same rule. */
INLINE real error_share(const Points *p) {
#ifdef NORM
    (void)p;
    const int32 whole = ROUNDING != NONE;
#else
    const int32 whole = p->rounding != NONE;
#endif
    if (sizeof(real) == 8) return whole ? (real)0 : (real)5.684341886080802e-14; /* 2^-44 */
    return whole ? (real)1.1920928955078125e-7 : (real)9.5367431640625e-7;       /* 2^-23, 2^-20 */
}

/* The distance between nodes i and j in the problem's own metric. */
INLINE real between(const Points *p, int32 i, int32 j) {
#ifdef NORM
    real dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j];
    return rounded(ROUNDING, ROOT(dx * dx + dy * dy));
#else
    if (i >= p->n || j >= p->n) return 0;
    if (p->norm == MATRIX) return rounded(p->rounding, p->table[(int64)i * p->n + j]);
    real dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j];
    if (p->norm == EUCLIDEAN_2D) return rounded(p->rounding, sqrt((dx * dx + dy * dy) / p->divisor));
    real dz = p->z[i] - p->z[j];
    if (p->norm == EUCLIDEAN_3D) return rounded(p->rounding, sqrt((dx * dx + dy * dy + dz * dz) / p->divisor));
    if (p->norm == ANGLE) {
        real chord = sqrt(dx * dx + dy * dy + dz * dz) / 2;
        return rounded(p->rounding, 2 * p->radius * asin(chord < 1 ? chord : 1));
    }
    dx = fabs(dx), dy = fabs(dy), dz = fabs(dz);
    if (p->norm == MANHATTAN) return rounded(p->rounding, dx + dy + dz);
    return rounded(p->rounding, dx > dy ? (dx > dz ? dx : dz) : (dy > dz ? dy : dz));
#endif
}

#endif
