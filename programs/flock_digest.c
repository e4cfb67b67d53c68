/* flock_digest - prove and verify the SHA-256 digest of a file. */
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "inspect.h"
#include "interrupt.h"
#include "machine.h"
#include "message.h"
#include "notation.h"
#include "proving.h"
#include "verifying.h"

enum { DIGEST_BYTES = 32 };

#define MEANING                                                                             \
    "A proof says: the prover knows a message of exactly this length with this SHA-256\n"   \
    "digest, which ends in this tail. The tail, the length mod 64 last bytes, is public.\n" \
    "Nothing hides the rest for certain: a proof is not zero-knowledge."

/* ---- prove ---- */

enum prove_flag { FILE_, OUT, MODE, LAYOUT, N_PROVE_FLAGS };

static const struct flag prove_flags[N_PROVE_FLAGS] = {
    [FILE_] = {"--file", "FILE", true,
               "the message, 0 to 67108855 bytes (64 MiB less padding);\n"
               "- reads standard input; a pipe will do",
               NULL},
    [OUT] = {FLAG_OUT},
    [MODE] = {FLAG_MODE},
    [LAYOUT] = {FLAG_LAYOUT},
};

/* A digest to prove and the message that has it. */
struct digest_job {
    struct proof_job proof;
    struct message message;
    flock_digest digest;
};

static flock_status prove_digest(const void *what, const flock_options *options, uint8_t **proof,
                                 size_t *proof_len, flock_statement *statement)
{
    const struct digest_job *job = what;

    return flock_prove_digest(&job->digest, options, proof, proof_len, statement);
}

static enum outcome input_failed(const struct program *program, const void *what)
{
    const struct digest_job *job = what;

    return message_failed(program, &job->message);
}

/* Everything that needs no file. */
static enum outcome read_arguments(const struct program *program, const struct flag *flags,
                                   struct digest_job *job)
{
    const struct statement_flags statement_flags = {.mode = &flags[MODE], .layout = &flags[LAYOUT]};
    flock_statement *sizes = &job->proof.sizes;
    enum outcome outcome;

    *sizes = (flock_statement){.relation = FLOCK_DIGEST, .circuit = FLOCK_SHA256};
    if ((outcome = flag_statement(program, &statement_flags, sizes)) != OUTCOME_OK) {
        return outcome;
    }
    job->digest = (flock_digest){.layout = sizes->layout, .profile = sizes->profile};
    return select_backend(program);
}

/* The longest message that the memory suffices for, if it is shorter than the given one. */
static void advise(struct digest_job *job)
{
    uint64_t available = memory_available();
    flock_digest shorter = job->digest;

    /* The memory depends on the number of blocks rounded up to a power of two. */
    for (uint64_t blocks = (uint64_t)1 << 20; blocks >= 1; blocks /= 2) {
        shorter.message_bytes = 64 * blocks - 9;
        if (shorter.message_bytes < job->digest.message_bytes &&
            flock_digest_memory(&shorter) <= available) {
            snprintf(job->proof.advice, sizeof job->proof.advice, "up to %llu bytes would fit",
                     (unsigned long long)shorter.message_bytes);
            return;
        }
    }
}

static enum outcome prove_message(const struct program *program, struct digest_job *job)
{
    struct proof_job *proof = &job->proof;
    enum outcome outcome;

    job->message.progress = &proof->progress;
    job->digest.message_bytes = job->message.len;
    job->digest.message = job->message.bytes;
    job->digest.read = message_read;
    job->digest.read_context = &job->message;

    proof->memory = flock_digest_memory(&job->digest);
    advise(job);
    if ((outcome = check_memory(program, proof)) != OUTCOME_OK) {
        return outcome;
    }
    proof->prove = prove_digest;
    proof->input_failed = input_failed;
    proof->what = job;
    return prove_and_write(program, proof);
}

static enum outcome prove_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_PROVE_FLAGS];
    struct digest_job job = {.message = {.descriptor = -1}};
    enum outcome outcome;

    memcpy(flags, prove_flags, sizeof flags);
    if (!parse_flags(program, "Prove the SHA-256 digest of a file.\n\n" MEANING, flags,
                     N_PROVE_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    interrupt_install();
    if ((outcome = read_arguments(program, flags, &job)) == OUTCOME_OK &&
        (outcome = output_prepare(program, flags[OUT].value, &job.proof.output)) == OUTCOME_OK &&
        (outcome = message_open(program, flags[FILE_].value, &job.message)) == OUTCOME_OK) {
        outcome = prove_message(program, &job);
    }
    message_release(&job.message);
    output_release(&job.proof.output);
    return outcome;
}

/* ---- verify ---- */

enum verify_flag { IN, EXPECT_DIGEST, EXPECT_LENGTH, EXPECT_MODE, N_VERIFY_FLAGS };

static const struct flag verify_flags[N_VERIFY_FLAGS] = {
    [IN] = {FLAG_IN},
    [EXPECT_DIGEST] = {"--expect-digest", "HEX", false,
                       "require this digest, as sha256sum prints it: 64 digits", NULL},
    [EXPECT_LENGTH] = {"--expect-length", "N", false, "require a message of this many bytes", NULL},
    [EXPECT_MODE] = {FLAG_EXPECT_MODE},
};

/* What else the user requires. */
struct message_expectation {
    uint8_t digest[DIGEST_BYTES];
    uint64_t length;
};

static enum outcome read_message_expectation(const struct program *program,
                                             const struct flag *flags,
                                             struct message_expectation *expected)
{
    const struct flag *digest = &flags[EXPECT_DIGEST];

    if (digest->value && !hex_read(digest->value, expected->digest, DIGEST_BYTES)) {
        return fail(program, OUTCOME_USAGE, "%s: not 64 hexadecimal digits", digest->name);
    }
    return flag_number(program, &flags[EXPECT_LENGTH], 0, UINT64_MAX, &expected->length);
}

static void judge(const struct flag *flags, const struct expectation *expected,
                  const struct message_expectation *message, struct verdict *verdict)
{
    const flock_statement *statement = &verdict->statement;
    struct differences d = {.len = 0};

    if (compare_statement(statement, expected, &d)) {
        if (flags[EXPECT_LENGTH].value && statement->message_bytes != message->length) {
            add_difference(&d, "length is %llu, not %llu",
                           (unsigned long long)statement->message_bytes,
                           (unsigned long long)message->length);
        }
        if (flags[EXPECT_DIGEST].value &&
            memcmp(statement->digest, message->digest, DIGEST_BYTES) != 0) {
            add_difference(&d, "another digest");
        }
    }
    judge_differences(&d, verdict);
}

static enum outcome verify_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_VERIFY_FLAGS];
    struct expectation expected = {.relation = FLOCK_DIGEST, .mode_flag = &flags[EXPECT_MODE]};
    struct message_expectation message;
    struct verdict verdict;
    enum outcome outcome;

    memcpy(flags, verify_flags, sizeof flags);
    if (!parse_flags(program, "Verify the proof of a digest and print what it proves.\n\n" MEANING,
                     flags, N_VERIFY_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = read_expectation(program, &expected)) != OUTCOME_OK ||
        (outcome = read_message_expectation(program, flags, &message)) != OUTCOME_OK ||
        (outcome = select_backend(program)) != OUTCOME_OK ||
        (outcome = verify_file(program, flags[IN].value, NULL, &verdict)) != OUTCOME_OK) {
        return outcome;
    }
    if (verdict.valid) {
        judge(flags, &expected, &message, &verdict);
    }
    return report_verdict(program, &verdict);
}

int main(int argc, char **argv)
{
    static const struct command commands[] = {
        {"prove", "prove the digest of a file", FLAGS_OF_PROVERS, prove_command},
        {"verify", "verify a proof and print what it proves", FLAGS_OF_VERIFIERS, verify_command},
        {"info", "print what a proof file claims, and its parts", FLAGS_OF_READERS, info_command},
    };

    return program_main("flock_digest",
                        "Prove and verify the SHA-256 digest of a file.\n\n" MEANING, commands,
                        sizeof commands / sizeof *commands, argc, argv);
}
