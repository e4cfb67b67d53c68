/* The two halves of the prover, apart so that tests can deviate between them. */
#ifndef FLOCK_PROVER_H
#define FLOCK_PROVER_H

#include "base/prover_context.h"
#include "wire/proof_file.h"

/* Take the three vectors from context->memory and fill them from 2^n_log inputs. */
flock_status make_witness(struct prover_context *context, const struct setup *setup,
                          const struct circuit_prover *prover, const void *inputs,
                          struct witness *witness);

/*
 * From a witness to a proof of file->statement (with file->setup derived from it): fills in
 * file->root and file->proof, whose rows and hashes live in context->memory. Gives witness->a and
 * witness->b back.
 */
flock_status prove_witness(struct prover_context *context, const struct witness *witness,
                           const void *domain, size_t domain_len, struct proof_file *file);

#endif
