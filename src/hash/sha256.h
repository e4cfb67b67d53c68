/* SHA-256 (FIPS 180-4): incremental context, single compression. Block work goes to the backend. */
#ifndef FLOCK_HASH_SHA256_H
#define FLOCK_HASH_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes absorbed */
    uint8_t buffer[64];
};

extern const uint32_t sha256_initial[8];
extern const uint32_t sha256_round_constants[64];

void sha256_init(struct sha256 *context);
void sha256_update(struct sha256 *context, const void *data, size_t len);
/* The digest of what was absorbed so far; the context is unchanged and may go on. */
void sha256_digest(const struct sha256 *context, uint8_t digest[32]);
/* One-shot. */
void sha256(uint8_t digest[32], const void *data, size_t len);

#endif
