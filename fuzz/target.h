/* What both fuzzers run on their input. */
#ifndef FLOCK_FUZZ_TARGET_H
#define FLOCK_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/*
 * The verifier's calls on one file, and what must hold between their answers. Ends the process if
 * they take more than a second of processor time.
 */
void check_input(const uint8_t *bytes, size_t len);

#endif
