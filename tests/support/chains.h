/* Chains as the vector files describe them. */
#ifndef FLOCK_TESTS_CHAINS_H
#define FLOCK_TESTS_CHAINS_H

#include <flock/prove.h>

#include "support/support.h"

/* Names and synonyms used in the vectors; fail the test on others. */
flock_circuit circuit_named(const char *name);
flock_profile profile_named(const char *name);
flock_layout layout_named(const char *name);

/*
 * Arguments of the reference's program (spec 08, 8.1) to a reference-format chain. `start` gets the
 * initial value if there is one; `label` a description.
 */
void chain_from_arguments(const json_t *arguments, flock_chain *chain, uint8_t *start, char *label,
                          size_t label_len);

#endif
