#include "relation/relation.h"

const struct relation_prover *relation_prover_of(flock_relation which)
{
    static const struct relation_prover *const table[] = {
        [FLOCK_BATCH] = &batch_relation_prover,
        [FLOCK_CHAIN] = &chain_relation_prover,
        [FLOCK_DIGEST] = &digest_relation_prover,
        [FLOCK_MERKLE] = &merkle_relation_prover,
    };
    return table[which];
}
