/* One large chain: 2^17 steps, half a gigabyte of vectors, every folding level. */
#include "support/support.h"

#include <flock/prove.h>
#include <flock/verify.h>

static void test_2_to_17_steps(void **state)
{
    (void)state;
    if (SANITIZED) {
        print_message("skipped under sanitizers: takes minutes there, and no path is new\n");
        skip();
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_2_to_17_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
