/*
 * The rows of 32-bit operations of LANES instances (spec 06, 2) and how they are put into columns:
 * word_rows.h side by side.
 */
#ifndef FLOCK_CIRCUIT_LANES32_H
#define FLOCK_CIRCUIT_LANES32_H

#include "circuit/lanes.h"

INLINE vec32 rotr32(vec32 x, int n)
{
    return x >> n | x << (32 - n);
}

/* Writes columns in ascending order. The bits of the word that is not full yet are pending. */
struct writer {
    vec32 *next;
    vec32 pending;
};

/*
 * Put 1 <= bits <= 32 rows at bit `at`, where the last ones ended (only at % 32 matters). At most
 * 4 operations and a store where `at` is a constant.
 */
INLINE void put(struct writer *writer, unsigned at, unsigned bits, vec32 rows)
{
    unsigned used = at % 32;
    writer->pending |= rows << used;
    if (used + bits >= 32) {
        *writer->next++ = writer->pending;
        writer->pending = used == 0 ? all32(0) : rows >> (32 - used);
    }
}

/* End a block of n_words at `columns`: what is pending, then zeros. */
INLINE void put_end(struct writer *writer, const vec32 *columns, size_t n_words)
{
    while (writer->next < columns + n_words) {
        *writer->next++ = writer->pending;
        writer->pending = all32(0);
    }
}

/*
 * x + y, with its 31 rows put on both sides. The carries into the bits are sum ^ x ^ y; a row is a
 * bit of a summand plus the carry into it.
 */
INLINE vec32 put_adder(struct writer *a, struct writer *b, unsigned at, vec32 x, vec32 y)
{
    vec32 sum = x + y;
    put(a, at, 31, (sum ^ y) & 0x7fffffff);
    put(b, at, 31, (sum ^ x) & 0x7fffffff);
    return sum;
}

#endif
