/*
 * read_message FILE COMMAND - open FILE as flock_digest does, run the shell command, then read the
 * file and write it to standard output. Ends as flock_digest does.
 */
#include <stdio.h>
#include <stdlib.h>

#include "message.h"

static enum outcome copy_message(const struct program *program, struct message *message)
{
    uint8_t buffer[4096];

    for (uint64_t rest = message->len; rest > 0;) {
        size_t n = rest < sizeof buffer ? (size_t)rest : sizeof buffer;
        size_t got = message_read(message, buffer, n);
        if (got == 0) {
            return message_failed(program, message);
        }
        fwrite(buffer, 1, got, stdout);
        rest -= got;
    }
    return OUTCOME_OK;
}

int main(int argc, char **argv)
{
    const struct program program = {.name = "flock_digest"};
    struct progress progress = {.enabled = false};
    struct message message;

    if (argc != 3) {
        return OUTCOME_USAGE;
    }
    enum outcome outcome = message_open(&program, argv[1], &message);
    if (outcome == OUTCOME_OK && system(argv[2]) != 0) {
        outcome = OUTCOME_USAGE;
    }
    message.progress = &progress;
    if (outcome == OUTCOME_OK) {
        outcome = copy_message(&program, &message);
    }
    message_release(&message);
    return (int)outcome;
}
