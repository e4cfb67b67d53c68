#include "piop/zerocheck.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"
#include "piop/partials.h"

/*
 * Memory: besides a and b only eq tables, linear maps and the sums of tasks. The first two rounds
 * read bits and store nothing. The third binds two variables at once, so that of every four rows of
 * a and b one element of A and one of B are left: together they fit the memory of b, and that of a
 * is free for z = a AND b, which is why nobody has to keep z until then.
 *
 *     a   [ 1024 elements of 128 bits | ...  ]           [ z                 | ... ]
 *     b   [ 1024 elements of 128 bits | ...  ]     ->    [ A: 512  | B: 512  | ... ]
 *           a block                                        a chunk of A, and of B
 *
 * From then on the arrays shrink in place, in segments that are independent tasks. What is left of
 * two blocks is one, and in the end there is one block that shrinks:
 *
 *     [ A B A B A B A B | A B A B ... | ...       ]      segments of some blocks
 *     [ A B A B |         A B |         ...       ]
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
    LOG_SKIP_BLOCK = 7, /* the skip round: largest log2 of the groups of 128 rows in a block, */
    LOG_SKIP_TASK = 3,  /* and least of those in a task */
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
    size_t spacing;        /* elements of a segment, later of the memory it had when it was cut */
    struct split_eq eq;
    gf128 inner[SKIP_SIZE]; /* rounds on bits: the weights in a group of 128 rows */
    gf128 *sums;            /* of each task: 64 in the skip round, then 2 */
    gf128 rho;              /* the last challenge */
    struct linear64 *maps;  /* rounds on bits: one, two or four, of the rows of an element */
};

static unsigned at_most(unsigned value, unsigned bound)
{
    return value < bound ? value : bound;
}

/* ---- the univariate skip (spec 05, 5.4.2) ---- */

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
        prover_kernels()->skip_round(sums, zc->a + first_row, zc->b + first_row, eq->low,
                                     (size_t)1 << eq->log_low);
        kernels()->axpy(total, sums, eq->high[k], SKIP_SIZE);
    }
}

/* P_ab on Lambda; r: all coordinates. */
static void skip_product(struct zerocheck *zc, const gf128 *r, gf128 *round1_ab)
{
    unsigned n = zc->m - 13;
    gf128 constant = GF128_ONE; /* C = eq_table(r_0 .. r_6)[0]: spec 05, 5.4.1 */

    zc->log_segments = skip_log_segments(zc->m);
    split_eq_set(&zc->eq, r + 7, n, at_most(n - zc->log_segments, LOG_SKIP_BLOCK));
    parallel_for(zc->context->threads, (size_t)1 << zc->log_segments, skip_task, zc);

    memset(round1_ab, 0, SKIP_SIZE * sizeof *round1_ab);
    for (size_t i = 0; i < (size_t)SKIP_SIZE << zc->log_segments; i++) {
        round1_ab[i % SKIP_SIZE] = gf128_add(round1_ab[i % SKIP_SIZE], zc->sums[i]);
    }
    for (unsigned j = 0; j < 7; j++) {
        constant = gf128_mul(constant, gf128_add(GF128_ONE, r[j]));
    }
    kernels()->scale(round1_ab, round1_ab, constant, SKIP_SIZE);
}

/* P_c on Lambda from the partial evaluations: u_s = (1+r_0) s_s + r_0 s_{64+s}, extended. */
static void skip_linear(const struct column_partials *partial_c, const gf128 *r, gf128 *round1_c)
{
    struct partial_evaluations partial;
    gf128 u[SKIP_SIZE];

    partial_sum(&partial, partial_c, r + 1);
    for (unsigned s = 0; s < SKIP_SIZE; s++) {
        gf128 even = partial.s[s], odd = partial.s[SKIP_SIZE + s];
        u[s] = gf128_add(even, gf128_mul(r[0], gf128_add(even, odd)));
    }
    skip_extend(round1_c, u);
}

/* ---- the multilinear rounds (spec 05, 5.4.3) ---- */

/*
 * In rounds 0 and 1 the weights of a group of 128 rows have fixed coordinates: zc->inner, and eq
 * has one weight a group.
 */

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

/* Round 0, on bits. */
static void message_bits_task(void *context, size_t segment)
{
    const struct zerocheck *zc = context;
    size_t n_blocks = segment_blocks(zc), n_groups = (size_t)1 << zc->eq.log_low;
    gf128 total[2] = {{0, 0}};

    for (size_t k = segment * n_blocks; k < (segment + 1) * n_blocks; k++) {
        size_t first_row = 128 * n_groups * k;
        gf128 sums[2] = {{0, 0}};
        prover_kernels()->zerocheck_message_bits(sums, zc->a + first_row, zc->b + first_row,
                                                 zc->maps, zc->inner, zc->eq.low, n_groups);
        add_weighted(total, sums, zc->eq.high[k]);
    }
    memcpy(zc->sums + 2 * segment, total, sizeof total);
}

/* Round 1: rows 2x and 2x+1, an element of 128 bits, are folded to A'[x], which is forgotten. */
static void message_folded_bits_task(void *context, size_t segment)
{
    const struct zerocheck *zc = context;
    size_t n_blocks = segment_blocks(zc), n_groups = (size_t)1 << zc->eq.log_low;
    gf128 total[2] = {{0, 0}};

    for (size_t k = segment * n_blocks; k < (segment + 1) * n_blocks; k++) {
        size_t first = 64 * n_groups * k;
        gf128 sums[2] = {{0, 0}};
        prover_kernels()->zerocheck_message_folded_bits(sums, (const gf128 *)zc->a + first,
                                                        (const gf128 *)zc->b + first, zc->maps,
                                                        zc->inner, zc->eq.low, n_groups);
        add_weighted(total, sums, zc->eq.high[k]);
    }
    memcpy(zc->sums + 2 * segment, total, sizeof total);
}

/* a := a AND b, n elements from `first` on. */
static void make_z(const struct zerocheck *zc, size_t first, size_t n)
{
    uint64_t *a = zc->a + 2 * first;
    const uint64_t *b = zc->b + 2 * first;
    for (size_t i = 0; i < 2 * n; i++) {
        a[i] &= b[i];
    }
}

/* Round 2: four rows are folded to an element; a and b are not needed any longer. */
static void fold_bits_task(void *context, size_t segment)
{
    const struct zerocheck *zc = context;
    size_t n_blocks = segment_blocks(zc), n = (size_t)1 << zc->eq.log_low;
    gf128 total[2] = {{0, 0}}, A[CHUNK], B[CHUNK];

    for (size_t k = segment * n_blocks; k < (segment + 1) * n_blocks; k++) {
        size_t first = 4 * n * k;
        gf128 sums[2] = {{0, 0}};
        prover_kernels()->zerocheck_fold_bits(sums, A, B, (const gf128 *)zc->a + first,
                                              (const gf128 *)zc->b + first, zc->maps, zc->eq.low,
                                              n);
        make_z(zc, first, 4 * n);
        memcpy(zc->A + first, A, 2 * n * sizeof *A);
        memcpy(zc->B + first, B, 2 * n * sizeof *B);
        add_weighted(total, sums, zc->eq.high[k]);
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

/*
 * Run a round whose message has 2^n weights eq_table(point), at most 2^log_block in a block; send
 * it, and draw the challenge.
 */
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
    transcript_scalar(zc->t, message[0]);
    transcript_scalar(zc->t, message[1]);
    zc->rho = transcript_sample(zc->t);
}

/* The number of segments for a message of 2^n weights. */
static unsigned choose_log_segments(unsigned n)
{
    return n <= LOG_TASK ? 0 : at_most(n - LOG_TASK, MAX_LOG_SEGMENTS);
}

/* Cut the arrays of 2^log_n elements up for a fold with 2^(log_n - 2) weights. */
static void cut(struct zerocheck *zc, unsigned log_n)
{
    zc->log_segments = choose_log_segments(log_n - 2);
    zc->spacing = (size_t)2 << (log_n - zc->log_segments);
}

/*
 * The same for segments that are down to a part of a chunk each, which are moved together first:
 * in this order none is written over before it has been moved.
 */
static void recut(struct zerocheck *zc, unsigned log_n)
{
    size_t length = (size_t)1 << (log_n - zc->log_segments);

    for (size_t s = 1; s >> zc->log_segments == 0; s++) {
        size_t at = s * length, to = at / CHUNK * 2 * CHUNK + at % CHUNK;
        memmove(zc->A + to, zc->A + s * zc->spacing, length * sizeof *zc->A);
        memmove(zc->B + to, zc->B + s * zc->spacing, length * sizeof *zc->B);
    }
    cut(zc, log_n);
}

/*
 * The linear maps of 2^n rows that are folded to an element: row i has the weights lagrange times
 * eq_table(rho)[i].
 */
static void prepare_maps(struct zerocheck *zc, void (*prepare)(struct linear64 *, const gf128 *),
                         const gf128 *lagrange, const gf128 *rho, unsigned n)
{
    gf128 weights[SKIP_SIZE], eq[4];

    eq_table(eq, rho, n);
    for (size_t i = 0; i >> n == 0; i++) {
        kernels()->scale(weights, lagrange, eq[i], SKIP_SIZE);
        prepare(&zc->maps[i], weights);
    }
}

static flock_status run_rounds(struct zerocheck *zc, const gf128 *r, gf128 z,
                               struct zerocheck_proof *proof, struct zerocheck_result *result)
{
    const struct prover_kernels *kernel = prover_kernels();
    gf128 lagrange[SKIP_SIZE];
    unsigned n_rounds = zc->m - 6, n_outer = zc->m - 13;

    lagrange_S(lagrange, z);
    prepare_maps(zc, kernel->zerocheck_bits_prepare, lagrange, result->rho, 0);
    eq_table(zc->inner, r + 1, 6);
    zc->log_segments = choose_log_segments(n_rounds - 1);
    run_round(zc, message_bits_task, r + 7, n_outer, LOG_CHUNK + 1, proof->rounds[0]);
    result->rho[0] = zc->rho;

    prepare_maps(zc, kernel->zerocheck_bits_prepare, lagrange, result->rho, 1);
    zc->log_segments = choose_log_segments(n_rounds - 2);
    eq_table(zc->inner, r + 2, 5);
    run_round(zc, message_folded_bits_task, r + 7, n_outer, LOG_CHUNK - 5, proof->rounds[1]);
    result->rho[1] = zc->rho;

    prepare_maps(zc, kernel->linear64_prepare, lagrange, result->rho, 2);
    zc->chunk = (size_t)1 << at_most(n_rounds - 2, LOG_CHUNK);
    zc->B = zc->A + zc->chunk;
    zc->log_segments = choose_log_segments(n_rounds - 3);
    run_round(zc, fold_bits_task, r + 3, n_rounds - 3, LOG_CHUNK - 1, proof->rounds[2]);
    result->rho[2] = zc->rho;

    cut(zc, n_rounds - 2);
    for (unsigned i = 3; i < n_rounds; i++) {
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
    flock_status status =
        zc->z != NULL ? partial_evaluate(context, partial_c, (const gf128 *)zc->z, r + 1, zc->m - 7)
                      : partial_evaluate_and(context, partial_c, (const gf128 *)zc->a,
                                             (const gf128 *)zc->b, r + 1, zc->m - 7);
    if (status == FLOCK_OK) {
        status = prover_progress(context, FLOCK_PHASE_ZEROCHECK, 0.1);
    }
    if (status != FLOCK_OK) {
        return status;
    }
    prover_part(context, "skip round");
    skip_linear(partial_c, r, proof->round1_c);
    skip_product(zc, r, proof->round1_ab);
    transcript_slice(zc->t, proof->round1_ab, SKIP_SIZE);
    transcript_slice(zc->t, proof->round1_c, SKIP_SIZE);
    gf128 z = transcript_sample(zc->t);
    lagrange_Lambda(weights, z);
    proof->v_c = kernels()->dot(weights, proof->round1_c, SKIP_SIZE);

    status = prover_progress(context, FLOCK_PHASE_ZEROCHECK, 0.5);
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
    /* The longest high parts: that of the skip round is at most one weight a task or 2^(m-20). */
    unsigned log_low = LOG_CHUNK + 1;
    unsigned log_high = m - 7 < log_low + MAX_LOG_SEGMENTS ? MAX_LOG_SEGMENTS : m - 7 - log_low;
    zc.eq.low = memory_take(memory, "zerocheck eq tables",
                            ((size_t)1 << log_low) + ((size_t)1 << log_high), sizeof(gf128));
    zc.sums = memory_take(memory, "zerocheck sums", (size_t)SKIP_SIZE << skip_log_segments(m),
                          sizeof(gf128));
    zc.maps = memory_take(memory, "zerocheck maps", 4, sizeof(struct linear64));
    flock_status status = FLOCK_ERR_MEMORY;
    if (zc.eq.low != NULL && zc.sums != NULL && zc.maps != NULL) {
        zc.eq.high = zc.eq.low + ((size_t)1 << log_low);
        status = prove(&zc, proof, result, claim_c, partial_c);
    }
    memory_give(memory, zc.maps);
    memory_give(memory, zc.sums);
    memory_give(memory, zc.eq.low);
    return status;
}
