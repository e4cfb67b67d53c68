/*
 * tree.h - Merkle trees of flock/merkle.h with any number of leaves, and their files.
 *
 * A tree of depth t has 2^t leaves, of which the first n are given and the others are 32 zero
 * bytes. Only as many levels as the given leaves fill are held; above them, and beside them, stand
 * nodes without given leaves, of which every level has one value.
 *
 * A tree file:
 *
 *   "FLOCKT"  6 bytes
 *   u8        version, 1
 *   u8        depth t, 1 to 32
 *   u64       number of leaves n, little-endian, 1 to 2^t
 *   32 bytes  root
 *   32 n      leaves
 *
 * The inner nodes are computed when a file is read. They must lead to its root, so a damaged file
 * is noticed.
 */
#ifndef TREE_H
#define TREE_H

#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "program.h"

enum { HASH_BYTES = 32, MAX_DEPTH = 32 };

struct tree {
    unsigned depth;
    uint64_t n_leaves;
    unsigned held;  /* depth of the part that is held: n_leaves <= 2^held */
    uint8_t *nodes; /* of that part, as flock_merkle_tree() makes them */
    uint8_t first[MAX_DEPTH + 1][HASH_BYTES]; /* [d], d >= held: the first node of level d */
    uint8_t empty[MAX_DEPTH + 1][HASH_BYTES]; /* [d]: a node of level d without given leaves */
};

static inline const uint8_t *tree_root(const struct tree *tree)
{
    return tree->first[tree->depth];
}

/* The given leaf, or the zeros of a missing one; index < 2^depth. */
const uint8_t *tree_leaf(const struct tree *tree, uint64_t index);

/* The siblings on the path from a leaf to the root, the leaf's first: HASH_BYTES * depth. */
void tree_siblings(const struct tree *tree, uint64_t index, uint8_t *siblings);

/*
 * Make a tree of leaves in a file: 32 bytes each, or the SHA-256 digests of its lines (without line
 * feeds; the last line may lack its own). `depth` 0: as small as possible.
 */
enum outcome tree_of_leaves(const struct program *program, const char *path, unsigned depth,
                            struct tree *tree);
enum outcome tree_of_lines(const struct program *program, const char *path, unsigned depth,
                           struct tree *tree);

enum outcome tree_read(const struct program *program, const char *path, struct tree *tree);

/* Out: *len - the size of the file. */
enum outcome tree_write(const struct program *program, const struct tree *tree,
                        const struct output_file *output, size_t *len);

void tree_release(struct tree *tree);

#endif
