#include "hash/blake3.h"

#include <string.h>

#include "base/bytes.h"

const uint32_t blake3_iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

const uint8_t blake3_message_schedule[7][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
    {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
    {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
};

static inline uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static inline void mix(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y)
{
    v[a] += v[b] + x;
    v[d] = rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotr(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = rotr(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = rotr(v[b] ^ v[c], 7);
}

void blake3_compress(uint32_t out[16], const uint32_t cv[8], const uint32_t message[16],
                     uint64_t counter, uint32_t block_len, uint32_t flags)
{
    uint32_t v[16];
    memcpy(v, cv, 32);
    memcpy(v + 8, blake3_iv, 16);
    v[12] = (uint32_t)counter;
    v[13] = (uint32_t)(counter >> 32);
    v[14] = block_len;
    v[15] = flags;
    for (int round = 0; round < 7; round++) {
        const uint8_t *s = blake3_message_schedule[round];
        mix(v, 0, 4, 8, 12, message[s[0]], message[s[1]]);
        mix(v, 1, 5, 9, 13, message[s[2]], message[s[3]]);
        mix(v, 2, 6, 10, 14, message[s[4]], message[s[5]]);
        mix(v, 3, 7, 11, 15, message[s[6]], message[s[7]]);
        mix(v, 0, 5, 10, 15, message[s[8]], message[s[9]]);
        mix(v, 1, 6, 11, 12, message[s[10]], message[s[11]]);
        mix(v, 2, 7, 8, 13, message[s[12]], message[s[13]]);
        mix(v, 3, 4, 9, 14, message[s[14]], message[s[15]]);
    }
    for (int i = 0; i < 8; i++) {
        uint32_t second_half = v[i + 8] ^ cv[i];
        out[i] = v[i] ^ v[i + 8];
        out[i + 8] = second_half;
    }
}

/* Chaining value of a chunk; root_flag is ROOT if the chunk is the whole input, else 0. */
static void chunk_value(uint32_t cv[8], const uint8_t *data, size_t len, uint64_t counter,
                        uint32_t root_flag)
{
    uint32_t flags = BLAKE3_CHUNK_START;
    size_t at = 0;
    memcpy(cv, blake3_iv, 32);
    for (;;) {
        size_t block_len = len - at < 64 ? len - at : 64;
        uint8_t block[64] = {0};
        if (block_len > 0) {
            memcpy(block, data + at, block_len);
        }
        at += block_len;
        if (at == len) {
            flags |= BLAKE3_CHUNK_END | root_flag;
        }
        uint32_t message[16], out[16];
        for (int i = 0; i < 16; i++) {
            message[i] = load_le32(block + 4 * i);
        }
        blake3_compress(out, cv, message, counter, (uint32_t)block_len, flags);
        memcpy(cv, out, 32);
        if (at == len) {
            return;
        }
        flags = 0;
    }
}

void blake3_chunk(uint32_t cv[8], const uint8_t *data, size_t len, uint64_t counter)
{
    chunk_value(cv, data, len, counter, 0);
}

void blake3_parent(uint32_t cv[8], const uint32_t left[8], const uint32_t right[8], int root)
{
    uint32_t message[16], out[16];
    memcpy(message, left, 32);
    memcpy(message + 8, right, 32);
    uint32_t flags = BLAKE3_PARENT | (root ? BLAKE3_ROOT : 0);
    blake3_compress(out, blake3_iv, message, 0, 64, flags);
    memcpy(cv, out, 32);
}

void blake3_init(struct blake3 *context)
{
    context->chunk_len = 0;
    context->n_chunks = 0;
    context->stack_len = 0;
}

/*
 * The full chunk in the buffer is followed by more input, so it is not the root. The stack holds
 * the roots of complete subtrees, one for every set bit of the number of chunks, the largest first:
 * as many merges as the new count has trailing zeros.
 */
static void finish_chunk(struct blake3 *context)
{
    uint32_t cv[8];
    chunk_value(cv, context->chunk, context->chunk_len, context->n_chunks, 0);
    context->n_chunks++;
    context->chunk_len = 0;
    for (uint64_t count = context->n_chunks; (count & 1) == 0; count >>= 1) {
        context->stack_len--;
        blake3_parent(cv, context->stack[context->stack_len], cv, 0);
    }
    memcpy(context->stack[context->stack_len], cv, 32);
    context->stack_len++;
}

void blake3_update(struct blake3 *context, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    while (len > 0) {
        if (context->chunk_len == sizeof context->chunk) {
            finish_chunk(context);
        }
        size_t room = sizeof context->chunk - context->chunk_len;
        size_t taken = len < room ? len : room;
        memcpy(context->chunk + context->chunk_len, bytes, taken);
        context->chunk_len += taken;
        bytes += taken;
        len -= taken;
    }
}

void blake3_digest(const struct blake3 *context, uint8_t digest[32])
{
    uint32_t cv[8];
    unsigned remaining = context->stack_len;
    chunk_value(cv, context->chunk, context->chunk_len, context->n_chunks,
                remaining == 0 ? BLAKE3_ROOT : 0);
    while (remaining > 0) {
        remaining--;
        blake3_parent(cv, context->stack[remaining], cv, remaining == 0);
    }
    for (int i = 0; i < 8; i++) {
        store_le32(digest + 4 * i, cv[i]);
    }
}
