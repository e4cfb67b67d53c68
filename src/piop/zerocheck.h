/*
 * Zerocheck: a o b = z on all 2^m bits (spec 05, 5.4).
 *
 * Messages, in transcript order:
 *     label "flock-zerocheck-v0"; V sample_vec(6) (unused); V sample_vec(m-13) = r_7..
 *     P slice(round1_ab), P slice(round1_c);  V z
 *     m-6 times: P scalar G(1), P scalar G(inf);  V rho_i
 *     P scalar v_a, P scalar v_b
 * Takes the three bit vectors (prover); leaves: a(z; rho) = v_a, b(z; rho) = v_b for lincheck, and
 * the quirky claim c: witness at (z; r) = v_c.
 */
#ifndef FLOCK_PIOP_ZEROCHECK_H
#define FLOCK_PIOP_ZEROCHECK_H

#include <flock/flock.h>

#include "piop/claims.h"
#include "transcript/transcript.h"

/* In file order; rounds has m-6 pairs (G(1), G(inf)). */
struct zerocheck_proof {
    gf128 round1_ab[64];
    gf128 round1_c[64];
    gf128 rounds[MAX_LOG_BITS - 6][2];
    gf128 v_a, v_b, v_c;
};

/* What lincheck goes on with. */
struct zerocheck_result {
    gf128 z;
    gf128 rho[MAX_LOG_BITS - 6]; /* m-6 */
    gf128 v_a, v_b;
};

/* Both sides: the label and the point r, m-6 coordinates (5.4.1); 13 <= m <= MAX_LOG_BITS. */
void zerocheck_point(struct transcript *t, unsigned m, gf128 *r);

/* m >= 13. Out: result and *claim_c. Returns FLOCK_OK or FLOCK_REJECT_ZEROCHECK. */
flock_status zerocheck_verify(struct transcript *t, unsigned m, const struct zerocheck_proof *proof,
                              struct zerocheck_result *result, struct quirky_claim *claim_c);

/*
 * Prover. z, a, b: 2^m bits each; z = NULL stands for a AND b. Afterwards a holds a AND b, and b
 * is destroyed (its memory held the folded arrays). Out: proof, result, claim_c and its partial
 * evaluations.
 */
struct prover_context;
flock_status zerocheck_prove(struct prover_context *context, struct transcript *t, unsigned m,
                             const uint64_t *z, uint64_t *a, uint64_t *b,
                             struct zerocheck_proof *proof, struct zerocheck_result *result,
                             struct quirky_claim *claim_c, struct column_partials *partial_c);

#endif
