/*
 * Merkle paths in the reference format (spec 08, 6): its published proofs bit for bit, and what
 * they do not prove. Each defect is shown as a false statement that is accepted, and that the
 * native format rejects.
 */
#include "support/chains.h"
#include "support/hostile.h"

#include <flock/merkle.h>
#include <flock/verify.h>

#include "hash/sha256.h"
#include "relation/inputs.h"
#include "relation/merkle.h"

enum { N = 128, MAX_PATHS = 4, MAX_ENTRY_BYTES = 48 };

/* A path of D levels, P times; all values as a statement has them. */
struct paths {
    uint8_t encoded[MAX_PATHS * MAX_ENTRY_BYTES];
    uint8_t siblings[32 * N];
    flock_merkle_path path[MAX_PATHS];
    flock_statement statement;
};

static void random_words(struct splitmix *s, uint8_t out[32])
{
    for (size_t w = 0; w < 8; w++) {
        store_be32(out + 4 * w, (uint32_t)splitmix_next(s));
    }
}

/* The inputs of the vectors: leaf, direction bits of the levels from 1 on, siblings. */
static struct paths *paths_new(unsigned path_log, flock_layout layout, uint64_t seed)
{
    struct paths *paths = calloc(1, sizeof *paths);
    assert_non_null(paths);
    flock_statement *statement = &paths->statement;
    *statement = (flock_statement){.format = FLOCK_REFERENCE,
                                   .relation = FLOCK_MERKLE,
                                   .circuit = FLOCK_SHA256,
                                   .layout = layout,
                                   .count = N,
                                   .depth = N >> path_log,
                                   .n_paths = (uint64_t)1 << path_log,
                                   .paths = paths->encoded};
    unsigned D = statement->depth;
    uint8_t leaf[32], bits[N / 8] = {0};
    struct splitmix s = {.state = seed};
    random_words(&s, leaf);
    for (unsigned d = 1; d < D; d++) {
        bits[d / 8] |= (uint8_t)((splitmix_next(&s) & 1) << (d % 8));
    }
    memcpy(statement->root, leaf, 32);
    for (unsigned d = 0; d < D; d++) {
        uint8_t *sibling = paths->siblings + (size_t)32 * d;
        random_words(&s, sibling);
        flock_merkle_root(statement->root, statement->root, bits[d / 8] >> (d % 8) & 1, sibling, 1);
    }
    size_t index_bytes = path_index_bytes(statement);
    assert_int_equal(index_bytes, D <= 64 ? 8 : D / 8);
    for (size_t p = 0; p < statement->n_paths; p++) {
        uint8_t *entry = paths->encoded + p * (index_bytes + 32);
        memcpy(entry, bits, index_bytes < sizeof bits ? index_bytes : sizeof bits);
        swap_words(entry + index_bytes, leaf, 8);
        paths->path[p].siblings = paths->siblings;
    }
    return paths;
}

/* The leaf of path p, in physical order. */
static uint8_t *leaf_of(struct paths *paths, size_t p)
{
    return paths->encoded + (merkle_leaf(&paths->statement, p) - paths->statement.paths);
}

static uint8_t *prove(const struct paths *paths, const char *domain, size_t *len)
{
    uint8_t *proof;
    assert_int_equal(prove_reference_merkle(&paths->statement, paths->path, domain, strlen(domain),
                                            NULL, &proof, len),
                     FLOCK_OK);
    return proof;
}

static flock_status verify(const uint8_t *proof, size_t len, const struct paths *paths,
                           const char *domain)
{
    return flock_verify_reference(proof, len, &paths->statement, domain, strlen(domain));
}

/* ---- the published proofs ---- */

static const char vector_domain[] = "flock-spec-merkle";

static void assert_public_values(const struct paths *paths, const json_t *vector)
{
    uint8_t value[32], leaf[32];
    hex_to_bytes(get_string(vector, "root_be_words"), value, 32);
    assert_memory_equal(paths->statement.root, value, 32);
    const json_t *leaves = get(vector, "leaves_be_words");
    const char *bits = get_string(vector, "direction_bits");
    assert_int_equal(json_array_size(leaves), paths->statement.n_paths);
    assert_int_equal(strlen(bits), N);
    for (size_t p = 0; p < paths->statement.n_paths; p++) {
        hex_to_bytes(string_of(at(leaves, p)), value, 32);
        swap_words(leaf, merkle_leaf(&paths->statement, p), 8);
        assert_memory_equal(leaf, value, 32);
        for (size_t d = 0; d < paths->statement.depth; d++) {
            assert_int_equal(merkle_bit(&paths->statement, p, d),
                             bits[p * paths->statement.depth + d] == '1');
        }
    }
}

/* Runs published transcript operations on *t. */
static void replay_operations(struct transcript *t, const json_t *operations)
{
    for (size_t i = 0; i < json_array_size(operations); i++) {
        const json_t *op = at(operations, i);
        const char *name = get_string(op, "op");
        if (strcmp(name, "label") == 0) {
            transcript_label(t, get_string(op, "ascii"));
        } else if (strcmp(name, "observe") == 0) {
            transcript_scalar(t, hex_gf128(get_string(op, "v")));
        } else if (strcmp(name, "sample") == 0) {
            assert_gf128_equal(transcript_sample(t), hex_gf128(get_string(op, "v")));
        } else {
            gf128 expected[MAX_MERKLE_N_LOG], sampled[MAX_MERKLE_N_LOG];
            assert_string_equal(name, "sample_vec");
            size_t n = get_size(op, "n");
            assert_true(n <= MAX_MERKLE_N_LOG);
            json_gf128s(get(op, "v"), expected, n);
            transcript_sample_vec(t, sampled, n);
            assert_memory_equal(sampled, expected, n * sizeof *sampled);
        }
    }
}

static void assert_challenges(const struct proof_file *file, const json_t *vector,
                              struct transcript t)
{
    struct merkle_challenges ch;
    gf128 value[MAX_MERKLE_N_LOG];
    uint8_t root[32];
    merkle_sample(&t, &file->setup, &ch);
    json_gf128s(get(vector, "tau_pos"), value, 1);
    assert_gf128_equal(ch.tau_pos, value[0]);
    json_gf128s(get(vector, "tau"), value, 7);
    assert_memory_equal(ch.tau, value, 7 * sizeof *value);
    assert_gf128_equal(ch.alpha, hex_gf128(get_string(vector, "alpha")));
    swap_words(root, file->statement.root, 8);
    assert_gf128_equal(slot_fold(file->setup.circuit, &ch.tau_pos, root),
                       hex_gf128(get_string(vector, "root_folded")));
    json_gf128s(get(vector, "leaves_folded"), value, file->statement.n_paths);
    for (size_t p = 0; p < file->statement.n_paths; p++) {
        const uint8_t *leaf = merkle_leaf(&file->statement, p);
        assert_gf128_equal(slot_fold(file->setup.circuit, &ch.tau_pos, leaf), value[p]);
    }
    const json_t *challenges = get(vector, "round_challenges");
    for (size_t k = 0; k < 9; k++) {
        for (size_t i = 0; i < 3; i++) {
            transcript_scalar(&t, file->proof.glue.rounds[3 * k + i]);
        }
        assert_gf128_equal(transcript_sample(&t), hex_gf128(string_of(at(challenges, k))));
    }
}

static void assert_claim(const struct proof_file *file, const json_t *vector,
                         const struct claims *claims)
{
    gf128 point[MAX_LOG_BITS], value[7];
    const gf128 *claimed = claims->direct[0].point;
    assert_int_equal(claims->n_direct, 1);
    assert_gf128_equal(claims->direct[0].value, hex_gf128(get_string(vector, "value")));
    json_gf128s(get(vector, "packed_claim_point"), point, file->setup.m - 7);
    assert_memory_equal(claimed, point, (file->setup.m - 7) * sizeof *point);
    bool rows = file->statement.layout == FLOCK_ROW_MAJOR;
    json_gf128s(get(vector, "instance_point"), value, 7);
    assert_memory_equal(claimed + (rows ? 8 : 0), value, 7 * sizeof *value);
    assert_gf128_equal(claimed[rows ? 1 : 8], hex_gf128(get_string(vector, "sel_slot")));
    assert_gf128_equal(claimed[rows ? 2 : 9], hex_gf128(get_string(vector, "side")));
}

/* Every value of the glue, and of the claim's way into the opening. */
static void assert_transcript(const uint8_t *proof, size_t len, const struct paths *paths,
                              const json_t *vector)
{
    static struct proof_file file;
    struct transcript t, published;
    struct claims claims;
    assert_int_equal(proof_file_read_reference(proof, len, &paths->statement, &file, NULL),
                     FLOCK_OK);
    const json_t *rounds = get(vector, "rounds");
    assert_int_equal(json_array_size(rounds), 9);
    for (size_t k = 0; k < 9; k++) {
        gf128 message[3];
        json_gf128s(at(rounds, k), message, 3);
        assert_memory_equal(file.proof.glue.rounds + 3 * k, message, sizeof message);
    }
    replay_to_glue(&file, vector_domain, &t, &claims);
    assert_challenges(&file, vector, t);
    published = t;
    replay_operations(&published, get(vector, "glue_ops"));
    assert_int_equal(merkle_verify(&t, &file.statement, &file.setup, &file.proof.glue, &claims),
                     FLOCK_OK);
    struct transcript after = t;
    assert_gf128_equal(transcript_sample(&published), transcript_sample(&after));
    assert_claim(&file, vector, &claims);

    struct opening_reduction reduction;
    opening_reduce(&t, file.setup.m - 7, &claims, file.proof.opening.ring_switch, &reduction);
    const json_t *ops = get(vector, "packed_direct_ops");
    assert_gf128_equal(reduction.gamma[0], hex_gf128(get_string(at(ops, 0), "v")));
    assert_gf128_equal(reduction.gamma[1], hex_gf128(get_string(at(ops, 1), "v")));
    assert_gf128_equal(claims.direct[0].value, hex_gf128(get_string(at(ops, 3), "v")));
    assert_gf128_equal(reduction.gamma_direct[0], hex_gf128(get_string(at(ops, 4), "v")));
}

static void assert_vector(const char *name)
{
    json_t *vector = vector_json(name);
    assert_string_equal(get_string(vector, "domain"), vector_domain);
    struct paths *paths = paths_new((unsigned)get_size(vector, "path_log"),
                                    layout_named(get_string(vector, "layout")),
                                    strtoull(get_string(vector, "splitmix_seed"), NULL, 0));
    assert_public_values(paths, vector);
    size_t len;
    char hex[65];
    uint8_t *proof = prove(paths, vector_domain, &len);
    assert_int_equal(len, get_size(vector, "commitment_plus_proof_bincode_len"));
    sha256_hex_of_bytes(proof, len, hex);
    assert_string_equal(hex, get_string(vector, "commitment_plus_proof_bincode_sha256"));
    uint8_t root[32];
    hex_to_bytes(get_string(vector, "commitment_root"), root, 32);
    assert_memory_equal(proof, root, 32);
    assert_int_equal(verify(proof, len, paths, vector_domain), FLOCK_OK);
    assert_int_not_equal(verify(proof, len, paths, "another domain"), FLOCK_OK);
    assert_transcript(proof, len, paths, vector);
    flock_free(proof);
    free(paths);
    json_decref(vector);
}

static void test_vectors(void **state)
{
    (void)state;
    assert_vector("chain/merkle_sha2_128_pathlog0_row_major.json");
    assert_vector("chain/merkle_sha2_128_pathlog0_batch_major.json");
    assert_vector("chain/merkle_sha2_128_pathlog2_row_major.json");
}

static const char golden_name[] = "chain/merkle_sha2_128_pathlog0_row_major.bin";
static const uint64_t golden_seed = 0x4d45524b4c45;

static void test_published_bytes(void **state)
{
    (void)state;
    size_t len, proof_len;
    uint8_t *golden = vector_bytes(golden_name, &len);
    struct paths *paths = paths_new(0, FLOCK_ROW_MAJOR, golden_seed);
    uint8_t *proof = prove(paths, vector_domain, &proof_len);
    assert_int_equal(proof_len, len);
    assert_memory_equal(proof, golden, len);
    for (size_t shorter = 0; shorter < len; shorter += len / 50) {
        assert_int_not_equal(verify(golden, shorter, paths, vector_domain), FLOCK_OK);
    }
    flock_free(proof);
    free(golden);
    free(paths);
}

/* ---- what is checked ---- */

static void test_rejections(void **state)
{
    (void)state;
    size_t len;
    uint8_t *golden = vector_bytes(golden_name, &len);
    struct paths *paths = paths_new(0, FLOCK_ROW_MAJOR, golden_seed);
    leaf_of(paths, 0)[3] ^= 1;
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_REJECT_GLUE);
    leaf_of(paths, 0)[3] ^= 1;
    paths->statement.root[30] ^= 1;
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_REJECT_GLUE);
    paths->statement.root[30] ^= 1;
    paths->encoded[15] ^= 0x80;
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_REJECT_GLUE);
    paths->encoded[15] ^= 0x80;
    flock_statement honest = paths->statement;
    paths->statement.paths = NULL;
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_ERR_STATEMENT);
    paths->statement = honest;
    paths->statement.depth = 64;
    paths->statement.n_paths = 2;
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_REJECT_GLUE);
    static const struct {
        unsigned depth;
        uint64_t n_paths, count;
    } sizes[] = {{127, 1, 127}, {32, 3, 96}, {64, 1, 64}, {128, 1, 127}, {1u << 21, 1, 1u << 21}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        paths->statement.depth = sizes[i].depth;
        paths->statement.n_paths = sizes[i].n_paths;
        paths->statement.count = sizes[i].count;
        assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_ERR_ARGUMENT);
    }
    free(golden);
    free(paths);
}

/* ---- what is not proved, and that the native format proves it ---- */

/* A native proof of two paths of three levels, for the same attacks. */
struct native {
    uint8_t nodes[32 * 15];
    uint8_t siblings[2][32 * 3];
    flock_merkle_path path[2];
    uint8_t encoded[2 * FLOCK_PATH_BYTES];
    flock_statement statement;
};

static struct native native_new(void)
{
    struct native native = {.statement = {.relation = FLOCK_MERKLE,
                                          .circuit = FLOCK_SHA256,
                                          .count = 6,
                                          .depth = 3,
                                          .n_paths = 2}};
    struct splitmix s = {.state = 1};
    for (size_t i = 0; i < 8; i++) {
        random_words(&s, native.nodes + 32 * i);
    }
    flock_merkle_tree(native.nodes, 3);
    memcpy(native.statement.root, native.nodes + 32 * 14, 32);
    return native;
}

static void set_native_path(struct native *native, size_t p, uint64_t index)
{
    flock_merkle_siblings(native->nodes, 3, index, native->siblings[p]);
    native->path[p].siblings = native->siblings[p];
    flock_path_encode(native->encoded + p * FLOCK_PATH_BYTES, index, native->nodes + 32 * index);
    native->statement.paths = native->encoded;
}

static flock_status make_inputs(const struct native *native, flock_sha256_input *inputs)
{
    const struct prover_context context = {.threads = 1};
    return merkle_inputs(&context, &native->statement, native->path, inputs);
}

static uint8_t *native_proof(struct native *native, size_t *len)
{
    flock_sha256_input inputs[8];
    set_native_path(native, 0, 4);
    set_native_path(native, 1, 2);
    assert_int_equal(make_inputs(native, inputs), FLOCK_OK);
    uint8_t *proof = prove_any_inputs(&native->statement, inputs, "", len);
    assert_int_equal(flock_verify_expect(proof, *len, &native->statement), FLOCK_OK);
    return proof;
}

/* tau_pos of any proof, which everybody can compute. */
static gf128 replay_tau_pos(const struct proof_file *file, const char *domain)
{
    struct transcript t;
    struct claims claims;
    struct merkle_challenges ch;
    replay_to_glue(file, domain, &t, &claims);
    merkle_sample(&t, &file->setup, &ch);
    return ch.tau_pos;
}

static const gf128 forgery = {0x0123456789abcdef, 0xfedcba9876543210};

static void test_published_forgery(void **state)
{
    (void)state;
    size_t len;
    uint8_t *golden = vector_bytes(golden_name, &len), value[32];
    json_t *file = vector_json("chain/forged_endpoints.json");
    const json_t *entry = get(file, "merkle_sha2_128_pathlog0_row_major");
    struct paths *paths = paths_new(0, FLOCK_ROW_MAJOR, golden_seed);
    hex_to_bytes(get_string(entry, "honest_leaf_be_words"), value, 32);
    swap_words(value, value, 8);
    assert_memory_equal(leaf_of(paths, 0), value, 32);
    hex_to_bytes(get_string(entry, "forged_leaf_be_words"), value, 32);
    swap_words(leaf_of(paths, 0), value, 8);
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_OK);
    json_decref(file);
    free(golden);
    free(paths);
}

/* Leaf and root: only their folds count, and those are known before they are. */
static void test_unbound_leaf_and_root(void **state)
{
    (void)state;
    static struct proof_file file;
    size_t len;
    uint8_t *golden = vector_bytes(golden_name, &len), root[32];
    struct paths *paths = paths_new(0, FLOCK_ROW_MAJOR, golden_seed);
    assert_int_equal(proof_file_read_reference(golden, len, &paths->statement, &file, NULL),
                     FLOCK_OK);
    gf128 tau_pos = replay_tau_pos(&file, vector_domain);
    add_invisible(leaf_of(paths, 0), tau_pos, forgery);
    swap_words(root, paths->statement.root, 8);
    add_invisible(root, tau_pos, gf128_square(forgery));
    swap_words(paths->statement.root, root, 8);
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_OK);
    free(golden);
    free(paths);

    struct native native = native_new();
    uint8_t *proof = native_proof(&native, &len);
    assert_int_equal(proof_file_read(proof, len, &file, NULL), FLOCK_OK);
    tau_pos = replay_tau_pos(&file, "");
    uint8_t *entry = proof + (file.statement.paths - proof);
    uint8_t *leaf = entry + 8, *bytes_of_root = entry - 32;
    uint8_t *const targets[] = {leaf, leaf + FLOCK_PATH_BYTES, bytes_of_root};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        flock_statement statement;
        add_invisible(targets[i], tau_pos, forgery);
        assert_int_equal(flock_verify(proof, len, &statement), FLOCK_REJECT_ZEROCHECK);
        add_invisible(targets[i], tau_pos, forgery);
        assert_int_equal(flock_verify(proof, len, &statement), FLOCK_OK);
    }
    free(proof);
}

/* A path whose nodes start from any value of the prover's choice. */
static void random_starts(const flock_statement *statement, flock_sha256_input *inputs, size_t D,
                          uint8_t root[32])
{
    struct splitmix s = {.state = 5};
    uint8_t node[32], block[64];
    for (size_t p = 0; p < statement->n_paths; p++) {
        swap_words(node, merkle_leaf(statement, p), 8);
        for (size_t d = 0; d < D; d++) {
            bool right = merkle_bit(statement, p, d);
            uint32_t value[8];
            uint8_t start[32];
            random_words(&s, block + (right ? 0 : 32));
            memcpy(block + (right ? 32 : 0), node, 32);
            random_words(&s, start);
            for (size_t w = 0; w < 8; w++) {
                value[w] = load_be32(start + 4 * w);
            }
            sha256_step(&inputs[p * D + d], value, block);
            for (size_t w = 0; w < 8; w++) {
                store_be32(node + 4 * w, value[w]);
            }
            if (d + 1 == statement->depth) {
                memcpy(root, node, 32);
            }
        }
    }
}

static void test_free_initial_value(void **state)
{
    (void)state;
    size_t len;
    static flock_sha256_input inputs[N];
    struct paths *paths = paths_new(0, FLOCK_ROW_MAJOR, golden_seed);
    random_starts(&paths->statement, inputs, N, paths->statement.root);
    uint8_t *proof = prove_any_inputs(&paths->statement, inputs, vector_domain, &len);
    assert_int_equal(verify(proof, len, paths, vector_domain), FLOCK_OK);
    free(proof);
    free(paths);

    struct native native = native_new();
    native.statement.n_paths = 1; /* padded to two */
    native.statement.count = 3;
    set_native_path(&native, 0, 4);
    random_starts(&native.statement, inputs, 4, native.statement.root);
    memcpy(inputs + 4, inputs, 4 * sizeof *inputs);
    assert_int_equal(verify_any_inputs(&native.statement, inputs), FLOCK_REJECT_OPENING);
}

/* The leaf is always proved as a left child; the caller's bit says what it likes. */
static void test_ignored_first_direction_bit(void **state)
{
    (void)state;
    size_t len;
    uint8_t *golden = vector_bytes(golden_name, &len);
    struct paths *paths = paths_new(0, FLOCK_ROW_MAJOR, golden_seed);
    paths->encoded[0] ^= 1;
    assert_int_equal(verify(golden, len, paths, vector_domain), FLOCK_OK);
    free(golden);
    free(paths);

    /* In a finished proof, and by a prover who proves the left path for the odd index. */
    struct native native = native_new();
    uint8_t *proof = native_proof(&native, &len);
    flock_statement statement;
    assert_int_equal(flock_read_statement(proof, len, &statement), FLOCK_OK);
    proof[statement.paths - proof] ^= 1;
    assert_int_equal(flock_verify(proof, len, &statement), FLOCK_REJECT_ZEROCHECK);
    free(proof);
    flock_sha256_input inputs[8];
    assert_int_equal(make_inputs(&native, inputs), FLOCK_OK);
    native.encoded[0] ^= 1;
    assert_int_equal(verify_any_inputs(&native.statement, inputs), FLOCK_REJECT_GLUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_published_bytes),
        cmocka_unit_test(test_rejections),
        cmocka_unit_test(test_published_forgery),
        cmocka_unit_test(test_unbound_leaf_and_root),
        cmocka_unit_test(test_free_initial_value),
        cmocka_unit_test(test_ignored_first_direction_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
