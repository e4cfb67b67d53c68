#include "relation/chain.h"

#include "field/multilinear.h"

void chain_sample(struct transcript *t, const struct setup *setup,
                  struct chain_challenges *challenges)
{
    transcript_sample_vec(t, challenges->tau_pos, slot_log(setup->circuit));
    transcript_sample_vec(t, challenges->tau, setup->shape.n_log);
    challenges->alpha = transcript_sample(t);
}

void chain_claims(const struct setup *setup, const struct chain_ends *ends,
                  const struct chain_challenges *challenges, const gf128 *r, gf128 g,
                  struct claims *claims)
{
    unsigned n = setup->shape.n_log, q = slot_log(setup->circuit);
    gf128 instance[MAX_N_LOG], chunk[MAX_SLOT_LOG + 1];
    memcpy(chunk, challenges->tau_pos, q * sizeof *chunk);
    chunk[q] = r[0];
    for (unsigned j = 0; j < n; j++) {
        instance[j] = r[n - j];
    }
    add_direct_claim(setup, chunk, q + 1, instance, g, claims);
    if (ends->end_pinned) {
        chunk[q] = GF128_ONE;
        bit_coordinates(instance, ends->steps - 1, n);
        gf128 end = slot_fold(setup->circuit, challenges->tau_pos, ends->end);
        add_direct_claim(setup, chunk, q + 1, instance, end, claims);
    }
}

/* The multilinear extension of W at (selector; y): the bracket of spec 08, 3.2 and 09, 9.4. */
static gf128 weight_eval(bool end_pinned, const struct chain_challenges *ch, gf128 selector,
                         const gf128 *y, unsigned n)
{
    gf128 first = gf128_mul(ch->alpha, offset_product(y, n, GF128_ONE));
    gf128 in = gf128_add(shift_eval(ch->tau, y, n), first);
    gf128 out = eq_eval(ch->tau, y, n);
    if (end_pinned) {
        gf128 last =
            gf128_mul(offset_product(ch->tau, n, GF128_ZERO), offset_product(y, n, GF128_ZERO));
        out = gf128_add(out, last);
    }
    return gf128_add(gf128_mul(gf128_add(GF128_ONE, selector), in), gf128_mul(selector, out));
}

flock_status chain_links_verify(struct transcript *t, const struct setup *setup,
                                const struct chain_ends *ends, const struct glue_proof *proof,
                                struct claims *claims)
{
    const struct circuit *circuit = setup->circuit;
    unsigned n = setup->shape.n_log;
    struct chain_challenges ch;
    chain_sample(t, setup, &ch);

    gf128 claim = gf128_mul(ch.alpha, slot_fold(circuit, ch.tau_pos, ends->start));
    if (!ends->end_pinned) {
        gf128 end = slot_fold(circuit, ch.tau_pos, ends->end);
        claim = gf128_add(claim, gf128_mul(offset_product(ch.tau, n, GF128_ZERO), end));
    }
    gf128 r[MAX_N_LOG + 1];
    for (unsigned k = 0; k <= n; k++) {
        gf128 e1 = proof->rounds[CHAIN_WIDTH * k], einf = proof->rounds[CHAIN_WIDTH * k + 1];
        transcript_scalar(t, e1);
        transcript_scalar(t, einf);
        r[k] = transcript_sample(t);
        gf128 e0 = gf128_add(claim, e1);
        gf128 linear = gf128_add(gf128_add(e0, e1), einf);
        claim = gf128_add(gf128_mul(gf128_add(gf128_mul(einf, r[k]), linear), r[k]), e0);
    }
    gf128 y[MAX_N_LOG];
    for (unsigned j = 0; j < n; j++) {
        y[j] = r[n - j];
    }
    gf128 weight = weight_eval(ends->end_pinned, &ch, r[0], y, n);
    if (!gf128_equal(claim, gf128_mul(proof->g, weight))) {
        return FLOCK_REJECT_GLUE;
    }
    chain_claims(setup, ends, &ch, r, proof->g, claims);
    return FLOCK_OK;
}
