#include "backend/x86/sha256_x86.h"

#include "backend/portable/sha256_kernels.h"
#include "backend/prefetch.h"
#include "backend/x86/avx2_sha256_rounds.h"
#include "base/bytes.h"

/* Rows of eight words to columns. */
static inline void transpose(u32x8 v[8])
{
    u32x8 pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        v[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
        v[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
    }
}

static inline u32x8 swap_bytes(u32x8 v)
{
    const u32x8 order =
        _mm256_broadcastsi128_si256(_mm_set_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203));
    return _mm256_shuffle_epi8(v, order);
}

/* Words 0..7 of the half-blocks of eight messages. */
static inline void load_words(u32x8 w[8], const uint8_t *const message[8], size_t at)
{
    for (int lane = 0; lane < 8; lane++) {
        w[lane] = swap_bytes(_mm256_loadu_si256((const __m256i *)(message[lane] + at)));
    }
    transpose(w);
}

static void compress_block(u32x8 state[8], const uint8_t *const message[8], size_t at)
{
    u32x8 w[16], s[8];
    load_words(w, message, at);
    load_words(w + 8, message, at + 32);
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    for (int t = 0; t < 64; t += 16) {
        if (t > 0) {
            avx2_extend(w, 0);
        }
        avx2_rounds8_words(s, w, t);
        avx2_rounds8_words(s, w + 8, t + 8);
    }
    for (int i = 0; i < 8; i++) {
        state[i] = u32x8_add(state[i], s[i]);
    }
}

/* W + K of the block that pads a message of whole blocks: 0x80, zeros, the length in bits. */
static void padding_schedule(u32x8 wk[64], size_t message_bytes)
{
    u32x8 w[16];
    uint64_t n_bits = 8 * (uint64_t)message_bytes;
    for (int i = 0; i < 16; i++) {
        w[i] = u32x8_all(0);
    }
    w[0] = u32x8_all(0x80000000);
    w[14] = u32x8_all((uint32_t)(n_bits >> 32));
    w[15] = u32x8_all((uint32_t)n_bits);
    for (int t = 0; t < 64; t += 16) {
        for (int i = 0; i < 16; i++) {
            wk[t + i] = u32x8_add(w[i], u32x8_all(sha256_round_constants[t + i]));
        }
        avx2_extend(w, 0);
    }
}

static void compress_padding(u32x8 state[8], const u32x8 wk[64])
{
    u32x8 s[8];
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    for (int t = 0; t < 64; t += 8) {
        avx2_rounds8(s, wk + t);
    }
    for (int i = 0; i < 8; i++) {
        state[i] = u32x8_add(state[i], s[i]);
    }
}

void avx2_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                      size_t ahead)
{
    /* Two messages are sooner done one after the other. */
    if (n > 2) {
        u32x8 padding[64];
        padding_schedule(padding, message_bytes);
        do {
            size_t taken = n < 8 ? n : 8;
            const uint8_t *message[8];
            u32x8 state[8];
            for (size_t lane = 0; lane < 8; lane++) {
                message[lane] = messages + (lane < taken ? lane : 0) * message_bytes;
                state[lane] = u32x8_all(sha256_initial[lane]);
            }
            for (size_t at = 0; at < message_bytes; at += 64) {
                compress_block(state, message, at);
                for (size_t lane = 0; ahead != 0 && lane < 8; lane++) {
                    prefetch_for_later(message[lane] + at, ahead);
                }
            }
            compress_padding(state, padding);
            transpose(state);
            for (size_t lane = 0; lane < taken; lane++) {
                _mm256_storeu_si256((__m256i *)(digests + 32 * lane), swap_bytes(state[lane]));
            }
            messages += taken * message_bytes;
            digests += 32 * taken;
            n -= taken;
        } while (n > 2);
    }
    portable_sha256_many(digests, messages, message_bytes, n, ahead);
}
