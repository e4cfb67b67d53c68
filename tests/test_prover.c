/* One prover object for many proofs: the same bytes as without it, one proof at a time. */
#include "support/support.h"

#include <flock/prove.h>
#include <flock/verify.h>

/* Up and down in size, so that what is kept fits, is too small, or too large. */
static const flock_chain chains[] = {
    {.circuit = FLOCK_BLAKE3, .steps = 500},
    {.circuit = FLOCK_SHA256, .steps = 400, .layout = FLOCK_BATCH_MAJOR},
    {.circuit = FLOCK_BLAKE3, .steps = 3},
    {.circuit = FLOCK_KECCAK, .steps = 200, .profile = FLOCK_SECURE},
    {.circuit = FLOCK_BLAKE3, .steps = 500},
    {.circuit = FLOCK_BLAKE3, .steps = 1000, .profile = FLOCK_SLIM},
};
enum { N_CHAINS = sizeof chains / sizeof *chains };

static void test_same_bytes(void **state)
{
    (void)state;
    flock_prover *prover = flock_prover_create();
    assert_non_null(prover);
    for (unsigned i = 0; i < N_CHAINS; i++) {
        uint8_t *proof[2];
        size_t len[2];
        flock_report report[2];
        for (int reuse = 0; reuse < 2; reuse++) {
            const flock_options options = {
                .threads = 1 + i % 2, .report = &report[reuse], .prover = reuse ? prover : NULL};
            assert_int_equal(
                flock_prove_chain(&chains[i], &options, &proof[reuse], &len[reuse], NULL),
                FLOCK_OK);
            assert_true(report[reuse].peak_bytes <= flock_chain_memory(&chains[i]));
        }
        assert_int_equal(len[0], len[1]);
        assert_memory_equal(proof[0], proof[1], len[0]);
        flock_free(proof[0]);
        flock_free(proof[1]);
    }
    flock_prover_destroy(prover);
}

struct intruder {
    const flock_options *options;
    unsigned calls;
};

/* Another proof with the prover that is in use is refused; with a prover of its own it is not. */
static int intrude(void *context, flock_phase phase, double fraction)
{
    (void)phase;
    (void)fraction;
    struct intruder *intruder = context;
    flock_options options = {.prover = intruder->options->prover};
    uint8_t *proof = NULL;
    size_t len;
    assert_int_equal(flock_prove_chain(&chains[2], &options, &proof, &len, NULL),
                     FLOCK_ERR_ARGUMENT);
    assert_null(proof);
    if (intruder->calls++ == 0) {
        options.prover = NULL;
        assert_int_equal(flock_prove_chain(&chains[2], &options, &proof, &len, NULL), FLOCK_OK);
        flock_free(proof);
    }
    return intruder->calls == 20;
}

static void test_in_use(void **state)
{
    (void)state;
    struct intruder intruder = {.calls = 0};
    const flock_options options = {.threads = 1,
                                   .progress = intrude,
                                   .progress_context = &intruder,
                                   .prover = flock_prover_create()};
    uint8_t *proof;
    size_t len;
    assert_non_null(options.prover);
    intruder.options = &options;
    assert_int_equal(flock_prove_chain(&chains[2], &options, &proof, &len, NULL),
                     FLOCK_ERR_CANCELLED);
    assert_int_equal(flock_prove_chain(&chains[2], &options, &proof, &len, NULL), FLOCK_OK);
    assert_true(intruder.calls > 20);
    flock_free(proof);
    flock_prover_destroy(options.prover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
