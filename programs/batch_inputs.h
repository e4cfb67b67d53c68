/*
 * batch_inputs.h - the inputs of a batch, from a file of records or from a seed.
 *
 * A file is a sequence of records with nothing between them:
 *
 *   BLAKE3    112 bytes  chaining value (8 words) | message (16 words) | u64 counter |
 *                        u32 block length | u32 flags; all little-endian
 *   SHA-256    96 bytes  state (8 words) | message block (16 words); all big-endian
 *   Keccak    200 bytes  lane x + 5y at 8 (x + 5y); little-endian
 *
 * A seed is the state of one SplitMix64 stream, used evaluation after evaluation:
 *
 *   BLAKE3    the low 32 bits of 8 outputs: chaining value; of 16: message; one output: counter;
 *             one, block length = (output & 0x3f) + 1; one, flags = output & 0x7f
 *   SHA-256   the low 32 bits of 8 outputs: state; of 16: message
 *   Keccak    25 outputs: lanes
 */
#ifndef BATCH_INPUTS_H
#define BATCH_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include <flock/prove.h>

/* Bytes of a record, and of the library's input type. */
size_t batch_input_bytes(flock_circuit circuit);

/* Turn `count` records into the array that flock_batch.inputs wants, in place. */
void batch_inputs_from_records(flock_circuit circuit, void *records, uint64_t count);

/* Write such an array. */
void batch_inputs_from_seed(flock_circuit circuit, uint64_t seed, void *inputs, uint64_t count);

#endif
