/* The native prelude: turns a kernel text into plain C.
 *
 * The build puts this file before every kernel (-include), as the CUDA and
 * OpenCL back ends put theirs, so a kernel text includes nothing but shared
 * headers. What is defined here is the whole vocabulary of the dialect.
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

/* What searches compute in: float64 unless the build says otherwise, as it does for windows on a GPU. Exact code says
 * float64. */
typedef float64 real;

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define INLINE static inline
#define OUTLINE static inline /* a function that a GPU calls rather than copies into each caller */
#define RESTRICT restrict
/* A root of a float32, right to within a few of its last bits. */
#define ROUGH_ROOT(x) sqrtf(x)

/* The float32 of given bits, and the bits of a float32. */
#define FLOAT_OF_BITS(bits) wt_float_of(bits)
#define BITS_OF_FLOAT(number) wt_bits_of(number)
INLINE float32 wt_float_of(uint32 bits) {
    union {
        uint32 bits;
        float32 number;
    } both = {bits};
    return both.number;
}
INLINE uint32 wt_bits_of(float32 number) {
    union {
        float32 number;
        uint32 bits;
    } both = {number};
    return both.bits;
}

/* Address spaces, all one here; TABLE starts a constant array at file scope. */
#define GLOBAL
#define LOCAL
#define PRIVATE
#define CONSTANT
#define TABLE static const

/* Fast memory of a group: an array of a constant size, in the outermost scope of a kernel; or, as the last parameter
 * of a kernel, SCRATCH_PARAMETER, which makes SCRATCH point to as many bytes as the launch says. */
#define LOCAL_ARRAY(type, name, count) type name[count]
#define SCRATCH_PARAMETER WT_UNUSED char *SCRATCH

/* KERNEL(name, parameters) { body }
 *
 * A function run by GROUPS groups, of which the body is number GROUP. Natively
 * each thread calls it with its own number, and the body strides:
 * for (w = GROUP; w < count; w += GROUPS). Built for a special case, the name
 * ends in it: window_search becomes window_search_euc under -DSPECIAL=euc. */
#define WT_JOIN(name, special) name##_##special
#define WT_SUFFIX(name, special) WT_JOIN(name, special)
#ifdef SPECIAL
#define WT_NAME(name) WT_SUFFIX(name, SPECIAL)
#else
#define WT_NAME(name) name
#endif
#define WT_UNUSED __attribute__((unused))
#define KERNEL(name, ...) EXPORT void WT_NAME(name)(WT_UNUSED int32 GROUP, WT_UNUSED int32 GROUPS, __VA_ARGS__)

/* Vectors over neighbouring elements of an array: `simd` holds SIMD of them. Natively it is one, since the compiler makes
 * vectors of plain loops; on an OpenCL device that is a CPU it is a vector type. */
#define SIMD 1
typedef float32 simd;
#define SIMD_OF(x) (x)
#define SIMD_LOAD(from) (*(from))
#define SIMD_MIN(a, b) ((a) < (b) ? (a) : (b))
#define SIMD_LEAST(a) (a)
#define SIMD_SQRT(a) sqrtf(a)
#define SIMD_ROUND(a) rintf(a)
#define ROUND_ONE(a) rintf(a)
/* Before a loop: so many turns between two tests, on a GPU; or no test at all, where compilers have to be asked. */
#define UNROLL(n)
#define UNROLL_ALL
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

/* The lanes of a group work side by side: for (k = LANE; k < m; k += LANES).
 * With one lane all that they tell each other vanishes. */
#define LANE 0
#define LANES 1
#define SYNC_LANES() ((void)0)
#define FROM_LANE(x, lane) ((void)(lane), (x))
#define SUM_OF_LANES(x) (x)
#define ANY_LANE(x) (x)
/* Gives every lane the largest gain and, among equal gains, the smallest rank. */
#define BEST_OF_LANES(gain, rank) ((void)(rank))
/* Both int32, 0 or 1: `odd` becomes the parity of the lanes before this one, `some` whether it is set in any lane. If it
 * is, a SYNC_LANES comes before the next one. `turn` is 0 and 1 in turns. */
#define EARLIER_PARITY(odd, some, turn) ((void)(odd = 0))
/* The least of all lanes' `x`, an int32, in every lane; `turn` is 0 and 1 in turns. */
#define MIN_OF_LANES(x, turn) ((void)(turn))
/* A function that uses one of the last five takes ROOM_PARAMETER before its own, and is called with ROOM. */
#define ROOM_PARAMETER
#define ROOM

#endif
