/* The prover's journey: one page, and the calls of prove.h around it. */
#include <flock/prove.h>

#include <stdlib.h>

#include "base/clock.h"
#include "base/prover_context.h"
#include "prover.h"
#include "relation/inputs.h"

const char *flock_phase_name(flock_phase phase)
{
    static const char *const names[FLOCK_N_PHASES] = {"witness",  "commit", "zerocheck",
                                                      "lincheck", "open",   "grind"};
    return (unsigned)phase < FLOCK_N_PHASES ? names[phase] : "unknown";
}

void flock_free(void *pointer)
{
    free(pointer);
}

/* The phase before ends here. */
static flock_status enter_phase(struct prover_context *context, flock_phase phase)
{
    double now = monotonic_seconds();
    context->phase_seconds[context->phase] += now - context->phase_began;
    context->phase_began = now;
    context->phase = phase;
    return prover_progress(context, phase, 0);
}

/* ---- witness ---- */

enum {
    FILL_BATCH = 8, /* instances a task */
    FILL_SLICES = 16
};

struct fill_job {
    const struct circuit_prover *prover;
    const struct witness *witness;
    const uint8_t *inputs;
    size_t first;
};

static void fill_task(void *argument, size_t i)
{
    const struct fill_job *job = argument;
    size_t first = job->first + i * FILL_BATCH;
    size_t offset = first * job->prover->circuit->copies * job->prover->input_bytes;
    job->prover->fill(job->inputs + offset, first, FILL_BATCH, job->witness);
}

flock_status make_witness(struct prover_context *context, const struct setup *setup,
                          const struct circuit_prover *prover, const void *inputs,
                          struct witness *witness)
{
    struct memory *memory = &context->memory;
    size_t words = (size_t)1 << (setup->m - 6);
    witness->shape = setup->shape;
    witness->z = memory_take(memory, "witness z", words, sizeof(uint64_t));
    witness->a = memory_take(memory, "witness a", words, sizeof(uint64_t));
    witness->b = memory_take(memory, "witness b", words, sizeof(uint64_t));
    if (witness->z == NULL || witness->a == NULL || witness->b == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    size_t batches = ((size_t)1 << setup->shape.n_log) / FILL_BATCH;
    for (size_t slice = 0; slice < FILL_SLICES; slice++) {
        size_t begin = batches * slice / FILL_SLICES, end = batches * (slice + 1) / FILL_SLICES;
        struct fill_job job = {prover, witness, inputs, begin * FILL_BATCH};
        parallel_for(context->threads, end - begin, fill_task, &job);
        flock_status status =
            prover_progress(context, FLOCK_PHASE_WITNESS, (double)(slice + 1) / FILL_SLICES);
        if (status != FLOCK_OK) {
            return status;
        }
    }
    return FLOCK_OK;
}

/* ---- the proof ---- */

flock_status prove_witness(struct prover_context *context, const struct witness *witness,
                           const void *domain, size_t domain_len, struct proof_file *file)
{
    const struct setup *setup = &file->setup;
    struct proof *proof = &file->proof;
    const gf128 *packed = (const gf128 *)witness->z;
    struct oracle oracle;
    struct transcript t;
    struct zerocheck_result zerocheck;
    struct claims claims = {.n_quirky = 2};
    struct partial_evaluations partial[2];
    flock_status status;

    if ((status = enter_phase(context, FLOCK_PHASE_COMMIT)) != FLOCK_OK ||
        (status = oracle_commit(context, &oracle, packed, &setup->params.level[0])) != FLOCK_OK) {
        return status;
    }
    memcpy(file->root, tree_root(&oracle.tree), 32);
    statement_begin(&t, &file->statement, setup, file->root, domain, domain_len);

    if ((status = enter_phase(context, FLOCK_PHASE_ZEROCHECK)) != FLOCK_OK ||
        (status = zerocheck_prove(context, &t, setup->m, witness->z, witness->a, witness->b,
                                  &proof->zerocheck, &zerocheck, &claims.quirky[CLAIM_C],
                                  &partial[CLAIM_C])) != FLOCK_OK) {
        return status;
    }
    memory_give(&context->memory, witness->a);
    memory_give(&context->memory, witness->b);

    if ((status = enter_phase(context, FLOCK_PHASE_LINCHECK)) != FLOCK_OK ||
        (status = lincheck_prove(context, &t, setup->circuit, &setup->shape, witness->z, &zerocheck,
                                 &proof->lincheck, &claims.quirky[CLAIM_AB], &partial[CLAIM_AB])) !=
            FLOCK_OK) {
        return status;
    }
    if (file->statement.relation == FLOCK_CHAIN &&
        (status = chain_prove(context, &t, &file->statement, setup, packed, &proof->chain,
                              &claims)) != FLOCK_OK) {
        return status;
    }
    if ((status = enter_phase(context, FLOCK_PHASE_OPEN)) != FLOCK_OK ||
        (status = opening_prove(context, &t, &setup->params, packed, &oracle, &claims, partial,
                                &proof->opening)) != FLOCK_OK) {
        return status;
    }
    return prover_progress(context, FLOCK_PHASE_OPEN, 1);
}

static void write_report(const struct prover_context *context, unsigned m, flock_report *report)
{
    memset(report, 0, sizeof *report);
    for (int i = 0; i < FLOCK_N_PHASES; i++) {
        report->seconds[i] = context->phase_seconds[i];
        report->total_seconds += context->phase_seconds[i];
    }
    /* All grinding happens within the opening. */
    report->seconds[FLOCK_PHASE_OPEN] -= context->grind_seconds;
    report->seconds[FLOCK_PHASE_GRIND] = context->grind_seconds;
    report->peak_bytes = context->memory.peak_bytes;
    report->witness_bytes = (size_t)1 << (m - 3);
    report->threads = context->threads;
}

/* Produces the inputs of all 2^n_log instances and completes the statement's public values. */
typedef void input_maker(const void *source, uint64_t slots, void *inputs,
                         flock_statement *statement);

static flock_status prove_inputs(struct prover_context *context, input_maker *make_inputs,
                                 const void *source, const void *domain, size_t domain_len,
                                 struct proof_file *file)
{
    const struct circuit_prover *prover = circuit_prover_of(file->statement.circuit);
    if (prover == NULL) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    size_t slots = (size_t)1 << file->setup.shape.n_log;
    void *inputs = memory_take(&context->memory, "inputs", slots * prover->circuit->copies,
                               prover->input_bytes);
    if (inputs == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    make_inputs(source, slots, inputs, &file->statement);
    struct witness witness;
    flock_status status = make_witness(context, &file->setup, prover, inputs, &witness);
    if (status != FLOCK_OK) {
        return status;
    }
    memory_give(&context->memory, inputs);
    return prove_witness(context, &witness, domain, domain_len, file);
}

static flock_status prove_file(const flock_statement *statement, input_maker *make_inputs,
                               const void *source, const void *domain, size_t domain_len,
                               const flock_options *options, struct proof_file *file,
                               uint8_t **bytes, size_t *len)
{
    static const flock_options defaults;
    struct prover_context context = {.options = options != NULL ? options : &defaults};
    context.threads = parallel_threads(context.options->threads);
    context.phase_began = monotonic_seconds();
    memory_init(&context.memory);

    file->statement = *statement;
    flock_status status = statement_setup(statement, &file->setup);
    if (status == FLOCK_OK) {
        status = enter_phase(&context, FLOCK_PHASE_WITNESS);
    }
    if (status == FLOCK_OK) {
        status = prove_inputs(&context, make_inputs, source, domain, domain_len, file);
    }
    if (status == FLOCK_OK) {
        *bytes = proof_file_write(file, len);
        status = *bytes != NULL ? FLOCK_OK : FLOCK_ERR_MEMORY;
    }
    if (status == FLOCK_OK && context.options->report != NULL) {
        context.phase_seconds[context.phase] += monotonic_seconds() - context.phase_began;
        write_report(&context, file->setup.m, context.options->report);
    }
    memory_release(&context.memory);
    return status;
}

/* ---- prove.h ---- */

static flock_status prove_public(const flock_statement *to_prove, input_maker *make_inputs,
                                 const void *source, const char *domain, size_t domain_len,
                                 const char *default_domain, const flock_options *options,
                                 uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    struct proof_file file;
    if (domain == NULL) {
        domain = default_domain;
        domain_len = strlen(default_domain);
    }
    flock_status status = prove_file(to_prove, make_inputs, source, domain, domain_len, options,
                                     &file, proof, proof_len);
    if (status == FLOCK_OK && statement != NULL) {
        *statement = file.statement;
    }
    return status;
}

static flock_statement chain_statement(const flock_chain *chain)
{
    return (flock_statement){.format = chain->format,
                             .relation = FLOCK_CHAIN,
                             .circuit = chain->circuit,
                             .layout = chain->layout,
                             .profile = chain->profile,
                             .count = chain->steps};
}

static void make_chain_inputs(const void *source, uint64_t slots, void *inputs,
                              flock_statement *statement)
{
    chain_inputs(source, slots, inputs, statement->start, statement->end);
}

flock_status flock_prove_chain(const flock_chain *chain, const flock_options *options,
                               uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    flock_statement to_prove = chain_statement(chain);
    return prove_public(&to_prove, make_chain_inputs, chain, chain->domain, chain->domain_len,
                        REFERENCE_CHAIN_DOMAIN, options, proof, proof_len, statement);
}

/* Missing instances are those of the all-zero input (spec 06, 6.1; 07, 4). */
static void make_batch_inputs(const void *source, uint64_t slots, void *inputs,
                              flock_statement *statement)
{
    const flock_batch *batch = source;
    const struct circuit_prover *prover = circuit_prover_of(statement->circuit);
    size_t given = batch->count * prover->input_bytes;
    size_t all = slots * prover->circuit->copies * prover->input_bytes;
    memcpy(inputs, batch->inputs, given);
    memset((uint8_t *)inputs + given, 0, all - given);
}

flock_status flock_prove_batch(const flock_batch *batch, const flock_options *options,
                               uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    flock_statement to_prove = {.format = batch->format,
                                .relation = FLOCK_BATCH,
                                .circuit = batch->circuit,
                                .layout = batch->layout,
                                .profile = batch->profile,
                                .count = batch->count};
    return prove_public(&to_prove, make_batch_inputs, batch, batch->domain, batch->domain_len,
                        REFERENCE_BATCH_DOMAIN, options, proof, proof_len, statement);
}

/*
 * The peak stands in the opening or in the zerocheck. In units of the witness W = 2^m / 8: z, a and
 * b (3), the codeword (2^r) and its tree, folded halves and the weight; in the witness phase z, a,
 * b and the inputs.
 */
uint64_t flock_chain_memory(const flock_chain *chain)
{
    struct setup setup;
    flock_statement statement = chain_statement(chain);
    if (statement_setup(&statement, &setup) != FLOCK_OK) {
        return 0;
    }
    const struct circuit_prover *prover = circuit_prover_of(chain->circuit);
    const struct level_params *level = &setup.params.level[0];
    uint64_t witness = (uint64_t)1 << (setup.m - 3);
    uint64_t inputs = prover == NULL ? 0 : (uint64_t)prover->input_bytes << setup.shape.n_log;
    uint64_t codeword = witness << level->r;
    uint64_t tree = (uint64_t)64 << (level->c + level->r);
    uint64_t chain_tables = (uint64_t)64 << setup.shape.n_log;
    uint64_t fixed = (uint64_t)16 << 20;
    return 4 * witness + codeword + tree + inputs + chain_tables + fixed;
}
