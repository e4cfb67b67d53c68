#include "index_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct range {
    uint64_t low, high; /* both included */
};

/* Digits at *text, which is moved behind them; false if there are none or too many. */
static bool read_number(const char **text, uint64_t *value)
{
    const char *start = *text;

    for (*value = 0; **text >= '0' && **text <= '9'; ++*text) {
        if (*value > UINT64_MAX / 10 - 1) {
            return false;
        }
        *value = *value * 10 + (uint64_t)(**text - '0');
    }
    return *text > start;
}

/* "I" or "I-J" at *text, which is moved behind it. */
static bool read_range(const char **text, struct range *range)
{
    if (!read_number(text, &range->low)) {
        return false;
    }
    range->high = range->low;
    if (**text == '-') {
        ++*text;
        return read_number(text, &range->high) && range->low <= range->high;
    }
    return true;
}

/* Ranges separated by commas, as many as there is room for. */
static bool read_ranges(const char *text, struct range *ranges, size_t *n)
{
    for (*n = 0;; text++) {
        if (!read_range(&text, &ranges[(*n)++])) {
            return false;
        }
        if (*text != ',') {
            return *text == '\0';
        }
    }
}

static enum outcome count_indices(const struct program *program, const struct flag *flag,
                                  const struct range *ranges, size_t n_ranges, uint64_t n_leaves,
                                  size_t max, size_t *n)
{
    uint64_t count = 0;

    for (size_t i = 0; i < n_ranges; i++) {
        if (ranges[i].high >= n_leaves) {
            return fail(program, OUTCOME_USAGE, "%s: the tree has no leaf %llu (leaves 0 to %llu)",
                        flag->name, (unsigned long long)ranges[i].high,
                        (unsigned long long)(n_leaves - 1));
        }
        count += ranges[i].high - ranges[i].low + 1;
    }
    if (count > max) {
        return fail(program, OUTCOME_TOO_LARGE,
                    "%s: %llu leaves are too many for one proof (at most %zu in a tree this deep)",
                    flag->name, (unsigned long long)count, max);
    }
    *n = (size_t)count;
    return OUTCOME_OK;
}

static void expand(const struct range *ranges, size_t n, uint64_t *indices)
{
    for (size_t i = 0; i < n; ranges++) {
        for (uint64_t index = ranges->low; index <= ranges->high; index++) {
            indices[i++] = index;
        }
    }
}

static int compare_indices(const void *a, const void *b)
{
    uint64_t index_a = *(const uint64_t *)a, index_b = *(const uint64_t *)b;

    return (index_a > index_b) - (index_a < index_b);
}

/* `sorted` is room for n. */
static enum outcome check_repetition(const struct program *program, const struct flag *flag,
                                     const uint64_t *indices, size_t n, uint64_t *sorted)
{
    memcpy(sorted, indices, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_indices);
    for (size_t i = 1; i < n; i++) {
        if (sorted[i] == sorted[i - 1]) {
            return fail(program, OUTCOME_USAGE, "%s: leaf %llu is twice in the list", flag->name,
                        (unsigned long long)sorted[i]);
        }
    }
    return OUTCOME_OK;
}

static enum outcome out_of_memory(const struct program *program)
{
    return fail(program, OUTCOME_TOO_LARGE, "out of memory (use fewer leaves)");
}

static enum outcome list_indices(const struct program *program, const struct flag *flag,
                                 const struct range *ranges, size_t n, uint64_t **indices)
{
    uint64_t *list = malloc(n * sizeof *list), *sorted = malloc(n * sizeof *sorted);
    enum outcome outcome;

    if (list == NULL || sorted == NULL) {
        outcome = out_of_memory(program);
    } else {
        expand(ranges, n, list);
        outcome = check_repetition(program, flag, list, n, sorted);
    }
    free(sorted);
    if (outcome != OUTCOME_OK) {
        free(list);
        return outcome;
    }
    *indices = list;
    return OUTCOME_OK;
}

static size_t count_commas(const char *text)
{
    size_t n = 0;

    while ((text = strchr(text, ',')) != NULL) {
        text++;
        n++;
    }
    return n;
}

enum outcome index_list_read(const struct program *program, const struct flag *flag,
                             uint64_t n_leaves, size_t max, uint64_t **indices, size_t *n)
{
    struct range *ranges = malloc((count_commas(flag->value) + 1) * sizeof *ranges);
    size_t n_ranges;
    enum outcome outcome;

    if (ranges == NULL) {
        return out_of_memory(program);
    }
    if (!read_ranges(flag->value, ranges, &n_ranges)) {
        outcome = fail(program, OUTCOME_USAGE,
                       "%s: not a list of leaves and ascending ranges like 3,5,8-15", flag->name);
    } else {
        outcome = count_indices(program, flag, ranges, n_ranges, n_leaves, max, n);
        if (outcome == OUTCOME_OK) {
            outcome = list_indices(program, flag, ranges, *n, indices);
        }
    }
    free(ranges);
    return outcome;
}
