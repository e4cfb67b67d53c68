/*
 * Univariate-skip round (spec 05, 5.4.2), in plain C. Eight nodes share one 64-bit word, a byte
 * each; node order is byte order in the word, lowest first.
 *
 * One row: extension of a and b, 8 loads of a table row of 8 words each; 8 products of 8 bytes.
 * Eight rows: Horner in x = 0x02 of GF(2^8). Sixteen of those: Horner in x of GF(2^128) on
 * embedded bytes. Only then a multiplication in GF(2^128), by the eq weight of the 128 rows.
 */
#include "backend/portable/portable.h"
#include "backend/portable/wide.h"
#include "field/gf8.h"

enum { N_WORDS = 64 / 8 };

/* A byte for each of the 64 nodes. */
struct nodes {
    uint64_t words[N_WORDS];
};

static const uint64_t ones = 0x0101010101010101;

/* Eight bytes times x in GF(2^8). */
static inline uint64_t bytes_mul_x(uint64_t a)
{
    return (a & 0x7f * ones) << 1 ^ (a >> 7 & ones) * 0x1b;
}

/* Eight products in GF(2^8). */
static inline uint64_t bytes_mul(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        product ^= a & (b >> bit & ones) * 0xff;
        a = bytes_mul_x(a);
    }
    return product;
}

/* table[v]: the extension of a row of byte 0 = v (T of spec 01, 1.8). */
static void extension_table(struct nodes table[256])
{
    memset(&table[0], 0, sizeof table[0]);
    for (unsigned bit = 0; bit < 8; bit++) {
        struct nodes column = {{0}};
        for (unsigned i = 0; i < 64; i++) {
            column.words[i / 8] |= (uint64_t)skip_extension[i ^ bit] << 8 * (i % 8);
        }
        for (unsigned v = 0; v < 1u << bit; v++) {
            for (unsigned w = 0; w < N_WORDS; w++) {
                table[v + (1u << bit)].words[w] = table[v].words[w] ^ column.words[w];
            }
        }
    }
}

/* Byte b of a row stands for nodes 8b ..: the same table, node index i XOR 8b. */
static struct nodes extend_row(uint64_t row, const struct nodes table[256])
{
    struct nodes extension;
    for (unsigned w = 0; w < N_WORDS; w++) {
        uint64_t sum = 0;
        for (unsigned b = 0; b < 8; b++) {
            sum ^= table[row >> 8 * b & 0xff].words[w ^ b];
        }
        extension.words[w] = sum;
    }
    return extension;
}

static bool rows_are_zero(const uint64_t *rows, size_t n)
{
    uint64_t any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= rows[i];
    }
    return any == 0;
}

/* Node i: sum_{k<8} x^k A_i B_i of rows k. */
static struct nodes eight_rows(const uint64_t a[8], const uint64_t b[8],
                               const struct nodes table[256])
{
    struct nodes sum = {{0}};
    if (rows_are_zero(a, 8) || rows_are_zero(b, 8)) {
        return sum;
    }
    for (unsigned k = 8; k-- > 0;) {
        struct nodes A = extend_row(a[k], table), B = extend_row(b[k], table);
        for (unsigned w = 0; w < N_WORDS; w++) {
            sum.words[w] = bytes_mul_x(sum.words[w]) ^ bytes_mul(A.words[w], B.words[w]);
        }
    }
    return sum;
}

void portable_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                         size_t n_groups)
{
    struct nodes table[256];
    gf128 embedding[256];
    struct wide totals[64];

    extension_table(table);
    embedding[0] = GF128_ZERO;
    for (unsigned v = 1; v < 256; v++) {
        unsigned bit = 0;
        while ((v >> bit & 1) == 0) {
            bit++;
        }
        embedding[v] = gf128_add(embedding[v & (v - 1)], phi8_basis[bit]);
    }
    memset(totals, 0, sizeof totals);

    for (size_t g = 0; g < n_groups; g++) {
        gf128 group[64] = {{0, 0}};
        if (rows_are_zero(a + 128 * g, 128) || rows_are_zero(b + 128 * g, 128)) {
            continue;
        }
        for (unsigned j = 16; j-- > 0;) {
            size_t row = 128 * g + 8 * j;
            struct nodes bytes = eight_rows(a + row, b + row, table);
            for (unsigned i = 0; i < 64; i++) {
                gf128 image = embedding[bytes.words[i / 8] >> 8 * (i % 8) & 0xff];
                group[i] = gf128_add(gf128_mul_x(group[i]), image);
            }
        }
        for (unsigned i = 0; i < 64; i++) {
            totals[i] = wide_add(totals[i], wide_product(e[g], group[i]));
        }
    }
    for (unsigned i = 0; i < 64; i++) {
        sums[i] = gf128_add(sums[i], wide_reduce(totals[i]));
    }
}

/* The sums are the values. */
void portable_skip_values(gf128 values[64], const gf128 sums[64], const gf128 u[64])
{
    (void)u;
    memcpy(values, sums, 64 * sizeof *values);
}
