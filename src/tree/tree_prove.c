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

static void hash_rows(uint8_t *digests, const gf128 *rows, size_t row_elements, size_t n,
                      size_t ahead)
{
    if (FLOCK_BIG_ENDIAN) {
        hash_encoded_rows(digests, rows, row_elements, n);
    } else {
        kernels()->sha256_many(digests, (const uint8_t *)rows, 16 * row_elements, n,
                               16 * row_elements * ahead);
    }
}

/* Levels first + 1 .. last above 2^log_n nodes of level `first` from node `start` on. */
static void hash_levels(const struct tree *tree, unsigned first, unsigned last, size_t start,
                        unsigned log_n)
{
    for (unsigned level = first; level < last; level++) {
        start >>= 1;
        log_n--;
        kernels()->sha256_many(level_nodes(tree, level + 1) + 32 * start,
                               level_nodes(tree, level) + 64 * start, 64, (size_t)1 << log_n, 0);
    }
}

/*
 * Levels above 2^log_n nodes that belong to one task: as long as there are enough nodes to hash
 * side by side. The few above are left to a task of a whole row of such parts:
 *
 *     level + log_n                 .               .
 *                                 .   .           .   .      left to the next pass
 *     parts_top()               _________       _________
 *                              /         \     /         \   2^LOG_ABREAST nodes each
 *     level                   /___________\   /___________\  parts of 2^log_n
 */
enum {
    LOG_ABREAST = 4,
    LOG_PART = 9 /* nodes of a part: their digests stay in the first-level cache */
};

static unsigned parts_top(unsigned level, unsigned log_n)
{
    return log_n > LOG_ABREAST ? level + log_n - LOG_ABREAST : level;
}

flock_status tree_take(struct prover_context *context, struct tree *tree, unsigned log_leaves)
{
    size_t n_nodes = ((size_t)2 << log_leaves) - 1;
    tree->log_leaves = log_leaves;
    tree->nodes = memory_take(&context->memory, "Merkle tree", n_nodes, 32);
    return tree->nodes == NULL ? FLOCK_ERR_MEMORY : FLOCK_OK;
}

void tree_hash_part(const struct tree *tree, const gf128 *rows, size_t row_elements, size_t first,
                    unsigned log_n, size_t ahead)
{
    hash_rows(tree->nodes + 32 * first, rows, row_elements, (size_t)1 << log_n, ahead);
    hash_levels(tree, 0, parts_top(0, log_n), first, log_n);
}

struct pass {
    const struct tree *tree;
    unsigned level, log_part;
};

static void hash_part(void *context, size_t part)
{
    const struct pass *p = context;
    hash_levels(p->tree, p->level, parts_top(p->level, p->log_part), part << p->log_part,
                p->log_part);
}

void tree_finish(const struct prover_context *context, const struct tree *tree, unsigned log_part)
{
    struct pass pass = {tree, parts_top(0, log_part), LOG_PART};
    while (tree->log_leaves - pass.level > LOG_PART) {
        unsigned log_parts = tree->log_leaves - pass.level - LOG_PART;
        parallel_for(context->threads, (size_t)1 << log_parts, hash_part, &pass);
        pass.level = parts_top(pass.level, LOG_PART);
    }
    hash_levels(tree, pass.level, tree->log_leaves, 0, tree->log_leaves - pass.level);
}

const uint8_t *tree_root(const struct tree *tree)
{
    return level_nodes(tree, tree->log_leaves);
}

/*
 * The scan of spec 02, 2.3, without its lists: the nodes active in a level are the ancestors
 * position >> level, equal ones side by side. hashes == NULL: they are counted, and asked for,
 * since most of them are in no cache.
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
            const uint8_t *hash = level_nodes(tree, level) + 32 * (size_t)sibling;
            if (hashes != NULL) {
                memcpy(hashes + 32 * count, hash, 32);
            } else {
                __builtin_prefetch(hash, 0, 2);
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
