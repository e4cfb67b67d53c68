#include "proving.h"

#include <stdio.h>

#include "describe.h"
#include "machine.h"
#include "sizes.h"

/* "use fewer steps" */
static const char *advice(const struct proof_job *job, char text[80])
{
    if (job->advice[0] != '\0') {
        return job->advice;
    }
    snprintf(text, 80, "use fewer %s", count_noun(job->sizes.relation));
    return text;
}

enum outcome check_memory(const struct program *program, const struct proof_job *job)
{
    uint64_t available = memory_available();
    char text[80];

    if (job->memory <= available) {
        return OUTCOME_OK;
    }
    return fail(program, OUTCOME_TOO_LARGE,
                "not enough memory: this proof needs about %s, %s are available (%s)",
                size_for_people(job->memory).text, size_for_people(available).text,
                advice(job, text));
}

static enum outcome prove_failed(const struct program *program, const struct proof_job *job,
                                 flock_status status)
{
    char text[80];

    switch (status) {
    case FLOCK_ERR_MEMORY:
        return fail(program, OUTCOME_TOO_LARGE, "out of memory: this proof needs about %s (%s)",
                    size_for_people(job->memory).text, advice(job, text));
    case FLOCK_ERR_TOO_LARGE:
        return fail(program, OUTCOME_TOO_LARGE, "%s (%s)", flock_status_text(status),
                    advice(job, text));
    case FLOCK_ERR_INPUT:
        if (job->input_failed) {
            return job->input_failed(program, job->what);
        }
        break;
    default:
        break;
    }
    return fail(program, OUTCOME_USAGE, "cannot prove: %s", flock_status_text(status));
}

struct prove_result {
    flock_statement statement;
    flock_report report;
    size_t proof_len;
};

static void print_prove_result(const char *path, const struct prove_result *result)
{
    const flock_report *report = &result->report;

    print_statement(&result->statement);
    print_row("file", "%s (%zu bytes)", path, result->proof_len);
    print_row("time", "%.3f s", report->total_seconds);
    print_row("memory", "%s", size_for_people(report->peak_bytes).text);
    print_row("threads", "%u", report->threads);
    print_row("backend", "%s", flock_backend_name());
}

static void json_prove_result(const struct program *program, const char *path,
                              const struct prove_result *result)
{
    const flock_report *report = &result->report;
    struct json json;

    result_open(&json, program, OUTCOME_OK, NULL);
    json_statement(&json, &result->statement);
    json_string(&json, "file", path);
    json_number(&json, "bytes", result->proof_len);
    json_real(&json, "seconds", report->total_seconds);
    json_open_object(&json, "phase_seconds");
    for (int phase = 0; phase < FLOCK_N_PHASES; phase++) {
        json_real(&json, flock_phase_name((flock_phase)phase), report->seconds[phase]);
    }
    json_close_object(&json);
    json_number(&json, "peak_bytes", report->peak_bytes);
    json_number(&json, "witness_bytes", report->witness_bytes);
    json_number(&json, "threads", report->threads);
    json_string(&json, "backend", flock_backend_name());
    json_close_object(&json);
}

enum outcome prove_and_write(const struct program *program, struct proof_job *job)
{
    struct prove_result result;
    flock_options options = {.threads = (unsigned)program->threads,
                             .progress = progress_show,
                             .progress_context = &job->progress,
                             .report = &result.report};
    uint8_t *proof = NULL;
    enum outcome outcome;

    progress_start(&job->progress, program);
    flock_status status =
        job->prove(job->what, &options, &proof, &result.proof_len, &result.statement);
    progress_end(&job->progress);
    if (status != FLOCK_OK) {
        return prove_failed(program, job, status);
    }

    outcome = output_write(program, &job->output, proof, result.proof_len);
    if (outcome == OUTCOME_OK && program->json) {
        json_prove_result(program, job->output.path, &result);
    } else if (outcome == OUTCOME_OK && !program->quiet) {
        print_prove_result(job->output.path, &result);
    }
    flock_free(proof); /* the statement of a Merkle proof points into it */
    return outcome;
}
