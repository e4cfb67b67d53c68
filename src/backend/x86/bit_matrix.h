/*
 * GF(2)-linear maps from 64 bits to GF(2^128) as 8 x 8 bit matrices (GFNI, AVX-512). A map is 128
 * of them, 1 KiB: matrix[b][c] says what byte b of the argument contributes to byte c of the image.
 * Eight arguments are taken at a time, their bytes of equal index side by side:
 *
 *     byte[b], b < 8  byte b of words 0 .. 7, which goes to all eight 64-bit lanes
 *     y.low           lane c: byte c of the images of words 0 .. 7         (c = 0 .. 7)
 *     y.high          lane c: byte c + 8
 *
 * so that one multiplication by eight matrices side by side makes eight bytes of eight images: 16
 * multiplications for eight words, 32 for eight elements, and no table larger than L1.
 *
 * VGF2P8AFFINEQB multiplies each byte by the matrix in its lane: bit i of the product is the parity
 * of the byte AND byte 7-i of the matrix.
 */
#ifndef FLOCK_BACKEND_X86_BIT_MATRIX_H
#define FLOCK_BACKEND_X86_BIT_MATRIX_H

#include <immintrin.h>

#include "backend/kernels.h"

#define INLINE static inline __attribute__((always_inline))

/* For loops over arrays that are meant to be registers, whatever the level of optimisation. */
#define UNROLLED _Pragma("GCC unroll 16")

/* A form of struct linear64. */
struct bit_map {
    __m512i matrix[8][2];
};

INLINE const struct bit_map *const_bit_map(const struct linear64 *map)
{
    return (const struct bit_map *)map->words;
}

INLINE __m512i xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

INLINE __m512i product(__m512i bytes, __m512i matrices)
{
    return _mm512_gf2p8affine_epi64_epi8(bytes, matrices, 0);
}

/* ---- bytes of eight words ---- */

/* What eight elements, or their images, are: two registers of 64-bit words or of bytes. */
struct bytes16x8 {
    __m512i low, high;
};

/* Byte i of each lane is the lane's number. */
INLINE __m512i lane_numbers(void)
{
    return _mm512_setr_epi64(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303,
                             0x0404040404040404, 0x0505050505050505, 0x0606060606060606,
                             0x0707070707070707);
}

/* Byte i of `order`, a multiple of 8, says where word i stands: lane b := bytes b of words 0 .. 7.
 */
INLINE __m512i transpose(__m512i words, uint64_t order)
{
    __m512i index = _mm512_add_epi8(_mm512_set1_epi64((long long)order), lane_numbers());
    return _mm512_permutexvar_epi8(index, words);
}

enum { IN_ORDER, REVERSED };

/* Eight words in memory order: its own inverse. */
INLINE __m512i transpose_words(__m512i words)
{
    return transpose(words, 0x3830282018100800);
}

/* The halves of elements 0-3 and 4-7, which unpacking leaves in the order 0 4 1 5 2 6 3 7. */
INLINE struct bytes16x8 transpose_elements(__m512i first, __m512i second, int order)
{
    uint64_t at = order == IN_ORDER ? 0x3828180830201000 : 0x0010203008182838;
    return (struct bytes16x8){transpose(_mm512_unpacklo_epi64(first, second), at),
                              transpose(_mm512_unpackhi_epi64(first, second), at)};
}

/* Images -> elements 0-3 and 4-7. */
INLINE void join_elements(__m512i *first, __m512i *second, struct bytes16x8 y)
{
    /* lane q := word q of 0 4 1 5 2 6 3 7 */
    __m512i number = _mm512_setr_epi64(0, 0x0404040404040404, 0x0101010101010101,
                                       0x0505050505050505, 0x0202020202020202, 0x0606060606060606,
                                       0x0303030303030303, 0x0707070707070707);
    __m512i index = _mm512_add_epi8(_mm512_set1_epi64(0x3830282018100800), number);
    __m512i low = _mm512_permutexvar_epi8(index, y.low);
    __m512i high = _mm512_permutexvar_epi8(index, y.high);
    *first = _mm512_unpacklo_epi64(low, high);
    *second = _mm512_unpackhi_epi64(low, high);
}

/* ---- maps ---- */

/*
 * Bytes are broadcast from memory, which is free; from a register it takes the port of all
 * shuffles. This keeps a compiler from doing so, after it has written them.
 */
#define READ_BACK(array) __asm__("" : "+m"(array))

INLINE __m512i broadcast(const uint64_t *bytes)
{
    return _mm512_set1_epi64((long long)*bytes);
}

/* The image of eight words, byte[b] = their bytes b: 16 multiplications. */
INLINE struct bytes16x8 image_of_words(const uint64_t byte[8], const struct bit_map *map)
{
    struct bytes16x8 y = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    UNROLLED
    for (int b = 0; b < 8; b += 2) {
        __m512i x0 = broadcast(byte + b), x1 = broadcast(byte + b + 1);
        y.low = xor3(y.low, product(x0, map->matrix[b][0]), product(x1, map->matrix[b + 1][0]));
        y.high = xor3(y.high, product(x0, map->matrix[b][1]), product(x1, map->matrix[b + 1][1]));
    }
    return y;
}

/* The image low(lo) + high(hi) of eight elements: 32 multiplications. */
INLINE struct bytes16x8 image_of_elements(const uint64_t byte[16], const struct bit_map *low,
                                          const struct bit_map *high)
{
    struct bytes16x8 y = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    UNROLLED
    for (int b = 0; b < 8; b++) {
        __m512i x0 = broadcast(byte + b), x1 = broadcast(byte + b + 8);
        y.low = xor3(y.low, product(x0, low->matrix[b][0]), product(x1, high->matrix[b][0]));
        y.high = xor3(y.high, product(x0, low->matrix[b][1]), product(x1, high->matrix[b][1]));
    }
    return y;
}

/* Writes the bytes of eight elements for the function above. */
INLINE void store_bytes(uint64_t byte[16], __m512i first, __m512i second)
{
    struct bytes16x8 x = transpose_elements(first, second, IN_ORDER);
    _mm512_storeu_si512(byte, x.low);
    _mm512_storeu_si512(byte + 8, x.high);
}

/* Matrices whose row i are the bits i of bytes c of eight elements, in lanes c: columns in their
 * order. */
INLINE struct bytes16x8 matrices(const gf128 elements[8])
{
    struct bytes16x8 x = transpose_elements(_mm512_loadu_si512(elements),
                                            _mm512_loadu_si512(elements + 4), REVERSED);
    const __m512i antidiagonal = _mm512_set1_epi64(0x0102040810204080);
    return (struct bytes16x8){product(antidiagonal, x.low), product(antidiagonal, x.high)};
}

/* The map with these images of the unit vectors. */
INLINE void bit_map_prepare(struct bit_map *map, const gf128 weights[64])
{
    for (int b = 0; b < 8; b++) {
        struct bytes16x8 m = matrices(weights + 8 * b);
        map->matrix[b][0] = m.low;
        map->matrix[b][1] = m.high;
    }
}

#endif
