/*
 * The chain relation: slot 1 of each instance is slot 0 of the next (spec 08, 3; 09, 9.4).
 *
 * Messages, in transcript order, after lincheck:
 *     V sample_vec(q) = tau_pos; V sample_vec(n) = tau; V alpha
 *     n+1 times: P scalar e(1), P scalar e(inf);  V r_k       (highest variable first)
 * Leaves direct claims: `chain` (value g, sent in the proof), and in the native format `end`: slot
 * 1 of instance count-1 is the statement's end.
 *
 * With G = In || Out the folded slots, the sumcheck proves  sum_i W[i] G[i] = C  for
 *     W[0] = alpha, W[i] = Eq(tau)[i-1] (0 < i < N), W[N+i] = Eq(tau)[i].
 * Reference: C contains both endpoints. Native: W[2N-1] = 0 and C contains the start only.
 */
#ifndef FLOCK_RELATION_CHAIN_H
#define FLOCK_RELATION_CHAIN_H

#include "relation/slots.h"

enum {
    CHAIN_WIDTH = 2,
    CHAIN_EXTRA_ROUNDS = 1,
    CHAIN_TABLE_BYTES = 64 /* the prover's W and G, for each instance */
};

/* What a chain's links are about. */
struct chain_ends {
    const uint8_t *start, *end; /* physical order */
    uint64_t steps;
    bool end_pinned; /* native: by a claim of its own, so that steps may follow the end */
};

/* The glue. Adds its claims to *claims. Returns FLOCK_OK or FLOCK_REJECT_GLUE. */
flock_status chain_links_verify(struct transcript *t, const struct setup *setup,
                                const struct chain_ends *ends, const struct glue_proof *proof,
                                struct claims *claims);

flock_status chain_links_prove(struct prover_context *context, struct transcript *t,
                               const struct setup *setup, const struct chain_ends *ends,
                               const gf128 *packed_witness, struct glue_proof *proof,
                               struct claims *claims);

/* ---- shared by the two sides ---- */

/* Challenges before the rounds. */
struct chain_challenges {
    gf128 tau_pos[MAX_SLOT_LOG];
    gf128 tau[MAX_N_LOG];
    gf128 alpha;
};
void chain_sample(struct transcript *t, const struct setup *setup,
                  struct chain_challenges *challenges);

struct chain_ends chain_ends_of(const flock_statement *statement);

/* Adds `chain` and, if the end is pinned, `end`; r: the n+1 round challenges. */
void chain_claims(const struct setup *setup, const struct chain_ends *ends,
                  const struct chain_challenges *challenges, const gf128 *r, gf128 g,
                  struct claims *claims);

#endif
