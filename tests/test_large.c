/*
 * Large statements: a chain of 2^17 steps, half a gigabyte of vectors, every folding level; many
 * threads; messages around 1 MiB.
 */
#include <openssl/sha.h>

#include "support/support.h"

#include <flock/prove.h>
#include <flock/verify.h>

static void skip_if_sanitized(void)
{
    if (SANITIZED) {
        print_message("skipped under sanitizers: takes minutes there, and no path is new\n");
        skip();
    }
}

static void test_2_to_17_steps(void **state)
{
    (void)state;
    skip_if_sanitized();
    flock_chain chain = {.steps = 1 << 17, .seed = 17};
    flock_report report;
    flock_options options = {.report = &report};
    flock_statement statement;
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, &statement), FLOCK_OK);
    assert_int_equal(flock_verify_expect(proof, len, &statement), FLOCK_OK);
    assert_true(report.peak_bytes <= flock_chain_memory(&chain));
    assert_true(report.peak_bytes <= 16 * report.witness_bytes);
    proof[len / 2] ^= 1;
    assert_int_not_equal(flock_verify_expect(proof, len, &statement), FLOCK_OK);
    flock_free(proof);
}

/* The longest buffers: an eighth of the codeword, which is four times the witness. */
static void test_many_threads(void **state)
{
    (void)state;
    skip_if_sanitized();
    flock_chain chain = {.circuit = FLOCK_SHA256, .profile = FLOCK_SLIM, .steps = 1 << 15};
    flock_report report;
    flock_options options = {.threads = 128, .report = &report};
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, NULL), FLOCK_OK);
    assert_true(report.peak_bytes <= flock_chain_memory(&chain));
    flock_free(proof);
}

static void test_messages_of_1_mib(void **state)
{
    (void)state;
    skip_if_sanitized();
    enum { MIB = 1 << 20 };
    uint8_t *message = malloc(MIB + 1), digest[32];
    assert_non_null(message);
    struct splitmix s = {.state = 20};
    for (size_t i = 0; i < MIB + 1; i++) {
        message[i] = (uint8_t)splitmix_next(&s);
    }
    for (size_t n = MIB - 1; n <= MIB + 1; n++) {
        flock_digest request = {.message_bytes = n, .message = message};
        flock_report report;
        flock_options options = {.report = &report};
        flock_statement statement;
        uint8_t *proof;
        size_t len;
        assert_int_equal(flock_prove_digest(&request, &options, &proof, &len, &statement),
                         FLOCK_OK);
        assert_int_equal(flock_verify_expect(proof, len, &statement), FLOCK_OK);
        assert_true(report.peak_bytes <= flock_digest_memory(&request));
        SHA256(message, n, digest);
        assert_memory_equal(statement.digest, digest, 32);
        assert_int_equal(statement.count, MIB / 64 + 1);
        flock_free(proof);
    }
    free(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2_to_17_steps),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_messages_of_1_mib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
