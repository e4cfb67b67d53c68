#include "field/skip_domain.h"

#include "backend/kernels.h"
#include "field/gf8.h"

/* Constants of GF(2^8) from spec 01, 1.7.2; used through phi. */
enum {
    LAMBDA_SHIFT = 0x40,
    INVERSE_D = 0x6c,  /* 1 / product of the nonzero nodes of S */
    MU = 0x24,         /* Z_S on Lambda */
    INVERSE_MU = 0x55, /* 1 / mu */
};

/* Z_S(X) = sum_i vanishing[i] X^(2^i) */
static const uint8_t vanishing[SKIP_LOG + 1] = {0x33, 0x50, 0xbc, 0x6c, 0x39, 0x8b, 0x01};

const gf128 friendly_point[7] = {
    {0xd8a5ae31928b4da1, 0x1cf7a0fe8922c83f}, {0xa0415e708193f42a, 0xffdb65d9987f058c},
    {0x26cb812e5dc6f8a5, 0x44020450758a0366}, {0xffffffffffffff83, 0xffffffffffffffff},
    {0x555555555555557f, 0x5555555555555555}, {0xeeeeeeeeeeeeee9a, 0xeeeeeeeeeeeeeeee},
    {0xd3d3d3d3d3d3d3b9, 0xd3d3d3d3d3d3d3d3},
};

/* Z_S(z), the product of z + s over the nodes s of S. */
static gf128 vanishing_eval(gf128 z)
{
    gf128 power = z;
    gf128 sum = GF128_ZERO;
    for (int i = 0; i <= SKIP_LOG; i++) {
        sum = gf128_add(sum, gf128_mul(phi8(vanishing[i]), power));
        power = gf128_square(power);
    }
    return sum;
}

/*
 * numerator / (phi(D) (z + phi(first + i))), i < 64, with one inversion; numerator is the
 * product of z + x over all 64 nodes x. If z is node i, the indicator of i (spec 01, 1.7.3).
 */
static void lagrange(gf128 weights[SKIP_SIZE], gf128 z, uint8_t first, gf128 numerator)
{
    gf128 difference[SKIP_SIZE];
    gf128 product = GF128_ONE;
    for (int i = 0; i < SKIP_SIZE; i++) {
        difference[i] = gf128_add(z, phi8((uint8_t)(first + i)));
        if (gf128_equal(difference[i], GF128_ZERO)) {
            memset(weights, 0, SKIP_SIZE * sizeof *weights);
            weights[i] = GF128_ONE;
            return;
        }
        weights[i] = product;
        product = gf128_mul(product, difference[i]);
    }
    /* suffix = numerator / (phi(D) * product of the differences up to i) */
    gf128 suffix = gf128_mul(gf128_inverse(product), gf128_mul(numerator, phi8(INVERSE_D)));
    for (int i = SKIP_SIZE - 1; i >= 0; i--) {
        weights[i] = gf128_mul(weights[i], suffix);
        suffix = gf128_mul(suffix, difference[i]);
    }
}

void lagrange_S(gf128 weights[SKIP_SIZE], gf128 z)
{
    lagrange(weights, z, 0, vanishing_eval(z));
}

void lagrange_Lambda(gf128 weights[SKIP_SIZE], gf128 z)
{
    lagrange(weights, z, LAMBDA_SHIFT, gf128_add(vanishing_eval(z), phi8(MU)));
}

void lagrange_V7(gf128 weights[SKIP_SIZE], gf128 z)
{
    lagrange_Lambda(weights, z);
    gf128 ratio = gf128_mul(vanishing_eval(z), phi8(INVERSE_MU));
    kernels()->scale(weights, weights, ratio, SKIP_SIZE);
}

void skip_extend(gf128 on_Lambda[SKIP_SIZE], const gf128 on_S[SKIP_SIZE])
{
    const struct kernels *k = kernels();
    gf128 extension[SKIP_SIZE];
    for (int d = 0; d < SKIP_SIZE; d++) {
        extension[d] = phi8(skip_extension[d]);
    }
    for (int i = 0; i < SKIP_SIZE; i++) {
        gf128 row[SKIP_SIZE];
        for (int j = 0; j < SKIP_SIZE; j++) {
            row[j] = extension[i ^ j];
        }
        on_Lambda[i] = k->dot(row, on_S, SKIP_SIZE);
    }
}

void quirky_table(gf128 *table, gf128 z, const gf128 *point, size_t n)
{
    const struct kernels *k = kernels();
    lagrange_S(table, z);
    for (size_t b = 0; b < n; b++) {
        k->eq_expand(table, (size_t)SKIP_SIZE << b, point[b]);
    }
}
