#include "circuit/circuits.h"

const struct circuit *circuit_of(flock_circuit which)
{
    switch (which) {
    case FLOCK_BLAKE3:
        return &blake3_circuit;
    case FLOCK_SHA256:
        return &sha256_circuit;
    case FLOCK_KECCAK:
        return &keccak_circuit;
    case FLOCK_KECCAK3:
        return &keccak3_circuit;
    default:
        return NULL;
    }
}
