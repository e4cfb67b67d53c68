/* The backend "neon": its tables, and the kernels that have files of their own. */
#ifndef FLOCK_BACKEND_ARM64_ARM64_H
#define FLOCK_BACKEND_ARM64_ARM64_H

#include "backend/kernels.h"

/* 128-bit registers, carry-less multiplication of 64 bits; SHA-256 by what the processor has. */
const struct kernels *neon_table(void);
const struct prover_kernels *neon_prover_table(void);

void neon_linear64_prepare(struct linear64 *map, const gf128 weights[64]);
void neon_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high);
void neon_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                        const struct linear64 *high);
void neon_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                           size_t stride_words, size_t n_words, size_t n_rows,
                           const struct linear64 *maps);
/* images[i] = map(words[i]), i < 64 */
void neon_map_words(gf128 images[64], const uint64_t words[64], const struct linear64 *map);
void neon_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                     size_t n_groups);

/* The SHA-2 instructions. */
void sha2_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);
void sha2_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                      size_t ahead);
/* Prover only. */
bool sha2_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                     uint64_t count);

#endif
