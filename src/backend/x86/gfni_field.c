/* The backend "gfni", both sides' part: that of "vpclmul". */
#define CLMUL_LANES   2
#define CLMUL_MUL     avx2_mul
#define BACKEND_NAME  "gfni"
#define BACKEND_TABLE gfni_table
#include "backend/x86/field_table.inc"
