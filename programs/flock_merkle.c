/* flock_merkle - make Merkle trees; prove and verify paths from leaves to the root. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "describe.h"
#include "index_list.h"
#include "inspect.h"
#include "interrupt.h"
#include "notation.h"
#include "proving.h"
#include "tree.h"
#include "verifying.h"

enum { MAX_PATHS = 1 << 17 };

#define NODES                                                                                  \
    "A node is the SHA-256 compression function of its two children from SHA-256's initial\n"  \
    "value, without padding. Leaves are 32 bytes each; those that are missing up to 2^depth\n" \
    "are 32 zero bytes. The depth is at least 1."

#define MEANING                                                                                  \
    "A proof says: the prover knows siblings that lead from each of these leaves, along its\n"   \
    "index, in exactly `depth` levels to this root. Only the depth tells a leaf from an inner\n" \
    "node, so compare it as well as the root."

/* ---- tree ---- */

enum tree_flag { LEAVES, LINES, TREE_OUT, DEPTH, N_TREE_FLAGS };

static const struct flag tree_flags[N_TREE_FLAGS] = {
    [LEAVES] = {"--leaves", "FILE", false, "leaves of 32 bytes each; - reads standard input", NULL},
    [LINES] = {"--lines", "FILE", false,
               "instead: a text; the leaves are the SHA-256 digests of its\n"
               "lines, without the line feeds",
               NULL},
    [TREE_OUT] = {"--out", "TREE", true, "where the tree goes; replaced when it is complete", NULL},
    [DEPTH] = {"--depth", "T", false,
               "levels below the root, 1 to 32 (default: as few as hold the\nleaves)", NULL},
};

static const char tree_about[] =
    "Make a Merkle tree and print its root.\n"
    "\n" NODES "\n"
    "\n"
    "A tree file has, without anything between them: the six letters FLOCKT; version 1 and\n"
    "depth, one byte each; the number of leaves, 8 bytes, little-endian; the root, 32 bytes;\n"
    "the leaves, 32 bytes each.";

static void print_tree(const struct tree *tree, const char *path, size_t len, double seconds)
{
    char text[2 * HASH_BYTES + 1];

    hex_write(tree_root(tree), HASH_BYTES, text);
    print_row("root", "%s", text);
    print_row("depth", "%u", tree->depth);
    print_row("leaves", "%llu", (unsigned long long)tree->n_leaves);
    print_row("file", "%s (%zu bytes)", path, len);
    print_row("time", "%.3f s", seconds);
}

static void json_tree(const struct program *program, const struct tree *tree, const char *path,
                      size_t len, double seconds)
{
    char text[2 * HASH_BYTES + 1];
    struct json json;

    hex_write(tree_root(tree), HASH_BYTES, text);
    result_open(&json, program, OUTCOME_OK, NULL);
    json_string(&json, "root", text);
    json_number(&json, "depth", tree->depth);
    json_number(&json, "n_leaves", tree->n_leaves);
    json_string(&json, "file", path);
    json_number(&json, "bytes", len);
    json_real(&json, "seconds", seconds);
    json_close_object(&json);
}

static enum outcome make_tree(const struct program *program, const struct flag *flags,
                              struct tree *tree)
{
    uint64_t depth = 0;
    enum outcome outcome;

    if (!flags[LEAVES].value == !flags[LINES].value) {
        return fail(program, OUTCOME_USAGE, "either --leaves FILE or --lines FILE is required");
    }
    if ((outcome = flag_number(program, &flags[DEPTH], 1, MAX_DEPTH, &depth)) != OUTCOME_OK ||
        (outcome = select_backend(program)) != OUTCOME_OK) {
        return outcome;
    }
    return flags[LEAVES].value ? tree_of_leaves(program, flags[LEAVES].value, (unsigned)depth, tree)
                               : tree_of_lines(program, flags[LINES].value, (unsigned)depth, tree);
}

static enum outcome tree_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_TREE_FLAGS];
    struct output_file output = {.path = NULL};
    struct tree tree = {.nodes = NULL};
    double start = seconds_now();
    enum outcome outcome;
    size_t len;

    memcpy(flags, tree_flags, sizeof flags);
    if (!parse_flags(program, tree_about, flags, N_TREE_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    interrupt_install();
    if ((outcome = output_prepare(program, flags[TREE_OUT].value, &output)) == OUTCOME_OK &&
        (outcome = make_tree(program, flags, &tree)) == OUTCOME_OK &&
        (outcome = tree_write(program, &tree, &output, &len)) == OUTCOME_OK) {
        if (program->json) {
            json_tree(program, &tree, output.path, len, seconds_now() - start);
        } else if (!program->quiet) {
            print_tree(&tree, output.path, len, seconds_now() - start);
        }
    }
    tree_release(&tree);
    output_release(&output);
    return outcome;
}

/* ---- prove ---- */

enum prove_flag { TREE, INDEX, OUT, MODE, LAYOUT, N_PROVE_FLAGS };

static const struct flag prove_flags[N_PROVE_FLAGS] = {
    [TREE] = {"--tree", "TREE", true, "a file made by `flock_merkle tree`; - reads standard input",
              NULL},
    [INDEX] = {"--index", "LIST", true,
               "which leaves, from 0: numbers and ranges like 3,5,8-15; at\n"
               "most 2^17, and 2^20 nodes if depth and number of leaves are\n"
               "both rounded up to powers of two",
               NULL},
    [OUT] = {FLAG_OUT},
    [MODE] = {FLAG_MODE},
    [LAYOUT] = {FLAG_LAYOUT},
};

static const char prove_about[] =
    "Prove that leaves stand in a Merkle tree: any number of them in one proof.\n"
    "\n" MEANING;

/* Paths to prove and what they are made of. */
struct merkle_job {
    struct proof_job proof;
    flock_merkle merkle;
    struct tree tree;
    flock_merkle_path *paths;
    uint8_t *siblings;
};

static flock_status prove_merkle(const void *merkle, const flock_options *options, uint8_t **proof,
                                 size_t *proof_len, flock_statement *statement)
{
    return flock_prove_merkle(merkle, options, proof, proof_len, statement);
}

/* Everything that needs no file. */
static enum outcome read_arguments(const struct program *program, const struct flag *flags,
                                   struct merkle_job *job)
{
    const struct statement_flags statement_flags = {.mode = &flags[MODE], .layout = &flags[LAYOUT]};
    flock_statement *sizes = &job->proof.sizes;
    enum outcome outcome;

    *sizes = (flock_statement){.relation = FLOCK_MERKLE, .circuit = FLOCK_SHA256};
    if ((outcome = flag_statement(program, &statement_flags, sizes)) != OUTCOME_OK) {
        return outcome;
    }
    job->merkle = (flock_merkle){.layout = sizes->layout, .profile = sizes->profile};
    return select_backend(program);
}

/* The most paths of this depth in one proof: a power of two. */
static size_t max_paths(const struct merkle_job *job)
{
    flock_merkle merkle = job->merkle;

    merkle.n_paths = MAX_PATHS;
    while (merkle.n_paths > 1 && flock_merkle_memory(&merkle) == 0) {
        merkle.n_paths /= 2;
    }
    return (size_t)merkle.n_paths;
}

static enum outcome make_paths(const struct program *program, const uint64_t *indices,
                               struct merkle_job *job)
{
    size_t n = (size_t)job->merkle.n_paths, path_bytes = (size_t)HASH_BYTES * job->tree.depth;

    job->paths = malloc(n * sizeof *job->paths);
    job->siblings = malloc(n * path_bytes);
    if (job->paths == NULL || job->siblings == NULL) {
        return fail(program, OUTCOME_TOO_LARGE, "out of memory (use fewer leaves)");
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t *siblings = job->siblings + path_bytes * i;
        tree_siblings(&job->tree, indices[i], siblings);
        job->paths[i].index = indices[i];
        memcpy(job->paths[i].leaf, tree_leaf(&job->tree, indices[i]), HASH_BYTES);
        job->paths[i].siblings = siblings;
    }
    job->merkle.paths = job->paths;
    return OUTCOME_OK;
}

/* The tree and the paths; check that the memory suffices before they are made. */
static enum outcome read_paths(const struct program *program, const struct flag *flags,
                               struct merkle_job *job)
{
    flock_merkle *merkle = &job->merkle;
    struct proof_job *proof = &job->proof;
    uint64_t *indices;
    size_t n;
    enum outcome outcome = tree_read(program, flags[TREE].value, &job->tree);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    merkle->depth = job->tree.depth;
    merkle->root = tree_root(&job->tree);
    outcome = index_list_read(program, &flags[INDEX], (uint64_t)1 << merkle->depth, max_paths(job),
                              &indices, &n);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    merkle->n_paths = n;
    proof->memory =
        flock_merkle_memory(merkle) + n * (sizeof *job->paths + (size_t)HASH_BYTES * merkle->depth);
    if ((outcome = check_memory(program, proof)) == OUTCOME_OK) {
        outcome = make_paths(program, indices, job);
    }
    free(indices);
    return outcome;
}

static enum outcome prove_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_PROVE_FLAGS];
    struct merkle_job job = {.paths = NULL};
    enum outcome outcome;

    memcpy(flags, prove_flags, sizeof flags);
    if (!parse_flags(program, prove_about, flags, N_PROVE_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    interrupt_install();
    if ((outcome = read_arguments(program, flags, &job)) == OUTCOME_OK &&
        (outcome = output_prepare(program, flags[OUT].value, &job.proof.output)) == OUTCOME_OK &&
        (outcome = read_paths(program, flags, &job)) == OUTCOME_OK) {
        job.proof.prove = prove_merkle;
        job.proof.what = &job.merkle;
        outcome = prove_and_write(program, &job.proof);
    }
    free(job.paths);
    free(job.siblings);
    tree_release(&job.tree);
    output_release(&job.proof.output);
    return outcome;
}

/* ---- verify ---- */

enum verify_flag { IN, EXPECT_ROOT, EXPECT_DEPTH, EXPECT_LEAF, EXPECT_MODE, N_VERIFY_FLAGS };

static const struct flag verify_flags[N_VERIFY_FLAGS] = {
    [IN] = {FLAG_IN},
    [EXPECT_ROOT] = {"--expect-root", "HEX", false,
                     "require this root, as `tree` prints it: 64 digits;\n"
                     "without it the tree can be any",
                     NULL},
    [EXPECT_DEPTH] = {"--expect-depth", "T", false,
                      "require this depth; without it a leaf can be an inner node", NULL},
    [EXPECT_LEAF] = {"--expect-leaf", "I:HEX ...", false,
                     "require a path from leaf I with this value, 64 digits; can\n"
                     "be given again",
                     NULL},
    [EXPECT_MODE] = {FLAG_EXPECT_MODE},
};

struct expected_leaf {
    uint64_t index;
    uint8_t leaf[HASH_BYTES];
    enum { ABSENT, DIFFERENT, PRESENT } found;
};

/* What else the user requires. */
struct tree_expectation {
    uint8_t root[HASH_BYTES];
    uint64_t depth;
    struct expected_leaf *leaves; /* ascending indices */
    size_t n_leaves;
};

static int compare_leaves(const void *a, const void *b)
{
    uint64_t index_a = ((const struct expected_leaf *)a)->index;
    uint64_t index_b = ((const struct expected_leaf *)b)->index;

    return (index_a > index_b) - (index_a < index_b);
}

/* "I:HEX" */
static bool read_leaf(const char *text, struct expected_leaf *leaf)
{
    const char *colon = strchr(text, ':');

    *leaf = (struct expected_leaf){.found = ABSENT};
    if (colon == NULL || colon == text) {
        return false;
    }
    for (; text < colon; text++) {
        if (*text < '0' || *text > '9' || leaf->index >> MAX_DEPTH != 0) {
            return false;
        }
        leaf->index = 10 * leaf->index + (uint64_t)(*text - '0');
    }
    return hex_read(colon + 1, leaf->leaf, HASH_BYTES);
}

static enum outcome read_leaves(const struct program *program, const struct flag *flag, int argc,
                                char **argv, struct tree_expectation *expected)
{
    const char **values = malloc(((size_t)argc + 1) * sizeof *values);
    enum outcome outcome = OUTCOME_OK;
    size_t n = 0;

    expected->leaves = malloc(((size_t)argc + 1) * sizeof *expected->leaves);
    if (values == NULL || expected->leaves == NULL) {
        outcome = fail(program, OUTCOME_TOO_LARGE, "out of memory");
    } else {
        n = flag_values(flag, argc, argv, values);
    }
    for (size_t i = 0; i < n && outcome == OUTCOME_OK; i++) {
        if (!read_leaf(values[i], &expected->leaves[i])) {
            outcome = fail(program, OUTCOME_USAGE,
                           "%s: '%s' is not an index, a colon and 64 hexadecimal digits",
                           flag->name, values[i]);
        }
    }
    free(values);
    expected->n_leaves = n;
    if (n > 0) {
        qsort(expected->leaves, n, sizeof *expected->leaves, compare_leaves);
    }
    return outcome;
}

static enum outcome read_tree_expectation(const struct program *program, const struct flag *flags,
                                          int argc, char **argv, struct tree_expectation *expected)
{
    const struct flag *root = &flags[EXPECT_ROOT];
    enum outcome outcome;

    if (root->value && !hex_read(root->value, expected->root, HASH_BYTES)) {
        return fail(program, OUTCOME_USAGE, "%s: not 64 hexadecimal digits", root->name);
    }
    outcome = flag_number(program, &flags[EXPECT_DEPTH], 1, MAX_DEPTH, &expected->depth);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    return read_leaves(program, &flags[EXPECT_LEAF], argc, argv, expected);
}

/* Compare a path with all expectations for its index. */
static void find_leaf(struct tree_expectation *expected, uint64_t index, const uint8_t *leaf)
{
    struct expected_leaf key = {.index = index};
    struct expected_leaf *end = expected->leaves + expected->n_leaves;
    struct expected_leaf *found = bsearch(&key, expected->leaves, expected->n_leaves,
                                          sizeof *expected->leaves, compare_leaves);

    if (found == NULL) {
        return;
    }
    while (found > expected->leaves && found[-1].index == index) {
        found--;
    }
    for (; found < end && found->index == index; found++) {
        if (memcmp(found->leaf, leaf, HASH_BYTES) == 0) {
            found->found = PRESENT;
        } else if (found->found == ABSENT) {
            found->found = DIFFERENT;
        }
    }
}

static void compare_paths(const flock_statement *statement, struct tree_expectation *expected,
                          struct differences *d)
{
    if (expected->n_leaves == 0) {
        return;
    }
    for (uint64_t i = 0; i < statement->n_paths; i++) {
        uint8_t leaf[HASH_BYTES];
        uint64_t index;
        flock_statement_path(statement, i, &index, leaf);
        find_leaf(expected, index, leaf);
    }
    for (size_t i = 0; i < expected->n_leaves; i++) {
        const struct expected_leaf *leaf = &expected->leaves[i];
        if (leaf->found != PRESENT) {
            add_difference(d, "leaf %llu is %s", (unsigned long long)leaf->index,
                           leaf->found == ABSENT ? "not in it" : "another");
        }
    }
}

static void judge(const struct flag *flags, const struct expectation *expected,
                  struct tree_expectation *tree, struct verdict *verdict)
{
    const flock_statement *statement = &verdict->statement;
    bool root = flags[EXPECT_ROOT].value != NULL, depth = flags[EXPECT_DEPTH].value != NULL;
    struct differences d = {.len = 0};

    if (compare_statement(statement, expected, &d)) {
        if (root && memcmp(statement->root, tree->root, HASH_BYTES) != 0) {
            add_difference(&d, "another root");
        }
        if (depth && statement->depth != tree->depth) {
            add_difference(&d, "depth is %u, not %llu", statement->depth,
                           (unsigned long long)tree->depth);
        }
        compare_paths(statement, tree, &d);
    }
    judge_differences(&d, verdict);
    if (verdict->outcome == OUTCOME_OK && (!root || !depth)) {
        verdict->note = root    ? "the depth was not compared: the prover chose it (--expect-depth)"
                        : depth ? "the root was not compared: the prover chose it (--expect-root)"
                                : "root and depth were not compared: the prover chose them "
                                  "(--expect-root, --expect-depth)";
    }
}

static enum outcome verify_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_VERIFY_FLAGS];
    struct expectation expected = {.relation = FLOCK_MERKLE, .mode_flag = &flags[EXPECT_MODE]};
    struct tree_expectation tree = {.leaves = NULL};
    struct verdict verdict;
    enum outcome outcome;

    memcpy(flags, verify_flags, sizeof flags);
    if (!parse_flags(program, "Verify the proof of paths and print what it proves.\n\n" MEANING,
                     flags, N_VERIFY_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = read_expectation(program, &expected)) == OUTCOME_OK &&
        (outcome = read_tree_expectation(program, flags, argc, argv, &tree)) == OUTCOME_OK &&
        (outcome = select_backend(program)) == OUTCOME_OK &&
        (outcome = verify_file(program, flags[IN].value, NULL, &verdict)) == OUTCOME_OK) {
        if (verdict.valid) {
            judge(flags, &expected, &tree, &verdict);
        }
        outcome = report_verdict(program, &verdict);
    }
    free(tree.leaves);
    return outcome;
}

int main(int argc, char **argv)
{
    static const struct command commands[] = {
        {"tree", "make a Merkle tree and print its root", FLAGS_OF_VERIFIERS, tree_command},
        {"prove", "prove paths from leaves to the root", FLAGS_OF_PROVERS, prove_command},
        {"verify", "verify a proof and print what it proves", FLAGS_OF_VERIFIERS, verify_command},
        {"info", "print what a proof file claims, and its parts", FLAGS_OF_READERS, info_command},
    };

    return program_main("flock_merkle",
                        "Make Merkle trees of SHA-256; prove and verify paths in them.\n\n" NODES
                        "\n\n" MEANING,
                        commands, sizeof commands / sizeof *commands, argc, argv);
}
