#include "relation/slots.h"

#include "field/multilinear.h"
#include "hash/sha256.h"
#include "piop/lincheck.h"

gf128 slot_fold(const struct circuit *circuit, const gf128 *p, const uint8_t *value)
{
    gf128 eq[1 << MAX_SLOT_LOG];
    eq_table(eq, p, slot_log(circuit));
    gf128 sum = GF128_ZERO;
    size_t len = circuit->region_bits / 8;
    for (size_t c = 0; 16 * c < len; c++) {
        uint8_t element[16] = {0};
        size_t rest = len - 16 * c;
        memcpy(element, value + 16 * c, rest < 16 ? rest : 16);
        sum = gf128_add(sum, gf128_mul(eq[c], gf128_load(element)));
    }
    return sum;
}

void add_direct_claim(const struct setup *setup, const gf128 *chunk, unsigned n,
                      const gf128 *instance, gf128 value, struct claims *claims)
{
    gf128 all[MAX_K_LOG - 7] = {{0, 0}};
    memcpy(all, chunk, n * sizeof *all);
    struct direct_claim *claim = &claims->direct[claims->n_direct++];
    join_packed_point(&setup->shape, claim->point, all, instance);
    claim->value = value;
}

void bit_coordinates(gf128 *out, uint64_t number, unsigned n)
{
    for (unsigned j = 0; j < n; j++) {
        out[j] = gf128_from_u64(number >> j & 1);
    }
}

gf128 offset_product(const gf128 *v, unsigned n, gf128 offset)
{
    gf128 product = GF128_ONE;
    for (unsigned j = 0; j < n; j++) {
        product = gf128_mul(product, gf128_add(v[j], offset));
    }
    return product;
}

void swap_words(uint8_t *out, const uint8_t *in, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++) {
        store_le32(out + 4 * w, load_be32(in + 4 * w));
    }
}

void physical_initial_value(uint8_t out[32])
{
    for (size_t w = 0; w < 8; w++) {
        store_le32(out + 4 * w, sha256_initial[w]);
    }
}
