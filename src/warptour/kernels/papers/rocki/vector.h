/* Explicit vectors of 1, 2, 4, 8 or 16 numbers, after the macros of Rocki (2013).
 *
 * A vector of W float32 is W / CHUNK(W) chunks, of the type VEC(CHUNK(W)): OpenCL's own vectors, GCC's natively, where
 * a chunk is at most a register, and single numbers on CUDA. Chunks have the operators + - * and
 *
 *     VEC_OF(N, x)        N times the number x
 *     VEC_LOAD(N, from)   N numbers of global memory, at any address
 *     VEC_MIN(N, a, b)    the lesser of each two numbers
 *     VEC_ROOT(N, x)      square roots: correctly rounded, or by an estimate in kernels marked relaxed-float
 *     VEC_ROUND(N, x)     rounded to the nearest integer; numbers from 0 to 2^22
 *     VEC_LEAST(N, a)     the least of the N numbers
 *
 * VEC_UNROLL(W) before a loop over the chunks keeps them in registers. SCALAR_ONLY() in a loop keeps compilers from
 * vectorising it.
 *
 * WIDTHS(F) expands F(W) for each W that is built: natively all, since the library is built once; elsewhere all, or
 * WIDTH alone, and the SIMD of the build with OpenCL.
 *
 * float32_W and float64_W are types for arithmetic alone: PARTS(W) of them are a vector of W numbers. */
#ifndef WARPTOUR_VECTOR
#define WARPTOUR_VECTOR

#define WT_PASTE(a, b) a##b
#define WT_PASTED(a, b) WT_PASTE(a, b)
#define WT_WIDE_TYPES(F) F(2) F(4) F(8) F(16)
typedef float32 float32_1;
typedef float64 float64_1;

#if defined(__OPENCL_VERSION__)
#define WIDTHS(F) F(SIMD)
#define CHUNK(W) SIMD
#define VEC(N) WT_PASTED(wt_vec_, N)
#define VEC_OF(N, x) ((VEC(N))(x))
#define VEC_LOAD(N, from) (*(GLOBAL const WT_PASTED(wt_at_, N) *)(from))
#define VEC_MIN(N, a, b) SIMD_MIN(a, b)
#define VEC_ROOT(N, x) WT_PASTED(wt_root_, N)(x)
#define VEC_ROUND(N, x) WT_PASTED(wt_round_, N)(x)
#define VEC_LEAST(N, a) WT_PASTED(wt_least_, N)(a)
#define VEC_UNROLL(W) UNROLL_ALL
#define SCALAR_ONLY() ((void)0)
#define PARTS(W) 1
#define WT_WIDE(W)               \
    typedef float##W float32_##W; \
    typedef double##W float64_##W;
WT_WIDE_TYPES(WT_WIDE)
typedef float wt_vec_1;
typedef float wt_at_1;
#define wt_root_1(x) sqrt(x)
#define wt_round_1(x) rint(x)
#define wt_least_1(x) (x)
#if SIMD > 1
typedef simd VEC(SIMD);
typedef simd __attribute__((aligned(4))) WT_PASTED(wt_at_, SIMD);
#define wt_root_2 SIMD_SQRT
#define wt_root_4 SIMD_SQRT
#define wt_root_8 SIMD_SQRT
#define wt_root_16 SIMD_SQRT
#define wt_round_2 SIMD_ROUND
#define wt_round_4 SIMD_ROUND
#define wt_round_8 SIMD_ROUND
#define wt_round_16 SIMD_ROUND
#define wt_least_2 SIMD_LEAST
#define wt_least_4 SIMD_LEAST
#define wt_least_8 SIMD_LEAST
#define wt_least_16 SIMD_LEAST
#endif

#elif defined(__CUDACC__)
#ifdef WIDTH
#define WIDTHS(F) F(WIDTH)
#else
#define WIDTHS(F) F(1) F(2) F(4) F(8) F(16)
#endif
#define CHUNK(W) 1
#define VEC(N) float32
#define VEC_OF(N, x) (x)
#define VEC_LOAD(N, from) (*(from))
#define VEC_MIN(N, a, b) fminf(a, b)
#define VEC_ROOT(N, x) sqrtf(x)
#define VEC_ROUND(N, x) SIMD_ROUND(x)
#define VEC_LEAST(N, a) (a)
#define VEC_UNROLL(W) UNROLL(W)
#define SCALAR_ONLY() ((void)0)
#define PARTS(W) W
#define WT_WIDE(W)              \
    typedef float32 float32_##W; \
    typedef float64 float64_##W;
WT_WIDE_TYPES(WT_WIDE)

#else
#define WIDTHS(F) F(1) F(2) F(4) F(8) F(16)
#if defined(__AVX512F__)
#define WT_REGISTER_8 8
#define WT_REGISTER_16 16
#elif defined(__AVX__)
#define WT_REGISTER_8 8
#define WT_REGISTER_16 8
#else
#define WT_REGISTER_8 4
#define WT_REGISTER_16 4
#endif
#define WT_REGISTER_1 1
#define WT_REGISTER_2 2
#define WT_REGISTER_4 4
#define CHUNK(W) WT_PASTED(WT_REGISTER_, W)
#define VEC(N) WT_PASTED(wt_vec_, N)
#define VEC_OF(N, x) WT_PASTED(wt_of_, N)(x)
#define VEC_LOAD(N, from) (*(const WT_PASTED(wt_at_, N) *)(from))
#define VEC_MIN(N, a, b) WT_PASTED(wt_min_, N)(a, b)
#define VEC_ROOT(N, x) WT_PASTED(wt_root_, N)(x)
#define VEC_ROUND(N, x) WT_PASTED(wt_round_, N)(x)
#define VEC_LEAST(N, a) WT_PASTED(wt_least_, N)(a)
#define VEC_UNROLL(W) _Pragma("GCC unroll 16")
#define SCALAR_ONLY() __asm__ volatile("")
#define PARTS(W) 1
#define WT_WIDE(W)                                                  \
    typedef float32 float32_##W __attribute__((vector_size(4 * W))); \
    typedef float64 float64_##W __attribute__((vector_size(8 * W)));
WT_WIDE_TYPES(WT_WIDE)

typedef float32 wt_vec_1;
typedef float32 wt_at_1;
INLINE float32 wt_of_1(float32 x) { return x; }
INLINE float32 wt_min_1(float32 a, float32 b) { return a < b ? a : b; }
INLINE float32 wt_round_1(float32 x) { return (float32)(int32)(x + 0.5f); }
INLINE float32 wt_least_1(float32 a) { return a; }

/* Vectors are compared and converted as whole registers; gcc turns the loop of roots into one instruction. */
#define WT_VECTOR(N)                                                                                  \
    typedef float32 wt_vec_##N __attribute__((vector_size(4 * N)));                                   \
    typedef float32 wt_at_##N __attribute__((vector_size(4 * N), aligned(4), may_alias));             \
    typedef int32 wt_mask_##N __attribute__((vector_size(4 * N)));                                    \
    INLINE wt_vec_##N wt_of_##N(float32 x) { return x + (wt_vec_##N){0}; }                            \
    INLINE wt_vec_##N wt_min_##N(wt_vec_##N a, wt_vec_##N b) {                                        \
        wt_mask_##N less = a < b;                                                                     \
        return (wt_vec_##N)(((wt_mask_##N)a & less) | ((wt_mask_##N)b & ~less));                      \
    }                                                                                                 \
    INLINE wt_vec_##N wt_round_##N(wt_vec_##N x) {                                                    \
        return __builtin_convertvector(__builtin_convertvector(x + 0.5f, wt_mask_##N), wt_vec_##N);   \
    }                                                                                                 \
    INLINE float32 wt_least_##N(wt_vec_##N a) {                                                       \
        float32 least = a[0];                                                                         \
        for (int32 k = 1; k < N; k++) least = a[k] < least ? a[k] : least;                            \
        return least;                                                                                 \
    }                                                                                                 \
    INLINE wt_vec_##N wt_whole_root_##N(wt_vec_##N x) {                                               \
        wt_vec_##N root = x;                                                                          \
        _Pragma("GCC unroll 16") for (int32 k = 0; k < N; k++) root[k] = sqrtf(x[k]);                 \
        return root;                                                                                  \
    }
/* Root by the estimate of 1 / sqrt(x) and a Newton step, accurate to the last bit or two; 0 for 0. */
#define WT_ESTIMATED(N, estimate)                                  \
    INLINE wt_vec_##N wt_quick_root_##N(wt_vec_##N x) {            \
        wt_vec_##N y = estimate(x + 1e-36f), root = x * y;         \
        return root + root * (0.5f - root * (0.5f * y));           \
    }
WT_VECTOR(2)
WT_VECTOR(4)
#if CHUNK(8) == 8
WT_VECTOR(8)
#endif
#if CHUNK(16) == 16
WT_VECTOR(16)
#endif

#if defined(__FAST_MATH__) && defined(__SSE__)
INLINE float32 wt_estimate_1(float32 x) {
    wt_vec_4 all = {x, x, x, x};
    return __builtin_ia32_rsqrtps(all)[0];
}
INLINE wt_vec_2 wt_estimate_2(wt_vec_2 x) {
    wt_vec_4 all = {x[0], x[1], x[0], x[1]}, found = __builtin_ia32_rsqrtps(all);
    wt_vec_2 y = {found[0], found[1]};
    return y;
}
WT_ESTIMATED(1, wt_estimate_1)
WT_ESTIMATED(2, wt_estimate_2)
WT_ESTIMATED(4, __builtin_ia32_rsqrtps)
#define wt_root_1 wt_quick_root_1
#define wt_root_2 wt_quick_root_2
#define wt_root_4 wt_quick_root_4
#if CHUNK(8) == 8
WT_ESTIMATED(8, __builtin_ia32_rsqrtps256)
#define wt_root_8 wt_quick_root_8
#endif
#if CHUNK(16) == 16
#define WT_RSQRT_16(x) __builtin_ia32_rsqrt14ps512_mask(x, (wt_vec_16){0}, 0xffff)
WT_ESTIMATED(16, WT_RSQRT_16)
#define wt_root_16 wt_quick_root_16
#endif
#else
#define wt_root_1 sqrtf
#define wt_root_2 wt_whole_root_2
#define wt_root_4 wt_whole_root_4
#define wt_root_8 wt_whole_root_8
#define wt_root_16 wt_whole_root_16
#endif
#endif

#endif
