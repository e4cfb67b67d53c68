/* The generators for 128-bit registers. */
#define LANES      4
#define FILL_TABLE lanes4_circuit_provers
#include "support/circuits.h"
#include "circuit/fill_lanes.inc"
