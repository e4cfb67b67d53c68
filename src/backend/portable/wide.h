/*
 * Carry-less products in plain C, unreduced: 128 x 128 -> 256 bits. Sums of products are
 * accumulated in this form and reduced once (spec 01, 1.3.3).
 */
#ifndef FLOCK_BACKEND_PORTABLE_WIDE_H
#define FLOCK_BACKEND_PORTABLE_WIDE_H

#include "field/gf128.h"

/* Bit i of word k is the coefficient of x^(64k+i). */
struct wide {
    uint64_t w[4];
};

/* 64 x 64 -> 128 bits, of integers. */
static inline gf128 integer_product(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 p = (unsigned __int128)a * b;
    return (gf128){(uint64_t)p, (uint64_t)(p >> 64)};
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t mid = a1 * b0 + (low >> 32);
    uint64_t mid2 = a0 * b1 + (uint32_t)mid;
    return (gf128){mid2 << 32 | (uint32_t)low, a1 * b1 + (mid >> 32) + (mid2 >> 32)};
#endif
}

/*
 * 64 x 64 -> 128 bits, without carries, by integer multiplications with holes: each operand is
 * split into four words holding every fourth bit, so that a column of an integer product of two
 * such words sums few enough ones to stay within its four bits; its lowest bit is the sum over
 * GF(2). Columns could reach 16 ones if both words had 16 bits, so the top four bits of b are
 * treated apart. 16 multiplications.
 */
static inline gf128 carryless_product(uint64_t a, uint64_t b)
{
    const uint64_t every_fourth = 0x1111111111111111;
    gf128 product = GF128_ZERO;
    for (unsigned i = 60; i < 64; i++) {
        uint64_t mask = -(b >> i & 1);
        product.lo ^= a << i & mask;
        product.hi ^= a >> (64 - i) & mask;
    }
    b &= ~((uint64_t)0xf << 60);
    for (unsigned s = 0; s < 4; s++) {
        gf128 columns = GF128_ZERO;
        for (unsigned i = 0; i < 4; i++) {
            columns = gf128_add(
                columns, integer_product(a & every_fourth << i, b & every_fourth << ((s - i) & 3)));
        }
        product.lo ^= columns.lo & every_fourth << s;
        product.hi ^= columns.hi & every_fourth << s;
    }
    return product;
}

static inline struct wide wide_add(struct wide a, struct wide b)
{
    return (struct wide){{a.w[0] ^ b.w[0], a.w[1] ^ b.w[1], a.w[2] ^ b.w[2], a.w[3] ^ b.w[3]}};
}

/* Karatsuba: three products of 64 bits. */
static inline struct wide wide_product(gf128 a, gf128 b)
{
    gf128 low = carryless_product(a.lo, b.lo);
    gf128 high = carryless_product(a.hi, b.hi);
    gf128 mid = carryless_product(a.lo ^ a.hi, b.lo ^ b.hi);
    mid = gf128_add(mid, gf128_add(low, high));
    return (struct wide){{low.lo, low.hi ^ mid.lo, high.lo ^ mid.hi, high.hi}};
}

/* x^128 = x^7 + x^2 + x + 1; what leaves bit 127 of the high half first joins its low bits. */
static inline gf128 wide_reduce(struct wide a)
{
    uint64_t h1 = a.w[3];
    uint64_t h0 = a.w[2] ^ h1 >> 63 ^ h1 >> 62 ^ h1 >> 57;
    return (gf128){
        a.w[0] ^ h0 ^ h0 << 1 ^ h0 << 2 ^ h0 << 7,
        a.w[1] ^ h1 ^ (h1 << 1 | h0 >> 63) ^ (h1 << 2 | h0 >> 62) ^ (h1 << 7 | h0 >> 57),
    };
}

static inline gf128 gf128_product(gf128 a, gf128 b)
{
    return wide_reduce(wide_product(a, b));
}

#endif
