#include "piop/lincheck.h"

#include "backend/kernels.h"
#include "field/skip_domain.h"

void lincheck_begin(struct transcript *t, const struct circuit *circuit, const struct shape *shape,
                    const struct zerocheck_result *in, struct lincheck_point *point)
{
    split_point(shape, in->rho, point->inner, point->instance);
    transcript_label(t, "flock-lincheck-v0");
    point->alpha = transcript_sample(t);
    point->beta = circuit->pin == NO_PIN ? GF128_ZERO : transcript_sample(t);
    point->target = gf128_add(gf128_add(gf128_mul(point->alpha, in->v_a), in->v_b), point->beta);
}

void lincheck_columns(const struct circuit *circuit, gf128 z, const struct lincheck_point *point,
                      gf128 *comb, gf128 *E)
{
    quirky_table(E, z, point->inner, circuit->k_log - SKIP_LOG);
    circuit->marginals(circuit, comb, point->alpha, E);
    if (circuit->pin != NO_PIN) {
        comb[circuit->pin] = gf128_add(comb[circuit->pin], point->beta);
    }
}

void lincheck_end(struct transcript *t, const struct shape *shape, const gf128 *z_partial,
                  const gf128 *tau, const gf128 *instance, struct quirky_claim *claim_ab)
{
    gf128 weights[SKIP_SIZE], inner[MAX_K_LOG - 6];
    unsigned n_rounds = shape->k_log - SKIP_LOG;

    transcript_slice(t, z_partial, SKIP_SIZE);
    claim_ab->skip = transcript_sample(t);
    lagrange_S(weights, claim_ab->skip);
    claim_ab->value = kernels()->dot(weights, z_partial, SKIP_SIZE);
    for (unsigned j = 0; j < n_rounds; j++) {
        inner[j] = tau[n_rounds - 1 - j]; /* the first round bound the highest bit */
    }
    join_point(shape, claim_ab->point, inner, instance);
}

/* T_{t+1} from T_t and the message (q1, qi) at tau (spec 05, 5.5.4). */
static gf128 next_target(gf128 target, const gf128 message[2], gf128 tau)
{
    gf128 q1 = message[0], qi = message[1];
    gf128 q0 = gf128_add(target, q1);

    gf128 linear = gf128_add(gf128_add(q0, q1), qi);
    gf128 sum = gf128_add(gf128_mul(qi, tau), linear);
    return gf128_add(gf128_mul(sum, tau), q0);
}

flock_status lincheck_verify(struct transcript *t, const struct circuit *circuit,
                             const struct shape *shape, const struct zerocheck_result *in,
                             const struct lincheck_proof *proof, struct quirky_claim *claim_ab,
                             gf128 *scratch)
{
    struct lincheck_point point;
    gf128 tau[MAX_K_LOG - 6];
    gf128 *comb = scratch;
    unsigned k_log = shape->k_log;

    if (k_log < SKIP_LOG || k_log > MAX_K_LOG || k_log != circuit->k_log ||
        shape_log_bits(shape) > MAX_LOG_BITS) {
        return FLOCK_REJECT_LINCHECK;
    }
    lincheck_begin(t, circuit, shape, in, &point);
    lincheck_columns(circuit, in->z, &point, comb, scratch + ((size_t)1 << k_log));
    gf128 target = point.target;
    for (unsigned i = 0; i < k_log - SKIP_LOG; i++) {
        transcript_scalar(t, proof->rounds[i][0]);
        transcript_scalar(t, proof->rounds[i][1]);
        tau[i] = transcript_sample(t);
        target = next_target(target, proof->rounds[i], tau[i]);
        kernels()->fold_high(comb, (size_t)1 << (k_log - 1 - i), tau[i]);
    }
    if (!gf128_equal(target, kernels()->dot(comb, proof->z_partial, SKIP_SIZE))) {
        return FLOCK_REJECT_LINCHECK;
    }
    lincheck_end(t, shape, proof->z_partial, tau, point.instance, claim_ab);
    return FLOCK_OK;
}
