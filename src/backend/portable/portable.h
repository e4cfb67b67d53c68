/* The portable versions of all kernels (contracts: backend/kernels.h). Backends may use them. */
#ifndef FLOCK_BACKEND_PORTABLE_PORTABLE_H
#define FLOCK_BACKEND_PORTABLE_PORTABLE_H

#include "backend/kernels.h"

void portable_scale(gf128 *dst, const gf128 *src, gf128 c, size_t n);
void portable_axpy(gf128 *dst, const gf128 *src, gf128 c, size_t n);
gf128 portable_dot(const gf128 *a, const gf128 *b, size_t n);
void portable_eq_expand(gf128 *table, size_t n, gf128 r);
void portable_fold_high(gf128 *f, size_t half, gf128 r);

void portable_linear64_prepare(struct linear64 *map, const gf128 weights[64]);
void portable_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                              const struct linear64 *high);
void portable_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                            const struct linear64 *high);
void portable_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                               size_t stride_words, size_t n_words, size_t n_rows,
                               const struct linear64 *maps);

void portable_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                         size_t n_groups);
void portable_skip_values(gf128 values[64], const gf128 sums[64], const gf128 u[64]);

void portable_zerocheck_cubes_prepare(struct linear64 maps[2], const gf128 weights[64],
                                      const gf128 low[4], const gf128 high[8]);
void portable_zerocheck_cubes(gf128 sums[27], const uint64_t *a, const uint64_t *b,
                              const struct linear64 maps[2], const gf128 *e, size_t n_groups);
void portable_zerocheck_fold_bits_prepare(struct linear64 maps[8], const gf128 weights[8 * 64]);
void portable_zerocheck_fold_bits(gf128 sums[2], gf128 *A, gf128 *B, uint64_t *a, const uint64_t *b,
                                  const struct linear64 maps[8], const gf128 *e, size_t n);
void portable_zerocheck_fold_message(gf128 sums[2], gf128 *A_out, gf128 *B_out, const gf128 *A,
                                     const gf128 *B, gf128 r, const gf128 *e, size_t n);
void portable_fold_low8(gf128 *dst, const gf128 *src, const gf128 e[8], size_t n);
void portable_product_message_low(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n);
void portable_product_fold_message_low(gf128 sums[2], gf128 *f_out, gf128 *w_out, const gf128 *f,
                                       const gf128 *w, gf128 r, size_t n);
void portable_product_message_high(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n);

void portable_butterfly(gf128 *lo, gf128 *hi, gf128 t, size_t n);
void portable_butterfly4(gf128 *dst, size_t dst_stride, const gf128 *src, size_t src_stride,
                         const gf128 t[3], size_t n);
void portable_end_of_stream(void);
void portable_butterfly_transposed(gf128 *lo, gf128 *hi, gf128 t, size_t n);

#endif
