/*
 * SHA-256 with the SHA extensions. The instructions want the eight words of the state as
 *
 *     lane    3 2 1 0
 *     abef    a b e f
 *     cdgh    c d g h
 *
 * and take two rounds each; four words of the schedule stand in a vector, the first in lane 0.
 */
#ifndef FLOCK_BACKEND_X86_SHANI_ROUNDS_H
#define FLOCK_BACKEND_X86_SHANI_ROUNDS_H

#include <immintrin.h>
#include <stdint.h>

#include "hash/sha256.h"

typedef struct shani_state {
    __m128i abef, cdgh;
} shani_state;

static inline shani_state shani_load_state(const uint32_t words[8])
{
    __m128i dcba = _mm_loadu_si128((const __m128i *)words);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(words + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
    __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    return (shani_state){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xF0)};
}

/* Words a..d and e..h in order. */
static inline void shani_words(__m128i out[2], shani_state s)
{
    __m128i feba = _mm_shuffle_epi32(s.abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xB1);
    out[0] = _mm_blend_epi16(feba, dchg, 0xF0);
    out[1] = _mm_alignr_epi8(dchg, feba, 8);
}

static inline shani_state shani_add(shani_state a, shani_state b)
{
    return (shani_state){_mm_add_epi32(a.abef, b.abef), _mm_add_epi32(a.cdgh, b.cdgh)};
}

/* Rounds t .. t+3; wk: W[t+i] + K[t+i]. */
static inline void shani_rounds4(shani_state *s, __m128i wk)
{
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, wk);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(wk, 0x0E));
}

/* W[t+16 ..] from W[t ..], W[t+4 ..], W[t+8 ..], W[t+12 ..]. */
static inline __m128i shani_schedule(__m128i w0, __m128i w4, __m128i w8, __m128i w12)
{
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8(w12, w8, 4));
    return _mm_sha256msg2_epu32(sum, w12);
}

static inline __m128i shani_add_constants(__m128i w, int t)
{
    return _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)(sha256_round_constants + t)));
}

/* Four bytes of each word in the opposite order. */
static inline __m128i shani_swap_bytes(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_set_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203));
}

static inline void shani_load_block(__m128i w[4], const uint8_t block[64])
{
    for (int i = 0; i < 4; i++) {
        w[i] = shani_swap_bytes(_mm_loadu_si128((const __m128i *)(block + 16 * i)));
    }
}

#endif
