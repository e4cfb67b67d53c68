/*
 * Merkle paths in the native format: trees, proofs of random paths, provers that deviate, files
 * that are changed (spec 09, 9.6).
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <limits.h>

#include <openssl/sha.h>

#include "support/hostile.h"
#include "support/statements.h"

#include <flock/merkle.h>
#include <flock/prove.h>
#include <flock/verify.h>

#include "relation/inputs.h"
#include "relation/merkle.h"

enum { MAX_DEPTH = 6, MAX_PATHS = 8, MAX_SLOTS = 64 };

/* Some paths of a random tree, and their statement. */
struct paths {
    uint8_t nodes[32 * (2 << MAX_DEPTH)];
    uint8_t siblings[MAX_PATHS][32 * MAX_DEPTH];
    flock_merkle_path path[MAX_PATHS];
    uint8_t encoded[MAX_PATHS * FLOCK_PATH_BYTES];
    flock_merkle request;
    flock_statement statement;
};

static void random_bytes(struct splitmix *s, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        out[i] = (uint8_t)splitmix_next(s);
    }
}

static void set_path(struct paths *paths, size_t p, uint64_t index)
{
    paths->path[p].index = index;
    paths->path[p].siblings = paths->siblings[p];
    memcpy(paths->path[p].leaf, paths->nodes + 32 * index, 32);
    flock_merkle_siblings(paths->nodes, paths->request.depth, index, paths->siblings[p]);
    flock_path_encode(paths->encoded + p * FLOCK_PATH_BYTES, index, paths->path[p].leaf);
}

static struct paths *paths_new(unsigned depth, const uint64_t *indices, size_t n, uint64_t seed)
{
    struct paths *paths = calloc(1, sizeof *paths);
    assert_non_null(paths);
    struct splitmix s = {.state = seed};
    random_bytes(&s, paths->nodes, (size_t)32 << depth);
    flock_merkle_tree(paths->nodes, depth);
    const uint8_t *root = paths->nodes + 32 * (((size_t)2 << depth) - 2);
    paths->request = (flock_merkle){
        .profile = FLOCK_SLIM, .depth = depth, .root = root, .n_paths = n, .paths = paths->path};
    for (size_t p = 0; p < n; p++) {
        set_path(paths, p, indices[p]);
    }
    paths->statement = (flock_statement){.relation = FLOCK_MERKLE,
                                         .circuit = FLOCK_SHA256,
                                         .profile = FLOCK_SLIM,
                                         .count = depth * n,
                                         .depth = depth,
                                         .n_paths = n,
                                         .paths = paths->encoded};
    memcpy(paths->statement.root, root, 32);
    return paths;
}

static flock_status make_inputs(const struct paths *paths, flock_sha256_input *inputs)
{
    const struct prover_context context = {.threads = 1};
    return merkle_inputs(&context, &paths->statement, paths->path, inputs);
}

/* ---- trees ---- */

static void node_by_openssl(uint8_t parent[32], const uint8_t block[64])
{
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Transform(&context, block);
    for (size_t w = 0; w < 8; w++) {
        store_be32(parent + 4 * w, context.h[w]);
    }
}

static void test_trees(void **state)
{
    (void)state;
    for (unsigned depth = 0; depth <= MAX_DEPTH; depth++) {
        uint8_t nodes[32 * (2 << MAX_DEPTH)], siblings[32 * MAX_DEPTH + 1], value[32];
        struct splitmix s = {.state = depth};
        random_bytes(&s, nodes, (size_t)32 << depth);
        flock_merkle_tree(nodes, depth);
        const uint8_t *level = nodes, *root = nodes + 32 * (((size_t)2 << depth) - 2);
        for (unsigned d = 0; d < depth; d++) {
            const uint8_t *above = level + ((size_t)32 << (depth - d));
            for (size_t i = 0; i < (size_t)1 << (depth - d - 1); i++) {
                node_by_openssl(value, level + 64 * i);
                assert_memory_equal(above + 32 * i, value, 32);
            }
            level = above;
        }
        assert_ptr_equal(level, root);
        for (uint64_t index = 0; index < (uint64_t)1 << depth; index++) {
            flock_merkle_siblings(nodes, depth, index, siblings);
            flock_merkle_root(value, nodes + 32 * index, index, siblings, depth);
            assert_memory_equal(value, root, 32);
            flock_merkle_root(value, nodes + 32 * index, index ^ 1, siblings, depth);
            assert_int_equal(memcmp(value, root, 32) == 0, depth == 0);
        }
    }
}

/* ---- proofs ---- */

/* Proves and verifies; the statement returned must be the one asked for, in the proof's bytes. */
static void assert_proves(const struct paths *paths)
{
    flock_report report;
    flock_options options = {.report = &report};
    flock_statement proved, read;
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_merkle(&paths->request, &options, &proof, &len, &proved),
                     FLOCK_OK);
    assert_true(report.peak_bytes <= flock_merkle_memory(&paths->request));
    assert_int_equal(flock_verify(proof, len, &read), FLOCK_OK);
    assert_int_equal(flock_verify_expect(proof, len, &proved), FLOCK_OK);
    flock_statement expected = paths->statement;
    expected.layout = paths->request.layout;
    assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_OK);
    assert_true(proved.paths > proof && proved.paths < proof + len);
    assert_ptr_equal(proved.paths, read.paths);
    for (uint64_t p = 0; p < paths->request.n_paths; p++) {
        uint64_t index;
        uint8_t leaf[32];
        flock_statement_path(&read, p, &index, leaf);
        assert_int_equal(index, paths->path[p].index);
        assert_memory_equal(leaf, paths->path[p].leaf, 32);
    }
    flock_free(proof);
}

static void test_random_paths(void **state)
{
    (void)state;
    struct splitmix s = {.state = 2026};
    for (unsigned round = 0; round < 16; round++) {
        unsigned depth = round % MAX_DEPTH + 1;
        size_t n = splitmix_next(&s) % MAX_PATHS + 1;
        uint64_t indices[MAX_PATHS];
        for (size_t p = 0; p < n; p++) {
            indices[p] = splitmix_next(&s) % ((uint64_t)1 << depth);
        }
        struct paths *paths = paths_new(depth, indices, n, round);
        paths->request.layout = (flock_layout)(round % 2);
        assert_proves(paths);
        free(paths);
    }
}

/* Every leaf of a tree, and one leaf many times. */
static void test_all_leaves_and_repetitions(void **state)
{
    (void)state;
    const uint64_t all[] = {0, 1, 2, 3, 4, 5, 6, 7}, same[] = {2, 2, 2, 2, 2};
    struct paths *paths = paths_new(3, all, 8, 1);
    assert_proves(paths);
    free(paths);
    paths = paths_new(2, same, 5, 1);
    assert_proves(paths);
    free(paths);
}

/* A tree of depth 32 has too many nodes to make, but a path needs its siblings only. */
static void test_deepest_tree(void **state)
{
    (void)state;
    uint8_t siblings[32 * 32], root[32];
    flock_merkle_path path = {.index = 0xdeadbeef, .siblings = siblings};
    struct splitmix s = {.state = 32};
    random_bytes(&s, siblings, sizeof siblings);
    random_bytes(&s, path.leaf, 32);
    flock_merkle_root(root, path.leaf, path.index, siblings, 32);
    flock_merkle request = {
        .profile = FLOCK_SLIM, .depth = 32, .root = root, .n_paths = 1, .paths = &path};
    flock_statement statement;
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_merkle(&request, NULL, &proof, &len, &statement), FLOCK_OK);
    assert_int_equal(flock_verify_expect(proof, len, &statement), FLOCK_OK);
    assert_int_equal(statement.count, 32);
    flock_free(proof);
}

/* So many paths that the verifier's sums take more than one block. */
static void test_many_paths(void **state)
{
    (void)state;
    if (SANITIZED) {
        print_message("skipped under sanitizers: 2^26 witness bits; see test_largest_shapes\n");
        skip();
    }
    enum { N = 500, TREE_DEPTH = 4 };
    struct paths *tree = paths_new(TREE_DEPTH, (uint64_t[]){0}, 1, 12);
    flock_merkle_path *path = calloc(N, sizeof *path);
    uint8_t *siblings = malloc((size_t)32 * TREE_DEPTH << TREE_DEPTH);
    assert_non_null(path);
    assert_non_null(siblings);
    struct splitmix s = {.state = 500};
    for (size_t i = 0; i < (size_t)1 << TREE_DEPTH; i++) {
        flock_merkle_siblings(tree->nodes, TREE_DEPTH, i, siblings + 32 * TREE_DEPTH * i);
    }
    for (size_t p = 0; p < N; p++) {
        path[p].index = splitmix_next(&s) >> (64 - TREE_DEPTH);
        path[p].siblings = siblings + 32 * TREE_DEPTH * path[p].index;
        memcpy(path[p].leaf, tree->nodes + 32 * path[p].index, 32);
    }
    flock_merkle request = tree->request;
    request.n_paths = N;
    request.paths = path;
    flock_report report;
    flock_options options = {.report = &report};
    flock_statement statement;
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_merkle(&request, &options, &proof, &len, &statement), FLOCK_OK);
    assert_int_equal(flock_statement_log_bits(&statement), 15 + 11);
    assert_int_equal(flock_verify_expect(proof, len, &statement), FLOCK_OK);
    assert_true(report.peak_bytes <= flock_merkle_memory(&request));
    flock_free(proof);
    /* One wrong path among all. */
    for (size_t p = N / 2 - 1; p < N; p += N / 2) {
        path[p].leaf[31] ^= 1;
        assert_int_equal(flock_prove_merkle(&request, NULL, &proof, &len, &statement),
                         FLOCK_ERR_INPUT);
        path[p].leaf[31] ^= 1;
    }
    free(siblings);
    free(path);
    free(tree);
}

/*
 * The glue's verifier at the largest shapes, without proofs of that size: with leaves of zeros, all
 * tables may be zero but for the claims about initial values and root, which the glue only states.
 */
static void test_largest_shapes(void **state)
{
    (void)state;
    static const struct {
        flock_format format;
        unsigned depth;
        uint64_t n_paths;
    } shapes[] = {
        {FLOCK_NATIVE, 1, 1 << 20},
        {FLOCK_NATIVE, 2, (1 << 19) - 5},
        {FLOCK_NATIVE, 17, (1 << 14) + 1},
        {FLOCK_NATIVE, 32, 1 << 15},
        {FLOCK_NATIVE, 1, 1},
        {FLOCK_REFERENCE, 1, 1 << 20},
        {FLOCK_REFERENCE, 1 << 20, 1},
        {FLOCK_REFERENCE, 1 << 10, 1 << 10},
        {FLOCK_REFERENCE, 64, 1 << 14},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        flock_statement statement = {.format = shapes[i].format,
                                     .relation = FLOCK_MERKLE,
                                     .circuit = FLOCK_SHA256,
                                     .count = shapes[i].depth * shapes[i].n_paths,
                                     .depth = shapes[i].depth,
                                     .n_paths = shapes[i].n_paths};
        size_t entry = path_index_bytes(&statement) + 32;
        uint8_t *paths = calloc(statement.n_paths, entry);
        assert_non_null(paths);
        for (size_t p = 0; p < statement.n_paths; p++) {
            paths[p * entry] = shapes[i].depth > 1 && p % 3 == 0;
        }
        statement.paths = paths;
        struct setup setup;
        struct transcript t;
        struct claims claims = {.n_quirky = 2};
        static struct glue_proof zero;
        assert_int_equal(statement_setup(&statement, &setup), FLOCK_OK);
        transcript_init(&t, "test", 4);
        assert_int_equal(merkle_verify(&t, &statement, &setup, &zero, &claims), FLOCK_OK);
        assert_int_equal(claims.n_direct, statement.format == FLOCK_NATIVE ? 3 : 1);
        /* A leaf that is not zero: the last byte that belongs to the statement. */
        paths[statement.n_paths * entry - 1] = 1;
        transcript_init(&t, "test", 4);
        assert_int_equal(merkle_verify(&t, &statement, &setup, &zero, &claims), FLOCK_REJECT_GLUE);
        free(paths);
    }
}

static flock_status try(const flock_merkle *request)
{
    uint8_t *proof;
    size_t len;
    flock_status status = flock_prove_merkle(request, NULL, &proof, &len, NULL);
    if (status == FLOCK_OK) {
        flock_free(proof);
    }
    return status;
}

static void test_bad_requests(void **state)
{
    (void)state;
    const uint64_t indices[] = {5, 2};
    struct paths *paths = paths_new(3, indices, 2, 3);
    flock_merkle request = paths->request;
    uint8_t root[32];
    memcpy(root, request.root, 32);
    root[31] ^= 1;
    request.root = root;
    assert_int_equal(try(&request), FLOCK_ERR_INPUT);
    request.root = NULL;
    assert_int_equal(try(&request), FLOCK_ERR_ARGUMENT);
    request = paths->request;
    request.paths = NULL;
    assert_int_equal(try(&request), FLOCK_ERR_ARGUMENT);
    request = paths->request;
    paths->path[1].index = 3;
    assert_int_equal(try(&request), FLOCK_ERR_INPUT);
    paths->path[1].index = 8 + 2;
    assert_int_equal(try(&request), FLOCK_ERR_ARGUMENT);
    paths->path[1].index = 2;
    paths->path[0].leaf[0] ^= 1;
    assert_int_equal(try(&request), FLOCK_ERR_INPUT);
    paths->path[0].leaf[0] ^= 1;
    assert_int_equal(try(&request), FLOCK_OK);

    static const struct {
        unsigned depth;
        uint64_t n_paths;
        flock_status status;
    } sizes[] = {
        {0, 2, FLOCK_ERR_ARGUMENT},
        {33, 2, FLOCK_ERR_ARGUMENT},
        {UINT_MAX, 2, FLOCK_ERR_ARGUMENT},
        {3, 0, FLOCK_ERR_ARGUMENT},
        {3, (uint64_t)1 << 20, FLOCK_ERR_TOO_LARGE},
        {1, ((uint64_t)1 << 20) + 1, FLOCK_ERR_TOO_LARGE},
        {3, UINT64_MAX, FLOCK_ERR_TOO_LARGE},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        request.depth = sizes[i].depth;
        request.n_paths = sizes[i].n_paths;
        assert_int_equal(try(&request), sizes[i].status);
        assert_int_equal(flock_merkle_memory(&request), 0);
    }
    free(paths);
}

/* ---- provers that deviate ---- */

/* Depth 3, so that each path has one level of padding above the root; two of four paths given. */
enum { DEPTH = 3, LEVELS = 4, PATHS = 2, SLOTS = 8 };

struct cheat {
    void (*inputs)(flock_sha256_input *inputs);
    void (*statement)(flock_statement *statement, uint8_t *encoded);
};

/* Replaces the inputs of the levels from d on of path p by an honest continuation. */
static void continue_path(flock_sha256_input *inputs, size_t p, size_t d)
{
    for (size_t i = p * LEVELS + d; i < p * LEVELS + LEVELS; i++) {
        uint32_t output[8];
        uint8_t block[64];
        memcpy(output, inputs[i - 1].state, sizeof output);
        for (size_t w = 0; w < 16; w++) {
            store_be32(block + 4 * w, inputs[i - 1].message[w]);
        }
        flock_sha256_input scratch;
        sha256_step(&scratch, output, block);
        size_t level = i % LEVELS;
        size_t half = level < DEPTH && ((p == 0 ? 5u : 2u) >> level & 1) ? 8 : 0;
        memcpy(inputs[i].message + half, output, sizeof output);
    }
}

static flock_status cheat_once(const struct cheat *cheat, flock_layout layout)
{
    const uint64_t indices[PATHS] = {5, 2};
    struct paths *paths = paths_new(DEPTH, indices, PATHS, 7);
    flock_sha256_input inputs[SLOTS];
    paths->statement.layout = layout;
    assert_int_equal(make_inputs(paths, inputs), FLOCK_OK);
    if (cheat->inputs != NULL) {
        cheat->inputs(inputs);
    }
    if (cheat->statement != NULL) {
        cheat->statement(&paths->statement, paths->encoded);
    }
    flock_status status = verify_any_inputs(&paths->statement, inputs);
    free(paths);
    return status;
}

static void assert_outcome(struct cheat cheat, flock_status expected)
{
    for (int layout = 0; layout < 2; layout++) {
        flock_status status = cheat_once(&cheat, (flock_layout)layout);
        if (status != expected) {
            fail_msg("%s instead of %s", flock_status_text(status), flock_status_text(expected));
        }
    }
}

static void other_sibling(flock_sha256_input *inputs)
{
    inputs[1].message[8] ^= 1; /* the node is on the left at level 1 of index 5 */
    continue_path(inputs, 0, 2);
}

static void wrong_iv_honest_above(flock_sha256_input *inputs)
{
    inputs[4].state[3] ^= 0x100;
    continue_path(inputs, 1, 1);
}

static void wrong_iv_in_the_padding(flock_sha256_input *inputs)
{
    inputs[3].state[0] ^= 1;
}

static void swapped_children(flock_sha256_input *inputs)
{
    uint32_t left[8];
    memcpy(left, inputs[0].message, sizeof left);
    memcpy(inputs[0].message, inputs[0].message + 8, sizeof left);
    memcpy(inputs[0].message + 8, left, sizeof left);
}

static void swapped_children_honest_above(flock_sha256_input *inputs)
{
    swapped_children(inputs);
    continue_path(inputs, 0, 1);
}

static void broken_link(flock_sha256_input *inputs)
{
    inputs[1].message[0] ^= 1;
}

static void broken_link_above_the_root(flock_sha256_input *inputs)
{
    inputs[3].message[0] ^= 1;
}

/* Free by definition: the sibling above the root. */
static void other_sibling_above_the_root(flock_sha256_input *inputs)
{
    inputs[7].message[15] ^= 1;
}

static void test_deviating_inputs(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.inputs = NULL}, FLOCK_OK);
    assert_outcome((struct cheat){.inputs = other_sibling_above_the_root}, FLOCK_OK);
    assert_outcome((struct cheat){.inputs = broken_link}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.inputs = broken_link_above_the_root}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.inputs = swapped_children}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.inputs = swapped_children_honest_above}, FLOCK_REJECT_GLUE);
    /* Initial values and the root are claims of their own: they fall with the opening. */
    assert_outcome((struct cheat){.inputs = other_sibling}, FLOCK_REJECT_OPENING);
    assert_outcome((struct cheat){.inputs = wrong_iv_honest_above}, FLOCK_REJECT_OPENING);
    assert_outcome((struct cheat){.inputs = wrong_iv_in_the_padding}, FLOCK_REJECT_OPENING);
}

static void other_root(flock_statement *statement, uint8_t *encoded)
{
    (void)encoded;
    struct paths *other = paths_new(DEPTH, (uint64_t[]){0}, 1, 8);
    memcpy(statement->root, other->statement.root, 32);
    free(other);
}

static void root_of_a_subtree(flock_statement *statement, uint8_t *encoded)
{
    (void)encoded;
    struct paths *same = paths_new(DEPTH, (uint64_t[]){5}, 1, 7);
    memcpy(statement->root, same->nodes + (size_t)32 * (8 + 4 + 1), 32);
    free(same);
}

static void other_first_bit(flock_statement *statement, uint8_t *encoded)
{
    (void)statement;
    encoded[0] ^= 1;
}

static void other_last_bit(flock_statement *statement, uint8_t *encoded)
{
    (void)statement;
    encoded[FLOCK_PATH_BYTES] ^= 1 << (DEPTH - 1);
}

static void other_leaf(flock_statement *statement, uint8_t *encoded)
{
    (void)statement;
    encoded[FLOCK_PATH_BYTES + 8 + 17] ^= 0x20;
}

static void paths_exchanged(flock_statement *statement, uint8_t *encoded)
{
    (void)statement;
    uint8_t first[FLOCK_PATH_BYTES];
    memcpy(first, encoded, sizeof first);
    memcpy(encoded, encoded + sizeof first, sizeof first);
    memcpy(encoded + sizeof first, first, sizeof first);
}

/* One level less: the same instances, another instance holds the root. */
static void one_level_less(flock_statement *statement, uint8_t *encoded)
{
    encoded[0] = 1;
    statement->depth = 2;
    statement->count = 2 * PATHS;
}

static void one_level_more(flock_statement *statement, uint8_t *encoded)
{
    (void)encoded;
    statement->depth = 4;
    statement->count = 4 * PATHS;
}

static void test_false_statements(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.statement = other_root}, FLOCK_REJECT_OPENING);
    assert_outcome((struct cheat){.statement = root_of_a_subtree}, FLOCK_REJECT_OPENING);
    assert_outcome((struct cheat){.statement = one_level_more}, FLOCK_REJECT_OPENING);
    assert_outcome((struct cheat){.statement = other_first_bit}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.statement = other_last_bit}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.statement = other_leaf}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.statement = paths_exchanged}, FLOCK_REJECT_GLUE);
}

/* With two levels the shape is another: four paths of two instances. */
static void test_fewer_levels(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.statement = one_level_less}, FLOCK_REJECT_GLUE);
}

/* Repetitions of the last path are part of the relation. */
static void test_padding_paths(void **state)
{
    (void)state;
    const uint64_t indices[] = {3, 0, 1};
    struct paths *paths = paths_new(2, indices, 3, 9), *other = paths_new(2, indices, 1, 9);
    flock_sha256_input inputs[SLOTS], path[SLOTS];
    assert_int_equal(make_inputs(paths, inputs), FLOCK_OK);
    assert_int_equal(verify_any_inputs(&paths->statement, inputs), FLOCK_OK);
    assert_int_equal(make_inputs(other, path), FLOCK_OK);
    memcpy(inputs + 6, path, 2 * sizeof *inputs);
    assert_int_equal(verify_any_inputs(&paths->statement, inputs), FLOCK_REJECT_GLUE);
    free(paths);
    free(other);
}

/* ---- changed files ---- */

static void test_every_byte(void **state)
{
    (void)state;
    const uint64_t indices[] = {5, 2};
    struct paths *paths = paths_new(3, indices, 2, 10);
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_merkle(&paths->request, NULL, &proof, &len, NULL), FLOCK_OK);
    assert_every_flip_rejected(proof, len);
    flock_free(proof);
    free(paths);
}

static void test_expectations(void **state)
{
    (void)state;
    const uint64_t indices[] = {5, 2};
    struct paths *paths = paths_new(3, indices, 2, 11);
    uint8_t *proof;
    size_t len;
    assert_int_equal(flock_prove_merkle(&paths->request, NULL, &proof, &len, NULL), FLOCK_OK);
    flock_statement expected = paths->statement;
    assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_OK);
    expected.root[7] ^= 1;
    assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_ERR_STATEMENT);
    expected = paths->statement;
    expected.depth = 2;
    assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_ERR_STATEMENT);
    expected = paths->statement;
    expected.n_paths = 1;
    assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_ERR_STATEMENT);
    expected = paths->statement;
    expected.paths = NULL;
    assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_ERR_STATEMENT);
    for (size_t i = 0; i < 2 * FLOCK_PATH_BYTES; i++) {
        expected = paths->statement;
        paths->encoded[i] ^= 4;
        assert_int_equal(flock_verify_expect(proof, len, &expected), FLOCK_ERR_STATEMENT);
        paths->encoded[i] ^= 4;
    }
    flock_free(proof);
    free(paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_random_paths),
        cmocka_unit_test(test_all_leaves_and_repetitions),
        cmocka_unit_test(test_deepest_tree),
        cmocka_unit_test(test_many_paths),
        cmocka_unit_test(test_largest_shapes),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_deviating_inputs),
        cmocka_unit_test(test_false_statements),
        cmocka_unit_test(test_fewer_levels),
        cmocka_unit_test(test_padding_paths),
        cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_expectations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
