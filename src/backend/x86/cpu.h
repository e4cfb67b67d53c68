/* What this x86-64 processor and operating system offer. */
#ifndef FLOCK_BACKEND_X86_CPU_H
#define FLOCK_BACKEND_X86_CPU_H

#include <stdbool.h>

/* AVX2, PCLMULQDQ and BMI2, and 256-bit registers saved by the system. */
bool cpu_has_avx2(void);
/* The above and VPCLMULQDQ. */
bool cpu_has_vpclmul(void);
/* The above and GFNI. */
bool cpu_has_gfni(void);
/* The above, AVX-512 F, DQ, BW, VL and VBMI, and 512-bit registers saved by the system. */
bool cpu_has_avx512(void);
/* SHA extensions and SSE4.1. */
bool cpu_has_shani(void);

#endif
