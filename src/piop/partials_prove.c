#include "piop/partials.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"

enum {
    LOG_MAP = 6, /* elements of a linear map, */
    LOG_BLOCK = 9,
    N_MAPS = 1 << (LOG_BLOCK - LOG_MAP),
    LOG_MIN_BLOCKS = 2,
    MAX_LOG_TASKS = 7
};

/*
 * y = element (9 bits) | block | task; eq_table(point)[y] = weights[element] * middle[block] *
 * top[task], so the products are 128 a block and 128 a task.
 */
struct partial_job {
    const gf128 *q;
    const gf128 *mask;            /* NULL, or q AND mask is meant */
    struct linear64 maps[N_MAPS]; /* of the weights */
    size_t n_elements;            /* of a block */
    size_t n_blocks;              /* of a task */
    gf128 *middle;                /* n_blocks */
    gf128 *top;                   /* one a task */
    gf128 *sums;                  /* 128 a task */
};

static void and_elements(gf128 *out, const gf128 *a, const gf128 *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (gf128){a[i].lo & b[i].lo, a[i].hi & b[i].hi};
    }
}

static void sum_blocks(void *context, size_t task)
{
    const struct partial_job *job = context;
    gf128 total[128] = {{0, 0}};

    for (size_t b = 0; b < job->n_blocks; b++) {
        size_t first = (task * job->n_blocks + b) * job->n_elements;
        const gf128 *block = job->q + first;
        gf128 sums[128] = {{0, 0}}, masked[1 << LOG_BLOCK];
        if (job->mask != NULL) {
            and_elements(masked, block, job->mask + first, job->n_elements);
            block = masked;
        }
        prover_kernels()->linear64_columns(sums, (const uint64_t *)block, 2, 2, job->n_elements,
                                           job->maps);
        kernels()->axpy(total, sums, job->middle[b], 128);
    }
    kernels()->scale(job->sums + 128 * task, total, job->top[task], 128);
}

static flock_status evaluate(struct prover_context *context, struct partial_evaluations *out,
                             const gf128 *q, const gf128 *mask, const gf128 *point, unsigned n)
{
    gf128 weights[1 << LOG_BLOCK] = {{0, 0}}, padded[1 << LOG_MAP] = {{0, 0}};
    unsigned log_element = n < LOG_BLOCK ? n : LOG_BLOCK, log_blocks = n - log_element;
    unsigned log_tasks = log_blocks < LOG_MIN_BLOCKS ? 0 : log_blocks - LOG_MIN_BLOCKS;

    log_tasks = log_tasks > MAX_LOG_TASKS ? MAX_LOG_TASKS : log_tasks;
    size_t n_tasks = (size_t)1 << log_tasks, n_blocks = (size_t)1 << (log_blocks - log_tasks);
    struct partial_job *job = memory_take(&context->memory, "partial evaluations", 1, sizeof *job);
    gf128 *tables = memory_take(&context->memory, "partial evaluations", n_blocks + 129 * n_tasks,
                                sizeof *tables);
    if (job == NULL || tables == NULL) {
        memory_give(&context->memory, job);
        memory_give(&context->memory, tables);
        return FLOCK_ERR_MEMORY;
    }

    job->q = q;
    job->mask = mask;
    job->n_elements = (size_t)1 << log_element;
    if (n < LOG_MAP) {
        and_elements(padded, q, mask != NULL ? mask : q, (size_t)1 << n);
        job->q = padded;
        job->mask = NULL;
        job->n_elements = 1 << LOG_MAP;
    }
    job->n_blocks = n_blocks;
    job->middle = tables;
    job->top = tables + n_blocks;
    job->sums = job->top + n_tasks;
    eq_table(weights, point, log_element);
    eq_table(job->middle, point + log_element, log_blocks - log_tasks);
    eq_table(job->top, point + n - log_tasks, log_tasks);
    for (size_t i = 0; i << LOG_MAP < job->n_elements; i++) {
        prover_kernels()->linear64_prepare(&job->maps[i], weights + (i << LOG_MAP));
    }
    parallel_for(context->threads, n_tasks, sum_blocks, job);

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < 128 * n_tasks; i++) {
        out->s[i % 128] = gf128_add(out->s[i % 128], job->sums[i]);
    }
    memory_give(&context->memory, tables);
    memory_give(&context->memory, job);
    return FLOCK_OK;
}

flock_status partial_evaluate(struct prover_context *context, struct partial_evaluations *out,
                              const gf128 *q, const gf128 *point, unsigned n)
{
    return evaluate(context, out, q, NULL, point, n);
}

flock_status partial_evaluate_and(struct prover_context *context, struct partial_evaluations *out,
                                  const gf128 *a, const gf128 *b, const gf128 *point, unsigned n)
{
    return evaluate(context, out, a, b, point, n);
}
