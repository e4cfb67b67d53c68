#include "program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct {
    enum outcome outcome;
    const char *meaning;
} exit_codes[] = {
    {OUTCOME_OK, "success; for verify: the proof is valid and everything is as expected"},
    {OUTCOME_USAGE, "unknown, missing, repeated or unsuitable arguments"},
    {OUTCOME_FILE, "a file cannot be read or written"},
    {OUTCOME_MALFORMED, "the file is not a well-formed proof file (or tree file)"},
    {OUTCOME_INVALID, "the proof is invalid: it does not prove its statement"},
    {OUTCOME_MISMATCH, "the proof is valid, but about something else than expected"},
    {OUTCOME_UNBOUND, "the proof is valid, but its format does not bind the endpoints"},
    {OUTCOME_TOO_LARGE, "out of memory, or larger than the largest statement"},
};

void print_exit_codes(void)
{
    puts("\nExit codes:");
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) {
        printf("  %-6d %s\n", (int)exit_codes[i].outcome, exit_codes[i].meaning);
    }
    puts("  128+N  ended by signal N (130: interrupted)");
}

void error_line(const struct program *program, const char *message)
{
    fprintf(stderr, "%s: error: %s\n", program->name, message);
}

void result_open(struct json *json, const struct program *program, enum outcome outcome,
                 const char *message)
{
    *json = (struct json){0};
    json_open_object(json, NULL);
    json_string(json, "program", program->name);
    json_string(json, "version", flock_version());
    json_string(json, "command", program->command);
    json_number(json, "exit_code", outcome);
    json_string(json, "error", message);
}

enum outcome fail(const struct program *program, enum outcome outcome, const char *format, ...)
{
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    error_line(program, message);
    if (program->json) {
        struct json json;
        result_open(&json, program, outcome, message);
        json_close_object(&json);
    }
    return outcome;
}

enum outcome outcome_of_proof_status(flock_status status)
{
    switch (status) {
    case FLOCK_OK:
        return OUTCOME_OK;
    case FLOCK_REJECT_ZEROCHECK:
    case FLOCK_REJECT_LINCHECK:
    case FLOCK_REJECT_GLUE:
    case FLOCK_REJECT_RING_SWITCH:
    case FLOCK_REJECT_NONCE:
    case FLOCK_REJECT_MERKLE:
    case FLOCK_REJECT_OPENING:
        return OUTCOME_INVALID;
    case FLOCK_ERR_MEMORY:
        return OUTCOME_TOO_LARGE;
    default:
        return OUTCOME_MALFORMED;
    }
}

const char *proof_status_text(flock_status status)
{
    if (status == FLOCK_ERR_UNSUPPORTED) {
        return "a kind of proof that this program does not know, or a batch in the reference "
               "format "
               "(see 'flock_batch verify --help')";
    }
    return flock_status_text(status);
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_overview(FILE *to, const char *name, const char *about,
                           const struct command *commands, size_t n_commands)
{
    fprintf(to, "usage: %s COMMAND [FLAGS]\n\n%s\n\nCommands:\n", name, about);
    for (size_t i = 0; i < n_commands; i++) {
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(to,
            "\n  %s COMMAND --help   the flags of a command and the exit codes\n"
            "  %s --version        the version\n",
            name, name);
}

/* A result that did not reach its reader is no success. */
static enum outcome finish(const struct program *program, enum outcome outcome)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return outcome;
    }
    fprintf(stderr, "%s: error: cannot write the result: %s (standard output)\n", program->name,
            strerror(errno));
    return outcome == OUTCOME_OK ? OUTCOME_FILE : outcome;
}

static bool is_help(const char *word)
{
    return !strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h");
}

int program_main(const char *name, const char *about, const struct command *commands,
                 size_t n_commands, int argc, char **argv)
{
    struct program program = {.name = name};

    if (argc < 2) {
        print_overview(stderr, name, about, commands, n_commands);
        return OUTCOME_USAGE;
    }
    if (is_help(argv[1]) && argc == 2) {
        print_overview(stdout, name, about, commands, n_commands);
        return (int)finish(&program, OUTCOME_OK);
    }
    if (!strcmp(argv[1], "--version") && argc == 2) {
        printf("%s %s\n", name, flock_version());
        return (int)finish(&program, OUTCOME_OK);
    }
    for (size_t i = 0; i < n_commands; i++) {
        if (!strcmp(argv[1], commands[i].name)) {
            program.command = commands[i].name;
            program.common_flags = commands[i].common_flags;
            return (int)finish(&program, commands[i].run(&program, argc - 2, argv + 2));
        }
    }
    if (is_help(argv[1]) || !strcmp(argv[1], "--version")) {
        return (int)fail(&program, OUTCOME_USAGE, "unexpected argument '%s' after '%s'", argv[2],
                         argv[1]);
    }
    return (int)fail(&program, OUTCOME_USAGE, "unknown command '%s' (see '%s --help')", argv[1],
                     name);
}
