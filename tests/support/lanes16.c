/* The generators for 512-bit registers; compilers split what the machine does not have. */
#define LANES      16
#define FILL_TABLE lanes16_circuit_provers
#include "support/circuits.h"
#include "circuit/fill_lanes.inc"
