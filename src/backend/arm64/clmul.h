/*
 * Registers of one element of GF(2^128), [lo | hi]. backend/clmul/products.h multiplies with them.
 */
#ifndef FLOCK_BACKEND_ARM64_CLMUL_H
#define FLOCK_BACKEND_ARM64_CLMUL_H

#include <arm_neon.h>

#include "field/gf128.h"

#define INLINE static inline __attribute__((always_inline))

enum { LANES = 1 };

typedef uint64x2_t vec;

/* What is added to `a` later is added later: a sum of many products needs few registers. */
#define IN_ORDER(a) __asm__("" : "+w"(a))

INLINE vec product_of_low(vec a, vec b)
{
    poly64_t a_low = (poly64_t)vgetq_lane_u64(a, 0), b_low = (poly64_t)vgetq_lane_u64(b, 0);
    return vreinterpretq_u64_p128(vmull_p64(a_low, b_low));
}

INLINE vec product_of_high(vec a, vec b)
{
    return vreinterpretq_u64_p128(
        vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

/*
 * Halves of a and b: bit 0 and bit 4 of `which`. The instructions take the same half of both; where
 * they are not the same, that of b is moved, and in a loop only once if b is always the same.
 */
INLINE vec CLMUL(vec a, vec b, int which)
{
    switch (which) {
    case 0x00:
        return product_of_low(a, b);
    case 0x01:
        return product_of_high(a, vdupq_laneq_u64(b, 0));
    case 0x10:
        return product_of_low(a, vdupq_laneq_u64(b, 1));
    default:
        return product_of_high(a, b);
    }
}

INLINE vec zero(void)
{
    return vdupq_n_u64(0);
}

INLINE vec add(vec a, vec b)
{
    return veorq_u64(a, b);
}

INLINE vec add3(vec a, vec b, vec c)
{
    return add(add(a, b), c);
}

INLINE vec all(gf128 a)
{
    return vcombine_u64(vcreate_u64(a.lo), vcreate_u64(a.hi));
}

/* [0 | lo] and [hi | 0] */
INLINE vec half_up(vec a)
{
    return vextq_u64(zero(), a, 1);
}

INLINE vec half_down(vec a)
{
    return vextq_u64(a, zero(), 1);
}

/* [hi | lo] */
INLINE vec swap_halves(vec a)
{
    return vextq_u64(a, a, 1);
}

/* [lo of a | lo of b] and [hi of a | hi of b] */
INLINE vec low_halves(vec a, vec b)
{
    return vzip1q_u64(a, b);
}

INLINE vec high_halves(vec a, vec b)
{
    return vzip2q_u64(a, b);
}

INLINE gf128 lane_0(vec a)
{
    return (gf128){vgetq_lane_u64(a, 0), vgetq_lane_u64(a, 1)};
}

INLINE gf128 sum_lanes(vec a)
{
    return lane_0(a);
}

/* The first k <= LANES elements of an array. */
INLINE vec load(const gf128 *p, size_t k)
{
    (void)k;
    return vld1q_u64((const uint64_t *)p);
}

/* The elements p, p + step, .. */
INLINE vec load_spaced(const gf128 *p, size_t step)
{
    return load(p, step);
}

INLINE void store(gf128 *p, vec a, size_t k)
{
    (void)k;
    vst1q_u64((uint64_t *)p, a);
}

/* A core that sees whole lines being written does not read them first: no store of its own kind. */
INLINE void store_streamed(gf128 *p, vec a)
{
    store(p, a, LANES);
}

static inline void end_of_stream(void)
{
}

/* Two registers of neighbours, as memory has them -> the even ones and the odd ones. */
INLINE void unzip(vec *even, vec *odd, vec first, vec second)
{
    *even = first;
    *odd = second;
}

#endif
