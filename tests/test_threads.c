/*
 * One library, many threads: 1000 verifications and some proofs at the same time, of which the
 * first calls also race for the choice of the backend. ThreadSanitizer (preset tsan) shows the
 * rest. And what a report says about the threads of a proof, far more threads than tasks, and
 * how much stack a thread needs.
 */
#include "support/support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <flock/prove.h>
#include <flock/verify.h>

#include "base/parallel.h"

enum { N_FILES = 4, N_VERIFIERS = 8, VERIFICATIONS = 125, N_PROVERS = 2 };

enum { N_THREADS = N_VERIFIERS + N_PROVERS };

struct shared {
    atomic_uint ready;
    const uint8_t *proof[N_FILES];
    size_t len[N_FILES];
    atomic_uint wrong;
};

/* cmocka's assertions belong to the main thread: what is not as expected is counted. */
static void expect(struct shared *shared, bool condition)
{
    shared->wrong += !condition;
}

/* Waits for all threads without sleeping, so that they go on at the same moment. */
static void start_together(struct shared *shared)
{
    shared->ready++;
    while (shared->ready < N_THREADS) {
        sched_yield();
    }
    expect(shared, flock_backend_name() != NULL);
}

static void *verify_many(void *argument)
{
    struct shared *shared = argument;
    start_together(shared);
    for (size_t i = 0; i < VERIFICATIONS; i++) {
        const size_t file = i % N_FILES;
        flock_statement statement;
        flock_status status = flock_verify(shared->proof[file], shared->len[file], &statement);
        expect(shared, status == FLOCK_OK);
        status = flock_verify(shared->proof[file], shared->len[file] - 1, &statement);
        expect(shared, status == FLOCK_ERR_TRUNCATED);
    }
    return NULL;
}

/* The proof of file 0, on one thread and with a team of its own. */
static void *prove_some(void *argument)
{
    struct shared *shared = argument;
    const flock_chain chain = {.circuit = FLOCK_BLAKE3, .steps = 5};
    start_together(shared);
    for (unsigned i = 0; i < 4; i++) {
        const flock_options options = {.threads = 1 + i % 2};
        uint8_t *proof;
        size_t len;
        flock_status status = flock_prove_chain(&chain, &options, &proof, &len, NULL);
        expect(shared, status == FLOCK_OK);
        if (status == FLOCK_OK) {
            flock_statement statement;
            expect(shared, flock_verify(proof, len, &statement) == FLOCK_OK);
            expect(shared, len > 0 && statement.count == 5);
            flock_free(proof);
        }
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static const char *const files[N_FILES] = {
        "native/chain_blake3_5_fast.flock", "native/chain_sha256_8_secure_batchmajor.flock",
        "native/chain_keccak_3_fast.flock", "native/chain_blake3_8_slim.flock"};
    struct shared shared = {.ready = 0};
    uint8_t *proofs[N_FILES];
    pthread_t threads[N_THREADS];
    for (size_t i = 0; i < N_FILES; i++) {
        shared.proof[i] = proofs[i] = vector_bytes(files[i], &shared.len[i]);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        void *(*run)(void *) = i < N_VERIFIERS ? verify_many : prove_some;
        assert_int_equal(pthread_create(&threads[i], NULL, run, &shared), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(shared.wrong, 0);
    for (size_t i = 0; i < N_FILES; i++) {
        free(proofs[i]);
    }
}

/* What the report says about the use of threads. */
static void test_report(void **state)
{
    (void)state;
    const flock_chain chain = {.circuit = FLOCK_BLAKE3, .steps = 64};
    for (unsigned threads = 1; threads <= 2; threads++) {
        flock_report report;
        const flock_options options = {.threads = threads, .report = &report};
        uint8_t *proof;
        size_t len;
        double seconds = 0, serial = 0;
        assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, NULL), FLOCK_OK);
        for (int i = 0; i < FLOCK_N_PHASES; i++) {
            const double least = report.serial_seconds[i], most = report.seconds[i];
            assert_true(least > -1e-9 && least <= most + 1e-9);
            assert_true(report.busy_seconds[i] >= least);
            assert_true(report.busy_seconds[i] <= report.threads * most + 1e-9);
            seconds += most;
            serial += least;
        }
        assert_true(seconds > 0.999999 * report.total_seconds);
        assert_true(seconds < 1.000001 * report.total_seconds);
        assert_true(report.threads == 1 ? serial == seconds : serial < seconds);
        flock_free(proof);
    }
}

/* Threads without work take no memory: the estimate does not depend on their number. */
static void test_more_threads_than_tasks(void **state)
{
    (void)state;
    static const flock_chain chains[] = {
        {.circuit = FLOCK_BLAKE3, .steps = 1},
        {.circuit = FLOCK_BLAKE3, .steps = 100},
        {.circuit = FLOCK_BLAKE3, .steps = 2000}, /* more parts than maps have room for */
        {.circuit = FLOCK_SHA256, .steps = 3, .profile = FLOCK_SECURE},
        {.circuit = FLOCK_KECCAK, .steps = 9, .profile = FLOCK_SLIM},
        {.circuit = FLOCK_KECCAK, .steps = 64, .layout = FLOCK_BATCH_MAJOR},
    };
    static const unsigned threads[] = {1, 64, 256, 1024};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        uint8_t *expected = NULL;
        size_t expected_len = 0;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            flock_report report;
            const flock_options options = {.threads = threads[t], .report = &report};
            uint8_t *proof;
            size_t len;
            assert_int_equal(flock_prove_chain(&chains[i], &options, &proof, &len, NULL), FLOCK_OK);
            assert_true(report.peak_bytes <= flock_chain_memory(&chains[i]));
            if (expected == NULL) {
                expected = proof;
                expected_len = len;
                continue;
            }
            assert_int_equal(len, expected_len);
            assert_memory_equal(proof, expected, len);
            flock_free(proof);
        }
        flock_free(expected);
    }
}

/* What prove.h says of the stack, in a thread that has no more. */
#if defined(__OPTIMIZE__) && !SANITIZED
static void *prove_and_verify_all(void *argument)
{
    atomic_uint *wrong = argument;
    for (int circuit = FLOCK_BLAKE3; circuit <= FLOCK_KECCAK3; circuit++) {
        static const flock_keccak_input inputs[50]; /* the largest type of inputs */
        const flock_batch batch = {
            .circuit = (flock_circuit)circuit, .count = 50, .inputs = inputs};
        const flock_options options = {.threads = 1};
        uint8_t *proof;
        size_t len;
        flock_statement statement;
        if (flock_prove_batch(&batch, &options, &proof, &len, NULL) != FLOCK_OK) {
            ++*wrong;
            continue;
        }
        *wrong += flock_verify(proof, len, &statement) != FLOCK_OK;
        flock_free(proof);
    }
    return NULL;
}

static void test_stack(void **state)
{
    (void)state;
    atomic_uint wrong = 0;
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 512 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attributes, prove_and_verify_all, &wrong), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_int_equal(wrong, 0);
}
#else
static void test_stack(void **state)
{
    (void)state;
    skip(); /* such builds need more */
}
#endif

/* ---- the numbers of threads in parallel loops ---- */

enum { N_BODIES = 20000, TEAM = 4, PATIENCE = 1 << 16 };

struct numbers {
    unsigned threads;
    size_t bodies[TEAM]; /* of each thread: two with one number would lose some */
    atomic_uint begun, wrong;
};

/* The first bodies wait for each other a while, so that each thread has one. */
static void wait_for_team(struct numbers *numbers, size_t i)
{
    numbers->begun++;
    for (int n = 0; i < numbers->threads && numbers->begun < numbers->threads && n < PATIENCE;
         n++) {
        sched_yield();
    }
}

static void nothing(void *context, size_t i)
{
    (void)context;
    (void)i;
}

static void count_body(void *context, size_t i)
{
    struct numbers *numbers = context;
    wait_for_team(numbers, i);
    unsigned before = parallel_thread();
    parallel_for(1, i % 3, nothing, NULL);
    unsigned number = parallel_thread();
    numbers->wrong += number != before || number >= TEAM;
    numbers->bodies[number % TEAM]++;
}

static void test_thread_numbers(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= TEAM; threads++) {
        struct numbers numbers = {.threads = threads};
        size_t total = 0;
        parallel_for(threads, N_BODIES, count_body, &numbers);
        for (unsigned i = 0; i < TEAM; i++) {
            assert_true(i < threads || numbers.bodies[i] == 0);
            total += numbers.bodies[i];
        }
        assert_int_equal(total, N_BODIES);
        assert_int_equal(numbers.wrong, 0);
        assert_int_equal(parallel_thread(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_more_threads_than_tasks),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_thread_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
