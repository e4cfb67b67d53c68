/*
 * SHA-256 of eight messages at a time: vector t holds word t of all eight, one a lane. A round
 * costs 37 vector instructions, a word of the schedule 21.
 */
#ifndef FLOCK_BACKEND_X86_AVX2_SHA256_ROUNDS_H
#define FLOCK_BACKEND_X86_AVX2_SHA256_ROUNDS_H

#include <immintrin.h>
#include <stdint.h>

#include "hash/sha256.h"

typedef __m256i u32x8;

static inline u32x8 u32x8_all(uint32_t v)
{
    return _mm256_set1_epi32((int)v);
}

static inline u32x8 u32x8_add(u32x8 a, u32x8 b)
{
    return _mm256_add_epi32(a, b);
}

static inline u32x8 u32x8_xor(u32x8 a, u32x8 b)
{
    return _mm256_xor_si256(a, b);
}

static inline u32x8 u32x8_and(u32x8 a, u32x8 b)
{
    return _mm256_and_si256(a, b);
}

static inline u32x8 u32x8_xor3(u32x8 a, u32x8 b, u32x8 c)
{
    return u32x8_xor(u32x8_xor(a, b), c);
}

static inline u32x8 u32x8_rotr(u32x8 v, int n)
{
    return _mm256_or_si256(_mm256_srli_epi32(v, n), _mm256_slli_epi32(v, 32 - n));
}

/* One round (FIPS 180-4, 6.2.2, step 3) without moving the words: they change their names. */
static inline void avx2_round(u32x8 a, u32x8 b, u32x8 c, u32x8 *d, u32x8 e, u32x8 f, u32x8 g,
                              u32x8 *h, u32x8 wk)
{
    u32x8 sum1 = u32x8_xor3(u32x8_rotr(e, 6), u32x8_rotr(e, 11), u32x8_rotr(e, 25));
    u32x8 choice = u32x8_xor(g, u32x8_and(e, u32x8_xor(f, g)));
    u32x8 t1 = u32x8_add(u32x8_add(*h, wk), u32x8_add(sum1, choice));
    u32x8 sum0 = u32x8_xor3(u32x8_rotr(a, 2), u32x8_rotr(a, 13), u32x8_rotr(a, 22));
    u32x8 majority = u32x8_xor(b, u32x8_and(u32x8_xor(a, b), u32x8_xor(b, c)));
    *d = u32x8_add(*d, t1);
    *h = u32x8_add(t1, u32x8_add(sum0, majority));
}

/* Eight rounds, after which the words have their names again; wk: W + K. */
static inline void avx2_rounds8(u32x8 s[8], const u32x8 wk[8])
{
    avx2_round(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], wk[0]);
    avx2_round(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], wk[1]);
    avx2_round(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], wk[2]);
    avx2_round(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], wk[3]);
    avx2_round(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], wk[4]);
    avx2_round(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], wk[5]);
    avx2_round(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], wk[6]);
    avx2_round(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], wk[7]);
}

/* Rounds t .. t+7 of words w. */
static inline void avx2_rounds8_words(u32x8 s[8], const u32x8 w[8], int t)
{
    u32x8 wk[8];
    for (int i = 0; i < 8; i++) {
        wk[i] = u32x8_add(w[i], u32x8_all(sha256_round_constants[t + i]));
    }
    avx2_rounds8(s, wk);
}

/* Words first .. 15 of a window of the schedule by those that come 16 later. */
static inline void avx2_extend(u32x8 w[16], int first)
{
    for (int t = first; t < 16; t++) {
        u32x8 w2 = w[(t + 14) & 15], w15 = w[(t + 1) & 15];
        u32x8 sigma0 =
            u32x8_xor3(u32x8_rotr(w15, 7), u32x8_rotr(w15, 18), _mm256_srli_epi32(w15, 3));
        u32x8 sigma1 =
            u32x8_xor3(u32x8_rotr(w2, 17), u32x8_rotr(w2, 19), _mm256_srli_epi32(w2, 10));
        w[t] = u32x8_add(u32x8_add(w[t], w[(t + 9) & 15]), u32x8_add(sigma0, sigma1));
    }
}

#endif
