/* The witness generators of the backend "avx512". */
#define LANES      16
#define FILL_TABLE avx512_circuit_provers
#define FILL_REST  avx2_circuit_provers
#include "circuit/fill_lanes.inc"
