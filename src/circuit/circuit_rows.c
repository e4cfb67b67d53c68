#include "circuit/circuits.h"

void circuit_visit_rows(flock_circuit which, circuit_row_visitor *visit, void *context)
{
    switch (which) {
    case FLOCK_BLAKE3:
        blake3_visit_rows(visit, context);
        break;
    case FLOCK_SHA256:
        sha256_visit_rows(visit, context);
        break;
    case FLOCK_KECCAK:
        keccak_visit_rows(&keccak_circuit, visit, context);
        break;
    case FLOCK_KECCAK3:
        keccak_visit_rows(&keccak3_circuit, visit, context);
        break;
    default:
        break;
    }
}
