#include "backend/arm64/arm64.h"
#include "backend/arm64/sha2_rounds.h"
#include "backend/prefetch.h"
#include "base/bytes.h"

/* Four rounds, and the words of the schedule that replace the four used. */
static inline void rounds4_schedule(struct sha2_state *s, uint32x4_t *w0, uint32x4_t w4,
                                    uint32x4_t w8, uint32x4_t w12, int t)
{
    sha2_rounds4(s, sha2_add_constants(*w0, t));
    *w0 = sha2_schedule(*w0, w4, w8, w12);
}

static inline struct sha2_state compress_one(struct sha2_state start, const uint8_t block[64])
{
    uint32x4_t w[4];
    struct sha2_state s = start;
    sha2_load_block(w, block);
    for (int t = 0; t < 48; t += 16) {
        rounds4_schedule(&s, &w[0], w[1], w[2], w[3], t);
        rounds4_schedule(&s, &w[1], w[2], w[3], w[0], t + 4);
        rounds4_schedule(&s, &w[2], w[3], w[0], w[1], t + 8);
        rounds4_schedule(&s, &w[3], w[0], w[1], w[2], t + 12);
    }
    for (int i = 0; i < 4; i++) {
        sha2_rounds4(&s, sha2_add_constants(w[i], 48 + 4 * i));
    }
    return sha2_add(s, start);
}

/*
 * Two independent blocks side by side: each of the two instructions of four rounds waits for the
 * result of the four before, and the unit can take the other block's meanwhile.
 */
static inline void compress_two(struct sha2_state state[2], const uint8_t *block0,
                                const uint8_t *block1)
{
    uint32x4_t v[4], w[4];
    struct sha2_state r = state[0], s = state[1];
    sha2_load_block(v, block0);
    sha2_load_block(w, block1);
    for (int t = 0; t < 48; t += 16) {
        rounds4_schedule(&r, &v[0], v[1], v[2], v[3], t);
        rounds4_schedule(&s, &w[0], w[1], w[2], w[3], t);
        rounds4_schedule(&r, &v[1], v[2], v[3], v[0], t + 4);
        rounds4_schedule(&s, &w[1], w[2], w[3], w[0], t + 4);
        rounds4_schedule(&r, &v[2], v[3], v[0], v[1], t + 8);
        rounds4_schedule(&s, &w[2], w[3], w[0], w[1], t + 8);
        rounds4_schedule(&r, &v[3], v[0], v[1], v[2], t + 12);
        rounds4_schedule(&s, &w[3], w[0], w[1], w[2], t + 12);
    }
    for (int i = 0; i < 4; i++) {
        sha2_rounds4(&r, sha2_add_constants(v[i], 48 + 4 * i));
        sha2_rounds4(&s, sha2_add_constants(w[i], 48 + 4 * i));
    }
    state[0] = sha2_add(r, state[0]);
    state[1] = sha2_add(s, state[1]);
}

/* W + K of the block that pads a message of whole blocks: 0x80, zeros, the length in bits. */
static void padding_schedule(uint32x4_t wk[16], size_t message_bytes)
{
    uint8_t block[64] = {0x80};
    uint32x4_t w[4];
    store_be64(block + 56, 8 * (uint64_t)message_bytes);
    sha2_load_block(w, block);
    for (int i = 0; i < 16; i++) {
        wk[i] = sha2_add_constants(w[i % 4], 4 * i);
        w[i % 4] = sha2_schedule(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
    }
}

static inline void store_digest(uint8_t digest[32], struct sha2_state s)
{
    vst1q_u8(digest, vrev32q_u8(vreinterpretq_u8_u32(s.abcd)));
    vst1q_u8(digest + 16, vrev32q_u8(vreinterpretq_u8_u32(s.efgh)));
}

void sha2_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks)
{
    struct sha2_state s = sha2_load_state(state);
    for (size_t i = 0; i < n_blocks; i++) {
        s = compress_one(s, blocks + 64 * i);
    }
    vst1q_u32(state, s.abcd);
    vst1q_u32(state + 4, s.efgh);
}

void sha2_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                      size_t ahead)
{
    if (n == 0) {
        return;
    }
    uint32x4_t padding[16];
    padding_schedule(padding, message_bytes);
    const struct sha2_state start = sha2_load_state(sha256_initial);
    for (; n >= 2; n -= 2) {
        struct sha2_state state[2] = {start, start};
        for (size_t at = 0; at < message_bytes; at += 64) {
            compress_two(state, messages + at, messages + message_bytes + at);
            if (ahead != 0) {
                prefetch_for_later(messages + at, ahead);
                prefetch_for_later(messages + message_bytes + at, ahead);
            }
        }
        struct sha2_state r = state[0], s = state[1];
        for (int i = 0; i < 16; i++) {
            sha2_rounds4(&r, padding[i]);
            sha2_rounds4(&s, padding[i]);
        }
        store_digest(digests, sha2_add(r, state[0]));
        store_digest(digests + 32, sha2_add(s, state[1]));
        messages += 2 * message_bytes;
        digests += 64;
    }
    if (n == 1) {
        struct sha2_state s = start;
        for (size_t at = 0; at < message_bytes; at += 64) {
            s = compress_one(s, messages + at);
        }
        struct sha2_state r = s;
        for (int i = 0; i < 16; i++) {
            sha2_rounds4(&r, padding[i]);
        }
        store_digest(digests, sha2_add(r, s));
    }
}
