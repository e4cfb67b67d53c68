/* What every stage of the prover is handed: memory, threads, progress. */
#ifndef FLOCK_BASE_PROVER_CONTEXT_H
#define FLOCK_BASE_PROVER_CONTEXT_H

#include <flock/prove.h>

#include "base/memory.h"
#include "base/parallel.h"

struct prover_context {
    struct memory memory;
    unsigned threads;
    const flock_options *options; /* never NULL */
    double grind_seconds;         /* summed up by the transcript's proof of work */
    flock_phase phase;            /* the phase it is in, since when, and the time of those before */
    double phase_began;
    double phase_seconds[FLOCK_N_PHASES];
};

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
