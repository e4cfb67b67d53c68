/* Fields, multilinear conventions, the univariate-skip domain: spec 01, 1.2 - 1.8 and 1.10. */
#include "support/support.h"

#include "field/gf8.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"

static uint8_t hex_byte(const char *hex)
{
    uint8_t byte;
    hex_to_bytes(hex, &byte, 1);
    return byte;
}

/* An array of its own size, to be freed. */
static gf128 *gf128s_alloc(const json_t *array, size_t *n)
{
    *n = json_array_size(array);
    gf128 *v = malloc((*n + 1) * sizeof *v);
    assert_non_null(v);
    json_gf128s(array, v, *n);
    return v;
}

static void assert_gf128s_equal(const gf128 *a, const gf128 *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_gf128_equal(a[i], b[i]);
    }
}

static gf128 power(gf128 a, unsigned n)
{
    gf128 product = GF128_ONE;
    for (unsigned i = 0; i < n; i++) {
        product = gf128_mul(product, a);
    }
    return product;
}

/* prod_b (bit b of i ? point[b] : 1 + point[b]) */
static gf128 eq_at(const gf128 *point, size_t n, uint64_t i)
{
    gf128 product = GF128_ONE;
    for (size_t b = 0; b < n; b++) {
        gf128 one_minus = gf128_add(GF128_ONE, point[b]);
        product = gf128_mul(product, i >> b & 1 ? point[b] : one_minus);
    }
    return product;
}

static void test_gf8(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/gf8.json");
    json_t *mul = get(root, "mul");
    assert_int_equal(json_array_size(mul), 128);
    for (size_t i = 0; i < 128; i++) {
        json_t *triple = at(mul, i);
        uint8_t a = hex_byte(string_of(at(triple, 0)));
        uint8_t b = hex_byte(string_of(at(triple, 1)));
        assert_int_equal(gf8_mul(a, b), hex_byte(string_of(at(triple, 2))));
    }
    uint8_t inverse[256];
    hex_to_bytes(get_string(root, "inv_table"), inverse, 256);
    assert_int_equal(gf8_inverse(0), 0);
    for (unsigned a = 0; a < 256; a++) {
        assert_int_equal(gf8_inverse((uint8_t)a), inverse[a]);
        assert_int_equal(gf8_mul((uint8_t)a, inverse[a]), a != 0);
    }
    json_decref(root);
}

/* Against the carry-less product by its definition, reduced bit by bit. */
static void test_gf8_exhaustive(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            unsigned product = 0;
            for (unsigned i = 0; i < 8; i++) {
                product ^= (b >> i & 1) != 0 ? a << i : 0;
            }
            for (unsigned i = 15; i >= 8; i--) {
                product ^= (product >> i & 1) != 0 ? 0x11bu << (i - 8) : 0;
            }
            assert_int_equal(gf8_mul((uint8_t)a, (uint8_t)b), product);
        }
    }
}

static void test_gf128(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/gf128.json");
    json_t *mul = get(root, "mul");
    assert_int_equal(json_array_size(mul), 192);
    for (size_t i = 0; i < 192; i++) {
        gf128 v[3];
        json_gf128s(at(mul, i), v, 3);
        assert_gf128_equal(gf128_mul(v[0], v[1]), v[2]);
        assert_gf128_equal(gf128_mul(v[1], v[0]), v[2]);
        assert_gf128_equal(gf128_mul_portable(v[0], v[1]), v[2]);
    }
    json_t *inv = get(root, "inv");
    assert_int_equal(json_array_size(inv), 72);
    for (size_t i = 0; i < 72; i++) {
        gf128 v[2];
        json_gf128s(at(inv, i), v, 2);
        assert_gf128_equal(gf128_inverse(v[0]), v[1]);
        assert_gf128_equal(gf128_inverse(v[1]), v[0]);
    }
    json_t *by_x = get(root, "mul_by_gamma");
    assert_int_equal(json_array_size(by_x), 24);
    for (size_t i = 0; i < 24; i++) {
        gf128 v[2];
        json_gf128s(at(by_x, i), v, 2);
        assert_gf128_equal(gf128_mul_x(v[0]), v[1]);
        assert_gf128_equal(gf128_mul(v[0], gf128_from_u64(2)), v[1]);
    }
    json_decref(root);
}

static void test_gf128_properties(void **state)
{
    (void)state;
    /* The modulus, and the checks of spec 01, 1.3.3. */
    gf128 x = gf128_from_u64(2);
    assert_gf128_equal(power(x, 128), gf128_from_u64(0x87));
    assert_gf128_equal(gf128_inverse(x), hex_gf128("43000000000000000000000000000080"));
    assert_gf128_equal(gf128_inverse(GF128_ZERO), GF128_ZERO);
    assert_gf128_equal(gf128_inverse(GF128_ONE), GF128_ONE);

    struct splitmix rng = {1};
    for (int i = 0; i < 200; i++) {
        gf128 a = splitmix_gf128(&rng), b = splitmix_gf128(&rng), c = splitmix_gf128(&rng);
        assert_gf128_equal(gf128_mul(a, gf128_add(b, c)),
                           gf128_add(gf128_mul(a, b), gf128_mul(a, c)));
        assert_gf128_equal(gf128_mul(a, gf128_mul(b, c)), gf128_mul(gf128_mul(a, b), c));
        assert_gf128_equal(gf128_mul(a, gf128_inverse(a)), GF128_ONE);
        assert_gf128_equal(gf128_square(a), gf128_mul(a, a));
        uint8_t bytes[16];
        gf128_store(bytes, a);
        assert_int_equal(bytes[0], a.lo & 0xff);
        assert_int_equal(bytes[15], a.hi >> 56);
        assert_gf128_equal(gf128_load(bytes), a);
    }
}

static void test_phi8(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/phi8.json");
    gf128 basis[8], table[256];
    json_gf128s(get(root, "basis_images"), basis, 8);
    json_gf128s(get(root, "table"), table, 256);
    assert_gf128s_equal(phi8_basis, basis, 8);
    for (unsigned a = 0; a < 256; a++) {
        assert_gf128_equal(phi8((uint8_t)a), table[a]);
    }
    json_decref(root);

    /* A root of the polynomial of GF(2^8), and its powers. */
    gf128 A = phi8_basis[1];
    gf128 reduced = gf128_add(gf128_add(power(A, 4), power(A, 3)), gf128_add(A, GF128_ONE));
    assert_gf128_equal(power(A, 8), reduced);
    for (unsigned i = 0; i < 8; i++) {
        assert_gf128_equal(phi8_basis[i], power(A, i));
    }
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            assert_gf128_equal(phi8(gf8_mul((uint8_t)a, (uint8_t)b)),
                               gf128_mul(table[a], table[b]));
            assert_gf128_equal(phi8((uint8_t)(a ^ b)), gf128_add(table[a], table[b]));
        }
    }
}

static void test_eq_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/eq_mle_quirky.json");
    json_t *eq = get(root, "eq");
    assert_int_equal(json_array_size(eq), 7);
    for (size_t i = 0; i < 7; i++) {
        size_t n, size;
        gf128 *r = gf128s_alloc(get(at(eq, i), "r"), &n);
        gf128 *expected = gf128s_alloc(get(at(eq, i), "table"), &size);
        gf128 table[64];
        assert_int_equal(n, i);
        assert_int_equal(size, (size_t)1 << n);
        eq_table(table, r, n);
        assert_gf128s_equal(table, expected, size);
        free(r);
        free(expected);
    }
    json_t *eval = get(root, "eq_eval");
    assert_int_equal(json_array_size(eval), 5);
    for (size_t i = 0; i < 5; i++) {
        size_t n, n_x;
        gf128 *r = gf128s_alloc(get(at(eval, i), "r"), &n);
        gf128 *x = gf128s_alloc(get(at(eval, i), "x"), &n_x);
        assert_int_equal(n, n_x);
        assert_gf128_equal(eq_eval(r, x, n), hex_gf128(get_string(at(eval, i), "eq")));
        free(r);
        free(x);
    }
    json_decref(root);
}

static void test_multilinear_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/eq_mle_quirky.json");
    json_t *mle = get(root, "mle");
    assert_int_equal(json_array_size(mle), 5);
    for (size_t i = 0; i < 5; i++) {
        json_t *c = at(mle, i);
        size_t size, n;
        gf128 *values = gf128s_alloc(get(c, "values"), &size);
        gf128 *point = gf128s_alloc(get(c, "point"), &n);
        gf128 *scratch = malloc(size * sizeof *scratch);
        assert_non_null(scratch);
        assert_int_equal(size, (size_t)1 << n);
        gf128 expected = hex_gf128(get_string(c, "eval"));
        assert_gf128_equal(multilinear_eval(values, point, n, scratch), expected);
        /* Every partly bound array has the same value at the rest of the point. */
        json_t *folds = get(c, "folds");
        assert_int_equal(json_array_size(folds), n);
        for (size_t b = 0; b < n; b++) {
            size_t folded_size;
            gf128 *folded = gf128s_alloc(at(folds, b), &folded_size);
            assert_int_equal(folded_size, size >> (b + 1));
            assert_gf128_equal(multilinear_eval(folded, point + b + 1, n - b - 1, scratch),
                               expected);
            free(folded);
        }
        free(values);
        free(point);
        free(scratch);
    }
    json_decref(root);
}

static void test_quirky_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/eq_mle_quirky.json");
    json_t *quirky = get(root, "quirky");
    assert_int_equal(json_array_size(quirky), 3);
    for (size_t i = 0; i < 3; i++) {
        json_t *c = at(quirky, i);
        size_t n, size, n_bytes;
        gf128 z = hex_gf128(get_string(c, "z_skip"));
        gf128 *point = gf128s_alloc(get(c, "x_rest"), &n);
        gf128 *expected = gf128s_alloc(get(c, "table"), &size);
        uint8_t *bits = hex_alloc(get_string(c, "bits_packed"), &n_bytes);
        gf128 *table = malloc(size * sizeof *table);
        assert_non_null(table);
        assert_int_equal(size, (size_t)64 << n);
        assert_int_equal(n_bytes, size / 8);
        quirky_table(table, z, point, n);
        assert_gf128s_equal(table, expected, size);
        gf128 sum = GF128_ZERO;
        for (size_t b = 0; b < size; b++) {
            if ((bits[b / 8] >> (b % 8) & 1) != 0) {
                sum = gf128_add(sum, table[b]);
            }
        }
        assert_gf128_equal(sum, hex_gf128(get_string(c, "eval")));
        free(point);
        free(expected);
        free(bits);
        free(table);
    }
    json_decref(root);
}

static void test_packing_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/eq_mle_quirky.json");
    json_t *packing = get(root, "packing");
    assert_int_equal(json_array_size(packing), 2);
    for (size_t i = 0; i < 2; i++) {
        json_t *c = at(packing, i);
        const char *bits = get_string(c, "bits");
        size_t n_bytes, n;
        uint8_t *bytes = hex_alloc(get_string(c, "bytes"), &n_bytes);
        gf128 *elements = gf128s_alloc(get(c, "gf128"), &n);
        assert_int_equal(n_bytes, 16 * n);
        assert_int_equal(strlen(bits), 128 * n);
        for (size_t e = 0; e < n; e++) {
            gf128 v = gf128_load(bytes + 16 * e);
            assert_gf128_equal(v, elements[e]);
            for (size_t b = 0; b < 128; b++) {
                uint64_t word = b < 64 ? v.lo : v.hi;
                assert_int_equal(word >> (b % 64) & 1, bits[128 * e + b] - '0');
            }
        }
        free(bytes);
        free(elements);
    }
    json_decref(root);
}

static void test_multilinear_definitions(void **state)
{
    (void)state;
    enum { MAX_N = 9 };
    struct splitmix rng = {2};
    gf128 f[1 << MAX_N], table[1 << MAX_N], scratch[1 << MAX_N], before[1 << MAX_N];
    for (size_t n = 0; n <= MAX_N; n++) {
        size_t size = (size_t)1 << n;
        gf128 a[MAX_N], b[MAX_N];
        for (size_t i = 0; i < n; i++) {
            a[i] = splitmix_gf128(&rng);
            b[i] = splitmix_gf128(&rng);
        }
        for (size_t i = 0; i < size; i++) {
            f[i] = splitmix_gf128(&rng);
        }
        gf128 scale = splitmix_gf128(&rng);
        gf128 value = GF128_ZERO;
        gf128 eq_product = GF128_ZERO;
        eq_table_scaled(table, a, n, scale);
        for (size_t i = 0; i < size; i++) {
            gf128 e = eq_at(a, n, i);
            assert_gf128_equal(table[i], gf128_mul(scale, e));
            value = gf128_add(value, gf128_mul(f[i], e));
            eq_product = gf128_add(eq_product, gf128_mul(e, eq_at(b, n, i)));
        }
        memcpy(before, f, size * sizeof *f);
        assert_gf128_equal(multilinear_eval(f, a, n, scratch), value);
        assert_memory_equal(before, f, size * sizeof *f);
        /* eq is the extension of "equal". */
        assert_gf128_equal(eq_eval(a, b, n), eq_product);
    }
}

/* shift is the extension of "b = a + 1" on integers: spec 08, 3.2. */
static void test_shift(void **state)
{
    (void)state;
    struct splitmix rng = {3};
    for (size_t n = 0; n <= 6; n++) {
        uint64_t size = (uint64_t)1 << n;
        gf128 p[6], q[6], a[6], b[6];
        for (size_t i = 0; i < n; i++) {
            p[i] = splitmix_gf128(&rng);
            q[i] = splitmix_gf128(&rng);
        }
        gf128 extension = GF128_ZERO;
        for (uint64_t i = 0; i + 1 < size; i++) {
            extension = gf128_add(extension, gf128_mul(eq_at(p, n, i), eq_at(q, n, i + 1)));
        }
        assert_gf128_equal(shift_eval(p, q, n), extension);
        for (uint64_t i = 0; i < size; i++) {
            for (uint64_t j = 0; j < size; j++) {
                for (size_t l = 0; l < n; l++) {
                    a[l] = gf128_from_u64(i >> l & 1);
                    b[l] = gf128_from_u64(j >> l & 1);
                }
                assert_gf128_equal(shift_eval(a, b, n), gf128_from_u64(j == i + 1));
            }
        }
    }
}

/* prod_{j != i} (z + node_j) / (node_i + node_j) over n nodes phi(first), phi(first + 1), ... */
static gf128 lagrange_by_products(gf128 z, unsigned first, unsigned n, unsigned i)
{
    gf128 numerator = GF128_ONE;
    gf128 denominator = GF128_ONE;
    for (unsigned j = first; j < first + n; j++) {
        if (j != i) {
            numerator = gf128_mul(numerator, gf128_add(z, phi8((uint8_t)j)));
            denominator = gf128_mul(denominator, phi8((uint8_t)(i ^ j)));
        }
    }
    return gf128_mul(numerator, gf128_inverse(denominator));
}

static void test_lagrange_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/lagrange.json");
    json_t *cases = get(root, "cases");
    assert_int_equal(json_array_size(cases), 8);
    for (size_t i = 0; i < 8; i++) {
        json_t *c = at(cases, i);
        gf128 z = hex_gf128(get_string(c, "z"));
        gf128 S[64], Lambda[64], V7[64], expected[64], values[64];
        lagrange_S(S, z);
        json_gf128s(get(c, "weights_S"), expected, 64);
        assert_gf128s_equal(S, expected, 64);
        lagrange_Lambda(Lambda, z);
        json_gf128s(get(c, "weights_Lambda"), expected, 64);
        assert_gf128s_equal(Lambda, expected, 64);
        lagrange_V7(V7, z);
        json_gf128s(get(c, "weights_V7_on_Lambda"), expected, 64);
        assert_gf128s_equal(V7, expected, 64);
        json_gf128s(get(c, "values_on_Lambda"), values, 64);
        gf128 on_Lambda = GF128_ZERO, on_V7 = GF128_ZERO;
        for (size_t j = 0; j < 64; j++) {
            on_Lambda = gf128_add(on_Lambda, gf128_mul(Lambda[j], values[j]));
            on_V7 = gf128_add(on_V7, gf128_mul(V7[j], values[j]));
        }
        assert_gf128_equal(on_Lambda, hex_gf128(get_string(c, "interp_Lambda")));
        assert_gf128_equal(on_V7, hex_gf128(get_string(c, "interp_V7_zero_on_S")));
    }
    json_decref(root);
}

static void assert_lagrange_by_products(gf128 z)
{
    gf128 S[64], Lambda[64], V7[64];
    lagrange_S(S, z);
    lagrange_Lambda(Lambda, z);
    lagrange_V7(V7, z);
    for (unsigned i = 0; i < 64; i++) {
        assert_gf128_equal(S[i], lagrange_by_products(z, 0, 64, i));
        assert_gf128_equal(Lambda[i], lagrange_by_products(z, 64, 64, 64 + i));
        assert_gf128_equal(V7[i], lagrange_by_products(z, 0, 128, 64 + i));
    }
}

/* Random points, phi of bytes off the domain, and integers, which are no nodes from 2 on. */
static void test_lagrange_definition(void **state)
{
    (void)state;
    struct splitmix rng = {4};
    assert_lagrange_by_products(splitmix_gf128(&rng));
    assert_lagrange_by_products(phi8(0x80));
    assert_lagrange_by_products(phi8(0xff));
    assert_lagrange_by_products(gf128_from_u64(2));
    assert_lagrange_by_products(phi8(0x3f));
    assert_lagrange_by_products(phi8(0x40));
}

/* At each of the 128 nodes the weights are indicators, or those of the other half. */
static void test_lagrange_nodes(void **state)
{
    (void)state;
    for (unsigned node = 0; node < 128; node++) {
        gf128 z = phi8((uint8_t)node);
        gf128 S[64], Lambda[64], V7[64];
        lagrange_S(S, z);
        lagrange_Lambda(Lambda, z);
        lagrange_V7(V7, z);
        for (unsigned i = 0; i < 64; i++) {
            gf128 other = phi8(skip_extension[(node ^ i) & 63]);
            assert_gf128_equal(S[i], node < 64 ? gf128_from_u64(i == node) : other);
            assert_gf128_equal(Lambda[i], node < 64 ? other : gf128_from_u64(64 + i == node));
            assert_gf128_equal(V7[i], gf128_from_u64(64 + i == node));
        }
    }
}

static void test_domain_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/domains.json");
    uint8_t S[64], Lambda[64], column[64];
    gf128 S_embedded[64], Lambda_embedded[64], challenges[7];
    hex_to_bytes(get_string(root, "S"), S, 64);
    hex_to_bytes(get_string(root, "Lambda"), Lambda, 64);
    json_gf128s(get(root, "S_embedded"), S_embedded, 64);
    json_gf128s(get(root, "Lambda_embedded"), Lambda_embedded, 64);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(S[i], i);
        assert_int_equal(Lambda[i], 64 + i);
        assert_gf128_equal(phi8(S[i]), S_embedded[i]);
        assert_gf128_equal(phi8(Lambda[i]), Lambda_embedded[i]);
        hex_to_bytes(string_of(at(get(root, "M_columns"), i)), column, 64);
        for (unsigned j = 0; j < 64; j++) {
            assert_int_equal(skip_extension[i ^ j], column[j]);
        }
    }
    json_gf128s(get(root, "small_challenges"), challenges, 3);
    json_gf128s(get(root, "medium_challenges"), challenges + 3, 4);
    assert_gf128s_equal(friendly_point, challenges, 7);
    assert_gf128_equal(phi8(0x1c), hex_gf128(get_string(root, "C_s")));
    assert_gf128_equal(
        gf128_mul(gf128_add(GF128_ONE, challenges[1]), gf128_add(GF128_ONE, challenges[2])),
        hex_gf128(get_string(root, "C_2")));
    assert_gf128_equal(phi8(gf8_inverse(2)), hex_gf128(get_string(root, "alpha_inv")));
    json_decref(root);
}

/*
 * m[d] = kappa / (0x40 + d) with kappa = Z_S(0x40) / D, derived from products over the nodes
 * (spec 01, 1.7.2 and 1.8).
 */
static void test_skip_extension_constants(void **state)
{
    (void)state;
    uint8_t D = 1, mu = 1;
    for (unsigned s = 0; s < 64; s++) {
        D = gf8_mul(D, s == 0 ? 1 : (uint8_t)s);
        mu = gf8_mul(mu, (uint8_t)(0x40 ^ s));
    }
    assert_int_equal(D, 0x33);
    assert_int_equal(mu, 0x24);
    uint8_t kappa = gf8_mul(mu, gf8_inverse(D));
    assert_int_equal(kappa, 0x84);
    for (unsigned d = 0; d < 64; d++) {
        assert_int_equal(skip_extension[d], gf8_mul(kappa, gf8_inverse((uint8_t)(0x40 ^ d))));
    }
}

static void test_lde_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/lde.json");
    json_t *bit_rows = get(root, "bit_rows");
    assert_int_equal(json_array_size(bit_rows), 64);
    for (size_t r = 0; r < 64; r++) {
        uint8_t row[8], expected[64];
        gf128 on_S[64], on_Lambda[64];
        hex_to_bytes(string_of(at(at(bit_rows, r), 0)), row, 8);
        hex_to_bytes(string_of(at(at(bit_rows, r), 1)), expected, 64);
        for (size_t k = 0; k < 64; k++) {
            on_S[k] = gf128_from_u64(row[k / 8] >> (k % 8) & 1);
        }
        skip_extend(on_Lambda, on_S);
        for (size_t i = 0; i < 64; i++) {
            assert_gf128_equal(on_Lambda[i], phi8(expected[i]));
        }
    }
    json_t *rows = get(root, "gf128_rows");
    assert_int_equal(json_array_size(rows), 3);
    for (size_t r = 0; r < 3; r++) {
        gf128 on_S[64], on_Lambda[64], expected[64];
        json_gf128s(get(at(rows, r), "on_S"), on_S, 64);
        json_gf128s(get(at(rows, r), "on_Lambda"), expected, 64);
        skip_extend(on_Lambda, on_S);
        assert_gf128s_equal(on_Lambda, expected, 64);
        /* The same matrix leads back. */
        gf128 back[64];
        skip_extend(back, on_Lambda);
        assert_gf128s_equal(back, on_S, 64);
    }
    json_decref(root);
}

/* Rank over GF(2), by elimination. */
static unsigned rank(gf128 *v, unsigned n)
{
    unsigned r = 0;
    for (unsigned bit = 0; bit < 128; bit++) {
        unsigned pivot = r;
        while (pivot < n && ((bit < 64 ? v[pivot].lo : v[pivot].hi) >> (bit % 64) & 1) == 0) {
            pivot++;
        }
        if (pivot == n) {
            continue;
        }
        gf128 row = v[pivot];
        v[pivot] = v[r];
        v[r] = row;
        for (unsigned i = 0; i < n; i++) {
            if (i != r && ((bit < 64 ? v[i].lo : v[i].hi) >> (bit % 64) & 1) != 0) {
                v[i] = gf128_add(v[i], row);
            }
        }
        r++;
    }
    return r;
}

/* Spec 01, 1.10. */
static void test_friendly_point(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        gf128 a = power(phi8(2), 1u << i);
        assert_gf128_equal(friendly_point[i], gf128_mul(a, gf128_inverse(gf128_add(GF128_ONE, a))));
    }
    for (unsigned i = 0; i < 4; i++) {
        gf128 a = power(gf128_from_u64(2), 1u << i);
        assert_gf128_equal(friendly_point[3 + i],
                           gf128_mul(a, gf128_inverse(gf128_add(GF128_ONE, a))));
    }
    gf128 table[128];
    eq_table(table, friendly_point, 7);
    gf128 scale = gf128_mul(phi8(0x1c), gf128_inverse(gf128_from_u64(0xffff)));
    for (unsigned K = 0; K < 8; K++) {
        for (unsigned b = 0; b < 16; b++) {
            gf128 product = gf128_mul(power(phi8(2), K), power(gf128_from_u64(2), b));
            assert_gf128_equal(table[K + 8 * b], gf128_mul(scale, product));
        }
    }
    assert_int_equal(rank(table, 128), 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gf8),
        cmocka_unit_test(test_gf8_exhaustive),
        cmocka_unit_test(test_gf128),
        cmocka_unit_test(test_gf128_properties),
        cmocka_unit_test(test_phi8),
        cmocka_unit_test(test_eq_vectors),
        cmocka_unit_test(test_multilinear_vectors),
        cmocka_unit_test(test_quirky_vectors),
        cmocka_unit_test(test_packing_vectors),
        cmocka_unit_test(test_multilinear_definitions),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_lagrange_vectors),
        cmocka_unit_test(test_lagrange_definition),
        cmocka_unit_test(test_lagrange_nodes),
        cmocka_unit_test(test_domain_vectors),
        cmocka_unit_test(test_skip_extension_constants),
        cmocka_unit_test(test_lde_vectors),
        cmocka_unit_test(test_friendly_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
