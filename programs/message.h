/*
 * message.h - a message to be proved: a regular file is read once, while it is proved, anything
 * else (a pipe, standard input) before.
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <sys/stat.h>

#include <flock/prove.h>

#include "program.h"
#include "progress.h"

/* 2^20 blocks, of which padding takes at least 9 bytes: 2^35 witness bits. */
#define MAX_MESSAGE_BYTES (((uint64_t)64 << 20) - 9)

struct message {
    const char *path;
    uint64_t len;
    uint8_t *bytes; /* the message, or NULL: it is still in the file */

    int descriptor; /* of that file */
    struct stat before;
    uint64_t done;             /* bytes read */
    int error;                 /* an errno, if reading failed */
    struct progress *progress; /* shown while reading */
};

/* Open `path` ("-": standard input) and learn its length, which must be possible. */
enum outcome message_open(const struct program *program, const char *path, struct message *message);

/* For flock_digest.read; `context` is the struct message. Ends early if the file has changed. */
size_t message_read(void *context, uint8_t *buffer, size_t n);

/* Say why message_read() ended early. */
enum outcome message_failed(const struct program *program, const struct message *message);

void message_release(struct message *message);

#endif
