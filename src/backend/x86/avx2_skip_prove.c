/*
 * Univariate-skip round (spec 05, 5.4.2) with byte shuffles, for the backends "avx2" and "vpclmul".
 *
 * Derivatives, not values. Let P_a, P_b be the polynomials of a row's bits a_s, b_s on the nodes s
 * of S. With the Lagrange polynomials L_s(l) = kappa / (l + s) on Lambda (spec 01, 1.8), and
 * 1 / (l+s)(l+t) = (1 / (l+s) + 1 / (l+t)) / (s+t), the product is there
 *
 *     P_a P_b (l) = sum_s L_s(l) e_s + sum_s L_s(l)^2 a_s b_s,
 *     e_s = a_s b'_s + b_s a'_s,    a'_s = sum_{t != s} d(s+t) a_t,    d(u) = kappa / u.
 *
 * So nothing is multiplied but bits and bytes, and that is an AND. The sums of this backend are
 * those of e_s; both sums over s wait for skip_values, which is given the sums of a_s b_s. (a'_s is
 * the derivative of P_a, times kappa. With t = s and any d(0) it would do as well: that cancels.)
 *
 * a' is a product in the group ring of (Z/2)^6, by a constant. Nodes come in 16 digits of 4, half
 * a byte of the row, and digits D = 0..15 as elements of (Z/2)^4 in the nilpotent basis of that
 * ring (skip_matrices.h): with the superset sums X_A = sum_{D containing A} x_D, and likewise Z_A
 * of the linear maps that d makes of digits D apart,
 *
 *     a'_D = sum_{E containing D} y_E,    y_E = sum_{A + B = E, disjoint} Z_A X_B:
 *
 * 81 products instead of 256. Each is 4 nodes by 8 planes of bits for the 4 bits of a digit: four
 * shuffles of 32 rows, those of one k in two groups, row 8 j + k of group g in byte 16 g + j:
 *
 *     X_B                           [ nodes 0..3 | 0 ]
 *     y_E in the planes c, c + 4    [ nodes 0..3 | nodes 0..3 ]        c < 4
 *                                     plane c      plane c + 4
 *
 * The masks b_s, a_s are digits twice in a byte. The weight x^k is a factor of Z, so that e is
 * summed over all eight k in 16 x 4 such registers. Then planes are joined to bytes: one for each
 * node and each j, and these 16 are coordinates of an element of GF(2^128) (skip_basis.h). The eq
 * weight of the group is brought into the same coordinates, and the product is one of polynomials
 * of degree < 16 over GF(2^8): by Karatsuba 81 products of bytes by constants, two shuffles each.
 * Only their sums over all groups become elements.
 *
 * Operations of 256 bits for a row of a and of b: 2.5 to bring the bytes of rows together, 4.5 for
 * X and masks, 36.5 for y, 8 for its superset sums, 8 for e; 2.75 to join planes, 0.75 for nibbles,
 * 7 for products by weights: 70. Groups that are zero in a or in b are left out.
 */
#include "backend/kernels.h"
#include "backend/prefetch.h"
#include "backend/x86/nibble_map.h"
#include "backend/x86/skip_basis.h"
#include "backend/x86/x86.h"
#include "base/once.h"

#define CLMUL_LANES 1
#include "backend/clmul/products.h"

enum {
    BATCH = 64, /* groups whose weights are brought into coordinates at once */
    BLOCK = 4   /* groups whose products are summed at once */
};

/* ---- tables ---- */

/* The images by Z_A of a digit, in the planes c and c + 4 for two c: [A][c % 2]. */
struct images {
    __m128i of[16][2];
};

struct skip_tables {
    struct images derivative[8][2];   /* times x^k; [k][c / 2] */
    __m128i multiples[256][2];        /* of a byte: times low nibbles, times high nibbles */
    struct nibble_map coordinates[2]; /* byte t of an element -> its coordinates: t < 8, t >= 8 */
    struct nibble_map embedding[4];   /* byte s -> x^s phi(.): s < 8, .., s >= 24 */
};

/* [x]: the sum of values[bit] over the bits of x */
static __m128i nibble_table(const uint8_t values[4])
{
    alignas(16) uint8_t table[16] = {0};
    for (unsigned bit = 0; bit < 4; bit++) {
        for (unsigned x = 0; x < 1U << bit; x++) {
            table[x + (1U << bit)] = table[x] ^ values[bit];
        }
    }
    return _mm_load_si128((const __m128i *)table);
}

/* In the planes c and c + 4: node q of a digit is z[p ^ q] at node p. */
static __m128i planes_table(const uint8_t z[4], unsigned c)
{
    uint8_t values[4] = {0};
    for (unsigned q = 0; q < 4; q++) {
        for (unsigned p = 0; p < 4; p++) {
            unsigned byte = z[p ^ q];
            values[q] |= (uint8_t)((byte >> c & 1) << p | (byte >> (c + 4) & 1) << (4 + p));
        }
    }
    return nibble_table(values);
}

static void prepare_derivative(struct images derivative[8][2])
{
    const uint8_t kappa = gf8_mul(skip_extension[0], 64);
    uint8_t d[64] = {0};

    for (unsigned u = 1; u < 64; u++) {
        d[u] = gf8_mul(kappa, gf8_inverse((uint8_t)u));
    }
    for (unsigned A = 0; A < 16; A++) {
        uint8_t z[4] = {0};
        for (unsigned u = 0; u < 64; u++) {
            z[u % 4] ^= (u / 4 & A) == A ? d[u] : 0;
        }
        for (unsigned k = 0; k < 8; k++) {
            for (unsigned c = 0; c < 4; c++) {
                derivative[k][c / 2].of[A][c % 2] = planes_table(z, c);
            }
            for (unsigned p = 0; p < 4; p++) {
                z[p] = gf8_mul(z[p], 2);
            }
        }
    }
}

static void prepare_multiples(__m128i multiples[256][2])
{
    for (unsigned c = 0; c < 256; c++) {
        uint8_t values[8] = {(uint8_t)c};
        for (unsigned bit = 1; bit < 8; bit++) {
            values[bit] = gf8_mul(values[bit - 1], 2);
        }
        multiples[c][0] = nibble_table(values);
        multiples[c][1] = nibble_table(values + 4);
    }
}

static void prepare(struct skip_tables *tables)
{
    gf128 weights[256], coordinates[128];
    uint8_t power[16] = {1};

    prepare_derivative(tables->derivative);
    prepare_multiples(tables->multiples);
    for (unsigned i = 0; i < 256; i++) {
        weights[i] = i < 8 ? phi8_basis[i] : gf128_mul_x(weights[i - 8]);
    }
    for (unsigned i = 0; i < 4; i++) {
        nibble_map_prepare(&tables->embedding[i], weights + 64 * i);
    }
    for (unsigned i = 0; i < 128; i++) {
        coordinates[i] = gf128_load(power);
        coordinates_mul_x(power);
    }
    nibble_map_prepare(&tables->coordinates[0], coordinates);
    nibble_map_prepare(&tables->coordinates[1], coordinates + 64);
}

/* The same for all threads; computed by the first one that asks. */
static const struct skip_tables *skip_tables(void)
{
    static struct skip_tables tables;
    static struct once once;

    if (once_first(&once)) {
        prepare(&tables);
        once_done(&once);
    }
    return &tables;
}

/* ---- 32 rows ---- */

/* Digit D = 4 i + j is [i][j]. */
struct rows32 {
    __m256i X[4][4];    /* superset sums, in the low nibbles */
    __m256i mask[4][4]; /* digits, in both nibbles */
};

INLINE __m256i sum(__m256i a, __m256i b)
{
    return _mm256_xor_si256(a, b);
}

/* x[D] to the sum over all E containing D, of subsets of two. */
INLINE void superset_sums(__m256i x[4])
{
    x[1] = sum(x[1], x[3]);
    x[0] = sum(x[0], x[2]);
    x[2] = sum(x[2], x[3]);
    x[0] = sum(x[0], x[1]);
}

/* bytes[b]: byte b of the rows. 72 operations. */
static void prepare_rows(struct rows32 *rows, const __m256i bytes[8])
{
    const __m256i twice = _mm256_broadcastsi128_si256(
        _mm_set_epi64x((long long)0xffeeddccbbaa9988, 0x7766554433221100));

    for (int i = 3; i >= 0; i--) {
        __m256i x[4];
        UNROLLED
        for (int j = 0; j < 4; j += 2) {
            __m256i byte = bytes[2 * i + j / 2];
            x[j] = low_nibbles(byte);
            x[j + 1] = high_nibbles(byte);
            rows->mask[i][j] = _mm256_shuffle_epi8(twice, x[j]);
            rows->mask[i][j + 1] = _mm256_shuffle_epi8(twice, x[j + 1]);
        }
        superset_sums(x);
        UNROLLED
        for (int j = 0; j < 4; j++) {
            rows->X[i][j] = x[j];
        }
    }
    UNROLLED
    for (int j = 0; j < 4; j++) {
        __m256i x[4] = {rows->X[0][j], rows->X[1][j], rows->X[2][j], rows->X[3][j]};
        superset_sums(x);
        UNROLLED
        for (int i = 0; i < 3; i++) {
            rows->X[i][j] = x[i];
        }
    }
}

/* Two pairs of planes of the digits 4 i .. 4 i + 3. */
struct four_digits {
    __m256i planes[4][2];
};

/* *total += the images of x. In this order: there are no registers for later additions. */
INLINE void add_images_of(__m256i *total, __m256i table, __m256i x)
{
    *total = sum(*total, _mm256_shuffle_epi8(table, x));
    __asm__("" : "+x"(*total));
}

/* y_E += sum_{A + B = E, disjoint} Z_A X_B, of subsets of two. 18 shuffles. */
INLINE void add_product_of_four(struct four_digits *y, const __m128i (*Z)[2], const __m256i X[4])
{
    __m256i X0 = X[0], X1 = X[1], X2 = X[2], X3 = X[3];
    UNROLLED
    for (int c = 0; c < 2; c++) {
        __m256i table = _mm256_broadcastsi128_si256(Z[0][c]);
        add_images_of(&y->planes[0][c], table, X0);
        add_images_of(&y->planes[1][c], table, X1);
        add_images_of(&y->planes[2][c], table, X2);
        add_images_of(&y->planes[3][c], table, X3);
        table = _mm256_broadcastsi128_si256(Z[1][c]);
        add_images_of(&y->planes[1][c], table, X0);
        add_images_of(&y->planes[3][c], table, X2);
        table = _mm256_broadcastsi128_si256(Z[2][c]);
        add_images_of(&y->planes[2][c], table, X0);
        add_images_of(&y->planes[3][c], table, X1);
        table = _mm256_broadcastsi128_si256(Z[3][c]);
        add_images_of(&y->planes[3][c], table, X0);
    }
}

INLINE void add_four(struct four_digits *y, const struct four_digits *x)
{
    UNROLLED
    for (int j = 0; j < 4; j++) {
        y->planes[j][0] = sum(y->planes[j][0], x->planes[j][0]);
        y->planes[j][1] = sum(y->planes[j][1], x->planes[j][1]);
    }
}

/* e += the superset sums of y, where the mask is set */
INLINE void add_masked(struct four_digits *e, const __m256i mask[4], const struct four_digits *y)
{
    UNROLLED
    for (int c = 0; c < 2; c++) {
        __m256i x[4] = {y->planes[0][c], y->planes[1][c], y->planes[2][c], y->planes[3][c]};
        superset_sums(x);
        UNROLLED
        for (int j = 0; j < 4; j++) {
            e->planes[j][c] = sum(e->planes[j][c], _mm256_and_si256(x[j], mask[j]));
        }
    }
}

/*
 * e += b a', or a b', in two pairs of planes. The digits 4 i + j have i and j as subsets of two:
 * sums over i are kept in registers and in y_3 and y_13, those over j are made at last.
 */
static void add_derivative(struct four_digits e[4], const struct rows32 *b, const struct rows32 *a,
                           const struct images *derivative)
{
    const __m128i(*Z)[2] = derivative->of;
    struct four_digits y, y_3, y_13;

    memset(&y, 0, sizeof y);
    UNROLLED
    for (int i = 0; i < 4; i++) {
        add_product_of_four(&y, Z + 4 * i, a->X[3 - i]);
    }
    add_masked(&e[3], b->mask[3], &y);
    y_3 = y;

    add_product_of_four(&y, Z, a->X[1]);
    add_product_of_four(&y, Z + 4, a->X[0]);
    add_masked(&e[1], b->mask[1], &y);
    y_13 = y;

    memset(&y, 0, sizeof y);
    add_product_of_four(&y, Z, a->X[2]);
    add_product_of_four(&y, Z + 8, a->X[0]);
    add_four(&y_3, &y);
    add_masked(&e[2], b->mask[2], &y_3);

    add_four(&y, &y_13);
    add_product_of_four(&y, Z, a->X[0]);
    add_masked(&e[0], b->mask[0], &y);
}

/* ---- two groups ---- */

/* All planes of all digits: the pairs c, c + 4 of the digits 4 i + j at [c / 2][i], [j][c % 2]. */
struct planes {
    struct four_digits of[2][4];
};

/* The bytes of 256 rows: byte b of rows 8 j + k is [k][b], row 8 j + k of group g in byte 16 g + j.
 */
struct bytes256 {
    __m256i bytes[8][8];
};

static void split_rows(struct bytes256 *out, const uint64_t *const rows[2])
{
    for (int k = 0; k < 8; k += 2) {
        __m256i v[16];
        UNROLLED
        for (int j = 0; j < 16; j++) {
            __m128i low = _mm_loadu_si128((const __m128i *)(rows[0] + 8 * j + k));
            __m128i high = _mm_loadu_si128((const __m128i *)(rows[1] + 8 * j + k));
            v[j] = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        }
        transpose_bytes(v);
        UNROLLED
        for (int b = 0; b < 8; b++) {
            out->bytes[k][b] = v[b];
            out->bytes[k + 1][b] = v[8 + b];
        }
    }
}

/* v[4 j + p]: the bytes of node p of the digit 4 i + j. 96 operations. */
INLINE void join_planes(__m256i v[16], const struct planes *e, int i)
{
    UNROLLED
    for (int j = 0; j < 4; j++) {
        const __m256i *low = e->of[0][i].planes[j], *high = e->of[1][i].planes[j];
        v[4 * j] = low[0];
        v[4 * j + 1] = low[1];
        v[4 * j + 2] = high[0];
        v[4 * j + 3] = high[1];
        transpose_nibbles(v + 4 * j);
    }
}

/* The nibbles of 32 bytes. */
struct nibbles {
    __m256i low, high;
};

INLINE struct nibbles split_nibbles(__m256i bytes)
{
    return (struct nibbles){low_nibbles(bytes), high_nibbles(bytes)};
}

/* Four coefficients, a byte for each of the 64 nodes: [.][nodes / 32] */
struct quarter {
    struct nibbles of[4][2];
};

/* The sixteen coefficients of a group, and room for sums of quarters. */
struct group {
    struct quarter quarters[6];
};

static void join_groups(struct group groups[2], const struct planes *e)
{
    for (int h = 0; h < 2; h++) {
        __m256i v[16], first[16];

        join_planes(v, e, 2 * h);
        transpose_bytes(v);
        memcpy(first, v, sizeof first);
        join_planes(v, e, 2 * h + 1);
        transpose_bytes(v);
        UNROLLED
        for (int j = 0; j < 16; j++) {
            __m256i group0 = _mm256_permute2x128_si256(first[j], v[j], 0x20);
            __m256i group1 = _mm256_permute2x128_si256(first[j], v[j], 0x31);
            groups[0].quarters[j / 4].of[j % 4][h] = split_nibbles(group0);
            groups[1].quarters[j / 4].of[j % 4][h] = split_nibbles(group1);
        }
    }
}

static void two_groups(struct group groups[2], const uint64_t *const a_rows[2],
                       const uint64_t *const b_rows[2], const struct skip_tables *tables)
{
    struct bytes256 a_bytes, b_bytes;
    struct planes e;

    split_rows(&a_bytes, a_rows);
    split_rows(&b_bytes, b_rows);
    memset(&e, 0, sizeof e);
    for (int k = 0; k < 8; k++) {
        struct rows32 a, b;
        prepare_rows(&a, a_bytes.bytes[k]);
        prepare_rows(&b, b_bytes.bytes[k]);
        for (int half = 0; half < 2; half++) {
            add_derivative(e.of[half], &b, &a, &tables->derivative[k][half]);
            add_derivative(e.of[half], &a, &b, &tables->derivative[k][half]);
        }
    }
    join_groups(groups, &e);
}

/* ---- products of elements of GF(2^128) in the basis x^j over GF(2^8) ---- */

/*
 * Karatsuba for four coefficients: those at 0, at 1 and their sums, at each of two levels. Sixteen
 * coefficients have nine times nine forms: first those of coefficients 4 apart.
 */
INLINE void nine_forms(__m256i forms[9], __m256i c0, __m256i c1, __m256i c2, __m256i c3)
{
    forms[0] = c0;
    forms[1] = c1;
    forms[2] = sum(c0, c1);
    forms[3] = c2;
    forms[4] = c3;
    forms[5] = sum(c2, c3);
    forms[6] = sum(c0, c2);
    forms[7] = sum(c1, c3);
    forms[8] = sum(forms[2], forms[5]);
}

/* Products of nine forms -> the seven coefficients of the product. */
INLINE void seven_coefficients(__m256i c[7], const __m256i p[9])
{
    __m256i low = sum(sum(p[0], p[1]), p[2]), high = sum(sum(p[3], p[4]), p[5]);
    __m256i both = sum(sum(p[6], p[7]), p[8]);
    c[0] = p[0];
    c[1] = low;
    c[2] = sum(sum(p[0], p[1]), sum(p[3], p[6]));
    c[3] = sum(both, sum(low, high));
    c[4] = sum(sum(p[1], p[3]), sum(p[4], p[7]));
    c[5] = high;
    c[6] = p[4];
}

/* The forms of the eq weights of BATCH groups. */
struct weights {
    alignas(32) uint8_t form[9][9][BATCH];
};

static void prepare_weights(struct weights *weights, const gf128 e[BATCH],
                            const struct skip_tables *tables)
{
    struct bytes64 bytes[16], c[16];

    for (int h = 0; h < 2; h++) {
        __m256i v[16];
        load_lanes(v, e + 32 * h);
        transpose_bytes(v);
        for (int j = 0; j < 16; j++) {
            bytes[j].half[h] = v[j];
        }
    }
    memset(c, 0, sizeof c);
    add_images(c, bytes, 8, &tables->coordinates[0]);
    add_images(c, bytes + 8, 8, &tables->coordinates[1]);
    for (int h = 0; h < 2; h++) {
        __m256i outer[4][9], inner[9];
        for (int i = 0; i < 4; i++) {
            nine_forms(outer[i], c[i].half[h], c[4 + i].half[h], c[8 + i].half[h],
                       c[12 + i].half[h]);
        }
        for (int p = 0; p < 9; p++) {
            nine_forms(inner, outer[0][p], outer[1][p], outer[2][p], outer[3][p]);
            for (int q = 0; q < 9; q++) {
                _mm256_store_si256((__m256i *)(weights->form[p][q] + 32 * h), inner[q]);
            }
        }
    }
}

INLINE struct nibbles sum_of_nibbles(struct nibbles a, struct nibbles b)
{
    return (struct nibbles){sum(a.low, b.low), sum(a.high, b.high)};
}

/* The sum of two bytes for each of the 64 nodes. */
INLINE void sum_of_64(struct nibbles out[2], const struct nibbles a[2], const struct nibbles b[2])
{
    out[0] = sum_of_nibbles(a[0], b[0]);
    out[1] = sum_of_nibbles(a[1], b[1]);
}

/* *total += c times what the multiples are of. 8 operations. */
INLINE void add_multiple(struct bytes64 *total, const struct nibbles c[2],
                         const __m128i multiples[2])
{
    __m256i low = _mm256_broadcastsi128_si256(multiples[0]);
    __m256i high = _mm256_broadcastsi128_si256(multiples[1]);
    for (int h = 0; h < 2; h++) {
        add_images_of(&total->half[h], low, c[h].low);
        add_images_of(&total->half[h], high, c[h].high);
    }
}

/* The forms c0, c1, c0 + c1 times those of the weight g. */
INLINE void add_three(struct bytes64 totals[3], const struct nibbles c0[2],
                      const struct nibbles c1[2], const uint8_t (*weights)[BATCH], size_t g,
                      const __m128i (*multiples)[2])
{
    struct nibbles both[2];
    sum_of_64(both, c0, c1);
    add_multiple(&totals[0], c0, multiples[weights[0][g]]);
    add_multiple(&totals[1], c1, multiples[weights[1][g]]);
    add_multiple(&totals[2], both, multiples[weights[2][g]]);
}

/* Groups whose products are to be summed. */
struct block {
    const uint64_t *a[BLOCK], *b[BLOCK];
    size_t index[BLOCK]; /* of the weight */
    size_t n;
};

/* The nine forms of a quarter of each group times those of the weights. */
static void add_nine(struct bytes64 totals[9], const struct group groups[BLOCK], int quarter,
                     const uint8_t (*weights)[BATCH], const size_t index[BLOCK],
                     const __m128i (*multiples)[2])
{
    struct bytes64 total[3];

    for (int three = 0; three < 2; three++) {
        memcpy(total, totals + 3 * three, sizeof total);
        UNROLLED
        for (int g = 0; g < BLOCK; g++) {
            const struct nibbles(*c)[2] = groups[g].quarters[quarter].of + 2 * three;
            add_three(total, c[0], c[1], weights + 3 * three, index[g], multiples);
        }
        memcpy(totals + 3 * three, total, sizeof total);
    }
    memcpy(total, totals + 6, sizeof total);
    UNROLLED
    for (int g = 0; g < BLOCK; g++) {
        const struct nibbles(*c)[2] = groups[g].quarters[quarter].of;
        struct nibbles c02[2], c13[2];
        sum_of_64(c02, c[0], c[2]);
        sum_of_64(c13, c[1], c[3]);
        add_three(total, c02, c13, weights + 6, index[g], multiples);
    }
    memcpy(totals + 6, total, sizeof total);
}

/* Quarter `to` of each group = the sum of two. */
static void add_quarters(struct group groups[BLOCK], int to, int from0, int from1)
{
    for (int g = 0; g < BLOCK; g++) {
        struct quarter *quarters = groups[g].quarters;
        UNROLLED
        for (int i = 0; i < 4; i++) {
            sum_of_64(quarters[to].of[i], quarters[from0].of[i], quarters[from1].of[i]);
        }
    }
}

/* Sums of products of forms. */
struct totals {
    struct bytes64 form[9][9];
};

static void add_products(struct totals *totals, struct group groups[BLOCK],
                         const struct weights *weights, const size_t index[BLOCK],
                         const struct skip_tables *tables)
{
#define ADD_NINE(p, quarter) \
    add_nine(totals->form[p], groups, quarter, weights->form[p], index, tables->multiples)
    ADD_NINE(0, 0);
    ADD_NINE(1, 1);
    ADD_NINE(3, 2);
    ADD_NINE(4, 3);
    add_quarters(groups, 4, 0, 1);
    ADD_NINE(2, 4);
    add_quarters(groups, 5, 2, 3);
    ADD_NINE(5, 5);
    add_quarters(groups, 4, 4, 5);
    ADD_NINE(8, 4);
    add_quarters(groups, 4, 0, 2);
    ADD_NINE(6, 4);
    add_quarters(groups, 5, 1, 3);
    ADD_NINE(7, 5);
#undef ADD_NINE
}

/* The sums of all products as elements, added to sums[64]. */
static void add_totals(gf128 sums[64], const struct totals *totals,
                       const struct skip_tables *tables)
{
    struct bytes64 c[32], image[16];

    memset(c, 0, sizeof c);
    memset(image, 0, sizeof image);
    for (int h = 0; h < 2; h++) {
        __m256i outer[9][7], products[9], sevens[7];
        for (int p = 0; p < 9; p++) {
            for (int q = 0; q < 9; q++) {
                products[q] = totals->form[p][q].half[h];
            }
            seven_coefficients(outer[p], products);
        }
        for (int r = 0; r < 7; r++) {
            for (int p = 0; p < 9; p++) {
                products[p] = outer[p][r];
            }
            seven_coefficients(sevens, products);
            for (int i = 0; i < 7; i++) {
                c[4 * i + r].half[h] = sum(c[4 * i + r].half[h], sevens[i]);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        add_images(image, c + 8 * i, 8, &tables->embedding[i]);
    }
    for (int h = 0; h < 2; h++) {
        __m256i v[16];
        gf128 elements[32];
        join_bytes(v, image, h);
        store_lanes(elements, v);
        for (int i = 0; i < 32; i++) {
            sums[32 * h + i] = gf128_add(sums[32 * h + i], elements[i]);
        }
    }
}

/* ---- the round ---- */

static bool group_is_zero(const uint64_t rows[128])
{
    __m256i any = _mm256_setzero_si256();
    for (size_t i = 0; i < 128; i += 4) {
        any = _mm256_or_si256(any, _mm256_loadu_si256((const __m256i *)(rows + i)));
    }
    return _mm256_testz_si256(any, any) != 0;
}

/* Leaves the block empty. */
static void add_block(struct totals *totals, struct block *block, const struct weights *weights,
                      const struct skip_tables *tables)
{
    static const uint64_t zero_group[128];
    struct group groups[BLOCK];

    if (block->n == 0) {
        return;
    }
    for (size_t i = block->n; i < BLOCK; i++) {
        block->a[i] = block->b[i] = zero_group;
        block->index[i] = 0;
    }
    for (size_t i = 0; i < BLOCK; i += 2) {
        two_groups(groups + i, block->a + i, block->b + i, tables);
    }
    add_products(totals, groups, weights, block->index, tables);
    block->n = 0;
}

void avx2_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                     size_t n_groups)
{
    const struct skip_tables *tables = skip_tables();
    struct weights weights;
    struct totals totals;
    struct block block = {.n = 0};

    memset(&totals, 0, sizeof totals);
    for (size_t g = 0; g < n_groups; g++) {
        const uint64_t *a_rows = a + 128 * g, *b_rows = b + 128 * g;
        if (g % BATCH == 0) {
            gf128 batch[BATCH] = {{0, 0}};
            size_t n = n_groups - g < BATCH ? n_groups - g : BATCH;
            memcpy(batch, e + g, n * sizeof *e);
            prepare_weights(&weights, batch, tables);
        }
        prefetch_ahead(a_rows, 1024);
        prefetch_ahead(b_rows, 1024);
        if (!group_is_zero(a_rows) && !group_is_zero(b_rows)) {
            block.a[block.n] = a_rows;
            block.b[block.n] = b_rows;
            block.index[block.n++] = g % BATCH;
        }
        if (block.n == BLOCK || g % BATCH == BATCH - 1) {
            add_block(&totals, &block, &weights, tables);
        }
    }
    add_block(&totals, &block, &weights, tables);
    add_totals(sums, &totals, tables);
}

/* sum_s L_s sums[s] + L_s^2 u[s] on Lambda, L_s(64+i) = skip_extension[i ^ s] */
void avx2_skip_values(gf128 values[64], const gf128 sums[64], const gf128 u[64])
{
    gf128 L[64], L_squared[64];

    for (unsigned i = 0; i < 64; i++) {
        uint8_t c = skip_extension[i];
        L[i] = phi8(c);
        L_squared[i] = phi8(gf8_mul(c, c));
    }
    for (unsigned i = 0; i < 64; i++) {
        struct products total = no_products();
        for (unsigned s = 0; s < 64; s++) {
            add_product(&total, all(sums[s]), all(L[i ^ s]));
            add_product(&total, all(u[s]), all(L_squared[i ^ s]));
        }
        store(&values[i], reduce(total), 1);
    }
}
