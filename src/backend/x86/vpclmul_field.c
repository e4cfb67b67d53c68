/* The backend "vpclmul", both sides' part: field_table.inc in 256-bit registers. */
#define CLMUL_LANES   2
#define CLMUL_MUL     avx2_mul
#define BACKEND_NAME  "vpclmul"
#define BACKEND_TABLE vpclmul_table
#include "backend/x86/field_table.inc"
