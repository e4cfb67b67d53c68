#include "relation/chain.h"

#include "field/multilinear.h"
#include "piop/lincheck.h"

static unsigned slot_log(const struct circuit *circuit)
{
    return circuit->region_log - 7;
}

void chain_sample(struct transcript *t, const struct setup *setup,
                  struct chain_challenges *challenges)
{
    transcript_sample_vec(t, challenges->tau_pos, slot_log(setup->circuit));
    transcript_sample_vec(t, challenges->tau, setup->shape.n_log);
    challenges->alpha = transcript_sample(t);
}

gf128 slot_fold(const struct circuit *circuit, const gf128 *p, const uint8_t *value)
{
    gf128 eq[1 << MAX_SLOT_LOG];
    eq_table(eq, p, slot_log(circuit));
    gf128 sum = GF128_ZERO;
    size_t len = circuit->region_bits / 8;
    for (size_t c = 0; 16 * c < len; c++) {
        uint8_t element[16] = {0};
        size_t rest = len - 16 * c;
        memcpy(element, value + 16 * c, rest < 16 ? rest : 16);
        sum = gf128_add(sum, gf128_mul(eq[c], gf128_load(element)));
    }
    return sum;
}

/* A direct claim on slot 0 or 1 (selector), at tau_pos within the slot and `instance`. */
static void add_slot_claim(const struct setup *setup, const gf128 *tau_pos, gf128 selector,
                           const gf128 *instance, gf128 value, struct claims *claims)
{
    gf128 chunk[MAX_K_LOG - 7] = {{0, 0}};
    unsigned q = slot_log(setup->circuit);
    memcpy(chunk, tau_pos, q * sizeof *chunk);
    chunk[q] = selector;
    struct direct_claim *claim = &claims->direct[claims->n_direct++];
    join_packed_point(&setup->shape, claim->point, chunk, instance);
    claim->value = value;
}

void chain_claims(const flock_statement *statement, const struct setup *setup,
                  const struct chain_challenges *challenges, const gf128 *r, gf128 g,
                  struct claims *claims)
{
    unsigned n = setup->shape.n_log;
    gf128 instance[MAX_N_LOG] = {{0, 0}};
    for (unsigned j = 0; j < n; j++) {
        instance[j] = r[n - j];
    }
    add_slot_claim(setup, challenges->tau_pos, r[0], instance, g, claims);
    if (statement->format == FLOCK_NATIVE) {
        for (unsigned j = 0; j < n; j++) {
            instance[j] = gf128_from_u64((statement->count - 1) >> j & 1);
        }
        gf128 end = slot_fold(setup->circuit, challenges->tau_pos, statement->end);
        add_slot_claim(setup, challenges->tau_pos, GF128_ONE, instance, end, claims);
    }
}

/* prod_j (v_j + offset) */
static gf128 product(const gf128 *v, unsigned n, gf128 offset)
{
    gf128 p = GF128_ONE;
    for (unsigned j = 0; j < n; j++) {
        p = gf128_mul(p, gf128_add(v[j], offset));
    }
    return p;
}

/* The multilinear extension of W at (selector; y): the bracket of spec 08, 3.2 and 09, 9.4. */
static gf128 weight_eval(bool end_pinned, const struct chain_challenges *ch, gf128 selector,
                         const gf128 *y, unsigned n)
{
    gf128 first = gf128_mul(ch->alpha, product(y, n, GF128_ONE));
    gf128 in = gf128_add(shift_eval(ch->tau, y, n), first);
    gf128 out = eq_eval(ch->tau, y, n);
    if (end_pinned) {
        gf128 last = gf128_mul(product(ch->tau, n, GF128_ZERO), product(y, n, GF128_ZERO));
        out = gf128_add(out, last);
    }
    return gf128_add(gf128_mul(gf128_add(GF128_ONE, selector), in), gf128_mul(selector, out));
}

flock_status chain_verify(struct transcript *t, const flock_statement *statement,
                          const struct setup *setup, const struct chain_proof *proof,
                          struct claims *claims)
{
    const struct circuit *circuit = setup->circuit;
    unsigned n = setup->shape.n_log;
    bool end_pinned = statement->format == FLOCK_NATIVE;
    struct chain_challenges ch;
    chain_sample(t, setup, &ch);

    gf128 claim = gf128_mul(ch.alpha, slot_fold(circuit, ch.tau_pos, statement->start));
    if (!end_pinned) {
        gf128 end = slot_fold(circuit, ch.tau_pos, statement->end);
        claim = gf128_add(claim, gf128_mul(product(ch.tau, n, GF128_ZERO), end));
    }
    gf128 r[MAX_N_LOG + 1];
    for (unsigned k = 0; k <= n; k++) {
        gf128 e1 = proof->rounds[k][0], einf = proof->rounds[k][1];
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
    gf128 weight = weight_eval(end_pinned, &ch, r[0], y, n);
    if (!gf128_equal(claim, gf128_mul(proof->g, weight))) {
        return FLOCK_REJECT_GLUE;
    }
    chain_claims(statement, setup, &ch, r, proof->g, claims);
    return FLOCK_OK;
}
