/*
 * SHA-256 kernels for x86-64; contracts in backend/kernels.h.
 * shani_*: SHA extensions and SSE4.1. avx2_*: eight messages at a time, AVX2. avx512_*: sixteen at
 * a time, AVX-512 F and BW; few messages by the others.
 */
#ifndef FLOCK_BACKEND_X86_SHA256_X86_H
#define FLOCK_BACKEND_X86_SHA256_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void shani_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);
void shani_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                       size_t ahead);
void avx2_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                      size_t ahead);
void avx512_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                        size_t ahead);

/* Prover only. */
bool shani_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                      uint64_t count);
bool avx2_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                     uint64_t count);
bool avx512_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                       uint64_t count);

#endif
