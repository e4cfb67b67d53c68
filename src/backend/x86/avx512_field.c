/* The backend "avx512", both sides' part: field_table.inc in 512-bit registers. */
#define CLMUL_LANES   4
#define CLMUL_MUL     avx2_mul
#define BACKEND_NAME  "avx512"
#define BACKEND_TABLE avx512_table
#include "backend/x86/field_table.inc"
