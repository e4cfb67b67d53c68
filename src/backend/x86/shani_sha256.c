#include "backend/x86/sha256_x86.h"

#include "backend/prefetch.h"
#include "backend/x86/shani_rounds.h"
#include "base/bytes.h"

/* Four rounds, and the words of the schedule that replace the four used. */
static inline void rounds4_schedule(shani_state *s, __m128i *w0, __m128i w4, __m128i w8,
                                    __m128i w12, int t)
{
    shani_rounds4(s, shani_add_constants(*w0, t));
    *w0 = shani_schedule(*w0, w4, w8, w12);
}

static inline shani_state compress_one(shani_state start, const uint8_t block[64])
{
    __m128i w[4];
    shani_state s = start;
    shani_load_block(w, block);
    for (int t = 0; t < 48; t += 16) {
        rounds4_schedule(&s, &w[0], w[1], w[2], w[3], t);
        rounds4_schedule(&s, &w[1], w[2], w[3], w[0], t + 4);
        rounds4_schedule(&s, &w[2], w[3], w[0], w[1], t + 8);
        rounds4_schedule(&s, &w[3], w[0], w[1], w[2], t + 12);
    }
    for (int i = 0; i < 4; i++) {
        shani_rounds4(&s, shani_add_constants(w[i], 48 + 4 * i));
    }
    return shani_add(s, start);
}

/*
 * Two independent blocks side by side. One chain of sha256rnds2 waits four cycles for each result
 * while the unit could take another every two cycles: two chains fill it, 32 instructions a block.
 */
static inline void compress_two(shani_state state[2], const uint8_t *block0, const uint8_t *block1)
{
    __m128i v[4], w[4];
    shani_state r = state[0], s = state[1];
    shani_load_block(v, block0);
    shani_load_block(w, block1);
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
        shani_rounds4(&r, shani_add_constants(v[i], 48 + 4 * i));
        shani_rounds4(&s, shani_add_constants(w[i], 48 + 4 * i));
    }
    state[0] = shani_add(r, state[0]);
    state[1] = shani_add(s, state[1]);
}

/* W + K of the block that pads a message of whole blocks: 0x80, zeros, the length in bits. */
static void padding_schedule(__m128i wk[16], size_t message_bytes)
{
    uint8_t block[64] = {0x80};
    __m128i w[4];
    store_be64(block + 56, 8 * (uint64_t)message_bytes);
    shani_load_block(w, block);
    for (int i = 0; i < 16; i++) {
        wk[i] = shani_add_constants(w[i % 4], 4 * i);
        w[i % 4] = shani_schedule(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
    }
}

static inline void store_digest(uint8_t digest[32], shani_state s)
{
    __m128i words[2];
    shani_words(words, s);
    _mm_storeu_si128((__m128i *)digest, shani_swap_bytes(words[0]));
    _mm_storeu_si128((__m128i *)(digest + 16), shani_swap_bytes(words[1]));
}

void shani_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t n_blocks)
{
    __m128i words[2];
    shani_state s = shani_load_state(state);
    for (size_t i = 0; i < n_blocks; i++) {
        s = compress_one(s, blocks + 64 * i);
    }
    shani_words(words, s);
    _mm_storeu_si128((__m128i *)state, words[0]);
    _mm_storeu_si128((__m128i *)(state + 4), words[1]);
}

void shani_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                       size_t ahead)
{
    if (n == 0) {
        return;
    }
    __m128i padding[16];
    padding_schedule(padding, message_bytes);
    const shani_state start = shani_load_state(sha256_initial);
    for (; n >= 2; n -= 2) {
        shani_state state[2] = {start, start};
        for (size_t at = 0; at < message_bytes; at += 64) {
            compress_two(state, messages + at, messages + message_bytes + at);
            if (ahead != 0) {
                prefetch_for_later(messages + at, ahead);
                prefetch_for_later(messages + message_bytes + at, ahead);
            }
        }
        shani_state r = state[0], s = state[1];
        for (int i = 0; i < 16; i++) {
            shani_rounds4(&r, padding[i]);
            shani_rounds4(&s, padding[i]);
        }
        store_digest(digests, shani_add(r, state[0]));
        store_digest(digests + 32, shani_add(s, state[1]));
        messages += 2 * message_bytes;
        digests += 64;
    }
    if (n == 1) {
        shani_state s = start;
        for (size_t at = 0; at < message_bytes; at += 64) {
            s = compress_one(s, messages + at);
        }
        shani_state r = s;
        for (int i = 0; i < 16; i++) {
            shani_rounds4(&r, padding[i]);
        }
        store_digest(digests, shani_add(r, s));
    }
}
