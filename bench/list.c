#include "list.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 256 };

static enum outcome append(const struct program *program, const struct flag *flag,
                           struct list *list, uint64_t value)
{
    for (size_t i = 0; i < list->n; i++) {
        if (list->value[i] == value) {
            return OUTCOME_OK;
        }
    }
    if (list->n == LIST_MAX) {
        return fail(program, OUTCOME_USAGE, "%s: more than %d values", flag->name, LIST_MAX);
    }
    list->value[list->n++] = value;
    return OUTCOME_OK;
}

/* The next word of a text of words and commas, as the value of an item; false at the end. */
static bool next_word(const char **text, char word[WORD])
{
    if (*text == NULL) {
        return false;
    }
    size_t length = strcspn(*text, ",");
    snprintf(word, WORD, "%.*s", (int)length, *text);
    *text = (*text)[length] == ',' ? *text + length + 1 : NULL;
    return true;
}

enum outcome flag_list(const struct program *program, const struct flag *flag, const char *missing,
                       const char *all, list_reader *read, struct list *list)
{
    const char *text = flag->value != NULL ? flag->value : missing;
    char word[WORD];
    enum outcome outcome = OUTCOME_OK;

    if (strcmp(text, "all") == 0) {
        text = all;
    }
    list->n = 0;
    while (outcome == OUTCOME_OK && next_word(&text, word)) {
        const struct flag item = {.name = flag->name, .value = word};
        uint64_t value = 0;
        if ((outcome = read(program, &item, &value)) == OUTCOME_OK) {
            outcome = append(program, flag, list, value);
        }
    }
    return outcome;
}

/* "N" or "2^K" */
static enum outcome read_number(const struct program *program, const struct flag *item,
                                uint64_t low, uint64_t high, uint64_t *value)
{
    if (strncmp(item->value, "2^", 2) != 0) {
        return flag_number(program, item, low, high, value);
    }
    const struct flag exponent = {.name = item->name, .value = item->value + 2};
    uint64_t log = 0;
    enum outcome outcome = flag_number(program, &exponent, 0, 63, &log);
    *value = (uint64_t)1 << log;
    if (outcome == OUTCOME_OK && (*value < low || *value > high)) {
        outcome = fail(program, OUTCOME_USAGE, "%s: '%s' is not from %llu to %llu", item->name,
                       item->value, (unsigned long long)low, (unsigned long long)high);
    }
    return outcome;
}

enum outcome flag_numbers(const struct program *program, const struct flag *flag,
                          const char *missing, uint64_t low, uint64_t high, struct list *list)
{
    const char *text = flag->value != NULL ? flag->value : missing;
    char word[WORD];
    enum outcome outcome = OUTCOME_OK;

    list->n = 0;
    while (outcome == OUTCOME_OK && next_word(&text, word)) {
        char *dots = strstr(word, "..");
        const struct flag first = {.name = flag->name, .value = word};
        const struct flag last = {.name = flag->name, .value = dots != NULL ? dots + 2 : word};
        uint64_t begin = 0, end = 0;
        if (dots != NULL) {
            *dots = '\0';
        }
        if ((outcome = read_number(program, &first, low, high, &begin)) == OUTCOME_OK) {
            outcome = read_number(program, &last, low, high, &end);
        }
        if (outcome == OUTCOME_OK && begin > end) {
            outcome = fail(program, OUTCOME_USAGE, "%s: the range %s..%s is empty", flag->name,
                           first.value, last.value);
        }
        for (; outcome == OUTCOME_OK && begin <= end; begin *= 2) {
            outcome = append(program, flag, list, begin);
        }
    }
    return outcome;
}

enum outcome read_backend(const struct program *program, const struct flag *item, uint64_t *value)
{
    size_t n = 0;
    const char *name;
    while ((name = flock_backend_available(n)) != NULL) {
        if (strcmp(item->value, name) == 0) {
            *value = n;
            return OUTCOME_OK;
        }
        n++;
    }
    if (strcmp(item->value, "auto") == 0) {
        *value = n - 1;
        return OUTCOME_OK;
    }
    return fail(program, OUTCOME_USAGE, "%s: no backend '%s' on this machine (available: auto,%s)",
                item->name, item->value, all_backends());
}

const char *all_backends(void)
{
    static char text[WORD];
    const char *name;
    size_t used = 0;
    for (size_t i = 0; (name = flock_backend_available(i)) != NULL && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ",", name);
    }
    return text;
}

enum outcome flag_output(struct program *program, const struct flag *flag, enum output *output)
{
    static const struct choice choices[] = {
        {"markdown", OUTPUT_MARKDOWN}, {"csv", OUTPUT_CSV}, {"json", OUTPUT_JSON}};
    int value = OUTPUT_MARKDOWN;
    enum outcome outcome = flag_choice(program, flag, choices, 3, &value);
    *output = (enum output)value;
    program->json = *output == OUTPUT_JSON;
    return outcome;
}
