/*
 * list.h - flags that take several values: "a,b", "all", and for numbers also "2^K" and ranges
 * "A..B", which double: 2^10..2^12 is 1024, 2048, 4096.
 */
#ifndef FLOCK_BENCH_LIST_H
#define FLOCK_BENCH_LIST_H

#include "flags.h"

enum { LIST_MAX = 64 };

struct list {
    uint64_t value[LIST_MAX];
    size_t n;
};

/* Reads one word, the value of `item`, into *value. */
typedef enum outcome list_reader(const struct program *program, const struct flag *item,
                                 uint64_t *value);

/* All values of a flag; not given: those of the text `missing`. "all" stands for the text `all`. */
enum outcome flag_list(const struct program *program, const struct flag *flag, const char *missing,
                       const char *all, list_reader *read, struct list *list);

/* The same for numbers from `low` to `high`. */
enum outcome flag_numbers(const struct program *program, const struct flag *flag,
                          const char *missing, uint64_t low, uint64_t high, struct list *list);

/* A word among the names of the backends of this machine, or "auto": its number. */
list_reader read_backend;

/* The names of all backends of this machine, separated by commas. */
const char *all_backends(void);

/* --output */
enum output { OUTPUT_MARKDOWN, OUTPUT_CSV, OUTPUT_JSON };
enum outcome flag_output(struct program *program, const struct flag *flag, enum output *output);

#define FLAG_OUTPUT                                                                              \
    "--output", "FORM", false, "markdown (default), csv or json: one object on standard output", \
        NULL
#define FLAG_BACKENDS \
    "--backend", "LIST", false, "machine kernels, by name, auto (default) or all", NULL

#endif
