#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"

/* Append what the descriptor has, up to limit + 1 bytes. Returns 0 or an errno. */
static int read_all(int descriptor, size_t limit, uint8_t **bytes, size_t *len)
{
    size_t room = 0;

    while (*len <= limit) {
        if (*len == room) {
            room = room ? 2 * room : 65536;
            if (room > limit + 1) {
                room = limit + 1;
            }
            uint8_t *larger = realloc(*bytes, room);
            if (!larger) {
                return ENOMEM;
            }
            *bytes = larger;
        }
        ssize_t n = read(descriptor, *bytes + *len, room - *len);
        if (n == 0) {
            return 0;
        }
        if (n > 0) {
            *len += (size_t)n;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

enum outcome read_file(const struct program *program, const char *path, size_t limit,
                       uint8_t **bytes, size_t *len)
{
    bool is_stdin = !strcmp(path, "-");
    int descriptor = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    int error = descriptor < 0 ? errno : 0;

    *bytes = NULL;
    *len = 0;
    if (descriptor >= 0) {
        error = read_all(descriptor, limit, bytes, len);
        if (!is_stdin) {
            close(descriptor);
        }
    }
    if (error == 0) {
        return OUTCOME_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return fail(program, error == ENOMEM ? OUTCOME_TOO_LARGE : OUTCOME_FILE, "cannot read: %s (%s)",
                strerror(error), is_stdin ? "standard input" : path);
}

static enum outcome cannot_write(const struct program *program, const char *path, int error)
{
    return fail(program, error == ENOMEM ? OUTCOME_TOO_LARGE : OUTCOME_FILE,
                "cannot write: %s (%s)", strerror(error), path);
}

/* DIRECTORY/.flock-PID.tmp: in the directory of the target, so that rename() can replace it. */
static char *temporary_beside(const char *target)
{
    const char *slash = strrchr(target, '/');
    size_t directory_len = slash ? (size_t)(slash - target) + 1 : 0;
    size_t room = directory_len + 40;
    char *name = malloc(room);

    if (name) {
        snprintf(name, room, "%.*s.flock-%ld.tmp", (int)directory_len, target, (long)getpid());
    }
    return name;
}

static int create_temporary(const struct output_file *output)
{
    return open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

enum outcome output_prepare(const struct program *program, const char *path,
                            struct output_file *output)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    int descriptor;
    int error;

    *output = (struct output_file){.path = path};
    if (exists && S_ISDIR(status.st_mode)) {
        return cannot_write(program, path, EISDIR);
    }
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (!output->target) {
        return cannot_write(program, path, errno);
    }
    if (exists && !S_ISREG(status.st_mode)) {
        if (access(output->target, W_OK) == 0) {
            return OUTCOME_OK;
        }
        return cannot_write(program, path, errno);
    }
    output->temporary = temporary_beside(output->target);
    if (!output->temporary) {
        return cannot_write(program, path, ENOMEM);
    }

    interrupt_defer();
    descriptor = create_temporary(output);
    error = errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(output->temporary);
    }
    interrupt_resume();
    return descriptor >= 0 ? OUTCOME_OK : cannot_write(program, path, error);
}

/* Returns 0 or an errno; closes the descriptor. */
static int write_and_close(int descriptor, const uint8_t *bytes, size_t len, bool synchronize)
{
    int error = 0;

    while (len > 0 && error == 0) {
        ssize_t n = write(descriptor, bytes, len);
        if (n >= 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (error == 0 && synchronize && fsync(descriptor) != 0) {
        error = errno;
    }
    if (close(descriptor) != 0 && error == 0) {
        error = errno;
    }
    return error;
}

static int write_in_place(const struct output_file *output, const uint8_t *bytes, size_t len)
{
    int descriptor = open(output->target, O_WRONLY | O_CLOEXEC);

    return descriptor < 0 ? errno : write_and_close(descriptor, bytes, len, false);
}

static int write_and_rename(const struct output_file *output, const uint8_t *bytes, size_t len)
{
    int descriptor = create_temporary(output);
    int error;

    if (descriptor < 0) {
        return errno;
    }
    error = write_and_close(descriptor, bytes, len, true);
    if (error == 0 && interrupt_pending()) {
        error = EINTR;
    }
    if (error == 0 && rename(output->temporary, output->target) != 0) {
        error = errno;
    }
    if (error != 0) {
        unlink(output->temporary);
    }
    return error;
}

enum outcome output_write(const struct program *program, const struct output_file *output,
                          const uint8_t *bytes, size_t len)
{
    int error;

    if (output->temporary) {
        interrupt_defer();
        error = write_and_rename(output, bytes, len);
        interrupt_resume();
    } else {
        error = write_in_place(output, bytes, len);
    }
    return error == 0 ? OUTCOME_OK : cannot_write(program, output->path, error);
}

void output_release(struct output_file *output)
{
    free(output->target);
    free(output->temporary);
    *output = (struct output_file){0};
}
