#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include <flock/merkle.h>

#include "machine.h"

enum {
    HEADER_BYTES = 48,
    AT_VERSION = 6,
    AT_DEPTH = 7,
    AT_N_LEAVES = 8,
    AT_ROOT = 16,
    VERSION = 1
};

static const char magic[AT_VERSION] = "FLOCKT";

/* ---- nodes ---- */

static unsigned log2_rounded_up(uint64_t n)
{
    unsigned log = 0;

    while (log < 63 && (uint64_t)1 << log < n) {
        log++;
    }
    return log;
}

const uint8_t *tree_leaf(const struct tree *tree, uint64_t index)
{
    return index < tree->n_leaves ? tree->nodes + HASH_BYTES * (size_t)index : tree->empty[0];
}

void tree_siblings(const struct tree *tree, uint64_t index, uint8_t *siblings)
{
    bool is_held = index >> tree->held == 0;

    for (unsigned d = 0; d < tree->depth; d++) {
        bool is_first = d >= tree->held && (index >> d ^ 1) == 0;
        memcpy(siblings + HASH_BYTES * d, is_first ? tree->first[d] : tree->empty[d], HASH_BYTES);
    }
    if (is_held) {
        flock_merkle_siblings(tree->nodes, tree->held, index, siblings);
    }
}

/* Everything but nodes and n_leaves. */
static void compute_nodes(struct tree *tree, unsigned depth)
{
    size_t at_top = HASH_BYTES * (((size_t)2 << tree->held) - 2);

    tree->depth = depth;
    memset(tree->empty[0], 0, HASH_BYTES);
    for (unsigned d = 0; d < MAX_DEPTH; d++) {
        flock_merkle_node(tree->empty[d + 1], tree->empty[d], tree->empty[d]);
    }
    flock_merkle_tree(tree->nodes, tree->held);
    memcpy(tree->first[tree->held], tree->nodes + at_top, HASH_BYTES);
    for (unsigned d = tree->held; d < depth; d++) {
        flock_merkle_node(tree->first[d + 1], tree->first[d], tree->empty[d]);
    }
}

/* Room for n <= 2^32 leaves and all nodes of the part that is held. */
static enum outcome check_room(const struct program *program, uint64_t n, size_t *room)
{
    uint64_t needed = (uint64_t)2 * HASH_BYTES << log2_rounded_up(n);

    *room = (size_t)needed;
    if (needed > memory_available() || needed > SIZE_MAX / 2) {
        return fail(program, OUTCOME_TOO_LARGE,
                    "not enough memory: the tree of %llu leaves needs %s (use fewer leaves)",
                    (unsigned long long)n, size_for_people(needed).text);
    }
    return OUTCOME_OK;
}

static enum outcome out_of_memory(const struct program *program)
{
    return fail(program, OUTCOME_TOO_LARGE, "out of memory (use fewer leaves)");
}

/* `leaves`, which the tree takes over, is memory for at least n leaves, n > 0. */
static enum outcome make_tree(const struct program *program, uint8_t *leaves, uint64_t n,
                              unsigned depth, struct tree *tree)
{
    unsigned held = log2_rounded_up(n);
    uint8_t *nodes;
    size_t room;
    enum outcome outcome = check_room(program, n, &room);

    if (outcome == OUTCOME_OK && (nodes = realloc(leaves, room)) == NULL) {
        outcome = out_of_memory(program);
    }
    if (outcome != OUTCOME_OK) {
        free(leaves);
        return outcome;
    }
    memset(nodes + HASH_BYTES * (size_t)n, 0, HASH_BYTES * (((size_t)1 << held) - (size_t)n));
    *tree = (struct tree){.n_leaves = n, .held = held, .nodes = nodes};
    compute_nodes(tree, depth);
    return OUTCOME_OK;
}

/* The depth for n leaves: the given one if it suffices, or the least, but at least 1. */
static enum outcome choose_depth(const struct program *program, uint64_t n, unsigned *depth)
{
    unsigned least = log2_rounded_up(n);

    if (least == 0) {
        least = 1;
    }
    if (least > MAX_DEPTH || (*depth != 0 && *depth < least)) {
        return fail(program, least > MAX_DEPTH ? OUTCOME_TOO_LARGE : OUTCOME_USAGE,
                    "--depth: a tree of %llu leaves has at least depth %u", (unsigned long long)n,
                    least);
    }
    if (*depth == 0) {
        *depth = least;
    }
    return OUTCOME_OK;
}

void tree_release(struct tree *tree)
{
    free(tree->nodes);
    *tree = (struct tree){.nodes = NULL};
}

/* ---- leaves ---- */

/*
 * A file that leaves memory for the nodes, of which there are at most twice as many as the leaves
 * rounded up to a power of two.
 */
static enum outcome read_leaves(const struct program *program, const char *path, uint8_t **bytes,
                                size_t *len)
{
    uint64_t available = memory_available() / 4;
    size_t limit = available < SIZE_MAX / 2 ? (size_t)available : SIZE_MAX / 2;
    enum outcome outcome = read_file(program, path, limit, bytes, len);

    if (outcome == OUTCOME_OK && *len > limit) {
        free(*bytes);
        return fail(program, OUTCOME_TOO_LARGE,
                    "not enough memory: a file of leaves can have at most %s (%s)",
                    size_for_people(limit).text, path);
    }
    return outcome;
}

enum outcome tree_of_leaves(const struct program *program, const char *path, unsigned depth,
                            struct tree *tree)
{
    uint8_t *bytes;
    size_t len;
    enum outcome outcome = read_leaves(program, path, &bytes, &len);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    if (len == 0 || len % HASH_BYTES != 0) {
        outcome = fail(program, OUTCOME_USAGE,
                       "--leaves: %s has %zu bytes, not one or more leaves of 32 bytes", path, len);
    } else {
        outcome = choose_depth(program, len / HASH_BYTES, &depth);
    }
    if (outcome != OUTCOME_OK) {
        free(bytes);
        return outcome;
    }
    return make_tree(program, bytes, len / HASH_BYTES, depth, tree);
}

/* The bytes of a line; *next is where the next one begins. */
static size_t line_length(const uint8_t *line, const uint8_t *end, const uint8_t **next)
{
    const uint8_t *line_feed = memchr(line, '\n', (size_t)(end - line));

    *next = line_feed ? line_feed + 1 : end;
    return (size_t)((line_feed ? line_feed : end) - line);
}

static uint64_t count_lines(const uint8_t *text, size_t len)
{
    uint64_t n = 0;

    for (const uint8_t *line = text, *end = text + len; line < end; n++) {
        line_length(line, end, &line);
    }
    return n;
}

static void hash_lines(const uint8_t *text, size_t len, uint8_t *leaf)
{
    const uint8_t *next;

    for (const uint8_t *line = text, *end = text + len; line < end; line = next) {
        size_t length = line_length(line, end, &next);
        flock_merkle_leaf(leaf, line, length);
        leaf += HASH_BYTES;
    }
}

enum outcome tree_of_lines(const struct program *program, const char *path, unsigned depth,
                           struct tree *tree)
{
    uint8_t *text, *leaves = NULL;
    uint64_t n;
    size_t len, room;
    enum outcome outcome = read_leaves(program, path, &text, &len);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    n = count_lines(text, len);
    if (n == 0) {
        outcome = fail(program, OUTCOME_USAGE, "--lines: %s is empty", path);
    } else if ((outcome = choose_depth(program, n, &depth)) == OUTCOME_OK &&
               (outcome = check_room(program, n, &room)) == OUTCOME_OK &&
               (leaves = malloc(room)) == NULL) {
        outcome = out_of_memory(program);
    }
    if (outcome == OUTCOME_OK) {
        hash_lines(text, len, leaves);
        outcome = make_tree(program, leaves, n, depth, tree);
    }
    free(text);
    return outcome;
}

/* ---- files ---- */

static enum outcome not_a_tree(const struct program *program, const char *what, const char *path)
{
    return fail(program, OUTCOME_MALFORMED, "not a tree file: %s (%s)", what, path);
}

static uint64_t load_u64(const uint8_t *bytes)
{
    uint64_t value = 0;

    for (int i = 8; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* NULL, or what is wrong with the header or the size. */
static const char *wrong_in_file(const uint8_t *bytes, size_t len)
{
    unsigned depth;
    uint64_t n;

    if (len < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0) {
        return "it does not begin like one";
    }
    if (bytes[AT_VERSION] != VERSION) {
        return "unknown version";
    }
    depth = bytes[AT_DEPTH];
    n = load_u64(bytes + AT_N_LEAVES);
    if (depth < 1 || depth > MAX_DEPTH) {
        return "depth out of range";
    }
    if (n < 1 || n > (uint64_t)1 << depth) {
        return "number of leaves out of range";
    }
    if ((len - HEADER_BYTES) % HASH_BYTES != 0 || (len - HEADER_BYTES) / HASH_BYTES != n) {
        return "its size is not that of its leaves";
    }
    return NULL;
}

enum outcome tree_read(const struct program *program, const char *path, struct tree *tree)
{
    uint8_t root[HASH_BYTES];
    uint8_t *bytes;
    size_t len;
    const char *wrong;
    unsigned depth;
    enum outcome outcome = read_leaves(program, path, &bytes, &len);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    wrong = wrong_in_file(bytes, len);
    if (wrong) {
        free(bytes);
        return not_a_tree(program, wrong, path);
    }
    depth = bytes[AT_DEPTH];
    memcpy(root, bytes + AT_ROOT, HASH_BYTES);
    memmove(bytes, bytes + HEADER_BYTES, len - HEADER_BYTES);
    outcome = make_tree(program, bytes, (len - HEADER_BYTES) / HASH_BYTES, depth, tree);
    if (outcome == OUTCOME_OK && memcmp(root, tree_root(tree), HASH_BYTES) != 0) {
        tree_release(tree);
        outcome = not_a_tree(program, "its leaves do not have its root", path);
    }
    return outcome;
}

enum outcome tree_write(const struct program *program, const struct tree *tree,
                        const struct output_file *output, size_t *len)
{
    size_t leaf_bytes = HASH_BYTES * (size_t)tree->n_leaves;
    uint8_t *bytes = malloc(HEADER_BYTES + leaf_bytes);
    enum outcome outcome;

    if (bytes == NULL) {
        return out_of_memory(program);
    }
    memcpy(bytes, magic, sizeof magic);
    bytes[AT_VERSION] = VERSION;
    bytes[AT_DEPTH] = (uint8_t)tree->depth;
    for (unsigned i = 0; i < 8; i++) {
        bytes[AT_N_LEAVES + i] = (uint8_t)(tree->n_leaves >> 8 * i);
    }
    memcpy(bytes + AT_ROOT, tree_root(tree), HASH_BYTES);
    memcpy(bytes + HEADER_BYTES, tree->nodes, leaf_bytes);
    *len = HEADER_BYTES + leaf_bytes;
    outcome = output_write(program, output, bytes, *len);
    free(bytes);
    return outcome;
}
