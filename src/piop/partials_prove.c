#include "piop/partials.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"

enum {
    LOG_MAP = 6, /* rows of a linear map, */
    LOG_ROWS = 9,
    MAX_ROWS = 1 << LOG_ROWS,
    N_MAPS = MAX_ROWS >> LOG_MAP,
    ROW_WORDS = 2 * N_COLUMNS,
    N_SUMS = 128 * N_COLUMNS,
    LOG_LEAST_BLOCKS = 3, /* of a task: its sums are 1/32 of what it reads */
    MAX_LOG_TASKS = 7
};

/*
 * Index y of a row = row of a block (9 bits) | block of a task | task, and its weight is low[row]
 * middle[block] top[task]: so the products are N_SUMS a block and N_SUMS a task.
 */
struct partial_job {
    const gf128 *q;
    const gf128 *mask;            /* q AND mask is meant; may be q */
    struct linear64 maps[N_MAPS]; /* of the weights low */
    size_t n_rows;                /* of a block */
    size_t n_blocks;              /* of a task */
    gf128 *middle;                /* n_blocks */
    gf128 *top;                   /* one a task */
    struct column_partials *sums; /* one a task */
};

static void and_elements(gf128 *out, const gf128 *a, const gf128 *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (gf128){a[i].lo & b[i].lo, a[i].hi & b[i].hi};
    }
}

/* sums[128 x + v] of the rows of a block, of which there are 2^LOG_MAP at least, if of weight 0. */
static void sum_block(const struct partial_job *job, size_t block, gf128 sums[N_SUMS])
{
    gf128 rows[MAX_ROWS * N_COLUMNS];
    size_t n = job->n_rows * N_COLUMNS, padded = N_COLUMNS << LOG_MAP;

    and_elements(rows, job->q + block * n, job->mask + block * n, n);
    if (n < padded) {
        memset(rows + n, 0, (padded - n) * sizeof *rows);
        n = padded;
    }
    memset(sums, 0, N_SUMS * sizeof *sums);
    prover_kernels()->linear64_columns(sums, (const uint64_t *)rows, ROW_WORDS, ROW_WORDS,
                                       n / N_COLUMNS, job->maps);
}

static void sum_blocks(void *context, size_t task)
{
    const struct partial_job *job = context;
    gf128 *total = &job->sums[task].s[0][0], sums[N_SUMS];

    memset(total, 0, N_SUMS * sizeof *total);
    for (size_t b = 0; b < job->n_blocks; b++) {
        sum_block(job, task * job->n_blocks + b, sums);
        kernels()->axpy(total, sums, job->middle[b], N_SUMS);
    }
    kernels()->scale(total, total, job->top[task], N_SUMS);
}

static void prepare_maps(struct partial_job *job, const gf128 *point, unsigned log_rows)
{
    gf128 weights[MAX_ROWS] = {{0, 0}};

    eq_table(weights, point, log_rows);
    for (size_t i = 0; i == 0 || i << LOG_MAP < job->n_rows; i++) {
        prover_kernels()->linear64_prepare(&job->maps[i], weights + (i << LOG_MAP));
    }
}

static unsigned at_most(unsigned value, unsigned bound)
{
    return value < bound ? value : bound;
}

flock_status partial_evaluate_and(struct prover_context *context, struct column_partials *out,
                                  const gf128 *a, const gf128 *b, const gf128 *point, unsigned n)
{
    struct memory *memory = &context->memory;

    if (n < LOG_COLUMNS) {
        return FLOCK_ERR_ARGUMENT;
    }
    point += LOG_COLUMNS;
    n -= LOG_COLUMNS;
    unsigned log_rows = at_most(n, LOG_ROWS), log_blocks = n - log_rows;
    unsigned log_tasks =
        log_blocks < LOG_LEAST_BLOCKS ? 0 : at_most(log_blocks - LOG_LEAST_BLOCKS, MAX_LOG_TASKS);
    size_t n_tasks = (size_t)1 << log_tasks, n_blocks = (size_t)1 << (log_blocks - log_tasks);

    struct partial_job *job = memory_take(memory, "partial evaluations", 1, sizeof *job);
    gf128 *weights =
        memory_take(memory, "partial evaluations", n_blocks + n_tasks, sizeof *weights);
    struct column_partials *sums = memory_take(memory, "partial sums", n_tasks, sizeof *sums);
    flock_status status = FLOCK_ERR_MEMORY;
    if (job != NULL && weights != NULL && sums != NULL) {
        job->q = a;
        job->mask = b;
        job->n_rows = (size_t)1 << log_rows;
        job->n_blocks = n_blocks;
        job->middle = weights;
        job->top = weights + n_blocks;
        job->sums = sums;
        prepare_maps(job, point, log_rows);
        eq_table(job->middle, point + log_rows, log_blocks - log_tasks);
        eq_table(job->top, point + n - log_tasks, log_tasks);
        parallel_for(context->threads, n_tasks, sum_blocks, job);

        *out = sums[0];
        for (size_t task = 1; task < n_tasks; task++) {
            for (size_t i = 0; i < N_SUMS; i++) {
                gf128 *sum = &out->s[i / 128][i % 128];
                *sum = gf128_add(*sum, sums[task].s[i / 128][i % 128]);
            }
        }
        status = FLOCK_OK;
    }
    memory_give(memory, sums);
    memory_give(memory, weights);
    memory_give(memory, job);
    return status;
}

flock_status partial_evaluate(struct prover_context *context, struct column_partials *out,
                              const gf128 *q, const gf128 *point, unsigned n)
{
    return partial_evaluate_and(context, out, q, q, point, n);
}

void partial_sum(struct partial_evaluations *out, const struct column_partials *columns,
                 const gf128 *point)
{
    gf128 weights[N_COLUMNS];

    eq_table(weights, point, LOG_COLUMNS);
    memset(out, 0, sizeof *out);
    for (size_t x = 0; x < N_COLUMNS; x++) {
        kernels()->axpy(out->s, columns->s[x], weights[x], 128);
    }
}
