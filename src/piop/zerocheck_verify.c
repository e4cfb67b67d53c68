#include "piop/zerocheck.h"

#include <string.h>

#include "backend/kernels.h"
#include "field/skip_domain.h"

void zerocheck_point(struct transcript *t, unsigned m, gf128 *r)
{
    gf128 unused[6]; /* drawn but never used: spec 05, 5.3 step 5 */

    transcript_label(t, "flock-zerocheck-v0");
    transcript_sample_vec(t, unused, 6);
    memcpy(r, friendly_point, sizeof friendly_point);
    transcript_sample_vec(t, r + 7, m - 13);
}

/*
 * R_0 = Q(z) + v_c (spec 05, 5.4.2), Q of degree < 128 with the values P_ab + P_c on Lambda and
 * zero on S. The header of lagrange_V7() covers z on a node: nothing here divides.
 */
static gf128 initial_value(const struct zerocheck_proof *proof, gf128 z, gf128 v_c)
{
    gf128 weights[SKIP_SIZE], sum[SKIP_SIZE];

    lagrange_V7(weights, z);
    for (unsigned i = 0; i < SKIP_SIZE; i++) {
        sum[i] = gf128_add(proof->round1_ab[i], proof->round1_c[i]);
    }
    return gf128_add(kernels()->dot(weights, sum, SKIP_SIZE), v_c);
}

/* R_{i+1} from R_i and the message (g1, gi) at challenge rho (spec 05, 5.4.3). */
static gf128 next_value(gf128 value, gf128 r, const gf128 message[2], gf128 rho)
{
    gf128 g1 = message[0], gi = message[1];
    gf128 rho_bar = gf128_add(GF128_ONE, rho);
    /* inverse(0) = 0: with r = 1 (probability 2^-128) the round checks nothing (5.8). */
    gf128 g0 =
        gf128_mul(gf128_add(value, gf128_mul(r, g1)), gf128_inverse(gf128_add(GF128_ONE, r)));

    gf128 next = gf128_add(gf128_mul(g0, rho_bar), gf128_mul(g1, rho));
    return gf128_add(next, gf128_mul(gi, gf128_mul(rho, rho_bar)));
}

flock_status zerocheck_verify(struct transcript *t, unsigned m, const struct zerocheck_proof *proof,
                              struct zerocheck_result *result, struct quirky_claim *claim_c)
{
    gf128 weights[SKIP_SIZE];

    if (m < 13 || m > MAX_LOG_BITS) {
        return FLOCK_REJECT_ZEROCHECK;
    }
    zerocheck_point(t, m, claim_c->point);
    transcript_slice(t, proof->round1_ab, SKIP_SIZE);
    transcript_slice(t, proof->round1_c, SKIP_SIZE);
    gf128 z = transcript_sample(t);

    lagrange_Lambda(weights, z);
    gf128 v_c = kernels()->dot(weights, proof->round1_c, SKIP_SIZE);
    if (!gf128_equal(v_c, proof->v_c)) {
        return FLOCK_REJECT_ZEROCHECK;
    }

    gf128 value = initial_value(proof, z, v_c);
    for (unsigned i = 0; i < m - 6; i++) {
        transcript_scalar(t, proof->rounds[i][0]);
        transcript_scalar(t, proof->rounds[i][1]);
        result->rho[i] = transcript_sample(t);
        value = next_value(value, claim_c->point[i], proof->rounds[i], result->rho[i]);
    }
    transcript_scalar(t, proof->v_a);
    transcript_scalar(t, proof->v_b);
    if (!gf128_equal(value, gf128_mul(proof->v_a, proof->v_b))) {
        return FLOCK_REJECT_ZEROCHECK;
    }

    result->z = z;
    result->v_a = proof->v_a;
    result->v_b = proof->v_b;
    claim_c->skip = z;
    claim_c->value = v_c;
    return FLOCK_OK;
}
