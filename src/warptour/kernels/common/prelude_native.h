/* Native prelude: compiles a kernel source as plain C.
 *
 * The build prepends this file to every kernel (-include), as the CUDA and OpenCL back ends prepend theirs, so kernels
 * include only shared headers. This file documents the whole vocabulary of the dialect.
 */
#ifndef WARPTOUR_PRELUDE
#define WARPTOUR_PRELUDE

#include <math.h>
#include <stdint.h>

typedef int16_t narrow; /* 16 bits: OpenCL has a vector called int16 */
typedef int32_t int32;
typedef int64_t int64;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef float float32;
typedef double float64;

/* Number type of searches: float64 unless the build defines another, as for windows on a GPU. Exact code uses float64
 * explicitly. */
typedef float64 real;

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define INLINE static inline
#define OUTLINE static inline /* not inlined on a GPU */
#define RESTRICT restrict
/* Square root of a float32, accurate to a few units in the last place. */
#define ROUGH_ROOT(x) sqrtf(x)

/* The bits of a float32. */
#define BITS_OF_FLOAT(number) wt_bits_of(number)
INLINE uint32 wt_bits_of(float32 number) {
    union {
        float32 number;
        uint32 bits;
    } both = {number};
    return both.bits;
}

/* The float32 with the given bits; the index of the lowest and highest set bit of a uint32, and the number of its set
 * bits. */
#define FLOAT_OF_BITS(bits) wt_of_bits((uint32)(bits))
INLINE float32 wt_of_bits(uint32 bits) {
    union {
        uint32 bits;
        float32 number;
    } both = {bits};
    return both.number;
}
#define LOWEST_BIT(x) __builtin_ctz(x)
#define HIGHEST_BIT(x) (31 - __builtin_clz(x))
#define COUNT_BITS(x) __builtin_popcount(x)

/* Fetch what is at an address into the cache: a hint, for `native` kernels only. */
#define PREFETCH(address) __builtin_prefetch(address)

/* An int32 in global memory that groups share while they run: its present value, and its atomic maximum with x. */
#define LATEST(shared) __atomic_load_n(shared, __ATOMIC_RELAXED)
#define RAISE(shared, x) wt_raise(shared, x)
INLINE void wt_raise(int32 *shared, int32 x) {
    int32 present = __atomic_load_n(shared, __ATOMIC_RELAXED);
    while (present < x &&
           !__atomic_compare_exchange_n(shared, &present, x, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* An int64 in global memory by which groups that run side by side pass something on: RELEASE stores x after all earlier
 * reads and writes of this lane, ACQUIRE loads it before all later ones. */
#define RELEASE(shared, x) __atomic_store_n(shared, x, __ATOMIC_RELEASE)
#define ACQUIRE(shared) __atomic_load_n(shared, __ATOMIC_ACQUIRE)

/* On an int64 in global memory, for `native` kernels only: FETCH_ADD adds x and returns the old value; LOCK tries to
 * set 0 to 1 and returns whether it did; RELEASE(shared, 0) unlocks. */
#define FETCH_ADD(shared, x) __atomic_fetch_add(shared, x, __ATOMIC_RELAXED)
#define LOCK(shared) \
    (__atomic_load_n(shared, __ATOMIC_RELAXED) == 0 && __atomic_exchange_n(shared, 1, __ATOMIC_ACQUIRE) == 0)

/* Loads from global memory: READ_ONLY of what no lane writes, on a CUDA GPU through its read-only path; L2_ONLY past the
 * first-level cache, as all global loads were on Kepler. */
#define READ_ONLY(address) (*(address))
#define L2_ONLY(address) (*(address))

/* Address spaces, empty natively. */
#define GLOBAL
#define LOCAL

/* Shared memory of a group (CUDA shared, OpenCL local): LOCAL_ARRAY, of constant size, in the outermost scope of a
 * kernel; or SCRATCH_PARAMETER as the last parameter of a kernel, where SCRATCH points to the number of bytes given at
 * launch. */
#define LOCAL_ARRAY(type, name, count) type name[count]
#define SCRATCH_PARAMETER WT_UNUSED char *SCRATCH

/* KERNEL(name, parameters) { body }
 *
 * A function executed by GROUPS groups; GROUP is the index of the current one. Natively each thread calls it with its
 * own index, and the body strides over its work: for (w = GROUP; w < count; w += GROUPS). A specialised build appends
 * its suffix to the name: window_search becomes window_search_euc under -DSPECIAL=euc. */
#define WT_JOIN(name, special) name##_##special
#define WT_SUFFIX(name, special) WT_JOIN(name, special)
#ifdef SPECIAL
#define WT_NAME(name) WT_SUFFIX(name, SPECIAL)
#else
#define WT_NAME(name) name
#endif
#define WT_UNUSED __attribute__((unused))
#define KERNEL(name, ...) EXPORT void WT_NAME(name)(WT_UNUSED int32 GROUP, WT_UNUSED int32 GROUPS, __VA_ARGS__)

/* Vectors of SIMD consecutive float32 elements of an array. Natively SIMD is 1, since compilers vectorise plain loops;
 * on OpenCL CPUs `simd` is a vector type. */
#define SIMD 1
typedef float32 simd;
#define SIMD_OF(x) (x)
#define SIMD_LOAD(from) (*(from))
#define SIMD_MIN(a, b) ((a) < (b) ? (a) : (b))
#define SIMD_LEAST(a) (a)
#define SIMD_SQRT(a) sqrtf(a)
#define SIMD_ROUND(a) rintf(a)
#define ROUND_ONE(a) rintf(a)
/* Before a loop: UNROLL(n) unrolls by n on a GPU, UNROLL_ALL completely where the compiler would not by itself. */
#define UNROLL(n)
#define UNROLL_ALL
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

/* The lanes of a group work in parallel: for (k = LANE; k < m; k += LANES). With one lane, barriers and collectives
 * vanish. All lanes of a group must reach each of them. */
#define LANE 0
#define LANES 1
#define SYNC_LANES() ((void)0)
#define FROM_LANE(x, lane) ((void)(lane), (x))
#define SUM_OF_LANES(x) (x)
#define ANY_LANE(x) (x)
/* The lanes in which x holds, as bits of a uint32; for up to 32 lanes. */
#define VOTES(x) ((uint32)((x) != 0))
/* An int32 in memory of the group by which a lane tells others that they may read what it has written: TELL_LANES sets
 * it to 1 after all earlier writes of this lane, TOLD_LANES loads it before all later reads. */
#define TELL_LANES(told) ((void)(*(told) = 1))
#define TOLD_LANES(told) (*(told))
/* In place, in every lane: the largest gain and, among equal gains, the smallest rank. */
#define BEST_OF_LANES(gain, rank) ((void)(rank))
/* Both int32, 0 or 1, in place: `odd` becomes its parity over the lanes before this one, `some` whether it is set in
 * any lane. If it is, SYNC_LANES must precede the next call. `turn` alternates between 0 and 1. */
#define EARLIER_PARITY(odd, some, turn) ((void)(turn), (void)(odd = 0))
/* In place, in every lane: the minimum of `x`, an int32, over all lanes; `turn` alternates between 0 and 1. */
#define MIN_OF_LANES(x, turn) ((void)(turn))
/* A function that uses a collective takes ROOM_PARAMETER before its own parameters and is called with ROOM: the local
 * memory that OpenCL passes down. */
#define ROOM_PARAMETER
#define ROOM

#endif
