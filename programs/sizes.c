#include "sizes.h"

#include "describe.h"

enum { MAX_LOG_COUNT = 21 /* 2^21 BLAKE3 compressions have 2^35 witness bits */ };

const char *count_noun(flock_relation relation)
{
    switch (relation) {
    case FLOCK_CHAIN:
        return "steps";
    case FLOCK_BATCH:
        return "evaluations";
    case FLOCK_MERKLE:
        return "paths";
    default:
        return "blocks";
    }
}

uint64_t counted(const flock_statement *statement)
{
    return statement->relation == FLOCK_MERKLE ? statement->n_paths : statement->count;
}

static unsigned log_bits_of(const flock_statement *statement, uint64_t count)
{
    flock_statement probe = *statement;

    probe.count = count;
    return flock_statement_log_bits(&probe);
}

/* From a possible count upwards while the size is possible and, if log_bits > 0, this one. */
static uint64_t climb(const flock_statement *statement, uint64_t count, unsigned log_bits)
{
    for (uint64_t step = (uint64_t)1 << MAX_LOG_COUNT; step > 0; step /= 2) {
        unsigned found = log_bits_of(statement, count + step);
        if (found != 0 && (log_bits == 0 || found == log_bits)) {
            count += step;
        }
    }
    return count;
}

/* The least power of two that is a possible count; 0 if there is none. */
static uint64_t least_power(const flock_statement *statement)
{
    for (unsigned log_count = 0; log_count <= MAX_LOG_COUNT; log_count++) {
        if (log_bits_of(statement, (uint64_t)1 << log_count) != 0) {
            return (uint64_t)1 << log_count;
        }
    }
    return 0;
}

static uint64_t least_count(const flock_statement *statement)
{
    uint64_t count = least_power(statement);

    for (uint64_t step = count / 2; step > 0; step /= 2) {
        if (log_bits_of(statement, count - step) != 0) {
            count -= step;
        }
    }
    return count;
}

uint64_t largest_count(const flock_statement *statement)
{
    uint64_t count = least_power(statement);

    for (uint64_t power = 2 * count; log_bits_of(statement, power) != 0; power *= 2) {
        count = power;
    }
    return climb(statement, count, 0);
}

uint64_t largest_count_of_size(const flock_statement *statement)
{
    return climb(statement, statement->count, flock_statement_log_bits(statement));
}

enum outcome check_count(const struct program *program, const char *from,
                         const flock_statement *statement)
{
    unsigned long long count = statement->count;
    unsigned long long low, high;

    if (flock_statement_log_bits(statement) != 0) {
        return OUTCOME_OK;
    }
    low = least_count(statement);
    high = largest_count(statement);
    if (count > high) {
        return fail(program, OUTCOME_TOO_LARGE,
                    "%s: %llu %s need more than 2^35 witness bits (at most %llu for %s)", from,
                    count, count_noun(statement->relation), high,
                    flock_circuit_name(statement->circuit));
    }
    return fail(program, OUTCOME_USAGE,
                "%s: %llu is not possible in the %s format (%s %llu to %llu)", from, count,
                format_name(statement->format),
                statement->relation == FLOCK_CHAIN ? "a power of two from" : "from", low, high);
}
