/*
 * program.h - what all programs of this folder do alike: subcommands, exit codes, error lines, the
 * machine-readable result.
 *
 * Results go to stdout, everything else to stderr. An error is one line,
 *     NAME: error: WHAT (WHERE, OR WHAT TO DO)
 * With --json exactly one JSON object is printed on stdout, also when the program fails.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flock/flock.h>

#include "json.h"

/* The exit codes of all programs; a program ended by signal N ends as the shell's 128 + N. */
enum outcome {
    OUTCOME_OK = 0,
    OUTCOME_USAGE = 1,     /* unknown, missing, repeated or unsuitable arguments */
    OUTCOME_FILE = 2,      /* a file cannot be read or written */
    OUTCOME_MALFORMED = 3, /* the bytes are not a proof file (or tree file) */
    OUTCOME_INVALID = 4,   /* a proof file whose proof does not prove its statement */
    OUTCOME_MISMATCH = 5,  /* a valid proof of another statement than the expected one */
    OUTCOME_UNBOUND = 6,   /* a valid proof in a format that does not bind its endpoints */
    OUTCOME_TOO_LARGE = 7, /* out of memory, or beyond the largest statement */
};

/*
 * The flags that several subcommands have besides their own (flags.h): the last ones, so many, of
 * --threads, --backend, --quiet, --json.
 */
enum common_flags {
    NO_COMMON_FLAGS = 0,
    FLAGS_OF_READERS = 1,
    FLAGS_OF_VERIFIERS = 3,
    FLAGS_OF_PROVERS = 4,
};

/* The run of one subcommand. */
struct program {
    const char *name;
    const char *command; /* NULL before it is known */
    enum common_flags common_flags;
    /* The values of the common flags. */
    uint64_t threads;    /* 0: not given */
    const char *backend; /* NULL: not given */
    bool quiet;          /* print errors only */
    bool json;
};

struct command {
    const char *name;
    const char *summary;
    enum common_flags common_flags;
    /* argv holds what follows the subcommand. */
    enum outcome (*run)(struct program *program, int argc, char **argv);
};

/* The whole of main(): dispatch, help, --version; the result is the exit code. */
int program_main(const char *name, const char *about, const struct command *commands,
                 size_t n_commands, int argc, char **argv);

/* Report an error in all requested ways. Returns `outcome`. */
enum outcome fail(const struct program *program, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The error line alone, for those that write more into the JSON object than fail() does. */
void error_line(const struct program *program, const char *message);

/* Start the JSON object of a result with what all have; message NULL: no error. */
void result_open(struct json *json, const struct program *program, enum outcome outcome,
                 const char *message);

/* Which exit code a library status of reading or verifying a proof file stands for. */
enum outcome outcome_of_proof_status(flock_status status);
/* What to say about it. */
const char *proof_status_text(flock_status status);

/* Print the table of exit codes, for the help texts. */
void print_exit_codes(void);

/* Seconds of a steady clock. */
double seconds_now(void);

#endif
