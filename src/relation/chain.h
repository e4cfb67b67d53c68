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

#include "relation/statement.h"

struct chain_proof {
    gf128 rounds[MAX_N_LOG + 1][2]; /* n+1 pairs (e(1), e(inf)) */
    gf128 g;
};

/* Adds its claims to *claims. Returns FLOCK_OK or FLOCK_REJECT_GLUE. */
flock_status chain_verify(struct transcript *t, const flock_statement *statement,
                          const struct setup *setup, const struct chain_proof *proof,
                          struct claims *claims);

struct prover_context;
flock_status chain_prove(struct prover_context *context, struct transcript *t,
                         const flock_statement *statement, const struct setup *setup,
                         const gf128 *packed_witness, struct chain_proof *proof,
                         struct claims *claims);

/* ---- shared by the two sides ---- */

enum {
    MAX_SLOT_LOG = 4 /* log2 of the packed elements of a slot: 1, or 4 for Keccak */
};

/* Challenges before the rounds. */
struct chain_challenges {
    gf128 tau_pos[MAX_SLOT_LOG];
    gf128 tau[MAX_N_LOG];
    gf128 alpha;
};
void chain_sample(struct transcript *t, const struct setup *setup,
                  struct chain_challenges *challenges);

/* fold_p(v) = sum_c Eq(p)[c] v_c of a public slot value of region_bits / 8 bytes (spec 08, 2). */
gf128 slot_fold(const struct circuit *circuit, const gf128 *p, const uint8_t *value);

/* Adds `chain` and, in the native format, `end`; r: the n+1 round challenges. */
void chain_claims(const flock_statement *statement, const struct setup *setup,
                  const struct chain_challenges *challenges, const gf128 *r, gf128 g,
                  struct claims *claims);

#endif
