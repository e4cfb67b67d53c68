/*
 * Lincheck: a = A z, b = B z, and the constant wire is 1 (spec 05, 5.5).
 *
 * Messages, in transcript order:
 *     label "flock-lincheck-v0"; V alpha; V beta (iff the circuit has a pin)
 *     k_log-6 times: P scalar q(1), P scalar q(inf);  V tau_t      (highest inner bit first)
 *     P slice(z_partial);  V s
 * Takes v_a, v_b at (z; rho); leaves the quirky claim ab.
 */
#ifndef FLOCK_PIOP_LINCHECK_H
#define FLOCK_PIOP_LINCHECK_H

#include "circuit/circuit.h"
#include "piop/zerocheck.h"

enum { MAX_K_LOG = 17 };

/* In file order; rounds has k_log-6 pairs. */
struct lincheck_proof {
    gf128 rounds[MAX_K_LOG - 6][2];
    gf128 z_partial[64];
};

/* What both sides know before the rounds. */
struct lincheck_point {
    gf128 inner[MAX_K_LOG - 6];   /* zerocheck's point on the inner bits 6.. (5.5.2) */
    gf128 instance[MAX_LOG_BITS]; /* and on the instance bits */
    gf128 alpha, beta;            /* beta = 0 without a pin */
    gf128 target;                 /* T_0 */
};

/* Both sides: split the point; the label, alpha, beta. */
void lincheck_begin(struct transcript *t, const struct circuit *circuit, const struct shape *shape,
                    const struct zerocheck_result *in, struct lincheck_point *point);

/* Both sides: comb of 5.5.3, pin included. comb and E (scratch): 2^k_log elements each. */
void lincheck_columns(const struct circuit *circuit, gf128 z, const struct lincheck_point *point,
                      gf128 *comb, gf128 *E);

/* Both sides: z_partial and s; the claim (5.5.5) from the round challenges tau (k_log-6). */
void lincheck_end(struct transcript *t, const struct shape *shape, const gf128 *z_partial,
                  const gf128 *tau, const gf128 *instance, struct quirky_claim *claim_ab);

/*
 * scratch: room for 2 * 2^k_log elements. Returns FLOCK_OK or FLOCK_REJECT_LINCHECK.
 */
flock_status lincheck_verify(struct transcript *t, const struct circuit *circuit,
                             const struct shape *shape, const struct zerocheck_result *in,
                             const struct lincheck_proof *proof, struct quirky_claim *claim_ab,
                             gf128 *scratch);

/*
 * Prover. z: 2^m bits; n_log >= 3. Out: proof, claim_ab and its partial evaluations.
 */
struct prover_context;
flock_status lincheck_prove(struct prover_context *context, struct transcript *t,
                            const struct circuit *circuit, const struct shape *shape,
                            const uint64_t *z, const struct zerocheck_result *in,
                            struct lincheck_proof *proof, struct quirky_claim *claim_ab,
                            struct column_partials *partial_ab);

#endif
