/* Tables and evaluations of multilinear polynomials: spec 01, 1.6. Variable b is bit b of an index.
 */
#ifndef FLOCK_FIELD_MULTILINEAR_H
#define FLOCK_FIELD_MULTILINEAR_H

#include "field/gf128.h"

/* prod_b (1 + a_b + b_b); 1 for n = 0. */
gf128 eq_eval(const gf128 *a, const gf128 *b, size_t n);

/* table[i] = prod_b (bit b of i ? point[b] : 1 + point[b]), i < 2^n. */
void eq_table(gf128 *table, const gf128 *point, size_t n);

/* table[i] = scale * the above. */
void eq_table_scaled(gf128 *table, const gf128 *point, size_t n, gf128 scale);

/* sum_i f[i] * eq_table(point)[i], i < 2^n. Destroys nothing; uses `scratch` of 2^n elements. */
gf128 multilinear_eval(const gf128 *f, const gf128 *point, size_t n, gf128 *scratch);

/*
 * The multilinear extension of "b = a + 1" on n-bit integers, lowest bit first (spec 08, 3.2):
 * sum_j [prod_{l<j} a_l (1+b_l)] (1+a_j) b_j [prod_{l>j} eq(a_l, b_l)]. 0 for n = 0.
 */
gf128 shift_eval(const gf128 *a, const gf128 *b, size_t n);

#endif
