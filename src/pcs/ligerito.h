/*
 * Ligerito: the recursive opening of sum_i f[i] w[i] = target for a committed f (spec 03).
 * The messages and their order are those of spec 03, 3.5.1 (prover) and 3.6 (verifier).
 */
#ifndef FLOCK_PCS_LIGERITO_H
#define FLOCK_PCS_LIGERITO_H

#include "pcs/params.h"
#include "transcript/transcript.h"

enum {
    MAX_MESSAGES = 64,
    MAX_OOD = 16,
    MAX_FOLD_NONCES = 48,
    MAX_LOG_RESIDUAL = 5,
    MAX_LOG_QUERIES = 9,
    MAX_QUERIES = 1 << MAX_LOG_QUERIES,
    MAX_LOG_LANES = 6,
    MAX_LOG_ELEMENTS = MAX_LOG_BITS - 7
};

/* Smallest d with 2^d >= n, n >= 1. */
static inline unsigned ceil_log2(unsigned n)
{
    unsigned d = 0;
    while ((n - 1) >> d != 0) {
        d++;
    }
    return d;
}

/*
 * Opened rows of a level in their wire form: n_rows times (u64 row length, row), so that the
 * verifier reads them in place and the prover writes them once.
 */
struct opened_level {
    const uint8_t *rows;   /* Q * (8 + 16 * 2^k) bytes */
    const uint8_t *hashes; /* n_hashes * 32 bytes */
    size_t n_hashes;
};

static inline size_t opened_row_stride(const struct level_params *level)
{
    return 8 + ((size_t)16 << level->k);
}

struct ligerito_proof {
    uint8_t roots[MAX_LEVELS][32]; /* [0]: the commitment (initial_root), then recursive_roots */
    struct opened_level opened[MAX_LEVELS];
    gf128 residual[1 << MAX_LOG_RESIDUAL];
    gf128 messages[MAX_MESSAGES][2]; /* (u0, u2) */
    uint64_t query_nonces[MAX_LEVELS];
    gf128 ood_values[MAX_OOD];
    uint64_t fold_nonces[MAX_FOLD_NONCES];
};

/*
 * The initial weight's multilinear extension on the residual cube (spec 03, 3.7): with rho the
 * first n_rho = log_n - y coordinates, out[t] = w(rho, t), t < 2^y.
 */
struct ligerito_weight {
    void (*evaluate)(const void *context, const gf128 *rho, unsigned n_rho, unsigned y, gf128 *out);
    const void *context;
};

/*
 * Verifier, from step E1. root: the commitment the caller expects; proof: shape already checked
 * against params. Allocates a few hundred KiB at most.
 */
flock_status ligerito_verify(struct transcript *t, const struct pcs_params *params,
                             const uint8_t root[32], gf128 target,
                             const struct ligerito_weight *weight,
                             const struct ligerito_proof *proof);

/* ---- prover ---- */

#include "code/additive_ntt.h"
#include "tree/tree.h"

struct prover_context;

/* A committed level: interleaved codeword (position-major) and the tree over its rows. */
struct oracle {
    gf128 *codeword;
    unsigned log_positions; /* c + r */
    unsigned log_lanes;     /* k */
    struct known_zeros zeros;
    struct tree tree;
};

/*
 * Take the codeword's memory before there is a polynomial: the 2^(c+k) elements from
 * *polynomial on, the last part of it, are where oracle_commit() finds one. If zeros are known of
 * it, the caller may say so in oracle->zeros before.
 */
flock_status oracle_take(struct prover_context *context, struct oracle *oracle,
                         const struct level_params *level, gf128 **polynomial);

/*
 * Commit to a polynomial of 2^(c+k) elements as the given level (spec 03, 3.3; 02, 2.5).
 * polynomial = NULL: it is where oracle_take() said, and is written over.
 */
flock_status oracle_commit(struct prover_context *context, struct oracle *oracle,
                           const gf128 *polynomial, const struct level_params *level);

void oracle_release(struct prover_context *context, struct oracle *oracle);

/* The message (u0, u2) of arrays f, w of 2^log_n elements (spec 03, 3.4.1). log_n >= 1. */
void product_message(struct prover_context *context, gf128 message[2], const gf128 *f,
                     const gf128 *w, unsigned log_n);

/*
 * The initial weight w on the prover's side, which never has it in full. f and w are seen as rows
 * of eight elements (piop/claims.h), and the three folds that make one element of a row are done at
 * once. Their messages follow from the products of columns:
 *
 *     products[x][y] = sum_i f[8i+x] w[8i+y]
 */
struct prover_weight {
    gf128 products[N_COLUMNS][N_COLUMNS];
    /* Bind the lowest three variables of w to r. */
    void (*bind)(void *context, const gf128 r[LOG_COLUMNS]);
    /* Then: block number `block` of the bound weight, WEIGHT_BLOCK elements or all, if there are
     * fewer. May run in many threads. `ahead` is where the next 8 WEIGHT_BLOCK elements will be
     * read, for fetching them meanwhile, a few at a time. */
    void (*make)(const void *context, size_t block, gf128 *out, const gf128 *ahead);
    void *context;
};

enum { LOG_WEIGHT_BLOCK = 6, WEIGHT_BLOCK = 1 << LOG_WEIGHT_BLOCK };

/*
 * Prover, from step E1. f: the packed witness, 2^log_n elements (kept); level 0 has k >= 3; weight:
 * used during this call; oracle0: the commitment to f, released. Rows and hashes in *proof are
 * owned by context->memory. On failure everything is left to memory_release().
 */
flock_status ligerito_prove(struct prover_context *context, struct transcript *t,
                            const struct pcs_params *params, const gf128 *f,
                            const struct prover_weight *weight, gf128 target,
                            struct oracle *oracle0, struct ligerito_proof *proof);

#endif
