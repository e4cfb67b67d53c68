/* index_list.h - leaf indices, written as a list of numbers and ranges: 3,5,8-15 */
#ifndef INDEX_LIST_H
#define INDEX_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "flags.h"
#include "program.h"

/*
 * Read the value of a flag.
 * In:  n_leaves - every index is below; max - the most indices.
 * Out: *indices (to be freed), *n - in the order of the list; none is twice in it.
 */
enum outcome index_list_read(const struct program *program, const struct flag *flag,
                             uint64_t n_leaves, size_t max, uint64_t **indices, size_t *n);

#endif
