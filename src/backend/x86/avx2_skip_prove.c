/*
 * Univariate-skip round (spec 05, 5.4.2) for the x86 backends. A register holds a byte of 32 nodes;
 * two of them, struct bytes64, all 64. For every row of a and of b, and then both:
 *
 *  - extension to Lambda: 8 look-ups of 64 bytes in the base table of spec 01, 1.8 (16 KiB). Byte b
 *    of the row moves node i to i XOR 8b: bit 2 of b exchanges the registers, bit 1 the lanes, bit
 *    0 the halves of a lane; sums of equal moves are moved once. 2 x 26 operations.
 *  - product in GF(2^8) = GF(2^4)[v] by Karatsuba, three products in GF(2^4) by logarithms; the
 *    tables contain the subfield's coordinates on the way in and on the way out the weight x^k of
 *    the row, so that eight rows are just summed. 2 x 29 operations.
 *
 * Every 8 rows give a byte per node; 16 of these, one map from 128 bits to GF(2^128)
 * (nibble_map.h): about 18 operations a row. Every 128 rows, one product by the eq weight.
 */
#define CLMUL_LANES 1
#include "backend/x86/clmul.h"
#include "backend/x86/nibble_map.h"
#include "backend/x86/x86.h"
#include "field/gf8.h"

/* GF(2^4) in GF(2^8): w^4 = w + 1, of order 15; and v^2 = v + w^7. */
enum { W = 0x5c, V = 0x12, LOG_V2_V = 7 };

/* A logarithm that makes every sum it is in a shuffle index that gives 0. */
enum { LOG_OF_ZERO = 0xf0 };

struct skip_tables {
    /* Coordinates: low nibble l, high nibble h stand for l(w) + h(w) v, l and h of degree < 4. */
    struct bytes64 extension[256];
    __m256i log;
    /* x^k w^i times v + 1, w^7 and v, for the products of l, of h, and of l + h. */
    __m256i exp_l[8], exp_h[8], exp_sum[8];
    struct nibble_map low, high; /* sum_j x^j phi(byte j), j < 8 and j >= 8 */
};

static inline uint8_t mul_x(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

static inline struct bytes64 add_bytes(struct bytes64 a, struct bytes64 b)
{
    return (struct bytes64){
        {_mm256_xor_si256(a.half[0], b.half[0]), _mm256_xor_si256(a.half[1], b.half[1])}};
}

static void prepare_extension(struct bytes64 extension[256])
{
    /* coordinates[a], a in GF(2^8), from the inverse map, which the images of bits give. */
    uint8_t units[8] = {1, [4] = V}, images[256] = {0}, coordinates[256] = {0};
    for (unsigned bit = 1; bit < 8; bit++) {
        units[bit] = bit == 4 ? V : gf8_mul(units[bit - 1], W);
    }
    for (unsigned c = 1; c < 256; c++) {
        images[c] = images[c & (c - 1)] ^ units[__builtin_ctz(c)];
        coordinates[images[c]] = (uint8_t)c;
    }

    extension[0].half[0] = extension[0].half[1] = _mm256_setzero_si256();
    for (unsigned bit = 0; bit < 8; bit++) {
        uint8_t column[64];
        for (unsigned i = 0; i < 64; i++) {
            column[i] = coordinates[skip_extension[i ^ bit]];
        }
        for (unsigned v = 0; v < 1u << bit; v++) {
            for (int h = 0; h < 2; h++) {
                __m256i half = _mm256_loadu_si256((const __m256i *)(column + 32 * h));
                extension[v + (1u << bit)].half[h] = _mm256_xor_si256(extension[v].half[h], half);
            }
        }
    }
}

static inline __m256i twice(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

static void prepare_products(struct skip_tables *tables)
{
    /* Index 15 is never a sum of logarithms. */
    uint8_t log[16] = {LOG_OF_ZERO}, exp_l[16] = {0}, exp_h[16] = {0}, exp_sum[16] = {0};
    unsigned nibble = 1;
    uint8_t power = 1;

    for (unsigned i = 0; i < 15; i++) {
        log[nibble] = (uint8_t)i;
        nibble = nibble << 1 ^ (nibble >> 3) * 0x13;
        exp_sum[i] = gf8_mul(power, V);
        exp_l[i] = exp_sum[i] ^ power;
        exp_h[(i + 15 - LOG_V2_V) % 15] = power;
        power = gf8_mul(power, W);
    }
    tables->log = twice(log);
    for (unsigned k = 0; k < 8; k++) {
        tables->exp_l[k] = twice(exp_l);
        tables->exp_h[k] = twice(exp_h);
        tables->exp_sum[k] = twice(exp_sum);
        for (unsigned i = 0; i < 15; i++) {
            exp_l[i] = mul_x(exp_l[i]);
            exp_h[i] = mul_x(exp_h[i]);
            exp_sum[i] = mul_x(exp_sum[i]);
        }
    }
}

static void prepare(struct skip_tables *tables)
{
    gf128 weights[128];
    for (unsigned i = 0; i < 128; i++) {
        weights[i] = i < 8 ? phi8_basis[i] : gf128_mul_x(weights[i - 8]);
    }
    nibble_map_prepare(&tables->low, weights);
    nibble_map_prepare(&tables->high, weights + 64);
    prepare_extension(tables->extension);
    prepare_products(tables);
}

/* Node i to i XOR 8, XOR 16, XOR 32. */
static inline struct bytes64 move8(struct bytes64 a)
{
    return (struct bytes64){
        {_mm256_shuffle_epi32(a.half[0], 0x4e), _mm256_shuffle_epi32(a.half[1], 0x4e)}};
}

static inline struct bytes64 move16(struct bytes64 a)
{
    return (struct bytes64){{_mm256_permute2x128_si256(a.half[0], a.half[0], 1),
                             _mm256_permute2x128_si256(a.half[1], a.half[1], 1)}};
}

static inline struct bytes64 move32(struct bytes64 a)
{
    return (struct bytes64){{a.half[1], a.half[0]}};
}

static inline struct bytes64 extend(const uint64_t *row, const struct bytes64 table[256])
{
    const uint8_t *byte = (const uint8_t *)row;
    struct bytes64 sum[4];
    for (int b = 0; b < 4; b++) {
        sum[b] = add_bytes(table[byte[b]], move32(table[byte[b + 4]]));
    }
    return add_bytes(add_bytes(sum[0], move8(sum[1])), move16(add_bytes(sum[2], move8(sum[3]))));
}

/* The shuffle index of a product in GF(2^4): the sum of the logarithms modulo 15. */
static inline __m256i log_product(__m256i log_a, __m256i log_b)
{
    __m256i sum = _mm256_adds_epu8(log_a, log_b);
    return _mm256_min_epu8(sum, _mm256_sub_epi8(sum, _mm256_set1_epi8(15)));
}

struct logs {
    __m256i l, h, sum;
};

static inline struct logs logs(__m256i a, __m256i table)
{
    const __m256i low_nibble = _mm256_set1_epi8(15);
    __m256i l = _mm256_and_si256(a, low_nibble);
    __m256i h = _mm256_and_si256(_mm256_srli_epi16(a, 4), low_nibble);
    return (struct logs){_mm256_shuffle_epi8(table, l), _mm256_shuffle_epi8(table, h),
                         _mm256_shuffle_epi8(table, _mm256_xor_si256(l, h))};
}

/* x^k a b */
static inline __m256i weighted_product(__m256i a, __m256i b, const struct skip_tables *tables,
                                       int k)
{
    struct logs la = logs(a, tables->log), lb = logs(b, tables->log);
    __m256i l = _mm256_shuffle_epi8(tables->exp_l[k], log_product(la.l, lb.l));
    __m256i h = _mm256_shuffle_epi8(tables->exp_h[k], log_product(la.h, lb.h));
    __m256i sum = _mm256_shuffle_epi8(tables->exp_sum[k], log_product(la.sum, lb.sum));
    return _mm256_xor_si256(_mm256_xor_si256(l, h), sum);
}

static inline struct bytes64 eight_rows(const uint64_t *a, const uint64_t *b,
                                        const struct skip_tables *tables)
{
    struct bytes64 sum = {{_mm256_setzero_si256(), _mm256_setzero_si256()}};
    for (int k = 0; k < 8; k++) {
        struct bytes64 A = extend(a + k, tables->extension), B = extend(b + k, tables->extension);
        for (int h = 0; h < 2; h++) {
            __m256i term = weighted_product(A.half[h], B.half[h], tables, k);
            sum.half[h] = _mm256_xor_si256(sum.half[h], term);
        }
    }
    return sum;
}

void avx2_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                     size_t n_groups)
{
    struct skip_tables tables;
    struct products totals[64];

    prepare(&tables);
    for (int i = 0; i < 64; i++) {
        totals[i] = no_products();
    }
    for (size_t g = 0; g < n_groups; g++) {
        struct bytes64 bytes[16], image[16];
        gf128 group[64];
        for (int j = 0; j < 16; j++) {
            bytes[j] = eight_rows(a + 128 * g + 8 * j, b + 128 * g + 8 * j, &tables);
            image[j].half[0] = image[j].half[1] = _mm256_setzero_si256();
        }
        add_images(image, bytes, 8, &tables.low);
        add_images(image, bytes + 8, 8, &tables.high);
        for (int h = 0; h < 2; h++) {
            __m256i v[16];
            join_bytes(v, image, h);
            store_lanes(group + 32 * h, v);
        }
        for (int i = 0; i < 64; i++) {
            add_product(&totals[i], load(&group[i], 1), load(&e[g], 1));
        }
    }
    for (int i = 0; i < 64; i++) {
        sums[i] = gf128_add(sums[i], sum_lanes(reduce(totals[i])));
    }
}
