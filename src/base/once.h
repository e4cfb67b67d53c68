/* Data that are computed by the first thread that needs them. */
#ifndef FLOCK_BASE_ONCE_H
#define FLOCK_BASE_ONCE_H

#include <stdatomic.h>
#include <stdbool.h>

/* Static storage, zero at first. */
struct once {
    atomic_int state;
};

enum { ONCE_NOT_YET, ONCE_IN_WORK, ONCE_DONE };

/*
 * Returns true to one thread, which then prepares the data and calls once_done(); to all others
 * false, but not before that: they wait, so the preparation should take microseconds.
 */
static inline bool once_first(struct once *once)
{
    int expected = ONCE_NOT_YET;
    if (atomic_load_explicit(&once->state, memory_order_acquire) == ONCE_DONE) {
        return false;
    }
    if (atomic_compare_exchange_strong(&once->state, &expected, ONCE_IN_WORK)) {
        return true;
    }
    while (atomic_load_explicit(&once->state, memory_order_acquire) != ONCE_DONE) {
    }
    return false;
}

static inline void once_done(struct once *once)
{
    atomic_store_explicit(&once->state, ONCE_DONE, memory_order_release);
}

#endif
