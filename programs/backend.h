/* backend.h - the choice of machine kernels by flag or environment. */
#ifndef BACKEND_H
#define BACKEND_H

#include "program.h"

/*
 * Select the backend named by the flag --backend or else by the environment variable
 * FLOCK_BACKEND. An unknown name is an error that lists the available ones.
 */
enum outcome select_backend(const struct program *program);

#endif
