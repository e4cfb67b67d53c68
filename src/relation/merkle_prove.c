#include "relation/merkle.h"

#include "base/prover_context.h"
#include "field/multilinear.h"
#include "piop/high_rounds.h"

/* Seven tables of N elements, one after the other. */
enum { T, E, B, G_0, G_1, G_2, G_3, N_TABLES };

enum {
    TASK_INSTANCES = 1 << 10,
    LEAST_PARTED = 1 << 8 /* of a message, which takes twelve products an instance */
};

struct tables_job {
    const flock_statement *statement;
    size_t D;
    gf128 alpha;
    const gf128 *eq_paths;
    gf128 *const *table;
    size_t n_paths; /* of a task */
};

/* T, B and the ends of E for some paths. */
static void fill_tables(void *context, size_t task)
{
    const struct tables_job *job = context;
    size_t D = job->D;
    for (size_t p = task * job->n_paths; p < (task + 1) * job->n_paths; p++) {
        gf128 *t = job->table[T] + p * D, *e = job->table[E] + p * D, *b = job->table[B] + p * D;
        t[0] = gf128_mul(job->alpha, job->eq_paths[p]);
        memcpy(t + 1, e, (D - 1) * sizeof *t);
        if (job->statement->format == FLOCK_NATIVE) {
            e[D - 1] = GF128_ZERO;
        }
        for (size_t d = 0; d < D; d++) {
            b[d] = gf128_from_u64(merkle_bit(job->statement, p, d));
        }
    }
}

/* eq_paths: room for an element for each path. */
static void make_tables(struct prover_context *context, const flock_statement *statement,
                        const struct setup *setup, const struct merkle_challenges *ch,
                        const gf128 *packed_witness, gf128 *const table[N_TABLES], gf128 *eq_paths)
{
    struct merkle_shape shape = merkle_shape_of(statement);
    size_t D = (size_t)1 << shape.pos_log, all = (size_t)1 << shape.path_log;
    size_t n_paths = D < TASK_INSTANCES ? TASK_INSTANCES / D : 1;
    fold_slots(context, setup, &ch->tau_pos, packed_witness, 4, table[G_0]);
    eq_table(table[E], ch->tau, setup->shape.n_log);
    eq_table(eq_paths, ch->tau + shape.pos_log, shape.path_log);
    struct tables_job job = {
        .statement = statement,
        .D = D,
        .alpha = ch->alpha,
        .eq_paths = eq_paths,
        .table = table,
        .n_paths = n_paths < all ? n_paths : all,
    };
    parallel_for(context->threads, all / job.n_paths, fill_tables, &job);
}

/* E g_1 + T ((1 + B) g_2 + B g_3) */
static gf128 instance_term(const gf128 v[N_TABLES])
{
    gf128 other = gf128_mul(v[B], gf128_add(v[G_2], v[G_3]));
    gf128 in = gf128_mul(v[T], gf128_add(v[G_2], other));
    return gf128_add(gf128_mul(v[E], v[G_1]), in);
}

struct round_job {
    gf128 *const *table;
    unsigned n;
    gf128 (*term)(const gf128 *v);
    size_t half;
    gf128 (*sums)[MERKLE_WIDTH]; /* of each part */
};

static void message_part(const void *argument, size_t part, size_t begin, size_t end)
{
    const struct round_job *job = argument;
    gf128 *sums = job->sums[part];
    memset(sums, 0, MERKLE_WIDTH * sizeof *sums);
    for (size_t i = begin; i < end; i++) {
        gf128 at[MERKLE_WIDTH][N_TABLES];
        for (unsigned k = 0; k < job->n; k++) {
            gf128 low = job->table[k][i], high = job->table[k][i + job->half];
            gf128 slope = gf128_add(low, high);
            at[0][k] = high;
            at[1][k] = gf128_add(low, gf128_mul_x(slope));
            at[2][k] = gf128_add(at[1][k], slope);
        }
        for (unsigned x = 0; x < MERKLE_WIDTH; x++) {
            sums[x] = gf128_add(sums[x], job->term(at[x]));
        }
    }
}

/*
 * sum_{i<half} term(low + X (low + high)) at X = 1, omega, omega + 1 over `n` tables; omega is x,
 * so the tables need shifts only.
 */
static void round_message(struct prover_context *context, gf128 message[MERKLE_WIDTH],
                          gf128 *const *table, unsigned n, gf128 (*term)(const gf128 *v),
                          size_t half)
{
    gf128 sums[HIGH_MAX_PARTS][MERKLE_WIDTH];
    struct round_job job = {table, n, term, half, sums};
    size_t n_parts = high_parts(context, half, LEAST_PARTED, message_part, &job);
    memset(message, 0, MERKLE_WIDTH * sizeof *message);
    for (size_t part = 0; part < n_parts; part++) {
        for (unsigned x = 0; x < MERKLE_WIDTH; x++) {
            message[x] = gf128_add(message[x], sums[part][x]);
        }
    }
}

static gf128 slot_term(const gf128 v[2])
{
    return gf128_mul(v[0], v[1]);
}

/* One round: the message, the challenge, all tables at it. */
static gf128 prove_round(struct prover_context *context, struct transcript *t,
                         gf128 message[MERKLE_WIDTH], gf128 *const *table, unsigned n,
                         gf128 (*term)(const gf128 *v), size_t half)
{
    round_message(context, message, table, n, term, half);
    for (unsigned x = 0; x < MERKLE_WIDTH; x++) {
        transcript_scalar(t, message[x]);
    }
    gf128 r = transcript_sample(t);
    high_fold(context, table, n, half, r);
    return r;
}

static flock_status prove(struct prover_context *context, struct transcript *t,
                          const flock_statement *statement, const struct setup *setup,
                          const gf128 *packed_witness, struct glue_proof *proof,
                          struct claims *claims)
{
    unsigned n = setup->shape.n_log;
    size_t N = (size_t)1 << n;
    size_t all_paths = (size_t)1 << merkle_shape_of(statement).path_log;
    gf128 *memory = memory_take(&context->memory, "Merkle tables", N_TABLES * N, sizeof *memory);
    gf128 *eq_paths = memory_take(&context->memory, "eq table", all_paths, sizeof *eq_paths);
    if (memory == NULL || eq_paths == NULL) {
        memory_give(&context->memory, memory);
        memory_give(&context->memory, eq_paths);
        return FLOCK_ERR_MEMORY;
    }
    gf128 *table[N_TABLES];
    for (unsigned k = 0; k < N_TABLES; k++) {
        table[k] = memory + k * N;
    }
    struct merkle_challenges ch;
    merkle_sample(t, setup, &ch);
    make_tables(context, statement, setup, &ch, packed_witness, table, eq_paths);
    memory_give(&context->memory, eq_paths);

    gf128 r[MAX_MERKLE_N_LOG + MERKLE_EXTRA_ROUNDS], *message = proof->rounds;
    for (unsigned k = 0; k < n; k++, message += MERKLE_WIDTH) {
        r[k] = prove_round(context, t, message, table, N_TABLES, instance_term, N >> (k + 1));
    }
    /* Slots are left: weights and values, index = low bit + 2 * high bit. */
    gf128 right = gf128_mul(table[T][0], table[B][0]);
    gf128 weight[4] = {GF128_ZERO, table[E][0], gf128_add(table[T][0], right), right};
    gf128 value[4] = {table[G_0][0], table[G_1][0], table[G_2][0], table[G_3][0]};
    gf128 *const slots[2] = {weight, value};
    r[n] = prove_round(context, t, message, slots, 2, slot_term, 2);
    r[n + 1] = prove_round(context, t, message + MERKLE_WIDTH, slots, 2, slot_term, 1);
    proof->g = value[0];
    merkle_claims(t, statement, setup, &ch, r, proof->g, claims);
    memory_give(&context->memory, memory);
    return FLOCK_OK;
}

const struct relation_prover merkle_relation_prover = {.prove = prove,
                                                       .table_bytes = MERKLE_TABLE_BYTES};
