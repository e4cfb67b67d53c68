/* What every stage of the prover is handed: memory, threads, progress. */
#ifndef FLOCK_BASE_PROVER_CONTEXT_H
#define FLOCK_BASE_PROVER_CONTEXT_H

#include <flock/prove.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"

/* A point of time, or what a stage took: wall time, and how much of it the threads made use of. */
struct stage_time {
    double seconds;
    struct parallel_time parallel;
};

struct prover_context {
    struct memory memory;
    unsigned threads;
    const flock_options *options; /* never NULL */
    flock_phase phase;            /* the phase it is in */
    struct stage_time phase_began;
    struct stage_time phase_time[FLOCK_N_PHASES]; /* of the phases before, and of all grinding */
};

static inline struct stage_time stage_time_now(void)
{
    return (struct stage_time){monotonic_seconds(), parallel_time_now()};
}

/* From one point of time to another, or what is left of a stage without a part of it. */
static inline struct stage_time stage_time_between(struct stage_time from, struct stage_time to)
{
    return (struct stage_time){
        .seconds = to.seconds - from.seconds,
        .parallel = {to.parallel.wall - from.parallel.wall, to.parallel.busy - from.parallel.busy},
    };
}

/* sum += what has passed since `began` */
static inline void stage_time_add_since(struct stage_time *sum, struct stage_time began)
{
    struct stage_time passed = stage_time_between(began, stage_time_now());
    sum->seconds += passed.seconds;
    sum->parallel.wall += passed.parallel.wall;
    sum->parallel.busy += passed.parallel.busy;
}

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
