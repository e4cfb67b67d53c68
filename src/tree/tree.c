#include "tree/tree.h"

#include <string.h>

#include "backend/kernels.h"

/* Pairs of child digests that wait to be hashed together. */
enum { BATCH = 16 };

struct pairs {
    uint8_t messages[BATCH * 64];
    size_t n;
};

/* Writes the parents' digests and returns where the next ones go. */
static uint8_t *hash_pairs(struct pairs *pairs, uint8_t *digests)
{
    kernels()->sha256_many(digests, pairs->messages, 64, pairs->n, 0);
    digests += 32 * pairs->n;
    pairs->n = 0;
    return digests;
}

/*
 * The digests at `positions` of one level are replaced by those of their parents, siblings that are
 * not there coming from the list (spec 02, 2.3). Returns the number of parents, 0 if the list runs
 * out. In place: a parent's digest is written after its children have been read, and there are no
 * more parents than children.
 */
static size_t climb(uint32_t *positions, uint8_t *digests, size_t n, const uint8_t **hashes,
                    size_t *n_hashes)
{
    struct pairs pairs = {.n = 0};
    uint8_t *written = digests;
    size_t n_parents = 0;
    for (size_t i = 0; i < n;) {
        uint32_t p = positions[i];
        const uint8_t *own = digests + 32 * i;
        uint8_t *left = pairs.messages + 64 * pairs.n;
        if (i + 1 < n && positions[i + 1] == (p ^ 1)) {
            memcpy(left, own, 64);
            i += 2;
        } else {
            if (*n_hashes == 0) {
                return 0;
            }
            memcpy(left + 32 * (p & 1), own, 32);
            memcpy(left + 32 * (~p & 1), *hashes, 32);
            *hashes += 32;
            *n_hashes -= 1;
            i++;
        }
        positions[n_parents++] = p >> 1;
        pairs.n++;
        if (pairs.n == BATCH) {
            written = hash_pairs(&pairs, written);
        }
    }
    hash_pairs(&pairs, written);
    return n_parents;
}

bool tree_check_opening(const uint8_t root[32], unsigned log_leaves, uint32_t *positions,
                        uint8_t *leaf_digests, size_t n_positions, const uint8_t *hashes,
                        size_t n_hashes)
{
    for (size_t i = 0; i < n_positions; i++) {
        if ((log_leaves < 32 && positions[i] >> log_leaves != 0) ||
            (i > 0 && positions[i] <= positions[i - 1])) {
            return false;
        }
    }
    if (n_positions == 0) {
        return n_hashes == 0;
    }
    for (unsigned level = 0; level < log_leaves; level++) {
        n_positions = climb(positions, leaf_digests, n_positions, &hashes, &n_hashes);
        if (n_positions == 0) {
            return false;
        }
    }
    return n_hashes == 0 && memcmp(leaf_digests, root, 32) == 0;
}
