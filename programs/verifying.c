#include "verifying.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "files.h"

/* The reference implementation's domain of batches; its chains are verified without being given. */
static const char reference_batch_domain[] = "flock-r1cs-v0";

static flock_status verify_bytes(const uint8_t *bytes, size_t len, const flock_statement *reference,
                                 flock_statement *statement)
{
    if (len > MAX_PROOF_FILE_BYTES) {
        return FLOCK_ERR_TRAILING;
    }
    if (reference == NULL) {
        return flock_verify(bytes, len, statement);
    }
    *statement = *reference;
    statement->format = FLOCK_REFERENCE;
    return flock_verify_reference(bytes, len, reference, reference_batch_domain,
                                  sizeof reference_batch_domain - 1);
}

enum outcome verify_file(const struct program *program, const char *path,
                         const flock_statement *reference, struct verdict *verdict)
{
    size_t len;
    enum outcome outcome = read_file(program, path, MAX_PROOF_FILE_BYTES, &verdict->bytes, &len);

    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    double start = seconds_now();
    flock_status status = verify_bytes(verdict->bytes, len, reference, &verdict->statement);
    verdict->seconds = seconds_now() - start;

    verdict->path = path;
    verdict->note = NULL;
    verdict->valid = status == FLOCK_OK;
    verdict->outcome = outcome_of_proof_status(status);
    if (!verdict->valid) {
        const char *text = reference != NULL && status == FLOCK_ERR_SHAPE
                               ? "a count or parameter in the proof does not fit what it should be "
                                 "about"
                               : proof_status_text(status);
        snprintf(verdict->message, sizeof verdict->message, "%s (%s)", text, path);
    }
    return OUTCOME_OK;
}

static void json_verdict(const struct program *program, const struct verdict *verdict)
{
    struct json json;

    result_open(&json, program, verdict->outcome,
                verdict->outcome == OUTCOME_OK ? NULL : verdict->message);
    json_bool(&json, "valid", verdict->valid);
    if (verdict->valid) {
        json_bound(&json, &verdict->statement);
        json_statement(&json, &verdict->statement);
    }
    json_real(&json, "seconds", verdict->seconds);
    if (verdict->note != NULL) {
        json_string(&json, "note", verdict->note);
    }
    json_close_object(&json);
}

static void print_verdict(const struct verdict *verdict)
{
    if (!verdict->valid) {
        return;
    }
    if (verdict->outcome == OUTCOME_OK) {
        print_success(&verdict->statement);
    }
    print_statement(&verdict->statement);
    print_row("time", "%.3f s", verdict->seconds);
}

enum outcome report_verdict(const struct program *program, struct verdict *verdict)
{
    if (verdict->outcome != OUTCOME_OK) {
        error_line(program, verdict->message);
    } else if (verdict->note != NULL && !program->quiet) {
        fprintf(stderr, "%s: note: %s\n", program->name, verdict->note);
    }
    if (program->json) {
        json_verdict(program, verdict);
    } else if (!program->quiet) {
        print_verdict(verdict);
    }
    free(verdict->bytes);
    return verdict->outcome;
}

/* ---- expectations ---- */

enum outcome read_expectation(const struct program *program, struct expectation *expected)
{
    enum outcome outcome;

    if ((outcome = flag_circuit(program, expected->hash_flag, expected->relation,
                                &expected->circuit)) != OUTCOME_OK ||
        (outcome = flag_number(program, expected->count_flag, 1, UINT64_MAX, &expected->count)) !=
            OUTCOME_OK) {
        return outcome;
    }
    return flag_profile(program, expected->mode_flag, &expected->profile);
}

void add_difference(struct differences *d, const char *format, ...)
{
    size_t room = sizeof d->text - d->len;
    va_list arguments;
    int n;

    if (d->len > 0 && room > 2) {
        memcpy(d->text + d->len, ", ", 3);
        d->len += 2;
        room -= 2;
    }
    va_start(arguments, format);
    n = vsnprintf(d->text + d->len, room, format, arguments);
    va_end(arguments);
    if (n > 0) {
        d->len += (size_t)n < room ? (size_t)n : room - 1;
    }
}

bool compare_statement(const flock_statement *statement, const struct expectation *expected,
                       struct differences *d)
{
    if (statement->relation != expected->relation) {
        add_difference(d, "relation is %s, not %s", flock_relation_name(statement->relation),
                       flock_relation_name(expected->relation));
        return false;
    }
    if (flag_is_given(expected->hash_flag) && statement->circuit != expected->circuit) {
        add_difference(d, "hash is %s, not %s", flock_circuit_name(statement->circuit),
                       expected->hash_flag->value);
    }
    if (flag_is_given(expected->count_flag) && statement->count != expected->count) {
        add_difference(d, "%s %llu, not %llu",
                       statement->relation == FLOCK_CHAIN ? "steps are" : "count is",
                       (unsigned long long)statement->count, (unsigned long long)expected->count);
    }
    if (flag_is_given(expected->mode_flag) && statement->profile != expected->profile) {
        add_difference(d, "mode is %s, not %s", flock_profile_name(statement->profile),
                       flock_profile_name(expected->profile));
    }
    return true;
}

void judge_differences(const struct differences *d, struct verdict *verdict)
{
    if (d->len > 0) {
        verdict->outcome = OUTCOME_MISMATCH;
        snprintf(verdict->message, sizeof verdict->message,
                 "the proof is valid but not as expected: %s (%s)", d->text, verdict->path);
    }
}
