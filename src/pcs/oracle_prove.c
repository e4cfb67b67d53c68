#include "base/prover_context.h"
#include "code/additive_ntt.h"
#include "pcs/ligerito.h"

/* The rows of a part of the codeword are hashed while they are in the cache. */
static void hash_part(void *context, size_t first, unsigned log_n, size_t next)
{
    const struct oracle *oracle = context;
    tree_hash_part(&oracle->tree, oracle->codeword + (first << oracle->log_lanes),
                   (size_t)1 << oracle->log_lanes, first, log_n, next - first);
}

flock_status oracle_take(struct prover_context *context, struct oracle *oracle,
                         const struct level_params *level, gf128 **polynomial)
{
    size_t n = (size_t)1 << (level->c + level->k), n_codeword = n << level->r;
    oracle->log_positions = level->c + level->r;
    oracle->log_lanes = level->k;
    oracle->zeros = no_known_zeros;
    oracle->codeword = memory_take(&context->memory, "codeword", n_codeword, sizeof(gf128));
    if (oracle->codeword == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    *polynomial = oracle->codeword + (n_codeword - n);
    return FLOCK_OK;
}

flock_status oracle_commit(struct prover_context *context, struct oracle *oracle,
                           const gf128 *polynomial, const struct level_params *level)
{
    struct encode_sink sink = {.take = hash_part, .context = oracle};
    flock_status status = FLOCK_OK;
    gf128 *in_place;
    if (polynomial == NULL) {
        size_t n = (size_t)1 << (level->c + level->k);
        polynomial = oracle->codeword + ((n << level->r) - n);
    } else {
        status = oracle_take(context, oracle, level, &in_place);
    }
    if (status != FLOCK_OK ||
        tree_take(context, &oracle->tree, oracle->log_positions) != FLOCK_OK) {
        return FLOCK_ERR_MEMORY;
    }
    prover_part(context, "encode");
    status = encode_interleaved(context, oracle->codeword, polynomial, level->k, level->c, level->r,
                                oracle->zeros, &sink);
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
