/* The prover, and its two halves apart so that tests can deviate between them. */
#ifndef FLOCK_PROVER_H
#define FLOCK_PROVER_H

#include <stdatomic.h>

#include "base/prover_context.h"
#include "wire/proof_file.h"

struct flock_prover {
    atomic_flag in_use;
    struct memory memory; /* nothing but kept blocks between proofs */
};

/* Take the three vectors from context->memory and fill them from 2^n_log inputs. */
flock_status make_witness(struct prover_context *context, const struct setup *setup,
                          const struct circuit_prover *prover, const void *inputs,
                          struct witness *witness);

/*
 * From a witness to a proof of file->statement (with file->setup derived from it): fills in
 * file->root and file->proof, whose rows and hashes live in context->memory. Gives witness->a and
 * witness->b back. (prove_file() does without the memory of witness->z.)
 */
flock_status prove_witness(struct prover_context *context, const struct witness *witness,
                           const void *domain, size_t domain_len, struct proof_file *file);

/*
 * Produces the inputs of all 2^n_log instances from whatever the caller has, and completes the
 * statement's public values. Returns FLOCK_ERR_INPUT if that is impossible.
 */
typedef flock_status input_maker(const struct prover_context *context, const void *source,
                                 uint64_t slots, void *inputs, flock_statement *statement);

/*
 * Everything: from a statement to the bytes of a file (to be freed), and file->statement, complete.
 * make_inputs = NULL: source is the array of the inputs of all instances.
 * The rest of *file is void afterwards. The domain is used by the reference format only.
 */
flock_status prove_file(const flock_statement *statement, input_maker *make_inputs,
                        const void *source, const void *domain, size_t domain_len,
                        const flock_options *options, struct proof_file *file, uint8_t **bytes,
                        size_t *len);

/*
 * Merkle paths in the reference format (spec 08, 6), which binds neither root, leaves, direction
 * bits nor initial values: for comparison with the reference implementation, not in the public
 * headers. statement: FLOCK_REFERENCE, FLOCK_MERKLE, `paths` as relation/merkle.h says; of `paths`
 * only the siblings are read. *proof: commitment and proof, which flock_verify_reference() checks.
 */
flock_status prove_reference_merkle(const flock_statement *statement,
                                    const flock_merkle_path *paths, const char *domain,
                                    size_t domain_len, const flock_options *options,
                                    uint8_t **proof, size_t *proof_len);

#endif
