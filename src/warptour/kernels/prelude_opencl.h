/* The OpenCL prelude: turns a kernel text into OpenCL C. See prelude_native.h for what each name means.
 *
 * LANES comes by -D. On a CPU it is 1: a work-item is a group, and barriers would cost more than they give (PoCL).
 * On a GPU it is a power of two: a work-group is a group, and lanes tell each other things through local memory,
 * for which a kernel has one more parameter. A function that uses FROM_LANE, SUM_OF_LANES, ANY_LANE or BEST_OF_LANES
 * takes ROOM_PARAMETER before its own and is called with ROOM.
 */
#ifndef WARPTOUR_PRELUDE
#define WARPTOUR_PRELUDE

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#ifndef RELAXED
#pragma OPENCL FP_CONTRACT OFF
#endif

typedef short narrow;
typedef int int32;
typedef long int64;
typedef uint uint32;
typedef ulong uint64;
typedef float float32;
typedef double float64;
#ifndef REAL
#define REAL float64
#endif
typedef REAL real;

#ifndef LANES
#define LANES 1
#endif

#define INLINE static inline
#define OUTLINE static
#define RESTRICT restrict
#define ROUGH_ROOT(x) sqrt(x)
#define GLOBAL __global
#define LOCAL __local
#define PRIVATE __private
#define CONSTANT __constant
#define TABLE __constant const
#define WT_UNUSED

#define sqrtf sqrt
#define floorf floor
#define ceilf ceil
#define fabsf fabs
#define fminf fmin
#define fmaxf fmax
#define expf exp

#define GROUP ((int32)get_group_id(0))
#define GROUPS ((int32)get_num_groups(0))
#define LANE ((int32)get_local_id(0))

#define LOCAL_ARRAY(type, name, count) __local type name[count]
#define SCRATCH_PARAMETER __local char *SCRATCH

#ifndef SIMD
#define SIMD 1
#endif
#define WT_JOIN(a, b) a##b
#define WT_JOINED(a, b) WT_JOIN(a, b)
#if SIMD == 1
typedef float simd;
#define SIMD_LOAD(from) (*(from))
#define SIMD_LEAST(a) (a)
#else
typedef WT_JOINED(float, SIMD) simd;
#define SIMD_LOAD(from) WT_JOINED(vload, SIMD)(0, from)
#define SIMD_LEAST(a) wt_least(a)
#endif
#define SIMD_OF(x) ((simd)(x))
#define SIMD_MIN(a, b) fmin(a, b)
#define SIMD_SQRT(a) sqrt(a)
#define SIMD_ROUND(a) rint(a)
#define ROUND_ONE(a) rint(a)
#if SIMD == 16
static float wt_least(float16 a) {
    float8 b = fmin(a.lo, a.hi);
    float4 c = fmin(b.lo, b.hi);
    float2 d = fmin(c.lo, c.hi);
    return fmin(d.x, d.y);
}
#elif SIMD == 8
static float wt_least(float8 b) {
    float4 c = fmin(b.lo, b.hi);
    float2 d = fmin(c.lo, c.hi);
    return fmin(d.x, d.y);
}
#elif SIMD == 4
static float wt_least(float4 c) {
    float2 d = fmin(c.lo, c.hi);
    return fmin(d.x, d.y);
}
#endif
#define UNROLL(n)
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

#if LANES == 1
#define KERNEL(name, ...) __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void name(__VA_ARGS__)
#define ROOM_PARAMETER
#define ROOM
#define SYNC_LANES() ((void)0)
#define FROM_LANE(x, lane) (x)
#define SUM_OF_LANES(x) (x)
#define ANY_LANE(x) (x)
#define BEST_OF_LANES(gain, rank) ((void)(rank))
#define EARLIER_PARITY(odd, some, turn) ((void)(odd = 0))
#else
#define KERNEL(name, ...) \
    __kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void name(__local long *wt_room, __VA_ARGS__)
#define ROOM_PARAMETER __local long *wt_room,
#define ROOM wt_room,
#define SYNC_LANES() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* Each collective leaves after a barrier, so that the next may write at once. wt_room holds 2 * LANES numbers. */
#define WT_ANY static __attribute__((overloadable))
#define WT_COLLECTIVES(T)                                                                         \
    WT_ANY T wt_from_lane(__local long *wt_room, T x, int lane) {                                 \
        __local T *told = (__local T *)wt_room;                                                   \
        if (LANE == lane) told[0] = x;                                                            \
        SYNC_LANES();                                                                             \
        T found = told[0];                                                                        \
        SYNC_LANES();                                                                             \
        return found;                                                                             \
    }                                                                                             \
    WT_ANY T wt_sum(__local long *wt_room, T x) {                                                 \
        __local T *told = (__local T *)wt_room;                                                   \
        told[LANE] = x;                                                                           \
        SYNC_LANES();                                                                             \
        for (int apart = LANES / 2; apart > 0; apart /= 2) {                                      \
            T other = told[LANE ^ apart];                                                         \
            SYNC_LANES();                                                                         \
            told[LANE] += other;                                                                  \
            SYNC_LANES();                                                                         \
        }                                                                                         \
        T sum = told[LANE];                                                                       \
        SYNC_LANES();                                                                             \
        return sum;                                                                               \
    }                                                                                             \
    WT_ANY long wt_best(__local long *wt_room, T *gain, long rank) {                              \
        __local T *gains = (__local T *)wt_room;                                                  \
        __local long *ranks = wt_room + LANES;                                                    \
        for (int apart = LANES / 2; apart > 0; apart /= 2) {                                      \
            gains[LANE] = *gain, ranks[LANE] = rank;                                              \
            SYNC_LANES();                                                                         \
            T other = gains[LANE ^ apart];                                                        \
            long place = ranks[LANE ^ apart];                                                     \
            if (other > *gain || (other == *gain && place < rank)) *gain = other, rank = place;   \
            SYNC_LANES();                                                                         \
        }                                                                                         \
        return rank;                                                                              \
    }
WT_COLLECTIVES(int)
WT_COLLECTIVES(long)
WT_COLLECTIVES(float)
WT_COLLECTIVES(double)

static void wt_parity(__local long *wt_room, int *odd, int *some) {
    wt_room[LANE] = *odd | *some << 1;
    SYNC_LANES();
    int parity = 0, any = 0;
    for (int lane = 0; lane < LANES; lane++) {
        if (lane < LANE) parity ^= (int)wt_room[lane] & 1;
        any |= (int)wt_room[lane] >> 1;
    }
    SYNC_LANES();
    *odd = parity, *some = any;
}

#define EARLIER_PARITY(odd, some, turn) wt_parity(wt_room, &(odd), &(some))
#define FROM_LANE(x, lane) wt_from_lane(wt_room, x, lane)
#define SUM_OF_LANES(x) wt_sum(wt_room, x)
#define ANY_LANE(x) (wt_sum(wt_room, (x) != 0) != 0)
#define BEST_OF_LANES(gain, rank) (rank = wt_best(wt_room, &(gain), rank))
#endif

#endif
