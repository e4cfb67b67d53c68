/* flock_chain - prove and verify hash chains. */
#include <flock/prove.h>
#include <flock/verify.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "describe.h"
#include "files.h"
#include "flags.h"
#include "inspect.h"
#include "interrupt.h"
#include "machine.h"
#include "notation.h"
#include "progress.h"

enum {
    DEFAULT_STEPS = 8,
    MESSAGE_BYTES = 64,
    MAX_THREADS = 1024,
    MAX_LOG_STEPS = 21 /* 2^21 BLAKE3 steps have 2^35 witness bits */
};

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
    THREADS,
    BACKEND,
    QUIET,
    JSON,
    N_PROVE_FLAGS
};

static const struct flag prove_flags[N_PROVE_FLAGS] = {
    [HASH] = {"--hash", "HASH", true,
              "blake3; sha256 (also sha2, sha-2, sha-256);\n"
              "keccak (also keccak_f, keccak-f)",
              NULL},
    [OUT] = {"--out", "FILE", true, "where the proof goes; replaced when it is complete", NULL},
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
    [MODE] = {"--mode", "MODE", false,
              "fast (default, 100 bits), slim (100 bits, smaller proofs)\n"
              "or secure (120 bits)",
              NULL},
    [LAYOUT] = {"--layout", "LAYOUT", false,
                "row (default) or batch; batch is not for the reference format", NULL},
    [FORMAT] = {"--format", "FORMAT", false,
                "native (default), or reference: bytes of the reference\n"
                "implementation; that format does not bind the endpoints",
                NULL},
    [THREADS] = {"--threads", "N", false, "threads (default: all cores)", NULL},
    [BACKEND] = {"--backend", "NAME", false, "machine kernels (default auto; also FLOCK_BACKEND)",
                 NULL},
    [QUIET] = {"--quiet", NULL, false, "print errors only", NULL},
    [JSON] = {"--json", NULL, false, "print one JSON object on standard output", NULL},
};

/* A chain to prove and what it points to. */
struct chain_job {
    flock_chain chain;
    flock_statement sizes; /* what the sizes depend on */
    uint8_t start[FLOCK_MAX_REGION_BYTES];
    uint8_t *messages;
    uint64_t threads;
    struct output_file output;
};

/* Least and greatest power of two that is a valid number of steps; 0 if there is none. */
static void range_of_steps(const flock_statement *statement, uint64_t *low, uint64_t *high)
{
    flock_statement probe = *statement;

    *low = *high = 0;
    for (unsigned log_steps = 0; log_steps <= MAX_LOG_STEPS; log_steps++) {
        probe.count = (uint64_t)1 << log_steps;
        if (flock_statement_log_bits(&probe) == 0) {
            continue;
        }
        if (*low == 0) {
            *low = probe.count;
        }
        *high = probe.count;
    }
}

static enum outcome check_steps(const struct program *program, const flock_statement *statement)
{
    unsigned long long steps = statement->count;
    uint64_t low, high;

    if (flock_statement_log_bits(statement) != 0) {
        return OUTCOME_OK;
    }
    range_of_steps(statement, &low, &high);
    if (high == 0) {
        return fail(program, OUTCOME_USAGE, "--hash: this build has no chains of this hash");
    }
    if (steps > high) {
        return fail(program, OUTCOME_TOO_LARGE,
                    "--steps: %llu steps need more than 2^35 witness bits (at most %llu for %s)",
                    steps, (unsigned long long)high, flock_circuit_name(statement->circuit));
    }
    return fail(program, OUTCOME_USAGE,
                "--steps: %llu is not possible in the reference format (a power of two from %llu "
                "to %llu)",
                steps, (unsigned long long)low, (unsigned long long)high);
}

/* Flags that are right by themselves but say nothing together. */
static enum outcome check_combination(const struct program *program, const struct flag *flags,
                                      const flock_chain *chain)
{
    bool keccak = chain->circuit == FLOCK_KECCAK;

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
    if (chain->format == FLOCK_REFERENCE && chain->layout != FLOCK_ROW_MAJOR) {
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
    flock_chain *chain = &job->chain;
    enum outcome outcome;

    chain->steps = DEFAULT_STEPS;
    if ((outcome = flag_circuit(program, &flags[HASH], &chain->circuit)) != OUTCOME_OK ||
        (outcome = flag_profile(program, &flags[MODE], &chain->profile)) != OUTCOME_OK ||
        (outcome = flag_layout(program, &flags[LAYOUT], &chain->layout)) != OUTCOME_OK ||
        (outcome = flag_format(program, &flags[FORMAT], &chain->format)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[STEPS], 1, UINT64_MAX, &chain->steps)) !=
            OUTCOME_OK ||
        (outcome = flag_number(program, &flags[THREADS], 1, MAX_THREADS, &job->threads)) !=
            OUTCOME_OK ||
        (outcome = check_combination(program, flags, chain)) != OUTCOME_OK) {
        return outcome;
    }
    if (flags[SEED].value && !parse_hexadecimal(flags[SEED].value, &chain->seed)) {
        return fail(program, OUTCOME_USAGE, "--seed: '%s' is not a 64-bit hexadecimal number",
                    flags[SEED].value);
    }
    job->sizes = (flock_statement){.format = chain->format,
                                   .relation = FLOCK_CHAIN,
                                   .circuit = chain->circuit,
                                   .layout = chain->layout,
                                   .profile = chain->profile,
                                   .count = chain->steps};
    if ((outcome = check_steps(program, &job->sizes)) != OUTCOME_OK ||
        (outcome = read_start(program, flags, job)) != OUTCOME_OK) {
        return outcome;
    }
    return select_backend(program, flags[BACKEND].value);
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

static enum outcome check_memory(const struct program *program, const flock_chain *chain)
{
    uint64_t needed = flock_chain_memory(chain);
    uint64_t available = memory_available();

    if (needed <= available) {
        return OUTCOME_OK;
    }
    return fail(program, OUTCOME_TOO_LARGE,
                "not enough memory: this proof needs about %s, %s are available (use fewer steps)",
                size_for_people(needed).text, size_for_people(available).text);
}

static enum outcome prove_failed(const struct program *program, const flock_chain *chain,
                                 flock_status status)
{
    switch (status) {
    case FLOCK_ERR_MEMORY:
        return fail(program, OUTCOME_TOO_LARGE,
                    "out of memory: this proof needs about %s (use fewer steps)",
                    size_for_people(flock_chain_memory(chain)).text);
    case FLOCK_ERR_TOO_LARGE:
        return fail(program, OUTCOME_TOO_LARGE, "%s (use fewer steps)", flock_status_text(status));
    case FLOCK_ERR_UNSUPPORTED:
        return fail(program, OUTCOME_USAGE, "this build cannot prove %s chains",
                    flock_circuit_name(chain->circuit));
    default:
        return fail(program, OUTCOME_USAGE, "cannot prove: %s", flock_status_text(status));
    }
}

struct prove_result {
    flock_statement statement;
    flock_report report;
    size_t proof_len;
};

static void print_prove_result(const char *path, const struct prove_result *result)
{
    const flock_report *report = &result->report;

    print_statement(&result->statement);
    print_row("file", "%s (%zu bytes)", path, result->proof_len);
    print_row("time", "%.3f s", report->total_seconds);
    print_row("memory", "%s", size_for_people(report->peak_bytes).text);
    print_row("threads", "%u", report->threads);
    print_row("backend", "%s", flock_backend_name());
}

static void json_prove_result(const struct program *program, const char *path,
                              const struct prove_result *result)
{
    const flock_report *report = &result->report;
    struct json json;

    result_open(&json, program, OUTCOME_OK, NULL);
    json_statement(&json, &result->statement);
    json_string(&json, "file", path);
    json_number(&json, "bytes", result->proof_len);
    json_real(&json, "seconds", report->total_seconds);
    json_open_object(&json, "phase_seconds");
    for (int phase = 0; phase < FLOCK_N_PHASES; phase++) {
        json_real(&json, flock_phase_name((flock_phase)phase), report->seconds[phase]);
    }
    json_close_object(&json);
    json_number(&json, "peak_bytes", report->peak_bytes);
    json_number(&json, "witness_bytes", report->witness_bytes);
    json_number(&json, "threads", report->threads);
    json_string(&json, "backend", flock_backend_name());
    json_close_object(&json);
}

static enum outcome prove_and_write(const struct program *program, struct chain_job *job)
{
    struct prove_result result;
    struct progress progress;
    flock_options options = {.threads = (unsigned)job->threads,
                             .progress = progress_show,
                             .progress_context = &progress,
                             .report = &result.report};
    uint8_t *proof = NULL;
    enum outcome outcome;

    progress_start(&progress, program);
    flock_status status =
        flock_prove_chain(&job->chain, &options, &proof, &result.proof_len, &result.statement);
    progress_end(&progress);
    if (status != FLOCK_OK) {
        return prove_failed(program, &job->chain, status);
    }

    outcome = output_write(program, &job->output, proof, result.proof_len);
    flock_free(proof);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    if (program->json) {
        json_prove_result(program, job->output.path, &result);
    } else if (!program->quiet) {
        print_prove_result(job->output.path, &result);
    }
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
        (outcome = output_prepare(program, flags[OUT].value, &job.output)) == OUTCOME_OK &&
        (outcome = read_messages(program, flags[MESSAGES].value, &job)) == OUTCOME_OK &&
        (outcome = check_memory(program, &job.chain)) == OUTCOME_OK) {
        outcome = prove_and_write(program, &job);
    }
    free(job.messages);
    output_release(&job.output);
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
    VERIFY_BACKEND,
    VERIFY_QUIET,
    VERIFY_JSON,
    N_VERIFY_FLAGS
};

static const struct flag verify_flags[N_VERIFY_FLAGS] = {
    [IN] = {"--in", "FILE", true, "the proof file; - reads standard input", NULL},
    [EXPECT_HASH] = {"--expect-hash", "HASH", false, "require this hash", NULL},
    [EXPECT_STEPS] = {"--expect-steps", "N", false, "require exactly this number of steps", NULL},
    [EXPECT_INITIAL] = {"--expect-initial", "HEX", false,
                        "require this first value, as verify prints it: 64 digits\n"
                        "(blake3, sha256) or 400 digits (keccak, usual byte order)",
                        NULL},
    [EXPECT_FINAL] = {"--expect-final", "HEX", false, "require this last value", NULL},
    [EXPECT_MODE] = {"--expect-mode", "MODE", false, "require this mode", NULL},
    [ACCEPT_UNBOUND] = {"--accept-unbound", NULL, false,
                        "exit 0 also for valid files of the reference format, whose\n"
                        "endpoints anybody can change",
                        NULL},
    [VERIFY_BACKEND] = {"--backend", "NAME", false,
                        "machine kernels (default auto; also FLOCK_BACKEND)", NULL},
    [VERIFY_QUIET] = {"--quiet", NULL, false, "print errors only", NULL},
    [VERIFY_JSON] = {"--json", NULL, false, "print one JSON object on standard output", NULL},
};

/* What the user requires; a part that may be anything is NULL in `flags`. */
struct expectation {
    const struct flag *flags;
    flock_circuit circuit;
    flock_profile profile;
    uint64_t steps;
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

static enum outcome read_expectation(const struct program *program, const struct flag *flags,
                                     struct expectation *expected)
{
    static const enum verify_flag values[] = {EXPECT_INITIAL, EXPECT_FINAL};
    enum outcome outcome;

    *expected = (struct expectation){.flags = flags};
    if ((outcome = flag_circuit(program, &flags[EXPECT_HASH], &expected->circuit)) != OUTCOME_OK ||
        (outcome = flag_profile(program, &flags[EXPECT_MODE], &expected->profile)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[EXPECT_STEPS], 1, UINT64_MAX, &expected->steps)) !=
            OUTCOME_OK) {
        return outcome;
    }
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

/* The differences between a statement and the expectation, for one line. */
struct differences {
    char text[512];
    size_t len;
};

static void add_difference(struct differences *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_difference(struct differences *d, const char *format, ...)
{
    size_t room = sizeof d->text - d->len;
    va_list arguments;
    int n;

    if (d->len > 0 && room > 2) {
        memcpy(d->text + d->len, ", ", 3);
        d->len += 2;
        room -= 2;
    }
    va_start(arguments, format);
    n = vsnprintf(d->text + d->len, room, format, arguments);
    va_end(arguments);
    if (n > 0) {
        d->len += (size_t)n < room ? (size_t)n : room - 1;
    }
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

static void compare(const flock_statement *statement, const struct expectation *expected,
                    struct differences *d)
{
    const struct flag *flags = expected->flags;

    *d = (struct differences){.len = 0};
    if (statement->relation != FLOCK_CHAIN) {
        add_difference(d, "it is about a %s, not a chain",
                       flock_relation_name(statement->relation));
        return;
    }
    if (flags[EXPECT_HASH].value && statement->circuit != expected->circuit) {
        add_difference(d, "hash is %s, not %s", flock_circuit_name(statement->circuit),
                       flags[EXPECT_HASH].value);
    }
    if (flags[EXPECT_STEPS].value && statement->count != expected->steps) {
        add_difference(d, "steps are %llu, not %llu", (unsigned long long)statement->count,
                       (unsigned long long)expected->steps);
    }
    if (flags[EXPECT_MODE].value && statement->profile != expected->profile) {
        add_difference(d, "mode is %s, not %s", flock_profile_name(statement->profile),
                       flock_profile_name(expected->profile));
    }
    compare_value(d, &flags[EXPECT_INITIAL], "initial", statement->circuit, statement->start);
    compare_value(d, &flags[EXPECT_FINAL], "final", statement->circuit, statement->end);
}

/* What to tell about a verified file. */
struct verdict {
    enum outcome outcome;
    bool valid;
    flock_statement statement; /* if valid; may point into the file's bytes */
    char message[1024];        /* unless the outcome is OUTCOME_OK */
    double seconds;
};

/*
 * Verify and compare. A malformed or invalid proof comes first, then a statement that is not the
 * expected one, then a format that proves less than it says.
 */
static void judge(const uint8_t *bytes, size_t len, const char *path,
                  const struct expectation *expected, struct verdict *verdict)
{
    double start = seconds_now();
    struct differences d;
    flock_status status = len > MAX_PROOF_FILE_BYTES
                              ? FLOCK_ERR_TRAILING
                              : flock_verify(bytes, len, &verdict->statement);

    verdict->seconds = seconds_now() - start;
    verdict->valid = status == FLOCK_OK;
    verdict->outcome = outcome_of_proof_status(status);
    if (!verdict->valid) {
        snprintf(verdict->message, sizeof verdict->message, "%s (%s)", proof_status_text(status),
                 path);
        return;
    }
    compare(&verdict->statement, expected, &d);
    if (d.len > 0) {
        verdict->outcome = OUTCOME_MISMATCH;
        snprintf(verdict->message, sizeof verdict->message,
                 "the proof is valid but not as expected: %s (%s)", d.text, path);
    } else if (verdict->statement.format == FLOCK_REFERENCE &&
               !expected->flags[ACCEPT_UNBOUND].value) {
        verdict->outcome = OUTCOME_UNBOUND;
        snprintf(verdict->message, sizeof verdict->message,
                 "the proof is valid, but the reference format does not bind its endpoints: anyone "
                 "can change them (--accept-unbound accepts that)");
    }
}

static void json_verdict(const struct program *program, const struct verdict *verdict)
{
    struct json json;

    result_open(&json, program, verdict->outcome,
                verdict->outcome == OUTCOME_OK ? NULL : verdict->message);
    json_bool(&json, "valid", verdict->valid);
    if (verdict->valid) {
        json_bool(&json, "bound", verdict->statement.format == FLOCK_NATIVE);
        json_statement(&json, &verdict->statement);
    }
    json_real(&json, "seconds", verdict->seconds);
    json_close_object(&json);
}

static void print_verdict(const struct verdict *verdict)
{
    const flock_statement *statement = &verdict->statement;

    if (!verdict->valid) {
        return;
    }
    if (verdict->outcome == OUTCOME_OK) {
        printf("OK: %s chain of %llu steps verified\n", flock_circuit_name(statement->circuit),
               (unsigned long long)statement->count);
    }
    print_statement(statement);
    if (statement->format == FLOCK_REFERENCE) {
        print_row("binding", "none: this format does not bind the endpoints");
    }
    print_row("time", "%.3f s", verdict->seconds);
}

static enum outcome verify_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_VERIFY_FLAGS];
    struct expectation expected;
    struct verdict verdict;
    enum outcome outcome;
    uint8_t *bytes;
    size_t len;

    memcpy(flags, verify_flags, sizeof flags);
    if (!parse_flags(program, "Verify the proof of a hash chain and print what it proves.", flags,
                     N_VERIFY_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = read_expectation(program, flags, &expected)) != OUTCOME_OK ||
        (outcome = select_backend(program, flags[VERIFY_BACKEND].value)) != OUTCOME_OK ||
        (outcome = read_file(program, flags[IN].value, MAX_PROOF_FILE_BYTES, &bytes, &len)) !=
            OUTCOME_OK) {
        return outcome;
    }
    judge(bytes, len, flags[IN].value, &expected, &verdict);
    if (verdict.outcome != OUTCOME_OK) {
        error_line(program, verdict.message);
    }
    if (program->json) {
        json_verdict(program, &verdict);
    } else if (!program->quiet) {
        print_verdict(&verdict);
    }
    free(bytes); /* the statement of a Merkle proof points into it */
    return verdict.outcome;
}

int main(int argc, char **argv)
{
    static const struct command commands[] = {
        {"prove", "compute a hash chain and prove it", prove_command},
        {"verify", "verify a proof and print what it proves", verify_command},
        {"info", "print what a proof file claims, and its parts", info_command},
        {"params", "print parameters and error terms", params_command},
    };

    return program_main("flock_chain",
                        "Prove and verify chains of BLAKE3, SHA-256 or Keccak steps.", commands,
                        sizeof commands / sizeof *commands, argc, argv);
}
