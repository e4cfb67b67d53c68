/* From what a caller wants proved to the inputs of all instances and the public values. Prover. */
#ifndef FLOCK_RELATION_INPUTS_H
#define FLOCK_RELATION_INPUTS_H

#include <flock/prove.h>

struct prover_context;

/* One SHA-256 compression: its input, and the next state. */
void sha256_step(flock_sha256_input *input, uint32_t state[8], const uint8_t block[64]);

/*
 * Run the chain natively through `slots` instances: the steps of *chain, then all-zero messages
 * (spec 09, 9.4). inputs: room for `slots` items of the circuit's input type. Writes the endpoints
 * of the real steps to start and end (physical order).
 */
void chain_inputs(const flock_chain *chain, uint64_t slots, void *inputs,
                  uint8_t start[FLOCK_MAX_REGION_BYTES], uint8_t end[FLOCK_MAX_REGION_BYTES]);

/*
 * The blocks of a padded message, then all-zero messages. Writes the statement's tail and digest.
 * Returns FLOCK_ERR_INPUT if the message ends too early.
 */
flock_status digest_inputs(const flock_digest *digest, uint64_t slots, flock_sha256_input *inputs,
                           flock_statement *statement);

/*
 * The compressions of all paths of a statement (its `paths` complete), each continued from the root
 * with zero siblings on the right, then repetitions of the last path (spec 09, 9.6). Of
 * `paths` only the siblings are read. Returns FLOCK_ERR_INPUT if a path does not lead to the root.
 */
flock_status merkle_inputs(const struct prover_context *context, const flock_statement *statement,
                           const flock_merkle_path *paths, flock_sha256_input *inputs);

#endif
