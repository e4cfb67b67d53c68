/* The unit of the benchmarks of parts: a dependent addition takes one core cycle. */
#ifndef FLOCK_BENCH_CYCLES_H
#define FLOCK_BENCH_CYCLES_H

#include <math.h>
#include <stdint.h>

#include "base/clock.h"

/* Written out: in a loop that the compiler does not unroll an addition takes almost two cycles. */
#define CYCLE(x)     (x) += 3, cycle_barrier(&(x))
#define CYCLES_5(x)  CYCLE(x), CYCLE(x), CYCLE(x), CYCLE(x), CYCLE(x)
#define CYCLES_20(x) CYCLES_5(x), CYCLES_5(x), CYCLES_5(x), CYCLES_5(x)

/* Keeps the compiler from joining additions. */
static inline __attribute__((always_inline)) void cycle_barrier(uint64_t *x)
{
    __asm__ volatile("" : "+r"(*x));
}

/* Seconds of one cycle: the least so far. */
static inline double cycle_seconds(void)
{
    enum { ADDITIONS = 20 * 1000 };
    static double least = HUGE_VAL;
    for (int attempt = 0; attempt < 10; attempt++) {
        uint64_t x = 1;
        double begin = monotonic_seconds();
        for (int i = 0; i < ADDITIONS; i += 20) {
            CYCLES_20(x);
        }
        least = fmin(least, (monotonic_seconds() - begin) / ADDITIONS);
    }
    return least;
}

#endif
