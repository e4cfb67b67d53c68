#include "code/additive_ntt.h"

#include <string.h>

/*
 * With W^_b normalised, W_{b+1} = W_b^2 + W_b(beta_b) W_b (spec 01, 1.9.1) becomes
 *     W^_{b+1}(X) = subspace_step[b] * (W^_b(X)^2 + W^_b(X)),
 * where subspace_step[b] = W_b(beta_b)^2 / W_{b+1}(beta_{b+1}).
 */
static const gf128 subspace_step[NTT_MAX_LOG - 1] = {
    {0xffffffffffffffc1, 0x7fffffffffffffff}, {0x249249249249249b, 0x1249249249249249},
    {0x81020408102040e3, 0xc081020408102040}, {0x6be2d7c5af8b5f5e, 0x96be2d7c5af8b5f1},
    {0xa0dfc66b41bf8ca0, 0xe837f19ad06fe335}, {0xe041851e459d4fdb, 0xf020c28f22cea7d0},
    {0x18f65e4eea810a2a, 0xdd502148d71699fc}, {0x169c205b90eff1c0, 0x066dd7714d08ceda},
    {0x5546479ede92f94a, 0x90e90d156a6d3037}, {0xde5ec97b929c4a92, 0xca4caba0022b56b9},
    {0xc6990e05b133be33, 0x8beccec2ec82fa24}, {0xa13215226e7f88d3, 0xe1619f35b62a5f90},
    {0xc9b24b2fe80f3207, 0x37da40605f56c7f6}, {0xb787902f01bc5555, 0xe303edd2dd2bc98e},
    {0xe53bede8b786c43e, 0x800d8695ae6d15d3}, {0x4d5695f66d7bfeed, 0xbfcd6ed23bb5879e},
    {0x1f05df6e39cbd9b5, 0x98c05daea022fe18}, {0x90b79737e3bba3ba, 0x4ed2e219297addd6},
    {0x0004af95ab19e440, 0xa0304b5f6adc7788}, {0xee89af8a7c37b1fa, 0xffcaf3b90a575a85},
    {0x51769f1a595ee7e5, 0xfbbf8ebff4d72ffe}, {0x65123de93705e3a2, 0x4772f7a21f8ffb01},
    {0x3aa2e77c88a5d383, 0x48888afac79626c9}, {0x8607788a877486f0, 0xe27c332d2a01ca4d},
    {0x52bf72b6939d021d, 0x4888330c0fc4ff10}, {0x561aa08f9b089374, 0x4a1ebed5b393693c},
    {0x28da6ef6327c1b0c, 0xb7d6c84cf65dbc3e}, {0x9f3c662ba63bcbfb, 0x2436b7577ae19a55},
    {0x35258e771f257bf6, 0x4539b1eea3729517}, {0xa879cb4dbf6e1c9f, 0x7d2dd48e3e0ff768},
    {0x2153f11d2cb995c1, 0xf58672036deb8ea0}, {0xa17d8da77513d42d, 0x76910f3242dc4d5b},
    {0xb07ba80c324a2583, 0x37cf0672590fa251}, {0xda34731b7c64996c, 0x4c1c4aee0ace4d2f},
    {0xc885ccd1c211440f, 0x550a20a08add22a6}, {0x54f07ff905deec98, 0x8f00bfcfbe8fc22f},
    {0x93180d2f2f4f57ab, 0x38a1a4b5e0013c15}, {0x680167f4723ecf42, 0x276b8a558de6e068},
    {0x0d4d8f0534a5c777, 0x64c623abe803298f},
};

void subspace_images_init(struct subspace_images *images, unsigned n_bits)
{
    for (unsigned i = 0; i < n_bits; i++) {
        gf128 value = gf128_from_u64((uint64_t)1 << i);
        for (unsigned b = 0; b < i; b++) {
            images->of_bit[i][b] = value;
            value = gf128_mul(subspace_step[b], gf128_add(gf128_square(value), value));
        }
        images->of_bit[i][i] = value;
    }
}

void generator_factors(gf128 *out, unsigned n, const struct subspace_images *images, uint64_t j)
{
    memset(out, 0, n * sizeof *out);
    for (unsigned i = 0; j >> i != 0; i++) {
        if ((j >> i & 1) != 0) {
            for (unsigned b = 0; b <= i && b < n; b++) {
                out[b] = gf128_add(out[b], images->of_bit[i][b]);
            }
        }
    }
}

gf128 generator_eval(const gf128 *factors, const gf128 *p, unsigned n)
{
    gf128 product = GF128_ONE;
    for (unsigned b = 0; b < n; b++) {
        gf128 term = gf128_mul(p[b], gf128_add(GF128_ONE, factors[b]));
        product = gf128_mul(product, gf128_add(GF128_ONE, term));
    }
    return product;
}
