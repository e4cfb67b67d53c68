/*
 * The unit of the benchmarks: a multiplication of 64 bits, one of a chain that each needs the one
 * before, takes three core cycles on all x86-64 and AArch64 cores of the last ten years. (An
 * addition does not always take one: some cores add constants while they rename registers.)
 */
#ifndef FLOCK_BENCH_CYCLES_H
#define FLOCK_BENCH_CYCLES_H

#include <math.h>
#include <stdint.h>

#include "base/clock.h"

/* Written out, so that the loop costs nothing beside them. */
#define MULTIPLY(x)    (x) *= (x), cycle_barrier(&(x))
#define MULTIPLY_5(x)  MULTIPLY(x), MULTIPLY(x), MULTIPLY(x), MULTIPLY(x), MULTIPLY(x)
#define MULTIPLY_20(x) MULTIPLY_5(x), MULTIPLY_5(x), MULTIPLY_5(x), MULTIPLY_5(x)

/* Keeps the compiler from joining multiplications. */
static inline __attribute__((always_inline)) void cycle_barrier(uint64_t *x)
{
    __asm__ volatile("" : "+r"(*x));
}

/* Seconds of one cycle: the least so far. */
static inline double cycle_seconds(void)
{
    enum { MULTIPLICATIONS = 20 * 1000, LATENCY = 3 };
    static double least = HUGE_VAL;
    for (int attempt = 0; attempt < 10; attempt++) {
        uint64_t x = 3;
        double begin = monotonic_seconds();
        for (int i = 0; i < MULTIPLICATIONS; i += 20) {
            MULTIPLY_20(x);
        }
        least = fmin(least, (monotonic_seconds() - begin) / (LATENCY * MULTIPLICATIONS));
    }
    return least;
}

#endif
