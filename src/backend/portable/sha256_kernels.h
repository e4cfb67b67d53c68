/* SHA-256 kernels in plain C; contracts in backend/kernels.h. */
#ifndef FLOCK_BACKEND_PORTABLE_SHA256_KERNELS_H
#define FLOCK_BACKEND_PORTABLE_SHA256_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void portable_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);
void portable_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                          size_t ahead);

/* Prover only. */
bool portable_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                         uint64_t count);

#endif
