/*
 * Valid proofs among the test vectors: where the fuzzers start from, and the only inputs that the
 * verifier may accept. Finding another one is as good as finding a crash.
 */
#ifndef FLOCK_FUZZ_SEEDS_H
#define FLOCK_FUZZ_SEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seed {
    uint8_t *bytes;
    size_t len;
};

/* All files of tests/vectors that flock_verify() accepts, read at the first call. */
const struct seed *seeds(size_t *n);

/* Is it a seed in its first `bound` bytes, and what follows the end of the same or another seed? */
bool is_seed(const uint8_t *bytes, size_t len, size_t bound);

/* Ends the process, as a crash does, unless the condition holds. */
void require(bool condition, const char *what);

#endif
