/* commands.h - the subcommands of flock_bench. */
#ifndef FLOCK_BENCH_COMMANDS_H
#define FLOCK_BENCH_COMMANDS_H

#include "program.h"

enum outcome proofs_command(struct program *program, int argc, char **argv);
enum outcome kernels_command(struct program *program, int argc, char **argv);
enum outcome witness_command(struct program *program, int argc, char **argv);

#endif
