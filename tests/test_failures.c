/*
 * Every allocation of a proof and of a verification fails once, and every progress call cancels
 * once: the right status, nothing leaked, nothing written to the outputs.
 *
 * The linker sends this program's calls of the allocator to the functions __wrap_* below.
 */
#include "support/support.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include <flock/merkle.h>
#include <flock/prove.h>
#include <flock/verify.h>

/* ---- an allocator that fails on demand ---- */

enum { NEVER = 0 };

static atomic_size_t live;  /* blocks that were not freed */
static atomic_size_t calls; /* since watch() */
static size_t failing_call; /* which of them fails, counted from 1 */
static bool failing_on;     /* and whether all after it fail too */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void __wrap_free(void *block);

static bool refused(void)
{
    size_t call = ++calls;
    return failing_call != NEVER && (call == failing_call || (failing_on && call > failing_call));
}

static void *counted(void *block)
{
    live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return refused() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    int error = refused() ? ENOMEM : __real_posix_memalign(block, alignment, size);
    live += error == 0;
    return error;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

static void watch(size_t call, bool and_on)
{
    calls = 0;
    failing_call = call;
    failing_on = and_on;
}

/* ---- what is proved ---- */

typedef flock_status prove_function(const flock_options *options, uint8_t **proof, size_t *len,
                                    flock_statement *statement);

static flock_status prove_small_chain(const flock_options *options, uint8_t **proof, size_t *len,
                                      flock_statement *statement)
{
    const flock_chain chain = {.steps = 5, .layout = FLOCK_BATCH_MAJOR};
    return flock_prove_chain(&chain, options, proof, len, statement);
}

/* Large enough for the paths of the encoder and the opening that small sizes do not take. */
static flock_status prove_larger_chain(const flock_options *options, uint8_t **proof, size_t *len,
                                       flock_statement *statement)
{
    const flock_chain chain = {.steps = 100};
    return flock_prove_chain(&chain, options, proof, len, statement);
}

static flock_status prove_batch(const flock_options *options, uint8_t **proof, size_t *len,
                                flock_statement *statement)
{
    static const flock_sha256_input inputs[3];
    const flock_batch batch = {.circuit = FLOCK_SHA256,
                               .profile = FLOCK_SECURE,
                               .count = sizeof inputs / sizeof *inputs,
                               .inputs = inputs};
    return flock_prove_batch(&batch, options, proof, len, statement);
}

static flock_status prove_digest(const flock_options *options, uint8_t **proof, size_t *len,
                                 flock_statement *statement)
{
    const uint8_t message[] = "a message";
    const flock_digest digest = {.message = message, .message_bytes = sizeof message};
    return flock_prove_digest(&digest, options, proof, len, statement);
}

static flock_status prove_merkle(const flock_options *options, uint8_t **proof, size_t *len,
                                 flock_statement *statement)
{
    static const uint8_t sibling[32] = {1};
    const flock_merkle_path path = {.index = 1, .siblings = sibling};
    uint8_t root[32];
    flock_merkle_root(root, path.leaf, path.index, path.siblings, 1);
    const flock_merkle merkle = {.depth = 1, .root = root, .n_paths = 1, .paths = &path};
    return flock_prove_merkle(&merkle, options, proof, len, statement);
}

static prove_function *const cases[] = {prove_small_chain, prove_larger_chain, prove_batch,
                                        prove_digest, prove_merkle};
enum { N_CASES = sizeof cases / sizeof *cases };

/* Proves with outputs that show whether they were written. */
static flock_status prove(prove_function *function, const flock_options *options)
{
    uint8_t mark, *proof = &mark;
    size_t len = 77, live_before = live;
    flock_statement statement;
    flock_report report;
    memset(&statement, 0x5a, sizeof statement);
    memset(&report, 0x5a, sizeof report);
    flock_options with_report = *options;
    with_report.report = &report;

    flock_status status = function(&with_report, &proof, &len, &statement);
    if (status == FLOCK_OK) {
        assert_int_equal(live, live_before + 1);
        flock_free(proof);
    } else {
        flock_statement untouched;
        memset(&untouched, 0x5a, sizeof untouched);
        assert_ptr_equal(proof, &mark);
        assert_int_equal(len, 77);
        assert_memory_equal(&statement, &untouched, sizeof statement);
        assert_int_equal(report.threads, 0x5a5a5a5a);
    }
    assert_int_equal(live, live_before);
    return status;
}

static void test_prover_allocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        const flock_options options = {.threads = 1 + i % 2};
        watch(NEVER, false);
        assert_int_equal(prove(cases[i], &options), FLOCK_OK);
        size_t n = calls;
        assert_true(n > 20);
        for (size_t call = 1; call <= n; call++) {
            watch(call, true);
            flock_status status = prove(cases[i], &options);
            if (status != FLOCK_ERR_MEMORY) {
                fail_msg("case %zu: allocations from %zu of %zu", i, call, n);
            }
            /* One that fails alone may be tried again without the blocks that are kept. */
            watch(call, false);
            status = prove(cases[i], &options);
            if (status != FLOCK_ERR_MEMORY && (status != FLOCK_OK || calls <= n)) {
                fail_msg("case %zu: allocation %zu of %zu", i, call, n);
            }
        }
        watch(NEVER, false);
    }
}

/* A prover object: large enough for it to keep something. It survives every failure. */
static void test_prover_object(void **state)
{
    (void)state;
    const flock_chain chain = {.steps = 1000};
    uint8_t *expected, *proof;
    size_t expected_len, len, n[2], live_before = live;
    watch(NEVER, false);
    assert_int_equal(flock_prove_chain(&chain, NULL, &expected, &expected_len, NULL), FLOCK_OK);
    n[0] = calls;

    watch(1, false);
    assert_null(flock_prover_create());
    watch(NEVER, false);
    flock_prover *prover = flock_prover_create();
    assert_non_null(prover);
    const flock_options options = {.threads = 2, .prover = prover};
    assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, NULL), FLOCK_OK);
    flock_free(proof);
    watch(NEVER, false);
    assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, NULL), FLOCK_OK);
    n[1] = calls;
    assert_true(n[1] < n[0]);
    flock_free(proof);
    for (size_t call = 1; call <= n[1]; call += 1 + call / 4) {
        watch(call, true);
        assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, NULL), FLOCK_ERR_MEMORY);
    }
    watch(NEVER, false);
    assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, NULL), FLOCK_OK);
    assert_int_equal(len, expected_len);
    assert_memory_equal(proof, expected, len);
    flock_free(proof);
    flock_free(expected);
    flock_prover_destroy(prover);
    flock_prover_destroy(NULL);
    assert_int_equal(live, live_before);
}

struct countdown {
    size_t calls, cancel_at;
    flock_phase phase;
    double fraction;
};

/* Phases come in order, and what is done of one does not shrink. */
static int count_down(void *context, flock_phase phase, double fraction)
{
    struct countdown *countdown = context;
    assert_true(phase >= countdown->phase && phase < FLOCK_N_PHASES);
    assert_true(phase > countdown->phase || fraction >= countdown->fraction);
    assert_true(fraction >= 0 && fraction <= 1);
    countdown->phase = phase;
    countdown->fraction = fraction;
    return ++countdown->calls == countdown->cancel_at;
}

static void test_cancellation(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        for (size_t n = 1;; n++) {
            struct countdown countdown = {.cancel_at = n};
            const flock_options options = {
                .threads = 1 + i % 2, .progress = count_down, .progress_context = &countdown};
            flock_status status = prove(cases[i], &options);
            if (status == FLOCK_OK) {
                assert_int_equal(countdown.calls, n - 1);
                assert_true(n > 20);
                break;
            }
            assert_int_equal(status, FLOCK_ERR_CANCELLED);
            assert_int_equal(countdown.calls, n);
        }
    }
}

static void test_verifier_allocations(void **state)
{
    (void)state;
    static const char *const files[] = {
        "native/chain_blake3_5_fast.flock",
        "native/chain_keccak_8_slim_batchmajor.flock",
        "proofs/blake3_chain_256_slim_seed0.bin",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t len, live_before;
        uint8_t *proof = vector_bytes(files[i], &len);
        flock_statement accepted, statement;
        live_before = live;
        watch(NEVER, false);
        assert_int_equal(flock_verify(proof, len, &accepted), FLOCK_OK);
        size_t n = calls;
        assert_true(n > 0);
        for (size_t call = 1; call <= n; call++) {
            watch(call, false);
            assert_int_equal(flock_verify(proof, len, &statement), FLOCK_ERR_MEMORY);
            assert_memory_equal(&statement, &accepted, sizeof statement);
            watch(call, true);
            assert_int_equal(flock_verify_expect(proof, len, &accepted), FLOCK_ERR_MEMORY);
            assert_int_equal(live, live_before);
        }
        watch(NEVER, false);
        assert_int_equal(live, live_before);
        free(proof);
    }
}

/* ---- what nobody should ask for ---- */

static flock_status prove_nothing(const flock_options *options, uint8_t **proof, size_t *len,
                                  flock_statement *statement)
{
    const flock_batch batch = {.count = 3};
    return flock_prove_batch(&batch, options, proof, len, statement);
}

static flock_status prove_unknown_circuit(const flock_options *options, uint8_t **proof,
                                          size_t *len, flock_statement *statement)
{
    const flock_chain chain = {.steps = 5, .circuit = (flock_circuit)4};
    return flock_prove_chain(&chain, options, proof, len, statement);
}

static flock_status prove_too_many(const flock_options *options, uint8_t **proof, size_t *len,
                                   flock_statement *statement)
{
    const flock_chain chain = {.steps = UINT64_MAX};
    return flock_prove_chain(&chain, options, proof, len, statement);
}

static flock_status prove_too_long(const flock_options *options, uint8_t **proof, size_t *len,
                                   flock_statement *statement)
{
    const flock_digest digest = {.message_bytes = UINT64_MAX};
    return flock_prove_digest(&digest, options, proof, len, statement);
}

static void test_arguments(void **state)
{
    (void)state;
    const flock_options options = {.threads = 0};
    assert_int_equal(prove(prove_nothing, &options), FLOCK_ERR_ARGUMENT);
    assert_int_equal(prove(prove_unknown_circuit, &options), FLOCK_ERR_ARGUMENT);
    assert_int_equal(prove(prove_too_many, &options), FLOCK_ERR_TOO_LARGE);
    assert_int_equal(prove(prove_too_long, &options), FLOCK_ERR_TOO_LARGE);
    assert_true(parallel_threads(0) >= 1);
    assert_int_equal(parallel_threads(1), 1);
    assert_true(parallel_threads(100000) <= 1024);
    assert_true(parallel_threads(UINT_MAX) <= 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_prover_allocations),
        cmocka_unit_test(test_prover_object),
        cmocka_unit_test(test_cancellation),
        cmocka_unit_test(test_verifier_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
