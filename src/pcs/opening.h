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

/* Returns FLOCK_OK, FLOCK_REJECT_RING_SWITCH, or what ligerito_verify() returns. */
flock_status opening_verify(struct transcript *t, const struct pcs_params *params,
                            const uint8_t root[32], const struct claims *claims,
                            const struct opening_proof *proof);

/* ---- prover ---- */

/*
 * q: the packed witness. partial: partial evaluations of each quirky claim, or NULL to compute
 * them from q. oracle: the commitment; released.
 */
flock_status opening_prove(struct prover_context *context, struct transcript *t,
                           const struct pcs_params *params, const gf128 *q, struct oracle *oracle,
                           const struct claims *claims, const struct partial_evaluations *partial,
                           struct opening_proof *proof);

#endif
