/* The backend "gfni", the prover's part: prover_table.inc in 256-bit registers, with GFNI. */
#define CLMUL_LANES   2
#define BACKEND_TABLE gfni_prover_table
#define WITH_GFNI
#define LINEAR(kernel) gfni_##kernel
#include "backend/x86/prover_table.inc"
