/*
 * Parallel loops. Results never depend on the number of threads: a body writes only what belongs
 * to its index, or adds to a sum of its thread, and sums over GF(2^128) are exact.
 */
#ifndef FLOCK_BASE_PARALLEL_H
#define FLOCK_BASE_PARALLEL_H

#include <stddef.h>

/* Runs body(context, i) for i = 0 .. n-1 on up to `threads` threads, in no particular order. */
void parallel_for(unsigned threads, size_t n, void (*body)(void *context, size_t i), void *context);

/* The number of threads that such a loop runs on at most: no more than there are bodies. */
size_t parallel_team(unsigned threads, size_t n);

/*
 * In a body: a number of the calling thread, below parallel_team(threads, n). So bodies can have a
 * sum for each thread instead of one for each index.
 */
unsigned parallel_thread(void);

/* What the loops that this thread ran on several threads have taken so far. */
struct parallel_time {
    double wall;
    double busy; /* summed up over the threads, without waiting for the last of them */
};
struct parallel_time parallel_time_now(void);

/* OpenMP ends the process if it cannot have the threads it is asked for. */
enum { MAX_THREADS = 1024 };

/*
 * Threads to use when the caller asked for `requested` (0: all cores of this process): at most
 * MAX_THREADS unless there are so many cores.
 */
unsigned parallel_threads(unsigned requested);

#endif
