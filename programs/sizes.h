/* sizes.h - how many steps or evaluations a statement can have. */
#ifndef SIZES_H
#define SIZES_H

#include <flock/statement.h>

#include "program.h"

/* "steps" of a chain, "evaluations" of a batch, "blocks" of a message, "paths" of a tree. */
const char *count_noun(flock_relation relation);
/* How many of them. */
uint64_t counted(const flock_statement *statement);

/*
 * Is the statement's count possible (chains and batches)? The rest of it must be. `from` is the
 * flag that the count came from. An error says which counts are possible.
 */
enum outcome check_count(const struct program *program, const char *from,
                         const flock_statement *statement);

/* The largest count of a statement of this kind. */
uint64_t largest_count(const flock_statement *statement);

/* The largest count with as many witness bits: for a batch, the evaluations that are proved. */
uint64_t largest_count_of_size(const flock_statement *statement);

#endif
