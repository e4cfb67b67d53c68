/* files.h - read whole files; write a file so that it is there completely or not at all. */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"

/* More than any proof file has. */
#define MAX_PROOF_FILE_BYTES ((size_t)256 << 20)

/*
 * Read a file ("-": standard input) of at most `limit` bytes.
 * Out: *bytes (to be freed), *len; *len = limit + 1 says that the file is longer.
 */
enum outcome read_file(const struct program *program, const char *path, size_t limit,
                       uint8_t **bytes, size_t *len);

/* A file to be written. */
struct output_file {
    const char *path; /* as the user gave it */
    char *target;     /* the file itself, symbolic links followed */
    char *temporary;  /* beside it; NULL: not a regular file, written in place */
};

/*
 * Check before the work is done that `path` can be written, by creating and removing the temporary
 * file. Nothing is left behind and an existing file stays as it is.
 */
enum outcome output_prepare(const struct program *program, const char *path,
                            struct output_file *output);

/* Write, synchronize, and put in place of an existing file; nothing is left if that fails. */
enum outcome output_write(const struct program *program, const struct output_file *output,
                          const uint8_t *bytes, size_t len);

void output_release(struct output_file *output);

#endif
