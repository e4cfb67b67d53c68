/* The additive NTT and the interleaved Reed-Solomon code: spec 01, 1.9. */
#include "support/support.h"

#include <limits.h>
#include <stdatomic.h>

#include <openssl/sha.h>

#include "code/additive_ntt.h"
#include "field/multilinear.h"

static gf128 *gf128s_alloc(size_t n)
{
    gf128 *v = malloc((n + 1) * sizeof *v);
    assert_non_null(v);
    return v;
}

static gf128 *random_gf128s(uint64_t seed, size_t n)
{
    struct splitmix rng = {seed};
    gf128 *v = gf128s_alloc(n);
    for (size_t i = 0; i < n; i++) {
        v[i] = splitmix_gf128(&rng);
    }
    return v;
}

static void assert_gf128s_equal(const gf128 *a, const gf128 *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_gf128_equal(a[i], b[i]);
    }
}

/* What an encoder gave to its sink. */
struct taken {
    const gf128 *codeword;
    gf128 *copy;
    atomic_size_t n;
    unsigned log_lanes;
};

static void take(void *context, size_t first, unsigned log_n, size_t next)
{
    struct taken *taken = context;
    (void)next;
    size_t offset = first << taken->log_lanes, size = (size_t)1 << (log_n + taken->log_lanes);
    memcpy(taken->copy + offset, taken->codeword + offset, size * sizeof(gf128));
    atomic_fetch_add(&taken->n, size);
}

/* Encodes into an array of its own, to be freed; nothing may stay taken. The parts that the sink
 * gets are the codeword, each once and final. */
static gf128 *encode_knowing(unsigned threads, const gf128 *message, unsigned log_lanes,
                             unsigned log_message, unsigned log_inv_rate, struct known_zeros zeros)
{
    struct prover_context context;
    test_context_init(&context, threads);
    size_t size = (size_t)1 << (log_lanes + log_message + log_inv_rate);
    gf128 *codeword = gf128s_alloc(size);
    memset(codeword, 0xa5, size * sizeof *codeword);
    struct taken taken = {codeword, gf128s_alloc(size), 0, log_lanes};
    memset(taken.copy, 0x5a, size * sizeof *codeword);
    struct encode_sink sink = {take, &taken, UINT_MAX};
    assert_int_equal(encode_interleaved(&context, codeword, message, log_lanes, log_message,
                                        log_inv_rate, zeros, threads % 2 == 0 ? &sink : NULL),
                     FLOCK_OK);
    if (threads % 2 == 0) {
        assert_int_equal(taken.n, size);
        assert_memory_equal(taken.copy, codeword, size * sizeof *codeword);
        assert_true(sink.log_part <= log_message);
    }
    free(taken.copy);
    /* And with the message in the codeword's memory. */
    gf128 *in_place = gf128s_alloc(size);
    size_t n = (size_t)1 << (log_lanes + log_message);
    memcpy(in_place + size - n, message, n * sizeof *message);
    assert_int_equal(encode_interleaved(&context, in_place, in_place + size - n, log_lanes,
                                        log_message, log_inv_rate, zeros, NULL),
                     FLOCK_OK);
    assert_gf128s_equal(in_place, codeword, size);
    free(in_place);
    assert_int_equal(context.memory.live_bytes, 0);
    test_context_release(&context);
    return codeword;
}

static gf128 *encode(unsigned threads, const gf128 *message, unsigned log_lanes,
                     unsigned log_message, unsigned log_inv_rate)
{
    return encode_knowing(threads, message, log_lanes, log_message, log_inv_rate, no_known_zeros);
}

/* ---- slow and obvious versions ---- */

/* W_k(x) by the recurrence of 1.9.1; normalizers[k] = W_k(beta_k). */
static gf128 normalizers[NTT_MAX_LOG + 1];

static gf128 subspace_polynomial(unsigned k, gf128 x)
{
    for (unsigned i = 0; i < k; i++) {
        x = gf128_mul(x, gf128_add(x, normalizers[i]));
    }
    return x;
}

static struct subspace_images images;

static int set_up(void **state)
{
    (void)state;
    for (unsigned k = 0; k <= NTT_MAX_LOG; k++) {
        normalizers[k] = subspace_polynomial(k, gf128_from_u64((uint64_t)1 << k));
    }
    subspace_images_init(&images, NTT_MAX_LOG);
    return 0;
}

static gf128 normalized(unsigned k, uint64_t j)
{
    return gf128_mul(subspace_polynomial(k, gf128_from_u64(j)), gf128_inverse(normalizers[k]));
}

/* row[c] = X_c(j), c < 2^n */
static void generator_row(gf128 *row, unsigned n, uint64_t j)
{
    row[0] = GF128_ONE;
    for (unsigned b = 0; b < n; b++) {
        gf128 factor = normalized(b, j);
        for (size_t c = 0; c < (size_t)1 << b; c++) {
            row[c + ((size_t)1 << b)] = gf128_mul(factor, row[c]);
        }
    }
}

/* Position j of a codeword, all lanes, by its generator row. */
static void codeword_row(gf128 *out, const gf128 *message, unsigned log_lanes, unsigned log_message,
                         uint64_t j)
{
    gf128 *row = gf128s_alloc((size_t)1 << log_message);
    generator_row(row, log_message, j);
    size_t lanes = (size_t)1 << log_lanes;
    memset(out, 0, lanes * sizeof *out);
    for (size_t c = 0; c < (size_t)1 << log_message; c++) {
        for (size_t q = 0; q < lanes; q++) {
            out[q] = gf128_add(out[q], gf128_mul(row[c], message[c * lanes + q]));
        }
    }
    free(row);
}

/* The transform as 1.9.3 states it, from the message and zeros, all layers. */
static gf128 *encode_by_layers(const gf128 *message, unsigned log_lanes, unsigned log_message,
                               unsigned log_inv_rate)
{
    unsigned log_n = log_message + log_inv_rate;
    size_t lanes = (size_t)1 << log_lanes;
    gf128 *a = gf128s_alloc(lanes << log_n);
    memset(a, 0, (lanes << log_n) * sizeof *a);
    memcpy(a, message, (lanes << log_message) * sizeof *a);
    for (unsigned l = 0; l < log_n; l++) {
        size_t half = (size_t)1 << (log_n - l - 1);
        for (size_t b = 0; b < (size_t)1 << l; b++) {
            gf128 t = normalized(log_n - 1 - l, b * 2 * half);
            for (size_t i = b * 2 * half * lanes; i < (b * 2 + 1) * half * lanes; i++) {
                a[i] = gf128_add(a[i], gf128_mul(t, a[i + half * lanes]));
                a[i + half * lanes] = gf128_add(a[i + half * lanes], a[i]);
            }
        }
    }
    return a;
}

/* ---- subspace polynomials, twiddles, generator rows ---- */

static gf128 subspace_eval(unsigned b, uint64_t j)
{
    gf128 factors[NTT_MAX_LOG];
    generator_factors(factors, b + 1, &images, j);
    return factors[b];
}

/* t(layer, block) of a transform of 2^log_n positions (1.9.3). */
static gf128 ntt_twiddle(unsigned log_n, unsigned layer, uint64_t block)
{
    return subspace_eval(log_n - 1 - layer, block << (log_n - layer));
}

static void test_subspace_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/ntt_twiddles.json");
    gf128 expected[NTT_MAX_LOG + 1];
    json_gf128s(get(root, "W_k_at_gamma_k"), expected, NTT_MAX_LOG + 1);
    assert_gf128s_equal(normalizers, expected, NTT_MAX_LOG + 1);
    json_t *list = get(root, "What_k_at_gamma_i_ell16");
    assert_int_equal(json_array_size(list), 16);
    for (unsigned k = 0; k < 16; k++) {
        json_gf128s(at(list, k), expected, 15 - k);
        for (unsigned i = k + 1; i < 16; i++) {
            assert_gf128_equal(subspace_eval(k, (uint64_t)1 << i), expected[i - k - 1]);
        }
    }
    json_decref(root);
}

static void test_twiddle_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/ntt_twiddles.json");
    json_t *full = get(root, "full");
    assert_int_equal(json_array_size(full), 4);
    for (size_t i = 0; i < 4; i++) {
        unsigned log_n = (unsigned)get_size(at(full, i), "ell");
        json_t *layers = get(at(full, i), "layers");
        assert_int_equal(json_array_size(layers), log_n);
        for (unsigned l = 0; l < log_n; l++) {
            gf128 expected[16];
            json_gf128s(at(layers, l), expected, (size_t)1 << l);
            for (uint64_t b = 0; b < (uint64_t)1 << l; b++) {
                assert_gf128_equal(ntt_twiddle(log_n, l, b), expected[b]);
            }
        }
    }
    json_t *samples = get(root, "samples");
    assert_int_equal(json_array_size(samples), 70);
    for (size_t i = 0; i < 70; i++) {
        json_t *s = at(samples, i);
        gf128 t = ntt_twiddle((unsigned)get_size(s, "ell"), (unsigned)get_size(s, "layer"),
                              get_size(s, "block"));
        assert_gf128_equal(t, hex_gf128(get_string(s, "twiddle")));
    }
    json_decref(root);
}

static void test_subspace_definition(void **state)
{
    (void)state;
    struct splitmix rng = {1};
    for (unsigned b = 0; b < NTT_MAX_LOG; b++) {
        for (unsigned i = 0; i < NTT_MAX_LOG; i++) {
            uint64_t j = (uint64_t)1 << i;
            assert_gf128_equal(subspace_eval(b, j), normalized(b, j));
        }
        assert_gf128_equal(subspace_eval(b, (uint64_t)1 << b), GF128_ONE);
        uint64_t j = splitmix_next(&rng) >> (64 - NTT_MAX_LOG);
        assert_gf128_equal(subspace_eval(b, j), normalized(b, j));
        assert_gf128_equal(subspace_eval(b, j & (((uint64_t)1 << b) - 1)), GF128_ZERO);
    }
    /* W_k as the product over its roots. */
    for (unsigned k = 0; k < 6; k++) {
        gf128 x = splitmix_gf128(&rng);
        gf128 product = GF128_ONE;
        for (uint64_t v = 0; v < (uint64_t)1 << k; v++) {
            product = gf128_mul(product, gf128_add(x, gf128_from_u64(v)));
        }
        assert_gf128_equal(subspace_polynomial(k, x), product);
    }
    for (unsigned n = 0; n <= NTT_MAX_LOG; n++) {
        gf128 factors[NTT_MAX_LOG + 1];
        memset(factors, 0x5a, sizeof factors);
        gf128 guard = factors[n];
        uint64_t j = splitmix_next(&rng) >> (64 - NTT_MAX_LOG);
        generator_factors(factors, n, &images, j);
        for (unsigned b = 0; b < n; b++) {
            assert_gf128_equal(factors[b], normalized(b, j));
        }
        assert_gf128_equal(factors[n], guard);
    }
}

static void test_generator_rows(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/g_rows.json");
    json_t *rows = get(root, "rows");
    assert_int_equal(json_array_size(rows), 30);
    for (size_t i = 0; i < 30; i++) {
        unsigned n = (unsigned)get_size(at(rows, i), "log_msg");
        size_t size = (size_t)1 << n;
        uint64_t j = get_size(at(rows, i), "j");
        gf128 *expected = gf128s_alloc(size), *row = gf128s_alloc(size);
        json_gf128s(get(at(rows, i), "G_j"), expected, size);
        generator_row(row, n, j);
        assert_gf128s_equal(row, expected, size);
        /* The multilinear extension, at the corners and elsewhere. */
        gf128 factors[NTT_MAX_LOG], point[NTT_MAX_LOG];
        generator_factors(factors, n, &images, j);
        for (size_t c = 0; c < size; c++) {
            for (unsigned b = 0; b < n; b++) {
                point[b] = gf128_from_u64(c >> b & 1);
            }
            assert_gf128_equal(generator_eval(factors, point, n), expected[c]);
        }
        struct splitmix rng = {i};
        for (unsigned b = 0; b < n; b++) {
            point[b] = splitmix_gf128(&rng);
        }
        gf128 *scratch = gf128s_alloc(size);
        assert_gf128_equal(generator_eval(factors, point, n),
                           multilinear_eval(expected, point, n, scratch));
        free(expected);
        free(row);
        free(scratch);
    }
    json_t *mle = get(root, "mle");
    assert_int_equal(json_array_size(mle), 24);
    for (size_t i = 0; i < 24; i++) {
        unsigned n = (unsigned)get_size(at(mle, i), "log_msg");
        gf128 factors[NTT_MAX_LOG], point[NTT_MAX_LOG];
        json_gf128s(get(at(mle, i), "point"), point, n);
        generator_factors(factors, n, &images, get_size(at(mle, i), "j"));
        assert_gf128_equal(generator_eval(factors, point, n),
                           hex_gf128(get_string(at(mle, i), "value")));
    }
    json_decref(root);
}

/* ---- encoding ---- */

static void check_encoding_vector(const json_t *c, unsigned log_lanes)
{
    unsigned log_message = (unsigned)get_size(c, "log_msg");
    unsigned log_inv_rate = (unsigned)get_size(c, "log_inv_rate");
    size_t message_size = (size_t)1 << (log_message + log_lanes);
    size_t size = message_size << log_inv_rate;
    gf128 *message = random_gf128s(get_size(c, "seed"), message_size);
    if (json_object_get(c, "message") != NULL) {
        json_gf128s(get(c, "message"), message, message_size);
    }
    for (unsigned threads = 1; threads <= 3; threads++) {
        gf128 *codeword = encode(threads, message, log_lanes, log_message, log_inv_rate);
        char hex[65];
        sha256_hex_of_gf128s(codeword, size, hex);
        assert_string_equal(hex, get_string(c, "sha256"));
        if (json_object_get(c, "codeword") != NULL) {
            gf128 *expected = gf128s_alloc(size);
            json_gf128s(get(c, "codeword"), expected, size);
            assert_gf128s_equal(codeword, expected, size);
            free(expected);
        } else {
            json_t *samples = get(c, "samples");
            assert_true(json_array_size(samples) > 0);
            for (size_t i = 0; i < json_array_size(samples); i++) {
                size_t position = size_of(at(at(samples, i), 0));
                assert_true(position < size);
                assert_gf128_equal(codeword[position], hex_gf128(string_of(at(at(samples, i), 1))));
            }
        }
        free(codeword);
    }
    free(message);
}

static void test_encoding_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/ntt.json");
    json_t *cases = get(root, "cases");
    assert_int_equal(json_array_size(cases), 20);
    for (size_t i = 0; i < 20; i++) {
        check_encoding_vector(at(cases, i), 0);
    }
    json_decref(root);

    root = vector_json("fields/ntt_interleaved.json");
    cases = get(root, "cases");
    assert_int_equal(json_array_size(cases), 12);
    for (size_t i = 0; i < 12; i++) {
        check_encoding_vector(at(cases, i), (unsigned)get_size(at(cases, i), "log_lanes"));
    }
    json_decref(root);
}

/* SHA-256 root of the rows (spec 02, 2.2). */
static void root_of_rows(const gf128 *codeword, unsigned log_lanes, size_t n_leaves,
                         char leaf0_hex[65], char root_hex[65])
{
    size_t row_bytes = (size_t)16 << log_lanes;
    uint8_t *bytes = malloc(row_bytes), *hashes = malloc(n_leaves * 32);
    assert_non_null(bytes);
    assert_non_null(hashes);
    for (size_t j = 0; j < n_leaves; j++) {
        for (size_t q = 0; q < (size_t)1 << log_lanes; q++) {
            gf128_store(bytes + 16 * q, codeword[(j << log_lanes) + q]);
        }
        SHA256(bytes, row_bytes, hashes + 32 * j);
        if (j == 0) {
            sha256_hex_of_bytes(bytes, row_bytes, leaf0_hex);
        }
    }
    for (size_t n = n_leaves; n > 1; n /= 2) {
        if (n == 2) {
            sha256_hex_of_bytes(hashes, 64, root_hex);
        }
        for (size_t i = 0; i < n / 2; i++) {
            uint8_t pair[64];
            memcpy(pair, hashes + 64 * i, 64);
            SHA256(pair, 64, hashes + 32 * i);
        }
    }
    free(bytes);
    free(hashes);
}

static void test_commitment_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("transcript/commit.json");
    assert_int_equal(json_array_size(root), 10);
    for (size_t i = 0; i < 10; i++) {
        json_t *c = at(root, i);
        unsigned m = (unsigned)get_size(c, "m");
        unsigned log_inv_rate = (unsigned)get_size(c, "log_inv_rate");
        unsigned log_lanes = (unsigned)get_size(c, "log_batch_size");
        size_t message_size = (size_t)1 << (m - 7);
        size_t size = message_size << log_inv_rate;
        gf128 *message = random_gf128s(get_size(c, "z_splitmix64_seed"), message_size);
        gf128 *codeword = encode(2, message, log_lanes, m - 7 - log_lanes, log_inv_rate);
        if (json_object_get(c, "codeword") != NULL) {
            uint8_t *z = malloc(16 * message_size), *bytes = malloc(16 * size);
            assert_non_null(z);
            assert_non_null(bytes);
            hex_to_bytes(get_string(c, "z_packed"), z, 16 * message_size);
            hex_to_bytes(get_string(c, "codeword"), bytes, 16 * size);
            for (size_t e = 0; e < message_size; e++) {
                assert_gf128_equal(message[e], gf128_load(z + 16 * e));
            }
            for (size_t e = 0; e < size; e++) {
                assert_gf128_equal(codeword[e], gf128_load(bytes + 16 * e));
            }
            free(z);
            free(bytes);
        }
        char leaf0[65], root_hex[65];
        root_of_rows(codeword, log_lanes, size >> log_lanes, leaf0, root_hex);
        assert_int_equal(size >> log_lanes, get_size(c, "n_leaves"));
        assert_string_equal(leaf0, get_string(c, "leaf0_hash"));
        assert_string_equal(root_hex, get_string(c, "root"));
        free(message);
        free(codeword);
    }
    json_decref(root);
}

/* Every position of small codes, by generator rows. */
static void test_small_encodings(void **state)
{
    (void)state;
    gf128 expected[64];
    for (unsigned log_inv_rate = 1; log_inv_rate <= 4; log_inv_rate++) {
        for (unsigned log_lanes = 0; log_lanes <= 6; log_lanes++) {
            for (unsigned log_message = 0; log_message <= 5; log_message++) {
                if (log_lanes >= 4 && log_message == 5) {
                    continue;
                }
                gf128 *message = random_gf128s(log_lanes, (size_t)1 << (log_lanes + log_message));
                gf128 *one = encode(1, message, log_lanes, log_message, log_inv_rate);
                gf128 *two = encode(2, message, log_lanes, log_message, log_inv_rate);
                for (uint64_t j = 0; j < (uint64_t)1 << (log_message + log_inv_rate); j++) {
                    codeword_row(expected, message, log_lanes, log_message, j);
                    assert_gf128s_equal(one + (j << log_lanes), expected, (size_t)1 << log_lanes);
                    assert_gf128s_equal(two + (j << log_lanes), expected, (size_t)1 << log_lanes);
                }
                free(message);
                free(one);
                free(two);
            }
        }
    }
}

/* Sizes that take strips, several passes of them, and tiles of all kinds. */
static void test_encodings_by_layers(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {/* lanes, message, rate */
                                        {0, 12, 1}, {0, 13, 2}, {1, 11, 4}, {3, 9, 3},
                                        {3, 10, 1}, {6, 8, 1},  {6, 7, 2},  {2, 12, 2},
                                        {6, 10, 1}, {0, 16, 1}, {9, 4, 3},  {11, 3, 1},
                                        {12, 0, 2}, {13, 2, 1}, {10, 6, 1}, {0, 18, 1}};
    static const unsigned threads[] = {1, 2, 3, 16, 64};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        unsigned lanes = sizes[s][0], log_message = sizes[s][1], rate = sizes[s][2];
        size_t size = (size_t)1 << (lanes + log_message);
        gf128 *message = random_gf128s(s, size);
        gf128 *expected = encode_by_layers(message, lanes, log_message, rate);
        for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
            gf128 *codeword = encode(threads[t], message, lanes, log_message, rate);
            assert_gf128s_equal(codeword, expected, size << rate);
            free(codeword);
        }
        free(message);
        free(expected);
    }
}

/*
 * What is known to be zero changes nothing but the work: where a tile holds whole periods, what
 * stands there is not even read.
 */
static void test_known_zeros(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {{6, 8, 1}, {0, 16, 1}, {3, 9, 3}, {6, 10, 1},
                                        {6, 7, 2}, {10, 6, 1}, {6, 12, 2}};
    static const unsigned threads[] = {1, 2, 16};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        unsigned lanes = sizes[s][0], log_message = sizes[s][1], rate = sizes[s][2];
        size_t size = (size_t)1 << (lanes + log_message);
        struct splitmix rng = {s};
        for (unsigned log_period = 2; log_period <= lanes + log_message; log_period += 2) {
            size_t period = (size_t)1 << log_period;
            /* From nearly nothing to nearly all. */
            size_t used = 1 + (splitmix_next(&rng) % period >> splitmix_next(&rng) % 4);
            gf128 *message = random_gf128s(s, size), *other = gf128s_alloc(size);
            memcpy(other, message, size * sizeof *other);
            for (size_t i = 0; i < size; i++) {
                if (i % period >= used) {
                    message[i] = GF128_ZERO;
                    /* Lines of 64 bytes are zero or not. */
                    other[i] = i % period >= (used + 3) / 4 * 4 ? other[i] : GF128_ZERO;
                }
            }
            gf128 *expected = encode(1, message, lanes, log_message, rate);
            struct known_zeros zeros = {log_period, used};
            for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
                gf128 *codeword =
                    encode_knowing(threads[t], message, lanes, log_message, rate, zeros);
                assert_gf128s_equal(codeword, expected, size << rate);
                free(codeword);
                if (log_period <= 8) {
                    codeword = encode_knowing(threads[t], other, lanes, log_message, rate, zeros);
                    assert_gf128s_equal(codeword, expected, size << rate);
                    free(codeword);
                }
            }
            free(expected);
            free(message);
            free(other);
        }
    }
}

/* Random positions of larger codes, by generator rows; also the first two (1.9.2). */
static void test_large_encodings(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {{6, 11, 1}, {3, 14, 2}, {6, 12, 2}};
    gf128 expected[64];
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        unsigned lanes = sizes[s][0], log_message = sizes[s][1], rate = sizes[s][2];
        gf128 *message = random_gf128s(s + 100, (size_t)1 << (lanes + log_message));
        gf128 *codeword = encode(2, message, lanes, log_message, rate);
        struct splitmix rng = {s};
        for (uint64_t i = 0; i < 6; i++) {
            uint64_t j = i < 2 ? i : splitmix_next(&rng) >> (64 - log_message - rate);
            codeword_row(expected, message, lanes, log_message, j);
            assert_gf128s_equal(codeword + (j << lanes), expected, (size_t)1 << lanes);
        }
        assert_gf128s_equal(codeword, message, (size_t)1 << lanes);
        free(message);
        free(codeword);
    }
}

/* ---- weighted sums of generator rows ---- */

/* Every method, several numbers of threads. */
static void check_row_sums(const gf128 *expected, const uint32_t *positions, const gf128 *weights,
                           size_t n, unsigned log_message, unsigned log_inv_rate)
{
    static const unsigned threads[] = {1, 2, 5};
    size_t size = (size_t)1 << log_message;
    gf128 *sums = gf128s_alloc(size);
    for (size_t t = 0; t < 3; t++) {
        struct prover_context context;
        test_context_init(&context, threads[t]);
        for (unsigned split = 0; split <= log_message + 1; split++) {
            memset(sums, 0xa5, size * sizeof *sums);
            flock_status status =
                split > log_message ? generator_row_sums(&context, sums, positions, weights, n,
                                                         log_message, log_inv_rate)
                                    : generator_row_sums_split(&context, sums, positions, weights,
                                                               n, log_message, log_inv_rate, split);
            assert_int_equal(status, FLOCK_OK);
            assert_gf128s_equal(sums, expected, size);
            assert_int_equal(context.memory.live_bytes, 0);
        }
        test_context_release(&context);
    }
    free(sums);
}

static void test_row_sum_vectors(void **state)
{
    (void)state;
    json_t *root = vector_json("fields/row_sums.json");
    json_t *cases = get(root, "cases");
    assert_int_equal(json_array_size(cases), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *c = at(cases, i);
        unsigned log_message = (unsigned)get_size(c, "log_msg");
        unsigned log_inv_rate = (unsigned)get_size(c, "log_inv_rate");
        size_t size = (size_t)1 << log_message;
        json_t *list = get(c, "positions");
        size_t n = json_array_size(list), n_alpha = json_array_size(get(c, "alpha"));
        uint32_t *positions = malloc(n * sizeof *positions);
        assert_non_null(positions);
        for (size_t t = 0; t < n; t++) {
            positions[t] = (uint32_t)size_of(at(list, t));
        }
        gf128 alpha[16], *weights = gf128s_alloc((size_t)1 << n_alpha);
        json_gf128s(get(c, "alpha"), alpha, n_alpha);
        eq_table(weights, alpha, n_alpha);

        struct prover_context context;
        test_context_init(&context, 1);
        gf128 *sums = gf128s_alloc(size);
        assert_int_equal(
            generator_row_sums(&context, sums, positions, weights, n, log_message, log_inv_rate),
            FLOCK_OK);
        test_context_release(&context);
        char hex[65];
        sha256_hex_of_gf128s(sums, size, hex);
        assert_string_equal(hex, get_string(c, "sha256"));
        gf128 *expected = gf128s_alloc(size);
        if (json_object_get(c, "sum") != NULL) {
            json_gf128s(get(c, "sum"), expected, size);
            assert_gf128s_equal(sums, expected, size);
        } else {
            json_gf128s(get(c, "sum_first_8"), expected, 8);
            assert_gf128s_equal(sums, expected, 8);
        }
        check_row_sums(sums, positions, weights, n, log_message, log_inv_rate);
        free(expected);
        free(sums);
        free(weights);
        free(positions);
    }
    json_decref(root);
}

/* Against the definition, in any order of positions and with repetitions. */
static void test_row_sums(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {/* message, rate, positions */
                                        {0, 1, 1},  {0, 3, 5},  {1, 1, 2},   {3, 1, 0},
                                        {3, 5, 43}, {4, 2, 64}, {6, 4, 53},  {9, 3, 71},
                                        {10, 1, 1}, {12, 2, 9}, {11, 1, 218}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        unsigned log_message = sizes[s][0], log_inv_rate = sizes[s][1];
        size_t n = sizes[s][2], size = (size_t)1 << log_message;
        struct splitmix rng = {s};
        gf128 *row = gf128s_alloc(size), *expected = gf128s_alloc(size);
        gf128 *weights = random_gf128s(s + 50, n);
        uint32_t positions[256];
        memset(expected, 0, size * sizeof *expected);
        for (size_t t = 0; t < n; t++) {
            positions[t] =
                t == 3 ? positions[1]
                       : (uint32_t)(splitmix_next(&rng) >> (64 - log_message - log_inv_rate));
            generator_row(row, log_message, positions[t]);
            for (size_t c = 0; c < size; c++) {
                expected[c] = gf128_add(expected[c], gf128_mul(weights[t], row[c]));
            }
        }
        check_row_sums(expected, positions, weights, n, log_message, log_inv_rate);
        free(row);
        free(expected);
        free(weights);
    }
}

/* More positions than a tile holds: the two extremes and the choice agree with each other. */
static void test_large_row_sums(void **state)
{
    (void)state;
    enum { LOG_MESSAGE = 17, N = 20 };
    uint32_t positions[N];
    struct splitmix rng = {9};
    for (size_t t = 0; t < N; t++) {
        positions[t] = (uint32_t)(splitmix_next(&rng) >> (64 - LOG_MESSAGE - 1));
    }
    gf128 *weights = random_gf128s(10, N);
    gf128 *sums[3];
    for (unsigned i = 0; i < 3; i++) {
        struct prover_context context;
        test_context_init(&context, i == 2 ? 1 : 2);
        sums[i] = gf128s_alloc((size_t)1 << LOG_MESSAGE);
        flock_status status =
            i == 2 ? generator_row_sums(&context, sums[i], positions, weights, N, LOG_MESSAGE, 1)
                   : generator_row_sums_split(&context, sums[i], positions, weights, N, LOG_MESSAGE,
                                              1, i == 0 ? 3 : LOG_MESSAGE);
        assert_int_equal(status, FLOCK_OK);
        test_context_release(&context);
    }
    assert_gf128s_equal(sums[0], sums[1], (size_t)1 << LOG_MESSAGE);
    assert_gf128s_equal(sums[0], sums[2], (size_t)1 << LOG_MESSAGE);
    /* The extension of the sum at a point is the sum of the extensions. */
    gf128 *point = random_gf128s(11, LOG_MESSAGE);
    gf128 *scratch = gf128s_alloc((size_t)1 << LOG_MESSAGE);
    gf128 value = GF128_ZERO;
    for (size_t t = 0; t < N; t++) {
        gf128 factors[NTT_MAX_LOG];
        generator_factors(factors, LOG_MESSAGE, &images, positions[t]);
        value =
            gf128_add(value, gf128_mul(weights[t], generator_eval(factors, point, LOG_MESSAGE)));
    }
    assert_gf128_equal(multilinear_eval(sums[0], point, LOG_MESSAGE, scratch), value);
    free(weights);
    free(point);
    free(scratch);
    for (unsigned i = 0; i < 3; i++) {
        free(sums[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subspace_vectors),    cmocka_unit_test(test_twiddle_vectors),
        cmocka_unit_test(test_subspace_definition), cmocka_unit_test(test_generator_rows),
        cmocka_unit_test(test_encoding_vectors),    cmocka_unit_test(test_commitment_vectors),
        cmocka_unit_test(test_small_encodings),     cmocka_unit_test(test_encodings_by_layers),
        cmocka_unit_test(test_known_zeros),         cmocka_unit_test(test_large_encodings),
        cmocka_unit_test(test_row_sum_vectors),     cmocka_unit_test(test_row_sums),
        cmocka_unit_test(test_large_row_sums),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
