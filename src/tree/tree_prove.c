#include "tree/tree.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "hash/sha256.h"

/* Node 0 of a level; level 0 is the leaves. */
static uint8_t *level_nodes(const struct tree *tree, unsigned level)
{
    size_t n_leaves = (size_t)1 << tree->log_leaves;
    return tree->nodes + 32 * (2 * n_leaves - (2 * n_leaves >> level));
}

/* Rows whose memory is not their wire encoding go through a small buffer. */
static void hash_encoded_rows(uint8_t *digests, const gf128 *rows, size_t row_elements, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sha256 state;
        sha256_init(&state);
        for (size_t j = 0; j < row_elements; j += 4) {
            uint8_t block[64];
            for (size_t k = 0; k < 4; k++) {
                gf128_store(block + 16 * k, rows[i * row_elements + j + k]);
            }
            sha256_update(&state, block, sizeof block);
        }
        sha256_digest(&state, digests + 32 * i);
    }
}

static void hash_rows(uint8_t *digests, const gf128 *rows, size_t row_elements, size_t n)
{
    if (FLOCK_BIG_ENDIAN) {
        hash_encoded_rows(digests, rows, row_elements, n);
    } else {
        kernels()->sha256_many(digests, (const uint8_t *)rows, 16 * row_elements, n);
    }
}

struct build {
    const struct tree *tree;
    const gf128 *rows;
    size_t row_elements;
    unsigned log_part; /* leaves of a part */
};

/* Levels first + 1 .. last above 2^log_n nodes of level `first` from node `start` on. */
static void hash_levels(const struct tree *tree, unsigned first, unsigned last, size_t start,
                        unsigned log_n)
{
    for (unsigned level = first; level < last; level++) {
        start >>= 1;
        log_n--;
        kernels()->sha256_many(level_nodes(tree, level + 1) + 32 * start,
                               level_nodes(tree, level) + 64 * start, 64, (size_t)1 << log_n);
    }
}

/* A subtree of 2^log_part leaves: its digests are still in the cache when the next level reads
 * them. */
static void build_part(void *context, size_t part)
{
    const struct build *b = context;
    size_t start = part << b->log_part;
    hash_rows(b->tree->nodes + 32 * start, b->rows + start * b->row_elements, b->row_elements,
              (size_t)1 << b->log_part);
    hash_levels(b->tree, 0, b->log_part, start, b->log_part);
}

/* 256 parts while they have 2^4 to 2^9 leaves; what is above them is little work for one thread. */
static unsigned choose_log_part(unsigned log_leaves)
{
    unsigned log_part = log_leaves < 12 ? 4 : log_leaves > 17 ? 9 : log_leaves - 8;
    return log_part < log_leaves ? log_part : log_leaves;
}

flock_status tree_build(struct prover_context *context, struct tree *tree, const gf128 *rows,
                        size_t row_elements, unsigned log_leaves)
{
    size_t n_nodes = ((size_t)2 << log_leaves) - 1;
    tree->log_leaves = log_leaves;
    tree->nodes = memory_take(&context->memory, "Merkle tree", n_nodes, 32);
    if (tree->nodes == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    struct build build = {tree, rows, row_elements, choose_log_part(log_leaves)};
    unsigned log_parts = log_leaves - build.log_part;
    parallel_for(context->threads, (size_t)1 << log_parts, build_part, &build);
    hash_levels(tree, build.log_part, log_leaves, 0, log_parts);
    return FLOCK_OK;
}

const uint8_t *tree_root(const struct tree *tree)
{
    return level_nodes(tree, tree->log_leaves);
}

/*
 * The scan of spec 02, 2.3, without its lists: the nodes active in a level are the ancestors
 * position >> level, equal ones side by side. hashes == NULL: count only.
 */
static size_t scan(const struct tree *tree, const uint32_t *positions, size_t n, uint8_t *hashes)
{
    size_t count = 0;
    for (unsigned level = 0; level < tree->log_leaves; level++) {
        for (size_t i = 0; i < n;) {
            uint32_t node = positions[i] >> level, sibling = node ^ 1, last = node;
            for (; i < n && (positions[i] >> level | 1) == (node | 1); i++) {
                last = positions[i] >> level;
            }
            if (last == sibling) {
                continue;
            }
            if (hashes != NULL) {
                memcpy(hashes + 32 * count, level_nodes(tree, level) + 32 * (size_t)sibling, 32);
            }
            count++;
        }
    }
    return count;
}

size_t tree_opening_count(const struct tree *tree, const uint32_t *positions, size_t n_positions)
{
    return scan(tree, positions, n_positions, NULL);
}

void tree_open(const struct tree *tree, const uint32_t *positions, size_t n_positions,
               uint8_t *hashes)
{
    scan(tree, positions, n_positions, hashes);
}
