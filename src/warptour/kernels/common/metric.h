/* The metrics of warptour/model/metric.py in the kernel dialect.
 *
 * A metric is a norm plus a rounding. With -DNORM and -DROUNDING both are compile-time constants; otherwise they come
 * with the points. Angles are measured between unit vectors, so GEO and great-circle distances are one case. Nodes from
 * n on have distance 0 to all others; such a dummy node closes open paths.
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

/* Searches that define QUICK_ROOTS use the dialect's approximate root. */
#ifdef QUICK_ROOTS
#define ROOT(x) ROUGH_ROOT(x)
#else
#define ROOT(x) sqrt(x)
#endif

/* Address space of the coordinates: GLOBAL unless the kernel defines another. */
#ifndef POINTS_SPACE
#define POINTS_SPACE GLOBAL
#endif

typedef struct {
    POINTS_SPACE const real *x, *y, *z; /* z is read by three-dimensional norms only */
    GLOBAL const real *table;           /* n by n distances, for MATRIX */
    int32 n;                            /* number of real nodes */
    int32 norm, rounding;
    real divisor; /* of the squared distance, before the root */
    real radius;  /* of the sphere, for ANGLE */
} Points;

/* Kernel parameters for Points, and the struct built from them. */
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

/* Generous bound on the rounding error of a sum of distances, relative to the largest partial sum; smaller gains do not
 * count. It scales with the distances involved rather than the longest of the problem, which may be a single outlier.
 * Integers add exactly as long as `real` represents them. Same rule as neighborhoods/tolerance.py. */
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

/* Arcsine of x from 0 to 1 by the rational approximation of fdlibm. Libraries differ in the last bits of theirs, and all
 * devices must find the same distances. */
INLINE real arcsine(real x) {
    int32 small = x < (real)0.5;
    real t = small ? x * x : (1 - x) / 2;
    real above = t * ((real)1.66666666666666657415e-01 + t * ((real)-3.25565818622400915405e-01 +
                 t * ((real)2.01212532134862925881e-01 + t * ((real)-4.00555345006794114027e-02 +
                 t * ((real)7.91534994289814532176e-04 + t * (real)3.47933107596021167570e-05)))));
    real below = 1 + t * ((real)-2.40339491173441421878e+00 + t * ((real)2.02094576023350569471e+00 +
                 t * ((real)-6.88283971605453293030e-01 + t * (real)7.70381505559019352791e-02)));
    real root = small ? x : sqrt(t), arc = root + root * (above / below);
    return small ? arc : (real)1.57079632679489655800e+00 - 2 * arc;
}

/* Return the distance between nodes i and j in the problem's own metric. */
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
        return rounded(p->rounding, 2 * p->radius * arcsine(chord < 1 ? chord : 1));
    }
    dx = fabs(dx), dy = fabs(dy), dz = fabs(dz);
    if (p->norm == MANHATTAN) return rounded(p->rounding, dx + dy + dz);
    return rounded(p->rounding, dx > dy ? (dx > dz ? dx : dz) : (dy > dz ? dy : dz));
#endif
}

#endif
