/* The witness generators of the backends "avx2", "vpclmul" and "gfni". */
#define LANES      8
#define FILL_TABLE avx2_circuit_provers
#include "circuit/fill_lanes.inc"
