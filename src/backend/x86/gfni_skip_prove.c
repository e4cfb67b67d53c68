/* Univariate-skip round for the backend "gfni". */
#define CLMUL_LANES 2
#define SKIP_ROUND  gfni_skip_round
#include "backend/x86/skip_gfni.inc"
