/*
 * GF(2^128) = GF(2)[x] / (x^128 + x^7 + x^2 + x + 1), spec 01, 1.3.
 *
 * Bit i of lo is the coefficient of x^i, bit i of hi that of x^(64+i); no bit reflection. On a
 * little-endian machine the struct's bytes are the wire encoding. Addition is XOR.
 */
#ifndef FLOCK_FIELD_GF128_H
#define FLOCK_FIELD_GF128_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

typedef struct gf128 {
    uint64_t lo, hi;
} gf128;

#define GF128_ZERO ((gf128){0, 0})
#define GF128_ONE  ((gf128){1, 0})

static inline gf128 gf128_add(gf128 a, gf128 b)
{
    return (gf128){a.lo ^ b.lo, a.hi ^ b.hi};
}

static inline bool gf128_equal(gf128 a, gf128 b)
{
    return ((a.lo ^ b.lo) | (a.hi ^ b.hi)) == 0;
}

/* The element whose polynomial has the bits of n as coefficients. */
static inline gf128 gf128_from_u64(uint64_t n)
{
    return (gf128){n, 0};
}

/* a * x */
static inline gf128 gf128_mul_x(gf128 a)
{
    uint64_t carry = a.hi >> 63;
    return (gf128){(a.lo << 1) ^ (carry * 0x87), (a.hi << 1) | (a.lo >> 63)};
}

/* Wire encoding: 16 bytes, lo then hi, little-endian. Every string is valid. */
static inline gf128 gf128_load(const uint8_t bytes[16])
{
    return (gf128){load_le64(bytes), load_le64(bytes + 8)};
}

static inline void gf128_store(uint8_t bytes[16], gf128 a)
{
    store_le64(bytes, a.lo);
    store_le64(bytes + 8, a.hi);
}

/* a * b, by the backend in use. */
gf128 gf128_mul(gf128 a, gf128 b);

/* a * b in plain C: the definition. */
gf128 gf128_mul_portable(gf128 a, gf128 b);

static inline gf128 gf128_square(gf128 a)
{
    return gf128_mul(a, a);
}

/* a^(2^128 - 2); the inverse of 0 is 0 (spec 01, 1.3.3). */
gf128 gf128_inverse(gf128 a);

#endif
