#include "pcs/ligerito.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "code/additive_ntt.h"
#include "field/multilinear.h"

enum {
    CHUNK_LOG = 10, /* elements that one step of a pass works on: two arrays fit the L1 cache */
    CHUNK = 1 << CHUNK_LOG,
    MAX_TASKS = 512,
    SLICES = 8,            /* reports of progress in the longest pass */
    MIN_PARALLEL = 1 << 12 /* elements below which one thread is faster */
};

/*
 * A pass over 2^log_n elements in chunks of 2^log_chunk, an equal number of chunks to each task.
 * Sums of the tasks are added up at the end.
 */
struct pass {
    unsigned log_chunk;
    size_t n_tasks, chunks_per_task;
    gf128 sums[MAX_TASKS][3];
};

static void pass_init(struct pass *pass, unsigned log_n)
{
    pass->log_chunk = log_n < CHUNK_LOG ? log_n : CHUNK_LOG;
    size_t n_chunks = (size_t)1 << (log_n - pass->log_chunk);
    pass->n_tasks = n_chunks < MAX_TASKS ? n_chunks : MAX_TASKS;
    pass->chunks_per_task = n_chunks / pass->n_tasks;
}

/* n: elements that the pass touches of each array */
static void pass_run(struct prover_context *context, const struct pass *pass, size_t n,
                     void (*task)(void *job, size_t i), void *job)
{
    parallel_for(n < MIN_PARALLEL ? 1 : context->threads, pass->n_tasks, task, job);
}

static void pass_sum(const struct pass *pass, gf128 *sums, int n_sums)
{
    for (int s = 0; s < n_sums; s++) {
        sums[s] = GF128_ZERO;
        for (size_t task = 0; task < pass->n_tasks; task++) {
            sums[s] = gf128_add(sums[s], pass->sums[task][s]);
        }
    }
}

/* ---- messages of two arrays ---- */

struct message_job {
    struct pass pass;
    const gf128 *f, *w;
};

static void message_task(void *argument, size_t task)
{
    struct message_job *job = argument;
    struct pass *pass = &job->pass;
    size_t n = pass->chunks_per_task << pass->log_chunk, first = task * n;
    gf128 sums[2] = {GF128_ZERO, GF128_ZERO};
    prover_kernels()->product_message_low(sums, job->f + first, job->w + first, n / 2);
    memcpy(pass->sums[task], sums, sizeof sums);
}

void product_message(struct prover_context *context, gf128 message[2], const gf128 *f,
                     const gf128 *w, unsigned log_n)
{
    struct message_job job = {.f = f, .w = w};
    pass_init(&job.pass, log_n);
    pass_run(context, &job.pass, (size_t)1 << log_n, message_task, &job);
    pass_sum(&job.pass, message, 2);
}

struct axpy_job {
    struct pass pass;
    gf128 *dst;
    const gf128 *src;
    gf128 factor;
};

static void axpy_task(void *argument, size_t task)
{
    struct axpy_job *job = argument;
    size_t n = job->pass.chunks_per_task << job->pass.log_chunk, first = task * n;
    kernels()->axpy(job->dst + first, job->src + first, job->factor, n);
}

/* dst += factor * src, 2^log_n elements */
static void add_scaled(struct prover_context *context, gf128 *dst, const gf128 *src, gf128 factor,
                       unsigned log_n)
{
    struct axpy_job job = {.dst = dst, .src = src, .factor = factor};
    pass_init(&job.pass, log_n);
    pass_run(context, &job.pass, (size_t)1 << log_n, axpy_task, &job);
}

/* ---- the folds of a level ---- */

/*
 * A level's folds run inside the memory of w: each chunk holds, after the first fold (or, at level
 * 0, from the beginning),
 *
 *     work:   | w' (half a chunk) | f' (half a chunk) | w' | f' | ...
 *
 * and every further fold halves what is live in each half. So no fold takes memory, and what it
 * writes has just been read. 6 multiplications for 4 elements of each array, 2 of them for the
 * next message.
 */
struct fold_job {
    struct pass pass;
    const gf128 *f; /* before the first fold; NULL afterwards: f is in work */
    gf128 *work;
    gf128 r;
    size_t live; /* elements of each array in each chunk before the fold */
};

static void fold_task(void *argument, size_t task)
{
    struct fold_job *job = argument;
    struct pass *pass = &job->pass;
    gf128 f_out[CHUNK / 2], w_out[CHUNK / 2];
    gf128 sums[2] = {GF128_ZERO, GF128_ZERO};
    size_t half = (size_t)1 << (pass->log_chunk - 1);
    for (size_t c = task * pass->chunks_per_task; c < (task + 1) * pass->chunks_per_task; c++) {
        gf128 *chunk = job->work + (c << pass->log_chunk);
        const gf128 *f = job->f != NULL ? job->f + (c << pass->log_chunk) : chunk + half;
        prover_kernels()->product_fold_message_low(sums, f_out, w_out, f, chunk, job->r,
                                                   job->live / 4);
        memcpy(chunk, w_out, job->live / 2 * sizeof *chunk);
        memcpy(chunk + half, f_out, job->live / 2 * sizeof *chunk);
    }
    memcpy(pass->sums[task], sums, sizeof sums);
}

/* ---- the prover's state ---- */

struct prover {
    struct prover_context *context;
    struct transcript *t;
    const struct pcs_params *params;
    struct ligerito_proof *proof;
    unsigned n_messages, n_ood, n_fold_nonces;

    const gf128 *f; /* current polynomial, 2^log_n elements */
    gf128 *owned_f; /* the same, or NULL for the caller's */
    gf128 *w;       /* current weight; NULL before the folds of level 0 */
    unsigned log_n;
    gf128 sigma[MAX_LOG_LANES];
};

static void send_message(struct prover *p, const gf128 message[2])
{
    gf128 *slot = p->proof->messages[p->n_messages++];
    slot[0] = message[0];
    slot[1] = message[1];
    transcript_scalar(p->t, message[0]);
    transcript_scalar(p->t, message[1]);
}

/* Progress of the opening: the folds of all rows are done, which are most of it. */
static flock_status report_fold(struct prover *p, unsigned i, unsigned j)
{
    double fraction =
        i == 0 ? 0.7 + 0.2 * (j + 1) / p->params->level[0].k : 0.9 + 0.1 * i / (p->params->R + 1);
    return prover_progress(p->context, FLOCK_PHASE_OPEN, fraction);
}

struct gather_job {
    const struct fold_job *fold;
    gf128 *f, *w;
};

static void gather_task(void *argument, size_t task)
{
    struct gather_job *job = argument;
    const struct pass *pass = &job->fold->pass;
    size_t live = job->fold->live, half = (size_t)1 << (pass->log_chunk - 1);
    for (size_t c = task * pass->chunks_per_task; c < (task + 1) * pass->chunks_per_task; c++) {
        const gf128 *chunk = job->fold->work + (c << pass->log_chunk);
        memcpy(job->w + c * live, chunk, live * sizeof *chunk);
        memcpy(job->f + c * live, chunk + half, live * sizeof *chunk);
    }
}

/* After the folds: f and w into arrays of their own, everything larger is given back. */
static flock_status gather(struct prover *p, const struct fold_job *fold)
{
    struct memory *memory = &p->context->memory;
    size_t n = (size_t)1 << p->log_n;
    struct gather_job job = {.fold = fold};
    job.f = memory_take(memory, "folded polynomial", n, sizeof(gf128));
    job.w = memory_take(memory, "folded weight", n, sizeof(gf128));
    if (job.f == NULL || job.w == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    pass_run(p->context, &fold->pass, n, gather_task, &job);
    memory_give(memory, p->owned_f);
    memory_give(memory, p->w);
    p->f = p->owned_f = job.f;
    p->w = job.w;
    return FLOCK_OK;
}

/* F1 for fold j of level i. */
static gf128 draw_challenge(struct prover *p, unsigned i, unsigned j)
{
    unsigned bits = fold_grinding_bits(&p->params->level[i], j);
    if (bits > 0) {
        p->proof->fold_nonces[p->n_fold_nonces++] = transcript_grind(p->t, bits, p->context);
    }
    p->log_n--;
    return p->sigma[j] = transcript_sample(p->t);
}

/* ---- the first three folds of level 0 ---- */

/* The message (spec 03, 3.4.1) of arrays with these products of their n columns. */
static void products_message(gf128 message[2], gf128 (*products)[N_COLUMNS], size_t n)
{
    message[0] = message[1] = GF128_ZERO;
    for (size_t x = 0; x < n; x += 2) {
        const gf128 *even = products[x] + x, *odd = products[x + 1] + x;
        message[0] = gf128_add(message[0], even[0]);
        message[1] = gf128_add(message[1],
                               gf128_add(gf128_add(even[0], even[1]), gf128_add(odd[0], odd[1])));
    }
}

static gf128 fold_pair(gf128 even, gf128 odd, gf128 r)
{
    return gf128_add(even, gf128_mul(r, gf128_add(even, odd)));
}

/* Columns 2x and 2x + 1 of both arrays become a column. */
static void bind_products(gf128 (*products)[N_COLUMNS], size_t n, gf128 r)
{
    for (size_t x = 0; x < n; x++) {
        for (size_t y = 0; y < n / 2; y++) {
            products[x][y] = fold_pair(products[x][2 * y], products[x][2 * y + 1], r);
        }
    }
    for (size_t x = 0; x < n / 2; x++) {
        for (size_t y = 0; y < n / 2; y++) {
            products[x][y] = fold_pair(products[2 * x][y], products[2 * x + 1][y], r);
        }
    }
}

/* Makes the memory of fold_job from f and the weight. */
struct rows_job {
    struct fold_job *fold;
    const struct prover_weight *weight;
    gf128 e[N_COLUMNS]; /* eq table of the challenges */
    size_t first_task;
};

/* While the weight of a block is made, the rows of the next one come from memory. */
static void rows_task(void *argument, size_t index)
{
    struct rows_job *job = argument;
    size_t task = job->first_task + index;
    struct fold_job *fold = job->fold;
    struct pass *pass = &fold->pass;
    gf128 sums[2] = {GF128_ZERO, GF128_ZERO};
    size_t n = fold->live, n_block = n < WEIGHT_BLOCK ? n : WEIGHT_BLOCK;
    for (size_t c = task * pass->chunks_per_task; c < (task + 1) * pass->chunks_per_task; c++) {
        gf128 *w = fold->work + (c << pass->log_chunk), *f = w + n;
        for (size_t i = 0; i < n; i += n_block) {
            const gf128 *rows = fold->f + N_COLUMNS * (n * c + i);
            job->weight->make(job->weight->context, (n * c + i) / n_block, w + i,
                              rows + N_COLUMNS * n_block);
            prover_kernels()->fold_low8(f + i, rows, job->e, n_block);
        }
        prover_kernels()->product_message_low(sums, f, w, n / 2);
    }
    memcpy(pass->sums[task], sums, sizeof sums);
}

/* The polynomial and the weight with three variables bound, in the memory of the later folds. */
static flock_status fold_all_rows(struct prover *p, const struct prover_weight *weight,
                                  struct fold_job *fold)
{
    unsigned log_work = p->log_n + 1; /* both arrays */
    p->w = memory_take(&p->context->memory, "folded weight and polynomial", (size_t)1 << log_work,
                       sizeof *p->w);
    if (p->w == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    *fold = (struct fold_job){.f = p->f, .work = p->w};
    pass_init(&fold->pass, log_work);
    fold->live = (size_t)1 << (fold->pass.log_chunk - 1);
    struct rows_job job = {.fold = fold, .weight = weight};
    eq_table(job.e, p->sigma, LOG_COLUMNS);
    weight->bind(weight->context, p->sigma);
    size_t n_tasks = fold->pass.n_tasks, slices = n_tasks < MAX_TASKS ? 1 : SLICES;
    unsigned threads = (size_t)N_COLUMNS << p->log_n < MIN_PARALLEL ? 1 : p->context->threads;
    for (size_t slice = 0; slice < slices; slice++) {
        job.first_task = n_tasks / slices * slice;
        parallel_for(threads, n_tasks / slices, rows_task, &job);
        flock_status status =
            prover_progress(p->context, FLOCK_PHASE_OPEN, 0.2 + 0.5 * (double)(slice + 1) / slices);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    fold->f = NULL;
    return FLOCK_OK;
}

static flock_status fold_first_level(struct prover *p, const struct prover_weight *weight,
                                     struct fold_job *fold)
{
    gf128 products[N_COLUMNS][N_COLUMNS], message[2];
    memcpy(products, weight->products, sizeof products);
    for (unsigned j = 0; j < LOG_COLUMNS; j++) {
        size_t n = (size_t)N_COLUMNS >> j;
        products_message(message, products, n);
        send_message(p, message);
        bind_products(products, n, draw_challenge(p, 0, j));
    }
    flock_status status = fold_all_rows(p, weight, fold);
    if (status == FLOCK_OK) {
        pass_sum(&fold->pass, message, 2);
        send_message(p, message);
    }
    return status;
}

/* ---- all folds of a level ---- */

/* F1 to F3 for all folds of level i. weight: of level 0, whose first message is sent, too. */
static flock_status fold_level(struct prover *p, unsigned i, const struct prover_weight *weight)
{
    struct fold_job job = {.f = p->f, .work = p->w};
    unsigned first = 0;
    prover_part(p->context, "folds");
    if (i == 0) {
        flock_status status = fold_first_level(p, weight, &job);
        if (status != FLOCK_OK) {
            return status;
        }
        first = LOG_COLUMNS;
    } else {
        pass_init(&job.pass, p->log_n);
        job.live = (size_t)1 << job.pass.log_chunk;
    }
    for (unsigned j = first; j < p->params->level[i].k; j++) {
        gf128 message[2];
        job.r = draw_challenge(p, i, j);
        pass_run(p->context, &job.pass, (size_t)2 << p->log_n, fold_task, &job);
        job.f = NULL;
        job.live /= 2;
        pass_sum(&job.pass, message, 2);
        send_message(p, message);
        flock_status status = report_fold(p, i, j);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    return gather(p, &job);
}

/* ---- out-of-domain samples ---- */

/* eq_table(z) = high (x) low, low one chunk long; never stored in full. */
struct ood_job {
    struct pass pass;
    const gf128 *f;
    gf128 *w;
    const gf128 *low, *high;
    gf128 beta;
};

/* The message of (f, eq) and sum f eq. */
static void ood_message_task(void *argument, size_t task)
{
    struct ood_job *job = argument;
    struct pass *pass = &job->pass;
    size_t n = (size_t)1 << pass->log_chunk;
    gf128 eq[CHUNK];
    gf128 sums[3] = {GF128_ZERO, GF128_ZERO, GF128_ZERO};
    for (size_t c = task * pass->chunks_per_task; c < (task + 1) * pass->chunks_per_task; c++) {
        const gf128 *f = job->f + c * n;
        kernels()->scale(eq, job->low, job->high[c], n);
        prover_kernels()->product_message_low(sums, f, eq, n / 2);
        sums[2] = gf128_add(sums[2], kernels()->dot(f, eq, n));
    }
    memcpy(pass->sums[task], sums, sizeof sums);
}

static void ood_glue_task(void *argument, size_t task)
{
    struct ood_job *job = argument;
    struct pass *pass = &job->pass;
    size_t n = (size_t)1 << pass->log_chunk;
    for (size_t c = task * pass->chunks_per_task; c < (task + 1) * pass->chunks_per_task; c++) {
        kernels()->axpy(job->w + c * n, job->low, gf128_mul(job->beta, job->high[c]), n);
    }
}

/* O1 to O3 */
static flock_status sample_out_of_domain(struct prover *p)
{
    gf128 z[MAX_LOG_ELEMENTS], low[CHUNK];
    transcript_sample_vec(p->t, z, p->log_n);
    struct ood_job job = {.f = p->f, .w = p->w, .low = low};
    pass_init(&job.pass, p->log_n);
    unsigned log_high = p->log_n - job.pass.log_chunk;
    gf128 *high =
        memory_take(&p->context->memory, "eq table", (size_t)1 << log_high, sizeof(gf128));
    if (high == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    eq_table(low, z, job.pass.log_chunk);
    eq_table(high, z + job.pass.log_chunk, log_high);
    job.high = high;

    gf128 sums[3];
    pass_run(p->context, &job.pass, (size_t)1 << p->log_n, ood_message_task, &job);
    pass_sum(&job.pass, sums, 3);
    p->proof->ood_values[p->n_ood++] = sums[2];
    transcript_scalar(p->t, sums[2]);
    send_message(p, sums);
    job.beta = transcript_sample(p->t);
    pass_run(p->context, &job.pass, (size_t)1 << p->log_n, ood_glue_task, &job);
    memory_give(&p->context->memory, high);
    return FLOCK_OK;
}

/* C1 and the samples: the folded polynomial becomes level i + 1. */
static flock_status commit_next(struct prover *p, unsigned i, struct oracle *next)
{
    const struct level_params *level = &p->params->level[i + 1];
    flock_status status = oracle_commit(p->context, next, p->f, level);
    if (status != FLOCK_OK) {
        return status;
    }
    memcpy(p->proof->roots[i + 1], tree_root(&next->tree), 32);
    transcript_bytes(p->t, p->proof->roots[i + 1], 32);
    prover_part(p->context, "out-of-domain samples");
    for (unsigned s = 0; s < level->s && status == FLOCK_OK; s++) {
        status = sample_out_of_domain(p);
    }
    return status;
}

/* ---- queries ---- */

/*
 * Rows are anywhere in the codeword, in no cache: the next ones are asked for while one is copied,
 * so that the processor does not wait for one line at a time.
 */
enum { ROWS_PER_TASK = 32, ROWS_AHEAD = 4 };

struct opened_rows {
    const struct oracle *oracle;
    const uint32_t *positions;
    size_t n;
    uint8_t *rows;
    size_t stride;
};

static const gf128 *codeword_row(const struct opened_rows *job, size_t t)
{
    return job->oracle->codeword + ((size_t)job->positions[t] << job->oracle->log_lanes);
}

static void fetch_row(const struct opened_rows *job, size_t t)
{
    enum { LINE = 64 / sizeof(gf128) };
    const gf128 *row = codeword_row(job, t);
    for (size_t lane = 0; lane < (size_t)1 << job->oracle->log_lanes; lane += LINE) {
        __builtin_prefetch(row + lane);
    }
}

static void copy_rows(void *argument, size_t task)
{
    const struct opened_rows *job = argument;
    size_t first = task * ROWS_PER_TASK, lanes = (size_t)1 << job->oracle->log_lanes;
    size_t end = job->n - first < ROWS_PER_TASK ? job->n : first + ROWS_PER_TASK;
    size_t fetched = first;
    for (size_t t = first; t < end; t++) {
        for (; fetched < end && fetched <= t + ROWS_AHEAD; fetched++) {
            fetch_row(job, fetched);
        }
        const gf128 *row = codeword_row(job, t);
        uint8_t *to = job->rows + t * job->stride;
        store_le64(to, lanes);
        for (size_t lane = 0; lane < lanes; lane++) {
            gf128_store(to + 8 + 16 * lane, row[lane]);
        }
    }
}

/* Q3: rows (length and elements in wire form) and multi-opening at the sorted positions. */
static flock_status open_rows(struct prover *p, const struct oracle *oracle, unsigned i,
                              const uint32_t *positions)
{
    const struct level_params *level = &p->params->level[i];
    struct memory *memory = &p->context->memory;
    struct opened_level *opened = &p->proof->opened[i];
    size_t stride = opened_row_stride(level);
    opened->n_hashes = tree_opening_count(&oracle->tree, positions, level->Q);
    uint8_t *rows = memory_take(memory, "opened rows", level->Q, stride);
    uint8_t *hashes = memory_take(memory, "multi-opening", opened->n_hashes, 32);
    if (rows == NULL || hashes == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    struct opened_rows job = {oracle, positions, level->Q, rows, stride};
    size_t n_tasks = (level->Q + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    bool large = level->Q * stride >= MIN_PARALLEL * sizeof(gf128);
    parallel_for(large ? p->context->threads : 1, n_tasks, copy_rows, &job);
    tree_open(&oracle->tree, positions, level->Q, hashes);
    opened->rows = rows;
    opened->hashes = hashes;
    return FLOCK_OK;
}

/* A1 to A3: the opened rows are linear claims on the folded polynomial. */
static flock_status glue_queries(struct prover *p, unsigned i, const uint32_t *positions)
{
    const struct level_params *level = &p->params->level[i];
    gf128 alpha[MAX_LOG_QUERIES], omega[MAX_QUERIES], message[2];
    unsigned log_Q = ceil_log2(level->Q);
    transcript_sample_vec(p->t, alpha, log_Q);
    eq_table(omega, alpha, log_Q);
    gf128 *basis =
        memory_take(&p->context->memory, "query basis", (size_t)1 << p->log_n, sizeof(gf128));
    if (basis == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    flock_status status =
        generator_row_sums(p->context, basis, positions, omega, level->Q, level->c, level->r);
    if (status != FLOCK_OK) {
        return status;
    }
    product_message(p->context, message, p->f, basis, p->log_n);
    send_message(p, message);
    add_scaled(p->context, p->w, basis, transcript_sample(p->t), p->log_n);
    memory_give(&p->context->memory, basis);
    return FLOCK_OK;
}

/* Q1 to A3 for level i, whose oracle is released. */
static flock_status query_level(struct prover *p, struct oracle *oracle, unsigned i)
{
    const struct level_params *level = &p->params->level[i];
    uint32_t positions[MAX_QUERIES];
    prover_part(p->context, "queries");
    p->proof->query_nonces[i] = transcript_grind(p->t, level->g, p->context);
    transcript_queries(p->t, positions, level->Q, oracle->log_positions);
    flock_status status = open_rows(p, oracle, i, positions);
    if (status != FLOCK_OK) {
        return status;
    }
    oracle_release(p->context, oracle);
    return i < p->params->R ? glue_queries(p, i, positions) : FLOCK_OK;
}

/* ---- the opening (spec 03, 3.5.1) ---- */

static void send_residual(struct prover *p)
{
    for (size_t j = 0; j < (size_t)1 << p->params->y; j++) {
        p->proof->residual[j] = p->f[j];
        transcript_scalar(p->t, p->f[j]);
    }
}

static flock_status prove_levels(struct prover *p, const struct prover_weight *weight,
                                 struct oracle *oracle)
{
    for (unsigned i = 0; i <= p->params->R; i++) {
        struct oracle next = {.codeword = NULL};
        flock_status status = fold_level(p, i, weight);
        if (status == FLOCK_OK && i < p->params->R) {
            status = commit_next(p, i, &next);
        } else if (status == FLOCK_OK) {
            send_residual(p);
        }
        if (status == FLOCK_OK) {
            status = query_level(p, oracle, i);
        }
        if (status != FLOCK_OK) {
            return status;
        }
        *oracle = next;
    }
    return FLOCK_OK;
}

flock_status ligerito_prove(struct prover_context *context, struct transcript *t,
                            const struct pcs_params *params, const gf128 *f,
                            const struct prover_weight *weight, gf128 target,
                            struct oracle *oracle0, struct ligerito_proof *proof)
{
    struct prover p = {
        .context = context,
        .t = t,
        .params = params,
        .proof = proof,
        .f = f,
        .log_n = params->log_n,
    };
    memset(proof, 0, sizeof *proof);
    memcpy(proof->roots[0], tree_root(&oracle0->tree), 32);
    transcript_label(t, "flock-ligerito-basis-v0");
    transcript_scalar(t, target);
    transcript_bytes(t, proof->roots[0], 32);

    flock_status status = prove_levels(&p, weight, oracle0);
    memory_give(&context->memory, p.owned_f);
    memory_give(&context->memory, p.w);
    return status;
}
