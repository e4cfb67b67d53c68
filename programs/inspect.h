/* inspect.h - the subcommands `info` and `params`, the same for all programs. */
#ifndef INSPECT_H
#define INSPECT_H

#include "program.h"

/* What a proof file claims, the sizes of its parts, its parameters; nothing is verified. */
enum outcome info_command(struct program *program, int argc, char **argv);

/* The parameters of a size and mode, and every error term in bits. */
enum outcome params_command(struct program *program, int argc, char **argv);

#endif
