/*
 * Univariate-skip round (spec 05, 5.4.2) for the backend "neon". Four registers, struct bytes64,
 * hold a byte of each of the 64 nodes. For every two rows of a and of b, 64 nodes:
 *
 *  - extension to Lambda: 8 look-ups of 64 bytes in the base table of spec 01, 1.8 (16 KiB). Byte b
 *    of the row moves node i to i XOR 8b: bits 1 and 2 of b exchange registers, bit 0 the halves of
 *    a register; the sum of all odd bytes is moved once. 4 x (32 loads, 32 operations).
 *  - products in GF(2)[x] of bytes (PMULL of 8 bits), 15 bits each; the second row's product times
 *    x is added to the first's, which makes 16 bits. 8 x 4 operations.
 *  - the weight x^(2j) of the pair j of rows and the reduction, together: linear maps of the low
 *    and the high bytes by their nibbles (TBL), so that eight rows are just summed. 4 x 14
 *    operations.
 *
 * Every 8 rows give a byte per node; 16 of these, one map from 128 bits to GF(2^128)
 * (nibble_map.h): about 36 operations a row. Every 128 rows, a product of each node by the eq
 * weight.
 */
#include "backend/arm64/arm64.h"
#include "backend/arm64/nibble_map.h"
#include "backend/clmul/products.h"
#include "field/gf8.h"

/* Images of a byte's low and high nibble under a multiplication in GF(2^8). */
struct byte_factor {
    uint8x16_t low, high;
};

struct skip_tables {
    struct bytes64 extension[256];
    /* x^(2j) and x^(2j+8): for the low and the high bytes of pair j of rows. */
    struct byte_factor low_weight[4], high_weight[4];
    struct nibble_map low, high; /* sum_j x^j phi(byte j), j < 8 and j >= 8 */
};

static void prepare_extension(struct bytes64 extension[256])
{
    extension[0] = no_bytes();
    for (unsigned bit = 0; bit < 8; bit++) {
        uint8_t bytes[64];
        struct bytes64 column;
        for (unsigned i = 0; i < 64; i++) {
            bytes[i] = skip_extension[i ^ bit];
        }
        for (int q = 0; q < 4; q++) {
            column.quarter[q] = vld1q_u8(bytes + 16 * q);
        }
        for (unsigned v = 0; v < 1u << bit; v++) {
            extension[v + (1u << bit)] = add_bytes(extension[v], column);
        }
    }
}

static struct byte_factor byte_factor(uint8_t factor)
{
    uint8_t low[16], high[16];
    for (unsigned v = 0; v < 16; v++) {
        low[v] = gf8_mul(factor, (uint8_t)v);
        high[v] = gf8_mul(factor, (uint8_t)(v << 4));
    }
    return (struct byte_factor){vld1q_u8(low), vld1q_u8(high)};
}

static void prepare(struct skip_tables *tables)
{
    static const uint8_t x8 = 0x1b;
    gf128 weights[128];
    for (unsigned i = 0; i < 128; i++) {
        weights[i] = i < 8 ? phi8_basis[i] : gf128_mul_x(weights[i - 8]);
    }
    nibble_map_prepare(&tables->low, weights);
    nibble_map_prepare(&tables->high, weights + 64);
    prepare_extension(tables->extension);
    for (unsigned j = 0; j < 4; j++) {
        uint8_t weight = (uint8_t)(1 << 2 * j);
        tables->low_weight[j] = byte_factor(weight);
        tables->high_weight[j] = byte_factor(gf8_mul(weight, x8));
    }
}

/* The part of bytes 0, 2, 4, 6 of the row. */
static inline struct bytes64 extend_even_bytes(uint64_t row, const struct bytes64 table[256])
{
    const struct bytes64 *byte0 = &table[row & 0xff], *byte2 = &table[row >> 16 & 0xff];
    const struct bytes64 *byte4 = &table[row >> 32 & 0xff], *byte6 = &table[row >> 48 & 0xff];
    struct bytes64 sum;
    UNROLLED
    for (int q = 0; q < 4; q++) {
        sum.quarter[q] = veorq_u8(veorq_u8(byte0->quarter[q], byte2->quarter[q ^ 1]),
                                  veorq_u8(byte4->quarter[q ^ 2], byte6->quarter[q ^ 3]));
    }
    return sum;
}

static inline struct bytes64 extend(uint64_t row, const struct bytes64 table[256])
{
    struct bytes64 even = extend_even_bytes(row, table), odd = extend_even_bytes(row >> 8, table);
    UNROLLED
    for (int q = 0; q < 4; q++) {
        odd.quarter[q] = vextq_u8(odd.quarter[q], odd.quarter[q], 8);
    }
    return add_bytes(even, odd);
}

/* Products of bytes in GF(2)[x]. */
struct byte_products {
    uint16x8_t low, high; /* of bytes 0..7 and 8..15 */
};

static inline struct byte_products multiply_bytes(uint8x16_t a, uint8x16_t b)
{
    poly8x16_t a_poly = vreinterpretq_p8_u8(a), b_poly = vreinterpretq_p8_u8(b);
    return (struct byte_products){
        vreinterpretq_u16_p16(vmull_p8(vget_low_p8(a_poly), vget_low_p8(b_poly))),
        vreinterpretq_u16_p16(vmull_high_p8(a_poly, b_poly)),
    };
}

static inline uint8x16_t times_byte(uint8x16_t a, struct byte_factor factor)
{
    uint8x16_t low = vqtbl1q_u8(factor.low, vandq_u8(a, vdupq_n_u8(15)));
    return veorq_u8(low, vqtbl1q_u8(factor.high, vshrq_n_u8(a, 4)));
}

/* x^(2j) (a[0] b[0] + x a[1] b[1]) */
static inline struct bytes64 weighted_pair(const uint64_t a[2], const uint64_t b[2],
                                           const struct skip_tables *tables, int j)
{
    struct bytes64 A0 = extend(a[0], tables->extension), B0 = extend(b[0], tables->extension);
    struct bytes64 A1 = extend(a[1], tables->extension), B1 = extend(b[1], tables->extension);
    struct bytes64 pair;
    UNROLLED
    for (int q = 0; q < 4; q++) {
        struct byte_products first = multiply_bytes(A0.quarter[q], B0.quarter[q]);
        struct byte_products second = multiply_bytes(A1.quarter[q], B1.quarter[q]);
        uint8x16_t low = vreinterpretq_u8_u16(veorq_u16(first.low, vshlq_n_u16(second.low, 1)));
        uint8x16_t high = vreinterpretq_u8_u16(veorq_u16(first.high, vshlq_n_u16(second.high, 1)));
        pair.quarter[q] = veorq_u8(times_byte(vuzp1q_u8(low, high), tables->low_weight[j]),
                                   times_byte(vuzp2q_u8(low, high), tables->high_weight[j]));
    }
    return pair;
}

static inline struct bytes64 eight_rows(const uint64_t *a, const uint64_t *b,
                                        const struct skip_tables *tables)
{
    struct bytes64 sum = weighted_pair(a, b, tables, 0);
    for (int j = 1; j < 4; j++) {
        sum = add_bytes(sum, weighted_pair(a + 2 * j, b + 2 * j, tables, j));
    }
    return sum;
}

/* The 128 rows of a group, without the eq weight. */
static inline void one_group(uint8x16_t values[64], const uint64_t *a, const uint64_t *b,
                             const struct skip_tables *tables)
{
    struct bytes64 bytes[16], image[16];

    for (int j = 0; j < 16; j++) {
        bytes[j] = eight_rows(a + 8 * j, b + 8 * j, tables);
        image[j] = no_bytes();
    }
    add_images(image, bytes, 8, &tables->low);
    add_images(image, bytes + 8, 8, &tables->high);
    for (int q = 0; q < 4; q++) {
        join_bytes(values + 16 * q, image, q);
    }
}

void neon_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                     size_t n_groups)
{
    struct skip_tables tables;
    struct products totals[64];
    uint8x16_t values[64];

    prepare(&tables);
    for (int i = 0; i < 64; i++) {
        totals[i] = no_products();
    }
    for (size_t g = 0; g < n_groups; g++) {
        one_group(values, a + 128 * g, b + 128 * g, &tables);
        for (int i = 0; i < 64; i++) {
            add_product(&totals[i], vreinterpretq_u64_u8(values[i]), all(e[g]));
        }
    }
    for (int i = 0; i < 64; i++) {
        store(sums + i, add(load(sums + i, 1), reduce(totals[i])), 1);
    }
}
