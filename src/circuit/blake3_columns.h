/*
 * Columns of the BLAKE3 block (spec 06, 4.2) and the shape of the computation (4.3).
 *
 *     0    256     512 513          1153            15153    15409   16384
 *     [ cv | out_lo | 1 | 20 inputs  | 56 G blocks   | out_hi | zero   ]
 */
#ifndef FLOCK_CIRCUIT_BLAKE3_COLUMNS_H
#define FLOCK_CIRCUIT_BLAKE3_COLUMNS_H

#include <stdint.h>

enum {
    BLAKE3_K_LOG = 14,
    BLAKE3_CV = 0,
    BLAKE3_OUT_LO = 256,
    BLAKE3_ONE = 512,
    BLAKE3_MESSAGE = 513, /* 16 words, then counter low and high, block_len, flags */
    BLAKE3_COUNTER = 1025,
    BLAKE3_G = 1153,
    BLAKE3_G_BITS = 250,
    BLAKE3_OUT_HI = 15153,
    BLAKE3_USEFUL_BITS = 15409,
    BLAKE3_INPUT_WORDS = 20, /* free words from BLAKE3_MESSAGE on */
};

/* Within a G block: six adders of 31 rows, then the stored words b and d. */
enum {
    BLAKE3_G_ADD = 31,
    BLAKE3_G_B = 186,
    BLAKE3_G_D = 218,
};

/* State words a, b, c, d of the eight G of a round. */
static const uint8_t blake3_lanes[8][4] = {
    {0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14},
};

#endif
