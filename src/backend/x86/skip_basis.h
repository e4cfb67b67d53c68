/*
 * The basis x^0 .. x^15 of GF(2^128) over its subfield of 256 elements: an element is
 * sum_j x^j phi(c_j), with 16 bytes c_j for coordinates, in which products are those of polynomials
 * over GF(2^8).
 */
#ifndef FLOCK_BACKEND_X86_SKIP_BASIS_H
#define FLOCK_BACKEND_X86_SKIP_BASIS_H

#include "field/gf8.h"

/* The coordinates of x v from those of v: a step of a shift register. */
static inline void coordinates_mul_x(uint8_t c[16])
{
    /* Those of x^16, from the minimal polynomial of x over the subfield. */
    static const uint8_t x_to_16[16] = {
        0xe9, 0xde, 0x59, 0x20, 0xf5, 0x1e, 0x9c, 0x19,
        0x36, 0x69, 0xf9, 0xa1, 0x4e, 0xc3, 0xe2, 0x1c,
    };
    uint8_t top = c[15];

    for (unsigned j = 16; j-- > 0;) {
        c[j] = (j > 0 ? c[j - 1] : 0) ^ gf8_mul(top, x_to_16[j]);
    }
}

#endif
