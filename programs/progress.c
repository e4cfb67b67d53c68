#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "interrupt.h"

void progress_start(struct progress *progress, const struct program *program)
{
    progress->enabled = !program->quiet && isatty(STDERR_FILENO);
    progress->start = seconds_now();
    progress->last_shown = -1;
}

int progress_show(void *context, flock_phase phase, double fraction)
{
    struct progress *progress = context;
    double elapsed = seconds_now() - progress->start;

    if (!progress->enabled || (progress->last_shown >= 0 && elapsed - progress->last_shown < 0.1)) {
        return 0;
    }
    progress->last_shown = elapsed;
    interrupt_wipe_line(true);
    fprintf(stderr, "\rproving: phase %d of %d, %-10s %3.0f %%  %.1f s\033[K", (int)phase + 1,
            (int)FLOCK_N_PHASES, flock_phase_name(phase), 100 * fraction, elapsed);
    fflush(stderr);
    return 0;
}

void progress_end(struct progress *progress)
{
    if (!progress->enabled || progress->last_shown < 0) {
        return;
    }
    fputs("\r\033[K", stderr);
    fflush(stderr);
    interrupt_wipe_line(false);
}
