#include "base/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/clock.h"

static _Thread_local struct parallel_time total;
static _Thread_local unsigned thread_number;

struct parallel_time parallel_time_now(void)
{
    return total;
}

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

size_t parallel_team(unsigned threads, size_t n)
{
    return n < threads ? n : threads;
}

#ifdef _OPENMP
static void run_on_team(int team, size_t n, void (*body)(void *context, size_t i), void *context)
{
    double begin = monotonic_seconds(), busy = 0;
#pragma omp parallel num_threads(team)
    {
        double thread_began = monotonic_seconds();
        thread_number = (unsigned)omp_get_thread_num();
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t i = 0; i < n; i++) {
            body(context, i);
        }
        double thread_busy = monotonic_seconds() - thread_began;
        /* An atomic sum: for a reduction clang would export a symbol of its own. */
#pragma omp atomic
        busy += thread_busy;
    }
    total.wall += monotonic_seconds() - begin;
    total.busy += busy;
}
#endif

static void run(unsigned threads, size_t n, void (*body)(void *context, size_t i), void *context)
{
#ifdef _OPENMP
    if (threads > 1 && n > 1) {
        run_on_team((int)parallel_team(threads, n), n, body, context);
        return;
    }
#else
    (void)threads;
#endif
    thread_number = 0;
    for (size_t i = 0; i < n; i++) {
        body(context, i);
    }
}

/* A body may run a loop of its own, and then has its number again. */
void parallel_for(unsigned threads, size_t n, void (*body)(void *context, size_t i), void *context)
{
    unsigned number = thread_number;
    run(threads, n, body, context);
    thread_number = number;
}

unsigned parallel_thread(void)
{
    return thread_number;
}
