#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <flock/verify.h>

#include "base/clock.h"

#include "cycles.h"
#include "native.h"

enum { VERIFICATIONS = 11 };

/* Native hashing beside a proof takes as long as the proof, within these bounds. */
static const double native_least = 0.01, native_most = 0.5;

/* ---- what is proved ---- */

static size_t input_bytes(flock_circuit circuit)
{
    static const size_t bytes[] = {
        [FLOCK_BLAKE3] = sizeof(flock_blake3_input),
        [FLOCK_SHA256] = sizeof(flock_sha256_input),
        [FLOCK_KECCAK] = sizeof(flock_keccak_input),
        [FLOCK_KECCAK3] = sizeof(flock_keccak_input),
    };
    return bytes[circuit];
}

static flock_batch batch_of(const struct setting *setting, const void *inputs)
{
    return (flock_batch){.circuit = setting->circuit,
                         .layout = setting->layout,
                         .profile = setting->profile,
                         .count = setting->count,
                         .inputs = inputs};
}

static flock_chain chain_of(const struct setting *setting)
{
    return (flock_chain){.circuit = setting->circuit,
                         .layout = setting->layout,
                         .profile = setting->profile,
                         .steps = setting->count};
}

uint64_t setting_memory(const struct setting *setting)
{
    if (setting->relation == FLOCK_CHAIN) {
        flock_chain chain = chain_of(setting);
        return flock_chain_memory(&chain);
    }
    flock_batch batch = batch_of(setting, NULL);
    uint64_t memory = flock_batch_memory(&batch);
    return memory == 0 ? 0 : memory + setting->count * input_bytes(setting->circuit);
}

/* Pseudo-random inputs of any circuit: every byte string is one. */
static void *make_inputs(const struct setting *setting)
{
    size_t words = (size_t)setting->count * (input_bytes(setting->circuit) / 4);
    uint32_t *inputs = malloc(words * 4);
    uint32_t x = 1;
    for (size_t i = 0; inputs != NULL && i < words; i++) {
        x = x * 1664525u + 1013904223u;
        inputs[i] = x;
    }
    return inputs;
}

/* ---- samples ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sort_median(double *samples, size_t n)
{
    qsort(samples, n, sizeof *samples, ascending);
    return (samples[(n - 1) / 2] + samples[n / 2]) / 2;
}

static struct samples of_seconds(double *samples, size_t n)
{
    double median = sort_median(samples, n);
    return (struct samples){.best = samples[0], .median = median};
}

static struct samples of_rates(double *samples, size_t n)
{
    double median = sort_median(samples, n);
    return (struct samples){.best = samples[n - 1], .median = median};
}

/* ---- one statement ---- */

struct proof {
    uint8_t *bytes;
    size_t len;
};

/* Everything that one measurement of n contestants holds. */
struct match {
    const struct program *program;
    struct measurement *contestants;
    size_t n;
    unsigned runs;
    void *inputs;
    flock_prover *prover;    /* keeps its buffers; NULL: fresh memory for every proof */
    struct proof first;      /* all others must be the same */
    double *seconds, *rates; /* [contestant][run] */
};

static enum outcome prove(const struct match *match, const struct measurement *c,
                          flock_report *report, struct proof *proof)
{
    flock_options options = {.threads = c->threads, .report = report, .prover = match->prover};
    flock_status status = flock_backend_select(c->backend);
    if (status == FLOCK_OK && c->setting.relation == FLOCK_CHAIN) {
        flock_chain chain = chain_of(&c->setting);
        status = flock_prove_chain(&chain, &options, &proof->bytes, &proof->len, NULL);
    } else if (status == FLOCK_OK) {
        flock_batch batch = batch_of(&c->setting, match->inputs);
        status = flock_prove_batch(&batch, &options, &proof->bytes, &proof->len, NULL);
    }
    if (status != FLOCK_OK) {
        return fail(match->program, status == FLOCK_ERR_MEMORY ? OUTCOME_TOO_LARGE : OUTCOME_USAGE,
                    "cannot prove: %s (%llu evaluations of %s)", flock_status_text(status),
                    (unsigned long long)c->setting.count, flock_circuit_name(c->setting.circuit));
    }
    return OUTCOME_OK;
}

static enum outcome verify(const struct match *match, struct measurement *c,
                           const struct proof *proof)
{
    double samples[VERIFICATIONS];
    for (int i = 0; i < VERIFICATIONS; i++) {
        flock_statement statement;
        double begin = monotonic_seconds();
        flock_status status = flock_verify(proof->bytes, proof->len, &statement);
        samples[i] = monotonic_seconds() - begin;
        if (status != FLOCK_OK) {
            return fail(match->program, OUTCOME_INVALID, "a proof of backend %s: %s", c->backend,
                        flock_status_text(status));
        }
        c->log_bits = flock_statement_log_bits(&statement);
    }
    c->verify = of_seconds(samples, VERIFICATIONS);
    c->proof_bytes = proof->len;
    return OUTCOME_OK;
}

/* The proof becomes the first, or is compared with it and released. */
static enum outcome compare_with_first(struct match *match, const struct measurement *c,
                                       struct proof *proof)
{
    struct proof *first = &match->first;
    if (first->bytes == NULL) {
        *first = *proof;
        return OUTCOME_OK;
    }
    bool same = proof->len == first->len && memcmp(proof->bytes, first->bytes, proof->len) == 0;
    flock_free(proof->bytes);
    if (!same) {
        return fail(match->program, OUTCOME_INVALID,
                    "backend %s with %u threads makes another proof of the same statement",
                    c->backend, c->threads);
    }
    return OUTCOME_OK;
}

static enum outcome warm_up(struct match *match, struct measurement *c)
{
    struct proof proof;
    enum outcome outcome = prove(match, c, &c->report, &proof);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    c->prove.best = c->report.total_seconds; /* how long the native hashing is to take */
    outcome = verify(match, c, &proof);
    enum outcome compared = compare_with_first(match, c, &proof);
    return outcome != OUTCOME_OK ? outcome : compared;
}

static void keep_best(struct measurement *c, const flock_report *report, unsigned run)
{
    if (run == 0 || report->total_seconds < c->prove.best) {
        c->prove.best = report->total_seconds;
        c->report = *report;
    }
    for (int phase = 0; phase < FLOCK_N_PHASES; phase++) {
        double serial = report->serial_seconds[phase], busy = report->busy_seconds[phase];
        c->serial[phase] = run == 0 ? serial : fmin(c->serial[phase], serial);
        c->busy[phase] = run == 0 ? busy : fmin(c->busy[phase], busy);
    }
}

/* Contestant i in one of the rounds that count, from 0. */
static enum outcome measure_once(struct match *match, size_t i, unsigned run)
{
    struct measurement *c = &match->contestants[i];
    struct proof proof;
    flock_report report;
    (void)cycle_seconds();
    match->rates[i * match->runs + run] = native_rate(
        c->setting.circuit, fmin(fmax(c->prove.best, native_least), native_most), &c->native_peak);
    enum outcome outcome = prove(match, c, &report, &proof);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    match->seconds[i * match->runs + run] = report.total_seconds;
    keep_best(c, &report, run);
    return compare_with_first(match, c, &proof);
}

static enum outcome run_rounds(struct match *match,
                               void (*progress)(const struct measurement *c, unsigned round))
{
    enum outcome outcome = OUTCOME_OK;
    for (unsigned round = 0; round <= match->runs; round++) {
        for (size_t i = 0; i < match->n && outcome == OUTCOME_OK; i++) {
            struct measurement *c = &match->contestants[i];
            progress(c, round);
            outcome = round == 0 ? warm_up(match, c) : measure_once(match, i, round - 1);
        }
    }
    for (size_t i = 0; i < match->n && outcome == OUTCOME_OK; i++) {
        struct measurement *c = &match->contestants[i];
        c->prove = of_seconds(match->seconds + i * match->runs, match->runs);
        c->native = of_rates(match->rates + i * match->runs, match->runs);
    }
    return outcome;
}

enum outcome measure(const struct program *program, struct measurement *contestants, size_t n,
                     unsigned runs,
                     void (*progress)(const struct measurement *contestant, unsigned round))
{
    struct match match = {.program = program, .contestants = contestants, .n = n, .runs = runs};
    enum outcome outcome;
    match.seconds = calloc(n * runs, sizeof(double));
    match.rates = calloc(n * runs, sizeof(double));
    match.inputs = make_inputs(&contestants[0].setting);
    match.prover = contestants[0].setting.fresh ? NULL : flock_prover_create();
    if (match.seconds == NULL || match.rates == NULL || match.inputs == NULL ||
        (match.prover == NULL && !contestants[0].setting.fresh)) {
        outcome = fail(program, OUTCOME_TOO_LARGE, "out of memory (use fewer evaluations)");
    } else {
        outcome = run_rounds(&match, progress);
    }
    flock_prover_destroy(match.prover);
    free(match.inputs);
    free(match.rates);
    free(match.seconds);
    flock_free(match.first.bytes);
    return outcome;
}

void set_cycle(struct measurement *measurements, size_t n)
{
    double cycle = cycle_seconds();
    for (size_t i = 0; i < n; i++) {
        measurements[i].cycle = cycle;
    }
}

/* ---- what follows from the results ---- */

double packed_elements(const struct measurement *m)
{
    return ldexp(1, (int)m->log_bits - 7);
}

double cycles_per_element(const struct measurement *m, double seconds)
{
    return seconds / m->cycle / packed_elements(m);
}

double proved_per_second(const struct measurement *m)
{
    return (double)m->setting.count / m->prove.best;
}

double native_per_proved(const struct measurement *m)
{
    return m->native.best * m->prove.best / (double)m->setting.count;
}

double native_per_proved_median(const struct measurement *m)
{
    return m->native.median * m->prove.median / (double)m->setting.count;
}

bool native_is_slow(const struct measurement *m)
{
    return m->native_peak < native_rate_expected(m->setting.circuit);
}

bool machine_is_busy(const struct measurement *m)
{
    return m->native.best < 0.75 * m->native_peak;
}

double memory_per_witness(const struct measurement *m)
{
    return (double)m->report.peak_bytes / (double)m->report.witness_bytes;
}

static double sum_of_phases(const double seconds[FLOCK_N_PHASES])
{
    double sum = 0;
    for (int i = 0; i < FLOCK_N_PHASES; i++) {
        sum += seconds[i];
    }
    return sum;
}

double serial_share(const struct measurement *m)
{
    if (m->threads < 2) {
        return NAN;
    }
    return sum_of_phases(m->serial) / sum_of_phases(m->busy);
}

double predicted_efficiency(const struct measurement *m, unsigned threads)
{
    double serial = serial_share(m);
    return 1 / (threads * serial + 1 - serial);
}

double parallel_efficiency(const struct measurement *one, const struct measurement *m)
{
    return one->prove.best / (m->threads * m->prove.best);
}
