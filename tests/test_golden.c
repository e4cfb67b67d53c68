/*
 * Golden bytes: proofs in both formats are reproduced bit for bit, with any number of threads and
 * every backend, and are accepted.
 */
#include "support/support.h"
#include "support/chains.h"

#include <math.h>

#include <openssl/sha.h>

#include <flock/merkle.h>
#include <flock/prove.h>
#include <flock/verify.h>

#include "backend/kernels.h"

/* One of the calls of prove.h. */
typedef flock_status prove_call(const void *request, const flock_options *options, uint8_t **proof,
                                size_t *proof_len, flock_statement *statement);

static flock_status prove_chain(const void *request, const flock_options *options, uint8_t **proof,
                                size_t *proof_len, flock_statement *statement)
{
    return flock_prove_chain(request, options, proof, proof_len, statement);
}

static flock_status prove_digest(const void *request, const flock_options *options, uint8_t **proof,
                                 size_t *proof_len, flock_statement *statement)
{
    return flock_prove_digest(request, options, proof, proof_len, statement);
}

static flock_status prove_merkle(const void *request, const flock_options *options, uint8_t **proof,
                                 size_t *proof_len, flock_statement *statement)
{
    return flock_prove_merkle(request, options, proof, proof_len, statement);
}

/* All backends of this machine, or the one that FLOCK_BACKEND names. */
static bool is_tested(const struct backend *backend)
{
    const char *only = getenv("FLOCK_BACKEND");
    return backend->available() && (only == NULL || strcmp(only, backend->name) == 0);
}

static void assert_golden(prove_call *prove, const void *request, const char *label,
                          const uint8_t *golden, size_t golden_len, const char *golden_sha256)
{
    size_t n_tested = 0;
    for (const struct backend *b = backends; b->name != NULL; b++) {
        if (!is_tested(b)) {
            continue;
        }
        n_tested++;
        assert_int_equal(flock_backend_select(b->name), FLOCK_OK);
        for (unsigned threads = 1; threads <= 2; threads++) {
            flock_options options = {.threads = threads};
            uint8_t *proof;
            size_t len;
            flock_status status = prove(request, &options, &proof, &len, NULL);
            if (status != FLOCK_OK) {
                fail_msg("%s, %s: %s", label, b->name, flock_status_text(status));
            }
            char hex[65];
            sha256_hex_of_bytes(proof, len, hex);
            if (len != golden_len || strcmp(hex, golden_sha256) != 0) {
                fail_msg("%s, %s, %u threads: other bytes", label, b->name, threads);
            }
            if (golden != NULL) {
                assert_memory_equal(proof, golden, len);
            }
            flock_free(proof);
        }
    }
    assert_true(n_tested > 0);
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
}

static void assert_proof(const flock_chain *chain, const char *label, const uint8_t *golden,
                         size_t golden_len, const char *golden_sha256)
{
    assert_golden(prove_chain, chain, label, golden, golden_len, golden_sha256);
}

static void assert_accepted(const uint8_t *proof, size_t len, const flock_chain *chain,
                            const char *start_hex, const char *end_hex)
{
    flock_statement statement;
    assert_int_equal(flock_verify(proof, len, &statement), FLOCK_OK);
    assert_int_equal(statement.format, chain->format);
    assert_int_equal(statement.relation, FLOCK_CHAIN);
    assert_int_equal(statement.circuit, chain->circuit);
    assert_int_equal(statement.profile, chain->profile);
    assert_int_equal(statement.layout, chain->layout);
    assert_int_equal(statement.count, chain->steps);
    uint8_t value[FLOCK_MAX_REGION_BYTES];
    size_t region = flock_region_bytes(chain->circuit);
    hex_to_bytes(start_hex, value, region);
    assert_memory_equal(statement.start, value, region);
    hex_to_bytes(end_hex, value, region);
    assert_memory_equal(statement.end, value, region);
}

/* The file that an entry of the manifest is about. */
static uint8_t *golden_file(const json_t *entry, size_t *len)
{
    char path[256], hex[65];
    snprintf(path, sizeof path, "native/%s", get_string(entry, "file"));
    uint8_t *golden = vector_bytes(path, len);
    assert_int_equal(*len, get_size(entry, "bytes"));
    sha256_hex_of_bytes(golden, *len, hex);
    assert_string_equal(hex, get_string(entry, "sha256"));
    return golden;
}

static void test_native_chains(void **state)
{
    (void)state;
    json_t *manifest = vector_json("native/manifest.json");
    size_t n_tested = 0;
    for (size_t i = 0; i < json_array_size(manifest); i++) {
        const json_t *entry = at(manifest, i);
        if (strcmp(get_string(entry, "relation"), "chain") != 0) {
            continue; /* files and Merkle paths */
        }
        const char *file = get_string(entry, "file");
        size_t len;
        uint8_t *golden = golden_file(entry, &len);
        uint8_t start[FLOCK_MAX_REGION_BYTES];
        flock_chain chain = {
            .format = FLOCK_NATIVE,
            .circuit = circuit_named(get_string(entry, "circuit")),
            .layout = layout_named(get_string(entry, "layout")),
            .profile = profile_named(get_string(entry, "profile")),
            .steps = get_size(entry, "count"),
            .seed = strtoull(get_string(entry, "seed"), NULL, 0),
            .start = start,
        };
        hex_to_bytes(get_string(entry, "x_0"), start, flock_region_bytes(chain.circuit));
        assert_accepted(golden, len, &chain, get_string(entry, "x_0"), get_string(entry, "x_N"));
        assert_proof(&chain, file, golden, len, get_string(entry, "sha256"));
        free(golden);
        n_tested++;
    }
    json_decref(manifest);
    assert_int_equal(n_tested, 9);
}

/* The messages of the manifest, which describes them in words. */
static void make_message(const char *description, uint8_t *message, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (strcmp(description, "the three bytes 'abc'") == 0) {
            message[i] = (uint8_t) "abc"[i];
        } else if (strcmp(description, "bytes 00 01 .. 37") == 0) {
            message[i] = (uint8_t)i;
        } else {
            assert_string_equal(description, "byte i = (7 i + 3) mod 256, i < 500");
            message[i] = (uint8_t)(7 * i + 3);
        }
    }
}

static void test_native_digests(void **state)
{
    (void)state;
    json_t *manifest = vector_json("native/manifest.json");
    size_t n_tested = 0;
    for (size_t i = 0; i < json_array_size(manifest); i++) {
        const json_t *entry = at(manifest, i);
        if (strcmp(get_string(entry, "relation"), "sha256-file") != 0) {
            continue;
        }
        size_t len;
        uint8_t *golden = golden_file(entry, &len), message[500], digest[32];
        flock_digest request = {
            .layout = layout_named(get_string(entry, "layout")),
            .profile = profile_named(get_string(entry, "profile")),
            .message_bytes = get_size(entry, "length"),
            .message = message,
        };
        make_message(get_string(entry, "input"), message, request.message_bytes);
        hex_to_bytes(get_string(entry, "digest"), digest, 32);
        flock_statement statement;
        assert_int_equal(flock_verify(golden, len, &statement), FLOCK_OK);
        assert_int_equal(statement.relation, FLOCK_DIGEST);
        assert_int_equal(statement.message_bytes, request.message_bytes);
        assert_int_equal(statement.count, get_size(entry, "count"));
        assert_memory_equal(statement.digest, digest, 32);
        assert_golden(prove_digest, &request, get_string(entry, "file"), golden, len,
                      get_string(entry, "sha256"));
        free(golden);
        n_tested++;
    }
    json_decref(manifest);
    assert_int_equal(n_tested, 4);
}

/* Leaf i is SHA-256("leaf i"). */
static void make_tree(unsigned depth, uint8_t *nodes)
{
    for (size_t i = 0; i < (size_t)1 << depth; i++) {
        char text[32];
        snprintf(text, sizeof text, "leaf %zu", i);
        SHA256((const uint8_t *)text, strlen(text), nodes + 32 * i);
    }
    flock_merkle_tree(nodes, depth);
}

static void test_native_merkle(void **state)
{
    (void)state;
    enum { MAX_DEPTH = 4, MAX_PATHS = 4 };
    json_t *manifest = vector_json("native/manifest.json");
    size_t n_tested = 0;
    for (size_t i = 0; i < json_array_size(manifest); i++) {
        const json_t *entry = at(manifest, i);
        if (strcmp(get_string(entry, "relation"), "merkle") != 0) {
            continue;
        }
        uint8_t nodes[32 * (2 << MAX_DEPTH)], siblings[MAX_PATHS][32 * MAX_DEPTH];
        flock_merkle_path paths[MAX_PATHS];
        const json_t *indices = get(entry, "indices");
        flock_merkle request = {
            .layout = layout_named(get_string(entry, "layout")),
            .profile = profile_named(get_string(entry, "profile")),
            .depth = (unsigned)get_size(entry, "depth"),
            .n_paths = json_array_size(indices),
            .paths = paths,
        };
        assert_true(request.depth <= MAX_DEPTH && request.n_paths <= MAX_PATHS);
        make_tree(request.depth, nodes);
        request.root = nodes + 32 * ((2 << request.depth) - 2);
        uint8_t root[32];
        hex_to_bytes(get_string(entry, "root"), root, 32); /* physical order */
        for (size_t w = 0; w < 8; w++) {
            assert_int_equal(load_le32(root + 4 * w), load_be32(request.root + 4 * w));
        }
        for (size_t p = 0; p < request.n_paths; p++) {
            paths[p].index = size_of(at(indices, p));
            paths[p].siblings = siblings[p];
            memcpy(paths[p].leaf, nodes + 32 * paths[p].index, 32);
            flock_merkle_siblings(nodes, request.depth, paths[p].index, siblings[p]);
        }
        size_t len;
        uint8_t *golden = golden_file(entry, &len);
        assert_golden(prove_merkle, &request, get_string(entry, "file"), golden, len,
                      get_string(entry, "sha256"));
        flock_statement statement;
        assert_int_equal(flock_verify(golden, len, &statement), FLOCK_OK);
        assert_int_equal(statement.relation, FLOCK_MERKLE);
        assert_int_equal(statement.depth, request.depth);
        assert_int_equal(statement.n_paths, request.n_paths);
        assert_int_equal(statement.count, get_size(entry, "count"));
        assert_memory_equal(statement.root, request.root, 32);
        for (size_t p = 0; p < request.n_paths; p++) {
            uint64_t index;
            uint8_t leaf[32];
            flock_statement_path(&statement, p, &index, leaf);
            assert_int_equal(index, paths[p].index);
            assert_memory_equal(leaf, paths[p].leaf, 32);
        }
        free(golden);
        n_tested++;
    }
    json_decref(manifest);
    assert_int_equal(n_tested, 3);
}

/* The default first value is the hash's initial value. */
static void test_default_start(void **state)
{
    (void)state;
    size_t len;
    uint8_t *golden = vector_bytes("native/chain_blake3_5_fast.flock", &len);
    flock_chain chain = {.steps = 5, .seed = 2};
    uint8_t *proof;
    size_t proof_len;
    assert_int_equal(flock_prove_chain(&chain, NULL, &proof, &proof_len, NULL), FLOCK_OK);
    assert_int_equal(proof_len, len);
    assert_memory_equal(proof, golden, len);
    flock_free(proof);
    free(golden);
}

/* Message blocks from memory give the bytes that the seed gives. */
static void test_messages(void **state)
{
    (void)state;
    uint8_t messages[5 * 64];
    struct splitmix s = {.state = 2};
    for (size_t i = 0; i < 5 * 16; i++) {
        store_le32(messages + 4 * i, (uint32_t)splitmix_next(&s));
    }
    flock_chain from_seed = {.steps = 5, .seed = 2};
    flock_chain from_memory = {.steps = 5, .messages = messages};
    uint8_t *a, *b;
    size_t a_len, b_len;
    assert_int_equal(flock_prove_chain(&from_seed, NULL, &a, &a_len, NULL), FLOCK_OK);
    assert_int_equal(flock_prove_chain(&from_memory, NULL, &b, &b_len, NULL), FLOCK_OK);
    assert_int_equal(a_len, b_len);
    assert_memory_equal(a, b, a_len);
    flock_free(a);
    flock_free(b);
}

/* Every run of the reference's program (spec 08, 8). */
static void test_reference_runs(void **state)
{
    (void)state;
    json_t *file = vector_json("chain/cli_runs.json");
    const json_t *runs = get(file, "runs");
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *run = at(runs, i);
        uint8_t start[FLOCK_MAX_REGION_BYTES];
        flock_chain chain;
        char label[256];
        chain_from_arguments(get(run, "args"), &chain, start, label, sizeof label);
        assert_proof(&chain, label, NULL, get_size(run, "bundle_len"),
                     get_string(run, "bundle_sha256"));
    }
    json_decref(file);
}

/* Proofs of the reference's library: other layouts, other domains. */
static void test_reference_library(void **state)
{
    (void)state;
    static const char *const files[] = {
        "chain/chain_blake3_256_batch_major.json", "chain/chain_blake3_256_row_major.json",
        "chain/chain_keccak_64_batch_major.json", "chain/chain_keccak_64_row_major.json",
        "chain/chain_sha2_128_row_major.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        json_t *vector = vector_json(files[i]);
        flock_chain chain = {
            .format = FLOCK_REFERENCE,
            .circuit = circuit_named(get_string(vector, "hash")),
            .layout = layout_named(get_string(vector, "layout")),
            .profile = profile_named(get_string(vector, "mode")),
            .steps = get_size(vector, "steps"),
            .domain = get_string(vector, "domain"),
            .domain_len = strlen(get_string(vector, "domain")),
        };
        assert_proof(&chain, files[i], NULL, get_size(vector, "bundle_len"),
                     get_string(vector, "bundle_sha256"));
        json_decref(vector);
    }
    json_t *bound = vector_json("chain/bound_domain.json");
    const json_t *proofs = get(bound, "proofs");
    for (size_t i = 0; i < json_array_size(proofs); i++) {
        const json_t *entry = at(proofs, i);
        size_t domain_len;
        uint8_t *domain = hex_alloc(get_string(entry, "domain_hex"), &domain_len);
        flock_chain chain = {
            .format = FLOCK_REFERENCE,
            .circuit = circuit_named(get_string(entry, "hash")),
            .steps = get_size(entry, "steps"),
            .domain = (const char *)domain,
            .domain_len = domain_len,
        };
        assert_proof(&chain, "bound domain", NULL, get_size(entry, "bundle_len"),
                     get_string(entry, "bundle_sha256"));
        free(domain);
    }
    json_decref(bound);
}

static void test_reference_files(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        flock_circuit circuit;
        flock_profile profile;
        uint64_t steps;
    } cases[] = {
        {"proofs/blake3_chain_256_fast_seed0.bin", FLOCK_BLAKE3, FLOCK_FAST, 256},
        {"proofs/blake3_chain_256_slim_seed0.bin", FLOCK_BLAKE3, FLOCK_SLIM, 256},
        {"proofs/blake3_chain_256_secure_seed0.bin", FLOCK_BLAKE3, FLOCK_SECURE, 256},
        {"proofs/sha2_chain_128_fast_seed0.bin", FLOCK_SHA256, FLOCK_FAST, 128},
        {"proofs/keccak_chain_64_fast.bin", FLOCK_KECCAK, FLOCK_FAST, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len;
        uint8_t *golden = vector_bytes(cases[i].file, &len);
        flock_statement statement, proved;
        assert_int_equal(flock_verify(golden, len, &statement), FLOCK_OK);
        flock_chain chain = {.format = FLOCK_REFERENCE,
                             .circuit = cases[i].circuit,
                             .profile = cases[i].profile,
                             .steps = cases[i].steps};
        uint8_t *proof;
        size_t proof_len;
        assert_int_equal(flock_prove_chain(&chain, NULL, &proof, &proof_len, &proved), FLOCK_OK);
        assert_int_equal(proof_len, len);
        assert_memory_equal(proof, golden, len);
        assert_int_equal(flock_verify_expect(golden, len, &proved), FLOCK_OK);
        flock_free(proof);
        free(golden);
    }
}

static void test_reference_batch(void **state)
{
    (void)state;
    size_t len;
    uint8_t *golden = vector_bytes("proofs/blake3_batch_256_fast_seed0.bin", &len);
    static flock_blake3_input inputs[256];
    struct splitmix s = {.state = 0};
    for (size_t i = 0; i < 256; i++) {
        for (size_t w = 0; w < 8; w++) {
            inputs[i].cv[w] = (uint32_t)splitmix_next(&s);
        }
        for (size_t w = 0; w < 16; w++) {
            inputs[i].message[w] = (uint32_t)splitmix_next(&s);
        }
        inputs[i].counter = splitmix_next(&s);
        inputs[i].block_len = (uint32_t)(splitmix_next(&s) & 0x3f) + 1;
        inputs[i].flags = (uint32_t)(splitmix_next(&s) & 0x7f);
    }
    uint8_t *proof;
    size_t proof_len;
    flock_batch batch = {.format = FLOCK_REFERENCE, .count = 256, .inputs = inputs};
    assert_int_equal(flock_prove_batch(&batch, NULL, &proof, &proof_len, NULL), FLOCK_OK);
    assert_int_equal(proof_len, len);
    assert_memory_equal(proof, golden, len);
    flock_free(proof);

    flock_statement expected = {.relation = FLOCK_BATCH, .circuit = FLOCK_BLAKE3, .count = 256};
    const char *domain = "flock-r1cs-v0";
    assert_int_equal(flock_verify_reference(golden, len, &expected, domain, strlen(domain)),
                     FLOCK_OK);
    assert_int_not_equal(flock_verify_reference(golden, len, &expected, "other", 5), FLOCK_OK);
    expected.layout = FLOCK_BATCH_MAJOR;
    assert_int_not_equal(flock_verify_reference(golden, len, &expected, domain, strlen(domain)),
                         FLOCK_OK);
    flock_statement statement;
    assert_int_equal(flock_verify(golden, len, &statement), FLOCK_ERR_UNSUPPORTED);
    free(golden);
}

/* Every part once, and their times add up. */
static void assert_parts(const flock_report *report, flock_layout layout)
{
    static const flock_part every[] = {
        {FLOCK_PHASE_WITNESS, "set-up", 0, 0, 0},
        {FLOCK_PHASE_WITNESS, "inputs", 0, 0, 0},
        {FLOCK_PHASE_WITNESS, "fill", 0, 0, 0},
        {FLOCK_PHASE_COMMIT, "encode", 0, 0, 0},
        {FLOCK_PHASE_COMMIT, "encode and hash", 0, 0, 0},
        {FLOCK_PHASE_COMMIT, "tree", 0, 0, 0},
        {FLOCK_PHASE_ZEROCHECK, "skip round", 0, 0, 0},
        {FLOCK_PHASE_ZEROCHECK, "rounds", 0, 0, 0},
        {FLOCK_PHASE_LINCHECK, "fold instances", 0, 0, 0},
        {FLOCK_PHASE_LINCHECK, "rounds", 0, 0, 0},
        {FLOCK_PHASE_LINCHECK, "relation", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "ring switch", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "folds", 0, 0, 0},
        {FLOCK_PHASE_GRIND, "nonces", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "encode", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "encode and hash", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "tree", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "out-of-domain samples", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "queries", 0, 0, 0},
        {FLOCK_PHASE_OPEN, "proof file", 0, 0, 0},
    };
    double seconds[FLOCK_N_PHASES] = {0}, serial[FLOCK_N_PHASES] = {0}, total = 0;
    const flock_part partial = {FLOCK_PHASE_LINCHECK, "partial evaluation", 0, 0, 0};
    const unsigned n = sizeof every / sizeof *every, n_before_partial = 10;
    flock_part expected[sizeof every / sizeof *every + 1];
    unsigned n_expected = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i == n_before_partial && layout == FLOCK_BATCH_MAJOR) {
            expected[n_expected++] = partial;
        }
        expected[n_expected++] = every[i];
    }
    assert_int_equal(report->n_parts, n_expected);
    for (unsigned i = 0; i < report->n_parts; i++) {
        const flock_part *part = &report->parts[i];
        assert_int_equal(part->phase, expected[i].phase);
        assert_string_equal(part->name, expected[i].name);
        assert_true(part->seconds >= 0);
        assert_true(part->busy_seconds >= part->serial_seconds);
        seconds[part->phase] += part->seconds;
        serial[part->phase] += part->serial_seconds;
        total += part->seconds;
    }
    for (int phase = 0; phase < FLOCK_N_PHASES; phase++) {
        assert_true(fabs(seconds[phase] - report->seconds[phase]) < 1e-6);
        assert_true(fabs(serial[phase] - report->serial_seconds[phase]) < 1e-6);
    }
    assert_true(fabs(total - report->total_seconds) < 1e-6);
}

static void test_native_batch(void **state)
{
    (void)state;
    flock_blake3_input inputs[13];
    memset(inputs, 7, sizeof inputs);
    for (int layout = 0; layout < 2; layout++) {
        uint8_t *proof;
        size_t len;
        flock_batch batch = {.layout = (flock_layout)layout, .count = 13, .inputs = inputs};
        flock_report report;
        flock_options options = {.report = &report};
        flock_statement statement;
        assert_int_equal(flock_prove_batch(&batch, &options, &proof, &len, NULL), FLOCK_OK);
        assert_parts(&report, batch.layout);
        assert_true(report.peak_bytes <= flock_batch_memory(&batch));
        assert_int_equal(flock_verify(proof, len, &statement), FLOCK_OK);
        assert_int_equal(statement.relation, FLOCK_BATCH);
        assert_int_equal(statement.count, 13);
        flock_free(proof);
    }
}

/* Keccak batches, padded or not, in both circuits and layouts. */
static void test_keccak_batches(void **state)
{
    (void)state;
    json_t *file = vector_json("keccak/proof_hashes.json");
    const json_t *proofs = get(file, "proofs");
    for (size_t i = 0; i < json_array_size(proofs); i++) {
        const json_t *entry = at(proofs, i);
        size_t n = get_size(entry, "n");
        flock_keccak_input *inputs = calloc(n, sizeof *inputs);
        assert_non_null(inputs);
        struct splitmix s = {.state = strtoull(get_string(entry, "seed"), NULL, 0)};
        for (size_t j = 0; j < 25 * n; j++) {
            inputs[j / 25].lanes[j % 25] = splitmix_next(&s);
        }
        const char *domain = get_string(entry, "domain");
        bool wide = strcmp(get_string(entry, "encoder"), "keccak3") == 0;
        flock_batch batch = {.format = FLOCK_REFERENCE,
                             .circuit = wide ? FLOCK_KECCAK3 : FLOCK_KECCAK,
                             .layout = layout_named(get_string(entry, "layout")),
                             .count = n,
                             .inputs = inputs,
                             .domain = domain,
                             .domain_len = strlen(domain)};
        flock_statement statement;
        uint8_t *proof;
        size_t len;
        assert_int_equal(flock_prove_batch(&batch, NULL, &proof, &len, &statement), FLOCK_OK);
        assert_int_equal(flock_statement_log_bits(&statement), get_size(entry, "m"));
        char hex[65];
        sha256_hex_of_bytes(proof, len, hex);
        assert_int_equal(len, get_size(entry, "bundle_len"));
        assert_string_equal(hex, get_string(entry, "bundle_sha256"));
        assert_int_equal(flock_verify_reference(proof, len, &statement, domain, strlen(domain)),
                         FLOCK_OK);
        flock_free(proof);
        free(inputs);
    }
    json_decref(file);
}

/* Steps that are no vector: any number proves and verifies, with the endpoints of the real chain.
 */
static void test_any_number_of_steps(void **state)
{
    (void)state;
    static const uint64_t steps[] = {1, 2, 3, 7, 8, 9, 100, 1000, 1024};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        flock_chain chain = {.steps = steps[i], .layout = (flock_layout)(i % 2)};
        flock_report report;
        flock_options options = {.report = &report};
        flock_statement statement;
        uint8_t *proof;
        size_t len;
        assert_int_equal(flock_prove_chain(&chain, &options, &proof, &len, &statement), FLOCK_OK);
        assert_int_equal(flock_verify_expect(proof, len, &statement), FLOCK_OK);
        assert_true(report.peak_bytes <= flock_chain_memory(&chain));
        flock_free(proof);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_native_chains),   cmocka_unit_test(test_native_digests),
        cmocka_unit_test(test_native_merkle),   cmocka_unit_test(test_default_start),
        cmocka_unit_test(test_messages),        cmocka_unit_test(test_reference_files),
        cmocka_unit_test(test_reference_runs),  cmocka_unit_test(test_reference_library),
        cmocka_unit_test(test_reference_batch), cmocka_unit_test(test_native_batch),
        cmocka_unit_test(test_keccak_batches),  cmocka_unit_test(test_any_number_of_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
