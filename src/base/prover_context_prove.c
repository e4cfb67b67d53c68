#include "base/prover_context.h"

#include <string.h>

#include "base/clock.h"

/* The number of the part, which is made if there is room for it. */
static unsigned find_part(struct prover_context *context, flock_phase phase, const char *name)
{
    for (unsigned i = 0; i < context->n_parts; i++) {
        if (context->parts[i].phase == phase && strcmp(context->parts[i].name, name) == 0) {
            return i;
        }
    }
    if (context->n_parts == FLOCK_MAX_PARTS) {
        return context->current;
    }
    context->parts[context->n_parts] = (flock_part){.phase = phase, .name = name};
    return context->n_parts++;
}

void prover_enter(struct prover_context *context, flock_phase phase, const char *name)
{
    double now = monotonic_seconds();
    struct parallel_time parallel = parallel_time_now();
    if (context->n_parts > 0) {
        flock_part *part = &context->parts[context->current];
        double seconds = now - context->part_began;
        double serial = seconds - (parallel.wall - context->parallel_began.wall);
        part->seconds += seconds;
        part->serial_seconds += serial;
        part->busy_seconds += serial + (parallel.busy - context->parallel_began.busy);
    }
    context->current = find_part(context, phase, name);
    context->part_began = now;
    context->parallel_began = parallel;
}

void prover_part(struct prover_context *context, const char *name)
{
    prover_enter(context, context->parts[context->current].phase, name);
}
