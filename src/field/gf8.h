/* GF(2^8) with x^8+x^4+x^3+x+1, and its embedding phi into GF(2^128): spec 01, 1.2 and 1.4. */
#ifndef FLOCK_FIELD_GF8_H
#define FLOCK_FIELD_GF8_H

#include "field/gf128.h"

uint8_t gf8_mul(uint8_t a, uint8_t b);

/* a^254; the inverse of 0 is 0. */
uint8_t gf8_inverse(uint8_t a);

/* phi(2^i), i = 0..7 */
extern const gf128 phi8_basis[8];

/* The embedding, GF(2)-linear and multiplicative. */
gf128 phi8(uint8_t a);

/* Extension of a row of 64 bits from S to Lambda: m[i ^ k] is the value at node 64+i of the row
 * that is 1 at node k only (spec 01, 1.8). */
extern const uint8_t skip_extension[64];

#endif
