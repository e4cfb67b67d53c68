/* What every stage of the prover is handed: memory, threads, progress, a stop-watch. */
#ifndef FLOCK_BASE_PROVER_CONTEXT_H
#define FLOCK_BASE_PROVER_CONTEXT_H

#include <flock/prove.h>

#include "base/memory.h"
#include "base/parallel.h"

struct prover_context {
    struct memory memory;
    unsigned threads;
    const flock_options *options; /* never NULL */
    /* The stop-watch: the time of all parts so far; it is in parts[current] since then. */
    flock_part parts[FLOCK_MAX_PARTS];
    unsigned n_parts, current;
    double part_began;
    struct parallel_time parallel_began;
};

/*
 * From now on the prover is in this part of this phase, which it may have been in before; the part
 * before ends. `name` must outlive the context (a literal).
 */
void prover_enter(struct prover_context *context, flock_phase phase, const char *name);

/* The same for another part of the phase it is in. */
void prover_part(struct prover_context *context, const char *name);

/* Tell the user how far a phase is. Returns FLOCK_ERR_CANCELLED if asked to stop, else FLOCK_OK. */
static inline flock_status prover_progress(struct prover_context *context, flock_phase phase,
                                           double fraction)
{
    const flock_options *options = context->options;
    if (options->progress != NULL &&
        options->progress(options->progress_context, phase, fraction) != 0) {
        return FLOCK_ERR_CANCELLED;
    }
    return FLOCK_OK;
}

#endif
