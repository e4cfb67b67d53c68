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

/* maps[0] holds the weights of 32 groups, maps[1] is the map. */
void portable_zerocheck_cubes_prepare(struct linear64 maps[2], const gf128 weights[64],
                                      const gf128 low[4], const gf128 high[8])
{
    gf128 *of_group = (gf128 *)maps[0].words;
    for (size_t g = 0; g < 32; g++) {
        of_group[g] = gf128_product(low[g % 4], high[g / 4]);
    }
    portable_linear64_prepare(&maps[1], weights);
}

/* Values at {0, 1}^3 -> at {0, 1, inf}^3; the first index varies fastest. */
static void cube_extend(gf128 at[27], const gf128 value[8])
{
    for (size_t x = 0; x < 8; x++) {
        at[(x & 1) + 3 * (x >> 1 & 1) + 9 * (x >> 2)] = value[x];
    }
    for (size_t step = 1; step < 27; step *= 3) {
        for (size_t p = 0; p < 27; p++) {
            if (p / step % 3 == 2) {
                at[p] = gf128_add(at[p - 2 * step], at[p - step]);
            }
        }
    }
}

static void cube_add(struct wide terms[27], const uint64_t a[8], const uint64_t b[8],
                     const struct linear64 *map, gf128 weight)
{
    gf128 A[8], B[8], A_at[27], B_at[27];
    for (size_t x = 0; x < 8; x++) {
        A[x] = gf128_product(weight, linear64_image(map, a[x], 8));
        B[x] = linear64_image(map, b[x], 8);
    }
    cube_extend(A_at, A);
    cube_extend(B_at, B);
    for (size_t p = 1; p < 27; p++) {
        terms[p] = wide_add(terms[p], wide_product(A_at[p], B_at[p]));
    }
}

void portable_zerocheck_cubes(gf128 sums[27], const uint64_t *a, const uint64_t *b,
                              const struct linear64 maps[2], const gf128 *e, size_t n_groups)
{
    const gf128 *of_group = (const gf128 *)maps[0].words;
    struct wide terms[27] = {{{0}}};
    for (size_t g = 0; g < n_groups; g++) {
        gf128 weight = gf128_product(of_group[g % 32], e[g / 32]);
        for (size_t j = 0; j < 16; j++, a += 8, b += 8) {
            cube_add(terms, a, b, &maps[1], weight);
            weight = gf128_mul_x(weight);
        }
    }
    for (size_t p = 1; p < 27; p++) {
        sums[p] = gf128_add(sums[p], wide_reduce(terms[p]));
    }
}

void portable_zerocheck_fold_bits_prepare(struct linear64 maps[8], const gf128 weights[8 * 64])
{
    for (size_t x = 0; x < 8; x++) {
        portable_linear64_prepare(&maps[x], weights + 64 * x);
    }
}

static gf128 cube_image(const struct linear64 maps[8], const uint64_t rows[8])
{
    gf128 sum = linear64_image(&maps[0], rows[0], 8);
    for (size_t x = 1; x < 8; x++) {
        sum = gf128_add(sum, linear64_image(&maps[x], rows[x], 8));
    }
    return sum;
}

void portable_zerocheck_fold_bits(gf128 sums[2], gf128 *A, gf128 *B, uint64_t *a, const uint64_t *b,
                                  const struct linear64 maps[8], const gf128 *e, size_t n)
{
    struct wide terms[2] = {{{0}}, {{0}}};
    for (size_t y = 0; y < 2 * n; y++) {
        A[y] = cube_image(maps, a + 8 * y);
        B[y] = cube_image(maps, b + 8 * y);
        for (size_t x = 8 * y; x < 8 * (y + 1); x++) {
            a[x] &= b[x];
        }
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

void portable_fold_low8(gf128 *dst, const gf128 *src, const gf128 e[8], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = portable_dot(e, src + 8 * i, 8);
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
