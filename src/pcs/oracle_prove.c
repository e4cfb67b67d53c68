#include "base/prover_context.h"
#include "code/additive_ntt.h"
#include "pcs/ligerito.h"

flock_status oracle_commit(struct prover_context *context, struct oracle *oracle,
                           const gf128 *polynomial, const struct level_params *level)
{
    oracle->log_positions = level->c + level->r;
    oracle->log_lanes = level->k;
    oracle->codeword =
        memory_take(&context->memory, "codeword",
                    (size_t)1 << (oracle->log_positions + oracle->log_lanes), sizeof(gf128));
    if (oracle->codeword == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    prover_part(context, "encode");
    flock_status status =
        encode_interleaved(context, oracle->codeword, polynomial, level->k, level->c, level->r);
    if (status != FLOCK_OK) {
        return status;
    }
    prover_part(context, "tree");
    return tree_build(context, &oracle->tree, oracle->codeword, (size_t)1 << level->k,
                      oracle->log_positions);
}

void oracle_release(struct prover_context *context, struct oracle *oracle)
{
    memory_give(&context->memory, oracle->codeword);
    memory_give(&context->memory, oracle->tree.nodes);
    oracle->codeword = NULL;
    oracle->tree.nodes = NULL;
}
