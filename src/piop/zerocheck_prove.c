#include "piop/zerocheck.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"
#include "piop/partials.h"

/*
 * Memory: besides a and b only eq tables, linear maps and the sums of tasks. One pass over the rows
 * of bits makes the messages of the first three rounds and stores nothing. The next one binds these
 * variables, so that of every eight rows of a and b one element of A and one of B are left:
 * together they take half the memory of b, and that of a is free for z = a AND b, which is why
 * nobody has to keep z until then.
 *
 *     a   [ 2048 elements of 128 bits | ...  ]           [ z                           | ... ]
 *     b   [ 2048 elements of 128 bits | ...  ]     ->    [ A: 512  | B: 512  |         | ... ]
 *           a block                                        a chunk of A, and of B
 *
 * The arrays shrink in place, in segments that are independent tasks. What is left of two blocks is
 * one, and in the end there is one block that shrinks:
 *
 *     [ b   b   b   b   | b   b   b   b   | ...   ]      segments of some blocks
 *     [ A B A B A B A B | A B A B ... | ...       ]
 *     [ A B A B |         A B A B ... | ...       ]
 *     [ A B |             ...                     ]
 *     [ a b |             ...                     ]
 *     [ A B A B ... | A B ... | ...               ]      moved together, and cut up anew
 *
 * A segment belongs to one value of the highest index bits, so its part of a round message is a
 * sum over blocks, each one kernel call with the eq table of the low bits and one product with the
 * eq weight of the high bits.
 */
enum {
    LOG_CHUNK = 9, /* elements of A, and of B, in a block: its four arrays fit the L1 cache */
    CHUNK = 1 << LOG_CHUNK,
    LOG_SMALL_CHUNK = 7, /* smaller chunks are moved together into fewer segments */
    LOG_TASK = 8,        /* least log2 of the weights in a segment */
    MAX_LOG_SEGMENTS = 9,
    LOG_SKIP_BLOCK = 6,    /* the skip round: largest log2 of the groups of 128 rows in a block, */
    LOG_SKIP_TASK = 3,     /* and least of those in a task */
    LOG_GROUP = 6,         /* packed elements of a group */
    LOG_INNER = 5,         /* the rounds on bits: log2 of the groups with weights of their own, */
    MAX_LOG_CUBE_TASKS = 8 /* and of the tasks */
};

/* eq_table(point)[i + 2^log_low j] = low[i] * high[j] */
struct split_eq {
    gf128 *low, *high;
    unsigned log_low, log_high;
};

static void split_eq_set(struct split_eq *eq, const gf128 *point, unsigned n, unsigned log_low)
{
    eq->log_low = log_low;
    eq->log_high = n - log_low;
    eq_table(eq->low, point, log_low);
    eq_table(eq->high, point + log_low, n - log_low);
}

struct zerocheck {
    struct prover_context *context;
    struct transcript *t;
    unsigned m;
    const uint64_t *z;     /* NULL: a AND b */
    uint64_t *a, *b;       /* the rows of bits */
    gf128 *A, *B;          /* the first chunks of the folded arrays, in the memory of b */
    size_t chunk;          /* CHUNK, if the arrays have so many elements */
    unsigned log_segments; /* segments of the rows, later of A and B */
    size_t spacing;        /* elements of the memory that a segment had when it was cut */
    unsigned inner_groups; /* of 128 rows that share a weight of eq in the rounds on bits */
    struct split_eq eq;
    gf128 *sums;                       /* of each task: 64 in the skip round, then 27 or 2 */
    const struct prover_kernels *skip; /* the backend of the skip round */
    struct partial_rows *rows;         /* the skip round: weights of the linear part in a block, */
    struct column_partials *partials;  /* and its sums, of each of n_partials threads */
    size_t n_partials;
    gf128 rho;             /* the last challenge */
    struct linear64 *maps; /* rounds on bits: those of a and of b, then of the rows of a cube */
};

static unsigned at_most(unsigned value, unsigned bound)
{
    return value < bound ? value : bound;
}

/*
 * out[i] = constant * the sum over all segments of their sums[i], i < n. The constant is
 * eq_table(r_first .. r_6)[0], which the kernels leave out (spec 05, 5.4.1).
 */
static void total_of_segments(const struct zerocheck *zc, gf128 *out, size_t n, const gf128 *r,
                              unsigned first)
{
    gf128 constant = GF128_ONE;

    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n << zc->log_segments; i++) {
        out[i % n] = gf128_add(out[i % n], zc->sums[i]);
    }
    for (unsigned j = first; j < 7; j++) {
        constant = gf128_mul(constant, gf128_add(GF128_ONE, r[j]));
    }
    kernels()->scale(out, out, constant, n);
}

/*
 * ---- the univariate skip (spec 05, 5.4.2) ----
 *
 * One pass makes the products of a and b and the partial evaluations of z: both weight a block of
 * groups of 128 rows with the eq table of the same high bits.
 */

static unsigned skip_log_segments(unsigned m)
{
    return m < 13 + LOG_SKIP_TASK ? 0 : at_most(m - 13 - LOG_SKIP_TASK, MAX_LOG_SEGMENTS);
}

static void skip_task(void *context, size_t task)
{
    const struct zerocheck *zc = context;
    const struct split_eq *eq = &zc->eq;
    size_t n_blocks = (size_t)1 << (eq->log_high - zc->log_segments);
    gf128 *total = zc->sums + SKIP_SIZE * task;

    memset(total, 0, SKIP_SIZE * sizeof *total);
    for (size_t k = task * n_blocks; k < (task + 1) * n_blocks; k++) {
        size_t first_row = k << (eq->log_low + 7);
        gf128 sums[SKIP_SIZE] = {{0, 0}};
        zc->skip->skip_round(sums, zc->a + first_row, zc->b + first_row, eq->low,
                             (size_t)1 << eq->log_low);
        kernels()->axpy(total, sums, eq->high[k], SKIP_SIZE);

        const uint64_t *q = zc->z != NULL ? zc->z + first_row : zc->a + first_row;
        const uint64_t *mask = zc->z != NULL ? NULL : zc->b + first_row;
        partial_rows_add(zc->rows, &zc->partials[parallel_thread()], (const gf128 *)q,
                         (const gf128 *)mask, eq->high[k]);
    }
}

/* The sums for P_ab, and the partial evaluations; r: all coordinates. */
static void skip_pass(struct zerocheck *zc, const gf128 *r, gf128 sums[SKIP_SIZE],
                      struct column_partials *partial_c)
{
    unsigned n = zc->m - 13;

    zc->log_segments = skip_log_segments(zc->m);
    split_eq_set(&zc->eq, r + 7, n, at_most(n - zc->log_segments, LOG_SKIP_BLOCK));
    partial_rows_prepare(zc->rows, r + 1 + LOG_COLUMNS, zc->eq.log_low + LOG_GROUP - LOG_COLUMNS);
    memset(zc->partials, 0, zc->n_partials * sizeof *zc->partials);
    parallel_for(zc->context->threads, (size_t)1 << zc->log_segments, skip_task, zc);

    partial_total(partial_c, zc->partials, zc->n_partials);
    total_of_segments(zc, sums, SKIP_SIZE, r, 0);
}

/* P_c on S from the partial evaluations: u_s = (1+r_0) s_s + r_0 s_{64+s}. */
static void skip_on_S(const struct column_partials *partial_c, const gf128 *r, gf128 u[SKIP_SIZE])
{
    struct partial_evaluations partial;

    partial_sum(&partial, partial_c, r + 1);
    for (unsigned s = 0; s < SKIP_SIZE; s++) {
        gf128 even = partial.s[s], odd = partial.s[SKIP_SIZE + s];
        u[s] = gf128_add(even, gf128_mul(r[0], gf128_add(even, odd)));
    }
}

/*
 * P_ab and P_c on Lambda, and the partial evaluations. u is of a AND b, as skip_values may need it,
 * if no z was given. The values of the portable backend do not depend on u.
 */
static void skip_messages(struct zerocheck *zc, const gf128 *r, struct zerocheck_proof *proof,
                          struct column_partials *partial_c)
{
    gf128 sums[SKIP_SIZE], u[SKIP_SIZE];

    zc->skip = zc->z == NULL ? prover_kernels() : &portable_prover_kernels;
    skip_pass(zc, r, sums, partial_c);
    skip_on_S(partial_c, r, u);
    zc->skip->skip_values(proof->round1_ab, sums, u);
    skip_extend(proof->round1_c, u);
}

/* ---- the multilinear rounds (spec 05, 5.4.3) ---- */

/* Blocks of a segment of the current round. */
static size_t segment_blocks(const struct zerocheck *zc)
{
    return (size_t)1 << (zc->eq.log_high - zc->log_segments);
}

static void add_weighted(gf128 total[2], const gf128 sums[2], gf128 weight)
{
    total[0] = gf128_add(total[0], gf128_mul(weight, sums[0]));
    total[1] = gf128_add(total[1], gf128_mul(weight, sums[1]));
}

/*
 * Round 3: eight rows are folded to an element, and a becomes z. A chunk is written where the
 * segment's first blocks of b have been, the first one after its own block has been read.
 */
static void fold_bits_task(void *context, size_t segment)
{
    const struct zerocheck *zc = context;
    size_t n_blocks = segment_blocks(zc), n = (size_t)1 << zc->eq.log_low;
    gf128 *A = zc->A + segment * zc->spacing, *B = zc->B + segment * zc->spacing;
    gf128 total[2] = {{0, 0}}, first_A[CHUNK], first_B[CHUNK];

    for (size_t k = 0; k < n_blocks; k++) {
        size_t block = segment * n_blocks + k, to = 2 * zc->chunk * k;
        gf128 sums[2] = {{0, 0}};
        prover_kernels()->zerocheck_fold_bits(sums, k == 0 ? first_A : A + to,
                                              k == 0 ? first_B : B + to, zc->a + 16 * n * block,
                                              zc->b + 16 * n * block, zc->maps, zc->eq.low, n);
        if (k == 0) {
            memcpy(A, first_A, 2 * n * sizeof *A);
            memcpy(B, first_B, 2 * n * sizeof *B);
        }
        add_weighted(total, sums, zc->eq.high[block]);
    }
    memcpy(zc->sums + 2 * segment, total, sizeof total);
}

/* Later rounds: block k of a segment becomes the lower or the upper half of block k / 2. */
static void fold_task(void *context, size_t segment)
{
    const struct zerocheck *zc = context;
    size_t n_blocks = segment_blocks(zc), n = (size_t)1 << zc->eq.log_low;
    gf128 *A = zc->A + segment * zc->spacing, *B = zc->B + segment * zc->spacing;
    gf128 total[2] = {{0, 0}};

    for (size_t k = 0; k < n_blocks; k++) {
        size_t from = 2 * zc->chunk * k, to = 2 * zc->chunk * (k / 2) + 2 * n * (k % 2);
        gf128 sums[2] = {{0, 0}};
        prover_kernels()->zerocheck_fold_message(sums, A + to, B + to, A + from, B + from, zc->rho,
                                                 zc->eq.low, n);
        add_weighted(total, sums, zc->eq.high[segment * n_blocks + k]);
    }
    memcpy(zc->sums + 2 * segment, total, sizeof total);
}

/* Send a message, and draw the challenge. */
static void send_message(struct zerocheck *zc, const gf128 message[2])
{
    transcript_scalar(zc->t, message[0]);
    transcript_scalar(zc->t, message[1]);
    zc->rho = transcript_sample(zc->t);
}

/* Run a round whose message has 2^n weights eq_table(point), at most 2^log_block in a block. */
static void run_round(struct zerocheck *zc, void (*task)(void *, size_t), const gf128 *point,
                      unsigned n, unsigned log_block, gf128 message[2])
{
    size_t n_segments = (size_t)1 << zc->log_segments;

    split_eq_set(&zc->eq, point, n, at_most(n - zc->log_segments, log_block));
    parallel_for(zc->context->threads, n_segments, task, zc);
    message[0] = message[1] = GF128_ZERO;
    for (size_t s = 0; s < n_segments; s++) {
        message[0] = gf128_add(message[0], zc->sums[2 * s]);
        message[1] = gf128_add(message[1], zc->sums[2 * s + 1]);
    }
    send_message(zc, message);
}

/* The number of segments for a message of 2^n weights. */
static unsigned choose_log_segments(unsigned n)
{
    return n <= LOG_TASK ? 0 : at_most(n - LOG_TASK, MAX_LOG_SEGMENTS);
}

/*
 * Segments that are down to a part of a chunk each are moved together, in this order none is
 * written over before it has been moved, and the arrays of 2^log_n elements cut up anew for a fold
 * with 2^(log_n - 2) weights.
 */
static void recut(struct zerocheck *zc, unsigned log_n)
{
    size_t length = (size_t)1 << (log_n - zc->log_segments);

    for (size_t s = 1; s >> zc->log_segments == 0; s++) {
        size_t at = s * length, to = at / CHUNK * 2 * CHUNK + at % CHUNK;
        memmove(zc->A + to, zc->A + s * zc->spacing, length * sizeof *zc->A);
        memmove(zc->B + to, zc->B + s * zc->spacing, length * sizeof *zc->B);
    }
    zc->log_segments = choose_log_segments(log_n - 2);
    zc->spacing = (size_t)2 << (log_n - zc->log_segments);
}

/*
 * Rounds 0 to 2. Sums of products of A and B at the points of {0, 1, inf}^3 for the three lowest
 * coordinates, with the weights of the others, have all that the messages need: a variable is bound
 * by interpolation of what has degree 2 in it. The weights of r_3 .. r_6 are constants that the
 * kernel knows up to a factor; those of LOG_INNER more are in its maps.
 */
enum { CUBE_POINTS = 27 };

static void cubes_task(void *context, size_t segment)
{
    const struct zerocheck *zc = context;
    const struct split_eq *eq = &zc->eq;
    size_t n_blocks = segment_blocks(zc), n_groups = (size_t)zc->inner_groups << eq->log_low;
    gf128 *total = zc->sums + CUBE_POINTS * segment;

    memset(total, 0, CUBE_POINTS * sizeof *total);
    for (size_t k = segment * n_blocks; k < (segment + 1) * n_blocks; k++) {
        size_t first_row = 128 * n_groups * k;
        gf128 sums[CUBE_POINTS] = {{0, 0}};
        prover_kernels()->zerocheck_cubes(sums, zc->a + first_row, zc->b + first_row, zc->maps,
                                          eq->low, n_groups);
        kernels()->axpy(total, sums, eq->high[k], CUBE_POINTS);
    }
}

/* r: all coordinates */
static void sum_cubes(struct zerocheck *zc, const gf128 *lagrange, const gf128 *r,
                      gf128 sums[CUBE_POINTS])
{
    unsigned n = zc->m - 13, n_inner = at_most(n, LOG_INNER), n_low = at_most(n, 2);
    gf128 low[4] = {{0, 0}}, high[8] = {{0, 0}};

    eq_table(low, r + 7, n_low);
    eq_table(high, r + 7 + n_low, n_inner - n_low);
    prover_kernels()->zerocheck_cubes_prepare(zc->maps, lagrange, low, high);
    zc->inner_groups = 1U << n_inner;
    zc->log_segments = at_most(n - n_inner, MAX_LOG_CUBE_TASKS);
    split_eq_set(&zc->eq, r + 7 + n_inner, n - n_inner,
                 at_most(n - n_inner - zc->log_segments, LOG_CHUNK));
    parallel_for(zc->context->threads, (size_t)1 << zc->log_segments, cubes_task, zc);
    total_of_segments(zc, sums, CUBE_POINTS, r, 3);
}

/*
 * The message for the lowest variable of sums, which are those at 1 and at inf; the n <= 2 others,
 * whose coordinates are `point`, are 0 or 1.
 */
static void cube_message(gf128 message[2], const gf128 *sums, const gf128 *point, unsigned n)
{
    gf128 eq[4];

    eq_table(eq, point, n);
    message[0] = message[1] = GF128_ZERO;
    for (size_t x = 0; x >> n == 0; x++) {
        add_weighted(message, sums + 3 * (x % 2) + 9 * (x / 2) + 1, eq[x]);
    }
}

/* f(rho) = f(0) + rho (f(0) + f(1)) + rho (rho + 1) f(inf), n times */
static void bind_lowest(gf128 *sums, size_t n, gf128 rho)
{
    for (size_t i = 0; i < n; i++) {
        const gf128 *f = sums + 3 * i;
        gf128 slope = gf128_add(gf128_add(f[0], f[1]), gf128_mul(gf128_add(rho, GF128_ONE), f[2]));
        sums[i] = gf128_add(f[0], gf128_mul(rho, slope));
    }
}

static void run_cube_rounds(struct zerocheck *zc, const gf128 *lagrange, const gf128 *r,
                            struct zerocheck_proof *proof, gf128 rho[3])
{
    gf128 sums[CUBE_POINTS];
    size_t n_bound = CUBE_POINTS;

    sum_cubes(zc, lagrange, r, sums);
    for (unsigned i = 0; i < 3; i++) {
        cube_message(proof->rounds[i], sums, r + i + 1, 2 - i);
        send_message(zc, proof->rounds[i]);
        rho[i] = zc->rho;
        n_bound /= 3;
        bind_lowest(sums, n_bound, zc->rho);
    }
}

/* The linear maps of the rows of a cube: row x has the weights lagrange times eq_table(rho)[x]. */
static void prepare_maps(struct zerocheck *zc, const gf128 *lagrange, const gf128 rho[3])
{
    gf128 weights[8 * SKIP_SIZE], eq[8];

    eq_table(eq, rho, 3);
    for (size_t x = 0; x < 8; x++) {
        kernels()->scale(weights + SKIP_SIZE * x, lagrange, eq[x], SKIP_SIZE);
    }
    prover_kernels()->zerocheck_fold_bits_prepare(zc->maps, weights);
}

static flock_status run_rounds(struct zerocheck *zc, const gf128 *r, gf128 z,
                               struct zerocheck_proof *proof, struct zerocheck_result *result)
{
    gf128 lagrange[SKIP_SIZE];
    unsigned n_rounds = zc->m - 6;

    lagrange_S(lagrange, z);
    run_cube_rounds(zc, lagrange, r, proof, result->rho);

    prepare_maps(zc, lagrange, result->rho);
    zc->chunk = (size_t)1 << at_most(n_rounds - 3, LOG_CHUNK);
    zc->B = zc->A + zc->chunk;
    zc->log_segments = choose_log_segments(n_rounds - 5);
    zc->spacing = (size_t)1 << (n_rounds - 1 - zc->log_segments);
    run_round(zc, fold_bits_task, r + 4, n_rounds - 4, LOG_CHUNK - 1, proof->rounds[3]);
    result->rho[3] = zc->rho;

    for (unsigned i = 4; i < n_rounds; i++) {
        unsigned n = n_rounds - 1 - i;
        if (zc->log_segments > 0 && n + 2 - zc->log_segments < LOG_SMALL_CHUNK) {
            recut(zc, n + 2);
        }
        run_round(zc, fold_task, r + i + 1, n, LOG_CHUNK - 2, proof->rounds[i]);
        result->rho[i] = zc->rho;
        flock_status status = prover_progress(zc->context, FLOCK_PHASE_ZEROCHECK,
                                              1.0 - 0.2 / (double)((size_t)1 << (i - 1)));
        if (status != FLOCK_OK) {
            return status;
        }
    }
    kernels()->fold_high(zc->A, 1, zc->rho);
    kernels()->fold_high(zc->B, 1, zc->rho);
    return FLOCK_OK;
}

/* ---- the whole ---- */

static flock_status prove(struct zerocheck *zc, struct zerocheck_proof *proof,
                          struct zerocheck_result *result, struct quirky_claim *claim_c,
                          struct column_partials *partial_c)
{
    struct prover_context *context = zc->context;
    gf128 weights[SKIP_SIZE];
    gf128 *r = claim_c->point;

    zerocheck_point(zc->t, zc->m, r);
    skip_messages(zc, r, proof, partial_c);
    transcript_slice(zc->t, proof->round1_ab, SKIP_SIZE);
    transcript_slice(zc->t, proof->round1_c, SKIP_SIZE);
    gf128 z = transcript_sample(zc->t);
    lagrange_Lambda(weights, z);
    proof->v_c = kernels()->dot(weights, proof->round1_c, SKIP_SIZE);

    flock_status status = prover_progress(context, FLOCK_PHASE_ZEROCHECK, 0.5);
    if (status == FLOCK_OK) {
        prover_part(context, "rounds");
        status = run_rounds(zc, r, z, proof, result);
    }
    if (status != FLOCK_OK) {
        return status;
    }
    proof->v_a = zc->A[0];
    proof->v_b = zc->B[0];
    transcript_scalar(zc->t, proof->v_a);
    transcript_scalar(zc->t, proof->v_b);

    result->z = z;
    result->v_a = proof->v_a;
    result->v_b = proof->v_b;
    claim_c->skip = z;
    claim_c->value = proof->v_c;
    return FLOCK_OK;
}

flock_status zerocheck_prove(struct prover_context *context, struct transcript *t, unsigned m,
                             const uint64_t *z, uint64_t *a, uint64_t *b,
                             struct zerocheck_proof *proof, struct zerocheck_result *result,
                             struct quirky_claim *claim_c, struct column_partials *partial_c)
{
    struct memory *memory = &context->memory;
    struct zerocheck zc = {
        .context = context,
        .t = t,
        .m = m,
        .z = z,
        .a = a,
        .b = b,
        .A = (gf128 *)b,
    };

    if (m < 13 || m > MAX_LOG_BITS) {
        return FLOCK_ERR_ARGUMENT;
    }
    /* The longest high parts: one weight a segment, or round 3 or 4 in all blocks, 2^(m-18). */
    unsigned log_high = m - 9 < LOG_CHUNK + MAX_LOG_SEGMENTS ? MAX_LOG_SEGMENTS : m - 9 - LOG_CHUNK;
    size_t n_skip_tasks = (size_t)1 << skip_log_segments(m);
    zc.n_partials = parallel_team(context->threads, n_skip_tasks);
    zc.eq.low =
        memory_take(memory, "zerocheck eq tables", CHUNK + ((size_t)1 << log_high), sizeof(gf128));
    zc.sums = memory_take(memory, "zerocheck sums", SKIP_SIZE * n_skip_tasks, sizeof(gf128));
    zc.maps = memory_take(memory, "zerocheck maps", 8, sizeof(struct linear64));
    zc.rows = memory_take(memory, "partial evaluations", 1, sizeof *zc.rows);
    zc.partials = memory_take(memory, "partial sums", zc.n_partials, sizeof *zc.partials);
    flock_status status = FLOCK_ERR_MEMORY;
    if (zc.eq.low != NULL && zc.sums != NULL && zc.maps != NULL && zc.rows != NULL &&
        zc.partials != NULL) {
        zc.eq.high = zc.eq.low + CHUNK;
        status = prove(&zc, proof, result, claim_c, partial_c);
    }
    memory_give(memory, zc.partials);
    memory_give(memory, zc.rows);
    memory_give(memory, zc.maps);
    memory_give(memory, zc.sums);
    memory_give(memory, zc.eq.low);
    return status;
}
