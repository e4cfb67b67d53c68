/*
 * The constants of the skip round with GFNI (skip_gfni.inc): 8 x 8 bit matrices in the form of
 * VGF2P8AFFINEQB, which multiplies each of 8 bytes (of a 64-bit word) by one.
 *
 * Extension. Byte b of a row (spec 01, 1.8) goes to nodes 8i .. 8i+7 by eight matrices, one for
 * each node, which depend on i ^ b only: Z[i ^ b], a vector of eight. So eight rows give
 *
 *     out[i] = sum_b Z[i ^ b] x[b],    x[b] = byte b of the eight rows, out[i] = 8 rows of 8 nodes:
 *
 * a product in the group ring of (Z/2)^3, with Z and x as coefficients. In characteristic 2 this
 * ring is GF(2)[u_0, u_1, u_2] / (u_0^2, u_1^2, u_2^2), u_j = 1 + [2^j]; its basis are products of
 * u_j over sets A, here masks of three bits. With X_A = sum_{b containing A} x[b], likewise Z_A,
 *
 *     out[i] = sum_{D containing i} y_D,    y_D = sum_{A + B = D, disjoint} Z_A X_B.
 *
 * By Karatsuba, the two terms of a pair {A, B} take one product (Z_A + Z_B)(X_A + X_B), and the
 * products Z_A X_A, A in D, are to be added. They are in out[i] as often as there are D containing
 * i and A, which is odd if i and A make up all three:
 *
 *     out[i] = sum_{A or i = 7} Z_A X_A + sum_{pairs, A or B contains i} (Z_A + Z_B)(X_A + X_B).
 *
 * There are 13 pairs: 8 + 13 = 21 products instead of 64, which is the least for this ring as far
 * as a search went. The matrices for row k, of a and of b, also multiply by the square root of x^k.
 *
 * Embedding. The 16 bytes c_j of sum_j x^j phi(c_j) are coordinates of an element (skip_basis.h).
 */
#ifndef FLOCK_BACKEND_X86_SKIP_MATRICES_H
#define FLOCK_BACKEND_X86_SKIP_MATRICES_H

#include <stdalign.h>
#include <stdint.h>

/* The products: A = 0..7, then the pairs (A, B). */
enum {
    P01 = 8,
    P02,
    P03,
    P04,
    P05,
    P06,
    P07,
    P12,
    P14,
    P16,
    P24,
    P25,
    P34,
    SKIP_PRODUCTS,
    SKIP_PAIRS = SKIP_PRODUCTS - P01
};
static const uint8_t skip_pairs[SKIP_PAIRS][2] = {
    {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7},
    {1, 2}, {1, 4}, {1, 6}, {2, 4}, {2, 5}, {3, 4},
};

struct skip_matrices {
    alignas(64) uint64_t extension[8][SKIP_PRODUCTS][8]; /* [k][product][node mod 8] */
    uint64_t coordinates[16][16]; /* byte t of an element -> coordinate j: [t][j] */
    uint64_t embedding[31][16];   /* x^s phi(.) -> byte c of the element: [s][c] */
};

/* The same for all threads; computed by the first one that asks. */
const struct skip_matrices *skip_matrices(void);

#endif
