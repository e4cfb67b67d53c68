/*
 * flags.h - the flags of a subcommand: one table that both parses the command line and prints the
 * help. Flags are written --name VALUE or --name=VALUE, in any order, each at most once unless its
 * argument ends with " ..."; anything else is an error.
 */
#ifndef FLAGS_H
#define FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flock/statement.h>

#include "program.h"

struct flag {
    const char *name; /* with its dashes */
    /* What the help calls the value; NULL for a switch; "VALUE ..." if it can be given again. */
    const char *argument;
    bool required;
    const char *help;  /* lines separated by '\n' */
    const char *value; /* set by parse_flags(): NULL if not given, "" for a switch, else the last */
};

/*
 * Parse argv into flags[].value, and the common flags of the command into *program. Returns true to
 * go on; otherwise *outcome is the end of the program (the help was printed, or an error).
 */
bool parse_flags(struct program *program, const char *about, struct flag *flags, size_t n_flags,
                 int argc, char **argv, enum outcome *outcome);

/* NULL stands for a flag that the program does not have, here and below. */
bool flag_is_given(const struct flag *flag);

/*
 * All values of a flag that can be given again, in order. parse_flags() has accepted argv. Values
 * never begin with "--", so that no value can be taken for the flag.
 * In:  values - room for argc.
 * Returns how many there are.
 */
size_t flag_values(const struct flag *flag, int argc, char **argv, const char **values);

/* A word of a list and what it stands for; words are compared without regard to case. */
struct choice {
    const char *word;
    int value;
};

/* The value of a flag that was given, else *value stays; an error lists the words. */
enum outcome flag_choice(const struct program *program, const struct flag *flag,
                         const struct choice *choices, size_t n_choices, int *value);
/* The same for a decimal number from `low` to `high`: digits only, no sign or white space. */
enum outcome flag_number(const struct program *program, const struct flag *flag, uint64_t low,
                         uint64_t high, uint64_t *value);
/* The same for a 64-bit hexadecimal number, with or without leading 0x. */
enum outcome flag_seed(const struct program *program, const struct flag *flag, uint64_t *seed);

/* --hash and --expect-hash: the hashes that have this relation; --mode and --expect-mode. */
enum outcome flag_circuit(const struct program *program, const struct flag *flag,
                          flock_relation relation, flock_circuit *circuit);
enum outcome flag_profile(const struct program *program, const struct flag *flag,
                          flock_profile *profile);
enum outcome flag_format(const struct program *program, const struct flag *flag,
                         flock_format *format);

/* The flags that say what is to be proved; NULL: there is no choice. */
struct statement_flags {
    const struct flag *hash, *mode, *layout, *format;
};
/* Read them; the statement's relation is set. */
enum outcome flag_statement(const struct program *program, const struct statement_flags *flags,
                            flock_statement *statement);

/* Rows that several tables have, to be put in braces. */
#define FLAG_IN  "--in", "FILE", true, "the proof file; - reads standard input", NULL
#define FLAG_OUT "--out", "FILE", true, "where the proof goes; replaced when it is complete", NULL
#define FLAG_MODE                                                                          \
    "--mode", "MODE", false,                                                               \
        "fast (default, 100 bits), slim (100 bits, smaller proofs)\nor secure (120 bits, " \
        "reference format 115)",                                                           \
        NULL
#define FLAG_LAYOUT      "--layout", "LAYOUT", false, "row (default) or batch", NULL
#define FLAG_EXPECT_HASH "--expect-hash", "HASH", false, "require this hash", NULL
#define FLAG_EXPECT_MODE "--expect-mode", "MODE", false, "require this mode", NULL

#endif
