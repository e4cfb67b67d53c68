/* The backend "avx2", the prover's part: prover_table.inc in 128-bit registers. */
#define CLMUL_LANES    1
#define BACKEND_TABLE  avx2_prover_table
#define LINEAR(kernel) avx2_##kernel
#include "backend/x86/prover_table.inc"
