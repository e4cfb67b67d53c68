#include <string.h>

#include "backend/kernels.h"
#include "circuit/circuits.h"

static const struct circuit_prover *portable_prover(flock_circuit which)
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

/* Backends with generators of their own; the others take the portable ones. */
static const struct {
    const char *backend;
    const struct circuit_prover *provers;
} tables[] = {
#if defined(__x86_64__)
    {"avx2", avx2_circuit_provers},
    {"vpclmul", avx2_circuit_provers},
    {"gfni", avx2_circuit_provers},
    {"avx512", avx512_circuit_provers},
#elif defined(__AARCH64EL__)
    {"neon", neon_circuit_provers},
#endif
    {NULL, NULL},
};

const struct circuit_prover *circuit_prover_of(flock_circuit which)
{
    const struct circuit_prover *portable = portable_prover(which);
    const char *backend = kernels()->name;
    for (size_t i = 0; portable != NULL && tables[i].backend != NULL; i++) {
        if (strcmp(tables[i].backend, backend) == 0) {
            return &tables[i].provers[which];
        }
    }
    return portable;
}
