/*
 * The Merkle relation (spec 09, 9.6; reference: 08, 6): 2^path_log paths of D = 2^pos_log
 * compressions each. Instance i = p D + d is the node of path p above level d:
 *
 *     slot 0 H_in | slot 1 H_out | slot 2 left | slot 3 right
 *     slot 2 + b[i] is leaf_p (d = 0), or H_out of instance i-1 (d > 0)
 *
 * Messages, in transcript order, after lincheck:
 *     V sample_vec(1) = tau_pos; V sample_vec(n) = tau; V alpha
 *     n+2 times: P scalars q(1), q(omega), q(omega+1);  V r_k
 *                (instance variables, highest first; then the bits of the slot, high, low)
 *     native: V sample_vec(n) = r_iv
 * Leaves direct claims: `merkle` (value g, sent in the proof), and in the native format `iv`: slot
 * 0 of every instance is the initial value, and `root`: slot 1 of instance p D + depth-1 is the
 * root.
 *
 * With g_s the folded slots, tau = (tau_q, tau_p) and C the folded leaves weighted with alpha, the
 * sumcheck proves
 *     sum_i E[i] g_1[i] + T[i] (1 + B[i]) g_2[i] + T[i] B[i] g_3[i] = C
 *     E = Eq(tau), T[p D + d] = Eq(tau_p)[p] (d = 0 ? alpha : Eq(tau_q)[d-1]), B = b.
 * Native: E is 0 for the last instance of every path. Reference: C contains the root, which is that
 * instance's output; b is 0 for d = 0; H_in is free.
 *
 * The reference format knows no leaf indices, only D direction bits for each path: a statement of
 * that format has a power of two of levels (depth = D) and of paths, and an index of D bits, i.e.
 * path_index_bytes() bytes, in each entry of `paths`.
 */
#ifndef FLOCK_RELATION_MERKLE_H
#define FLOCK_RELATION_MERKLE_H

#include "relation/slots.h"

enum {
    MERKLE_WIDTH = 3,
    MERKLE_EXTRA_ROUNDS = 2,
    MERKLE_TABLE_BYTES =
        8 * 16, /* the prover's T, E, B, g_0 .. g_3, Eq(tau_p), for each instance */
    MAX_MERKLE_N_LOG = 20
};

/* logs of the instances of a path and of the paths, padding included */
struct merkle_shape {
    unsigned pos_log, path_log;
};
struct merkle_shape merkle_shape_of(const flock_statement *statement);

/* Bytes of the leaf index in an entry of statement->paths; the leaf, in physical order, follows. */
size_t path_index_bytes(const flock_statement *statement);

/* b[p D + d] for any p < 2^path_log, d < D: paths after the last repeat it. */
bool merkle_bit(const flock_statement *statement, uint64_t p, uint64_t d);

/* leaf_p, physical order. */
const uint8_t *merkle_leaf(const flock_statement *statement, uint64_t p);

/* Challenges before the rounds. */
struct merkle_challenges {
    gf128 tau_pos;
    gf128 tau[MAX_MERKLE_N_LOG];
    gf128 alpha;
};
void merkle_sample(struct transcript *t, const struct setup *setup,
                   struct merkle_challenges *challenges);

/* Samples r_iv (native) and adds the claims; r: the n+2 round challenges. */
void merkle_claims(struct transcript *t, const flock_statement *statement,
                   const struct setup *setup, const struct merkle_challenges *challenges,
                   const gf128 *r, gf128 g, struct claims *claims);

flock_status merkle_verify(struct transcript *t, const flock_statement *statement,
                           const struct setup *setup, const struct glue_proof *proof,
                           struct claims *claims);

#endif
