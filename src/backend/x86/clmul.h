/*
 * Registers of GF(2^128) elements, CLMUL_LANES each: 1 (PCLMULQDQ, 128 bits), 2 or 4 (VPCLMULQDQ,
 * 256 or 512 bits). Every 128-bit lane holds one element [lo | hi]. backend/clmul/products.h
 * multiplies with them.
 */
#ifndef FLOCK_BACKEND_X86_CLMUL_H
#define FLOCK_BACKEND_X86_CLMUL_H

#include <immintrin.h>

#include "field/gf128.h"

#define INLINE static inline __attribute__((always_inline))

enum { LANES = CLMUL_LANES };

/*
 * What is added to `a` later is added later: sums of many products as a balanced tree would need
 * more registers than there are.
 */
#define IN_ORDER(a) __asm__("" : "+v"(a))

/* Not _mm_set_epi64x(): compilers make that a 16-byte load behind two 8-byte stores, which waits.
 */
INLINE __m128i pair(gf128 a)
{
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)a.lo),
                              _mm_cvtsi64_si128((long long)a.hi));
}

/* After streamed stores, before anyone else may read what they wrote. */
static inline void end_of_stream(void)
{
    _mm_sfence();
}

#if CLMUL_LANES == 1

typedef __m128i vec;

/* Halves of a and b: bit 0 and bit 4 of `which`. */
#define CLMUL(a, b, which) _mm_clmulepi64_si128(a, b, which)

INLINE vec zero(void)
{
    return _mm_setzero_si128();
}

INLINE vec add(vec a, vec b)
{
    return _mm_xor_si128(a, b);
}

INLINE vec add3(vec a, vec b, vec c)
{
    return add(add(a, b), c);
}

INLINE vec all(gf128 a)
{
    return pair(a);
}

/* [0 | lo] and [hi | 0] */
INLINE vec half_up(vec a)
{
    return _mm_slli_si128(a, 8);
}

INLINE vec half_down(vec a)
{
    return _mm_srli_si128(a, 8);
}

/* [hi | lo] */
INLINE vec swap_halves(vec a)
{
    return _mm_shuffle_epi32(a, 0x4e);
}

/* The halves of `counts` say by how many bits, 64 for all of them. */
INLINE vec shift_left(vec a, gf128 counts)
{
    return _mm_sllv_epi64(a, pair(counts));
}

INLINE vec shift_right(vec a, gf128 counts)
{
    return _mm_srlv_epi64(a, pair(counts));
}

INLINE gf128 lane_0(vec a)
{
    return (gf128){(uint64_t)_mm_cvtsi128_si64(a), (uint64_t)_mm_extract_epi64(a, 1)};
}

INLINE gf128 sum_lanes(vec a)
{
    return lane_0(a);
}

/* The first k <= LANES elements of an array; missing ones are 0. */
INLINE vec load(const gf128 *p, size_t k)
{
    (void)k;
    return _mm_loadu_si128((const __m128i *)p);
}

/* The elements p, p + step, .. */
INLINE vec load_spaced(const gf128 *p, size_t step)
{
    (void)step;
    return _mm_loadu_si128((const __m128i *)p);
}

INLINE void store(gf128 *p, vec a, size_t k)
{
    (void)k;
    _mm_storeu_si128((__m128i *)p, a);
}

/* Past the caches; p is aligned to the register. */
INLINE void store_streamed(gf128 *p, vec a)
{
    _mm_stream_si128((__m128i *)p, a);
}

/* Two registers of neighbours, as memory has them -> the even ones and the odd ones. */
INLINE void unzip(vec *even, vec *odd, vec first, vec second)
{
    *even = first;
    *odd = second;
}

#elif CLMUL_LANES == 2

typedef __m256i vec;

#define CLMUL(a, b, which) _mm256_clmulepi64_epi128(a, b, which)

INLINE vec zero(void)
{
    return _mm256_setzero_si256();
}

INLINE vec add(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

INLINE vec add3(vec a, vec b, vec c)
{
    return add(add(a, b), c);
}

INLINE vec all(gf128 a)
{
    return _mm256_broadcastsi128_si256(pair(a));
}

INLINE vec half_up(vec a)
{
    return _mm256_bslli_epi128(a, 8);
}

INLINE vec half_down(vec a)
{
    return _mm256_bsrli_epi128(a, 8);
}

INLINE vec swap_halves(vec a)
{
    return _mm256_shuffle_epi32(a, 0x4e);
}

INLINE vec shift_left(vec a, gf128 counts)
{
    return _mm256_sllv_epi64(a, all(counts));
}

INLINE vec shift_right(vec a, gf128 counts)
{
    return _mm256_srlv_epi64(a, all(counts));
}

INLINE gf128 lane_0(vec a)
{
    __m128i lane = _mm256_castsi256_si128(a);
    return (gf128){(uint64_t)_mm_cvtsi128_si64(lane), (uint64_t)_mm_extract_epi64(lane, 1)};
}

INLINE gf128 sum_lanes(vec a)
{
    return lane_0(add(a, _mm256_permute2x128_si256(a, a, 1)));
}

INLINE vec load(const gf128 *p, size_t k)
{
    return k == 1 ? _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)p))
                  : _mm256_loadu_si256((const __m256i *)p);
}

INLINE vec load_spaced(const gf128 *p, size_t step)
{
    __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p));
    return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)(p + step)), 1);
}

INLINE void store(gf128 *p, vec a, size_t k)
{
    if (k == 1) {
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(a));
    } else {
        _mm256_storeu_si256((__m256i *)p, a);
    }
}

INLINE void store_streamed(gf128 *p, vec a)
{
    _mm256_stream_si256((__m256i *)p, a);
}

INLINE void unzip(vec *even, vec *odd, vec first, vec second)
{
    *even = _mm256_permute2x128_si256(first, second, 0x20);
    *odd = _mm256_permute2x128_si256(first, second, 0x31);
}

#else

typedef __m512i vec;

#define CLMUL(a, b, which) _mm512_clmulepi64_epi128(a, b, which)

INLINE vec zero(void)
{
    return _mm512_setzero_si512();
}

INLINE vec add(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

INLINE vec add3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

INLINE vec all(gf128 a)
{
    return _mm512_broadcast_i32x4(pair(a));
}

INLINE vec half_up(vec a)
{
    return _mm512_bslli_epi128(a, 8);
}

INLINE vec half_down(vec a)
{
    return _mm512_bsrli_epi128(a, 8);
}

INLINE vec swap_halves(vec a)
{
    return _mm512_shuffle_epi32(a, 0x4e);
}

INLINE gf128 lane_0(vec a)
{
    __m128i lane = _mm512_castsi512_si128(a);
    return (gf128){(uint64_t)_mm_cvtsi128_si64(lane), (uint64_t)_mm_extract_epi64(lane, 1)};
}

INLINE gf128 sum_lanes(vec a)
{
    vec two = add(a, _mm512_shuffle_i64x2(a, a, 0x4e));
    return lane_0(add(two, _mm512_shuffle_i64x2(two, two, 0xb1)));
}

/* The 64-bit halves of the first k elements. */
INLINE __mmask8 first_halves(size_t k)
{
    return (__mmask8)((1U << 2 * k) - 1);
}

INLINE vec load(const gf128 *p, size_t k)
{
    return k == LANES ? _mm512_loadu_si512(p) : _mm512_maskz_loadu_epi64(first_halves(k), p);
}

INLINE vec load_spaced(const gf128 *p, size_t step)
{
    vec v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + step)), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 2 * step)), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 3 * step)), 3);
}

INLINE void store(gf128 *p, vec a, size_t k)
{
    if (k == LANES) {
        _mm512_storeu_si512(p, a);
    } else {
        _mm512_mask_storeu_epi64(p, first_halves(k), a);
    }
}

INLINE void store_streamed(gf128 *p, vec a)
{
    _mm512_stream_si512((void *)p, a);
}

INLINE void unzip(vec *even, vec *odd, vec first, vec second)
{
    *even = _mm512_shuffle_i64x2(first, second, 0x88);
    *odd = _mm512_shuffle_i64x2(first, second, 0xdd);
}

#endif

#endif
