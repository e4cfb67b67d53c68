/*
 * GF(2^128) by carry-less multiplication, CLMUL_LANES elements in a register: 1 (PCLMULQDQ, 128
 * bits), 2 or 4 (VPCLMULQDQ, 256 or 512 bits). Every 128-bit lane holds one element [lo | hi].
 *
 * A product of two variables is kept unreduced in three lanes (Karatsuba, 3 multiplications):
 * a_0 b_0, (a_0 + a_1) (b_0 + b_1), a_1 b_1. So sums of products cost no reduction, which takes 2.
 *
 * A product by a value t that is used more than once, with t' = t x^64 mod p known, is
 * x t = x_0 t + x_1 t' (4 multiplications) of 192 bits only: 1 to reduce.
 */
#ifndef FLOCK_BACKEND_X86_CLMUL_H
#define FLOCK_BACKEND_X86_CLMUL_H

#include <immintrin.h>

#include "field/gf128.h"

#define INLINE static inline __attribute__((always_inline))

enum { LANES = CLMUL_LANES };

/* Not _mm_set_epi64x(): compilers make that a 16-byte load behind two 8-byte stores, which waits.
 */
INLINE __m128i pair(gf128 a)
{
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)a.lo),
                              _mm_cvtsi64_si128((long long)a.hi));
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

INLINE vec in_lane_0(gf128 a)
{
    return pair(a);
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

INLINE void store(gf128 *p, vec a, size_t k)
{
    (void)k;
    _mm_storeu_si128((__m128i *)p, a);
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

/* The other lane is not defined. */
INLINE vec in_lane_0(gf128 a)
{
    return _mm256_castsi128_si256(pair(a));
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

INLINE void store(gf128 *p, vec a, size_t k)
{
    if (k == 1) {
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(a));
    } else {
        _mm256_storeu_si256((__m256i *)p, a);
    }
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

/* The other lanes are not defined. */
INLINE vec in_lane_0(gf128 a)
{
    return _mm512_castsi128_si512(pair(a));
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

INLINE void store(gf128 *p, vec a, size_t k)
{
    if (k == LANES) {
        _mm512_storeu_si512(p, a);
    } else {
        _mm512_mask_storeu_epi64(p, first_halves(k), a);
    }
}

INLINE void unzip(vec *even, vec *odd, vec first, vec second)
{
    *even = _mm512_shuffle_i64x2(first, second, 0x88);
    *odd = _mm512_shuffle_i64x2(first, second, 0xdd);
}

#endif

/* How many of n <= 2 LANES elements are in the first register. */
INLINE size_t in_first(size_t n)
{
    return n < LANES ? n : LANES;
}

/* The first k <= LANES pairs of neighbours. */
INLINE void load_pairs(vec *even, vec *odd, const gf128 *p, size_t k)
{
    vec second = 2 * k > LANES ? load(p + LANES, 2 * k - LANES) : zero();
    unzip(even, odd, load(p, in_first(2 * k)), second);
}

/* x^128 mod p */
INLINE vec x128(void)
{
    return all(gf128_from_u64(0x87));
}

/* A factor that is used more than once: t and t x^64 mod p. */
struct factor {
    vec t, t_x64;
};

INLINE struct factor factor(vec t)
{
    return (struct factor){t, add(half_up(t), CLMUL(t, x128(), 0x01))};
}

INLINE vec times(vec x, struct factor f)
{
    vec low = add(CLMUL(x, f.t, 0x00), CLMUL(x, f.t_x64, 0x01));
    vec high = add(CLMUL(x, f.t, 0x10), CLMUL(x, f.t_x64, 0x11));
    return add(add(low, half_up(high)), CLMUL(high, x128(), 0x01));
}

/* The same if t is a polynomial of degree < 64: 2 multiplications and 1. */
INLINE vec times_short(vec x, struct factor f)
{
    vec high = CLMUL(x, f.t, 0x01);
    return add(add(CLMUL(x, f.t, 0x00), half_up(high)), CLMUL(high, x128(), 0x01));
}

/* A sum of products, not reduced: sums of a_0 b_0, (a_0 + a_1) (b_0 + b_1), a_1 b_1. */
struct products {
    vec low, both, high;
};

INLINE struct products no_products(void)
{
    return (struct products){zero(), zero(), zero()};
}

INLINE void add_product(struct products *sum, vec a, vec b)
{
    vec a_both = add(a, swap_halves(a)), b_both = add(b, swap_halves(b));
    sum->low = add(sum->low, CLMUL(a, b, 0x00));
    sum->both = add(sum->both, CLMUL(a_both, b_both, 0x00));
    sum->high = add(sum->high, CLMUL(a, b, 0x11));
}

/* The coefficient of x^192 goes to x^64, then what stands at x^128 goes to 1. */
INLINE vec reduce(struct products sum)
{
    vec mid = add(sum.both, add(sum.low, sum.high));
    mid = add(mid, CLMUL(sum.high, x128(), 0x01));
    vec at_x128 = add(sum.high, half_down(mid));
    return add(add(sum.low, half_up(mid)), CLMUL(at_x128, x128(), 0x00));
}

#endif
