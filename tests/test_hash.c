/* SHA-256 against OpenSSL, BLAKE3 against its official vectors, kernels against the portable ones.
 */
#include "support/support.h"

#include <openssl/sha.h>

#include "backend/kernels.h"
#include "backend/portable/sha256_kernels.h"
#include "hash/blake3.h"
#include "hash/sha256.h"

#if defined(__x86_64__)
#include "backend/x86/cpu.h"
#include "backend/x86/sha256_x86.h"
#endif

static uint8_t *random_bytes(struct splitmix *random, size_t len)
{
    uint8_t *bytes = malloc(len + 8);
    assert_non_null(bytes);
    for (size_t i = 0; i < len; i += 8) {
        store_le64(bytes + i, splitmix_next(random));
    }
    return bytes;
}

/* ---- SHA-256 ---- */

static void test_sha256_lengths(void **unused)
{
    (void)unused;
    struct splitmix random = {1};
    uint8_t digest[32], expected[32];
    for (size_t len = 0; len <= 300; len++) {
        uint8_t *data = random_bytes(&random, len);
        SHA256(data, len, expected);
        sha256(digest, data, len);
        assert_memory_equal(digest, expected, 32);
        /* every way to cut in two; the digest may be asked for in between */
        for (size_t cut = 0; cut <= len; cut++) {
            struct sha256 context;
            sha256_init(&context);
            sha256_update(&context, data, cut);
            sha256_digest(&context, digest);
            sha256_update(&context, data + cut, len - cut);
            assert_int_equal(context.length, len);
            sha256_digest(&context, digest);
            assert_memory_equal(digest, expected, 32);
        }
        free(data);
    }
    struct sha256 context;
    sha256_init(&context);
    sha256_update(&context, NULL, 0);
    sha256_digest(&context, digest);
    SHA256(NULL, 0, expected);
    assert_memory_equal(digest, expected, 32);
}

static void test_sha256_chunks(void **unused)
{
    (void)unused;
    struct splitmix random = {2};
    for (int round = 0; round < 200; round++) {
        size_t len = splitmix_next(&random) % 3000;
        uint8_t *data = random_bytes(&random, len);
        struct sha256 context;
        sha256_init(&context);
        for (size_t at = 0; at < len;) {
            size_t taken = splitmix_next(&random) % 200;
            taken = taken < len - at ? taken : len - at;
            sha256_update(&context, data + at, taken);
            at += taken;
        }
        uint8_t digest[32], expected[32];
        sha256_digest(&context, digest);
        SHA256(data, len, expected);
        assert_memory_equal(digest, expected, 32);
        free(data);
    }
}

/* ---- kernels ---- */

struct sha256_kernels {
    const char *name;
    void (*compress)(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);
    void (*many)(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                 size_t ahead);
    bool (*pow_search)(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                       uint64_t count);
};

enum { MOST_KERNELS = 16 };

/* Those of the backends this machine can run, and those no backend uses on this machine. */
static size_t list_kernels(struct sha256_kernels list[MOST_KERNELS])
{
    size_t n = 0;
    for (const struct backend *b = backends; b->name != NULL && n + 2 < MOST_KERNELS; b++) {
        if (!b->available()) {
            continue;
        }
        const struct kernels *table = b->table();
        list[n] = (struct sha256_kernels){b->name, table->sha256_compress, table->sha256_many,
                                          portable_pow_search};
        for (const struct prover_backend *p = prover_backends; p->name != NULL; p++) {
            if (strcmp(p->name, table->name) == 0) {
                list[n].pow_search = p->table()->pow_search;
            }
        }
        n++;
    }
#if defined(__x86_64__)
    if (cpu_has_avx2()) {
        list[n++] = (struct sha256_kernels){"8 x avx2", portable_sha256_compress, avx2_sha256_many,
                                            avx2_pow_search};
    }
    if (cpu_has_shani()) {
        list[n++] = (struct sha256_kernels){"sha-ni", shani_sha256_compress, shani_sha256_many,
                                            shani_pow_search};
    }
#endif
    return n;
}

static void check_compress(const struct sha256_kernels *k, struct splitmix *random)
{
    for (size_t n_blocks = 0; n_blocks <= 9; n_blocks++) {
        uint8_t *data = random_bytes(random, 64 * n_blocks + 1);
        uint32_t state[8], expected[8];
        for (int i = 0; i < 8; i++) {
            state[i] = expected[i] = (uint32_t)splitmix_next(random);
        }
        k->compress(state, data + 1, n_blocks);
        portable_sha256_compress(expected, data + 1, n_blocks);
        assert_memory_equal(state, expected, sizeof state);
        free(data);
    }
}

static void check_many(const struct sha256_kernels *k, struct splitmix *random)
{
    const size_t sizes[] = {64, 128, 192, 320, 1024};
    enum { MOST = 70 };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t n = 0; n <= MOST; n++) {
            uint8_t *data = random_bytes(random, sizes[s] * n + 1);
            uint8_t digests[32 * MOST + 33], expected[32 * MOST + 33];
            memset(digests, 0xA5, sizeof digests);
            memset(expected, 0xA5, sizeof expected);
            for (size_t i = 0; i < n; i++) {
                SHA256(data + 1 + i * sizes[s], sizes[s], expected + 1 + 32 * i);
            }
            k->many(digests + 1, data + 1, sizes[s], n, 0);
            assert_memory_equal(digests, expected, sizeof digests);
            free(data);
        }
    }
}

static void check_pow_range(const struct sha256_kernels *k, const uint8_t digest[32], unsigned bits,
                            uint64_t first, uint64_t count)
{
    uint64_t nonce = 0, expected = 0;
    bool found = portable_pow_search(&expected, digest, bits, first, count);
    assert_int_equal(k->pow_search(&nonce, digest, bits, first, count), found);
    if (found) {
        assert_int_equal(nonce, expected);
    }
}

static void check_pow(const struct sha256_kernels *k, struct splitmix *random)
{
    for (int round = 0; round < 300; round++) {
        uint8_t *digest = random_bytes(random, 32);
        unsigned bits = 1 + (unsigned)(splitmix_next(random) % 12);
        uint64_t count = splitmix_next(random) % 40 << splitmix_next(random) % 6;
        uint64_t somewhere = splitmix_next(random);
        uint64_t near_carry = (somewhere & UINT64_C(0xFFFFFFFF00000000)) - 1 - somewhere % 30;
        check_pow_range(k, digest, bits, 0, count);
        check_pow_range(k, digest, bits, somewhere % 5, count);
        check_pow_range(k, digest, bits, near_carry, count);
        check_pow_range(k, digest, bits, UINT64_MAX - count, count);
        check_pow_range(k, digest, bits, somewhere >> 1, count);
        free(digest);
    }
    uint64_t nonce;
    uint8_t digest[32] = {0};
    for (unsigned bits = 30; bits <= 63; bits++) {
        assert_false(k->pow_search(&nonce, digest, bits, 0, 64));
    }
}

/* A nonce for the zero digest whose hash begins with more than 32 zero bits. */
static const uint64_t rare_nonce = 8492730201;

static void check_pow_rare(const struct sha256_kernels *k)
{
    uint8_t message[40] = {0}, hash[32], digest[32] = {0};
    store_le64(message + 32, rare_nonce);
    SHA256(message, sizeof message, hash);
    unsigned zeros = 0;
    while ((hash[zeros / 8] >> (7 - zeros % 8) & 1) == 0) {
        zeros++;
    }
    assert_in_range(zeros, 33, 62);
    for (uint64_t before = 0; before < 20; before++) {
        uint64_t nonce = 0;
        for (unsigned bits = 31; bits <= zeros; bits++) {
            assert_true(k->pow_search(&nonce, digest, bits, rare_nonce - before, before + 5));
            assert_int_equal(nonce, rare_nonce);
            assert_false(k->pow_search(&nonce, digest, bits, rare_nonce - before, before));
        }
        assert_false(k->pow_search(&nonce, digest, zeros + 1, rare_nonce - before, before + 5));
    }
}

static void test_kernels(void **unused)
{
    (void)unused;
    struct sha256_kernels list[MOST_KERNELS];
    size_t n = list_kernels(list);
    assert_true(n >= 1);
    for (size_t i = 0; i < n; i++) {
        struct splitmix random = {3};
        print_message("SHA-256 kernels: %s\n", list[i].name);
        check_compress(&list[i], &random);
        check_many(&list[i], &random);
        check_pow(&list[i], &random);
        check_pow_rare(&list[i]);
    }
}

/* ---- BLAKE3 ---- */

static void test_blake3_constants(void **unused)
{
    (void)unused;
    /* The schedule of a round is that of the round before, permuted (spec 06, 4.3). */
    const uint8_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
    for (int i = 0; i < 16; i++) {
        assert_int_equal(blake3_message_schedule[0][i], i);
        for (int round = 1; round < 7; round++) {
            assert_int_equal(blake3_message_schedule[round][i],
                             blake3_message_schedule[round - 1][permutation[i]]);
        }
    }
    assert_memory_equal(blake3_iv, sha256_initial, sizeof blake3_iv);
}

static void blake3_in_pieces(uint8_t digest[32], const uint8_t *data, size_t len, size_t piece)
{
    struct blake3 context;
    uint8_t unused[32];
    blake3_init(&context);
    for (size_t at = 0; at < len; at += piece) {
        blake3_update(&context, data + at, piece < len - at ? piece : len - at);
        if (at < 4096) {
            blake3_digest(&context, unused);
        }
    }
    blake3_digest(&context, digest);
}

static void test_blake3_vectors(void **unused)
{
    (void)unused;
    json_t *file = vector_json("external/blake3_test_vectors.json");
    const json_t *cases = get(file, "cases");
    assert_int_equal(json_array_size(cases), 35);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        size_t len = get_size(at(cases, i), "input_len"), hex_len;
        uint8_t *expected = hex_alloc(get_string(at(cases, i), "hash"), &hex_len);
        uint8_t *data = malloc(len + 1);
        assert_true(hex_len >= 32);
        assert_non_null(data);
        for (size_t j = 0; j < len; j++) {
            data[j] = (uint8_t)(j % 251);
        }
        const size_t pieces[] = {1, 63, 64, 100, 1023, 1024, 1025, 5000, 200000};
        for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++) {
            uint8_t digest[32];
            blake3_in_pieces(digest, data, len, pieces[j]);
            assert_memory_equal(digest, expected, 32);
        }
        free(data);
        free(expected);
    }
    json_decref(file);
}

static void json_words(const json_t *array, uint32_t *words, size_t n)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        words[i] = (uint32_t)strtoul(string_of(at(array, i)), NULL, 16);
    }
}

static void test_blake3_compress(void **unused)
{
    (void)unused;
    json_t *file = vector_json("circuits/blake3_instances.json");
    const json_t *instances = get(file, "instances");
    assert_true(json_array_size(instances) > 0);
    for (size_t i = 0; i < json_array_size(instances); i++) {
        const json_t *instance = at(instances, i);
        uint32_t cv[8], message[16], out[16], expected[16];
        json_words(get(instance, "cv"), cv, 8);
        json_words(get(instance, "m"), message, 16);
        json_words(get(instance, "out_lo"), expected, 8);
        json_words(get(instance, "out_hi"), expected + 8, 8);
        blake3_compress(out, cv, message, strtoull(get_string(instance, "counter"), NULL, 16),
                        (uint32_t)strtoul(get_string(instance, "block_len"), NULL, 16),
                        (uint32_t)strtoul(get_string(instance, "flags"), NULL, 16));
        assert_memory_equal(out, expected, sizeof out);
    }
    json_decref(file);
}

/* Chunk and parents fold to the recorded statement digests (spec 02, 2.9). */
static void check_spine(const json_t *spine, const json_t *digests)
{
    size_t n_checked = 0;
    const json_t *values = get(spine, "spine_cvs_bottom_up");
    for (size_t i = 0; i < json_array_size(digests); i++) {
        const json_t *entry = at(digests, i);
        if (strcmp(get_string(entry, "name"), get_string(spine, "name")) != 0) {
            continue;
        }
        uint8_t chunk[1024], value[32], expected[32], digest[32];
        hex_to_bytes(get_string(spine, "first_chunk_m0_layout0"), chunk, sizeof chunk);
        store_le64(chunk + 18, get_size(entry, "m"));
        chunk[42] = (uint8_t)get_size(entry, "layout");
        uint32_t cv[8], right[8];
        blake3_chunk(cv, chunk, sizeof chunk, 0);
        for (size_t j = 0; j < json_array_size(values); j++) {
            hex_to_bytes(string_of(at(values, j)), value, sizeof value);
            for (int w = 0; w < 8; w++) {
                right[w] = load_le32(value + 4 * w);
            }
            blake3_parent(cv, cv, right, j + 1 == json_array_size(values));
        }
        for (int w = 0; w < 8; w++) {
            store_le32(digest + 4 * w, cv[w]);
        }
        hex_to_bytes(get_string(entry, "digest"), expected, sizeof expected);
        assert_memory_equal(digest, expected, 32);
        n_checked++;
    }
    assert_true(n_checked > 0);
}

static void test_blake3_spine(void **unused)
{
    (void)unused;
    json_t *spines = vector_json("transcript/statement_digest_spine.json");
    json_t *digests = vector_json("transcript/statement_digest.json");
    assert_int_equal(json_array_size(spines), 4);
    for (size_t i = 0; i < json_array_size(spines); i++) {
        check_spine(at(spines, i), digests);
    }
    json_decref(spines);
    json_decref(digests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256_lengths), cmocka_unit_test(test_sha256_chunks),
        cmocka_unit_test(test_kernels),        cmocka_unit_test(test_blake3_constants),
        cmocka_unit_test(test_blake3_vectors), cmocka_unit_test(test_blake3_compress),
        cmocka_unit_test(test_blake3_spine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
