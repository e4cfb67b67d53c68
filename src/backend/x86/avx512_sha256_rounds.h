/*
 * SHA-256 of sixteen messages at a time: vector t holds word t of all sixteen, one a lane.
 *
 *     a round                          6 rotations, 4 functions of three bits, 7 additions
 *     a word of the schedule           4 rotations, 2 shifts, 2 functions, 3 additions
 *     a block, 64 rounds, 48 words     1616 instructions for 1024 bytes
 *
 * Constants are added from memory, one word for all lanes.
 */
#ifndef FLOCK_BACKEND_X86_AVX512_SHA256_ROUNDS_H
#define FLOCK_BACKEND_X86_AVX512_SHA256_ROUNDS_H

#include <immintrin.h>
#include <stdint.h>

#include "hash/sha256.h"

/* Loops over arrays that are meant to be registers. */
#define AVX512_INLINE   static inline __attribute__((always_inline))
#define AVX512_UNROLLED _Pragma("GCC unroll 16")

typedef __m512i u32x16;

static inline u32x16 u32x16_all(uint32_t v)
{
    return _mm512_set1_epi32((int)v);
}

static inline u32x16 u32x16_add(u32x16 a, u32x16 b)
{
    return _mm512_add_epi32(a, b);
}

static inline u32x16 u32x16_swap_bytes(u32x16 v)
{
    const u32x16 order =
        _mm512_broadcast_i32x4(_mm_set_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203));
    return _mm512_shuffle_epi8(v, order);
}

/* Functions of three bits by their truth tables, indexed by 4 x + 2 y + z. */
static inline u32x16 u32x16_xor3(u32x16 x, u32x16 y, u32x16 z)
{
    return _mm512_ternarylogic_epi32(x, y, z, 0x96);
}

static inline u32x16 u32x16_choice(u32x16 x, u32x16 y, u32x16 z)
{
    return _mm512_ternarylogic_epi32(x, y, z, 0xCA);
}

static inline u32x16 u32x16_majority(u32x16 x, u32x16 y, u32x16 z)
{
    return _mm512_ternarylogic_epi32(x, y, z, 0xE8);
}

/* The four sums of FIPS 180-4, 4.1.2. */
AVX512_INLINE u32x16 avx512_sum0(u32x16 a)
{
    return u32x16_xor3(_mm512_ror_epi32(a, 2), _mm512_ror_epi32(a, 13), _mm512_ror_epi32(a, 22));
}

AVX512_INLINE u32x16 avx512_sum1(u32x16 e)
{
    return u32x16_xor3(_mm512_ror_epi32(e, 6), _mm512_ror_epi32(e, 11), _mm512_ror_epi32(e, 25));
}

AVX512_INLINE u32x16 avx512_sigma0(u32x16 w)
{
    return u32x16_xor3(_mm512_ror_epi32(w, 7), _mm512_ror_epi32(w, 18), _mm512_srli_epi32(w, 3));
}

AVX512_INLINE u32x16 avx512_sigma1(u32x16 w)
{
    return u32x16_xor3(_mm512_ror_epi32(w, 17), _mm512_ror_epi32(w, 19), _mm512_srli_epi32(w, 10));
}

/* Keeps the compiler from adding in another order. */
static inline u32x16 in_order(u32x16 sum)
{
    __asm__("" : "+v"(sum));
    return sum;
}

/* One round (FIPS 180-4, 6.2.2, step 3) without moving the words: they change their names. */
static inline void avx512_round(u32x16 a, u32x16 b, u32x16 c, u32x16 *d, u32x16 e, u32x16 f,
                                u32x16 g, u32x16 *h, u32x16 wk)
{
    u32x16 early = in_order(u32x16_add(u32x16_add(*h, wk), u32x16_choice(e, f, g)));
    u32x16 t1 = in_order(u32x16_add(early, avx512_sum1(e)));
    *d = u32x16_add(*d, t1);
    *h = u32x16_add(t1, u32x16_add(avx512_sum0(a), u32x16_majority(a, b, c)));
}

/* Round r, counted from one before which the words have their names; wk: W + K. */
AVX512_INLINE void avx512_round_number(u32x16 s[8], int r, u32x16 wk)
{
    avx512_round(s[-r & 7], s[(1 - r) & 7], s[(2 - r) & 7], &s[(3 - r) & 7], s[(4 - r) & 7],
                 s[(5 - r) & 7], s[(6 - r) & 7], &s[(7 - r) & 7], wk);
}

/* Eight rounds, after which the words have their names again. */
AVX512_INLINE void avx512_rounds8(u32x16 s[8], const u32x16 wk[8])
{
    AVX512_UNROLLED
    for (int i = 0; i < 8; i++) {
        avx512_round_number(s, i, wk[i]);
    }
}

/* W[t] + K[t] */
AVX512_INLINE u32x16 avx512_with_constant(u32x16 w, int t)
{
    return u32x16_add(w, u32x16_all(sha256_round_constants[t]));
}

/* Rounds t .. t+7 of words w. */
AVX512_INLINE void avx512_rounds8_words(u32x16 s[8], const u32x16 w[8], int t)
{
    AVX512_UNROLLED
    for (int i = 0; i < 8; i++) {
        avx512_round_number(s, i, avx512_with_constant(w[i], t + i));
    }
}

/* Word t of a window of the schedule by the one that comes 16 later. */
AVX512_INLINE void avx512_extend(u32x16 w[16], int t)
{
    u32x16 early = u32x16_add(u32x16_add(w[t], w[(t + 9) & 15]), avx512_sigma0(w[(t + 1) & 15]));
    w[t] = u32x16_add(in_order(early), avx512_sigma1(w[(t + 14) & 15]));
}

/*
 * Round t by word i of a window, which then gives way to the one that comes 16 later: a round is
 * rich in additions, a word of the schedule in rotations, and they go to different units.
 */
AVX512_INLINE void avx512_round_extend(u32x16 s[8], u32x16 w[16], int i, int t)
{
    avx512_round_number(s, i, avx512_with_constant(w[i], t));
    avx512_extend(w, i);
}

/* Rounds t .. t+7 by words first .. first+7. */
AVX512_INLINE void avx512_rounds8_extend(u32x16 s[8], u32x16 w[16], int first, int t)
{
    AVX512_UNROLLED
    for (int i = 0; i < 8; i++) {
        avx512_round_extend(s, w, first + i, t + i);
    }
}

#endif
