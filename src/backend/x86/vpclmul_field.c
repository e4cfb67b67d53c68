/* The backend "vpclmul", both sides' part: field.inc in 256-bit registers. */
#define CLMUL_LANES   2
#define BACKEND_NAME  "vpclmul"
#define BACKEND_TABLE vpclmul_table
#include "backend/x86/field.inc"
