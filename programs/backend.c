#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "auto, portable, avx2" */
static void list_backends(char *text, size_t room)
{
    const char *name;
    size_t used = (size_t)snprintf(text, room, "auto");

    for (size_t i = 0; (name = flock_backend_available(i)) != NULL && used < room; i++) {
        used += (size_t)snprintf(text + used, room - used, ", %s", name);
    }
}

enum outcome select_backend(const struct program *program)
{
    const char *from = "--backend", *name = program->backend;
    char available[256];

    if (name == NULL) {
        from = "FLOCK_BACKEND";
        name = getenv(from);
    }
    if (name == NULL || *name == '\0' || flock_backend_select(name) == FLOCK_OK) {
        return OUTCOME_OK;
    }
    list_backends(available, sizeof available);
    return fail(program, OUTCOME_USAGE, "%s: no backend '%s' on this machine (available: %s)", from,
                name, available);
}
