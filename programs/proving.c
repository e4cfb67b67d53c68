#include "proving.h"

#include "describe.h"
#include "machine.h"
#include "progress.h"
#include "sizes.h"

enum outcome check_memory(const struct program *program, const struct proof_job *job)
{
    uint64_t available = memory_available();

    if (job->memory <= available) {
        return OUTCOME_OK;
    }
    return fail(program, OUTCOME_TOO_LARGE,
                "not enough memory: this proof needs about %s, %s are available (use fewer %s)",
                size_for_people(job->memory).text, size_for_people(available).text,
                count_noun(job->sizes.relation));
}

static enum outcome prove_failed(const struct program *program, const struct proof_job *job,
                                 flock_status status)
{
    const char *noun = count_noun(job->sizes.relation);

    switch (status) {
    case FLOCK_ERR_MEMORY:
        return fail(program, OUTCOME_TOO_LARGE,
                    "out of memory: this proof needs about %s (use fewer %s)",
                    size_for_people(job->memory).text, noun);
    case FLOCK_ERR_TOO_LARGE:
        return fail(program, OUTCOME_TOO_LARGE, "%s (use fewer %s)", flock_status_text(status),
                    noun);
    default:
        return fail(program, OUTCOME_USAGE, "cannot prove: %s", flock_status_text(status));
    }
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

enum outcome prove_and_write(const struct program *program, const struct proof_job *job)
{
    struct prove_result result;
    struct progress progress;
    flock_options options = {.threads = (unsigned)job->threads,
                             .progress = progress_show,
                             .progress_context = &progress,
                             .report = &result.report};
    uint8_t *proof = NULL;
    enum outcome outcome;

    progress_start(&progress, program);
    flock_status status =
        job->prove(job->what, &options, &proof, &result.proof_len, &result.statement);
    progress_end(&progress);
    if (status != FLOCK_OK) {
        return prove_failed(program, job, status);
    }

    outcome = output_write(program, &job->output, proof, result.proof_len);
    flock_free(proof);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    if (program->json) {
        json_prove_result(program, job->output.path, &result);
    } else if (!program->quiet) {
        print_prove_result(job->output.path, &result);
    }
    return OUTCOME_OK;
}
