/* Wall time for reports. */
#ifndef FLOCK_BASE_CLOCK_H
#define FLOCK_BASE_CLOCK_H

#include <time.h>

static inline double monotonic_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
