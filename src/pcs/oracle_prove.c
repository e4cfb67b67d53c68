#include "base/prover_context.h"
#include "code/additive_ntt.h"
#include "pcs/ligerito.h"

/* The rows of a part of the codeword are hashed while they are in the cache. */
static void hash_part(void *context, size_t first, unsigned log_n)
{
    const struct oracle *oracle = context;
    tree_hash_part(&oracle->tree, oracle->codeword + (first << oracle->log_lanes),
                   (size_t)1 << oracle->log_lanes, first, log_n);
}

flock_status oracle_commit(struct prover_context *context, struct oracle *oracle,
                           const gf128 *polynomial, const struct level_params *level)
{
    struct encode_sink sink = {.take = hash_part, .context = oracle};
    oracle->log_positions = level->c + level->r;
    oracle->log_lanes = level->k;
    oracle->codeword =
        memory_take(&context->memory, "codeword",
                    (size_t)1 << (oracle->log_positions + oracle->log_lanes), sizeof(gf128));
    if (oracle->codeword == NULL ||
        tree_take(context, &oracle->tree, oracle->log_positions) != FLOCK_OK) {
        return FLOCK_ERR_MEMORY;
    }
    prover_part(context, "encode");
    flock_status status = encode_interleaved(context, oracle->codeword, polynomial, level->k,
                                             level->c, level->r, &sink);
    if (status != FLOCK_OK) {
        return status;
    }
    prover_part(context, "tree");
    tree_finish(context, &oracle->tree, sink.log_part);
    return FLOCK_OK;
}

void oracle_release(struct prover_context *context, struct oracle *oracle)
{
    memory_give(&context->memory, oracle->codeword);
    memory_give(&context->memory, oracle->tree.nodes);
    oracle->codeword = NULL;
    oracle->tree.nodes = NULL;
}
