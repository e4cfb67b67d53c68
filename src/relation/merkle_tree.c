#include <flock/merkle.h>

#include <string.h>

#include "backend/kernels.h"
#include "base/bytes.h"
#include "hash/sha256.h"

void flock_merkle_leaf(uint8_t leaf[32], const void *data, size_t len)
{
    sha256(leaf, data, len);
}

void flock_merkle_node(uint8_t parent[32], const uint8_t left[32], const uint8_t right[32])
{
    uint32_t state[8];
    uint8_t block[64];
    memcpy(state, sha256_initial, sizeof state);
    memcpy(block, left, 32);
    memcpy(block + 32, right, 32);
    kernels()->sha256_compress(state, block, 1);
    for (size_t w = 0; w < 8; w++) {
        store_be32(parent + 4 * w, state[w]);
    }
}

void flock_merkle_tree(uint8_t *nodes, unsigned depth)
{
    /* The node after all leaves is the parent of the first two, and so on. */
    size_t n = ((size_t)1 << depth) - 1;
    uint8_t *parent = nodes + 32 * (n + 1);
    for (size_t i = 0; i < n; i++, parent += 32) {
        flock_merkle_node(parent, nodes + 64 * i, nodes + 64 * i + 32);
    }
}

void flock_merkle_siblings(const uint8_t *nodes, unsigned depth, uint64_t index, uint8_t *siblings)
{
    const uint8_t *level = nodes;
    for (unsigned d = 0; d < depth; d++) {
        memcpy(siblings + 32 * (size_t)d, level + 32 * ((index >> d) ^ 1), 32);
        level += (size_t)32 << (depth - d);
    }
}

void flock_merkle_root(uint8_t root[32], const uint8_t leaf[32], uint64_t index,
                       const uint8_t *siblings, unsigned depth)
{
    uint8_t node[32];
    memcpy(node, leaf, 32);
    for (unsigned d = 0; d < depth; d++) {
        const uint8_t *sibling = siblings + 32 * (size_t)d;
        bool right = index >> d & 1;
        flock_merkle_node(node, right ? sibling : node, right ? node : sibling);
    }
    memcpy(root, node, 32);
}
