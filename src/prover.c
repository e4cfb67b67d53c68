/* The prover's journey: one page. */
#include "prover.h"

/* The phase before ends here; this one begins with the part `name`. */
static flock_status enter_phase(struct prover_context *context, flock_phase phase, const char *name)
{
    prover_enter(context, phase, name);
    return prover_progress(context, phase, 0);
}

/* ---- witness ---- */

/* A task fills this many instances: as many as there are for long runs in batch-major. */
enum {
    FILL_MOST = 32,
    FILL_LEAST = 8,
    TASKS_PER_THREAD = 4, /* where there are enough instances */
    FILL_SLICES = 16      /* reports of progress */
};

struct fill_job {
    const struct circuit_prover *prover;
    const struct witness *witness;
    const uint8_t *inputs;
    size_t first, count; /* of the first task, of each */
};

static void fill_task(void *argument, size_t i)
{
    const struct fill_job *job = argument;
    size_t first = job->first + i * job->count;
    size_t offset = first * job->prover->circuit->copies * job->prover->input_bytes;
    job->prover->fill(job->inputs + offset, first, job->count, job->witness);
}

/* Into witness->z, and a and b taken from the context's memory. */
static flock_status fill_witness(struct prover_context *context, const struct setup *setup,
                                 const struct circuit_prover *prover, const void *inputs,
                                 struct witness *witness)
{
    struct memory *memory = &context->memory;
    size_t words = (size_t)1 << (setup->m - 6);
    witness->shape = setup->shape;
    witness->a = memory_take(memory, "witness a", words, sizeof(uint64_t));
    witness->b = memory_take(memory, "witness b", words, sizeof(uint64_t));
    if (witness->a == NULL || witness->b == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    prover_part(context, "fill");
    const size_t instances = (size_t)1 << setup->shape.n_log;
    const size_t enough = (size_t)TASKS_PER_THREAD * context->threads;
    size_t count = FILL_MOST;
    while (count > FILL_LEAST && instances / count < enough) {
        count /= 2;
    }
    size_t tasks = instances / count, slices = tasks / enough;
    slices = slices < 1 ? 1 : slices > FILL_SLICES ? FILL_SLICES : slices;
    for (size_t slice = 0; slice < slices; slice++) {
        size_t begin = tasks * slice / slices, end = tasks * (slice + 1) / slices;
        struct fill_job job = {prover, witness, inputs, begin * count, count};
        parallel_for(context->threads, end - begin, fill_task, &job);
        flock_status status =
            prover_progress(context, FLOCK_PHASE_WITNESS, (double)(slice + 1) / (double)slices);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    return FLOCK_OK;
}

flock_status make_witness(struct prover_context *context, const struct setup *setup,
                          const struct circuit_prover *prover, const void *inputs,
                          struct witness *witness)
{
    size_t words = (size_t)1 << (setup->m - 6);
    witness->z = memory_take(&context->memory, "witness z", words, sizeof(uint64_t));
    if (witness->z == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    return fill_witness(context, setup, prover, inputs, witness);
}

/* ---- the proof ---- */

/* What follows the commitment. witness->z = NULL: it is a AND b, of which the zerocheck makes it.
 */
static flock_status prove_committed(struct prover_context *context, const struct witness *witness,
                                    struct oracle *oracle, const void *domain, size_t domain_len,
                                    struct proof_file *file)
{
    const struct setup *setup = &file->setup;
    struct proof *proof = &file->proof;
    const uint64_t *z = witness->z != NULL ? witness->z : witness->a;
    const gf128 *packed = (const gf128 *)z;
    struct transcript t;
    struct zerocheck_result zerocheck;
    struct claims claims = {.n_quirky = 2};
    struct column_partials partial[2];
    flock_status status;

    memcpy(file->root, tree_root(&oracle->tree), 32);
    statement_begin(&t, &file->statement, setup, file->root, domain, domain_len);

    if ((status = enter_phase(context, FLOCK_PHASE_ZEROCHECK, "skip round")) != FLOCK_OK ||
        (status = zerocheck_prove(context, &t, setup->m, witness->z, witness->a, witness->b,
                                  &proof->zerocheck, &zerocheck, &claims.quirky[CLAIM_C],
                                  &partial[CLAIM_C])) != FLOCK_OK) {
        return status;
    }
    memory_give(&context->memory, witness->b);
    if (z != witness->a) {
        memory_give(&context->memory, witness->a);
    }

    if ((status = enter_phase(context, FLOCK_PHASE_LINCHECK, "fold instances")) != FLOCK_OK ||
        (status = lincheck_prove(context, &t, setup->circuit, &setup->shape, z, &zerocheck,
                                 &proof->lincheck, &claims.quirky[CLAIM_AB], &partial[CLAIM_AB])) !=
            FLOCK_OK) {
        return status;
    }
    prover_part(context, "relation");
    if ((status = relation_prover_of(file->statement.relation)
                      ->prove(context, &t, &file->statement, setup, packed, &proof->glue,
                              &claims)) != FLOCK_OK) {
        return status;
    }
    if ((status = enter_phase(context, FLOCK_PHASE_OPEN, "ring switch")) != FLOCK_OK ||
        (status = opening_prove(context, &t, &setup->params, packed, oracle, &claims, partial,
                                &proof->opening)) != FLOCK_OK) {
        return status;
    }
    return prover_progress(context, FLOCK_PHASE_OPEN, 1);
}

/* Of each instance, the elements behind the last useful column; row-major they are side by side. */
static struct known_zeros zeros_of_witness(const struct circuit *circuit, const struct shape *shape)
{
    return shape->layout == FLOCK_ROW_MAJOR
               ? (struct known_zeros){shape->k_log - 7, (circuit->useful_bits + 127) / 128}
               : no_known_zeros;
}

static flock_status commit(struct prover_context *context, struct oracle *oracle,
                           const gf128 *packed, const struct setup *setup)
{
    flock_status status = enter_phase(context, FLOCK_PHASE_COMMIT, "encode");
    return status != FLOCK_OK ? status
                              : oracle_commit(context, oracle, packed, &setup->params.level[0]);
}

flock_status prove_witness(struct prover_context *context, const struct witness *witness,
                           const void *domain, size_t domain_len, struct proof_file *file)
{
    struct oracle oracle;
    flock_status status = commit(context, &oracle, (const gf128 *)witness->z, &file->setup);
    return status != FLOCK_OK
               ? status
               : prove_committed(context, witness, &oracle, domain, domain_len, file);
}

static void write_report(const struct prover_context *context, unsigned m, flock_report *report)
{
    memset(report, 0, sizeof *report);
    for (unsigned i = 0; i < context->n_parts; i++) {
        const flock_part *part = &context->parts[i];
        report->parts[i] = *part;
        report->seconds[part->phase] += part->seconds;
        report->serial_seconds[part->phase] += part->serial_seconds;
        report->busy_seconds[part->phase] += part->busy_seconds;
        report->total_seconds += part->seconds;
    }
    report->n_parts = context->n_parts;
    report->peak_bytes = context->memory.peak_bytes;
    report->witness_bytes = (size_t)1 << (m - 3);
    report->threads = context->threads;
}

/* The inputs of all instances in *inputs, and in *made what is to be given back of them. */
static flock_status take_inputs(struct prover_context *context, input_maker *make_inputs,
                                const void *source, const struct circuit_prover *prover,
                                struct proof_file *file, const void **inputs, void **made)
{
    size_t slots = (size_t)1 << file->setup.shape.n_log;
    *inputs = source;
    *made = NULL;
    if (make_inputs == NULL) {
        return FLOCK_OK;
    }
    *inputs = *made = memory_take(&context->memory, "inputs", slots * prover->circuit->copies,
                                  prover->input_bytes);
    if (*made == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    prover_part(context, "inputs");
    return make_inputs(context, source, slots, *made, &file->statement);
}

static flock_status prove_inputs(struct prover_context *context, input_maker *make_inputs,
                                 const void *source, const void *domain, size_t domain_len,
                                 struct proof_file *file)
{
    const struct circuit_prover *prover = circuit_prover_of(file->statement.circuit);
    if (prover == NULL) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    const void *inputs;
    void *made;
    struct witness witness;
    struct oracle oracle;
    gf128 *packed;
    flock_status status;
    if ((status = take_inputs(context, make_inputs, source, prover, file, &inputs, &made)) !=
            FLOCK_OK ||
        (status = oracle_take(context, &oracle, &file->setup.params.level[0], &packed)) !=
            FLOCK_OK) {
        return status;
    }
    /* z is written over by its codeword: no more than four times its size is ever in use. */
    witness.z = (uint64_t *)packed;
    if ((status = fill_witness(context, &file->setup, prover, inputs, &witness)) != FLOCK_OK) {
        return status;
    }
    memory_give(&context->memory, made);
    oracle.zeros = zeros_of_witness(prover->circuit, &witness.shape);
    if ((status = commit(context, &oracle, NULL, &file->setup)) != FLOCK_OK) {
        return status;
    }
    witness.z = NULL;
    return prove_committed(context, &witness, &oracle, domain, domain_len, file);
}

flock_status prove_file(const flock_statement *statement, input_maker *make_inputs,
                        const void *source, const void *domain, size_t domain_len,
                        const flock_options *options, struct proof_file *file, uint8_t **bytes,
                        size_t *len)
{
    static const flock_options defaults;
    struct prover_context context = {.options = options != NULL ? options : &defaults};
    flock_prover *keeper = context.options->prover;
    context.threads = parallel_threads(context.options->threads);
    if (keeper == NULL) {
        memory_init(&context.memory);
        context.memory.keeps = true;
    } else if (atomic_flag_test_and_set(&keeper->in_use)) {
        return FLOCK_ERR_ARGUMENT;
    } else {
        context.memory = keeper->memory;
    }

    prover_enter(&context, FLOCK_PHASE_WITNESS, "set-up");
    file->statement = *statement;
    flock_status status = statement_setup(statement, &file->setup);
    if (status == FLOCK_OK) {
        status = prover_progress(&context, FLOCK_PHASE_WITNESS, 0);
    }
    if (status == FLOCK_OK) {
        status = prove_inputs(&context, make_inputs, source, domain, domain_len, file);
    }
    if (status == FLOCK_OK) {
        prover_part(&context, "proof file");
        uint8_t *written = proof_file_write(file, len);
        if (written != NULL) {
            *bytes = written;
        } else {
            status = FLOCK_ERR_MEMORY;
        }
    }
    if (status == FLOCK_OK && context.options->report != NULL) {
        prover_part(&context, "proof file"); /* ends it */
        write_report(&context, file->setup.m, context.options->report);
    }
    if (keeper == NULL) {
        memory_release(&context.memory);
    } else {
        memory_reset(&context.memory);
        keeper->memory = context.memory;
        atomic_flag_clear(&keeper->in_use);
    }
    return status;
}
