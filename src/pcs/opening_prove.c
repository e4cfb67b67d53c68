#include "pcs/opening.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"
#include "piop/partials.h"

enum {
    BLOCK_LOG = 9, /* weights made at a time */
    BLOCK = 1 << BLOCK_LOG,
    MAX_TASKS = 1024,
    SLICES = 8 /* progress reports */
};

/*
 * The weight is made block by block, its eq tables never stored in full: with the low variables
 * inside a block, EQ(p) = high (x) low. A coordinate that is exactly 0 or 1 halves the support of
 * its factor; only the support is stored and touched:
 *
 *     low[i], i < n_low, stands for entry position[i] of the block; all other entries are 0
 */
struct split_table {
    gf128 low[BLOCK];
    uint16_t position[BLOCK];
    size_t n_low;
    gf128 *high;
};

struct quirky_weight {
    gf128 low[BLOCK];
    gf128 *high;
    struct linear64 map[2]; /* gamma Phi on the low and high 64 bits */
};

struct weight_job {
    unsigned n_quirky, n_direct;
    struct quirky_weight quirky[2];
    struct split_table direct[MAX_DIRECT_CLAIMS];
    const gf128 *q;
    gf128 *weight;
    size_t block; /* elements of a block */
    size_t blocks_per_task, first_task;
    gf128 sums[MAX_TASKS][2];
};

static bool is_one(gf128 a)
{
    return gf128_equal(a, GF128_ONE);
}

static bool is_zero(gf128 a)
{
    return gf128_equal(a, GF128_ZERO);
}

/* The nonzero entries of EQ(point), n coordinates. */
static void sparse_eq_table(struct split_table *table, const gf128 *point, unsigned n)
{
    gf128 free_coordinates[BLOCK_LOG];
    unsigned n_free = 0;
    table->n_low = 1;
    table->position[0] = 0;
    for (unsigned b = 0; b < n; b++) {
        uint16_t bit = (uint16_t)(1u << b);
        if (is_one(point[b])) {
            for (size_t i = 0; i < table->n_low; i++) {
                table->position[i] |= bit;
            }
        } else if (!is_zero(point[b])) {
            for (size_t i = 0; i < table->n_low; i++) {
                table->position[table->n_low + i] = table->position[i] | bit;
            }
            table->n_low *= 2;
            free_coordinates[n_free++] = point[b];
        }
    }
    eq_table(table->low, free_coordinates, n_free);
}

/* block += high * low; 1 multiplication an entry of the support. */
static void add_direct_block(const struct split_table *table, size_t b, size_t n, gf128 *block)
{
    gf128 high = table->high[b], product[BLOCK];
    if (is_zero(high)) {
        return;
    }
    if (table->n_low == n) {
        kernels()->axpy(block, table->low, high, n);
        return;
    }
    kernels()->scale(product, table->low, high, table->n_low);
    for (size_t i = 0; i < table->n_low; i++) {
        gf128 *entry = &block[table->position[i]];
        *entry = gf128_add(*entry, product[i]);
    }
}

static void make_block(const struct weight_job *job, size_t b, gf128 *block)
{
    const struct prover_kernels *k = prover_kernels();
    gf128 eq[BLOCK];
    if (job->n_quirky == 0) {
        memset(block, 0, job->block * sizeof *block);
    }
    for (unsigned c = 0; c < job->n_quirky; c++) {
        const struct quirky_weight *quirky = &job->quirky[c];
        kernels()->scale(eq, quirky->low, quirky->high[b], job->block);
        (c == 0 ? k->linear128_apply : k->linear128_add)(block, eq, job->block, &quirky->map[0],
                                                         &quirky->map[1]);
    }
    for (unsigned c = 0; c < job->n_direct; c++) {
        add_direct_block(&job->direct[c], b, job->block, block);
    }
}

static void weight_task(void *argument, size_t i)
{
    struct weight_job *job = argument;
    size_t task = job->first_task + i;
    gf128 sums[2] = {GF128_ZERO, GF128_ZERO};
    for (size_t b = task * job->blocks_per_task; b < (task + 1) * job->blocks_per_task; b++) {
        gf128 *block = job->weight + b * job->block;
        make_block(job, b, block);
        prover_kernels()->product_message_low(sums, job->q + b * job->block, block, job->block / 2);
    }
    memcpy(job->sums[task], sums, sizeof sums);
}

static flock_status run_weight(struct prover_context *context, struct weight_job *job,
                               size_t n_tasks)
{
    size_t slices = n_tasks < MAX_TASKS ? 1 : SLICES;
    for (size_t slice = 0; slice < slices; slice++) {
        job->first_task = n_tasks * slice / slices;
        parallel_for(context->threads, n_tasks / slices, weight_task, job);
        double fraction = 0.2 + 0.4 * (double)(slice + 1) / (double)slices;
        flock_status status = prover_progress(context, FLOCK_PHASE_OPEN, fraction);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    return FLOCK_OK;
}

/* scale * EQ(point) of n coordinates, from the prover's memory; NULL if there is none. */
static gf128 *take_eq_table(struct prover_context *context, const gf128 *point, unsigned n,
                            gf128 scale)
{
    gf128 *table = memory_take(&context->memory, "eq table", (size_t)1 << n, sizeof *table);
    if (table != NULL) {
        eq_table_scaled(table, point, n, scale);
    }
    return table;
}

static bool prepare_claims(struct prover_context *context,
                           const struct opening_reduction *reduction, unsigned log_block,
                           struct weight_job *job)
{
    const struct claims *claims = reduction->claims;
    unsigned log_high = reduction->log_n - log_block;
    for (; job->n_quirky < claims->n_quirky; job->n_quirky++) {
        struct quirky_weight *quirky = &job->quirky[job->n_quirky];
        const gf128 *point = claims->quirky[job->n_quirky].point + 1;
        gf128 images[128];
        kernels()->scale(images, reduction->e[job->n_quirky], reduction->gamma[job->n_quirky], 128);
        prover_kernels()->linear64_prepare(&quirky->map[0], images);
        prover_kernels()->linear64_prepare(&quirky->map[1], images + 64);
        eq_table(quirky->low, point, log_block);
        quirky->high = take_eq_table(context, point + log_block, log_high, GF128_ONE);
        if (quirky->high == NULL) {
            return false;
        }
    }
    for (; job->n_direct < claims->n_direct; job->n_direct++) {
        struct split_table *direct = &job->direct[job->n_direct];
        const gf128 *point = claims->direct[job->n_direct].point;
        sparse_eq_table(direct, point, log_block);
        direct->high = take_eq_table(context, point + log_block, log_high,
                                     reduction->gamma_direct[job->n_direct]);
        if (direct->high == NULL) {
            return false;
        }
    }
    return true;
}

flock_status opening_weight(struct prover_context *context,
                            const struct opening_reduction *reduction, const gf128 *q,
                            gf128 *weight, gf128 first[2])
{
    struct memory *memory = &context->memory;
    struct weight_job *job = memory_take_zeroed(memory, "weight tables", 1, sizeof *job);
    if (job == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    unsigned log_block = reduction->log_n < BLOCK_LOG ? reduction->log_n : BLOCK_LOG;
    if (!prepare_claims(context, reduction, log_block, job)) {
        return FLOCK_ERR_MEMORY;
    }
    size_t n_blocks = (size_t)1 << (reduction->log_n - log_block);
    size_t n_tasks = n_blocks < MAX_TASKS ? n_blocks : MAX_TASKS;
    job->q = q;
    job->weight = weight;
    job->block = (size_t)1 << log_block;
    job->blocks_per_task = n_blocks / n_tasks;
    flock_status status = run_weight(context, job, n_tasks);

    first[0] = first[1] = GF128_ZERO;
    for (size_t task = 0; task < n_tasks; task++) {
        first[0] = gf128_add(first[0], job->sums[task][0]);
        first[1] = gf128_add(first[1], job->sums[task][1]);
    }
    for (unsigned c = 0; c < job->n_quirky; c++) {
        memory_give(memory, job->quirky[c].high);
    }
    for (unsigned c = 0; c < job->n_direct; c++) {
        memory_give(memory, job->direct[c].high);
    }
    memory_give(memory, job);
    return status;
}

/* The partial evaluations to send: given, or computed from q. */
static flock_status find_partials(struct prover_context *context, unsigned log_n, const gf128 *q,
                                  const struct claims *claims,
                                  const struct partial_evaluations *partial,
                                  struct partial_evaluations *out)
{
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        if (partial != NULL) {
            out[k] = partial[k];
            continue;
        }
        flock_status status =
            partial_evaluate(context, &out[k], q, claims->quirky[k].point + 1, log_n);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    return prover_progress(context, FLOCK_PHASE_OPEN, 0.2);
}

flock_status opening_prove(struct prover_context *context, struct transcript *t,
                           const struct pcs_params *params, const gf128 *q, struct oracle *oracle,
                           const struct claims *claims, const struct partial_evaluations *partial,
                           struct opening_proof *proof)
{
    struct opening_reduction reduction;
    gf128 first[2];
    flock_status status =
        find_partials(context, params->log_n, q, claims, partial, proof->ring_switch);
    if (status != FLOCK_OK) {
        return status;
    }
    opening_reduce(t, params->log_n, claims, proof->ring_switch, &reduction);
    gf128 *weight =
        memory_take(&context->memory, "weight", (size_t)1 << params->log_n, sizeof *weight);
    if (weight == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    status = opening_weight(context, &reduction, q, weight, first);
    if (status != FLOCK_OK) {
        return status;
    }
    return ligerito_prove(context, t, params, q, weight, first, reduction.target, oracle,
                          &proof->ligerito);
}
