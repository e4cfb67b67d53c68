/*
 * flags.h - the flags of a subcommand: one table that both parses the command line and prints the
 * help. Flags are written --name VALUE or --name=VALUE, in any order, each at most once; anything
 * else is an error.
 */
#ifndef FLAGS_H
#define FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"

struct flag {
    const char *name;     /* with its dashes */
    const char *argument; /* what the help calls the value; NULL for a switch */
    bool required;
    const char *help;  /* lines separated by '\n' */
    const char *value; /* set by parse_flags(): NULL if not given, "" for a switch */
};

/*
 * Parse argv into flags[].value; sets program->json and program->quiet if the table has --json and
 * --quiet. Returns true to go on; otherwise *outcome is the end of the program (the help was
 * printed, or an error).
 */
bool parse_flags(struct program *program, const char *about, struct flag *flags, size_t n_flags,
                 int argc, char **argv, enum outcome *outcome);

/* Numbers: digits only, no sign or white space; false if malformed or too large. */
bool parse_decimal(const char *text, uint64_t *value);
/* Hexadecimal, with or without leading 0x. */
bool parse_hexadecimal(const char *text, uint64_t *value);

/* A word of a list and what it stands for; words are compared without regard to case. */
struct choice {
    const char *word;
    int value;
};
bool parse_choice(const char *text, const struct choice *choices, size_t n_choices, int *value);

/* The value of a flag that was given, else *value stays; an error lists the words. */
enum outcome flag_choice(const struct program *program, const struct flag *flag,
                         const struct choice *choices, size_t n_choices, int *value);
/* The same for a decimal number from `low` to `high`. */
enum outcome flag_number(const struct program *program, const struct flag *flag, uint64_t low,
                         uint64_t high, uint64_t *value);

/* --hash, --mode, --layout, --format. */
enum outcome flag_circuit(const struct program *program, const struct flag *flag,
                          flock_circuit *circuit);
enum outcome flag_profile(const struct program *program, const struct flag *flag,
                          flock_profile *profile);
enum outcome flag_layout(const struct program *program, const struct flag *flag,
                         flock_layout *layout);
enum outcome flag_format(const struct program *program, const struct flag *flag,
                         flock_format *format);

#endif
