/* Tables of the x86-64 backends, and the kernels that both share. Needs: cpu.h. */
#ifndef FLOCK_BACKEND_X86_X86_H
#define FLOCK_BACKEND_X86_X86_H

#include "backend/kernels.h"

/* AVX2, carry-less multiplication in 128-bit registers. */
const struct kernels *avx2_table(void);
const struct prover_kernels *avx2_prover_table(void);

/* One product, for the backends with longer registers too. */
gf128 avx2_mul(gf128 a, gf128 b);

/* AVX2, carry-less multiplication in 256-bit registers. */
const struct kernels *vpclmul_table(void);
const struct prover_kernels *vpclmul_prover_table(void);

/* The same with GFNI. */
const struct kernels *gfni_table(void);
const struct prover_kernels *gfni_prover_table(void);

/* AVX-512 (F, DQ, BW, VL, VBMI), GFNI, carry-less multiplication in 512-bit registers. */
const struct kernels *avx512_table(void);
const struct prover_kernels *avx512_prover_table(void);

void avx2_linear64_prepare(struct linear64 *map, const gf128 weights[64]);
void avx2_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high);
void avx2_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                        const struct linear64 *high);
void avx2_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                           size_t stride_words, size_t n_words, size_t n_rows,
                           const struct linear64 *maps);

/* The same as bit matrices, in the backends "gfni" and "avx512". */
void gfni_linear64_prepare(struct linear64 *map, const gf128 weights[64]);
void gfni_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high);
void gfni_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                        const struct linear64 *high);
void gfni_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                           size_t stride_words, size_t n_words, size_t n_rows,
                           const struct linear64 *maps);
void avx512_linear64_prepare(struct linear64 *map, const gf128 weights[64]);
void avx512_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                            const struct linear64 *high);
void avx512_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high);
void avx512_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                             size_t stride_words, size_t n_words, size_t n_rows,
                             const struct linear64 *maps);

void avx2_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                     size_t n_groups);
void avx2_skip_values(gf128 values[64], const gf128 sums[64], const gf128 u[64]);

void gfni_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                     size_t n_groups);
void avx512_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                       size_t n_groups);

#endif
