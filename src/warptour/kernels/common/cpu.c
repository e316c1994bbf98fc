// build: native
/* Detection of the instruction sets that the CPU and the operating system support.
 *
 * Called through the baseline library before another variant is loaded. Reads CPUID directly, because
 * __builtin_cpu_supports needs run-time support that some compilers' libraries lack. */
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

#define FMA (1u << 12) /* CPUID leaf 1, ecx */
#define XSAVE (1u << 27)
#define AVX2 (1u << 5) /* CPUID leaf 7, ebx */
#define AVX512 (1u << 16 | 1u << 17 | 1u << 30 | 1u << 31) /* f, dq, bw, vl */
#define YMM 0x06u /* XCR0: register state saved by the operating system */
#define ZMM 0xe6u

static uint32 saved_registers(void) {
    uint32 low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}
#endif

/* Return 1 if the library built for `variant` can run on this machine, else 0. */
EXPORT int32 wt_cpu_supports(const char *variant) {
    if (strcmp(variant, "baseline") == 0) return 1;
#if defined(__x86_64__)
    uint32 a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    if ((c & FMA) == 0 || (c & XSAVE) == 0) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    uint32 saved = saved_registers();
    if (strcmp(variant, "avx2") == 0) return (b & AVX2) != 0 && (saved & YMM) == YMM;
    if (strcmp(variant, "avx512") == 0) {
        uint32 all = AVX2 | AVX512;
        return (b & all) == all && (saved & ZMM) == ZMM;
    }
#endif
    return 0;
}
