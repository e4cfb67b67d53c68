#include "backend/x86/sha256_x86.h"

#include <string.h>

#include "backend/prefetch.h"
#include "backend/x86/avx512_sha256_rounds.h"
#include "backend/x86/cpu.h"

#define INLINE static inline __attribute__((always_inline))

/* For a loop of a few hundred instructions: gcc then keeps more of the words in registers. */
#define UNROLLED _Pragma("GCC unroll 4")

/* In each part of 128 bits, 4 x 4 words: word j of row i to word i of row j. 8 shuffles. */
static inline void transpose_words(u32x16 v[4])
{
    u32x16 low_01 = _mm512_unpacklo_epi32(v[0], v[1]), high_01 = _mm512_unpackhi_epi32(v[0], v[1]);
    u32x16 low_23 = _mm512_unpacklo_epi32(v[2], v[3]), high_23 = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(low_01, low_23);
    v[1] = _mm512_unpackhi_epi64(low_01, low_23);
    v[2] = _mm512_unpacklo_epi64(high_01, high_23);
    v[3] = _mm512_unpackhi_epi64(high_01, high_23);
}

/*
 * A block of each message, rows of sixteen words, to columns: 64 shuffles. First half: of messages
 * i .. i+3 words 4 p + j, p < 4, come together in part p of row i + j.
 */
INLINE void load_four(u32x16 rows[4], const uint8_t *const message[4], size_t at)
{
    for (int i = 0; i < 4; i++) {
        rows[i] = u32x16_swap_bytes(_mm512_loadu_si512(message[i] + at));
    }
    transpose_words(rows);
}

/* Second half: rows j, j + 4, j + 8, j + 12 of what the first one gives are 4 x 4 parts. */
INLINE void transpose_parts(u32x16 v[16])
{
    for (int j = 0; j < 4; j++) {
        u32x16 low_01 = _mm512_shuffle_i32x4(v[j], v[j + 4], 0x44);
        u32x16 high_01 = _mm512_shuffle_i32x4(v[j], v[j + 4], 0xEE);
        u32x16 low_23 = _mm512_shuffle_i32x4(v[j + 8], v[j + 12], 0x44);
        u32x16 high_23 = _mm512_shuffle_i32x4(v[j + 8], v[j + 12], 0xEE);
        v[j] = _mm512_shuffle_i32x4(low_01, low_23, 0x88);
        v[j + 4] = _mm512_shuffle_i32x4(low_01, low_23, 0xDD);
        v[j + 8] = _mm512_shuffle_i32x4(high_01, high_23, 0x88);
        v[j + 12] = _mm512_shuffle_i32x4(high_01, high_23, 0xDD);
    }
}

/* The first n of the digests whose words are in `state`: 32 shuffles. */
static inline void store_digests(uint8_t *digests, const u32x16 state[8], size_t n)
{
    const __m512i low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    uint8_t spare[16 * 32], *all = n < 16 ? spare : digests;
    u32x16 v[8];
    for (int i = 0; i < 8; i++) {
        v[i] = u32x16_swap_bytes(state[i]);
    }
    transpose_words(v);
    transpose_words(v + 4);
    /* Part p of row j has words 0..3 of digest 4 p + j, of row 4 + j words 4..7. */
    for (int j = 0; j < 4; j++) {
        __m512i digests_01 = _mm512_permutex2var_epi64(v[j], low, v[j + 4]);
        __m512i digests_23 = _mm512_permutex2var_epi64(v[j], high, v[j + 4]);
        _mm256_storeu_si256((__m256i *)(all + 32 * j), _mm512_castsi512_si256(digests_01));
        _mm256_storeu_si256((__m256i *)(all + 32 * (4 + j)),
                            _mm512_extracti64x4_epi64(digests_01, 1));
        _mm256_storeu_si256((__m256i *)(all + 32 * (8 + j)), _mm512_castsi512_si256(digests_23));
        _mm256_storeu_si256((__m256i *)(all + 32 * (12 + j)),
                            _mm512_extracti64x4_epi64(digests_23, 1));
    }
    if (n < 16) {
        memcpy(digests, spare, 32 * n);
    }
}

/*
 * One block of each message, whose rows are already in w. Those of the next one, at `next`, take
 * their place as soon as there is room, in the last sixteen rounds; next = 0: there is none.
 */
INLINE void compress_block(u32x16 state[8], u32x16 w[16], const uint8_t *const message[16],
                           size_t next)
{
    u32x16 s[8];
    transpose_parts(w);
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    UNROLLED
    for (int t = 0; t < 48; t += 16) {
        avx512_rounds8_extend(s, w, 0, t);
        avx512_rounds8_extend(s, w, 8, t + 8);
    }
    avx512_rounds8_words(s, w, 48);
    if (next != 0) {
        load_four(w, message, next);
        load_four(w + 4, message + 4, next);
    }
    avx512_rounds8_words(s, w + 8, 56);
    if (next != 0) {
        load_four(w + 8, message + 8, next);
        load_four(w + 12, message + 12, next);
    }
    for (int i = 0; i < 8; i++) {
        state[i] = u32x16_add(state[i], s[i]);
    }
}

/* W + K of the block that pads a message of whole blocks: 0x80, zeros, the length in bits. */
static void padding_schedule(uint32_t wk[64], size_t message_bytes)
{
    uint64_t n_bits = 8 * (uint64_t)message_bytes;
    uint32_t w[64] = {0x80000000};
    w[14] = (uint32_t)(n_bits >> 32);
    w[15] = (uint32_t)n_bits;
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint32_t w15 = w[t - 15], w2 = w[t - 2];
            uint32_t sigma0 = (w15 >> 7 | w15 << 25) ^ (w15 >> 18 | w15 << 14) ^ w15 >> 3;
            uint32_t sigma1 = (w2 >> 17 | w2 << 15) ^ (w2 >> 19 | w2 << 13) ^ w2 >> 10;
            w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
        }
        wk[t] = w[t] + sha256_round_constants[t];
    }
}

static inline void compress_padding(u32x16 state[8], const uint32_t padding[64])
{
    u32x16 s[8];
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    for (int t = 0; t < 64; t += 8) {
        u32x16 wk[8];
        for (int i = 0; i < 8; i++) {
            wk[i] = u32x16_all(padding[t + i]);
        }
        avx512_rounds8(s, wk);
    }
    for (int i = 0; i < 8; i++) {
        state[i] = u32x16_add(state[i], s[i]);
    }
}

/* Digests of the first sixteen of n messages, or of all; lanes behind the last repeat the first. */
static void sixteen(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                    size_t ahead, const uint32_t padding[64])
{
    const uint8_t *message[16];
    u32x16 state[8];
    for (size_t lane = 0; lane < 16; lane++) {
        message[lane] = messages + (lane < n ? lane : 0) * message_bytes;
    }
    for (int i = 0; i < 8; i++) {
        state[i] = u32x16_all(sha256_initial[i]);
    }
    u32x16 w[16];
    for (int i = 0; i < 16; i += 4) {
        load_four(w + i, message + i, 0);
    }
    for (size_t at = 0; at < message_bytes; at += 64) {
        compress_block(state, w, message, at + 64 < message_bytes ? at + 64 : 0);
        for (size_t lane = 0; ahead != 0 && lane < 16; lane++) {
            prefetch_for_later(message[lane] + at, ahead);
        }
    }
    compress_padding(state, padding);
    store_digests(digests, state, n < 16 ? n : 16);
}

void avx512_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                        size_t ahead)
{
    /* Fewer messages than that are sooner done two at a time. */
    enum { WORTHWHILE = 10 };
    if (n >= WORTHWHILE) {
        uint32_t padding[64];
        padding_schedule(padding, message_bytes);
        do {
            size_t taken = n < 16 ? n : 16;
            sixteen(digests, messages, message_bytes, n, ahead, padding);
            messages += taken * message_bytes;
            digests += 32 * taken;
            n -= taken;
        } while (n >= WORTHWHILE);
    }
    if (cpu_has_shani()) {
        shani_sha256_many(digests, messages, message_bytes, n, ahead);
    } else {
        avx2_sha256_many(digests, messages, message_bytes, n, ahead);
    }
}
