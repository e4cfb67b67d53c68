#include "piop/lincheck.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"
#include "piop/high_rounds.h"
#include "piop/partials.h"

enum {
    LOG_ROWS = 9, /* instances in a block */
    MAX_ROWS = 1 << LOG_ROWS,
    LOG_MOST_CHUNKS = 9, /* of a range: 1 MiB of accumulators */
    LOG_FEW_CHUNKS = 7,
    MOST_GROUPS = 8,   /* with larger ranges than these */
    LOG_REDUCED = 12,  /* columns of a task that adds up accumulators */
    LOG_LEAST_MAPS = 8 /* maps of all tasks, 8 MiB, that no witness is too small for */
};

/*
 * Z[j] = sum_o eq_table(instance)[o] * z[j, o] (spec 05, 5.5.2), in tasks over a grid: groups of
 * blocks of 512 instances, each with its own accumulator, times ranges of chunks of 128 columns.
 *
 *                 range 0     range 1
 *     group 0   [ task 0   |  task 1  ]  -> accumulators[0], which is Z in the end
 *     group 1   [ task 2   |  task 3  ]  -> accumulators[1]
 *
 * A task prepares the linear maps of a block, one for 64 instances, and applies them to all its
 * columns: a map costs about as much as four words of 64 columns, and a range has up to 1024 words.
 */
struct instance_fold {
    const struct shape *shape;
    const uint64_t *z;
    size_t n_rows;   /* instances in a block */
    size_t n_blocks; /* of all groups */
    size_t n_maps;   /* of a block */
    size_t n_chunks; /* useful ones */
    size_t n_groups, n_ranges;
    gf128 low[MAX_ROWS];   /* eq_table of the low instance bits */
    gf128 *high;           /* and of the others: one weight a block */
    struct linear64 *maps; /* scratch: n_maps a task */
    gf128 *accumulators;   /* n_groups times 2^k_log */
    /* The walk through the circuit is a task of its own. */
    const struct circuit *circuit;
    gf128 skip;
    const struct lincheck_point *point;
    gf128 *comb; /* 2^k_log elements, and as many of scratch */
};

/* Add the block of instances from `first` on to the columns of chunks `begin` .. `end`-1. */
static void fold_block(const struct instance_fold *job, gf128 *sums, size_t first, size_t begin,
                       size_t end, const struct linear64 *maps)
{
    const struct shape *shape = job->shape;

    if (shape->k_log == SKIP_LOG) { /* a row is half a chunk */
        prover_kernels()->linear64_columns(sums, job->z + first, NULL, 1, 1, job->n_rows, maps);
        return;
    }
    size_t stride = 2 * element_index(shape, 1, 0);
    /* Chunks side by side in memory go in one run. */
    size_t run = element_index(shape, 0, 1) == 1 ? end - begin : 1;
    for (size_t c = begin; c < end; c += run) {
        prover_kernels()->linear64_columns(sums + 128 * c,
                                           job->z + 2 * element_index(shape, first, c), NULL,
                                           stride, 2 * run, job->n_rows, maps);
    }
}

static void fold_part(const struct instance_fold *job, size_t task)
{
    size_t group = task / job->n_ranges, range = task % job->n_ranges;
    size_t begin = job->n_chunks * range / job->n_ranges;
    size_t end = job->n_chunks * (range + 1) / job->n_ranges;
    size_t last = job->n_blocks * (group + 1) / job->n_groups;
    gf128 *sums = job->accumulators + (group << job->shape->k_log);
    size_t n_columns = (size_t)1 << job->shape->k_log;
    size_t zero_end = range + 1 == job->n_ranges ? n_columns : 128 * end;

    struct linear64 *maps = job->maps + job->n_maps * task;
    memset(sums + 128 * begin, 0, (zero_end - 128 * begin) * sizeof *sums);
    for (size_t b = job->n_blocks * group / job->n_groups; b < last; b++) {
        gf128 weights[MAX_ROWS];
        kernels()->scale(weights, job->low, job->high[b], MAX_ROWS);
        for (size_t i = 0; 64 * i < job->n_rows; i++) {
            prover_kernels()->linear64_prepare(&maps[i], weights + 64 * i);
        }
        fold_block(job, sums, b * job->n_rows, begin, end, maps);
    }
}

/* Task 0 is comb, task i + 1 the part i of the grid. */
static void run_task(void *context, size_t i)
{
    const struct instance_fold *job = context;
    if (i == 0) {
        lincheck_columns(job->circuit, job->skip, job->point, job->comb,
                         job->comb + ((size_t)1 << job->shape->k_log));
    } else {
        fold_part(job, i - 1);
    }
}

/* Add the other groups' accumulators to the first, 2^LOG_REDUCED columns or all. */
static void reduce_columns(void *context, size_t task)
{
    const struct instance_fold *job = context;
    size_t n_columns = (size_t)1 << job->shape->k_log, begin = task << LOG_REDUCED;
    size_t end = begin + ((size_t)1 << LOG_REDUCED);

    for (size_t j = begin; j < end && j < n_columns; j++) {
        for (size_t g = 1; g < job->n_groups; g++) {
            job->accumulators[j] =
                gf128_add(job->accumulators[j], job->accumulators[g * n_columns + j]);
        }
    }
}

/*
 * Enough tasks for all threads, accumulators in cache; no matter for the result. Large ranges are
 * long runs in memory, but many groups, each with accumulators for all columns. More tasks than
 * that are not worth it whose maps take 8 MiB and half of what the witness takes: that many threads
 * have little to do each.
 */
static void choose_grid(struct instance_fold *job, unsigned threads)
{
    size_t wanted = threads > 1 ? 2 * (size_t)threads : 1;
    size_t half_witness = ((size_t)1 << (shape_log_bits(job->shape) - 4)) / sizeof *job->maps;
    size_t most_maps = half_witness >> LOG_LEAST_MAPS != 0 ? half_witness : 1 << LOG_LEAST_MAPS;

    wanted = wanted < most_maps / job->n_maps ? wanted : most_maps / job->n_maps;
    unsigned log_chunks = LOG_MOST_CHUNKS + 1;
    do {
        log_chunks--;
        job->n_ranges = (job->n_chunks + ((size_t)1 << log_chunks) - 1) >> log_chunks;
        job->n_groups = (wanted + job->n_ranges - 1) / job->n_ranges;
    } while (job->n_groups > MOST_GROUPS && log_chunks > LOG_FEW_CHUNKS);
    if (job->n_groups > job->n_blocks) {
        job->n_groups = job->n_blocks;
        size_t n_ranges = (wanted + job->n_groups - 1) / job->n_groups;
        job->n_ranges = n_ranges > job->n_ranges ? n_ranges : job->n_ranges;
        job->n_ranges = job->n_ranges > job->n_chunks ? job->n_chunks : job->n_ranges;
    }
}

/* comb, and Z in job->accumulators, which is the caller's to give back in any case. */
static flock_status fold_instances(struct prover_context *context, struct instance_fold *job)
{
    struct memory *memory = &context->memory;
    const struct shape *shape = job->shape;
    unsigned log_rows = shape->n_log < LOG_ROWS ? shape->n_log : LOG_ROWS;

    job->n_rows = (size_t)1 << log_rows;
    job->n_blocks = (size_t)1 << (shape->n_log - log_rows);
    job->n_maps = (job->n_rows + 63) / 64;
    job->n_chunks = ((size_t)job->circuit->useful_bits + 127) / 128;
    choose_grid(job, context->threads);
    size_t n_tasks = job->n_groups * job->n_ranges;
    job->high = memory_take(memory, "lincheck eq table", job->n_blocks, sizeof *job->high);
    job->maps = memory_take(memory, "lincheck maps", job->n_maps * n_tasks, sizeof *job->maps);
    job->accumulators = memory_take(memory, "lincheck accumulators", job->n_groups << shape->k_log,
                                    sizeof *job->accumulators);
    flock_status status = FLOCK_ERR_MEMORY;
    if (job->high != NULL && job->maps != NULL && job->accumulators != NULL) {
        eq_table(job->low, job->point->instance, log_rows);
        eq_table(job->high, job->point->instance + log_rows, shape->n_log - log_rows);
        parallel_for(context->threads, n_tasks + 1, run_task, job);
        if (job->n_groups > 1) {
            size_t n_pieces = ((size_t)1 << shape->k_log) + (1 << LOG_REDUCED) - 1;
            parallel_for(context->threads, n_pieces >> LOG_REDUCED, reduce_columns, job);
        }
        status = FLOCK_OK;
    }
    memory_give(memory, job->maps);
    memory_give(memory, job->high);
    return status;
}

/* Elements of the folded Z that are the columns of partial evaluations. */
enum { LOG_PARTIALS = 7 + LOG_COLUMNS };

/* Columns are chunks. */
static bool rounds_leave_partials(const struct shape *shape)
{
    return shape->layout == FLOCK_ROW_MAJOR && shape->k_log >= LOG_PARTIALS;
}

/*
 * The rounds. After the challenges of inner bits 10.. the folded Z has the partial evaluations of
 * the claim ab: entry v + 128 x is sum_k eq_table(t_in[4..])[k] Z[v + 128 x + 1024 k] (spec 04,
 * 13).
 */
static void run_rounds(struct prover_context *context, struct transcript *t,
                       const struct shape *shape, gf128 *comb, gf128 *Z,
                       struct lincheck_proof *proof, gf128 *tau, struct column_partials *partial_ab)
{
    gf128 *const tables[2] = {comb, Z};
    for (unsigned i = 0; i < shape->k_log - SKIP_LOG; i++) {
        size_t half = (size_t)1 << (shape->k_log - 1 - i);
        if (rounds_leave_partials(shape) && 2 * half == 1 << LOG_PARTIALS) {
            memcpy(partial_ab->s, Z, sizeof partial_ab->s);
        }
        gf128 *message = proof->rounds[i];
        high_message(context, message, comb, Z, half);
        transcript_scalar(t, message[0]);
        transcript_scalar(t, message[1]);
        tau[i] = transcript_sample(t);
        high_fold(context, tables, 2, half, tau[i]);
    }
    memcpy(proof->z_partial, Z, sizeof proof->z_partial);
}

flock_status lincheck_prove(struct prover_context *context, struct transcript *t,
                            const struct circuit *circuit, const struct shape *shape,
                            const uint64_t *z, const struct zerocheck_result *in,
                            struct lincheck_proof *proof, struct quirky_claim *claim_ab,
                            struct column_partials *partial_ab)
{
    struct memory *memory = &context->memory;
    struct lincheck_point point;
    gf128 tau[MAX_K_LOG - 6];

    if (shape->n_log < 3 || shape->k_log != circuit->k_log || shape->k_log < SKIP_LOG ||
        shape->k_log > MAX_K_LOG || shape_log_bits(shape) > MAX_LOG_BITS) {
        return FLOCK_ERR_ARGUMENT;
    }
    gf128 *comb = memory_take(memory, "lincheck columns", (size_t)2 << shape->k_log, sizeof *comb);
    if (comb == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    lincheck_begin(t, circuit, shape, in, &point);
    struct instance_fold job = {
        .shape = shape,
        .z = z,
        .circuit = circuit,
        .skip = in->z,
        .point = &point,
        .comb = comb,
    };
    flock_status status = fold_instances(context, &job);
    if (status == FLOCK_OK) {
        status = prover_progress(context, FLOCK_PHASE_LINCHECK, 0.9);
    }
    if (status == FLOCK_OK) {
        prover_part(context, "rounds");
        run_rounds(context, t, shape, comb, job.accumulators, proof, tau, partial_ab);
        lincheck_end(t, shape, proof->z_partial, tau, point.instance, claim_ab);
        if (!rounds_leave_partials(shape)) {
            prover_part(context, "partial evaluation");
            status = partial_evaluate(context, partial_ab, (const gf128 *)z, claim_ab->point + 1,
                                      shape_log_bits(shape) - 7);
        }
    }
    memory_give(memory, job.accumulators);
    memory_give(memory, comb);
    return status;
}
