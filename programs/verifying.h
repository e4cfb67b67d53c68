/*
 * verifying.h - what the subcommands `verify` have in common: verify a file, compare what it proves
 * with what was expected, tell.
 */
#ifndef VERIFYING_H
#define VERIFYING_H

#include <flock/verify.h>

#include "flags.h"
#include "program.h"

/* What to tell about a verified file. */
struct verdict {
    const char *path;
    uint8_t *bytes; /* the file: the statement may point into it */
    enum outcome outcome;
    bool valid;
    flock_statement statement; /* if valid */
    char message[1024];        /* unless the outcome is OUTCOME_OK */
    const char *note;          /* what the caller still has to do, or NULL; set it if valid */
    double seconds;
};

/*
 * Read and verify the file at `path`. A proof that is malformed or invalid is a verdict; what is
 * returned is an error (already reported) if there is nothing to judge. `reference`: NULL, or what
 * the file is about if it is of the reference format and does not say so itself.
 */
enum outcome verify_file(const struct program *program, const char *path,
                         const flock_statement *reference, struct verdict *verdict);

/* Tell the verdict in all requested ways and release it. Returns its outcome. */
enum outcome report_verdict(const struct program *program, struct verdict *verdict);

/* ---- expectations ---- */

/*
 * What the user requires; a flag without a value leaves its part free, as NULL does for a flag that
 * the program does not have.
 */
struct expectation {
    flock_relation relation;
    const struct flag *hash_flag, *count_flag, *mode_flag;
    flock_circuit circuit;
    uint64_t count;
    flock_profile profile;
};

/* Read the values of the flags. */
enum outcome read_expectation(const struct program *program, struct expectation *expected);

/* The differences between a statement and an expectation, for one line. */
struct differences {
    char text[512];
    size_t len;
};

void add_difference(struct differences *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns false if the relation differs: then nothing else can be compared. */
bool compare_statement(const flock_statement *statement, const struct expectation *expected,
                       struct differences *d);

/* A valid proof with differences is not what was expected. */
void judge_differences(const struct differences *d, struct verdict *verdict);

#endif
