/*
 * Arrays longer than the caches are read in order. The processor fetches ahead by itself, but not
 * past the end of a page of 4 KiB; so the kernels of such passes also ask for what they will read
 * AHEAD bytes later. Asking for what is behind an array does no harm.
 */
#ifndef FLOCK_BACKEND_PREFETCH_H
#define FLOCK_BACKEND_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

enum { CACHE_LINE = 64, AHEAD = 2048 };

/* The line `ahead` bytes behind what is read now, which may be behind the array. */
static inline __attribute__((always_inline)) void prefetch(const void *now, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)now + ahead));
}

/* The same for what is read much later: it need not come further than the second-level cache. */
static inline __attribute__((always_inline)) void prefetch_for_later(const void *now, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)now + ahead), 0, 2);
}

/* For the `bytes` bytes that are read now. */
static inline __attribute__((always_inline)) void prefetch_ahead(const void *now, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CACHE_LINE) {
        prefetch(now, AHEAD + i);
    }
}

#endif
