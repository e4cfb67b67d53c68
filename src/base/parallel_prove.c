#include "base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

unsigned parallel_threads(unsigned requested)
{
#ifdef _OPENMP
    if (requested == 0) {
        int cores = omp_get_num_procs();
        return cores > 0 ? (unsigned)cores : 1;
    }
    return requested < MAX_THREADS ? requested : MAX_THREADS;
#else
    (void)requested;
    return 1;
#endif
}

void parallel_for(unsigned threads, size_t n, void (*body)(void *context, size_t i), void *context)
{
#ifdef _OPENMP
    if (threads > 1 && n > 1) {
        int team = n < threads ? (int)n : (int)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
        for (size_t i = 0; i < n; i++) {
            body(context, i);
        }
        return;
    }
#else
    (void)threads;
#endif
    for (size_t i = 0; i < n; i++) {
        body(context, i);
    }
}
