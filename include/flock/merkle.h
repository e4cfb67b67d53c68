/*
 * merkle.h - the trees whose paths flock_prove_merkle() proves.
 *
 * A tree of depth t has 2^t leaves of 32 bytes and 2^t - 1 nodes. A node is the SHA-256 compression
 * function of left || right (one block of 64 bytes) from SHA-256's initial value: a digest without
 * padding, half the work of SHA-256(left || right). Leaf i is reached from the root by the bits of
 * i, the highest first: 0 left, 1 right.
 *
 * Nothing but the depth tells a leaf from an inner node: a verifier MUST know the depth of its tree
 * and compare it. Leaves should be digests of the data, or the like, made with a different function
 * than nodes; flock_merkle_leaf() is.
 *
 * All values are in the usual byte order of SHA-256.
 */
#ifndef FLOCK_MERKLE_H
#define FLOCK_MERKLE_H

#include <flock/flock.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A leaf for data of any length: its SHA-256 digest. */
FLOCK_API void flock_merkle_leaf(uint8_t leaf[32], const void *data, size_t len);

/* parent = node of left and right; parent may be one of them. */
FLOCK_API void flock_merkle_node(uint8_t parent[32], const uint8_t left[32],
                                 const uint8_t right[32]);

/*
 * A whole tree.
 * In:  nodes - room for 2^(depth+1) - 1 values of 32 bytes, the first 2^depth are the leaves.
 * Out: nodes - the leaves, then every level up to the root, which is the last value.
 */
FLOCK_API void flock_merkle_tree(uint8_t *nodes, unsigned depth);

/*
 * The siblings on the path from leaf `index` to the root of a tree made by flock_merkle_tree():
 * depth * 32 bytes, the leaf's sibling first.
 */
FLOCK_API void flock_merkle_siblings(const uint8_t *nodes, unsigned depth, uint64_t index,
                                     uint8_t *siblings);

/* The root to which a path of `depth` siblings leads. */
FLOCK_API void flock_merkle_root(uint8_t root[32], const uint8_t leaf[32], uint64_t index,
                                 const uint8_t *siblings, unsigned depth);

#ifdef __cplusplus
}
#endif
#endif
