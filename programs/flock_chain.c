/* flock_chain - prove and verify hash chains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "inspect.h"
#include "interrupt.h"
#include "notation.h"
#include "proving.h"
#include "sizes.h"
#include "verifying.h"

enum { DEFAULT_STEPS = 8, MESSAGE_BYTES = 64 };

/* ---- prove ---- */

enum prove_flag {
    HASH,
    OUT,
    STEPS,
    SEED,
    MESSAGES,
    INITIAL_CV,
    INITIAL_STATE,
    MODE,
    LAYOUT,
    FORMAT,
    N_PROVE_FLAGS
};

static const struct flag prove_flags[N_PROVE_FLAGS] = {
    [HASH] = {"--hash", "HASH", true,
              "blake3; sha256 (also sha2, sha-2, sha-256);\n"
              "keccak (also keccak_f, keccak-f)",
              NULL},
    [OUT] = {FLAG_OUT},
    [STEPS] = {"--steps", "N", false,
               "steps of the chain (default 8): 1 to 2^21 (blake3), 2^20\n"
               "(sha256), 2^19 (keccak); in the reference format a power\n"
               "of two from 256 (blake3), 128 (sha256), 64 (keccak)",
               NULL},
    [SEED] = {"--seed", "HEX", false,
              "messages from this generator seed, 64 bits in hexadecimal\n"
              "with or without 0x (default 0); not for keccak",
              NULL},
    [MESSAGES] = {"--messages", "FILE", false,
                  "messages from a file of 64 bytes a step, - reads standard\n"
                  "input; instead of --seed, not for keccak",
                  NULL},
    [INITIAL_CV] = {"--initial-cv", "HEX", false,
                    "first chaining value. blake3, sha256: 64 digits, eight\n"
                    "big-endian words (default: the hash's initial value);\n"
                    "keccak: 400 digits in the reference's logical bit order",
                    NULL},
    [INITIAL_STATE] = {"--initial-state", "HEX", false,
                       "keccak: first state, 400 digits in the usual byte order\n"
                       "(default: zero)",
                       NULL},
    [MODE] = {FLAG_MODE},
    [LAYOUT] = {"--layout", "LAYOUT", false,
                "row (default) or batch; batch is not for the reference format", NULL},
    [FORMAT] = {"--format", "FORMAT", false,
                "native (default), or reference: bytes of the reference\n"
                "implementation; that format does not bind the endpoints",
                NULL},
};

/* A chain to prove and what it points to. */
struct chain_job {
    struct proof_job proof;
    flock_chain chain;
    uint8_t start[FLOCK_MAX_REGION_BYTES];
    uint8_t *messages;
};

static flock_status prove_chain(const void *chain, const flock_options *options, uint8_t **proof,
                                size_t *proof_len, flock_statement *statement)
{
    return flock_prove_chain(chain, options, proof, proof_len, statement);
}

/* Flags that are right by themselves but say nothing together. */
static enum outcome check_combination(const struct program *program, const struct flag *flags,
                                      const flock_statement *statement)
{
    bool keccak = statement->circuit == FLOCK_KECCAK;

    if (keccak && (flags[SEED].value || flags[MESSAGES].value)) {
        return fail(program, OUTCOME_USAGE, "%s: a keccak chain has no messages",
                    flags[flags[SEED].value ? SEED : MESSAGES].name);
    }
    if (flags[SEED].value && flags[MESSAGES].value) {
        return fail(program, OUTCOME_USAGE, "--seed and --messages exclude each other");
    }
    if (!keccak && flags[INITIAL_STATE].value) {
        return fail(program, OUTCOME_USAGE, "--initial-state is for keccak (use --initial-cv)");
    }
    if (flags[INITIAL_CV].value && flags[INITIAL_STATE].value) {
        return fail(program, OUTCOME_USAGE, "--initial-cv and --initial-state exclude each other");
    }
    if (statement->format == FLOCK_REFERENCE && statement->layout != FLOCK_ROW_MAJOR) {
        return fail(program, OUTCOME_USAGE,
                    "--layout batch: files of the reference format are row-major");
    }
    return OUTCOME_OK;
}

static enum outcome read_start(const struct program *program, const struct flag *flags,
                               struct chain_job *job)
{
    bool keccak = job->chain.circuit == FLOCK_KECCAK;
    const struct flag *flag = &flags[flags[INITIAL_STATE].value ? INITIAL_STATE : INITIAL_CV];
    bool right;

    if (flag->value == NULL) {
        return OUTCOME_OK;
    }
    if (keccak && flag == &flags[INITIAL_CV]) {
        right = notation_read_keccak_logical(flag->value, job->start);
    } else {
        right = notation_read(job->chain.circuit, flag->value, job->start);
    }
    if (!right) {
        return fail(program, OUTCOME_USAGE, "%s: not the %zu hexadecimal digits of a %s value",
                    flag->name, notation_digits(job->chain.circuit),
                    flock_circuit_name(job->chain.circuit));
    }
    job->chain.start = job->start;
    return OUTCOME_OK;
}

/* Everything that needs no file. */
static enum outcome read_arguments(const struct program *program, const struct flag *flags,
                                   struct chain_job *job)
{
    const struct statement_flags statement_flags = {&flags[HASH], &flags[MODE], &flags[LAYOUT],
                                                    &flags[FORMAT]};
    flock_statement *sizes = &job->proof.sizes;
    uint64_t seed = 0;
    enum outcome outcome;

    *sizes = (flock_statement){.relation = FLOCK_CHAIN, .count = DEFAULT_STEPS};
    if ((outcome = flag_statement(program, &statement_flags, sizes)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[STEPS], 1, UINT64_MAX, &sizes->count)) !=
            OUTCOME_OK ||
        (outcome = check_combination(program, flags, sizes)) != OUTCOME_OK ||
        (outcome = flag_seed(program, &flags[SEED], &seed)) != OUTCOME_OK ||
        (outcome = check_count(program, flags[STEPS].name, sizes)) != OUTCOME_OK) {
        return outcome;
    }
    job->chain = (flock_chain){.format = sizes->format,
                               .circuit = sizes->circuit,
                               .layout = sizes->layout,
                               .profile = sizes->profile,
                               .steps = sizes->count,
                               .seed = seed};
    if ((outcome = read_start(program, flags, job)) != OUTCOME_OK) {
        return outcome;
    }
    job->proof.memory = flock_chain_memory(&job->chain);
    job->proof.prove = prove_chain;
    job->proof.what = &job->chain;
    return select_backend(program);
}

static enum outcome read_messages(const struct program *program, const char *path,
                                  struct chain_job *job)
{
    size_t expected = MESSAGE_BYTES * (size_t)job->chain.steps;
    enum outcome outcome;
    size_t len;

    if (path == NULL) {
        return OUTCOME_OK;
    }
    outcome = read_file(program, path, expected, &job->messages, &len);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    if (len != expected) {
        return fail(program, OUTCOME_USAGE,
                    "--messages: %s has %s than the %zu bytes of %llu steps (64 bytes each)", path,
                    len < expected ? "fewer" : "more", expected,
                    (unsigned long long)job->chain.steps);
    }
    job->chain.messages = job->messages;
    return OUTCOME_OK;
}

static enum outcome prove_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_PROVE_FLAGS];
    struct chain_job job = {0};
    enum outcome outcome;

    memcpy(flags, prove_flags, sizeof flags);
    if (!parse_flags(program, "Compute a hash chain and prove it.", flags, N_PROVE_FLAGS, argc,
                     argv, &outcome)) {
        return outcome;
    }
    interrupt_install();
    if ((outcome = read_arguments(program, flags, &job)) == OUTCOME_OK &&
        (outcome = output_prepare(program, flags[OUT].value, &job.proof.output)) == OUTCOME_OK &&
        (outcome = read_messages(program, flags[MESSAGES].value, &job)) == OUTCOME_OK &&
        (outcome = check_memory(program, &job.proof)) == OUTCOME_OK) {
        outcome = prove_and_write(program, &job.proof);
    }
    free(job.messages);
    output_release(&job.proof.output);
    return outcome;
}

/* ---- verify ---- */

enum verify_flag {
    IN,
    EXPECT_HASH,
    EXPECT_STEPS,
    EXPECT_INITIAL,
    EXPECT_FINAL,
    EXPECT_MODE,
    ACCEPT_UNBOUND,
    N_VERIFY_FLAGS
};

static const struct flag verify_flags[N_VERIFY_FLAGS] = {
    [IN] = {FLAG_IN},
    [EXPECT_HASH] = {FLAG_EXPECT_HASH},
    [EXPECT_STEPS] = {"--expect-steps", "N", false, "require exactly this number of steps", NULL},
    [EXPECT_INITIAL] = {"--expect-initial", "HEX", false,
                        "require this first value, as verify prints it: 64 digits\n"
                        "(blake3, sha256) or 400 digits (keccak, usual byte order)",
                        NULL},
    [EXPECT_FINAL] = {"--expect-final", "HEX", false, "require this last value", NULL},
    [EXPECT_MODE] = {FLAG_EXPECT_MODE},
    [ACCEPT_UNBOUND] = {"--accept-unbound", NULL, false,
                        "exit 0 also for valid files of the reference format, whose\n"
                        "endpoints anybody can change",
                        NULL},
};

/* Whether `text` is a value of one of the hashes. */
static bool is_chain_value(const char *text)
{
    static const flock_circuit circuits[] = {FLOCK_BLAKE3, FLOCK_SHA256, FLOCK_KECCAK};
    uint8_t region[FLOCK_MAX_REGION_BYTES];

    for (size_t i = 0; i < sizeof circuits / sizeof *circuits; i++) {
        if (notation_read(circuits[i], text, region)) {
            return true;
        }
    }
    return false;
}

static enum outcome check_values(const struct program *program, const struct flag *flags)
{
    static const enum verify_flag values[] = {EXPECT_INITIAL, EXPECT_FINAL};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct flag *flag = &flags[values[i]];
        if (flag->value && !is_chain_value(flag->value)) {
            return fail(program, OUTCOME_USAGE,
                        "%s: not 64 (blake3, sha256) or 400 (keccak) hexadecimal digits",
                        flag->name);
        }
    }
    return OUTCOME_OK;
}

static void compare_value(struct differences *d, const struct flag *flag, const char *what,
                          flock_circuit circuit, const uint8_t *actual)
{
    uint8_t expected[FLOCK_MAX_REGION_BYTES];

    if (flag->value && (!notation_read(circuit, flag->value, expected) ||
                        memcmp(expected, actual, flock_region_bytes(circuit)) != 0)) {
        add_difference(d, "another %s value", what);
    }
}

/*
 * A valid proof: a statement that is not the expected one comes first, then a format that proves
 * less than it says.
 */
static void judge(const struct flag *flags, const struct expectation *expected,
                  struct verdict *verdict)
{
    const flock_statement *statement = &verdict->statement;
    struct differences d = {.len = 0};

    if (compare_statement(statement, expected, &d)) {
        compare_value(&d, &flags[EXPECT_INITIAL], "initial", statement->circuit, statement->start);
        compare_value(&d, &flags[EXPECT_FINAL], "final", statement->circuit, statement->end);
    }
    judge_differences(&d, verdict);
    if (verdict->outcome == OUTCOME_OK && statement->format == FLOCK_REFERENCE &&
        !flags[ACCEPT_UNBOUND].value) {
        verdict->outcome = OUTCOME_UNBOUND;
        snprintf(verdict->message, sizeof verdict->message,
                 "the proof is valid, but the reference format does not bind its endpoints: anyone "
                 "can change them (--accept-unbound accepts that)");
    }
}

static enum outcome verify_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_VERIFY_FLAGS];
    struct expectation expected = {.relation = FLOCK_CHAIN,
                                   .hash_flag = &flags[EXPECT_HASH],
                                   .count_flag = &flags[EXPECT_STEPS],
                                   .mode_flag = &flags[EXPECT_MODE]};
    struct verdict verdict;
    enum outcome outcome;

    memcpy(flags, verify_flags, sizeof flags);
    if (!parse_flags(program, "Verify the proof of a hash chain and print what it proves.", flags,
                     N_VERIFY_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = read_expectation(program, &expected)) != OUTCOME_OK ||
        (outcome = check_values(program, flags)) != OUTCOME_OK ||
        (outcome = select_backend(program)) != OUTCOME_OK ||
        (outcome = verify_file(program, flags[IN].value, NULL, &verdict)) != OUTCOME_OK) {
        return outcome;
    }
    if (verdict.valid) {
        judge(flags, &expected, &verdict);
    }
    return report_verdict(program, &verdict);
}

int main(int argc, char **argv)
{
    static const struct command commands[] = {
        {"prove", "compute a hash chain and prove it", FLAGS_OF_PROVERS, prove_command},
        {"verify", "verify a proof and print what it proves", FLAGS_OF_VERIFIERS, verify_command},
        {"info", "print what a proof file claims, and its parts", FLAGS_OF_READERS, info_command},
        {"params", "print parameters and error terms", FLAGS_OF_READERS, params_command},
    };

    return program_main("flock_chain",
                        "Prove and verify chains of BLAKE3, SHA-256 or Keccak steps.", commands,
                        sizeof commands / sizeof *commands, argc, argv);
}
