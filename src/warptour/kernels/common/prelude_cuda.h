/* CUDA prelude: compiles a kernel source as CUDA C++ with NVRTC. prelude_native.h documents each name.
 *
 * LANES is given by -D: 1, a multiple of 32, or a power of two from 1024 to 8192. With LANES = 1 each thread is a
 * group; up to 1024 a group is a block, beyond that a cluster of blocks. A cluster has no common LOCAL memory, and
 * supports only SYNC_LANES, ANY_LANE, SUM_OF_LANES, MIN_OF_LANES and EARLIER_PARITY.
 */
#ifndef WARPTOUR_PRELUDE
#define WARPTOUR_PRELUDE

typedef short narrow;
typedef int int32;
typedef long long int64;
typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef float float32;
typedef double float64;
#ifndef REAL
#define REAL float64
#endif
typedef REAL real;

#ifndef LANES
#define LANES 1
#endif

/* Minimum resident groups per multiprocessor, which bounds the registers of a thread. */
#ifndef RESIDENT
#define RESIDENT 1
#endif

#define INLINE static __device__ inline
#define OUTLINE static __device__ __noinline__
#define RESTRICT __restrict__
#define ROUGH_ROOT(x) wt_rough_root(x)
INLINE float32 wt_rough_root(float32 x) {
    float32 root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
#define BITS_OF_FLOAT(number) __float_as_uint(number)
#define FLOAT_OF_BITS(bits) __uint_as_float((uint32)(bits))
#define LOWEST_BIT(x) (__ffs((int32)(x)) - 1)
#define HIGHEST_BIT(x) (31 - __clz((int32)(x)))
#define COUNT_BITS(x) __popc(x)
#define LATEST(shared) (*(volatile int32 *)(shared))
#define RAISE(shared, x) ((void)atomicMax(shared, x))
#define RELEASE(shared, x) wt_release(shared, x)
#define ACQUIRE(shared) wt_acquire(shared)
INLINE void wt_release(int64 *shared, int64 x) {
    asm volatile("st.release.gpu.b64 [%0], %1;" ::"l"(shared), "l"(x) : "memory");
}
INLINE int64 wt_acquire(int64 *shared) {
    int64 x;
    asm volatile("ld.acquire.gpu.b64 %0, [%1];" : "=l"(x) : "l"(shared) : "memory");
    return x;
}
#define READ_ONLY(address) __ldg(address)
#define L2_ONLY(address) __ldcg(address)
#define GLOBAL
#define LOCAL

/* Kernels use no compound literals, which C++ lacks; the only constant of math.h they use is INFINITY. */
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif

#if LANES > 1024
#define WT_CLUSTER (LANES / 1024)
#define KERNEL(name, ...) \
    extern "C" __global__ void __cluster_dims__(WT_CLUSTER, 1, 1) __launch_bounds__(1024) name(__VA_ARGS__)
#else
#define KERNEL(name, ...) \
    extern "C" __global__ void __launch_bounds__(LANES > 1 ? LANES : 1024, RESIDENT) name(__VA_ARGS__)
#endif

#if LANES > 1024
#define GROUP ((int32)blockIdx.x / WT_CLUSTER)
#define GROUPS ((int32)gridDim.x / WT_CLUSTER)
#define LANE ((int32)(blockIdx.x % WT_CLUSTER * 1024 + threadIdx.x))
#elif LANES > 1
#define GROUP ((int32)blockIdx.x)
#define GROUPS ((int32)gridDim.x)
#define LANE ((int32)threadIdx.x)
#else
#define GROUP ((int32)(blockIdx.x * blockDim.x + threadIdx.x))
#define GROUPS ((int32)(gridDim.x * blockDim.x))
#define LANE 0
#endif

#define LOCAL_ARRAY(type, name, count) __shared__ __align__(16) type name[count]
extern __shared__ int4 wt_scratch[];
#define SCRATCH_PARAMETER void *wt_no_scratch
#define SCRATCH ((char *)wt_scratch)

#define SIMD 1
typedef float32 simd;
#define SIMD_OF(x) (x)
#define SIMD_LOAD(from) (*(from))
#define SIMD_MIN(a, b) fminf(a, b)
#define SIMD_LEAST(a) (a)
#define SIMD_SQRT(a) sqrtf(a)
/* Round a number below 2^22 to the nearest integer: adding 1.5 * 2^23 leaves no bits for a fraction. The rounding
 * instruction has an eighth of the throughput. */
#define SIMD_ROUND(a) (__fadd_rn(a, 12582912.0f) - 12582912.0f)
#define ROUND_ONE(a) SIMD_ROUND(a)
/* Round a number below 2^22 to the nearest integer, as an int32 offset by WHOLE_ZERO: a single addition. */
#define WHOLE(a) __float_as_int(__fadd_rn(a, 12582912.0f))
#define WHOLE_ZERO 0x4B400000
#define WT_PRAGMA(words) _Pragma(#words)
#define UNROLL(n) WT_PRAGMA(unroll n)
#define UNROLL_ALL
#define ALIGNED(bytes) __align__(bytes)

/* Only OpenCL passes down memory for collectives. */
#define ROOM_PARAMETER
#define ROOM

#if LANES == 1
#define TELL_LANES(told) ((void)(*(told) = 1))
#define TOLD_LANES(told) (*(told))
#else
#define TELL_LANES(told) wt_tell(told)
#define TOLD_LANES(told) wt_told(told)
INLINE void wt_tell(int32 *told) { asm volatile("st.release.cta.b32 [%0], %1;" ::"l"(told), "r"(1) : "memory"); }
INLINE int32 wt_told(const int32 *told) {
    int32 x;
    asm volatile("ld.acquire.cta.b32 %0, [%1];" : "=r"(x) : "l"(told) : "memory");
    return x;
}
#endif

#if LANES == 1
#define SYNC_LANES() ((void)0)
#define VOTES(x) ((uint32)((x) != 0))
#define FROM_LANE(x, lane) (x)
#define SUM_OF_LANES(x) (x)
#define ANY_LANE(x) (x)
#define BEST_OF_LANES(gain, rank) ((void)(rank))
#define EARLIER_PARITY(odd, some, turn) ((void)(odd = 0))
#define MIN_OF_LANES(x, turn) ((void)(turn))
#elif LANES > 1024
/* Cluster: its barrier orders device memory, and blocks exchange single words through distributed shared memory. */
#define SYNC_LANES() wt_cluster_barrier()
INLINE void wt_cluster_barrier() {
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Store `word` at shared-memory address `at` of the block with the given rank. */
INLINE void wt_tell_block(uint32 *at, uint32 rank, uint32 word) {
    uint32 here = (uint32)__cvta_generic_to_shared(at), there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(word) : "memory");
}

INLINE int32 wt_any(int32 x) {
    __shared__ uint32 told[WT_CLUSTER];
    x = __syncthreads_or(x);
    if (threadIdx.x < WT_CLUSTER) wt_tell_block(told + LANE / 1024, threadIdx.x, x != 0);
    wt_cluster_barrier();
    x = 0;
    for (int32 k = 0; k < WT_CLUSTER; k++) x |= told[k];
    wt_cluster_barrier();
    return x;
}
#define ANY_LANE(x) wt_any((x) != 0)

INLINE int64 wt_sum(int64 x) {
    __shared__ uint32 told[2 * WT_CLUSTER];
    __shared__ int64 block;
    if (threadIdx.x == 0) block = 0;
    __syncthreads();
    atomicAdd((unsigned long long *)&block, (unsigned long long)x);
    __syncthreads();
    if (threadIdx.x < WT_CLUSTER) {
        wt_tell_block(told + 2 * (LANE / 1024), threadIdx.x, (uint32)block);
        wt_tell_block(told + 2 * (LANE / 1024) + 1, threadIdx.x, (uint32)((uint64)block >> 32));
    }
    wt_cluster_barrier();
    x = 0;
    for (int32 k = 0; k < WT_CLUSTER; k++) x += (int64)((uint64)told[2 * k + 1] << 32 | told[2 * k]);
    wt_cluster_barrier();
    return x;
}
#define SUM_OF_LANES(x) wt_sum(x)

INLINE void wt_parity(int32 &odd, int32 &some, int32 turn) {
    __shared__ uint32 told[32];
    __shared__ uint32 blocks[2][WT_CLUSTER];
    uint32 votes = __ballot_sync(0xffffffffu, odd);
    odd = __popc(votes & ((1u << (LANE % 32)) - 1)) & 1;
    if (LANE % 32 == 0) told[threadIdx.x / 32] = __popc(votes) & 1;
    some = __syncthreads_or(some) != 0;
    uint32 warps = __ballot_sync(0xffffffffu, told[LANE % 32]);
    odd ^= __popc(warps & ((1u << (threadIdx.x / 32)) - 1)) & 1;
    if (threadIdx.x < WT_CLUSTER)
        wt_tell_block(&blocks[turn][LANE / 1024], threadIdx.x, (uint32)(__popc(warps) & 1) | (uint32)some << 1);
    wt_cluster_barrier();
    some = 0;
    for (int32 k = 0; k < WT_CLUSTER; k++) {
        if (k < LANE / 1024) odd ^= blocks[turn][k] & 1;
        some |= blocks[turn][k] >> 1;
    }
}
#define EARLIER_PARITY(odd, some, turn) wt_parity(odd, some, turn)

INLINE int32 wt_least(int32 x, int32 turn) {
    __shared__ int32 told[32];
    __shared__ uint32 blocks[2][WT_CLUSTER];
    x = __reduce_min_sync(0xffffffffu, x);
    if (LANE % 32 == 0) told[threadIdx.x / 32] = x;
    __syncthreads();
    x = __reduce_min_sync(0xffffffffu, told[LANE % 32]);
    if (threadIdx.x < WT_CLUSTER) wt_tell_block(&blocks[turn][LANE / 1024], threadIdx.x, (uint32)x);
    wt_cluster_barrier();
    for (int32 k = 0; k < WT_CLUSTER; k++) x = min(x, (int32)blocks[turn][k]);
    return x;
}
#define MIN_OF_LANES(x, turn) (x = wt_least(x, turn))
#else
#define WT_ALL 0xffffffffu

#if LANES == 32
#define SYNC_LANES() __syncwarp()
#define FROM_LANE(x, lane) __shfl_sync(WT_ALL, x, lane)
#define ANY_LANE(x) __any_sync(WT_ALL, (x) != 0)
#define VOTES(x) __ballot_sync(WT_ALL, (x) != 0)
#else
#define SYNC_LANES() __syncthreads()
#define FROM_LANE(x, lane) wt_from_lane(x, lane)
#define ANY_LANE(x) __syncthreads_or((x) != 0)
template <typename T> INLINE T wt_from_lane(T x, int32 lane) {
    __shared__ T told;
    __syncthreads();
    if (LANE == lane) told = x;
    __syncthreads();
    return told;
}
#endif

template <typename T> INLINE T wt_sum(T x) {
    for (int32 apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(WT_ALL, x, apart);
#if LANES > 32
    __shared__ T told[32];
    __syncthreads();
    if (LANE % 32 == 0) told[LANE / 32] = x;
    __syncthreads();
    x = told[0];
    for (int32 k = 1; k < LANES / 32; k++) x += told[k];
#endif
    return x;
}
#define SUM_OF_LANES(x) wt_sum(x)

template <typename G, typename R> INLINE void wt_better(G &gain, R &rank, G other, R place) {
    if (other > gain || (other == gain && place < rank)) gain = other, rank = place;
}

template <typename G, typename R> INLINE void wt_best(G &gain, R &rank) {
    for (int32 apart = 16; apart > 0; apart /= 2) {
        G other = __shfl_xor_sync(WT_ALL, gain, apart);
        R place = __shfl_xor_sync(WT_ALL, rank, apart);
        wt_better(gain, rank, other, place);
    }
#if LANES > 32
    __shared__ G gains[32];
    __shared__ R ranks[32];
    __syncthreads();
    if (LANE % 32 == 0) gains[LANE / 32] = gain, ranks[LANE / 32] = rank;
    __syncthreads();
    for (int32 k = 0; k < LANES / 32; k++) wt_better(gain, rank, gains[k], ranks[k]);
#endif
}
#if LANES == 32 && __CUDA_ARCH__ >= 800
/* The same in two instructions for 32-bit types; floats are compared by order-preserving bit patterns. */
INLINE void wt_best(int32 &gain, int32 &rank) {
    int32 most = __reduce_max_sync(WT_ALL, gain);
    rank = __reduce_min_sync(WT_ALL, gain == most ? rank : 0x7fffffff);
    gain = most;
}
INLINE void wt_best(float32 &gain, int32 &rank) {
    int32 bits = __float_as_int(gain + 0.0f), key = bits ^ ((bits >> 31) & 0x7fffffff);
    wt_best(key, rank);
    gain = __int_as_float(key ^ ((key >> 31) & 0x7fffffff));
}
INLINE int32 wt_sum(int32 x) { return __reduce_add_sync(WT_ALL, x); }
#endif
#define BEST_OF_LANES(gain, rank) wt_best(gain, rank)

/* A single barrier shares both whether any lane has `some` and the parities of all warps. */
INLINE void wt_parity(int32 &odd, int32 &some) {
    uint32 votes = __ballot_sync(WT_ALL, odd);
    odd = __popc(votes & ((1u << (LANE % 32)) - 1)) & 1;
#if LANES == 32
    __syncwarp();
    some = __any_sync(WT_ALL, some) != 0;
#else
    __shared__ uint32 told[32];
    if (LANE % 32 == 0) told[LANE / 32] = __popc(votes) & 1;
    some = __syncthreads_or(some) != 0;
    if (some) {
        uint32 warps = __ballot_sync(WT_ALL, LANE % 32 < LANES / 32 && told[LANE % 32]);
        odd ^= __popc(warps & ((1u << (LANE / 32)) - 1)) & 1;
    }
#endif
}
#define EARLIER_PARITY(odd, some, turn) wt_parity(odd, some)

INLINE int32 wt_warp_least(int32 x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(WT_ALL, x);
#else
    for (int32 apart = 16; apart > 0; apart /= 2) x = min(x, __shfl_xor_sync(WT_ALL, x, apart));
    return x;
#endif
}
INLINE int32 wt_least(int32 x, int32 turn) {
    x = wt_warp_least(x);
#if LANES == 32
    __syncwarp();
#else
    __shared__ int32 told[2][32];
    if (LANE % 32 == 0) told[turn][LANE / 32] = x;
    __syncthreads();
    x = wt_warp_least(told[turn][LANE % (LANES / 32)]);
#endif
    return x;
}
#define MIN_OF_LANES(x, turn) (x = wt_least(x, turn))
#endif

#endif
