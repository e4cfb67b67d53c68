/* The kernels of linear maps in the backend "avx512": linear_gfni.inc in 512-bit registers. */
#define CLMUL_LANES    4
#define LINEAR(kernel) avx512_##kernel
#include "backend/x86/linear_gfni.inc"
