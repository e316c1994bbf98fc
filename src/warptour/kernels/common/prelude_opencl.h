/* OpenCL prelude: compiles a kernel source as OpenCL C. prelude_native.h documents each name.
 *
 * LANES is given by -D. On a CPU it is 1: a work-item is a group, since barriers cost more than they gain (PoCL). On a
 * GPU it is a power of two: a work-group is a group, and lanes communicate through local memory, an extra parameter of
 * each kernel. A function that uses a collective takes ROOM_PARAMETER before its own parameters and is called with
 * ROOM.
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

/* PoCL implements OpenCL built-ins, even sqrt, fmin and vload, as function calls, across which no value stays in a
 * register. On CPUs with equivalent instructions, compiler built-ins replace them. */
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if LANES == 1 && (defined(__SSE4_1__) || defined(__aarch64__)) && __has_builtin(__builtin_sqrtf)
#define WT_INSTRUCTIONS 1
#define WT_TAKE(name)                                                                                   \
    INLINE __attribute__((overloadable)) float wt_##name(float x) { return __builtin_##name##f(x); }    \
    INLINE __attribute__((overloadable)) double wt_##name(double x) { return __builtin_##name(x); }
WT_TAKE(sqrt)
WT_TAKE(floor)
WT_TAKE(ceil)
WT_TAKE(rint)
WT_TAKE(fabs)
#define sqrt wt_sqrt
#define floor wt_floor
#define ceil wt_ceil
#define rint wt_rint
#define fabs wt_fabs
#endif
#define sqrtf sqrt
#define fmaf fma
#define BITS_OF_FLOAT(number) as_uint(number)
#define FLOAT_OF_BITS(bits) as_float((uint32)(bits))
#define COUNT_BITS(x) ((int32)popcount((uint32)(x)))
#define LOWEST_BIT(x) (31 - (int32)clz((uint32)(x) & (0u - (uint32)(x))))
#define HIGHEST_BIT(x) (31 - (int32)clz((uint32)(x)))
#define LATEST(shared) (*(volatile __global int *)(shared))
#define RAISE(shared, x) ((void)atomic_max((volatile __global int *)(shared), x))
#define RELEASE(shared, x) (mem_fence(CLK_GLOBAL_MEM_FENCE), (void)(*(volatile __global long *)(shared) = (x)))
#define ACQUIRE(shared) wt_acquire(shared)
INLINE long wt_acquire(__global long *shared) {
    long x = *(volatile __global long *)shared;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return x;
}
#define READ_ONLY(address) (*(address))
#define L2_ONLY(address) (*(address))

#define GROUP ((int32)get_group_id(0))
#define GROUPS ((int32)get_num_groups(0))
#define LANE ((int32)get_local_id(0))

#define LOCAL_ARRAY(type, name, count) __local type name[count]
#define SCRATCH_PARAMETER __local char *SCRATCH

/* PoCL unrolls only loops with a pragma, and arrays of vectors indexed by a loop counter are kept in memory. */
#define UNROLL(n)
#define UNROLL_ALL _Pragma("unroll")

#ifndef SIMD
#define SIMD 1
#endif
#define WT_JOIN(a, b) a##b
#define WT_JOINED(a, b) WT_JOIN(a, b)
#define SIMD_OF(x) ((simd)(x))
#define SIMD_MIN(a, b) ((a) < (b) ? (a) : (b))
#define ROUND_ONE(a) rint(a)
#if SIMD == 1
typedef float simd;
#define SIMD_LOAD(from) (*(from))
#define SIMD_LEAST(a) (a)
#define SIMD_SQRT(a) sqrt(a)
#define SIMD_ROUND(a) rint(a)
#else
typedef WT_JOINED(float, SIMD) simd;
typedef simd __attribute__((aligned(4))) wt_anywhere;
#define SIMD_LOAD(from) (*(LOCAL const wt_anywhere *)(from))
#define SIMD_LEAST(a) wt_least(a)
#define SIMD_SQRT(a) wt_root(a)
#define SIMD_ROUND(a) wt_round(a)
#define WT_PART(a, k) ((float *)&(a))[k]

INLINE float wt_least(simd a) {
    float least = WT_PART(a, 0);
    UNROLL_ALL
    for (int k = 1; k < SIMD; k++) least = SIMD_MIN(WT_PART(a, k), least);
    return least;
}

/* Estimate of 1 / sqrt(x), where there is an instruction for it: roots take four to ten times as long. */
#ifdef RELAXED
#if SIMD == 16 && defined(__AVX512F__)
#define WT_ESTIMATE(x) __builtin_ia32_rsqrt14ps512_mask(x, (simd)(0), 0xffff)
#elif SIMD == 8 && defined(__AVX__)
#define WT_ESTIMATE(x) __builtin_ia32_rsqrtps256(x)
#elif SIMD == 4 && defined(__SSE__)
#define WT_ESTIMATE(x) __builtin_ia32_rsqrtps(x)
#endif
#endif

INLINE simd wt_root(simd x) {
#ifdef WT_ESTIMATE
    simd y = WT_ESTIMATE(x + 1e-36f), root = x * y; /* x = 0 must give 0 */
    return root + root * (0.5f - root * (0.5f * y)); /* Newton step: accurate to the last bit or two */
#elif defined(WT_INSTRUCTIONS)
    simd root;
    UNROLL_ALL
    for (int k = 0; k < SIMD; k++) WT_PART(root, k) = sqrt(WT_PART(x, k)); /* compiles to one instruction */
    return root;
#else
    return sqrt(x);
#endif
}

INLINE simd wt_round(simd x) {
#ifdef WT_INSTRUCTIONS
    simd whole;
    UNROLL_ALL
    for (int k = 0; k < SIMD; k++) WT_PART(whole, k) = rint(WT_PART(x, k));
    return whole;
#else
    return rint(x);
#endif
}
#endif
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

#if LANES == 1
#define KERNEL(name, ...) __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void name(__VA_ARGS__)
#define ROOM_PARAMETER
#define ROOM
#define SYNC_LANES() ((void)0)
#define VOTES(x) ((uint32)((x) != 0))
#define TELL_LANES(told) ((void)(*(told) = 1))
#define TOLD_LANES(told) (*(told))
#define FROM_LANE(x, lane) (x)
#define SUM_OF_LANES(x) (x)
#define ANY_LANE(x) (x)
#define BEST_OF_LANES(gain, rank) ((void)(rank))
#define EARLIER_PARITY(odd, some, turn) ((void)(odd = 0))
#define MIN_OF_LANES(x, turn) ((void)(turn))
#else
#define KERNEL(name, ...) \
    __kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void name(__local long *wt_room, __VA_ARGS__)
#define ROOM_PARAMETER __local long *wt_room,
#define ROOM wt_room,
#define SYNC_LANES() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* Each collective ends with a barrier, so that the next one may write immediately. wt_room holds 2 * LANES numbers. */
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

static int wt_least_of(__local long *wt_room, int x) {
    wt_room[LANE] = x;
    SYNC_LANES();
    for (int lane = 0; lane < LANES; lane++) x = min(x, (int)wt_room[lane]);
    SYNC_LANES();
    return x;
}

#define MIN_OF_LANES(x, turn) (x = wt_least_of(wt_room, x))
#define EARLIER_PARITY(odd, some, turn) wt_parity(wt_room, &(odd), &(some))
#define FROM_LANE(x, lane) wt_from_lane(wt_room, x, lane)
#define SUM_OF_LANES(x) wt_sum(wt_room, x)
#define ANY_LANE(x) (wt_sum(wt_room, (x) != 0) != 0)
#define BEST_OF_LANES(gain, rank) (rank = wt_best(wt_room, &(gain), rank))
#endif

#endif
