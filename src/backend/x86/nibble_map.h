/*
 * GF(2)-linear maps from 64 bits to GF(2^128) by byte shuffles (AVX2). For each of the 16 nibbles n
 * of the argument and each of the 16 bytes c of the image, 16 bytes say what the nibble's values
 * contribute: table[n][c], 4 KiB. Arguments are taken 64 at a time, transposed so that a register
 * holds the same byte of 32 of them:
 *
 *     bytes[k].half[h], k < 8     byte k of arguments 32 h + 0 .. 31        (h = 0, 1)
 *     image[c].half[h], c < 16    byte c of their images
 *
 * 32 bytes of images are 16 shuffles and 16 additions; loading a table serves two registers. With
 * the transpositions about 22 operations of 256 bits an argument, and no table larger than L1.
 */
#ifndef FLOCK_BACKEND_X86_NIBBLE_MAP_H
#define FLOCK_BACKEND_X86_NIBBLE_MAP_H

#include <immintrin.h>

#include "backend/kernels.h"

/* For loops over arrays that are meant to be registers, whatever the level of optimisation. */
#define UNROLLED _Pragma("GCC unroll 16")

struct bytes64 {
    __m256i half[2];
};

struct nibble_map {
    __m128i table[16][16];
};

/* The form of struct linear64 in the x86 backends. */
static inline struct nibble_map *nibble_map(struct linear64 *map)
{
    return (struct nibble_map *)map->words;
}

static inline const struct nibble_map *const_nibble_map(const struct linear64 *map)
{
    return (const struct nibble_map *)map->words;
}

/* In each 128-bit lane: byte j of register i <-> byte i of register j. 64 operations. */
static inline void transpose_bytes(__m256i v[16])
{
    /* A perfect shuffle of the 256 bytes rotates their 8-bit addresses; four exchange the halves.
     */
    UNROLLED
    for (int round = 0; round < 4; round++) {
        __m256i t[16];
        UNROLLED
        for (int i = 0; i < 8; i++) {
            t[2 * i] = _mm256_unpacklo_epi8(v[i], v[i + 8]);
            t[2 * i + 1] = _mm256_unpackhi_epi8(v[i], v[i + 8]);
        }
        UNROLLED
        for (int i = 0; i < 16; i++) {
            v[i] = t[i];
        }
    }
}

/* Bits of y that `low` says <-> those of x that are `shift` higher. */
static inline void swap_bits(__m256i *x, __m256i *y, int shift, __m256i low)
{
    __m256i t = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi16(*x, shift), *y), low);
    *x = _mm256_xor_si256(*x, _mm256_slli_epi16(t, shift));
    *y = _mm256_xor_si256(*y, t);
}

/* In each nibble: bit j of register i <-> bit i of register j. 24 operations. */
static inline void transpose_nibbles(__m256i v[4])
{
    const __m256i even = _mm256_set1_epi8(0x55), even_pairs = _mm256_set1_epi8(0x33);
    swap_bits(&v[0], &v[1], 1, even);
    swap_bits(&v[2], &v[3], 1, even);
    swap_bits(&v[0], &v[2], 2, even_pairs);
    swap_bits(&v[1], &v[3], 2, even_pairs);
}

/* 32 elements a half: element 16 l + i in lane l of register i. */
static inline void load_lanes(__m256i v[16], const gf128 elements[32])
{
    UNROLLED
    for (int i = 0; i < 16; i++) {
        __m128i low = _mm_loadu_si128((const __m128i *)(elements + i));
        __m128i high = _mm_loadu_si128((const __m128i *)(elements + 16 + i));
        v[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    }
}

static inline void store_lanes(gf128 elements[32], const __m256i v[16])
{
    UNROLLED
    for (int i = 0; i < 16; i += 2) {
        __m256i low = _mm256_permute2x128_si256(v[i], v[i + 1], 0x20);
        __m256i high = _mm256_permute2x128_si256(v[i], v[i + 1], 0x31);
        _mm256_storeu_si256((__m256i *)(elements + i), low);
        _mm256_storeu_si256((__m256i *)(elements + 16 + i), high);
    }
}

/* One half of the images, back as elements in the order of load_lanes(). */
static inline void join_bytes(__m256i v[16], const struct bytes64 image[16], int half)
{
    UNROLLED
    for (int c = 0; c < 16; c++) {
        v[c] = image[c].half[half];
    }
    transpose_bytes(v);
}

static inline void add_nibble(struct bytes64 *sum, const __m128i *table, struct bytes64 x)
{
    __m256i t = _mm256_broadcastsi128_si256(*table);
    sum->half[0] = _mm256_xor_si256(sum->half[0], _mm256_shuffle_epi8(t, x.half[0]));
    sum->half[1] = _mm256_xor_si256(sum->half[1], _mm256_shuffle_epi8(t, x.half[1]));
}

static inline __m256i low_nibbles(__m256i bytes)
{
    return _mm256_and_si256(bytes, _mm256_set1_epi8(15));
}

static inline __m256i high_nibbles(__m256i bytes)
{
    return low_nibbles(_mm256_srli_epi16(bytes, 4));
}

/*
 * Four bytes of the images at a time, so that eight sums are in registers: += what n_nibbles
 * nibbles of the arguments contribute. The tables of these bytes for nibble n are the four at
 * tables + n * stride.
 */
static inline __attribute__((always_inline)) void add_nibbles(struct bytes64 sum[4],
                                                              const struct bytes64 *nibbles,
                                                              unsigned n_nibbles,
                                                              const __m128i *tables, size_t stride)
{
    struct bytes64 sum0 = sum[0], sum1 = sum[1];
    struct bytes64 sum2 = sum[2], sum3 = sum[3];
#pragma GCC unroll 4
    for (unsigned n = 0; n < n_nibbles; n++) {
        const __m128i *table = tables + n * stride;
        struct bytes64 x = nibbles[n];
        add_nibble(&sum0, table, x);
        add_nibble(&sum1, table + 1, x);
        add_nibble(&sum2, table + 2, x);
        add_nibble(&sum3, table + 3, x);
    }
    sum[0] = sum0;
    sum[1] = sum1;
    sum[2] = sum2;
    sum[3] = sum3;
}

/* Adds the images of 64 arguments of which only the first n_bytes <= 8 bytes may be non-zero. */
static inline void add_images(struct bytes64 image[16], const struct bytes64 *bytes,
                              unsigned n_bytes, const struct nibble_map *map)
{
    struct bytes64 nibbles[16];

    for (unsigned k = 0; k < n_bytes; k++) {
        for (int h = 0; h < 2; h++) {
            nibbles[2 * k].half[h] = low_nibbles(bytes[k].half[h]);
            nibbles[2 * k + 1].half[h] = high_nibbles(bytes[k].half[h]);
        }
    }
    for (int c = 0; c < 16; c += 4) {
        add_nibbles(image + c, nibbles, 2 * n_bytes, &map->table[0][c], 16);
    }
}

/* The map with these images of the unit vectors. */
static inline void nibble_map_prepare(struct nibble_map *map, const gf128 weights[64])
{
    for (int n = 0; n < 16; n += 2) {
        __m256i sums[16];
        sums[0] = _mm256_setzero_si256();
        for (int bit = 0; bit < 4; bit++) {
            __m128i low = _mm_loadu_si128((const __m128i *)(weights + 4 * n + bit));
            __m128i high = _mm_loadu_si128((const __m128i *)(weights + 4 * n + 4 + bit));
            __m256i weight = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
            for (int v = 0; v < 1 << bit; v++) {
                sums[v + (1 << bit)] = _mm256_xor_si256(sums[v], weight);
            }
        }
        transpose_bytes(sums);
        for (int c = 0; c < 16; c++) {
            map->table[n][c] = _mm256_castsi256_si128(sums[c]);
            map->table[n + 1][c] = _mm256_extracti128_si256(sums[c], 1);
        }
    }
}

#endif
