/*
 * Parallel loops. Results never depend on the number of threads: a body writes only what belongs
 * to its index, and sums over GF(2^128) are exact.
 */
#ifndef FLOCK_BASE_PARALLEL_H
#define FLOCK_BASE_PARALLEL_H

#include <stddef.h>

/* Runs body(context, i) for i = 0 .. n-1 on up to `threads` threads, in no particular order. */
void parallel_for(unsigned threads, size_t n, void (*body)(void *context, size_t i), void *context);

/* Threads worth using when the caller asked for `requested` (0: all cores of this process). */
unsigned parallel_threads(unsigned requested);

#endif
