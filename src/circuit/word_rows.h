/*
 * The rows of 32-bit operations as values (spec 06, 2), and how they are put into a block: adders
 * have 31 rows each and stand side by side at any bit position.
 */
#ifndef FLOCK_CIRCUIT_WORD_ROWS_H
#define FLOCK_CIRCUIT_WORD_ROWS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static inline uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* x + y; *left and *right get the values of its 31 rows in A0 and B0. */
static inline uint32_t add_rows(uint32_t x, uint32_t y, uint32_t *left, uint32_t *right)
{
    uint32_t sum = x + y;
    uint32_t carry_in = sum ^ x ^ y;
    *left = (x ^ carry_in) & 0x7fffffff;
    *right = (y ^ carry_in) & 0x7fffffff;
    return sum;
}

/* Up to 256 consecutive rows. */
struct rows256 {
    uint64_t q[4];
};

/* Eight adders side by side; entries of absent adders are 0. */
static inline struct rows256 join_adders(const uint32_t f[8])
{
    uint64_t f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5], f6 = f[6], f7 = f[7];
    return (struct rows256){{
        f0 | f1 << 31 | f2 << 62,
        f2 >> 2 | f3 << 29 | f4 << 60,
        f4 >> 4 | f5 << 27 | f6 << 58,
        f6 >> 6 | f7 << 25,
    }};
}

/*
 * Put n 64-bit values at bit `base`. Blocks are written in ascending order: bits below `base` in
 * the first word are kept, what lies above the values in the last word becomes zero. Touches n + 1
 * words.
 */
static inline void put_rows(uint64_t *block, uint32_t base, const uint64_t *values, size_t n)
{
    uint64_t *w = block + base / 64;
    unsigned up = base % 64, down = 63 - up;
    w[0] = (up == 0 ? 0 : w[0]) | values[0] << up;
    for (size_t i = 1; i < n; i++) {
        w[i] = values[i] << up | values[i - 1] >> 1 >> down;
    }
    w[n] = values[n - 1] >> 1 >> down;
}

/* Put 2n words of 32 bits at bit `base`, in the same way. */
static inline void put_words(uint64_t *block, uint32_t base, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value = pair(words[2 * i], words[2 * i + 1]);
        put_rows(block, base + 64 * (uint32_t)i, &value, 1);
    }
}

/* Store 2n words of 32 bits at bit `base`, a multiple of 64; nothing else is touched. */
static inline void store_words(uint64_t *block, uint32_t base, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        block[base / 64 + i] = pair(words[2 * i], words[2 * i + 1]);
    }
}

/* Put n words of 64 ones. */
static inline void put_ones(uint64_t *block, uint32_t base, size_t n)
{
    const uint64_t ones = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        put_rows(block, base + 64 * (uint32_t)i, &ones, 1);
    }
}

#endif
