#include "pcs/opening.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"
#include "piop/partials.h"

/*
 * Ligerito's first three folds need no weight. With q and B as rows of eight elements, a quirky
 * claim's share of the products of columns is, h = EQ of the point without its first three
 * coordinates, e = EQ of those three, q_v bit v of q, s the claim's partial evaluations by columns,
 *
 *     sum_i q[8i+x] B[8i+y] = sum_v X^v sum_i q_v[8i+x] Phi(e[y] h[i])
 *                           = sum_v X^v Phi(e[y] s[x][v])
 *
 * because Phi is GF(2)-linear. And B with three variables bound is Psi(h[i]), for Psi another
 * GF(2)-linear map (opening_transport()): an eighth of the elements, made as they are needed.
 */
enum { MAX_TASKS = 64, LEAST_BLOCKS = 4 /* of a task */ };

/*
 * A direct claim's EQ(p) = columns (x) high (x) low, never stored in full. A coordinate that is
 * exactly 0 or 1 halves the support of its factor; only the support is stored and touched:
 *
 *     low[i], i < n_low, stands for row position[i] of a block; all other entries are 0
 */
struct split_table {
    gf128 low[WEIGHT_BLOCK];
    uint16_t position[WEIGHT_BLOCK];
    size_t n_low;
    gf128 *high; /* of blocks; times gamma */
    gf128 bound; /* EQ of the first three coordinates and their challenges */
};

struct quirky_weight {
    gf128 images[128]; /* gamma Phi, later gamma Psi, of the basis */
    struct linear64 map[2];
    gf128 low[WEIGHT_BLOCK];
    gf128 *high;
};

struct weight {
    const struct opening_reduction *reduction;
    unsigned n_quirky, n_direct;
    struct quirky_weight quirky[2];
    struct split_table direct[MAX_DIRECT_CLAIMS];
    size_t block; /* rows of a block */
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
    gf128 free_coordinates[LOG_WEIGHT_BLOCK];
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

static bool prepare_claims(struct prover_context *context, struct weight *w)
{
    const struct opening_reduction *reduction = w->reduction;
    const struct claims *claims = reduction->claims;
    unsigned n = reduction->log_n - LOG_COLUMNS;
    unsigned log_block = n < LOG_WEIGHT_BLOCK ? n : LOG_WEIGHT_BLOCK;
    w->block = (size_t)1 << log_block;
    for (; w->n_quirky < claims->n_quirky; w->n_quirky++) {
        struct quirky_weight *quirky = &w->quirky[w->n_quirky];
        const gf128 *point = claims->quirky[w->n_quirky].point + 1 + LOG_COLUMNS;
        kernels()->scale(quirky->images, reduction->e[w->n_quirky], reduction->gamma[w->n_quirky],
                         128);
        eq_table(quirky->low, point, log_block);
        quirky->high = take_eq_table(context, point + log_block, n - log_block, GF128_ONE);
        if (quirky->high == NULL) {
            return false;
        }
    }
    for (; w->n_direct < claims->n_direct; w->n_direct++) {
        struct split_table *direct = &w->direct[w->n_direct];
        const gf128 *point = claims->direct[w->n_direct].point + LOG_COLUMNS;
        sparse_eq_table(direct, point, log_block);
        direct->high = take_eq_table(context, point + log_block, n - log_block,
                                     reduction->gamma_direct[w->n_direct]);
        if (direct->high == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- the products of columns ---- */

static void prepare_map(struct quirky_weight *quirky)
{
    prover_kernels()->linear64_prepare(&quirky->map[0], quirky->images);
    prover_kernels()->linear64_prepare(&quirky->map[1], quirky->images + 64);
}

static void add_quirky_products(gf128 (*products)[N_COLUMNS], struct quirky_weight *quirky,
                                const gf128 *point, const struct column_partials *partial)
{
    gf128 e[N_COLUMNS], powers[128] = {GF128_ONE}, images[128];
    eq_table(e, point, LOG_COLUMNS);
    for (int v = 1; v < 128; v++) {
        powers[v] = gf128_mul_x(powers[v - 1]);
    }
    prepare_map(quirky);
    for (size_t x = 0; x < N_COLUMNS; x++) {
        for (size_t y = 0; y < N_COLUMNS; y++) {
            kernels()->scale(images, partial->s[x], e[y], 128);
            prover_kernels()->linear128_apply(images, images, 128, &quirky->map[0],
                                              &quirky->map[1]);
            products[x][y] = gf128_add(products[x][y], kernels()->dot(powers, images, 128));
        }
    }
}

/* sums[x] = gamma sum_i EQ(point without its first three coordinates)[i] q[8i+x] of each claim. */
struct direct_job {
    const struct weight *weight;
    const gf128 *q;
    size_t n_blocks; /* of a task */
    gf128 sums[MAX_TASKS][MAX_DIRECT_CLAIMS][N_COLUMNS];
};

/* One multiplication of a row for each entry of the support. */
static void direct_task(void *argument, size_t task)
{
    struct direct_job *job = argument;
    memset(job->sums[task], 0, sizeof job->sums[task]);
    for (size_t b = task * job->n_blocks; b < (task + 1) * job->n_blocks; b++) {
        const gf128 *rows = job->q + b * job->weight->block * N_COLUMNS;
        for (unsigned c = 0; c < job->weight->n_direct; c++) {
            const struct split_table *table = &job->weight->direct[c];
            gf128 sums[N_COLUMNS] = {{0, 0}};
            if (is_zero(table->high[b])) {
                continue;
            }
            for (size_t i = 0; i < table->n_low; i++) {
                kernels()->axpy(sums, rows + table->position[i] * (size_t)N_COLUMNS, table->low[i],
                                N_COLUMNS);
            }
            kernels()->axpy(job->sums[task][c], sums, table->high[b], N_COLUMNS);
        }
    }
}

static flock_status add_direct_products(struct prover_context *context,
                                        gf128 (*products)[N_COLUMNS], const struct weight *w,
                                        const gf128 *q)
{
    struct direct_job *job = memory_take(&context->memory, "direct claims", 1, sizeof *job);
    if (job == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    size_t n_blocks = ((size_t)1 << (w->reduction->log_n - LOG_COLUMNS)) / w->block;
    size_t n_tasks = n_blocks < LEAST_BLOCKS               ? 1
                     : n_blocks / LEAST_BLOCKS < MAX_TASKS ? n_blocks / LEAST_BLOCKS
                                                           : MAX_TASKS;
    job->weight = w;
    job->q = q;
    job->n_blocks = n_blocks / n_tasks;
    parallel_for(context->threads, n_tasks, direct_task, job);
    for (unsigned c = 0; c < w->n_direct; c++) {
        gf128 e[N_COLUMNS];
        eq_table(e, w->reduction->claims->direct[c].point, LOG_COLUMNS);
        for (size_t x = 0; x < N_COLUMNS; x++) {
            gf128 sum = GF128_ZERO;
            for (size_t task = 0; task < n_tasks; task++) {
                sum = gf128_add(sum, job->sums[task][c][x]);
            }
            kernels()->axpy(products[x], e, sum, N_COLUMNS);
        }
    }
    memory_give(&context->memory, job);
    return FLOCK_OK;
}

/* ---- the weight with three variables bound ---- */

static void bind(void *context, const gf128 r[LOG_COLUMNS])
{
    struct weight *w = context;
    const struct claims *claims = w->reduction->claims;
    for (unsigned c = 0; c < w->n_quirky; c++) {
        for (unsigned i = 0; i < LOG_COLUMNS; i++) {
            opening_transport(w->quirky[c].images, claims->quirky[c].point[1 + i], r[i]);
        }
        prepare_map(&w->quirky[c]);
    }
    for (unsigned c = 0; c < w->n_direct; c++) {
        w->direct[c].bound = eq_eval(claims->direct[c].point, r, LOG_COLUMNS);
    }
}

/* out += bound * high * low; 1 multiplication an entry of the support. */
static void add_direct_block(const struct split_table *table, size_t b, size_t n, gf128 *out)
{
    gf128 product[WEIGHT_BLOCK];
    if (is_zero(table->high[b])) {
        return;
    }
    gf128 factor = gf128_mul(table->bound, table->high[b]);
    if (table->n_low == n) {
        kernels()->axpy(out, table->low, factor, n);
        return;
    }
    kernels()->scale(product, table->low, factor, table->n_low);
    for (size_t i = 0; i < table->n_low; i++) {
        gf128 *entry = &out[table->position[i]];
        *entry = gf128_add(*entry, product[i]);
    }
}

/* Half of the rows that are read next, for n elements of a block. */
static void fetch(const gf128 *ahead, size_t first, size_t n)
{
    enum { LINE = 64 / sizeof(gf128) };
    for (size_t i = first * N_COLUMNS / 2; i < (first + n) * N_COLUMNS / 2; i += LINE) {
        __builtin_prefetch((const void *)((uintptr_t)ahead + i * sizeof *ahead), 0, 2);
    }
}

static void make_block(const void *context, size_t b, gf128 *out, const gf128 *ahead)
{
    const struct prover_kernels *k = prover_kernels();
    const struct weight *w = context;
    size_t n = w->block;
    gf128 eq[WEIGHT_BLOCK];
    if (w->n_quirky == 0) {
        memset(out, 0, n * sizeof *out);
    }
    for (unsigned c = 0; c < w->n_quirky; c++) {
        const struct quirky_weight *quirky = &w->quirky[c];
        const gf128 *half_ahead = ahead + c * n * N_COLUMNS / 2;
        fetch(half_ahead, 0, n / 2);
        kernels()->scale(eq, quirky->low, quirky->high[b], n);
        fetch(half_ahead, n / 2, n - n / 2);
        (c == 0 ? k->linear128_apply : k->linear128_add)(out, eq, n, &quirky->map[0],
                                                         &quirky->map[1]);
    }
    for (unsigned c = 0; c < w->n_direct; c++) {
        add_direct_block(&w->direct[c], b, n, out);
    }
}

/* ---- the whole ---- */

flock_status opening_weight(struct prover_context *context,
                            const struct opening_reduction *reduction,
                            const struct column_partials *partial, const gf128 *q,
                            struct prover_weight *weight)
{
    struct weight *w = memory_take_zeroed(&context->memory, "weight", 1, sizeof *w);
    if (w == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    *weight = (struct prover_weight){.bind = bind, .make = make_block, .context = w};
    w->reduction = reduction;
    if (!prepare_claims(context, w)) {
        return FLOCK_ERR_MEMORY;
    }
    for (unsigned c = 0; c < w->n_quirky; c++) {
        add_quirky_products(weight->products, &w->quirky[c], reduction->claims->quirky[c].point + 1,
                            &partial[c]);
    }
    return w->n_direct == 0 ? FLOCK_OK : add_direct_products(context, weight->products, w, q);
}

void opening_weight_release(struct prover_context *context, struct prover_weight *weight)
{
    struct memory *memory = &context->memory;
    struct weight *w = weight->context;
    for (unsigned c = 0; c < w->n_quirky; c++) {
        memory_give(memory, w->quirky[c].high);
    }
    for (unsigned c = 0; c < w->n_direct; c++) {
        memory_give(memory, w->direct[c].high);
    }
    memory_give(memory, w);
}

static flock_status compute_partials(struct prover_context *context, unsigned log_n, const gf128 *q,
                                     const struct claims *claims, struct column_partials *partial)
{
    flock_status status = FLOCK_OK;
    for (unsigned k = 0; k < claims->n_quirky && status == FLOCK_OK; k++) {
        status = partial_evaluate(context, &partial[k], q, claims->quirky[k].point + 1, log_n);
    }
    return status;
}

flock_status opening_prove(struct prover_context *context, struct transcript *t,
                           const struct pcs_params *params, const gf128 *q, struct oracle *oracle,
                           const struct claims *claims, const struct column_partials *partial,
                           struct opening_proof *proof)
{
    struct opening_reduction reduction;
    struct column_partials computed[2];
    struct prover_weight weight;
    flock_status status = FLOCK_OK;
    if (partial == NULL) {
        status = compute_partials(context, params->log_n, q, claims, computed);
        partial = computed;
    }
    if (status != FLOCK_OK) {
        return status;
    }
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        partial_sum(&proof->ring_switch[k], &partial[k], claims->quirky[k].point + 1);
    }
    opening_reduce(t, params->log_n, claims, proof->ring_switch, &reduction);
    status = opening_weight(context, &reduction, partial, q, &weight);
    if (status == FLOCK_OK) {
        status = prover_progress(context, FLOCK_PHASE_OPEN, 0.2);
    }
    if (status == FLOCK_OK) {
        status = ligerito_prove(context, t, params, q, &weight, reduction.target, oracle,
                                &proof->ligerito);
    }
    if (status == FLOCK_OK) {
        opening_weight_release(context, &weight);
    }
    return status;
}
