#include "circuit/circuits.h"

const struct circuit_prover *circuit_prover_of(flock_circuit which)
{
    switch (which) {
    case FLOCK_BLAKE3:
        return &blake3_circuit_prover;
    case FLOCK_SHA256:
        return &sha256_circuit_prover;
    case FLOCK_KECCAK:
        return &keccak_circuit_prover;
    case FLOCK_KECCAK3:
        return &keccak3_circuit_prover;
    default:
        return NULL;
    }
}
