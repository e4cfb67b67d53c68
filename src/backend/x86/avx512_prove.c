/* The backend "avx512", the prover's part: prover_table.inc in 512-bit registers. */
#define CLMUL_LANES   4
#define BACKEND_TABLE avx512_prover_table
#define WITH_GFNI
#define LINEAR(kernel) avx512_##kernel
#include "backend/x86/prover_table.inc"
