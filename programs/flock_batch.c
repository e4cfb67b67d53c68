/* flock_batch - prove and verify batches of independent evaluations. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "batch_inputs.h"
#include "inspect.h"
#include "interrupt.h"
#include "proving.h"
#include "sizes.h"
#include "verifying.h"

#define MEANING                                                                                  \
    "A batch has no public values. A proof says only that the prover knows a valid evaluation\n" \
    "for every slot: a power of two of them, from 8 (keccak3: three times that). It says "       \
    "nothing\n"                                                                                  \
    "about which they are; they may even be all the same. The count is the prover's label and "  \
    "not\n"                                                                                      \
    "proved: this program fills the slots beyond it with evaluations of the all-zero input."

/* ---- prove ---- */

enum prove_flag { HASH, OUT, COUNT, INPUTS, SEED, MODE, LAYOUT, FORMAT, N_PROVE_FLAGS };

#define HASH_HELP                                          \
    "blake3; sha256 (also sha2, sha-2, sha-256);\n"        \
    "keccak (also keccak_f, keccak-f); keccak3, that is\n" \
    "three Keccak permutations a block"

static const struct flag prove_flags[N_PROVE_FLAGS] = {
    [HASH] = {"--hash", "HASH", true, HASH_HELP, NULL},
    [OUT] = {FLAG_OUT},
    [COUNT] = {"--count", "N", false,
               "evaluations: 1 to 2^21 (blake3), 2^20 (sha256), 2^19\n"
               "(keccak), 3 * 2^18 (keccak3); in the reference format from\n"
               "129 (blake3), 65 (sha256), 33 (keccak), 49 (keccak3);\n"
               "required unless --inputs is given",
               NULL},
    [INPUTS] = {"--inputs", "FILE", false,
                "inputs from a file of records, - reads standard input;\n"
                "with --count it must have as many",
                NULL},
    [SEED] = {"--seed", "HEX", false,
              "inputs from this generator seed, 64 bits in hexadecimal\n"
              "with or without 0x (default 0); instead of --inputs",
              NULL},
    [MODE] = {FLAG_MODE},
    [LAYOUT] = {"--layout", "LAYOUT", false, "row (default) or batch; keccak3 has row only", NULL},
    [FORMAT] = {"--format", "FORMAT", false,
                "native (default), or reference: bytes of the reference\n"
                "implementation; that format does not say hash, count and\n"
                "layout, so the verifier must be told",
                NULL},
};

static const char prove_about[] =
    "Prove independent evaluations of a compression function or permutation, with inputs from a\n"
    "file or from a seed.\n"
    "\n" MEANING "\n"
    "\n"
    "An input file is a sequence of records with nothing between them:\n"
    "  blake3           112 bytes: chaining value (8 words), message (16 words), u64 counter,\n"
    "                   u32 block length, u32 flags; all little-endian\n"
    "  sha256           96 bytes: state (8 words), message block (16 words); all big-endian,\n"
    "                   as usual for SHA-256\n"
    "  keccak, keccak3  200 bytes: a state in the usual byte order (lane x + 5y at 8 (x + 5y),\n"
    "                   little-endian)\n"
    "\n"
    "A seed is the state of one stream of SplitMix64, used for one evaluation after the other. An\n"
    "output is, modulo 2^64 and with x >> n the logical shift,\n"
    "  state += 0x9e3779b97f4a7c15;  z = state;  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;\n"
    "  z = (z ^ z >> 27) * 0x94d049bb133111eb;  output = z ^ z >> 31\n"
    "and an evaluation takes\n"
    "  blake3           the low 32 bits of 8 outputs as chaining value and of 16 as message; one\n"
    "                   output as counter; then block length = (output & 0x3f) + 1 and\n"
    "                   flags = output & 0x7f\n"
    "  sha256           the low 32 bits of 8 outputs as state words and of 16 as message words\n"
    "  keccak, keccak3  25 outputs as lanes";

/* A batch to prove and its inputs. */
struct batch_job {
    struct proof_job proof;
    flock_batch batch;
    uint64_t seed;
    void *inputs;
};

static flock_status prove_batch(const void *batch, const flock_options *options, uint8_t **proof,
                                size_t *proof_len, flock_statement *statement)
{
    return flock_prove_batch(batch, options, proof, proof_len, statement);
}

static enum outcome check_layout(const struct program *program, const flock_statement *statement)
{
    if (statement->circuit == FLOCK_KECCAK3 && statement->layout != FLOCK_ROW_MAJOR) {
        return fail(program, OUTCOME_USAGE, "--layout batch: keccak3 is row-major only");
    }
    return OUTCOME_OK;
}

/* Everything that needs no file. */
static enum outcome read_arguments(const struct program *program, const struct flag *flags,
                                   struct batch_job *job)
{
    const struct statement_flags statement_flags = {&flags[HASH], &flags[MODE], &flags[LAYOUT],
                                                    &flags[FORMAT]};
    flock_statement *sizes = &job->proof.sizes;
    enum outcome outcome;

    *sizes = (flock_statement){.relation = FLOCK_BATCH};
    if ((outcome = flag_statement(program, &statement_flags, sizes)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[COUNT], 1, UINT64_MAX, &sizes->count)) !=
            OUTCOME_OK ||
        (outcome = flag_seed(program, &flags[SEED], &job->seed)) != OUTCOME_OK ||
        (outcome = check_layout(program, sizes)) != OUTCOME_OK) {
        return outcome;
    }
    if (flags[SEED].value && flags[INPUTS].value) {
        return fail(program, OUTCOME_USAGE, "--seed and --inputs exclude each other");
    }
    if (!flags[COUNT].value && !flags[INPUTS].value) {
        return fail(program, OUTCOME_USAGE, "--count N is required without --inputs");
    }
    if (flags[COUNT].value &&
        (outcome = check_count(program, flags[COUNT].name, sizes)) != OUTCOME_OK) {
        return outcome;
    }
    return select_backend(program);
}

/* The file gives the count, or has as many records as --count says. */
static enum outcome read_inputs(const struct program *program, const char *path,
                                struct batch_job *job)
{
    flock_statement *sizes = &job->proof.sizes;
    size_t record = batch_input_bytes(sizes->circuit);
    uint64_t given = sizes->count;
    size_t limit = record * (size_t)(given ? given : largest_count(sizes));
    uint8_t *bytes;
    size_t len;
    enum outcome outcome = read_file(program, path, limit, &bytes, &len);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    job->inputs = bytes;
    if (given && len != limit) {
        return fail(program, OUTCOME_USAGE,
                    "--inputs: %s has %s than the %zu bytes of %llu evaluations (%zu bytes each)",
                    path, len < limit ? "fewer" : "more", limit, (unsigned long long)given, record);
    }
    if (len > limit) {
        return fail(program, OUTCOME_TOO_LARGE,
                    "--inputs: %s has more than the largest batch of %llu evaluations", path,
                    (unsigned long long)(limit / record));
    }
    if (len == 0 || len % record != 0) {
        return fail(program, OUTCOME_USAGE,
                    "--inputs: %s has %zu bytes, not one or more records of %zu bytes", path, len,
                    record);
    }
    sizes->count = len / record;
    batch_inputs_from_records(sizes->circuit, bytes, sizes->count);
    return check_count(program, "--inputs", sizes);
}

static enum outcome generate_inputs(const struct program *program, struct batch_job *job)
{
    const flock_statement *sizes = &job->proof.sizes;

    job->inputs = malloc(batch_input_bytes(sizes->circuit) * (size_t)sizes->count);
    if (!job->inputs) {
        return fail(program, OUTCOME_TOO_LARGE, "out of memory (use fewer evaluations)");
    }
    batch_inputs_from_seed(sizes->circuit, job->seed, job->inputs, sizes->count);
    return OUTCOME_OK;
}

static uint64_t memory_to_prove(const flock_statement *sizes)
{
    flock_batch batch = {.format = sizes->format,
                         .circuit = sizes->circuit,
                         .layout = sizes->layout,
                         .profile = sizes->profile,
                         .count = sizes->count};

    return flock_batch_memory(&batch);
}

/* Check that the memory suffices before any is filled. */
static enum outcome make_inputs(const struct program *program, const struct flag *flags,
                                struct batch_job *job)
{
    const char *path = flags[INPUTS].value;
    struct proof_job *proof = &job->proof;
    enum outcome outcome;

    if (path && (outcome = read_inputs(program, path, job)) != OUTCOME_OK) {
        return outcome;
    }
    proof->memory = memory_to_prove(&proof->sizes);
    if (!path) {
        proof->memory += batch_input_bytes(proof->sizes.circuit) * proof->sizes.count;
    }
    outcome = check_memory(program, proof);
    if (outcome == OUTCOME_OK && !path) {
        outcome = generate_inputs(program, job);
    }
    return outcome;
}

static enum outcome prove_inputs(const struct program *program, struct batch_job *job)
{
    const flock_statement *sizes = &job->proof.sizes;

    job->batch = (flock_batch){.format = sizes->format,
                               .circuit = sizes->circuit,
                               .layout = sizes->layout,
                               .profile = sizes->profile,
                               .count = sizes->count,
                               .inputs = job->inputs};
    job->proof.prove = prove_batch;
    job->proof.what = &job->batch;
    return prove_and_write(program, &job->proof);
}

static enum outcome prove_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_PROVE_FLAGS];
    struct batch_job job = {0};
    enum outcome outcome;

    memcpy(flags, prove_flags, sizeof flags);
    if (!parse_flags(program, prove_about, flags, N_PROVE_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    interrupt_install();
    if ((outcome = read_arguments(program, flags, &job)) == OUTCOME_OK &&
        (outcome = output_prepare(program, flags[OUT].value, &job.proof.output)) == OUTCOME_OK &&
        (outcome = make_inputs(program, flags, &job)) == OUTCOME_OK) {
        outcome = prove_inputs(program, &job);
    }
    free(job.inputs);
    output_release(&job.proof.output);
    return outcome;
}

/* ---- verify ---- */

enum verify_flag {
    IN,
    EXPECT_HASH,
    EXPECT_COUNT,
    EXPECT_MODE,
    VERIFY_FORMAT,
    VERIFY_HASH,
    VERIFY_COUNT,
    VERIFY_LAYOUT,
    VERIFY_MODE,
    N_VERIFY_FLAGS
};

static const struct flag verify_flags[N_VERIFY_FLAGS] = {
    [IN] = {FLAG_IN},
    [EXPECT_HASH] = {FLAG_EXPECT_HASH},
    [EXPECT_COUNT] = {"--expect-count", "N", false,
                      "require this count, which is only the prover's label", NULL},
    [EXPECT_MODE] = {FLAG_EXPECT_MODE},
    [VERIFY_FORMAT] = {"--format", "FORMAT", false,
                       "native (default) or reference: a file of that format does\n"
                       "not say what it is about, so all of the following four\n"
                       "are required instead of --expect-...",
                       NULL},
    [VERIFY_HASH] = {"--hash", "HASH", false, HASH_HELP, NULL},
    [VERIFY_COUNT] = {"--count", "N", false,
                      "evaluations; every number that needs the same slots will do", NULL},
    [VERIFY_LAYOUT] = {"--layout", "LAYOUT", false, "row or batch", NULL},
    [VERIFY_MODE] = {"--mode", "MODE", false, "fast, slim or secure", NULL},
};

/* All flags that say what a reference-format file is about, and none that expects; or the reverse.
 */
static enum outcome check_verify_flags(const struct program *program, const struct flag *flags,
                                       bool reference)
{
    for (int i = VERIFY_HASH; i <= VERIFY_MODE; i++) {
        if (reference && !flags[i].value) {
            return fail(program, OUTCOME_USAGE,
                        "%s %s is required: a batch in the reference format does not say it",
                        flags[i].name, flags[i].argument);
        }
        if (!reference && flags[i].value) {
            return fail(program, OUTCOME_USAGE,
                        "%s is for --format reference (see --expect-hash, --expect-count, "
                        "--expect-mode)",
                        flags[i].name);
        }
    }
    for (int i = EXPECT_HASH; i <= EXPECT_MODE; i++) {
        if (reference && flags[i].value) {
            return fail(program, OUTCOME_USAGE,
                        "%s is not for --format reference (use --hash, --count, --mode)",
                        flags[i].name);
        }
    }
    return OUTCOME_OK;
}

/* What a file of the reference format is about. */
static enum outcome read_reference(const struct program *program, const struct flag *flags,
                                   flock_statement *statement)
{
    const struct statement_flags statement_flags = {&flags[VERIFY_HASH], &flags[VERIFY_MODE],
                                                    &flags[VERIFY_LAYOUT], &flags[VERIFY_FORMAT]};
    bool reference;
    enum outcome outcome;

    *statement = (flock_statement){.relation = FLOCK_BATCH};
    if ((outcome = flag_statement(program, &statement_flags, statement)) != OUTCOME_OK) {
        return outcome;
    }
    reference = statement->format == FLOCK_REFERENCE;
    if ((outcome = check_verify_flags(program, flags, reference)) != OUTCOME_OK || !reference ||
        (outcome = flag_number(program, &flags[VERIFY_COUNT], 1, UINT64_MAX, &statement->count)) !=
            OUTCOME_OK ||
        (outcome = check_layout(program, statement)) != OUTCOME_OK) {
        return outcome;
    }
    return check_count(program, flags[VERIFY_COUNT].name, statement);
}

static enum outcome verify_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_VERIFY_FLAGS];
    struct expectation expected = {.relation = FLOCK_BATCH,
                                   .hash_flag = &flags[EXPECT_HASH],
                                   .count_flag = &flags[EXPECT_COUNT],
                                   .mode_flag = &flags[EXPECT_MODE]};
    flock_statement given;
    struct verdict verdict;
    enum outcome outcome;

    memcpy(flags, verify_flags, sizeof flags);
    if (!parse_flags(program, "Verify the proof of a batch and print what it proves.\n\n" MEANING,
                     flags, N_VERIFY_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = read_reference(program, flags, &given)) != OUTCOME_OK ||
        (outcome = read_expectation(program, &expected)) != OUTCOME_OK ||
        (outcome = select_backend(program)) != OUTCOME_OK ||
        (outcome = verify_file(program, flags[IN].value,
                               given.format == FLOCK_REFERENCE ? &given : NULL, &verdict)) !=
            OUTCOME_OK) {
        return outcome;
    }
    if (verdict.valid) {
        struct differences d = {.len = 0};
        compare_statement(&verdict.statement, &expected, &d);
        judge_differences(&d, &verdict);
    }
    return report_verdict(program, &verdict);
}

int main(int argc, char **argv)
{
    static const struct command commands[] = {
        {"prove", "prove independent evaluations", FLAGS_OF_PROVERS, prove_command},
        {"verify", "verify a proof and print what it proves", FLAGS_OF_VERIFIERS, verify_command},
        {"info", "print what a proof file claims, and its parts", FLAGS_OF_READERS, info_command},
    };

    return program_main("flock_batch",
                        "Prove and verify batches of independent BLAKE3 or SHA-256 compressions "
                        "or\nKeccak-f[1600] permutations.\n\n" MEANING,
                        commands, sizeof commands / sizeof *commands, argc, argv);
}
