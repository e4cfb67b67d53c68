/* GF(2^128) in plain C, and the table of the portable kernels of both sides' shared part. */
#include "backend/portable/portable.h"
#include "backend/portable/sha256_kernels.h"
#include "backend/portable/wide.h"

gf128 gf128_mul_portable(gf128 a, gf128 b)
{
    return gf128_product(a, b);
}

void portable_scale(gf128 *dst, const gf128 *src, gf128 c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = gf128_product(c, src[i]);
    }
}

void portable_axpy(gf128 *dst, const gf128 *src, gf128 c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = gf128_add(dst[i], gf128_product(c, src[i]));
    }
}

gf128 portable_dot(const gf128 *a, const gf128 *b, size_t n)
{
    struct wide sum = {{0}};
    for (size_t i = 0; i < n; i++) {
        sum = wide_add(sum, wide_product(a[i], b[i]));
    }
    return wide_reduce(sum);
}

void portable_eq_expand(gf128 *table, size_t n, gf128 r)
{
    for (size_t i = 0; i < n; i++) {
        table[n + i] = gf128_product(r, table[i]);
        table[i] = gf128_add(table[i], table[n + i]);
    }
}

void portable_fold_high(gf128 *f, size_t half, gf128 r)
{
    for (size_t j = 0; j < half; j++) {
        f[j] = gf128_add(f[j], gf128_product(r, gf128_add(f[j], f[j + half])));
    }
}

const struct kernels portable_kernels = {
    .name = "portable",
    .mul = gf128_mul_portable,
    .scale = portable_scale,
    .axpy = portable_axpy,
    .dot = portable_dot,
    .eq_expand = portable_eq_expand,
    .fold_high = portable_fold_high,
    .sha256_compress = portable_sha256_compress,
    .sha256_many = portable_sha256_many,
};
