/* Univariate-skip round for the backend "avx512". */
#define CLMUL_LANES 4
#define SKIP_ROUND  avx512_skip_round
#include "backend/x86/skip_gfni.inc"
