/* flock_bench - what proofs cost, and where the time goes. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static const struct command commands[] = {
    {"proofs", "whole proofs against native hashing (without a command: this)", NO_COMMON_FLAGS,
     proofs_command},
    {"kernels", "every hot loop in every backend", NO_COMMON_FLAGS, kernels_command},
    {"witness", "the witness generators", NO_COMMON_FLAGS, witness_command},
};

static const char about[] =
    "Measure proofs of batches and chains, phase by phase, against plain scalar hashing on the\n"
    "same core in the same run; and the parts of the prover on their own. Without a command it\n"
    "measures proofs.";

static int run(int argc, char **argv)
{
    return program_main("flock_bench", about, commands, sizeof commands / sizeof *commands, argc,
                        argv);
}

static bool is_flag(const char *word)
{
    return strncmp(word, "--", 2) == 0 && strcmp(word, "--help") != 0 &&
           strcmp(word, "--version") != 0;
}

/* Flags without a command are those of `proofs`. */
int main(int argc, char **argv)
{
    char command[] = "proofs";
    if (argc > 1 && !is_flag(argv[1])) {
        return run(argc, argv);
    }
    char **longer = calloc((size_t)argc + 2, sizeof *longer);
    if (longer == NULL) {
        return OUTCOME_TOO_LARGE;
    }
    longer[0] = argv[0];
    longer[1] = command;
    memcpy(longer + 2, argv + 1, (size_t)(argc > 1 ? argc - 1 : 0) * sizeof *longer);
    int result = run(argc + 1, longer);
    free(longer);
    return result;
}
