/*
 * The portable form of struct linear64: table[b][v], b < 8, v < 256, is the image of byte value v
 * at byte b of the word.
 */
#ifndef FLOCK_BACKEND_PORTABLE_LINEAR_H
#define FLOCK_BACKEND_PORTABLE_LINEAR_H

#include "backend/kernels.h"

static inline gf128 linear64_entry(const struct linear64 *map, unsigned byte, unsigned value)
{
    const uint64_t *words = map->words + 2 * (256 * byte + value);
    return (gf128){words[0], words[1]};
}

/* The image of a word of which only the lowest n_bytes bytes may be non-zero. 8 look-ups. */
static inline gf128 linear64_image(const struct linear64 *map, uint64_t bits, unsigned n_bytes)
{
    gf128 sum = linear64_entry(map, 0, bits & 0xff);
    for (unsigned b = 1; b < n_bytes; b++) {
        sum = gf128_add(sum, linear64_entry(map, b, bits >> 8 * b & 0xff));
    }
    return sum;
}

#endif
