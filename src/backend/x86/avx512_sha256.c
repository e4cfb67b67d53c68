#include "backend/x86/sha256_x86.h"

#include <string.h>

#include "backend/prefetch.h"
#include "backend/x86/avx512_sha256_rounds.h"
#include "backend/x86/cpu.h"

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

/* A block of each message, rows of sixteen words, to columns: 64 shuffles. */
static inline void load_words(u32x16 w[16], const uint8_t *const message[16], size_t at)
{
    u32x16 v[16];
    for (int i = 0; i < 16; i++) {
        v[i] = u32x16_swap_bytes(_mm512_loadu_si512(message[i] + at));
    }
    for (int i = 0; i < 16; i += 4) {
        transpose_words(v + i);
    }
    /* Part p of row i + j has word 4 p + j of four messages: 4 x 4 parts. */
    for (int j = 0; j < 4; j++) {
        u32x16 low_01 = _mm512_shuffle_i32x4(v[j], v[j + 4], 0x44);
        u32x16 high_01 = _mm512_shuffle_i32x4(v[j], v[j + 4], 0xEE);
        u32x16 low_23 = _mm512_shuffle_i32x4(v[j + 8], v[j + 12], 0x44);
        u32x16 high_23 = _mm512_shuffle_i32x4(v[j + 8], v[j + 12], 0xEE);
        w[j] = _mm512_shuffle_i32x4(low_01, low_23, 0x88);
        w[j + 4] = _mm512_shuffle_i32x4(low_01, low_23, 0xDD);
        w[j + 8] = _mm512_shuffle_i32x4(high_01, high_23, 0x88);
        w[j + 12] = _mm512_shuffle_i32x4(high_01, high_23, 0xDD);
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
 * Sets of sixteen messages side by side. A round waits for the one before, and one set does not
 * fill the units meanwhile; two have 16 words of state in registers, so their 32 words of the
 * schedule are in memory. Rounds are written out for both: a loop that it has to unroll costs clang
 * 14 registers.
 */
enum { MOST_SETS = 2 };

struct sets {
    u32x16 of[MOST_SETS][8];
};

#define FOR_SETS for (int k = 0; k < n_sets; k++)

AVX512_INLINE void add_sets(struct sets *sums, const struct sets *s, int n_sets)
{
    FOR_SETS
    {
        for (int i = 0; i < 8; i++) {
            sums->of[k][i] = u32x16_add(sums->of[k][i], s->of[k][i]);
        }
    }
}

/* Keeps a compiler from holding as many words in registers as there are, and moving the others. */
#define IN_MEMORY(w) __asm__("" : "+m"(w))

/* One block of each message. */
AVX512_INLINE void compress_block(struct sets *state, const uint8_t *const *message, size_t at,
                                  int n_sets)
{
    u32x16 w[MOST_SETS][16];
    struct sets s = *state;
    FOR_SETS
    {
        load_words(w[k], message + 16 * k, at);
    }
    for (int t = 0; t < 48; t += 16) {
        IN_MEMORY(w);
        AVX512_UNROLLED
        for (int i = 0; i < 16; i++) {
            avx512_round_extend(s.of[0], w[0], i, t + i);
            if (n_sets > 1) {
                avx512_round_extend(s.of[1], w[1], i, t + i);
            }
        }
    }
    IN_MEMORY(w);
    AVX512_UNROLLED
    for (int i = 0; i < 16; i++) {
        avx512_round_number(s.of[0], i, avx512_with_constant(w[0][i], 48 + i));
        if (n_sets > 1) {
            avx512_round_number(s.of[1], i, avx512_with_constant(w[1][i], 48 + i));
        }
    }
    add_sets(state, &s, n_sets);
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

AVX512_INLINE void compress_padding(struct sets *state, const uint32_t padding[64], int n_sets)
{
    struct sets s = *state;
    for (int t = 0; t < 64; t += 8) {
        AVX512_UNROLLED
        for (int i = 0; i < 8; i++) {
            avx512_round_number(s.of[0], i, u32x16_all(padding[t + i]));
            if (n_sets > 1) {
                avx512_round_number(s.of[1], i, u32x16_all(padding[t + i]));
            }
        }
    }
    add_sets(state, &s, n_sets);
}

/* Digests of n <= 16 n_sets messages; lanes behind the last repeat the first. */
AVX512_INLINE void hash_sets(uint8_t *digests, const uint8_t *messages, size_t message_bytes,
                             size_t n, size_t ahead, const uint32_t padding[64], int n_sets)
{
    const size_t lanes = 16 * (size_t)n_sets;
    const uint8_t *message[16 * MOST_SETS];
    struct sets state;
    for (size_t lane = 0; lane < lanes; lane++) {
        message[lane] = messages + (lane < n ? lane : 0) * message_bytes;
    }
    FOR_SETS
    {
        for (int i = 0; i < 8; i++) {
            state.of[k][i] = u32x16_all(sha256_initial[i]);
        }
    }
    for (size_t at = 0; at < message_bytes; at += 64) {
        compress_block(&state, message, at, n_sets);
        for (size_t lane = 0; ahead != 0 && lane < lanes; lane++) {
            prefetch_for_later(message[lane] + at, ahead);
        }
    }
    compress_padding(&state, padding, n_sets);
    FOR_SETS
    {
        size_t before = 16 * (size_t)k;
        store_digests(digests + 32 * before, state.of[k], n - before < 16 ? n - before : 16);
    }
}

static void sixteen(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                    size_t ahead, const uint32_t padding[64])
{
    hash_sets(digests, messages, message_bytes, n, ahead, padding, 1);
}

static void thirty_two(uint8_t *digests, const uint8_t *messages, size_t message_bytes,
                       size_t ahead, const uint32_t padding[64])
{
    hash_sets(digests, messages, message_bytes, 32, ahead, padding, 2);
}

void avx512_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                        size_t ahead)
{
    /* Fewer messages than that are sooner done two at a time. */
    enum { WORTHWHILE = 10 };
    if (n >= WORTHWHILE) {
        uint32_t padding[64];
        padding_schedule(padding, message_bytes);
        for (; n >= 32; n -= 32, messages += 32 * message_bytes, digests += 32 * 32) {
            thirty_two(digests, messages, message_bytes, ahead, padding);
        }
        while (n >= WORTHWHILE) {
            size_t taken = n < 16 ? n : 16;
            sixteen(digests, messages, message_bytes, taken, ahead, padding);
            messages += taken * message_bytes;
            digests += 32 * taken;
            n -= taken;
        }
    }
    if (cpu_has_shani()) {
        shani_sha256_many(digests, messages, message_bytes, n, ahead);
    } else {
        avx2_sha256_many(digests, messages, message_bytes, n, ahead);
    }
}
