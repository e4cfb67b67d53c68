/* Merkle trees and multi-openings against the vectors and against a naive tree. */
#include "support/support.h"

#include <openssl/sha.h>

#include "tree/tree.h"

/* A tree of explicit levels, built one SHA-256 at a time. */
static struct tree naive_tree(const uint8_t *leaves, size_t leaf_bytes, unsigned log_leaves)
{
    size_t n = (size_t)1 << log_leaves;
    uint8_t *nodes = malloc(64 * n);
    assert_non_null(nodes);
    for (size_t i = 0; i < n; i++) {
        SHA256(leaves + i * leaf_bytes, leaf_bytes, nodes + 32 * i);
    }
    const uint8_t *children = nodes;
    for (uint8_t *parent = nodes + 32 * n; parent < nodes + 32 * (2 * n - 1); parent += 32) {
        SHA256(children, 64, parent);
        children += 64;
    }
    return (struct tree){log_leaves, nodes};
}

/* The scan of spec 02, 2.3, with its lists. Returns the number of hashes. */
static size_t naive_opening(const struct tree *tree, const uint32_t *positions, size_t n,
                            uint8_t *hashes)
{
    size_t count = 0;
    uint32_t *active = malloc((n + 1) * sizeof *active);
    assert_non_null(active);
    memcpy(active, positions, n * sizeof *active);
    const uint8_t *level = tree->nodes;
    for (unsigned l = 0; l < tree->log_leaves; l++) {
        size_t n_next = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t p = active[i];
            if (i + 1 < n && active[i + 1] == (p ^ 1)) {
                i++;
            } else {
                memcpy(hashes + 32 * count, level + 32 * (size_t)(p ^ 1), 32);
                count++;
            }
            active[n_next++] = p >> 1;
        }
        n = n_next;
        level += 32 * ((size_t)1 << (tree->log_leaves - l));
    }
    free(active);
    return count;
}

/* An opening as the verifier gets it; check() leaves it as it was. */
struct opening {
    uint8_t root[32];
    unsigned log_leaves;
    uint32_t *positions;
    uint8_t *digests;
    size_t n;
    uint8_t *hashes;
    size_t n_hashes;
};

/* Scratch of exact size, so that a sanitizer sees every access beyond it. */
static bool check(const struct opening *o, size_t n, size_t n_hashes)
{
    uint32_t *positions = malloc(n * sizeof *positions + (n == 0));
    uint8_t *digests = malloc(32 * n + (n == 0));
    uint8_t *hashes = malloc(32 * n_hashes + (n_hashes == 0));
    assert_non_null(positions);
    assert_non_null(digests);
    assert_non_null(hashes);
    memcpy(positions, o->positions, n * sizeof *positions);
    memcpy(digests, o->digests, 32 * n);
    memcpy(hashes, o->hashes, 32 * n_hashes);
    bool ok = tree_check_opening(o->root, o->log_leaves, positions, digests, n, hashes, n_hashes);
    free(positions);
    free(digests);
    free(hashes);
    return ok;
}

/* Has room for one more position and one more hash than it holds. */
static struct opening make_opening(const struct tree *tree, const uint32_t *positions, size_t n)
{
    struct opening o = {.log_leaves = tree->log_leaves, .n = n};
    memcpy(o.root, tree_root(tree), 32);
    o.n_hashes = tree_opening_count(tree, positions, n);
    o.positions = calloc(n + 1, sizeof *o.positions);
    o.digests = calloc(n + 1, 32);
    o.hashes = calloc(o.n_hashes + 1, 32);
    uint8_t *expected = calloc(n * tree->log_leaves + 1, 32);
    assert_non_null(o.positions);
    assert_non_null(o.digests);
    assert_non_null(o.hashes);
    assert_non_null(expected);
    memcpy(o.positions, positions, n * sizeof *positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(o.digests + 32 * i, tree->nodes + 32 * (size_t)positions[i], 32);
    }
    tree_open(tree, positions, n, o.hashes);
    assert_int_equal(naive_opening(tree, positions, n, expected), o.n_hashes);
    assert_memory_equal(o.hashes, expected, 32 * o.n_hashes);
    free(expected);
    return o;
}

static void free_opening(struct opening *o)
{
    free(o->positions);
    free(o->digests);
    free(o->hashes);
}

static void reject_changed_bytes(const struct opening *o, uint8_t *bytes, size_t len,
                                 struct splitmix *random)
{
    for (size_t i = 0; i < len; i += 32) {
        uint64_t r = splitmix_next(random);
        uint8_t *byte = bytes + i + r % 32;
        *byte ^= (uint8_t)(1 << (r >> 8) % 8);
        assert_false(check(o, o->n, o->n_hashes));
        *byte ^= (uint8_t)(1 << (r >> 8) % 8);
    }
}

/* Everything a cheater could change in an opening, one at a time. */
static void reject_mutations(struct opening *o, struct splitmix *random)
{
    reject_changed_bytes(o, o->root, 32, random);
    reject_changed_bytes(o, o->digests, 32 * o->n, random);
    reject_changed_bytes(o, o->hashes, 32 * o->n_hashes, random);
    for (size_t i = 0; i < o->n; i++) {
        uint32_t kept = o->positions[i];
        uint32_t wrong[] = {kept ^ 1, kept + 1, kept - 1, kept ^ (uint32_t)1 << o->log_leaves,
                            UINT32_MAX};
        for (size_t j = 0; j < sizeof wrong / sizeof *wrong; j++) {
            o->positions[i] = wrong[j];
            assert_false(check(o, o->n, o->n_hashes));
        }
        o->positions[i] = kept;
    }
    if (o->n > 1) { /* not ascending, repeated, one leaf less */
        uint32_t first = o->positions[0], second = o->positions[1];
        o->positions[0] = second;
        o->positions[1] = first;
        assert_false(check(o, o->n, o->n_hashes));
        o->positions[1] = second;
        assert_false(check(o, o->n, o->n_hashes));
        o->positions[0] = first;
        assert_false(check(o, o->n - 1, o->n_hashes));
    }
    for (size_t n_hashes = 0; n_hashes < o->n_hashes; n_hashes++) {
        assert_false(check(o, o->n, n_hashes));
    }
    assert_false(check(o, o->n, o->n_hashes + 1));
    o->log_leaves++;
    assert_false(check(o, o->n, o->n_hashes));
    o->log_leaves--;
    assert_true(check(o, o->n, o->n_hashes));
}

static void check_positions(const struct tree *tree, const uint32_t *positions, size_t n,
                            struct splitmix *random)
{
    struct opening o = make_opening(tree, positions, n);
    assert_true(check(&o, n, o.n_hashes));
    reject_mutations(&o, random);
    free_opening(&o);
}

static uint8_t *random_bytes(uint64_t seed, size_t len)
{
    struct splitmix random = {seed};
    uint8_t *bytes = malloc(len + 8);
    assert_non_null(bytes);
    for (size_t i = 0; i < len; i += 8) {
        store_le64(bytes + i, splitmix_next(&random));
    }
    return bytes;
}

/* Rows of the given encoding give the naive tree, in parts of any size. */
static void check_build(const uint8_t *leaves, size_t leaf_bytes, const struct tree *expected)
{
    size_t n_leaves = (size_t)1 << expected->log_leaves;
    size_t n_elements = n_leaves * leaf_bytes / 16;
    gf128 *rows = malloc(n_elements * sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < n_elements; i++) {
        rows[i] = gf128_load(leaves + 16 * i);
    }
    for (unsigned log_part = 0; log_part <= expected->log_leaves; log_part++) {
        struct prover_context context;
        struct tree tree;
        test_context_init(&context, 1 + log_part % 3);
        assert_int_equal(
            test_tree_build(&context, &tree, rows, leaf_bytes / 16, expected->log_leaves, log_part),
            FLOCK_OK);
        assert_int_equal(tree.log_leaves, expected->log_leaves);
        assert_memory_equal(tree.nodes, expected->nodes, 32 * (2 * n_leaves - 1));
        assert_memory_equal(tree_root(&tree), expected->nodes + 32 * (2 * n_leaves - 2), 32);
        test_context_release(&context);
    }
    free(rows);
}

static void check_vector_tree(const json_t *vector)
{
    size_t n_leaves = get_size(vector, "num_leaves"), leaf_bytes = get_size(vector, "leaf_bytes");
    struct splitmix random = {12};
    unsigned log_leaves = 0;
    while ((size_t)1 << log_leaves < n_leaves) {
        log_leaves++;
    }
    uint8_t *leaves = random_bytes(get_size(vector, "data_splitmix64_seed"), n_leaves * leaf_bytes);
    struct tree tree = naive_tree(leaves, leaf_bytes, log_leaves);
    if (leaf_bytes % 64 == 0) {
        check_build(leaves, leaf_bytes, &tree);
    }

    uint8_t expected[32];
    const json_t *nodes = json_object_get(vector, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        hex_to_bytes(string_of(at(nodes, i)), expected, 32);
        assert_memory_equal(tree.nodes + 32 * i, expected, 32);
    }
    hex_to_bytes(get_string(vector, "root"), expected, 32);
    assert_memory_equal(tree_root(&tree), expected, 32);

    const json_t *proofs = get(vector, "multi_proofs");
    for (size_t i = 0; i < json_array_size(proofs); i++) {
        const json_t *list = get(at(proofs, i), "positions"), *proof = get(at(proofs, i), "proof");
        uint32_t positions[64];
        size_t n = json_array_size(list);
        assert_in_range(n, 1, 64);
        for (size_t j = 0; j < n; j++) {
            positions[j] = (uint32_t)size_of(at(list, j));
        }
        struct opening o = make_opening(&tree, positions, n);
        assert_int_equal(o.n_hashes, json_array_size(proof));
        for (size_t j = 0; j < o.n_hashes; j++) {
            hex_to_bytes(string_of(at(proof, j)), expected, 32);
            assert_memory_equal(o.hashes + 32 * j, expected, 32);
        }
        assert_true(check(&o, n, o.n_hashes));
        reject_mutations(&o, &random);
        free_opening(&o);
    }
    free(tree.nodes);
    free(leaves);
}

static void test_vectors(void **unused)
{
    (void)unused;
    json_t *vectors = vector_json("transcript/merkle.json");
    assert_int_equal(json_array_size(vectors), 8);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        check_vector_tree(at(vectors, i));
    }
    json_decref(vectors);
}

/* Every set of positions of trees with up to 16 leaves. */
static void test_all_small_sets(void **unused)
{
    (void)unused;
    uint8_t *leaves = random_bytes(77, 16);
    for (unsigned log_leaves = 0; log_leaves <= 4; log_leaves++) {
        struct tree tree = naive_tree(leaves, 1, log_leaves);
        uint32_t n_leaves = (uint32_t)1 << log_leaves;
        for (uint32_t set = 1; set < (uint32_t)1 << n_leaves; set++) {
            uint32_t positions[16];
            size_t n = 0;
            for (uint32_t p = 0; p < n_leaves; p++) {
                if ((set >> p & 1) != 0) {
                    positions[n++] = p;
                }
            }
            struct opening o = make_opening(&tree, positions, n);
            assert_true(check(&o, n, o.n_hashes));
            assert_false(check(&o, n, o.n_hashes + 1));
            if (n == n_leaves) {
                assert_int_equal(o.n_hashes, 0);
            }
            free_opening(&o);
        }
        free(tree.nodes);
    }
    free(leaves);
}

static void test_random_sets(void **unused)
{
    (void)unused;
    struct splitmix random = {2024};
    for (unsigned log_leaves = 1; log_leaves <= 10; log_leaves++) {
        size_t n_leaves = (size_t)1 << log_leaves;
        uint8_t *leaves = random_bytes(log_leaves, 8 * n_leaves);
        struct tree tree = naive_tree(leaves, 8, log_leaves);
        uint32_t *positions = malloc(n_leaves * sizeof *positions);
        assert_non_null(positions);
        /* about 1/2, 1/4, ... of the leaves, at least one */
        for (unsigned sparse = 1; sparse <= log_leaves + 1; sparse++) {
            size_t n = 0;
            for (uint32_t p = 0; p < n_leaves; p++) {
                if ((splitmix_next(&random) & (((uint64_t)1 << sparse) - 1)) == 0 && n < 40) {
                    positions[n++] = p;
                }
            }
            if (n == 0) {
                positions[n++] = (uint32_t)(splitmix_next(&random) % n_leaves);
            }
            check_positions(&tree, positions, n, &random);
        }
        free(positions);
        free(tree.nodes);
        free(leaves);
    }
}

/* Sizes on both sides of how the builder splits its work. */
static void test_build(void **unused)
{
    (void)unused;
    for (unsigned log_leaves = 0; log_leaves <= 14; log_leaves++) {
        for (size_t leaf_bytes = 64; leaf_bytes <= 1024; leaf_bytes *= 2) {
            size_t len = leaf_bytes << log_leaves;
            if (len > (size_t)1 << 20) {
                continue;
            }
            uint8_t *leaves = random_bytes(log_leaves + leaf_bytes, len);
            struct tree tree = naive_tree(leaves, leaf_bytes, log_leaves);
            check_build(leaves, leaf_bytes, &tree);
            free(tree.nodes);
            free(leaves);
        }
    }
}

static void test_no_positions(void **unused)
{
    (void)unused;
    uint8_t hash[32] = {0};
    uint32_t positions[1];
    assert_true(tree_check_opening(hash, 5, positions, hash, 0, hash, 0));
    assert_false(tree_check_opening(hash, 5, positions, hash, 0, hash, 1));
}

/* One leaf given twice, with every hash of its path twice: the scan alone would not notice. */
static void test_repeated_position(void **unused)
{
    (void)unused;
    enum { LOG_LEAVES = 6 };
    uint8_t *leaves = random_bytes(5, (size_t)16 << LOG_LEAVES);
    struct tree tree = naive_tree(leaves, 16, LOG_LEAVES);
    for (uint32_t p = 0; p < (uint32_t)1 << LOG_LEAVES; p++) {
        uint32_t positions[2] = {p, p};
        uint8_t digests[64], path[32 * LOG_LEAVES], twice[64 * LOG_LEAVES];
        tree_open(&tree, &p, 1, path);
        for (size_t level = 0; level < LOG_LEAVES; level++) {
            memcpy(twice + 64 * level, path + 32 * level, 32);
            memcpy(twice + 64 * level + 32, path + 32 * level, 32);
        }
        memcpy(digests, tree.nodes + 32 * (size_t)p, 32);
        memcpy(digests + 32, digests, 32);
        assert_false(tree_check_opening(tree_root(&tree), LOG_LEAVES, positions, digests, 2, twice,
                                        2 * LOG_LEAVES));
    }
    free(tree.nodes);
    free(leaves);
}

/* A depth beyond 32 levels is walked, not shifted out of range. */
static void test_deep_tree(void **unused)
{
    (void)unused;
    enum { DEPTH = 40 };
    uint8_t hashes[32 * DEPTH], root[32], pair[64], leaf[32] = {7};
    uint32_t position = 0x80000001;
    struct splitmix random = {3};
    memcpy(root, leaf, 32);
    for (unsigned level = 0; level < DEPTH; level++) {
        bool right = level < 32 && (position >> level & 1) != 0;
        uint8_t *hash = hashes + 32 * level;
        for (int i = 0; i < 32; i += 8) {
            store_le64(hash + i, splitmix_next(&random));
        }
        memcpy(pair, right ? hash : root, 32);
        memcpy(pair + 32, right ? root : hash, 32);
        SHA256(pair, 64, root);
    }
    assert_true(tree_check_opening(root, DEPTH, &position, leaf, 1, hashes, DEPTH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),      cmocka_unit_test(test_all_small_sets),
        cmocka_unit_test(test_random_sets),  cmocka_unit_test(test_build),
        cmocka_unit_test(test_no_positions), cmocka_unit_test(test_repeated_position),
        cmocka_unit_test(test_deep_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
