/* The calls of prove.h: from what a caller wants proved to a statement and the inputs. */
#include <flock/prove.h>

#include <stdlib.h>

#include "prover.h"
#include "relation/digest.h"
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

flock_prover *flock_prover_create(void)
{
    flock_prover *prover = malloc(sizeof *prover);
    if (prover != NULL) {
        atomic_flag_clear(&prover->in_use);
        memory_init(&prover->memory);
        prover->memory.keeps = true;
    }
    return prover;
}

void flock_prover_destroy(flock_prover *prover)
{
    if (prover != NULL) {
        memory_release(&prover->memory);
        free(prover);
    }
}

/*
 * In units of the witness W = 2^m / 8: the codeword (2^r), in which z is until it is committed to,
 * with a and b (2), later with z and the folded arrays of the opening (less); its tree, and in the
 * witness phase the inputs. An eighth of the codeword, at least a quarter of W, is for tables and
 * the buffers of many threads, which are less.
 */
static uint64_t memory_of(const flock_statement *statement)
{
    struct setup setup;
    if (statement_setup(statement, &setup) != FLOCK_OK) {
        return 0;
    }
    const struct circuit_prover *prover = circuit_prover_of(statement->circuit);
    const struct level_params *level = &setup.params.level[0];
    uint64_t witness = (uint64_t)1 << (setup.m - 3);
    uint64_t inputs = prover == NULL ? 0
                                     : (uint64_t)prover->input_bytes * prover->circuit->copies
                                           << setup.shape.n_log;
    uint64_t codeword = witness << level->r;
    uint64_t tree = (uint64_t)64 << (level->c + level->r);
    uint64_t glue = (uint64_t)relation_prover_of(statement->relation)->table_bytes
                    << setup.shape.n_log;
    uint64_t fixed = (uint64_t)16 << 20;
    return 2 * witness + codeword + codeword / 8 + tree + inputs + glue + fixed;
}

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
        if (statement->format == FLOCK_NATIVE) {
            /* Its pointers are to lead into the proof. */
            status = proof_file_read_statement(*proof, *proof_len, statement);
        }
    }
    return status;
}

/* For relations of the native format, which fixes its own domain. */
static flock_status prove_native(const flock_statement *to_prove, input_maker *make_inputs,
                                 const void *source, const flock_options *options, uint8_t **proof,
                                 size_t *proof_len, flock_statement *statement)
{
    return prove_public(to_prove, make_inputs, source, "", 0, NULL, options, proof, proof_len,
                        statement);
}

/* ---- chains ---- */

static flock_statement chain_statement(const flock_chain *chain)
{
    return (flock_statement){.format = chain->format,
                             .relation = FLOCK_CHAIN,
                             .circuit = chain->circuit,
                             .layout = chain->layout,
                             .profile = chain->profile,
                             .count = chain->steps};
}

static flock_status make_chain_inputs(const struct prover_context *context, const void *source,
                                      uint64_t slots, void *inputs, flock_statement *statement)
{
    (void)context;
    chain_inputs(source, slots, inputs, statement->start, statement->end);
    return FLOCK_OK;
}

flock_status flock_prove_chain(const flock_chain *chain, const flock_options *options,
                               uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    flock_statement to_prove = chain_statement(chain);
    return prove_public(&to_prove, make_chain_inputs, chain, chain->domain, chain->domain_len,
                        REFERENCE_CHAIN_DOMAIN, options, proof, proof_len, statement);
}

uint64_t flock_chain_memory(const flock_chain *chain)
{
    flock_statement statement = chain_statement(chain);
    return memory_of(&statement);
}

/* ---- digests ---- */

static flock_statement digest_statement(const flock_digest *digest)
{
    return (flock_statement){.format = FLOCK_NATIVE,
                             .relation = FLOCK_DIGEST,
                             .circuit = FLOCK_SHA256,
                             .layout = digest->layout,
                             .profile = digest->profile,
                             .count = digest_blocks(digest->message_bytes),
                             .message_bytes = digest->message_bytes};
}

static flock_status make_digest_inputs(const struct prover_context *context, const void *source,
                                       uint64_t slots, void *inputs, flock_statement *statement)
{
    (void)context;
    return digest_inputs(source, slots, inputs, statement);
}

flock_status flock_prove_digest(const flock_digest *digest, const flock_options *options,
                                uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    flock_statement to_prove = digest_statement(digest);
    return prove_native(&to_prove, make_digest_inputs, digest, options, proof, proof_len,
                        statement);
}

uint64_t flock_digest_memory(const flock_digest *digest)
{
    flock_statement statement = digest_statement(digest);
    return memory_of(&statement);
}

/* ---- Merkle paths ---- */

/* Without `paths`. */
static flock_statement merkle_statement(const flock_merkle *merkle)
{
    flock_statement statement = {.format = FLOCK_NATIVE,
                                 .relation = FLOCK_MERKLE,
                                 .circuit = FLOCK_SHA256,
                                 .layout = merkle->layout,
                                 .profile = merkle->profile,
                                 .count = merkle->depth * merkle->n_paths,
                                 .depth = merkle->depth,
                                 .n_paths = merkle->n_paths};
    if (merkle->root != NULL) {
        memcpy(statement.root, merkle->root, 32);
    }
    return statement;
}

static flock_status make_merkle_inputs(const struct prover_context *context, const void *source,
                                       uint64_t slots, void *inputs, flock_statement *statement)
{
    (void)slots;
    return merkle_inputs(context, statement, source, inputs);
}

static flock_status encode_paths(const flock_merkle *merkle, uint8_t *encoded)
{
    for (uint64_t p = 0; p < merkle->n_paths; p++) {
        const flock_merkle_path *path = &merkle->paths[p];
        if (path->index >> merkle->depth != 0) {
            return FLOCK_ERR_ARGUMENT;
        }
        flock_path_encode(encoded + p * FLOCK_PATH_BYTES, path->index, path->leaf);
    }
    return FLOCK_OK;
}

flock_status flock_prove_merkle(const flock_merkle *merkle, const flock_options *options,
                                uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    flock_statement to_prove = merkle_statement(merkle);
    struct setup setup;
    flock_status status = statement_setup(&to_prove, &setup);
    if (status != FLOCK_OK) {
        return status;
    }
    if (merkle->root == NULL || merkle->paths == NULL) {
        return FLOCK_ERR_ARGUMENT;
    }
    uint8_t *paths = malloc((size_t)merkle->n_paths * FLOCK_PATH_BYTES);
    if (paths == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    to_prove.paths = paths;
    status = encode_paths(merkle, paths);
    if (status == FLOCK_OK) {
        status = prove_native(&to_prove, make_merkle_inputs, merkle->paths, options, proof,
                              proof_len, statement);
    }
    free(paths);
    return status;
}

flock_status prove_reference_merkle(const flock_statement *statement,
                                    const flock_merkle_path *paths, const char *domain,
                                    size_t domain_len, const flock_options *options,
                                    uint8_t **proof, size_t *proof_len)
{
    return prove_public(statement, make_merkle_inputs, paths, domain, domain_len, NULL, options,
                        proof, proof_len, NULL);
}

uint64_t flock_merkle_memory(const flock_merkle *merkle)
{
    flock_statement statement = merkle_statement(merkle);
    return memory_of(&statement);
}

/* ---- batches ---- */

/* Missing instances are those of the all-zero input (spec 06, 6.1; 07, 4). */
static flock_status make_batch_inputs(const struct prover_context *context, const void *source,
                                      uint64_t slots, void *inputs, flock_statement *statement)
{
    (void)context;
    const flock_batch *batch = source;
    const struct circuit_prover *prover = circuit_prover_of(statement->circuit);
    size_t given = batch->count * prover->input_bytes;
    size_t all = slots * prover->circuit->copies * prover->input_bytes;
    memcpy(inputs, batch->inputs, given);
    memset((uint8_t *)inputs + given, 0, all - given);
    return FLOCK_OK;
}

static flock_statement batch_statement(const flock_batch *batch)
{
    return (flock_statement){.format = batch->format,
                             .relation = FLOCK_BATCH,
                             .circuit = batch->circuit,
                             .layout = batch->layout,
                             .profile = batch->profile,
                             .count = batch->count};
}

uint64_t flock_batch_memory(const flock_batch *batch)
{
    flock_statement statement = batch_statement(batch);
    return memory_of(&statement);
}

/* Are there inputs for all instances, so that they need not be copied? */
static bool is_full(const flock_batch *batch, const flock_statement *statement)
{
    struct setup setup;
    return statement_setup(statement, &setup) == FLOCK_OK &&
           batch->count == (uint64_t)setup.circuit->copies << setup.shape.n_log;
}

flock_status flock_prove_batch(const flock_batch *batch, const flock_options *options,
                               uint8_t **proof, size_t *proof_len, flock_statement *statement)
{
    flock_statement to_prove = batch_statement(batch);
    if (batch->inputs == NULL) {
        return FLOCK_ERR_ARGUMENT;
    }
    bool full = is_full(batch, &to_prove);
    return prove_public(&to_prove, full ? NULL : make_batch_inputs, full ? batch->inputs : batch,
                        batch->domain, batch->domain_len, REFERENCE_BATCH_DOMAIN, options, proof,
                        proof_len, statement);
}
