#include "circuit/circuits.h"

const struct circuit *circuit_of(flock_circuit which)
{
    switch (which) {
    case FLOCK_BLAKE3:
        return &blake3_circuit;
    default:
        return NULL;
    }
}
