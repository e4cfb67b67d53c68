#include "relation/merkle.h"

#include "backend/kernels.h"
#include "field/multilinear.h"

void merkle_sample(struct transcript *t, const struct setup *setup,
                   struct merkle_challenges *challenges)
{
    transcript_sample_vec(t, &challenges->tau_pos, 1);
    transcript_sample_vec(t, challenges->tau, setup->shape.n_log);
    challenges->alpha = transcript_sample(t);
}

void merkle_claims(struct transcript *t, const flock_statement *statement,
                   const struct setup *setup, const struct merkle_challenges *challenges,
                   const gf128 *r, gf128 g, struct claims *claims)
{
    unsigned n = setup->shape.n_log;
    const gf128 *tau_pos = &challenges->tau_pos;
    gf128 instance[MAX_MERKLE_N_LOG];
    for (unsigned j = 0; j < n; j++) {
        instance[j] = r[n - 1 - j];
    }
    gf128 merkle[3] = {*tau_pos, r[n + 1], r[n]};
    add_direct_claim(setup, merkle, 3, instance, g, claims);
    if (statement->format == FLOCK_REFERENCE) {
        return;
    }
    uint8_t value[32];
    transcript_sample_vec(t, instance, n);
    physical_initial_value(value);
    add_direct_claim(setup, tau_pos, 1, instance, slot_fold(setup->circuit, tau_pos, value),
                     claims);

    unsigned pos_log = merkle_shape_of(statement).pos_log;
    gf128 output[2] = {*tau_pos, GF128_ONE};
    bit_coordinates(instance, statement->depth - 1, pos_log);
    memcpy(instance + pos_log, challenges->tau + pos_log, (n - pos_log) * sizeof *instance);
    swap_words(value, statement->root, 8);
    add_direct_claim(setup, output, 2, instance, slot_fold(setup->circuit, tau_pos, value), claims);
}

/* ---- sums over all instances or paths ---- */

struct path_sum {
    const flock_statement *statement;
    gf128 tau_pos;
    unsigned pos_log;
};

static gf128 bit_value(const struct path_sum *sum, size_t i)
{
    size_t p = i >> sum->pos_log, d = i - (p << sum->pos_log);
    return gf128_from_u64(merkle_bit(sum->statement, p, d));
}

static gf128 leaf_low(const struct path_sum *sum, size_t p)
{
    return gf128_load(merkle_leaf(sum->statement, p));
}

static gf128 leaf_high(const struct path_sum *sum, size_t p)
{
    return gf128_load(merkle_leaf(sum->statement, p) + 16);
}

/*
 * sum_{i < 2^n} Eq(point)[i] value(i), with Eq as the product of a table of the low and one of the
 * high half of the coordinates: 2^n + 2^(n/2) multiplications, no allocation.
 */
static gf128 eq_sum(const struct path_sum *sum, const gf128 *point, unsigned n,
                    gf128 (*value)(const struct path_sum *sum, size_t i))
{
    enum { MAX_HALF = MAX_MERKLE_N_LOG / 2 };
    gf128 low[1 << MAX_HALF], high[1 << MAX_HALF], values[1 << MAX_HALF];
    unsigned n_low = n < MAX_HALF ? n : MAX_HALF;
    size_t block = (size_t)1 << n_low;
    eq_table(low, point, n_low);
    eq_table(high, point + n_low, n - n_low);
    gf128 total = GF128_ZERO;
    for (size_t h = 0; h < (size_t)1 << (n - n_low); h++) {
        for (size_t i = 0; i < block; i++) {
            values[i] = value(sum, h * block + i);
        }
        gf128 part = kernels()->dot(values, low, block);
        total = gf128_add(total, gf128_mul(part, high[h]));
    }
    return total;
}

/* sum_p Eq(tau_p)[p] fold(leaf_p): the fold of the sum, as fold(v) = v_0 + tau_pos (v_0 + v_1). */
static gf128 leaf_sum(const struct path_sum *sum, const gf128 *tau_p, unsigned path_log)
{
    gf128 low = eq_sum(sum, tau_p, path_log, leaf_low);
    gf128 high = eq_sum(sum, tau_p, path_log, leaf_high);
    return gf128_add(low, gf128_mul(sum->tau_pos, gf128_add(low, high)));
}

/* ---- the sumcheck ---- */

/*
 * The polynomial of degree at most 3 through (0, claim + q(1)), (1, q(1)), (omega, q(omega)),
 * (omega+1, q(omega+1)) at r; all four Lagrange denominators are omega (omega + 1).
 */
static gf128 cubic_eval(gf128 claim, const gf128 message[MERKLE_WIDTH], gf128 r)
{
    gf128 value[4] = {gf128_add(claim, message[0]), message[0], message[1], message[2]};
    gf128 sum = GF128_ZERO;
    for (uint64_t i = 0; i < 4; i++) {
        gf128 term = value[i];
        for (uint64_t j = 0; j < 4; j++) {
            if (j != i) {
                term = gf128_mul(term, gf128_add(r, gf128_from_u64(j)));
            }
        }
        sum = gf128_add(sum, term);
    }
    return gf128_mul(sum, gf128_inverse(gf128_from_u64(6)));
}

/* The weight of g, at (y; slot bits): the brackets of spec 08, 6.2 and 09, 9.6. */
static gf128 weight_eval(const struct path_sum *sum, const struct merkle_challenges *ch,
                         const gf128 *y, unsigned n, gf128 side, gf128 select)
{
    unsigned q = sum->pos_log;
    gf128 same_path = eq_eval(ch->tau + q, y + q, n - q);
    gf128 out = eq_eval(ch->tau, y, n);
    if (sum->statement->format == FLOCK_NATIVE) {
        gf128 last =
            gf128_mul(offset_product(ch->tau, q, GF128_ZERO), offset_product(y, q, GF128_ZERO));
        out = gf128_add(out, gf128_mul(same_path, last));
    }
    gf128 first = gf128_mul(ch->alpha, offset_product(y, q, GF128_ONE));
    gf128 in = gf128_mul(same_path, gf128_add(shift_eval(ch->tau, y, q), first));
    gf128 right = gf128_mul(in, eq_sum(sum, y, n, bit_value));
    gf128 left = gf128_add(in, right);

    /* Slots 1, 2, 3: (1 + side) select, side (1 + select), side select. */
    gf128 both = gf128_mul(side, select);
    gf128 weight = gf128_mul(gf128_add(select, both), out);
    weight = gf128_add(weight, gf128_mul(gf128_add(side, both), left));
    return gf128_add(weight, gf128_mul(both, right));
}

flock_status merkle_verify(struct transcript *t, const flock_statement *statement,
                           const struct setup *setup, const struct glue_proof *proof,
                           struct claims *claims)
{
    unsigned n = setup->shape.n_log;
    struct merkle_shape shape = merkle_shape_of(statement);
    struct merkle_challenges ch;
    merkle_sample(t, setup, &ch);
    struct path_sum sum = {statement, ch.tau_pos, shape.pos_log};

    gf128 leaves = leaf_sum(&sum, ch.tau + shape.pos_log, shape.path_log);
    gf128 claim = gf128_mul(ch.alpha, leaves);
    if (statement->format == FLOCK_REFERENCE) {
        uint8_t root[32];
        swap_words(root, statement->root, 8);
        gf128 last = offset_product(ch.tau, shape.pos_log, GF128_ZERO);
        claim = gf128_add(claim, gf128_mul(last, slot_fold(setup->circuit, &ch.tau_pos, root)));
    }
    gf128 r[MAX_MERKLE_N_LOG + MERKLE_EXTRA_ROUNDS];
    for (unsigned k = 0; k < n + MERKLE_EXTRA_ROUNDS; k++) {
        const gf128 *message = proof->rounds + MERKLE_WIDTH * k;
        for (unsigned i = 0; i < MERKLE_WIDTH; i++) {
            transcript_scalar(t, message[i]);
        }
        r[k] = transcript_sample(t);
        claim = cubic_eval(claim, message, r[k]);
    }
    gf128 y[MAX_MERKLE_N_LOG];
    for (unsigned j = 0; j < n; j++) {
        y[j] = r[n - 1 - j];
    }
    gf128 weight = weight_eval(&sum, &ch, y, n, r[n], r[n + 1]);
    if (!gf128_equal(claim, gf128_mul(proof->g, weight))) {
        return FLOCK_REJECT_GLUE;
    }
    merkle_claims(t, statement, setup, &ch, r, proof->g, claims);
    return FLOCK_OK;
}
