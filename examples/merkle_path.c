/* Make a Merkle tree of eight leaves; prove and verify that one of them stands under its root. */
#include <flock/merkle.h>
#include <flock/prove.h>
#include <flock/verify.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 3, LEAVES = 1 << DEPTH, NODES = 2 * LEAVES - 1, INDEX = 5 };

int main(void)
{
    static const char *const words[LEAVES] = {"and", "be", "in", "of", "or", "the", "to", "with"};
    uint8_t nodes[NODES * 32], *root = nodes + (NODES - 1) * 32, siblings[DEPTH * 32], entry[40];
    flock_merkle_path path = {.index = INDEX, .siblings = siblings};
    flock_merkle merkle = {.depth = DEPTH, .root = root, .n_paths = 1, .paths = &path};
    flock_statement expected = {.relation = FLOCK_MERKLE, .circuit = FLOCK_SHA256, .paths = entry};
    uint8_t *proof;
    size_t proof_len;

    for (size_t i = 0; i < LEAVES; i++) {
        flock_merkle_leaf(nodes + 32 * i, words[i], strlen(words[i]));
    }
    flock_merkle_tree(nodes, DEPTH);
    flock_merkle_siblings(nodes, DEPTH, INDEX, siblings);
    memcpy(path.leaf, nodes + 32 * INDEX, 32);
    flock_status status = flock_prove_merkle(&merkle, NULL, &proof, &proof_len, NULL);

    /* The verifier knows root and depth of the tree, and which leaf it wants there. */
    expected.count = expected.depth = DEPTH;
    expected.n_paths = 1;
    memcpy(expected.root, root, 32);
    flock_path_encode(entry, INDEX, path.leaf);
    if (status == FLOCK_OK) {
        status = flock_verify_expect(proof, proof_len, &expected);
        flock_free(proof);
    }
    printf("\"%s\" is leaf %d of the tree: %s\n", words[INDEX], INDEX, flock_status_text(status));
    return status != FLOCK_OK;
}
