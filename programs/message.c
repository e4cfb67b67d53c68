#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static enum outcome cannot_read(const struct program *program, const char *path, int error)
{
    return fail(program, OUTCOME_FILE, "cannot read: %s (%s)", strerror(error), path);
}

static enum outcome too_large(const struct program *program, const char *path)
{
    return fail(program, OUTCOME_TOO_LARGE,
                "--file: %s has more than %llu bytes (64 MiB less padding), the longest message of "
                "a proof",
                name_of(path), (unsigned long long)MAX_MESSAGE_BYTES);
}

static enum outcome read_before(const struct program *program, struct message *message)
{
    size_t len;
    enum outcome outcome =
        read_file(program, message->path, (size_t)MAX_MESSAGE_BYTES, &message->bytes, &len);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    message->len = len;
    return len > MAX_MESSAGE_BYTES ? too_large(program, message->path) : OUTCOME_OK;
}

/* Whether the length that the system tells is that of the content: it is 0 for /proc. */
static bool can_be_streamed(const char *path)
{
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_size > 0;
}

enum outcome message_open(const struct program *program, const char *path, struct message *message)
{
    *message = (struct message){.path = path, .descriptor = -1};
    if (!can_be_streamed(path)) {
        return read_before(program, message);
    }
    message->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (message->descriptor < 0 || fstat(message->descriptor, &message->before) != 0) {
        return cannot_read(program, path, errno);
    }
    message->len = (uint64_t)message->before.st_size;
    return message->len > MAX_MESSAGE_BYTES ? too_large(program, path) : OUTCOME_OK;
}

static ssize_t read_again(int descriptor, void *buffer, size_t n)
{
    ssize_t got;

    do {
        got = read(descriptor, buffer, n);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Nothing follows what was read, and nobody has written meanwhile. */
static bool is_unchanged(const struct message *message)
{
    const struct stat *before = &message->before;
    struct stat after;
    uint8_t more;

    return read_again(message->descriptor, &more, 1) == 0 &&
           fstat(message->descriptor, &after) == 0 && after.st_size == before->st_size &&
           after.st_mtim.tv_sec == before->st_mtim.tv_sec &&
           after.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

size_t message_read(void *context, uint8_t *buffer, size_t n)
{
    struct message *message = context;
    ssize_t got = read_again(message->descriptor, buffer, n);

    if (got <= 0) {
        message->error = got < 0 ? errno : 0;
        return 0;
    }
    message->done += (uint64_t)got;
    if (message->done == message->len && !is_unchanged(message)) {
        return 0;
    }
    progress_show(message->progress, FLOCK_PHASE_WITNESS,
                  (double)message->done / (double)message->len);
    return (size_t)got;
}

enum outcome message_failed(const struct program *program, const struct message *message)
{
    if (message->error != 0) {
        return cannot_read(program, message->path, message->error);
    }
    return fail(program, OUTCOME_FILE, "the file changed while it was read (%s)", message->path);
}

void message_release(struct message *message)
{
    if (message->descriptor >= 0) {
        close(message->descriptor);
    }
    free(message->bytes);
    *message = (struct message){.descriptor = -1};
}
