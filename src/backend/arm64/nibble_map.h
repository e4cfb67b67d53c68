/*
 * GF(2)-linear maps from 64 bits to GF(2^128) by table look-ups in registers (TBL). For each of the
 * 16 nibbles n of the argument and each of the 16 bytes c of the image, 16 bytes say what the
 * nibble's values contribute: table[n][c], 4 KiB. Arguments are taken 64 at a time, transposed so
 * that a register holds the same byte of 16 of them:
 *
 *     bytes[k].quarter[q], k < 8     byte k of arguments 16 q + 0 .. 15        (q < 4)
 *     image[c].quarter[q], c < 16    byte c of their images
 *
 * 16 bytes of images are 16 look-ups and 16 additions; loading a table serves four registers. With
 * the transpositions about 41 operations of 128 bits an argument, and no table larger than L1.
 */
#ifndef FLOCK_BACKEND_ARM64_NIBBLE_MAP_H
#define FLOCK_BACKEND_ARM64_NIBBLE_MAP_H

#include <arm_neon.h>

#include "backend/kernels.h"

/* For loops over arrays that are meant to be registers, whatever the level of optimisation. */
#define UNROLLED _Pragma("GCC unroll 16")

struct bytes64 {
    uint8x16_t quarter[4];
};

struct nibble_map {
    uint8x16_t table[16][16];
};

/* The form of struct linear64 in the backend "neon". */
static inline struct nibble_map *nibble_map(struct linear64 *map)
{
    return (struct nibble_map *)map->words;
}

static inline const struct nibble_map *const_nibble_map(const struct linear64 *map)
{
    return (const struct nibble_map *)map->words;
}

static inline struct bytes64 no_bytes(void)
{
    uint8x16_t zero = vdupq_n_u8(0);
    return (struct bytes64){{zero, zero, zero, zero}};
}

static inline struct bytes64 add_bytes(struct bytes64 a, struct bytes64 b)
{
    return (struct bytes64){
        {veorq_u8(a.quarter[0], b.quarter[0]), veorq_u8(a.quarter[1], b.quarter[1]),
         veorq_u8(a.quarter[2], b.quarter[2]), veorq_u8(a.quarter[3], b.quarter[3])}};
}

/* Byte j of register i <-> byte i of register j. 64 operations. */
static inline void transpose_bytes(uint8x16_t v[16])
{
    /* A perfect shuffle of the 256 bytes rotates their 8-bit addresses; four exchange the halves.
     */
    UNROLLED
    for (int round = 0; round < 4; round++) {
        uint8x16_t t[16];
        UNROLLED
        for (int i = 0; i < 8; i++) {
            t[2 * i] = vzip1q_u8(v[i], v[i + 8]);
            t[2 * i + 1] = vzip2q_u8(v[i], v[i + 8]);
        }
        UNROLLED
        for (int i = 0; i < 16; i++) {
            v[i] = t[i];
        }
    }
}

/* 16 elements a quarter */
static inline void load_elements(uint8x16_t v[16], const gf128 elements[16])
{
    UNROLLED
    for (int i = 0; i < 16; i++) {
        v[i] = vld1q_u8((const uint8_t *)(elements + i));
    }
}

/* One quarter of the images, back as elements. */
static inline void join_bytes(uint8x16_t v[16], const struct bytes64 image[16], int quarter)
{
    UNROLLED
    for (int c = 0; c < 16; c++) {
        v[c] = image[c].quarter[quarter];
    }
    transpose_bytes(v);
}

static inline void add_nibble(struct bytes64 *sum, uint8x16_t table, struct bytes64 x)
{
    UNROLLED
    for (int q = 0; q < 4; q++) {
        sum->quarter[q] = veorq_u8(sum->quarter[q], vqtbl1q_u8(table, x.quarter[q]));
    }
}

/* Adds the images of 64 arguments of which only the first n_bytes <= 8 bytes may be non-zero. */
static inline void add_images(struct bytes64 image[16], const struct bytes64 *bytes,
                              unsigned n_bytes, const struct nibble_map *map)
{
    struct bytes64 nibbles[16];

    for (unsigned k = 0; k < n_bytes; k++) {
        UNROLLED
        for (int q = 0; q < 4; q++) {
            nibbles[2 * k].quarter[q] = vandq_u8(bytes[k].quarter[q], vdupq_n_u8(15));
            nibbles[2 * k + 1].quarter[q] = vshrq_n_u8(bytes[k].quarter[q], 4);
        }
    }
    /* Four bytes of the images at a time: sixteen sums in registers. */
    for (unsigned c = 0; c < 16; c += 4) {
        struct bytes64 sum0 = image[c], sum1 = image[c + 1];
        struct bytes64 sum2 = image[c + 2], sum3 = image[c + 3];
        for (unsigned n = 0; n < 2 * n_bytes; n++) {
            const uint8x16_t *table = &map->table[n][c];
            struct bytes64 x = nibbles[n];
            add_nibble(&sum0, table[0], x);
            add_nibble(&sum1, table[1], x);
            add_nibble(&sum2, table[2], x);
            add_nibble(&sum3, table[3], x);
        }
        image[c] = sum0;
        image[c + 1] = sum1;
        image[c + 2] = sum2;
        image[c + 3] = sum3;
    }
}

/* The map with these images of the unit vectors. */
static inline void nibble_map_prepare(struct nibble_map *map, const gf128 weights[64])
{
    for (int n = 0; n < 16; n++) {
        uint8x16_t sums[16];
        sums[0] = vdupq_n_u8(0);
        for (int bit = 0; bit < 4; bit++) {
            uint8x16_t weight = vld1q_u8((const uint8_t *)(weights + 4 * n + bit));
            for (int v = 0; v < 1 << bit; v++) {
                sums[v + (1 << bit)] = veorq_u8(sums[v], weight);
            }
        }
        transpose_bytes(sums);
        for (int c = 0; c < 16; c++) {
            map->table[n][c] = sums[c];
        }
    }
}

#endif
