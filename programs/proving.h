/* proving.h - what the subcommands `prove` have in common: prove, write the file, tell. */
#ifndef PROVING_H
#define PROVING_H

#include <flock/prove.h>

#include "files.h"
#include "program.h"
#include "progress.h"

struct proof_job {
    flock_statement sizes; /* what is to be proved, as far as sizes depend on it */
    uint64_t memory;       /* upper estimate of what proving will still take, in bytes */
    /* What to do if the machine has too little memory; empty: use fewer of what is counted. */
    char advice[80];
    struct output_file output;
    struct progress progress; /* while prove() runs */
    /* The library's function for `what`, which is of a type of its own. */
    flock_status (*prove)(const void *what, const flock_options *options, uint8_t **proof,
                          size_t *proof_len, flock_statement *statement);
    const void *what;
    /* What to say if that returns FLOCK_ERR_INPUT; NULL: it does not. */
    enum outcome (*input_failed)(const struct program *program, const void *what);
};

/* Refuse a proof that the machine has no memory for: it would end in the middle of the work. */
enum outcome check_memory(const struct program *program, const struct proof_job *job);

enum outcome prove_and_write(const struct program *program, struct proof_job *job);

#endif
