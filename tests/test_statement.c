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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manifest_statements),
        cmocka_unit_test(test_single_byte_changes),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
