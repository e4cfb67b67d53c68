#include "relation/chain.h"

#include "base/prover_context.h"
#include "field/multilinear.h"
#include "piop/high_rounds.h"

static void chain_weight(const struct chain_challenges *ch, bool end_pinned, unsigned n, gf128 *W)
{
    size_t N = (size_t)1 << n;
    eq_table(W + N, ch->tau, n);
    W[0] = ch->alpha;
    memcpy(W + 1, W + N, (N - 1) * sizeof *W);
    if (end_pinned) {
        W[2 * N - 1] = GF128_ZERO;
    }
}

flock_status chain_links_prove(struct prover_context *context, struct transcript *t,
                               const struct setup *setup, const struct chain_ends *ends,
                               const gf128 *packed_witness, struct glue_proof *proof,
                               struct claims *claims)
{
    unsigned n = setup->shape.n_log;
    size_t N = (size_t)1 << n;
    gf128 *W = memory_take(&context->memory, "chain weight", 2 * N, sizeof *W);
    gf128 *G = memory_take(&context->memory, "chain slots", 2 * N, sizeof *G);
    if (W == NULL || G == NULL) {
        memory_give(&context->memory, W);
        memory_give(&context->memory, G);
        return FLOCK_ERR_MEMORY;
    }
    struct chain_challenges ch;
    chain_sample(t, setup, &ch);
    fold_slots(context, setup, ch.tau_pos, packed_witness, 2, G); /* G = In || Out */
    chain_weight(&ch, ends->end_pinned, n, W);

    gf128 r[MAX_N_LOG + 1], *const tables[2] = {W, G};
    for (unsigned k = 0; k <= n; k++) {
        size_t half = N >> k;
        gf128 *message = proof->rounds + CHAIN_WIDTH * k;
        high_message(context, message, W, G, half);
        transcript_scalar(t, message[0]);
        transcript_scalar(t, message[1]);
        r[k] = transcript_sample(t);
        high_fold(context, tables, 2, half, r[k]);
    }
    proof->g = G[0];
    chain_claims(setup, ends, &ch, r, proof->g, claims);
    memory_give(&context->memory, W);
    memory_give(&context->memory, G);
    return FLOCK_OK;
}

static flock_status prove(struct prover_context *context, struct transcript *t,
                          const flock_statement *statement, const struct setup *setup,
                          const gf128 *packed_witness, struct glue_proof *proof,
                          struct claims *claims)
{
    struct chain_ends ends = chain_ends_of(statement);
    return chain_links_prove(context, t, setup, &ends, packed_witness, proof, claims);
}

const struct relation_prover chain_relation_prover = {.prove = prove,
                                                      .table_bytes = CHAIN_TABLE_BYTES};
