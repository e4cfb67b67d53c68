#include "piop/partials.h"

#include <string.h>

#include "backend/masked_rows.h"
#include "base/prover_context.h"
#include "field/multilinear.h"

enum {
    MAP_ROWS = 64,
    MAX_ROWS = 1 << LOG_PARTIAL_ROWS,
    ROW_WORDS = 2 * N_COLUMNS,
    N_SUMS = 128 * N_COLUMNS
};

/* ---- a block ---- */

void partial_rows_prepare(struct partial_rows *rows, const gf128 *point, unsigned log_rows)
{
    gf128 weights[MAX_ROWS] = {{0, 0}};

    rows->n_rows = (size_t)1 << log_rows;
    eq_table(weights, point, log_rows);
    for (size_t i = 0; i == 0 || i * MAP_ROWS < rows->n_rows; i++) {
        prover_kernels()->linear64_prepare(&rows->maps[i], weights + i * MAP_ROWS);
    }
}

/* Fewer rows than those of a map are filled up with rows of weight 0. */
static void add_few_rows(gf128 *sums, const struct partial_rows *rows, const uint64_t *q,
                         const uint64_t *mask)
{
    uint64_t words[MAP_ROWS * ROW_WORDS] = {0};

    copy_rows(words, (struct masked_rows){q, mask, ROW_WORDS}, ROW_WORDS, rows->n_rows);
    prover_kernels()->linear64_columns(sums, words, NULL, ROW_WORDS, ROW_WORDS, MAP_ROWS,
                                       rows->maps);
}

void partial_rows_add(const struct partial_rows *rows, struct column_partials *sums, const gf128 *q,
                      const gf128 *mask, gf128 weight)
{
    gf128 block[N_SUMS] = {{0, 0}};

    if (rows->n_rows < MAP_ROWS) {
        add_few_rows(block, rows, (const uint64_t *)q, (const uint64_t *)mask);
    } else {
        prover_kernels()->linear64_columns(block, (const uint64_t *)q, (const uint64_t *)mask,
                                           ROW_WORDS, ROW_WORDS, rows->n_rows, rows->maps);
    }
    for (size_t x = 0; x < N_COLUMNS; x++) {
        kernels()->axpy(sums->s[x], block + 128 * x, weight, 128);
    }
}

void partial_total(struct column_partials *out, const struct column_partials *sums, size_t n)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n * N_SUMS; i++) {
        gf128 *sum = &out->s[i / 128 % N_COLUMNS][i % 128];
        *sum = gf128_add(*sum, sums[i / N_SUMS].s[i / 128 % N_COLUMNS][i % 128]);
    }
}

/* ---- the whole ---- */

struct partial_job {
    struct partial_rows rows;
    const gf128 *q;
    gf128 *high;                  /* the weight of each block */
    struct column_partials *sums; /* of each thread */
};

static void sum_block(void *context, size_t i)
{
    const struct partial_job *job = context;
    size_t first = i * job->rows.n_rows * N_COLUMNS;

    partial_rows_add(&job->rows, &job->sums[parallel_thread()], job->q + first, NULL, job->high[i]);
}

flock_status partial_evaluate(struct prover_context *context, struct column_partials *out,
                              const gf128 *q, const gf128 *point, unsigned n)
{
    struct memory *memory = &context->memory;

    if (n < LOG_COLUMNS) {
        return FLOCK_ERR_ARGUMENT;
    }
    point += LOG_COLUMNS;
    n -= LOG_COLUMNS;
    unsigned log_rows = n < LOG_PARTIAL_ROWS ? n : LOG_PARTIAL_ROWS;
    size_t n_blocks = (size_t)1 << (n - log_rows),
           n_sums = parallel_team(context->threads, n_blocks);
    struct partial_job *job = memory_take(memory, "partial evaluations", 1, sizeof *job);
    gf128 *high = memory_take(memory, "partial evaluations", n_blocks, sizeof *high);
    struct column_partials *sums = memory_take_zeroed(memory, "partial sums", n_sums, sizeof *sums);
    flock_status status = FLOCK_ERR_MEMORY;
    if (job != NULL && high != NULL && sums != NULL) {
        job->q = q;
        job->high = high;
        job->sums = sums;
        partial_rows_prepare(&job->rows, point, log_rows);
        eq_table(high, point + log_rows, n - log_rows);
        parallel_for(context->threads, n_blocks, sum_block, job);
        partial_total(out, sums, n_sums);
        status = FLOCK_OK;
    }
    memory_give(memory, sums);
    memory_give(memory, high);
    memory_give(memory, job);
    return status;
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
