/* The transcript against recorded scripts and the traces of complete proofs. */
#include "support/support.h"

#include <openssl/sha.h>

#include "transcript/transcript.h"

static void assert_state(const struct transcript *t, const char *hex)
{
    uint8_t expected[32], digest[32];
    hex_to_bytes(hex, expected, 32);
    sha256_digest(&t->state, digest);
    assert_memory_equal(digest, expected, 32);
}

/* Spec 02, 2.2.4, by OpenSSL and one bit at a time. */
static bool nonce_is_valid(const uint8_t digest[32], unsigned bits, uint64_t nonce)
{
    uint8_t message[40], hash[32];
    memcpy(message, digest, 32);
    store_le64(message + 32, nonce);
    SHA256(message, sizeof message, hash);
    for (unsigned i = 0; i < bits; i++) {
        if ((hash[i / 8] >> (7 - i % 8) & 1) != 0) {
            return false;
        }
    }
    return true;
}

/* Elements of a hex string of 16 bytes each; *n of them, to be freed. */
static gf128 *hex_elements(const char *hex, size_t *n)
{
    size_t len;
    uint8_t *bytes = hex_alloc(hex, &len);
    assert_int_equal(len % 16, 0);
    *n = len / 16;
    gf128 *v = malloc((*n + 1) * sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < *n; i++) {
        v[i] = gf128_load(bytes + 16 * i);
    }
    free(bytes);
    return v;
}

static void check_sampled(const gf128 *v, size_t n, const char *hex, size_t shown)
{
    uint8_t *bytes = malloc(16 * n + 1), *expected = malloc(shown + 1);
    assert_non_null(bytes);
    assert_non_null(expected);
    for (size_t i = 0; i < n; i++) {
        gf128_store(bytes + 16 * i, v[i]);
    }
    hex_to_bytes(hex, expected, shown);
    assert_memory_equal(bytes, expected, shown);
    free(bytes);
    free(expected);
}

/* Finds the recorded nonce with 1 and with 2 threads, and so do both sides end in one state. */
static void check_grinding(struct transcript *t, unsigned bits, uint64_t nonce)
{
    uint8_t digest[32], state[32], other[32];
    sha256_digest(&t->state, digest);
    for (uint64_t tried = nonce < 20 ? 0 : nonce - 20; tried < nonce + 300; tried++) {
        struct transcript verifier = *t;
        bool expected = bits == 0 ? tried == 0 : nonce_is_valid(digest, bits, tried);
        assert_int_equal(transcript_check_nonce(&verifier, bits, tried), expected);
    }
    struct transcript verifier = *t;
    assert_true(transcript_check_nonce(&verifier, bits, nonce));
    sha256_digest(&verifier.state, state);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct prover_context context;
        test_context_init(&context, threads);
        struct transcript prover = *t;
        assert_int_equal(transcript_grind(&prover, bits, &context), nonce);
        double seconds = 0;
        for (unsigned i = 0; i < context.n_parts; i++) {
            seconds += context.parts[i].phase == FLOCK_PHASE_GRIND ? context.parts[i].seconds : 0;
        }
        assert_true((seconds > 0) == (bits != 0));
        sha256_digest(&prover.state, other);
        assert_memory_equal(state, other, 32);
        test_context_release(&context);
    }
    *t = verifier;
}

static int compare_positions(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Spec 02, 2.2.3, for any N: draw, keep what is new, sort. */
static void draw_positions(struct transcript *t, uint32_t *positions, size_t Q, uint64_t N)
{
    size_t n = 0;
    while (n < Q) {
        uint32_t p = (uint32_t)(transcript_sample(t).lo % N);
        size_t i = 0;
        while (i < n && positions[i] != p) {
            i++;
        }
        if (i == n) {
            positions[n++] = p;
        }
    }
    qsort(positions, Q, sizeof *positions, compare_positions);
}

static void check_queries(struct transcript *t, const json_t *op)
{
    size_t N = get_size(op, "block_len"), Q = get_size(op, "count");
    const json_t *out = get(op, "out");
    uint32_t *positions = calloc(2 * Q, sizeof *positions);
    assert_non_null(positions);
    struct transcript copy = *t;
    draw_positions(t, positions, Q, N);
    if ((N & (N - 1)) == 0) {
        unsigned log_n = 0;
        while ((size_t)1 << log_n < N) {
            log_n++;
        }
        transcript_queries(&copy, positions + Q, Q, log_n);
        assert_memory_equal(positions, positions + Q, Q * sizeof *positions);
        *t = copy;
    }
    assert_int_equal(json_array_size(out), Q);
    for (size_t i = 0; i < Q; i++) {
        assert_int_equal(positions[i], size_of(at(out, i)));
    }
    free(positions);
}

static void run_operation(struct transcript *t, const json_t *op)
{
    const char *name = get_string(op, "op");
    size_t len;
    if (strcmp(name, "domain") == 0) {
        uint8_t *data = hex_alloc(get_string(op, "data"), &len);
        transcript_init(t, data, len);
        free(data);
    } else if (strcmp(name, "label") == 0) {
        uint8_t *data = hex_alloc(get_string(op, "data"), &len);
        data[len] = 0;
        transcript_label(t, (const char *)data);
        free(data);
    } else if (strcmp(name, "bytes") == 0) {
        uint8_t *data = hex_alloc(get_string(op, "data"), &len);
        transcript_bytes(t, data, len);
        free(data);
    } else if (strcmp(name, "scalar") == 0) {
        transcript_scalar(t, hex_gf128(get_string(op, "data")));
    } else if (strcmp(name, "slice") == 0) {
        gf128 *v = hex_elements(get_string(op, "data"), &len);
        assert_int_equal(len, get_size(op, "n"));
        transcript_slice(t, v, len);
        free(v);
    } else if (strcmp(name, "sample") == 0) {
        assert_gf128_equal(transcript_sample(t), hex_gf128(get_string(op, "out")));
    } else if (strcmp(name, "sample_vec") == 0) {
        size_t n = get_size(op, "n");
        gf128 *v = malloc((n + 1) * sizeof *v);
        assert_non_null(v);
        transcript_sample_vec(t, v, n);
        check_sampled(v, n, get_string(op, "out"), 16 * n);
        free(v);
    } else if (strcmp(name, "grind") == 0) {
        check_grinding(t, (unsigned)get_size(op, "bits"), get_size(op, "nonce"));
    } else if (strcmp(name, "queries") == 0) {
        check_queries(t, op);
    } else {
        fail_msg("unknown operation %s", name);
    }
    assert_state(t, get_string(op, "state"));
}

static void test_scripts(void **unused)
{
    (void)unused;
    json_t *scripts = vector_json("transcript/challenger_scripts.json");
    assert_int_equal(json_array_size(scripts), 5);
    for (size_t i = 0; i < json_array_size(scripts); i++) {
        struct transcript t;
        const json_t *script = at(scripts, i);
        for (size_t j = 0; j < json_array_size(script); j++) {
            run_operation(&t, at(script, j));
        }
    }
    json_decref(scripts);
}

/* The only place of the file where the 32 bytes of `prefix` stand. */
static const uint8_t *find_in_proof(const uint8_t *proof, size_t proof_len, const uint8_t *prefix,
                                    size_t len)
{
    const uint8_t *found = NULL;
    for (size_t i = 0; i + len <= proof_len; i++) {
        if (proof[i] == prefix[0] && memcmp(proof + i, prefix, 32) == 0) {
            assert_null(found);
            found = proof + i;
        }
    }
    assert_non_null(found);
    return found;
}

/* A trace shows the first 32 bytes of a slice; the proof file has them all. */
static void replay_slice(struct transcript *t, const json_t *op, const uint8_t *proof,
                         size_t proof_len)
{
    size_t n = get_size(op, "len");
    uint8_t prefix[32];
    hex_to_bytes(get_string(op, "data"), prefix, sizeof prefix);
    const uint8_t *encoded = find_in_proof(proof, proof_len, prefix, 16 * n);
    gf128 *v = malloc(n * sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < n; i++) {
        v[i] = gf128_load(encoded + 16 * i);
    }
    transcript_slice(t, v, n);
    free(v);
}

static void replay_operation(struct transcript *t, const json_t *op, const uint8_t *proof,
                             size_t proof_len)
{
    const char *name = get_string(op, "op");
    size_t len;
    if (strcmp(name, "domain") == 0) {
        const char *domain = get_string(op, "ascii");
        transcript_init(t, domain, strlen(domain));
    } else if (strcmp(name, "label") == 0) {
        transcript_label(t, get_string(op, "ascii"));
    } else if (strcmp(name, "bytes") == 0) {
        uint8_t *data = hex_alloc(get_string(op, "data"), &len);
        assert_int_equal(len, get_size(op, "len"));
        transcript_bytes(t, data, len);
        free(data);
    } else if (strcmp(name, "scalar") == 0) {
        transcript_scalar(t, hex_gf128(get_string(op, "data")));
    } else if (strcmp(name, "slice") == 0) {
        replay_slice(t, op, proof, proof_len);
    } else if (strcmp(name, "sample") == 0) {
        assert_gf128_equal(transcript_sample(t), hex_gf128(get_string(op, "data")));
    } else if (strcmp(name, "sample_vec") == 0) {
        size_t n = get_size(op, "len");
        gf128 *v = malloc((n + 1) * sizeof *v);
        assert_non_null(v);
        transcript_sample_vec(t, v, n);
        check_sampled(v, n, get_string(op, "data"), 16 * n < 32 ? 16 * n : 32);
        free(v);
    } else {
        fail_msg("unknown operation %s", name);
    }
    assert_state(t, get_string(op, "state"));
    assert_int_equal(t->state.length, get_size(op, "absorbed"));
}

static void replay_trace(const char *name)
{
    char path[256];
    size_t len, proof_len;
    snprintf(path, sizeof path, "transcript/%s.trace.jsonl", name);
    char *lines = (char *)vector_bytes(path, &len);
    lines[len] = 0;
    snprintf(path, sizeof path, "proofs/%s.bin", name);
    uint8_t *proof = vector_bytes(path, &proof_len);

    struct transcript t, after_pow;
    bool pow_pending = false;
    size_t n_operations = 0;
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *op = json_loads(line, 0, NULL);
        assert_non_null(op);
        if (strcmp(get_string(op, "op"), "pow") == 0) {
            assert_state(&t, get_string(op, "base"));
            assert_true(json_is_true(get(op, "ok")));
            after_pow = t;
            check_grinding(&after_pow, (unsigned)get_size(op, "bits"), get_size(op, "nonce"));
            pow_pending = true;
        } else {
            replay_operation(&t, op, proof, proof_len);
            if (pow_pending) {
                assert_state(&after_pow, get_string(op, "state"));
            }
            pow_pending = false;
        }
        json_decref(op);
        n_operations++;
    }
    assert_true(n_operations > 400);
    free(proof);
    free(lines);
}

static void test_traces(void **unused)
{
    (void)unused;
    replay_trace("blake3_batch_256_fast_seed0");
    replay_trace("blake3_chain_256_fast_seed0");
    replay_trace("blake3_chain_256_secure_seed0");
    replay_trace("blake3_chain_256_slim_seed0");
    replay_trace("keccak_chain_64_fast");
    replay_trace("sha2_chain_128_fast_seed0");
}

static void test_nonce_bounds(void **unused)
{
    (void)unused;
    struct transcript t;
    transcript_init(&t, "bounds", 6);
    struct transcript copy = t;
    assert_false(transcript_check_nonce(&copy, 0, 1));
    assert_false(transcript_check_nonce(&copy, 0, UINT64_MAX));
    for (unsigned bits = 64; bits < 200; bits++) {
        assert_false(transcript_check_nonce(&copy, bits, 0));
    }
    assert_false(transcript_check_nonce(&copy, UINT32_MAX, 0));
    assert_memory_equal(&copy.state.state, &t.state.state, sizeof t.state.state);
    assert_int_equal(copy.state.length, t.state.length);
    assert_true(transcript_check_nonce(&copy, 0, 0));
    transcript_bytes(&t, (const uint8_t[8]){0}, 8);
    uint8_t digest[32], expected[32];
    sha256_digest(&copy.state, digest);
    sha256_digest(&t.state, expected);
    assert_memory_equal(digest, expected, 32);
}

static uint64_t check_smallest_nonce(unsigned seed, unsigned bits)
{
    struct transcript t;
    transcript_init(&t, &seed, sizeof seed);
    uint8_t digest[32];
    sha256_digest(&t.state, digest);
    uint64_t expected = 0;
    while (!nonce_is_valid(digest, bits, expected)) {
        expected++;
    }
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct prover_context context;
        test_context_init(&context, threads);
        struct transcript copy = t;
        assert_int_equal(transcript_grind(&copy, bits, &context), expected);
        test_context_release(&context);
    }
    return expected;
}

/* Many starting points: the smallest nonce, by whatever number of threads. */
static void test_smallest_nonce(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 60; i++) {
        check_smallest_nonce(i, 1 + i % 12);
    }
    /* Unlucky seeds: the search goes on beyond its first stretch of 2^16 nonces. */
    assert_true(check_smallest_nonce(111, 14) > 1 << 16);
    assert_true(check_smallest_nonce(153, 14) > 1 << 16);
}

/* All positions, one position, and a full range of 32 bits. */
static void test_query_extremes(void **unused)
{
    (void)unused;
    struct transcript t;
    uint32_t positions[256], drawn[256];
    transcript_init(&t, "queries", 7);
    transcript_queries(&t, positions, 256, 8);
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(positions[i], i);
    }
    transcript_queries(&t, positions, 1, 0);
    assert_int_equal(positions[0], 0);
    struct transcript copy = t;
    transcript_queries(&t, positions, 200, 32);
    draw_positions(&copy, drawn, 200, (uint64_t)1 << 32);
    assert_memory_equal(positions, drawn, 200 * sizeof *positions);
    uint8_t before[32], after[32];
    sha256_digest(&t.state, before);
    transcript_queries(&t, positions, 0, 5);
    sha256_digest(&t.state, after);
    assert_memory_equal(before, after, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripts),        cmocka_unit_test(test_traces),
        cmocka_unit_test(test_nonce_bounds),   cmocka_unit_test(test_smallest_nonce),
        cmocka_unit_test(test_query_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
