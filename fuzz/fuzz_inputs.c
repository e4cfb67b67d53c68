/*
 * What the programs read apart from proofs: tree files, lists of leaf indices, numbers and
 * hexadecimal on the command line. The first byte of the input chooses; the rest is the text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <flock/merkle.h>

#include "flags.h"
#include "index_list.h"
#include "notation.h"
#include "seeds.h"
#include "tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct program program = {.name = "fuzz", .command = "inputs"};

/* Files are read by their names: a file in memory has one in /proc. */
static void on_file(const uint8_t *data, size_t size, void (*check)(const char *, size_t))
{
    char path[64];
    int fd = memfd_create("input", 0);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    check(path, size);
    close(fd);
}

static void check_tree(const struct tree *tree)
{
    uint8_t root[HASH_BYTES], siblings[MAX_DEPTH * HASH_BYTES];
    require(tree->depth >= 1 && tree->depth <= MAX_DEPTH, "depth");
    const uint64_t last = ((uint64_t)1 << tree->depth) - 1;
    const uint64_t indices[] = {0, tree->n_leaves - 1, tree->n_leaves & last, last};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        tree_siblings(tree, indices[i], siblings);
        flock_merkle_root(root, tree_leaf(tree, indices[i]), indices[i], siblings, tree->depth);
        require(memcmp(root, tree_root(tree), HASH_BYTES) == 0, "a path to another root");
    }
}

static void read_tree(const char *path, size_t size)
{
    struct tree tree;
    if (tree_read(&program, path, &tree) == OUTCOME_OK) {
        require(size == 48 + HASH_BYTES * tree.n_leaves, "a tree of another size");
        check_tree(&tree);
        tree_release(&tree);
    }
}

static void read_leaves(const char *path, size_t size)
{
    struct tree tree;
    (void)size;
    if (tree_of_leaves(&program, path, 0, &tree) == OUTCOME_OK) {
        check_tree(&tree);
        tree_release(&tree);
    }
    if (tree_of_lines(&program, path, 0, &tree) == OUTCOME_OK) {
        check_tree(&tree);
        tree_release(&tree);
    }
}

static void read_indices(const char *text)
{
    enum { N_LEAVES = 5000, MOST = 300 };
    const struct flag flag = {.name = "--index", .value = text};
    uint64_t *indices;
    size_t n;
    if (index_list_read(&program, &flag, N_LEAVES, MOST, &indices, &n) == OUTCOME_OK) {
        static bool seen[N_LEAVES];
        require(n >= 1 && n <= MOST, "number of indices");
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < n; i++) {
            require(indices[i] < N_LEAVES && !seen[indices[i]], "an index");
            seen[indices[i]] = true;
        }
        free(indices);
    }
}

static void read_numbers(const char *text)
{
    const struct flag flag = {.name = "--number", .value = text};
    uint64_t value = 0;
    if (flag_number(&program, &flag, 3, 1000000, &value) == OUTCOME_OK) {
        require(value >= 3 && value <= 1000000, "a number out of range");
    }
    flag_seed(&program, &flag, &value);
}

static void read_hex(const char *text)
{
    uint8_t bytes[FLOCK_MAX_REGION_BYTES];
    char written[MAX_NOTATION_DIGITS + 1], again[MAX_NOTATION_DIGITS + 1];
    for (flock_circuit circuit = FLOCK_BLAKE3; circuit <= FLOCK_KECCAK3; circuit++) {
        if (notation_read(circuit, text, bytes)) {
            notation_write(circuit, bytes, written);
            require(strlen(written) == notation_digits(circuit), "digits");
            require(notation_read(circuit, written, bytes), "its own digits");
            notation_write(circuit, bytes, again);
            require(strcmp(written, again) == 0, "other digits");
        }
    }
    notation_read_keccak_logical(text, bytes);
    if (hex_read(text, bytes, 32)) {
        hex_write(bytes, 32, written);
        require(strlen(written) == 64, "digits of 32 bytes");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const texts[])(const char *) = {read_indices, read_numbers, read_hex};
    if (size == 0) {
        return 0;
    }
    switch (data[0] % 5) {
    case 0:
        on_file(data + 1, size - 1, read_tree);
        break;
    case 1:
        on_file(data + 1, size - 1, read_leaves);
        break;
    default: {
        char *text = malloc(size);
        require(text != NULL, "no memory");
        memcpy(text, data + 1, size - 1);
        text[size - 1] = '\0';
        texts[data[0] % 5 - 2](text);
        free(text);
    }
    }
    return 0;
}
