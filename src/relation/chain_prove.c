#include "relation/chain.h"

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"

/* G = In || Out: slots 0 and 1 of every instance, folded at tau_pos. */
static void fold_slots(const struct setup *setup, const gf128 *tau_pos, const gf128 *packed,
                       gf128 *G)
{
    gf128 eq[1 << MAX_SLOT_LOG];
    unsigned q = setup->circuit->region_log - 7;
    eq_table(eq, tau_pos, q);
    size_t N = (size_t)1 << setup->shape.n_log;
    for (size_t slot = 0; slot < 2; slot++) {
        for (size_t i = 0; i < N; i++) {
            gf128 sum = GF128_ZERO;
            for (size_t c = 0; c < (size_t)1 << q; c++) {
                size_t index = element_index(&setup->shape, i, (slot << q) + c);
                sum = gf128_add(sum, gf128_mul(eq[c], packed[index]));
            }
            G[slot * N + i] = sum;
        }
    }
}

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

flock_status chain_prove(struct prover_context *context, struct transcript *t,
                         const flock_statement *statement, const struct setup *setup,
                         const gf128 *packed_witness, struct chain_proof *proof,
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
    fold_slots(setup, ch.tau_pos, packed_witness, G);
    chain_weight(&ch, statement->format == FLOCK_NATIVE, n, W);

    gf128 r[MAX_N_LOG + 1];
    for (unsigned k = 0; k <= n; k++) {
        size_t half = N >> k;
        gf128 *message = proof->rounds[k];
        message[0] = message[1] = GF128_ZERO;
        prover_kernels()->product_message_high(message, W, G, half);
        transcript_scalar(t, message[0]);
        transcript_scalar(t, message[1]);
        r[k] = transcript_sample(t);
        kernels()->fold_high(W, half, r[k]);
        kernels()->fold_high(G, half, r[k]);
    }
    proof->g = G[0];
    chain_claims(statement, setup, &ch, r, proof->g, claims);
    memory_give(&context->memory, W);
    memory_give(&context->memory, G);
    return FLOCK_OK;
}
