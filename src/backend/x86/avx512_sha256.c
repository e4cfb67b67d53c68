#include "backend/x86/sha256_x86.h"

#include "backend/portable/sha256_kernels.h"
#include "backend/x86/avx512_sha256_rounds.h"
#include "backend/x86/cpu.h"

/*
 * Rows of sixteen words to columns: 4 x 4 words within the parts of 128 bits, then 4 x 4 parts.
 * 64 shuffles.
 */
static inline void transpose(u32x16 v[16])
{
    u32x16 pairs[16], fours[16], halves[16];
    for (int i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    /* fours[4 k + j]: in part p, word 4 p + j of rows 4 k .. 4 k + 3 */
    for (int i = 0; i < 16; i += 4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int j = 0; j < 4; j++) {
        halves[j] = _mm512_shuffle_i32x4(fours[j], fours[j + 4], 0x44);
        halves[j + 4] = _mm512_shuffle_i32x4(fours[j + 8], fours[j + 12], 0x44);
        halves[j + 8] = _mm512_shuffle_i32x4(fours[j], fours[j + 4], 0xEE);
        halves[j + 12] = _mm512_shuffle_i32x4(fours[j + 8], fours[j + 12], 0xEE);
    }
    for (int j = 0; j < 4; j++) {
        v[j] = _mm512_shuffle_i32x4(halves[j], halves[j + 4], 0x88);
        v[j + 4] = _mm512_shuffle_i32x4(halves[j], halves[j + 4], 0xDD);
        v[j + 8] = _mm512_shuffle_i32x4(halves[j + 8], halves[j + 12], 0x88);
        v[j + 12] = _mm512_shuffle_i32x4(halves[j + 8], halves[j + 12], 0xDD);
    }
}

static inline void compress_block(u32x16 state[8], const uint8_t *const message[16], size_t at)
{
    u32x16 w[16], s[8];
    for (int lane = 0; lane < 16; lane++) {
        w[lane] = u32x16_swap_bytes(_mm512_loadu_si512(message[lane] + at));
    }
    transpose(w);
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    for (int t = 0; t < 48; t += 16) {
        avx512_rounds8_words(s, w, t);
        avx512_extend8(w, 0);
        avx512_rounds8_words(s, w + 8, t + 8);
        avx512_extend8(w, 8);
    }
    avx512_rounds8_words(s, w, 48);
    avx512_rounds8_words(s, w + 8, 56);
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

/* Digests of up to sixteen messages; the lanes behind them repeat the first. */
static void sixteen(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                    const uint32_t padding[64])
{
    const uint8_t *message[16];
    u32x16 state[16];
    for (size_t lane = 0; lane < 16; lane++) {
        message[lane] = messages + (lane < n ? lane : 0) * message_bytes;
        state[lane] = u32x16_all(lane < 8 ? sha256_initial[lane] : 0);
    }
    for (size_t at = 0; at < message_bytes; at += 64) {
        compress_block(state, message, at);
    }
    compress_padding(state, padding);
    transpose(state);
    for (size_t lane = 0; lane < n; lane++) {
        _mm256_storeu_si256((__m256i *)(digests + 32 * lane),
                            _mm512_castsi512_si256(u32x16_swap_bytes(state[lane])));
    }
}

void avx512_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n)
{
    /* A few messages are sooner done two at a time. */
    enum { FEW = 10 };
    if (n >= FEW) {
        uint32_t padding[64];
        padding_schedule(padding, message_bytes);
        do {
            size_t taken = n < 16 ? n : 16;
            sixteen(digests, messages, message_bytes, taken, padding);
            messages += taken * message_bytes;
            digests += 32 * taken;
            n -= taken;
        } while (n >= FEW);
    }
    if (cpu_has_shani()) {
        shani_sha256_many(digests, messages, message_bytes, n);
    } else {
        avx2_sha256_many(digests, messages, message_bytes, n);
    }
}
