/* BLAKE3: the compression function, and what the reference format's statement digest needs of the
 * tree mode (plain hash, 32-byte output). */
#ifndef FLOCK_HASH_BLAKE3_H
#define FLOCK_HASH_BLAKE3_H

#include <stddef.h>
#include <stdint.h>

extern const uint32_t blake3_iv[8];
/* message_schedule[round][i]: index of the message word used (spec 06, 4.3). */
extern const uint8_t blake3_message_schedule[7][16];

enum { BLAKE3_CHUNK_START = 1, BLAKE3_CHUNK_END = 2, BLAKE3_PARENT = 4, BLAKE3_ROOT = 8 };

/* out[0..7]: the next chaining value; out[8..15]: the second half after the feed-forward. */
void blake3_compress(uint32_t out[16], const uint32_t cv[8], const uint32_t message[16],
                     uint64_t counter, uint32_t block_len, uint32_t flags);

/* Chaining value of chunk number `counter` (0..1024 bytes; not the root). */
void blake3_chunk(uint32_t cv[8], const uint8_t *data, size_t len, uint64_t counter);
/* Chaining value of a parent node; `root` sets the ROOT flag. cv may be left or right. */
void blake3_parent(uint32_t cv[8], const uint32_t left[8], const uint32_t right[8], int root);

/* Incremental hashing of long inputs (used to recompute constants in tests). */
struct blake3 {
    uint8_t chunk[1024];
    size_t chunk_len;
    uint64_t n_chunks;
    uint32_t stack[54][8];
    unsigned stack_len;
};
void blake3_init(struct blake3 *context);
void blake3_update(struct blake3 *context, const void *data, size_t len);
void blake3_digest(const struct blake3 *context, uint8_t digest[32]);

#endif
