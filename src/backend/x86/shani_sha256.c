#include "backend/x86/sha256_x86.h"

#include "backend/prefetch.h"
#include "backend/x86/shani_rounds.h"
#include "base/bytes.h"

/*
 * Independent messages side by side. Of one, each of the 32 sha256rnds2 waits four cycles for the
 * one before, and the unit could take another after two at most: two streams of instructions hide
 * that, and four what the schedule takes (15 % less than two, on Zen 3, if the compiler is gcc:
 * clang spills so much that it is 30 % more).
 *
 * This file is compiled without AVX: the SHA extensions have only the old encoding, and on Zen 3
 * each of them takes hundreds of cycles after anything has touched the upper halves of registers,
 * which compilers with AVX do where they copy.
 */
#if defined(__clang__)
enum { MOST_STREAMS = 2 };
#else
enum { MOST_STREAMS = 4 };
#endif
#define UNROLLED    _Pragma("GCC unroll 16")
#define FOR_STREAMS UNROLLED for (size_t k = 0; k < MOST_STREAMS; k++) if (k < n_streams)
#define INLINE      static inline __attribute__((always_inline))

/* A block of each message. */
INLINE void compress(shani_state state[], const uint8_t *block, size_t stride, size_t n_streams)
{
    __m128i w[MOST_STREAMS][4];
    shani_state s[MOST_STREAMS];
    FOR_STREAMS
    {
        s[k] = state[k];
        shani_load_block(w[k], block + k * stride);
    }
    UNROLLED
    for (int i = 0; i < 12; i++) {
        FOR_STREAMS
        {
            __m128i *next = &w[k][i % 4];
            shani_rounds4(&s[k], shani_add_constants(*next, 4 * i));
            *next = shani_schedule(*next, w[k][(i + 1) % 4], w[k][(i + 2) % 4], w[k][(i + 3) % 4]);
        }
    }
    UNROLLED
    for (int i = 0; i < 4; i++) {
        FOR_STREAMS shani_rounds4(&s[k], shani_add_constants(w[k][i], 48 + 4 * i));
    }
    FOR_STREAMS state[k] = shani_add(s[k], state[k]);
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
        compress(&s, blocks + 64 * i, 0, 1);
    }
    shani_words(words, s);
    _mm_storeu_si128((__m128i *)state, words[0]);
    _mm_storeu_si128((__m128i *)(state + 4), words[1]);
}

INLINE void hash_streams(uint8_t *digests, const uint8_t *messages, size_t message_bytes,
                         size_t ahead, const __m128i padding[16], size_t n_streams)
{
    shani_state state[MOST_STREAMS], s[MOST_STREAMS];
    FOR_STREAMS state[k] = shani_load_state(sha256_initial);
    for (size_t at = 0; at < message_bytes; at += 64) {
        compress(state, messages + at, message_bytes, n_streams);
        if (ahead != 0) {
            FOR_STREAMS prefetch_for_later(messages + k * message_bytes + at, ahead);
        }
    }
    FOR_STREAMS s[k] = state[k];
    for (int i = 0; i < 16; i++) {
        FOR_STREAMS shani_rounds4(&s[k], padding[i]);
    }
    FOR_STREAMS store_digest(digests + 32 * k, shani_add(s[k], state[k]));
}

void shani_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                       size_t ahead)
{
    if (n == 0) {
        return;
    }
    __m128i padding[16];
    padding_schedule(padding, message_bytes);
    size_t i = 0;
    for (; i + MOST_STREAMS <= n; i += MOST_STREAMS) {
        hash_streams(digests + 32 * i, messages + i * message_bytes, message_bytes, ahead, padding,
                     MOST_STREAMS);
    }
    for (; i + 2 <= n; i += 2) {
        hash_streams(digests + 32 * i, messages + i * message_bytes, message_bytes, ahead, padding,
                     2);
    }
    if (i < n) {
        hash_streams(digests + 32 * i, messages + i * message_bytes, message_bytes, ahead, padding,
                     1);
    }
}
