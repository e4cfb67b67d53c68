#include "backend/portable/sha256_kernels.h"

#include <string.h>

#include "base/bytes.h"
#include "hash/sha256.h"

static inline uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* FIPS 180-4, 6.2.2. The schedule is kept in a window of 16 words, W[t mod 16]. */
static void compress_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[16];
    for (int t = 0; t < 16; t++) {
        w[t] = load_be32(block + 4 * t);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint32_t w2 = w[(t - 2) & 15], w15 = w[(t - 15) & 15];
            uint32_t sigma0 = rotr(w15, 7) ^ rotr(w15, 18) ^ w15 >> 3;
            uint32_t sigma1 = rotr(w2, 17) ^ rotr(w2, 19) ^ w2 >> 10;
            w[t & 15] += sigma1 + w[(t - 7) & 15] + sigma0;
        }
        uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
        uint32_t choice = g ^ (e & (f ^ g));
        uint32_t t1 = h + sum1 + choice + sha256_round_constants[t] + w[t & 15];
        uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        uint32_t majority = (a & b) | (c & (a | b));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void portable_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks)
{
    for (size_t i = 0; i < n_blocks; i++) {
        compress_block(state, blocks + 64 * i);
    }
}

void portable_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n)
{
    uint8_t padding[64] = {0x80};
    store_be64(padding + 56, 8 * (uint64_t)message_bytes);
    for (size_t i = 0; i < n; i++) {
        uint32_t state[8];
        memcpy(state, sha256_initial, sizeof state);
        portable_sha256_compress(state, messages + i * message_bytes, message_bytes / 64);
        compress_block(state, padding);
        for (int j = 0; j < 8; j++) {
            store_be32(digests + 32 * i + 4 * j, state[j]);
        }
    }
}
