/* The kernels of linear maps in the backend "gfni": linear_gfni.inc in 256-bit registers. */
#define CLMUL_LANES    2
#define LINEAR(kernel) gfni_##kernel
#include "backend/x86/linear_gfni.inc"
