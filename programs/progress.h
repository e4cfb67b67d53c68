/*
 * progress.h - one line on the terminal that says how far the prover is: phase, percentage and time
 * so far. Silent unless stderr is a terminal.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>

#include <flock/prove.h>

#include "program.h"

struct progress {
    bool enabled;
    double start;
    double last_shown; /* the line is redrawn at most ten times a second */
};

void progress_start(struct progress *progress, const struct program *program);
/* The callback of flock_options; `context` is the struct progress. */
int progress_show(void *context, flock_phase phase, double fraction);
/* Remove the line. */
void progress_end(struct progress *progress);

#endif
