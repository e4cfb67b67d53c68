/* The backend "avx2", both sides' part: field_table.inc in 128-bit registers. */
#define CLMUL_LANES   1
#define BACKEND_NAME  "avx2"
#define BACKEND_TABLE avx2_table
#include "backend/x86/field_table.inc"

gf128 avx2_mul(gf128 a, gf128 b)
{
    return mul(a, b);
}
