#include "field/multilinear.h"

#include "backend/kernels.h"

gf128 eq_eval(const gf128 *a, const gf128 *b, size_t n)
{
    gf128 product = GF128_ONE;
    for (size_t i = 0; i < n; i++) {
        product = gf128_mul(product, gf128_add(GF128_ONE, gf128_add(a[i], b[i])));
    }
    return product;
}

void eq_table_scaled(gf128 *table, const gf128 *point, size_t n, gf128 scale)
{
    const struct kernels *k = kernels();
    table[0] = scale;
    for (size_t b = 0; b < n; b++) {
        k->eq_expand(table, (size_t)1 << b, point[b]);
    }
}

void eq_table(gf128 *table, const gf128 *point, size_t n)
{
    eq_table_scaled(table, point, n, GF128_ONE);
}

gf128 multilinear_eval(const gf128 *f, const gf128 *point, size_t n, gf128 *scratch)
{
    const struct kernels *k = kernels();
    if (n < 2) {
        eq_table(scratch, point, n);
        return k->dot(f, scratch, (size_t)1 << n);
    }
    /* eq_table(point) as the product of two tables (spec 01, 1.6): one product an element. */
    size_t n_low = n / 2;
    gf128 *low = scratch;
    gf128 *high = scratch + ((size_t)1 << n_low);
    eq_table(low, point, n_low);
    eq_table(high, point + n_low, n - n_low);
    gf128 sum = GF128_ZERO;
    for (size_t i = 0; i < (size_t)1 << (n - n_low); i++) {
        gf128 part = k->dot(f + (i << n_low), low, (size_t)1 << n_low);
        sum = gf128_add(sum, gf128_mul(part, high[i]));
    }
    return sum;
}

gf128 shift_eval(const gf128 *a, const gf128 *b, size_t n)
{
    /* After j variables: sum = shift on them, carry = prod_{l<j} a_l (1 + b_l). */
    gf128 sum = GF128_ZERO;
    gf128 carry = GF128_ONE;
    for (size_t j = 0; j < n; j++) {
        gf128 a_and_b = gf128_mul(a[j], b[j]);
        gf128 same = gf128_add(GF128_ONE, gf128_add(a[j], b[j]));
        gf128 step = gf128_mul(carry, gf128_add(b[j], a_and_b));
        sum = gf128_add(gf128_mul(sum, same), step);
        carry = gf128_mul(carry, gf128_add(a[j], a_and_b));
    }
    return sum;
}
