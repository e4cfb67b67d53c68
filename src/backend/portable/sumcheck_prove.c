/*
 * Messages of the two sumchecks, e * A * B (zerocheck, spec 05, 5.4.3) and f * w (lincheck,
 * Ligerito), alone or fused with the fold of the round before. Products are summed unreduced.
 */
#include "backend/portable/linear.h"
#include "backend/portable/portable.h"
#include "backend/portable/wide.h"

/* One term of a message: f w at the end that is sent, then the coefficient of X^2. */
static inline void message_add(struct wide terms[2], gf128 f_sent, gf128 f_other, gf128 w_sent,
                               gf128 w_other)
{
    terms[0] = wide_add(terms[0], wide_product(f_sent, w_sent));
    terms[1] =
        wide_add(terms[1], wide_product(gf128_add(f_sent, f_other), gf128_add(w_sent, w_other)));
}

static inline void weighted_message_add(struct wide terms[2], gf128 A0, gf128 A1, gf128 B0,
                                        gf128 B1, gf128 e)
{
    message_add(terms, gf128_product(e, A1), gf128_product(e, A0), B1, B0);
}

static void message_finish(gf128 sums[2], const struct wide terms[2])
{
    sums[0] = gf128_add(sums[0], wide_reduce(terms[0]));
    sums[1] = gf128_add(sums[1], wide_reduce(terms[1]));
}

static inline gf128 fold_pair(const gf128 pair[2], gf128 r)
{
    return gf128_add(pair[0], gf128_product(r, gf128_add(pair[0], pair[1])));
}

/* The terms of a group, weighted by e. */
static void group_add(struct wide terms[2], const struct wide group[2], gf128 e)
{
    terms[0] = wide_add(terms[0], wide_product(e, wide_reduce(group[0])));
    terms[1] = wide_add(terms[1], wide_product(e, wide_reduce(group[1])));
}

void portable_zerocheck_message_bits(gf128 sums[2], const uint64_t *a, const uint64_t *b,
                                     const struct linear64 *map, const gf128 inner[64],
                                     const gf128 *e, size_t n_groups)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t g = 0; g < n_groups; g++, a += 128, b += 128) {
        struct wide group[2] = {{{0}}, {{0}}};
        for (size_t x = 0; x < 64; x++) {
            weighted_message_add(
                group, linear64_image(map, a[2 * x], 8), linear64_image(map, a[2 * x + 1], 8),
                linear64_image(map, b[2 * x], 8), linear64_image(map, b[2 * x + 1], 8), inner[x]);
        }
        group_add(terms, group, e[g]);
    }
    message_finish(sums, terms);
}

static inline gf128 element_image(const struct linear64 maps[2], gf128 bits)
{
    return gf128_add(linear64_image(&maps[0], bits.lo, 8), linear64_image(&maps[1], bits.hi, 8));
}

void portable_zerocheck_message_folded_bits(gf128 sums[2], const gf128 *a, const gf128 *b,
                                            const struct linear64 maps[2], const gf128 inner[32],
                                            const gf128 *e, size_t n_groups)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t g = 0; g < n_groups; g++, a += 64, b += 64) {
        struct wide group[2] = {{{0}}, {{0}}};
        for (size_t x = 0; x < 32; x++) {
            weighted_message_add(group, element_image(maps, a[2 * x]),
                                 element_image(maps, a[2 * x + 1]), element_image(maps, b[2 * x]),
                                 element_image(maps, b[2 * x + 1]), inner[x]);
        }
        group_add(terms, group, e[g]);
    }
    message_finish(sums, terms);
}

static inline gf128 pair_image(const struct linear64 maps[4], const gf128 pair[2])
{
    return gf128_add(element_image(maps, pair[0]), element_image(maps + 2, pair[1]));
}

void portable_zerocheck_fold_bits(gf128 sums[2], gf128 *A, gf128 *B, const gf128 *a, const gf128 *b,
                                  const struct linear64 maps[4], const gf128 *e, size_t n)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t x = 0; x < 2 * n; x++) {
        A[x] = pair_image(maps, a + 2 * x);
        B[x] = pair_image(maps, b + 2 * x);
    }
    for (size_t x = 0; x < n; x++) {
        weighted_message_add(terms, A[2 * x], A[2 * x + 1], B[2 * x], B[2 * x + 1], e[x]);
    }
    message_finish(sums, terms);
}

void portable_zerocheck_fold_message(gf128 sums[2], gf128 *A_out, gf128 *B_out, const gf128 *A,
                                     const gf128 *B, gf128 r, const gf128 *e, size_t n)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t x = 0; x < n; x++) {
        gf128 A0 = fold_pair(A + 4 * x, r), A1 = fold_pair(A + 4 * x + 2, r);
        gf128 B0 = fold_pair(B + 4 * x, r), B1 = fold_pair(B + 4 * x + 2, r);
        A_out[2 * x] = A0;
        A_out[2 * x + 1] = A1;
        B_out[2 * x] = B0;
        B_out[2 * x + 1] = B1;
        weighted_message_add(terms, A0, A1, B0, B1, e[x]);
    }
    message_finish(sums, terms);
}

void portable_fold_low(gf128 *dst, const gf128 *src, gf128 r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = fold_pair(src + 2 * i, r);
    }
}

void portable_product_message_low(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t j = 0; j < n; j++) {
        message_add(terms, f[2 * j], f[2 * j + 1], w[2 * j], w[2 * j + 1]);
    }
    message_finish(sums, terms);
}

void portable_product_fold_message_low(gf128 sums[2], gf128 *f_out, gf128 *w_out, const gf128 *f,
                                       const gf128 *w, gf128 r, size_t n)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t j = 0; j < n; j++) {
        gf128 f0 = fold_pair(f + 4 * j, r), f1 = fold_pair(f + 4 * j + 2, r);
        gf128 w0 = fold_pair(w + 4 * j, r), w1 = fold_pair(w + 4 * j + 2, r);
        f_out[2 * j] = f0;
        f_out[2 * j + 1] = f1;
        w_out[2 * j] = w0;
        w_out[2 * j + 1] = w1;
        message_add(terms, f0, f1, w0, w1);
    }
    message_finish(sums, terms);
}

void portable_product_message_high(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t j = 0; j < n; j++) {
        message_add(terms, f[j + n], f[j], w[j + n], w[j]);
    }
    message_finish(sums, terms);
}
