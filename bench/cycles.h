/* The unit of the benchmarks of parts: a dependent addition takes one core cycle. */
#ifndef FLOCK_BENCH_CYCLES_H
#define FLOCK_BENCH_CYCLES_H

#include <math.h>
#include <stdint.h>

#include "base/clock.h"

/* Seconds of one cycle: the least so far. */
static inline double cycle_seconds(void)
{
    enum { ADDITIONS = 20 * 1000 };
    static double least = HUGE_VAL;
    for (int attempt = 0; attempt < 10; attempt++) {
        uint64_t x = 1;
        double begin = monotonic_seconds();
        for (int i = 0; i < ADDITIONS; i += 10) {
            for (int j = 0; j < 10; j++) {
                x += 3;
                __asm__ volatile("" : "+r"(x));
            }
        }
        least = fmin(least, (monotonic_seconds() - begin) / ADDITIONS);
    }
    return least;
}

#endif
