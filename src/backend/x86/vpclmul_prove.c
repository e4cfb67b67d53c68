/* The backend "vpclmul", the prover's part: prover_table.inc in 256-bit registers. */
#define CLMUL_LANES    2
#define BACKEND_TABLE  vpclmul_prover_table
#define LINEAR(kernel) avx2_##kernel
#include "backend/x86/prover_table.inc"
