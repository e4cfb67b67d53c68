/* The subcommand that measures whole proofs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parallel.h"

#include "commands.h"
#include "interrupt.h"
#include "list.h"
#include "machine.h"
#include "measure.h"
#include "output.h"

enum proofs_flag {
    HASH,
    COUNT,
    RELATION,
    LAYOUT,
    BUFFERS,
    MODE,
    THREADS,
    BACKEND,
    RUNS,
    PREDICT,
    PHASES,
    OUTPUT,
    N_FLAGS
};

static const struct flag proofs_flags[N_FLAGS] = {
    [HASH] = {"--hash", "LIST", false, "blake3 (default), sha256, keccak, keccak3, or all", NULL},
    [COUNT] = {"--count", "LIST", false,
               "evaluations (default 2^14): numbers, powers 2^K and ranges\n"
               "A..B, which double; keccak3 takes 3/2 of a power of two,\n"
               "which fills its blocks of three; what does not fit the\n"
               "memory is left out",
               NULL},
    [RELATION] = {"--relation", "LIST", false, "batch (default), chain, or all", NULL},
    [LAYOUT] = {"--layout", "LIST", false, "row (default), batch, or all", NULL},
    [MODE] = {"--mode", "LIST", false, "fast (default), slim, secure, or all", NULL},
    [BUFFERS] = {"--buffers", "LIST", false,
                 "kept (default): from one proof to the next, as in a program\n"
                 "that makes many; fresh: from the system each time; or all",
                 NULL},
    [THREADS] = {"--threads", "LIST", false,
                 "threads (default 1): numbers and ranges; with 1 among them\n"
                 "the others are compared with it",
                 NULL},
    [BACKEND] = {FLAG_BACKENDS},
    [RUNS] = {"--runs", "K", false, "proofs that count, after a verified one (default 5)", NULL},
    [PREDICT] = {"--predict", "N", false,
                 "predict the parallel efficiency of N threads from the\n"
                 "serial time of the results with several threads",
                 NULL},
    [PHASES] = {"--phases", NULL, false, "Markdown: print also a table of phases and their parts",
                NULL},
    [OUTPUT] = {FLAG_OUTPUT},
};

static const char proofs_about[] =
    "Prove every combination of the lists, K times each after a warm-up whose proof is verified,\n"
    "and print one line for each.\n"
    "\n"
    "  native per proved   plain scalar evaluations of the same hash (no vector registers, no\n"
    "                      crypto instructions) that one core computes in the time of one proved\n"
    "                      evaluation. Before every proof the same core hashes for as long as a\n"
    "                      proof takes; the best proof is compared with the best hashing. In CSV\n"
    "                      and JSON there is also the median compared with the median.\n"
    "  cycles per element  core cycles for each of the 2^(m-7) packed elements of the witness; a\n"
    "                      cycle is a third of one of a chain of dependent multiplications\n"
    "  efficiency          of n threads: T1 / (n Tn)\n"
    "  serial              part of the work that is outside of parallel loops\n"
    "  memory / witness    most memory the prover held, over the 2^m / 8 bytes of the witness\n"
    "\n"
    "Numbers of threads and backends take turns, so that they see the same neighbours and clock.\n"
    "All proofs of one statement are compared: they must be the same. bench/report.sh makes a\n"
    "page with plots of the CSV.";

/* ---- arguments ---- */

struct sweep {
    struct list hash, count, relation, layout, mode, buffers, threads, backend;
    uint64_t runs, predict;
    enum output output;
};

static enum outcome read_hash(const struct program *program, const struct flag *item,
                              uint64_t *value)
{
    flock_circuit circuit = FLOCK_BLAKE3;
    enum outcome outcome = flag_circuit(program, item, FLOCK_BATCH, &circuit);
    *value = circuit;
    return outcome;
}

static enum outcome read_relation(const struct program *program, const struct flag *item,
                                  uint64_t *value)
{
    static const struct choice choices[] = {{"batch", FLOCK_BATCH}, {"chain", FLOCK_CHAIN}};
    int relation = FLOCK_BATCH;
    enum outcome outcome = flag_choice(program, item, choices, 2, &relation);
    *value = (uint64_t)relation;
    return outcome;
}

static enum outcome read_layout(const struct program *program, const struct flag *item,
                                uint64_t *value)
{
    flock_statement statement = {.layout = FLOCK_ROW_MAJOR};
    enum outcome outcome =
        flag_statement(program, &(struct statement_flags){.layout = item}, &statement);
    *value = statement.layout;
    return outcome;
}

static enum outcome read_buffers(const struct program *program, const struct flag *item,
                                 uint64_t *value)
{
    static const struct choice choices[] = {{"kept", 0}, {"fresh", 1}};
    int choice = 0;
    enum outcome outcome = flag_choice(program, item, choices, 2, &choice);
    *value = (uint64_t)choice;
    return outcome;
}

static enum outcome read_mode(const struct program *program, const struct flag *item,
                              uint64_t *value)
{
    flock_profile profile = FLOCK_FAST;
    enum outcome outcome = flag_profile(program, item, &profile);
    *value = profile;
    return outcome;
}

static enum outcome read_sweep(struct program *program, const struct flag *flags,
                               struct sweep *sweep)
{
    enum outcome outcome;
    sweep->runs = 5;
    sweep->predict = 0;
    if ((outcome = flag_output(program, &flags[OUTPUT], &sweep->output)) != OUTCOME_OK ||
        (outcome = flag_list(program, &flags[HASH], "blake3", "blake3,sha256,keccak,keccak3",
                             read_hash, &sweep->hash)) != OUTCOME_OK ||
        (outcome = flag_numbers(program, &flags[COUNT], "2^14", 1, (uint64_t)1 << 21,
                                &sweep->count)) != OUTCOME_OK ||
        (outcome = flag_list(program, &flags[RELATION], "batch", "batch,chain", read_relation,
                             &sweep->relation)) != OUTCOME_OK ||
        (outcome = flag_list(program, &flags[LAYOUT], "row", "row,batch", read_layout,
                             &sweep->layout)) != OUTCOME_OK ||
        (outcome = flag_list(program, &flags[MODE], "fast", "fast,slim,secure", read_mode,
                             &sweep->mode)) != OUTCOME_OK ||
        (outcome = flag_list(program, &flags[BUFFERS], "kept", "kept,fresh", read_buffers,
                             &sweep->buffers)) != OUTCOME_OK ||
        (outcome = flag_numbers(program, &flags[THREADS], "1", 1, MAX_THREADS, &sweep->threads)) !=
            OUTCOME_OK ||
        (outcome = flag_list(program, &flags[BACKEND], "auto", all_backends(), read_backend,
                             &sweep->backend)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[RUNS], 1, MAX_RUNS, &sweep->runs)) != OUTCOME_OK) {
        return outcome;
    }
    return flag_number(program, &flags[PREDICT], 2, 1 << 20, &sweep->predict);
}

/* ---- all combinations ---- */

/* Number i of the combinations of what is proved, the count varying fastest; false after the last.
 */
static bool setting_number(const struct sweep *sweep, size_t i, struct setting *setting)
{
    const struct list *const lists[] = {&sweep->count,  &sweep->buffers,  &sweep->mode,
                                        &sweep->layout, &sweep->relation, &sweep->hash};
    uint64_t value[6];
    for (size_t l = 0; l < 6; l++) {
        value[l] = lists[l]->value[i % lists[l]->n];
        i /= lists[l]->n;
    }
    setting->count = value[0];
    setting->fresh = value[1] != 0;
    setting->profile = (flock_profile)value[2];
    setting->layout = (flock_layout)value[3];
    setting->relation = (flock_relation)value[4];
    setting->circuit = (flock_circuit)value[5];
    if (setting->circuit == FLOCK_KECCAK3 && (value[0] & (value[0] - 1)) == 0) {
        setting->count = value[0] < 2 ? 3 : value[0] / 2 * 3;
    }
    return i == 0;
}

/* Whether there is such a statement, and memory to prove it; if not, people are told. */
static bool is_possible(const struct program *program, const struct setting *setting)
{
    uint64_t needed = setting_memory(setting), available = memory_available();
    if (needed != 0 && needed > available) {
        fprintf(stderr, "%s: left out: %s, %llu evaluations need about %s, %s are available\n",
                program->name, flock_circuit_name(setting->circuit),
                (unsigned long long)setting->count, size_for_people(needed).text,
                size_for_people(available).text);
    }
    return needed != 0 && needed <= available;
}

static void show_progress(const struct measurement *c, unsigned round)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    interrupt_wipe_line(true);
    fprintf(stderr, "\r%s, %llu evaluations, %s, %u thread%s: %s %u\033[K",
            flock_circuit_name(c->setting.circuit), (unsigned long long)c->setting.count,
            c->backend, c->threads, c->threads == 1 ? "" : "s", round == 0 ? "warm-up" : "run",
            round == 0 ? 1 : round);
    fflush(stderr);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        interrupt_wipe_line(false);
    }
}

/* Every backend with every number of threads on one setting. */
static enum outcome measure_setting(const struct program *program, const struct sweep *sweep,
                                    const struct setting *setting, struct measurement *results)
{
    size_t n = 0;
    for (size_t b = 0; b < sweep->backend.n; b++) {
        for (size_t t = 0; t < sweep->threads.n; t++) {
            results[n++] = (struct measurement){
                .setting = *setting,
                .backend = flock_backend_available((size_t)sweep->backend.value[b]),
                .threads = (unsigned)sweep->threads.value[t],
            };
        }
    }
    return measure(program, results, n, (unsigned)sweep->runs, show_progress);
}

static enum outcome measure_all(const struct program *program, const struct sweep *sweep,
                                struct measurement *results, size_t *n_results)
{
    size_t contestants = sweep->backend.n * sweep->threads.n;
    struct setting setting;
    enum outcome outcome = OUTCOME_OK;
    *n_results = 0;
    for (size_t i = 0; outcome == OUTCOME_OK && setting_number(sweep, i, &setting); i++) {
        if (is_possible(program, &setting)) {
            outcome = measure_setting(program, sweep, &setting, results + *n_results);
            *n_results += contestants;
        }
    }
    end_progress();
    set_cycle(results, *n_results);
    if (outcome == OUTCOME_OK && *n_results == 0) {
        outcome = fail(program, OUTCOME_USAGE,
                       "nothing to measure: no such statement, or not enough memory");
    }
    return outcome;
}

static void print_results(const struct program *program, enum output output,
                          const struct results *results)
{
    if (output == OUTPUT_JSON) {
        print_json(program, results);
    } else if (output == OUTPUT_CSV) {
        print_csv(results);
    } else {
        print_markdown(results);
    }
}

static enum outcome run_sweep(const struct program *program, const struct sweep *sweep, bool phases)
{
    size_t most = sweep->hash.n * sweep->count.n * sweep->relation.n * sweep->layout.n *
                  sweep->mode.n * sweep->buffers.n * sweep->backend.n * sweep->threads.n;
    struct measurement *measurements = calloc(most, sizeof *measurements);
    struct results results = {.m = measurements,
                              .runs = (unsigned)sweep->runs,
                              .predict = (unsigned)sweep->predict,
                              .phases = phases};
    if (measurements == NULL) {
        return fail(program, OUTCOME_TOO_LARGE, "out of memory (use shorter lists)");
    }
    enum outcome outcome = measure_all(program, sweep, measurements, &results.n);
    if (outcome == OUTCOME_OK) {
        print_results(program, sweep->output, &results);
    }
    free(measurements);
    return outcome;
}

enum outcome proofs_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_FLAGS];
    struct sweep sweep;
    enum outcome outcome;

    memcpy(flags, proofs_flags, sizeof flags);
    if (!parse_flags(program, proofs_about, flags, N_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    interrupt_install();
    if ((outcome = read_sweep(program, flags, &sweep)) != OUTCOME_OK) {
        return outcome;
    }
    return run_sweep(program, &sweep, flags[PHASES].value != NULL);
}
