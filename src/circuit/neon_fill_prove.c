/* The witness generators of the backend "neon". */
#define LANES      4
#define FILL_TABLE neon_circuit_provers
#include "circuit/fill_lanes.inc"
