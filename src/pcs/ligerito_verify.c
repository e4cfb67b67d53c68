#include "pcs/ligerito.h"

#include <stdlib.h>
#include <string.h>

#include "backend/kernels.h"
#include "code/additive_ntt.h"
#include "field/multilinear.h"
#include "tree/tree.h"

/* A claim glued at an out-of-domain point: beta * eq(z, .), on variables from `start` on. */
struct ood_claim {
    gf128 z[MAX_LOG_ELEMENTS];
    unsigned n, start;
    gf128 beta;
};

/* A claim glued for queries: beta * sum_t eq_table(alpha)[t] * generator row of position t. */
struct query_claim {
    uint32_t positions[MAX_QUERIES];
    gf128 alpha[MAX_LOG_QUERIES];
    unsigned n, start;
    gf128 beta;
};

enum { HASH_BATCH = 16 }; /* rows hashed together */

struct verifier {
    struct transcript *t;
    const struct pcs_params *params;
    const struct ligerito_proof *proof;

    /* How much of each list of the proof has been read. */
    unsigned n_messages, n_ood, n_fold_nonces;

    gf128 claim; /* T */
    gf128 q[3];  /* running quadratic: coefficients of 1, X, X^2 */
    gf128 rho[MAX_LOG_ELEMENTS];
    unsigned n_rho;

    struct ood_claim ood[MAX_OOD];
    struct query_claim queries[MAX_LEVELS];

    /* Scratch of one level. */
    uint8_t digests[MAX_QUERIES * 32];
    uint32_t positions[MAX_QUERIES];
    uint8_t rows[HASH_BATCH * (16 << MAX_LOG_LANES)];
    gf128 omega[MAX_QUERIES];
};

/* Reads and absorbs the next message; as a quadratic with q(0) + q(1) = claim. */
static void read_message(struct verifier *v, gf128 claim, gf128 q[3])
{
    const gf128 *message = v->proof->messages[v->n_messages++];
    transcript_scalar(v->t, message[0]);
    transcript_scalar(v->t, message[1]);
    q[0] = message[0];
    q[1] = gf128_add(claim, message[1]);
    q[2] = message[1];
}

/* Adds beta times the claim "value", whose quadratic is `message`, to the running one. */
static void glue(struct verifier *v, const gf128 message[3], gf128 beta, gf128 value)
{
    for (int i = 0; i < 3; i++) {
        v->q[i] = gf128_add(v->q[i], gf128_mul(beta, message[i]));
    }
    v->claim = gf128_add(v->claim, gf128_mul(beta, value));
}

/* Step 2: the folds of level i. */
static bool replay_folds(struct verifier *v, const struct level_params *level)
{
    for (unsigned j = 0; j < level->k; j++) {
        unsigned bits = fold_grinding_bits(level, j);
        if (bits > 0 &&
            !transcript_check_nonce(v->t, bits, v->proof->fold_nonces[v->n_fold_nonces++])) {
            return false;
        }
        gf128 r = transcript_sample(v->t);
        v->rho[v->n_rho++] = r;
        gf128 high = gf128_add(v->q[1], gf128_mul(r, v->q[2]));
        v->claim = gf128_add(v->q[0], gf128_mul(r, high));
        read_message(v, v->claim, v->q);
    }
    return true;
}

/* Step 3, one out-of-domain sample of a polynomial in n variables. */
static void replay_ood(struct verifier *v, unsigned n)
{
    struct ood_claim *ood = &v->ood[v->n_ood];
    ood->n = n;
    ood->start = v->n_rho;
    transcript_sample_vec(v->t, ood->z, n);
    gf128 value = v->proof->ood_values[v->n_ood++];
    gf128 message[3];
    transcript_scalar(v->t, value);
    read_message(v, value, message);
    ood->beta = transcript_sample(v->t);
    glue(v, message, ood->beta, value);
}

/*
 * The opened rows of level i: hashes them into v->digests and returns
 * sum_t omega[t] * <eq_table(sigma), row_t>, sigma the level's fold challenges.
 */
static gf128 combine_rows(struct verifier *v, unsigned i)
{
    const struct level_params *level = &v->params->level[i];
    size_t lanes = (size_t)1 << level->k, row_bytes = 16 * lanes;
    gf128 eq[1 << MAX_LOG_LANES], row[1 << MAX_LOG_LANES];
    gf128 sum = GF128_ZERO;

    eq_table(eq, v->rho + v->n_rho - level->k, level->k);
    for (size_t first = 0; first < level->Q; first += HASH_BATCH) {
        size_t n = level->Q - first < HASH_BATCH ? level->Q - first : HASH_BATCH;
        for (size_t t = 0; t < n; t++) {
            const uint8_t *bytes =
                v->proof->opened[i].rows + (first + t) * opened_row_stride(level) + 8;
            memcpy(v->rows + t * row_bytes, bytes, row_bytes);
            for (size_t lane = 0; lane < lanes; lane++) {
                row[lane] = gf128_load(bytes + 16 * lane);
            }
            gf128 value = kernels()->dot(eq, row, lanes);
            sum = gf128_add(sum, gf128_mul(v->omega[first + t], value));
        }
        kernels()->sha256_many(v->digests + 32 * first, v->rows, row_bytes, n, 0);
    }
    return sum;
}

/* Steps 4 and 5: the queries to level i. */
static flock_status replay_queries(struct verifier *v, unsigned i)
{
    const struct level_params *level = &v->params->level[i];
    struct query_claim *claim = &v->queries[i];
    unsigned log_positions = level->c + level->r, log_Q = ceil_log2(level->Q);
    if (!transcript_check_nonce(v->t, level->g, v->proof->query_nonces[i])) {
        return FLOCK_REJECT_NONCE;
    }
    transcript_queries(v->t, claim->positions, level->Q, log_positions);
    transcript_sample_vec(v->t, claim->alpha, log_Q);
    claim->n = level->c;
    claim->start = v->n_rho;

    eq_table(v->omega, claim->alpha, log_Q);
    gf128 value = combine_rows(v, i);
    memcpy(v->positions, claim->positions, level->Q * sizeof *v->positions);
    if (!tree_check_opening(v->proof->roots[i], log_positions, v->positions, v->digests, level->Q,
                            v->proof->opened[i].hashes, v->proof->opened[i].n_hashes)) {
        return FLOCK_REJECT_MERKLE;
    }

    if (i < v->params->R) {
        gf128 message[3];
        read_message(v, value, message);
        claim->beta = transcript_sample(v->t);
        glue(v, message, claim->beta, value);
    } else {
        claim->beta = transcript_sample(v->t);
        v->claim = gf128_add(v->claim, gf128_mul(claim->beta, value));
    }
    return FLOCK_OK;
}

/* ---- the combined weight on the residual cube (spec 03, 3.7) ---- */

static void add_ood_weight(const struct verifier *v, const struct ood_claim *ood, gf128 *weight)
{
    gf128 table[1 << MAX_LOG_RESIDUAL];
    unsigned y = v->params->y, bound = ood->n - y;
    gf128 scale = gf128_mul(ood->beta, eq_eval(ood->z, v->rho + ood->start, bound));
    eq_table_scaled(table, ood->z + bound, y, scale);
    for (size_t t = 0; t < (size_t)1 << y; t++) {
        weight[t] = gf128_add(weight[t], table[t]);
    }
}

/* scale * (1, f_0) x (1, f_1) x ...: added to weight. */
static void add_generator_residual(gf128 *weight, const gf128 *factors, unsigned y, gf128 scale)
{
    gf128 table[1 << MAX_LOG_RESIDUAL];
    table[0] = scale;
    for (unsigned b = 0; b < y; b++) {
        kernels()->scale(table + ((size_t)1 << b), table, factors[b], (size_t)1 << b);
    }
    for (size_t t = 0; t < (size_t)1 << y; t++) {
        weight[t] = gf128_add(weight[t], table[t]);
    }
}

static void add_query_weight(struct verifier *v, unsigned i, gf128 *weight)
{
    const struct query_claim *claim = &v->queries[i];
    const struct level_params *level = &v->params->level[i];
    unsigned Q = level->Q, y = v->params->y, bound = claim->n - y;
    struct subspace_images images;
    gf128 factors[MAX_LOG_ELEMENTS];
    subspace_images_init(&images, level->c + level->r);
    eq_table_scaled(v->omega, claim->alpha, ceil_log2(Q), claim->beta);
    for (unsigned t = 0; t < Q; t++) {
        generator_factors(factors, claim->n, &images, claim->positions[t]);
        gf128 scale = generator_eval(factors, v->rho + claim->start, bound);
        add_generator_residual(weight, factors + bound, y, gf128_mul(v->omega[t], scale));
    }
}

/* Step 6. */
static bool final_check(struct verifier *v, const struct ligerito_weight *initial)
{
    gf128 weight[1 << MAX_LOG_RESIDUAL];
    initial->evaluate(initial->context, v->rho, v->n_rho, v->params->y, weight);
    for (unsigned s = 0; s < v->n_ood; s++) {
        add_ood_weight(v, &v->ood[s], weight);
    }
    for (unsigned i = 0; i <= v->params->R; i++) {
        add_query_weight(v, i, weight);
    }
    gf128 sum = kernels()->dot(v->proof->residual, weight, (size_t)1 << v->params->y);
    return gf128_equal(sum, v->claim);
}

static flock_status replay(struct verifier *v, const uint8_t root[32],
                           const struct ligerito_weight *weight)
{
    const struct pcs_params *params = v->params;
    transcript_label(v->t, "flock-ligerito-basis-v0");
    transcript_scalar(v->t, v->claim);
    transcript_bytes(v->t, root, 32);
    read_message(v, v->claim, v->q);
    for (unsigned i = 0; i <= params->R; i++) {
        if (!replay_folds(v, &params->level[i])) {
            return FLOCK_REJECT_NONCE;
        }
        if (i < params->R) {
            transcript_bytes(v->t, v->proof->roots[i + 1], 32);
            for (unsigned s = 0; s < params->level[i + 1].s; s++) {
                replay_ood(v, params->level[i].c);
            }
        } else {
            for (size_t j = 0; j < (size_t)1 << params->y; j++) {
                transcript_scalar(v->t, v->proof->residual[j]);
            }
        }
        flock_status status = replay_queries(v, i);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    return final_check(v, weight) ? FLOCK_OK : FLOCK_REJECT_OPENING;
}

flock_status ligerito_verify(struct transcript *t, const struct pcs_params *params,
                             const uint8_t root[32], gf128 target,
                             const struct ligerito_weight *weight,
                             const struct ligerito_proof *proof)
{
    if (memcmp(proof->roots[0], root, 32) != 0) {
        return FLOCK_REJECT_MERKLE;
    }
    struct verifier *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    v->t = t;
    v->params = params;
    v->proof = proof;
    v->claim = target;
    flock_status status = replay(v, root, weight);
    free(v);
    return status;
}
