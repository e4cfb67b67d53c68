/*
 * The univariate-skip domain (spec 01, 1.7): S = phi(0..63), Lambda = phi(64..127). Lagrange
 * weights of all three node sets at a point z; z may be a node.
 */
#ifndef FLOCK_FIELD_SKIP_DOMAIN_H
#define FLOCK_FIELD_SKIP_DOMAIN_H

#include "field/gf128.h"

enum {
    SKIP_LOG = 6,  /* k_skip */
    SKIP_SIZE = 64 /* |S| = |Lambda| */
};

/* weights[i] = L_i(z): nodes S, degree < 64. */
void lagrange_S(gf128 weights[SKIP_SIZE], gf128 z);

/* weights[i]: node Lambda_i of the rule on Lambda, degree < 64. */
void lagrange_Lambda(gf128 weights[SKIP_SIZE], gf128 z);

/* weights[i]: node Lambda_i of the 128-node rule on S u Lambda, degree < 128. */
void lagrange_V7(gf128 weights[SKIP_SIZE], gf128 z);

/* values on S -> values on Lambda of the polynomial of degree < 64 (spec 01, 1.8). */
void skip_extend(gf128 on_Lambda[SKIP_SIZE], const gf128 on_S[SKIP_SIZE]);

/* table[i + 64 t] = L_i(z) * eq_table(point)[t]: 2^(6+n) entries (spec 01, 1.7.4). */
void quirky_table(gf128 *table, gf128 z, const gf128 *point, size_t n);

/* The seven fixed zerocheck coordinates (spec 01, 1.10). */
extern const gf128 friendly_point[7];

#endif
