/*
 * The digest relation ("sha256-file", spec 09, 9.5): a chain of SHA-256 compressions from the
 * initial value to the digest, whose last one or two message blocks are the padding of a message of
 * the stated length.
 *
 * Messages, in transcript order: those of the chain (native), then
 *     V sample_vec(2) = tau_msg
 * Leaves direct claims: `chain`, `end`, and `tail` for each padding block in ascending order: the
 * message words of that block, folded at tau_msg, are the public ones.
 */
#ifndef FLOCK_RELATION_DIGEST_H
#define FLOCK_RELATION_DIGEST_H

#include "relation/chain.h"

/* Blocks that hold padding: the tail of the message, 0x80, zeros, the length in bits. */
struct padding {
    uint8_t blocks[128];
    unsigned n; /* 1, or 2 if the tail leaves no room for the length */
};
struct padding digest_padding(const flock_statement *statement);

/* Blocks of a padded message: ceil((message_bytes + 9) / 64), for less than 2^61 bytes. */
static inline uint64_t digest_blocks(uint64_t message_bytes)
{
    return (message_bytes + 9 + 63) / 64;
}

/* The ends of the chain that a digest is, in physical order. */
struct digest_ends {
    uint8_t start[32], end[32];
};
struct chain_ends digest_chain_ends(const flock_statement *statement, struct digest_ends *values);

/* Samples tau_msg and adds the `tail` claims. */
void digest_claims(struct transcript *t, const flock_statement *statement,
                   const struct setup *setup, struct claims *claims);

#endif
