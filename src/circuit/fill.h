/*
 * Placing evaluated instances in the witness: what the generators of all circuits share.
 *
 * A generator evaluates one instance into two blocks of 2^k_log bits: the values of the rows of A0
 * and of B0, in natural order. z needs no block: row r states that z[r] = a[r] b[r].
 */
#ifndef FLOCK_CIRCUIT_FILL_H
#define FLOCK_CIRCUIT_FILL_H

#include <stdalign.h>

#include "circuit/circuit.h"

/* Writes all words of both blocks. */
typedef void evaluate_instance(const void *input, uint64_t *a, uint64_t *b);

/*
 * Words of scratch for the blocks a and b of `group` instances. Blocks are a cache line apart so
 * that equal positions of all of them do not compete for the same cache sets.
 */
enum { FILL_GAP_WORDS = 8 };
#define FILL_SCRATCH_WORDS(block_words, group) (2 * (group) * ((block_words) + FILL_GAP_WORDS))

/*
 * The body of circuit_prover.fill: evaluate and place instances first .. first+count-1 of
 * `input_bytes` each.
 *
 * In batch-major `group` instances (a divisor of 8) are placed together; 4 of them fill one cache
 * line of every chunk. scratch: FILL_SCRATCH_WORDS.
 */
void fill_instances(const struct witness *witness, const void *inputs, size_t input_bytes,
                    size_t first, size_t count, evaluate_instance *evaluate, uint64_t *scratch,
                    size_t group);

#endif
