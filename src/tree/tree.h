/*
 * SHA-256 Merkle trees and multi-openings (spec 02, 2.3). 2^log_leaves leaves; leaf and node hashes
 * are plain SHA-256 of the leaf's bytes and of left || right.
 */
#ifndef FLOCK_TREE_TREE_H
#define FLOCK_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flock/flock.h>

#include "field/gf128.h"

/*
 * Verifier: do the leaf digests at `positions` (strictly ascending, below 2^log_leaves) and the
 * multi-opening lead to root? All n_hashes must be used up. Writes to leaf_digests (scratch) and
 * positions (scratch): both are destroyed.
 *   leaf_digests: n_positions * 32 bytes; hashes: n_hashes * 32 bytes; n_positions >= 1.
 */
bool tree_check_opening(const uint8_t root[32], unsigned log_leaves, uint32_t *positions,
                        uint8_t *leaf_digests, size_t n_positions, const uint8_t *hashes,
                        size_t n_hashes);

/* ---- prover ---- */

struct prover_context;

/* All digests: leaves first, then level by level, root last: (2^(log_leaves+1) - 1) * 32 bytes. */
struct tree {
    unsigned log_leaves;
    uint8_t *nodes; /* owned by the prover's memory */
};

/*
 * A tree is built in three steps: its memory; its leaves, in parts of 2^log_n rows in any order and
 * by any number of threads; what is above the parts.
 *
 * A row is row_elements field elements (wire encoding, a multiple of 4 elements). `rows` are those
 * of the part, leaves first .. first + 2^log_n - 1; `first` is a multiple of 2^log_n, and log_n =
 * log_part is the same for all parts. Rows that lie `ahead` rows behind these will be read next,
 * and are fetched meanwhile; 0: none.
 */
flock_status tree_take(struct prover_context *context, struct tree *tree, unsigned log_leaves);
void tree_hash_part(const struct tree *tree, const gf128 *rows, size_t row_elements, size_t first,
                    unsigned log_n, size_t ahead);
void tree_finish(const struct prover_context *context, const struct tree *tree, unsigned log_part);

const uint8_t *tree_root(const struct tree *tree);

/*
 * Number of hashes of the multi-opening of sorted positions, and the hashes themselves. The first
 * call brings them into the caches meanwhile.
 */
size_t tree_opening_count(const struct tree *tree, const uint32_t *positions, size_t n_positions);
void tree_open(const struct tree *tree, const uint32_t *positions, size_t n_positions,
               uint8_t *hashes);

#endif
