#include "backend/portable/sha256_kernels.h"

#include <string.h>

#include "base/bytes.h"
#include "hash/sha256.h"

static inline uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* One round (FIPS 180-4, 6.2.2, step 3) without moving the words: they change their names. */
static inline void round_step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e,
                              uint32_t f, uint32_t g, uint32_t *h, uint32_t wk)
{
    uint32_t sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    uint32_t choice = g ^ (e & (f ^ g));
    uint32_t t1 = *h + sum1 + choice + wk;
    uint32_t sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    uint32_t majority = b ^ ((a ^ b) & (b ^ c));
    *d += t1;
    *h = t1 + sum0 + majority;
}

/* The next 16 words of the schedule in place of the last 16. */
static inline void extend_schedule(uint32_t w[16])
{
    for (int t = 0; t < 16; t++) {
        uint32_t w2 = w[(t + 14) & 15], w15 = w[(t + 1) & 15];
        uint32_t sigma0 = rotr(w15, 7) ^ rotr(w15, 18) ^ w15 >> 3;
        uint32_t sigma1 = rotr(w2, 17) ^ rotr(w2, 19) ^ w2 >> 10;
        w[t] += sigma1 + w[(t + 9) & 15] + sigma0;
    }
}

static void compress_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[16];
    for (int t = 0; t < 16; t++) {
        w[t] = load_be32(block + 4 * t);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t += 8) {
        if (t >= 16 && t % 16 == 0) {
            extend_schedule(w);
        }
        const uint32_t *k = sha256_round_constants + t, *v = w + t % 16;
        round_step(a, b, c, &d, e, f, g, &h, v[0] + k[0]);
        round_step(h, a, b, &c, d, e, f, &g, v[1] + k[1]);
        round_step(g, h, a, &b, c, d, e, &f, v[2] + k[2]);
        round_step(f, g, h, &a, b, c, d, &e, v[3] + k[3]);
        round_step(e, f, g, &h, a, b, c, &d, v[4] + k[4]);
        round_step(d, e, f, &g, h, a, b, &c, v[5] + k[5]);
        round_step(c, d, e, &f, g, h, a, &b, v[6] + k[6]);
        round_step(b, c, d, &e, f, g, h, &a, v[7] + k[7]);
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

void portable_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                          size_t ahead)
{
    (void)ahead;
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
