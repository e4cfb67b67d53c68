#include "flags.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_THREADS = 1024 };

/* The flags of several commands, to which those of a command are added in front. */
enum { THREADS, BACKEND, QUIET, JSON, N_COMMON };

static const struct flag common_flags[N_COMMON] = {
    [THREADS] = {"--threads", "N", false, "threads (default: all cores)", NULL},
    [BACKEND] = {"--backend", "NAME", false, "machine kernels (default auto; also FLOCK_BACKEND)",
                 NULL},
    [QUIET] = {"--quiet", NULL, false, "print errors only", NULL},
    [JSON] = {"--json", NULL, false, "print one JSON object on standard output", NULL},
};

/* All flags of a command. */
struct flag_table {
    struct flag *flags;
    size_t n_flags;
    struct flag common[N_COMMON]; /* from `first` on */
    size_t first;
};

static struct flag *flag_at(struct flag_table *table, size_t i)
{
    return i < table->n_flags ? &table->flags[i]
                              : &table->common[table->first + i - table->n_flags];
}

static size_t table_size(const struct flag_table *table)
{
    return table->n_flags + N_COMMON - table->first;
}

static void print_flag(const struct flag *flag)
{
    char left[40];
    const char *help = flag->help;

    snprintf(left, sizeof left, "%s%s%s", flag->name, flag->argument ? " " : "",
             flag->argument ? flag->argument : "");
    printf("  %-24s", left);
    for (;;) {
        size_t length = strcspn(help, "\n");
        printf(" %.*s\n", (int)length, help);
        if (help[length] == '\0') {
            return;
        }
        help += length + 1;
        printf("  %-24s", "");
    }
}

static void print_help(const struct program *program, const char *about, struct flag_table *table)
{
    printf("usage: %s %s", program->name, program->command);
    for (size_t i = 0; i < table->n_flags; i++) {
        if (table->flags[i].required) {
            printf(" %s %s", table->flags[i].name, table->flags[i].argument);
        }
    }
    printf(" [FLAGS]\n\n%s\n\nFlags:\n", about);
    for (size_t i = 0; i < table_size(table); i++) {
        print_flag(flag_at(table, i));
    }
    print_flag(&(struct flag){.name = "--help", .help = "print this text"});
    print_exit_codes();
}

static struct flag *find_flag(struct flag_table *table, const char *name, size_t length)
{
    for (size_t i = 0; i < table_size(table); i++) {
        struct flag *flag = flag_at(table, i);
        if (strlen(flag->name) == length && !memcmp(flag->name, name, length)) {
            return flag;
        }
    }
    return NULL;
}

/* How the output is to look must be known before the first error. */
static void find_output_switches(struct program *program, struct flag_table *table, int argc,
                                 char **argv)
{
    for (int i = 0; i < argc; i++) {
        const struct flag *flag = find_flag(table, argv[i], strlen(argv[i]));
        program->json = program->json || flag == &table->common[JSON];
        program->quiet = program->quiet || flag == &table->common[QUIET];
    }
}

static bool is_repeatable(const struct flag *flag)
{
    return flag->argument && strstr(flag->argument, " ...");
}

/* One flag at argv[*i], its value maybe in the next word. */
static enum outcome parse_flag(const struct program *program, struct flag_table *table, int argc,
                               char **argv, int *i)
{
    const char *word = argv[*i];
    size_t length = strcspn(word, "=");
    struct flag *flag = find_flag(table, word, length);

    if (word[0] != '-') {
        return fail(program, OUTCOME_USAGE, "unexpected argument '%s' (see '%s %s --help')", word,
                    program->name, program->command);
    }
    if (!flag) {
        return fail(program, OUTCOME_USAGE, "unknown flag '%.*s' (see '%s %s --help')", (int)length,
                    word, program->name, program->command);
    }
    if (flag->value && !is_repeatable(flag)) {
        return fail(program, OUTCOME_USAGE, "%s is given twice", flag->name);
    }
    if (!flag->argument) {
        if (word[length] == '=') {
            return fail(program, OUTCOME_USAGE, "%s takes no value", flag->name);
        }
        flag->value = "";
        return OUTCOME_OK;
    }
    if (word[length] == '=') {
        flag->value = word + length + 1;
    } else if (*i + 1 < argc && strncmp(argv[*i + 1], "--", 2) != 0) {
        flag->value = argv[++*i];
    } else {
        return fail(program, OUTCOME_USAGE, "%s needs a value (%s %s)", flag->name, flag->name,
                    flag->argument);
    }
    if (flag->value[0] == '\0') {
        return fail(program, OUTCOME_USAGE, "%s has an empty value (%s %s)", flag->name, flag->name,
                    flag->argument);
    }
    return OUTCOME_OK;
}

/* Every flag on the command line, and none missing. */
static enum outcome parse_table(const struct program *program, struct flag_table *table, int argc,
                                char **argv)
{
    enum outcome outcome;

    for (int i = 0; i < argc; i++) {
        if ((outcome = parse_flag(program, table, argc, argv, &i)) != OUTCOME_OK) {
            return outcome;
        }
    }
    for (size_t i = 0; i < table->n_flags; i++) {
        const struct flag *flag = &table->flags[i];
        if (flag->required && !flag->value) {
            return fail(program, OUTCOME_USAGE, "%s %s is required (see '%s %s --help')",
                        flag->name, flag->argument, program->name, program->command);
        }
    }
    return OUTCOME_OK;
}

bool parse_flags(struct program *program, const char *about, struct flag *flags, size_t n_flags,
                 int argc, char **argv, enum outcome *outcome)
{
    struct flag_table table = {
        .flags = flags, .n_flags = n_flags, .first = N_COMMON - (size_t)program->common_flags};

    memcpy(table.common, common_flags, sizeof common_flags);
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(program, about, &table);
            *outcome = OUTCOME_OK;
            return false;
        }
    }
    find_output_switches(program, &table, argc, argv);
    *outcome = parse_table(program, &table, argc, argv);
    if (*outcome == OUTCOME_OK) {
        program->backend = table.common[BACKEND].value;
        *outcome = flag_number(program, &table.common[THREADS], 1, MAX_THREADS, &program->threads);
    }
    return *outcome == OUTCOME_OK;
}

bool flag_is_given(const struct flag *flag)
{
    return flag != NULL && flag->value != NULL;
}

size_t flag_values(const struct flag *flag, int argc, char **argv, const char **values)
{
    size_t length = strlen(flag->name);
    size_t n = 0;

    for (int i = 0; i < argc; i++) {
        bool joined = !strncmp(argv[i], flag->name, length) && argv[i][length] == '=';
        if (joined) {
            values[n++] = argv[i] + length + 1;
        } else if (!strcmp(argv[i], flag->name)) {
            values[n++] = argv[++i];
        }
    }
    return n;
}

/* Value of a digit up to base 16, or 16. */
static unsigned digit_value(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return (unsigned)(digit - '0');
    }
    if (digit >= 'a' && digit <= 'f') {
        return (unsigned)(digit - 'a') + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return (unsigned)(digit - 'A') + 10;
    }
    return 16;
}

static bool parse_number(const char *text, unsigned base, uint64_t *value)
{
    uint64_t result = 0;

    if (*text == '\0') {
        return false;
    }
    for (; *text; text++) {
        unsigned digit = digit_value(*text);
        if (digit >= base || result > (UINT64_MAX - digit) / base) {
            return false;
        }
        result = result * base + digit;
    }
    *value = result;
    return true;
}

static bool parse_decimal(const char *text, uint64_t *value)
{
    return parse_number(text, 10, value);
}

static bool parse_hexadecimal(const char *text, uint64_t *value)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
    }
    return parse_number(text, 16, value);
}

static bool parse_choice(const char *text, const struct choice *choices, size_t n_choices,
                         int *value)
{
    for (size_t i = 0; i < n_choices; i++) {
        if (!strcasecmp(text, choices[i].word)) {
            *value = choices[i].value;
            return true;
        }
    }
    return false;
}

enum outcome flag_choice(const struct program *program, const struct flag *flag,
                         const struct choice *choices, size_t n_choices, int *value)
{
    char words[256];
    size_t used = 0;

    if (!flag_is_given(flag) || parse_choice(flag->value, choices, n_choices, value)) {
        return OUTCOME_OK;
    }
    for (size_t i = 0; i < n_choices && used < sizeof words; i++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "",
                                 choices[i].word);
    }
    return fail(program, OUTCOME_USAGE, "%s: unknown '%s' (one of %s)", flag->name, flag->value,
                words);
}

enum outcome flag_number(const struct program *program, const struct flag *flag, uint64_t low,
                         uint64_t high, uint64_t *value)
{
    uint64_t number;

    if (!flag_is_given(flag)) {
        return OUTCOME_OK;
    }
    if (!parse_decimal(flag->value, &number) || number < low || number > high) {
        return fail(program, OUTCOME_USAGE, "%s: '%s' is not a decimal number from %llu to %llu",
                    flag->name, flag->value, (unsigned long long)low, (unsigned long long)high);
    }
    *value = number;
    return OUTCOME_OK;
}

enum outcome flag_seed(const struct program *program, const struct flag *flag, uint64_t *seed)
{
    if (flag->value && !parse_hexadecimal(flag->value, seed)) {
        return fail(program, OUTCOME_USAGE, "%s: '%s' is not a 64-bit hexadecimal number",
                    flag->name, flag->value);
    }
    return OUTCOME_OK;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum outcome flag_circuit(const struct program *program, const struct flag *flag,
                          flock_relation relation, flock_circuit *circuit)
{
    static const struct choice choices[] = {
        {"blake3", FLOCK_BLAKE3},   {"sha256", FLOCK_SHA256},   {"sha2", FLOCK_SHA256},
        {"sha-2", FLOCK_SHA256},    {"sha-256", FLOCK_SHA256},  {"keccak", FLOCK_KECCAK},
        {"keccak_f", FLOCK_KECCAK}, {"keccak-f", FLOCK_KECCAK}, {"keccak3", FLOCK_KECCAK3},
    };
    /* keccak3, the last, has batches only. */
    size_t n_choices = COUNT(choices) - (relation == FLOCK_BATCH ? 0 : 1);
    int value = (int)*circuit;
    enum outcome outcome = flag_choice(program, flag, choices, n_choices, &value);

    *circuit = (flock_circuit)value;
    return outcome;
}

enum outcome flag_profile(const struct program *program, const struct flag *flag,
                          flock_profile *profile)
{
    static const struct choice choices[] = {
        {"fast", FLOCK_FAST}, {"slim", FLOCK_SLIM}, {"secure", FLOCK_SECURE}};
    int value = (int)*profile;
    enum outcome outcome = flag_choice(program, flag, choices, COUNT(choices), &value);

    *profile = (flock_profile)value;
    return outcome;
}

static enum outcome flag_layout(const struct program *program, const struct flag *flag,
                                flock_layout *layout)
{
    static const struct choice choices[] = {{"row", FLOCK_ROW_MAJOR},
                                            {"batch", FLOCK_BATCH_MAJOR},
                                            {"row-major", FLOCK_ROW_MAJOR},
                                            {"batch-major", FLOCK_BATCH_MAJOR}};
    int value = (int)*layout;
    enum outcome outcome = flag_choice(program, flag, choices, COUNT(choices), &value);

    *layout = (flock_layout)value;
    return outcome;
}

enum outcome flag_format(const struct program *program, const struct flag *flag,
                         flock_format *format)
{
    static const struct choice choices[] = {{"native", FLOCK_NATIVE},
                                            {"reference", FLOCK_REFERENCE}};
    int value = (int)*format;
    enum outcome outcome = flag_choice(program, flag, choices, COUNT(choices), &value);

    *format = (flock_format)value;
    return outcome;
}

enum outcome flag_statement(const struct program *program, const struct statement_flags *flags,
                            flock_statement *statement)
{
    enum outcome outcome;

    if ((outcome = flag_circuit(program, flags->hash, statement->relation, &statement->circuit)) !=
            OUTCOME_OK ||
        (outcome = flag_profile(program, flags->mode, &statement->profile)) != OUTCOME_OK ||
        (outcome = flag_layout(program, flags->layout, &statement->layout)) != OUTCOME_OK) {
        return outcome;
    }
    return flag_format(program, flags->format, &statement->format);
}
