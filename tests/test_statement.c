/* Statements: canonical encoding, size rules, and what a decoder must refuse (spec 09, 9.2). */
#include "support/support.h"
#include "support/chains.h"
#include "support/statements.h"

#include <flock/statement.h>

#include "relation/statement.h"

static void assert_encoding(const flock_statement *statement, const struct setup *setup,
                            const uint8_t *expected, size_t expected_len)
{
    size_t len;
    uint8_t *bytes = statement_bytes(statement, setup, &len);
    assert_int_equal(len, expected_len);
    assert_memory_equal(bytes, expected, len);
    free(bytes);
}

static void test_manifest_statements(void **state)
{
    (void)state;
    json_t *manifest = vector_json("native/manifest.json");
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(manifest); i++) {
        const json_t *entry = at(manifest, i);
        size_t len;
        uint8_t *bytes = hex_alloc(get_string(entry, "stmt"), &len);
        flock_statement statement;
        struct setup setup;
        flock_status status = statement_decode(bytes, len, &statement, &setup);
        assert_int_equal(status, FLOCK_OK);
        assert_string_equal(flock_relation_name(statement.relation), get_string(entry, "relation"));
        assert_int_equal(setup.m, get_size(entry, "m"));
        assert_int_equal(flock_statement_log_bits(&statement), get_size(entry, "m"));
        assert_int_equal(statement.count, get_size(entry, "count"));
        assert_encoding(&statement, &setup, bytes, len);
        n++;
        free(bytes);
    }
    assert_int_equal(n, 16);
    json_decref(manifest);
}

/* Whatever bytes decode must encode to the same bytes: one statement, one string. */
static void test_single_byte_changes(void **state)
{
    (void)state;
    flock_statement statement = {
        .relation = FLOCK_CHAIN, .circuit = FLOCK_BLAKE3, .profile = FLOCK_FAST, .count = 300};
    memset(statement.start, 1, 32);
    memset(statement.end, 2, 32);
    struct setup setup;
    assert_int_equal(statement_setup(&statement, &setup), FLOCK_OK);
    size_t len, accepted = 0;
    uint8_t *bytes = statement_bytes(&statement, &setup, &len);
    for (size_t i = 0; i < len; i++) {
        for (unsigned x = 1; x < 256; x++) {
            bytes[i] ^= (uint8_t)x;
            flock_statement other;
            if (statement_decode(bytes, len, &other, &setup) == FLOCK_OK) {
                assert_encoding(&other, &setup, bytes, len);
                accepted++;
            }
            bytes[i] ^= (uint8_t)x;
        }
    }
    /* On their own may change: endpoints (64 bytes), the count 0x12c to 0x101..0x1ff, the layout.
     */
    assert_int_equal(accepted, 64 * 255 + 254 + 1);
    free(bytes);
}

static void test_lengths(void **state)
{
    (void)state;
    flock_statement statement = {.relation = FLOCK_CHAIN, .count = 8}, out;
    struct setup setup;
    assert_int_equal(statement_setup(&statement, &setup), FLOCK_OK);
    size_t len;
    uint8_t *bytes = statement_bytes(&statement, &setup, &len);
    bytes = realloc(bytes, len + 1);
    assert_non_null(bytes);
    bytes[len] = 0;
    assert_int_equal(statement_decode(bytes, len, &out, &setup), FLOCK_OK);
    for (size_t shorter = 0; shorter < len; shorter++) {
        assert_int_not_equal(statement_decode(bytes, shorter, &out, &setup), FLOCK_OK);
    }
    assert_int_not_equal(statement_decode(bytes, len + 1, &out, &setup), FLOCK_OK);
    free(bytes);
}

static unsigned log_bits(flock_format format, flock_relation relation, flock_circuit circuit,
                         uint64_t count)
{
    flock_statement s = {
        .format = format, .relation = relation, .circuit = circuit, .count = count};
    return flock_statement_log_bits(&s);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, 0), 0);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, 1), 17);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, 8), 17);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, 9), 18);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, 1 << 21), 35);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, (1 << 21) + 1), 0);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, FLOCK_BLAKE3, UINT64_MAX), 0);
    assert_int_equal(log_bits(FLOCK_REFERENCE, FLOCK_CHAIN, FLOCK_BLAKE3, 128), 0);
    assert_int_equal(log_bits(FLOCK_REFERENCE, FLOCK_CHAIN, FLOCK_BLAKE3, 256), 22);
    assert_int_equal(log_bits(FLOCK_REFERENCE, FLOCK_CHAIN, FLOCK_BLAKE3, 257), 0);
    assert_int_equal(log_bits(FLOCK_REFERENCE, FLOCK_BATCH, FLOCK_BLAKE3, 257), 23);
    assert_int_equal(log_bits(FLOCK_NATIVE, (flock_relation)9, FLOCK_BLAKE3, 8), 0);
    assert_int_equal(log_bits(FLOCK_NATIVE, FLOCK_CHAIN, (flock_circuit)9, 8), 0);
    assert_int_equal(log_bits((flock_format)2, FLOCK_CHAIN, FLOCK_BLAKE3, 8), 0);
    flock_statement s = {.relation = FLOCK_CHAIN, .count = 8, .profile = FLOCK_SECURE};
    assert_int_equal(flock_statement_security_bits(&s), 120);
    s.profile = FLOCK_SLIM;
    assert_int_equal(flock_statement_security_bits(&s), 100);
    s.layout = (flock_layout)2;
    assert_int_equal(flock_statement_security_bits(&s), 0);
}

/* ---- digests and Merkle paths ---- */

/* A valid statement's bytes, to be spoiled in place. */
struct encoded {
    uint8_t *bytes;
    size_t len, at_public;
};

enum { AT_CIRCUIT = 8, AT_COUNT = 43, MAX_ENCODED = 512 };

static struct encoded encode(const flock_statement *statement)
{
    struct setup setup;
    struct encoded encoded;
    assert_int_equal(statement_setup(statement, &setup), FLOCK_OK);
    encoded.bytes = statement_bytes(statement, &setup, &encoded.len);
    encoded.at_public = 53 + 8 * (setup.params.R + 1) + 1;
    assert_true(encoded.len <= MAX_ENCODED);
    return encoded;
}

static flock_status decode(struct encoded encoded)
{
    flock_statement statement;
    struct setup setup;
    return statement_decode(encoded.bytes, encoded.len, &statement, &setup);
}

/* With `value` as the u64 at `offset`, the bytes must be refused. */
static void assert_refused(struct encoded encoded, size_t offset, uint64_t value)
{
    uint8_t before[8];
    assert_int_equal(decode(encoded), FLOCK_OK);
    memcpy(before, encoded.bytes + offset, 8);
    store_le64(encoded.bytes + offset, value);
    assert_int_equal(decode(encoded), FLOCK_ERR_STATEMENT);
    memcpy(encoded.bytes + offset, before, 8);
}

static void assert_byte_refused(struct encoded encoded, size_t offset, uint8_t value)
{
    uint8_t before = encoded.bytes[offset];
    encoded.bytes[offset] = value;
    flock_status status = decode(encoded);
    assert_true(status == FLOCK_ERR_STATEMENT || status == FLOCK_ERR_UNSUPPORTED);
    encoded.bytes[offset] = before;
}

static void assert_other_lengths_refused(struct encoded encoded)
{
    uint8_t longer[MAX_ENCODED + FLOCK_PATH_BYTES] = {0};
    memcpy(longer, encoded.bytes, encoded.len);
    for (size_t len = 0; len <= encoded.len + FLOCK_PATH_BYTES; len++) {
        flock_status status = decode((struct encoded){.bytes = longer, .len = len});
        assert_int_equal(status == FLOCK_OK, len == encoded.len);
    }
}

/* How many single-byte changes give another valid statement. */
static size_t count_other_statements(struct encoded encoded)
{
    size_t n = 0;
    for (size_t i = 0; i < encoded.len; i++) {
        for (unsigned x = 1; x < 256; x++) {
            flock_statement other;
            struct setup setup;
            encoded.bytes[i] ^= (uint8_t)x;
            if (statement_decode(encoded.bytes, encoded.len, &other, &setup) == FLOCK_OK) {
                assert_encoding(&other, &setup, encoded.bytes, encoded.len);
                n++;
            }
            encoded.bytes[i] ^= (uint8_t)x;
        }
    }
    return n;
}

static void test_digest_statements(void **state)
{
    (void)state;
    flock_statement statement = {.relation = FLOCK_DIGEST,
                                 .circuit = FLOCK_SHA256,
                                 .count = 3,
                                 .message_bytes = 130,
                                 .tail = {1, 2}};
    struct encoded encoded = encode(&statement);
    assert_int_equal(encoded.len, encoded.at_public + 40 + 2);
    assert_other_lengths_refused(encoded);
    static const uint64_t counts[] = {0, 1, 2, 4, 8, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_refused(encoded, AT_COUNT, counts[i]);
    }
    /* The same tail length, another count; and lengths whose count in bits overflows. */
    static const uint64_t lengths[] = {
        2,   66,  194, 130 + ((uint64_t)1 << 26), ((uint64_t)1 << 61) + 130, UINT64_MAX - 61,
        129, 131, 0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_refused(encoded, encoded.at_public, lengths[i]);
    }
    for (uint8_t circuit = 0; circuit < 5; circuit++) {
        if (circuit != FLOCK_SHA256) {
            assert_byte_refused(encoded, AT_CIRCUIT, circuit);
        }
    }
    assert_int_equal(count_other_statements(encoded), (32 + 2) * 255 + 1 /* layout */);
    free(encoded.bytes);

    statement.format = FLOCK_REFERENCE;
    assert_int_equal(flock_statement_log_bits(&statement), 0);
    statement.format = FLOCK_NATIVE;
    assert_int_equal(flock_statement_log_bits(&statement), 18);
    statement.message_bytes = (1 << 26) - 9;
    statement.count = 1 << 20;
    assert_int_equal(flock_statement_log_bits(&statement), 35);
    statement.message_bytes++;
    assert_int_equal(flock_statement_log_bits(&statement), 0);
    statement.count++;
    assert_int_equal(flock_statement_log_bits(&statement), 0);
}

static void test_merkle_statements(void **state)
{
    (void)state;
    uint8_t paths[2 * FLOCK_PATH_BYTES];
    static const uint8_t leaf[32] = {7};
    flock_path_encode(paths, 5, leaf);
    flock_path_encode(paths + FLOCK_PATH_BYTES, 2, leaf);
    flock_statement statement = {.relation = FLOCK_MERKLE,
                                 .circuit = FLOCK_SHA256,
                                 .count = 6,
                                 .depth = 3,
                                 .n_paths = 2,
                                 .paths = paths};
    struct encoded encoded = encode(&statement);
    size_t at_n_paths = encoded.at_public + 1, at_paths = encoded.at_public + 41;
    assert_int_equal(encoded.len, at_paths + sizeof paths);
    assert_other_lengths_refused(encoded);
    static const uint64_t counts[] = {0, 1, 2, 5, 7, 8, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_refused(encoded, AT_COUNT, counts[i]);
    }
    static const uint64_t n_paths[] = {0,
                                       1,
                                       3,
                                       6,
                                       (uint64_t)1 << 20,
                                       ((uint64_t)1 << 20) + 1,
                                       (uint64_t)1 << 61 | 2, /* 40 n_paths overflows to 80 */
                                       UINT64_MAX};
    for (size_t i = 0; i < sizeof n_paths / sizeof *n_paths; i++) {
        assert_refused(encoded, at_n_paths, n_paths[i]);
    }
    static const uint64_t indices[] = {8, 9, 255, 256 + 5, (uint64_t)1 << 63 | 5, UINT64_MAX};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        assert_refused(encoded, at_paths, indices[i]);
        assert_refused(encoded, at_paths + FLOCK_PATH_BYTES, indices[i]);
    }
    static const uint8_t depths[] = {0, 1, 2, 4, 6, 32, 33, 255};
    for (size_t i = 0; i < sizeof depths; i++) {
        assert_byte_refused(encoded, encoded.at_public, depths[i]);
    }
    for (uint8_t circuit = 0; circuit < 5; circuit++) {
        if (circuit != FLOCK_SHA256) {
            assert_byte_refused(encoded, AT_CIRCUIT, circuit);
        }
    }
    /* Root, leaves, indices below 8, layout. */
    assert_int_equal(count_other_statements(encoded), 3 * 32 * 255 + 2 * 7 + 1);
    free(encoded.bytes);
}

/* n = pos_log + max(ceil(log2 P), 3 - pos_log, 0) for every depth and numbers of paths. */
static void test_merkle_sizes(void **state)
{
    (void)state;
    size_t n_valid = 0;
    for (unsigned depth = 0; depth <= 34; depth++) {
        for (unsigned log = 0; log <= 21; log++) {
            for (int more = -1; more <= 1; more++) {
                uint64_t n_paths = ((uint64_t)1 << log) + (uint64_t)more;
                flock_statement s = {.relation = FLOCK_MERKLE,
                                     .circuit = FLOCK_SHA256,
                                     .count = depth * n_paths,
                                     .depth = depth,
                                     .n_paths = n_paths};
                unsigned n = 0;
                while (depth > 1u << n) {
                    n++;
                }
                for (uint64_t paths = 1; paths < n_paths; paths *= 2) {
                    n++;
                }
                n = n < 3 ? 3 : n;
                bool valid =
                    depth >= 1 && depth <= 32 && n_paths >= 1 && n_paths <= 1 << 20 && n <= 20;
                assert_int_equal(flock_statement_log_bits(&s), valid ? 15 + n : 0);
                s.count++;
                assert_int_equal(flock_statement_log_bits(&s), 0);
                n_valid += valid;
            }
        }
    }
    assert_true(n_valid > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manifest_statements),
        cmocka_unit_test(test_single_byte_changes),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_digest_statements),
        cmocka_unit_test(test_merkle_statements),
        cmocka_unit_test(test_merkle_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
