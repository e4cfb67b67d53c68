#include "backend/x86/cpu.h"

#include <cpuid.h>
#include <stdatomic.h>
#include <stdint.h>

enum { KNOWN = 1, AVX2 = 2, VPCLMUL = 4, SHANI = 8, GFNI = 16, AVX512 = 32 };

/* The register states that the operating system saves (XCR0). */
static uint64_t saved_states(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static unsigned detect(void)
{
    enum { SSE4_1 = 1 << 19, PCLMUL = 1 << 1, OSXSAVE = 1 << 27, AVX = 1 << 28 }; /* 1, ECX */
    enum { AVX2_7B = 1 << 5, BMI2_7B = 1 << 8, SHA_7B = 1 << 29 };                /* 7, EBX */
    enum { VBMI_7C = 1 << 1, GFNI_7C = 1 << 8, VPCLMUL_7C = 1 << 10 };            /* 7, ECX */
    const unsigned avx512_7b = 1U << 16 | 1U << 17 | 1U << 30 | 1U << 31; /* F, DQ, BW, VL */
    const uint64_t avx_state = 0x06, avx512_state = 0xe6;
    unsigned a, b, c1, c7, d, found = KNOWN;

    if (!__get_cpuid(1, &a, &b, &c1, &d) || !__get_cpuid_count(7, 0, &a, &b, &c7, &d)) {
        return found;
    }
    if ((c1 & SSE4_1) != 0 && (b & SHA_7B) != 0) {
        found |= SHANI;
    }
    bool registers =
        (c1 & OSXSAVE) != 0 && (c1 & AVX) != 0 && (saved_states() & avx_state) == avx_state;
    if (registers && (c1 & PCLMUL) != 0 && (b & AVX2_7B) != 0 && (b & BMI2_7B) != 0) {
        found |= AVX2;
        if ((c7 & VPCLMUL_7C) != 0) {
            found |= VPCLMUL;
        }
        if ((c7 & GFNI_7C) != 0) {
            found |= GFNI;
        }
        if ((b & avx512_7b) == avx512_7b && (c7 & VBMI_7C) != 0 &&
            (saved_states() & avx512_state) == avx512_state) {
            found |= AVX512;
        }
    }
    return found;
}

/* CPUID is slow under a hypervisor: ask once. */
static unsigned features(void)
{
    static atomic_uint cached;
    unsigned found = atomic_load_explicit(&cached, memory_order_relaxed);
    if (found == 0) {
        found = detect();
        atomic_store_explicit(&cached, found, memory_order_relaxed);
    }
    return found;
}

bool cpu_has_avx2(void)
{
    return (features() & AVX2) != 0;
}

bool cpu_has_vpclmul(void)
{
    return (features() & VPCLMUL) != 0;
}

bool cpu_has_gfni(void)
{
    const unsigned needed = VPCLMUL | GFNI;
    return (features() & needed) == needed;
}

bool cpu_has_avx512(void)
{
    const unsigned needed = VPCLMUL | GFNI | AVX512;
    return (features() & needed) == needed;
}

bool cpu_has_shani(void)
{
    return (features() & SHANI) != 0;
}
