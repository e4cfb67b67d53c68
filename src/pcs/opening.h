/*
 * The batched opening (spec 04): ring switching turns quirky claims on bits and direct claims on
 * packed elements into one inner product on the packed witness, which Ligerito proves.
 *
 * Messages, in transcript order:
 *     label "flock-pcs-open-batch-v0"
 *     each quirky claim: label "flock-ring-switch-v0", P slice(s[128]), V sample_vec(7)
 *     V one gamma for each quirky claim
 *     each direct claim: label "flock-pcs-packed-direct-v0", P scalar(value)
 *     V one gamma for each direct claim
 *     Ligerito
 */
#ifndef FLOCK_PCS_OPENING_H
#define FLOCK_PCS_OPENING_H

#include "pcs/ligerito.h"
#include "piop/claims.h"

struct opening_proof {
    struct partial_evaluations ring_switch[2]; /* one for each quirky claim */
    struct ligerito_proof ligerito;
};

/*
 * What both sides make of the claims: sum_y B(y) q(y) = target with
 *     B(y) = sum_k gamma[k] Phi_k(EQ(quirky k's point[1..])[y]) + sum_j gamma_direct[j] EQ(p_j)[y],
 * Phi_k the GF(2)-linear map that takes X^u to e[k][u] (spec 04, 4).
 */
struct opening_reduction {
    const struct claims *claims;
    unsigned log_n;
    gf128 e[2][128];
    gf128 gamma[2];
    gf128 gamma_direct[MAX_DIRECT_CLAIMS];
    gf128 target;
};

/* Steps 1 to 5 of spec 04, 3 (without the check 2c); ring_switch: one for each quirky claim. */
void opening_reduce(struct transcript *t, unsigned log_n, const struct claims *claims,
                    const struct partial_evaluations *ring_switch,
                    struct opening_reduction *reduction);

/* Step 2c: do the partial evaluations give the claimed value? */
bool partial_evaluations_match(const struct quirky_claim *claim,
                               const struct partial_evaluations *partial);

/* ligerito_weight.evaluate for a context of type struct opening_reduction (spec 04, 6). */
void opening_weight_evaluate(const void *reduction, const gf128 *rho, unsigned n_rho, unsigned y,
                             gf128 *out);

/*
 * Binding word coordinate i of y -> Phi(EQ(z)[y]) to rho (method (A) of spec 04, 6): the
 * functional a -> (1 + rho) Phi(a) + Phi(z_i a) takes the place of Phi, given by its values w on
 * the basis 1, X, ..., X^127.
 */
void opening_transport(gf128 w[128], gf128 z, gf128 rho);

/* Returns FLOCK_OK, FLOCK_REJECT_RING_SWITCH, or what ligerito_verify() returns. */
flock_status opening_verify(struct transcript *t, const struct pcs_params *params,
                            const uint8_t root[32], const struct claims *claims,
                            const struct opening_proof *proof);

/* ---- prover ---- */

/*
 * The weight B for Ligerito (spec 04, 5). partial: of each quirky claim. reduction, with its
 * claims, must outlive *weight. Takes memory, which opening_weight_release() gives back.
 */
flock_status opening_weight(struct prover_context *context,
                            const struct opening_reduction *reduction,
                            const struct column_partials *partial, const gf128 *q,
                            struct prover_weight *weight);
void opening_weight_release(struct prover_context *context, struct prover_weight *weight);

/*
 * q: the packed witness. partial: partial evaluations of each quirky claim, or NULL to compute
 * them from q. oracle: the commitment; released.
 */
flock_status opening_prove(struct prover_context *context, struct transcript *t,
                           const struct pcs_params *params, const gf128 *q, struct oracle *oracle,
                           const struct claims *claims, const struct column_partials *partial,
                           struct opening_proof *proof);

#endif
