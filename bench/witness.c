/*
 * The subcommand that measures core cycles per packed element (128 bits of z, a and b each) of the
 * witness generators of all circuits, in every backend this machine runs, on one core. It fills
 * vectors as the prover does. "again": in memory that has just been filled; "first": in memory
 * fresh from the system, as in every proof. Backends take turns and the best of several runs
 * counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flock/prove.h>

#include "base/memory.h"
#include "circuit/circuit.h"

#include "commands.h"
#include "cycles.h"
#include "list.h"

enum { MAX_BACKENDS = 8, INSTANCES = 32 /* of a task of the prover */ };

static double fill_seconds(const struct circuit_prover *prover, const uint8_t *inputs,
                           const struct witness *witness)
{
    size_t len = prover->circuit->copies * prover->input_bytes;
    size_t n = (size_t)1 << witness->shape.n_log;
    double begin = monotonic_seconds();
    for (size_t i = 0; i < n; i += INSTANCES) {
        prover->fill(inputs + i * len, i, INSTANCES, witness);
    }
    return monotonic_seconds() - begin;
}

struct times {
    double first, again;
};

/* False if there is no memory. */
static bool measure_fill(struct times *best, const struct circuit_prover *prover,
                         flock_layout layout, unsigned log_bits)
{
    const unsigned k_log = prover->circuit->k_log;
    const size_t n = (size_t)1 << (log_bits - k_log), words = (size_t)1 << (log_bits - 6);
    const size_t input_bytes = n * prover->circuit->copies * prover->input_bytes;
    struct memory memory;
    memory_init(&memory);
    uint8_t *inputs = memory_take(&memory, "inputs", input_bytes, 1);
    struct witness witness = {
        .shape = {layout, k_log, log_bits - k_log},
        .z = memory_take(&memory, "z", words, sizeof(uint64_t)),
        .a = memory_take(&memory, "a", words, sizeof(uint64_t)),
        .b = memory_take(&memory, "b", words, sizeof(uint64_t)),
    };
    bool enough = memory.failed_name == NULL;
    if (enough) {
        memset(inputs, 0x5a, input_bytes);
        (void)cycle_seconds();
        best->first = fmin(best->first, fill_seconds(prover, inputs, &witness));
        best->again = fmin(best->again, fill_seconds(prover, inputs, &witness));
    }
    memory_release(&memory);
    return enough;
}

/* ---- the command ---- */

struct task {
    const struct program *program;
    enum output output;
    struct list backends;
    uint64_t log_bits, rounds;
    struct json json;
};

static const char *backend_name(const struct task *task, size_t i)
{
    return flock_backend_available((size_t)task->backends.value[i]);
}

static enum outcome measure_circuit(struct task *task, flock_circuit which, flock_layout layout,
                                    struct times *best)
{
    for (size_t i = 0; i < task->backends.n; i++) {
        best[i] = (struct times){HUGE_VAL, HUGE_VAL};
    }
    for (uint64_t round = 0; round < task->rounds; round++) {
        for (size_t i = 0; i < task->backends.n; i++) {
            (void)flock_backend_select(backend_name(task, i));
            if (!measure_fill(&best[i], circuit_prover_of(which), layout,
                              (unsigned)task->log_bits)) {
                return fail(task->program, OUTCOME_TOO_LARGE, "out of memory (use less --m)");
            }
        }
    }
    return OUTCOME_OK;
}

static void print_head(struct task *task)
{
    switch (task->output) {
    case OUTPUT_JSON:
        result_open(&task->json, task->program, OUTCOME_OK, NULL);
        json_open_array(&task->json, "generators");
        break;
    case OUTPUT_CSV:
        printf("hash,layout,backend,m,cycles_again,cycles_first\n");
        break;
    default:
        printf("Cycles per packed element, 2^%u bits\n\n| hash | layout |",
               (unsigned)task->log_bits);
        for (size_t i = 0; i < task->backends.n; i++) {
            printf(" %s, again | first |", backend_name(task, i));
        }
        printf("\n|---|---|");
        for (size_t i = 0; i < task->backends.n; i++) {
            printf("---|---|");
        }
        printf("\n");
    }
}

static void print_generator(struct task *task, flock_circuit which, flock_layout layout,
                            const struct times *best)
{
    double unit = cycle_seconds() * ldexp(1, (int)task->log_bits - 7);
    const char *hash = flock_circuit_name(which);
    const char *order = layout == FLOCK_ROW_MAJOR ? "row" : "batch";
    if (task->output == OUTPUT_MARKDOWN) {
        printf("| %s | %s |", hash, order);
    }
    for (size_t i = 0; i < task->backends.n; i++) {
        double again = best[i].again / unit, first = best[i].first / unit;
        switch (task->output) {
        case OUTPUT_JSON:
            json_open_object(&task->json, NULL);
            json_string(&task->json, "hash", hash);
            json_string(&task->json, "layout", order);
            json_string(&task->json, "backend", backend_name(task, i));
            json_number(&task->json, "m", task->log_bits);
            json_real(&task->json, "cycles_again", again);
            json_real(&task->json, "cycles_first", first);
            json_close_object(&task->json);
            break;
        case OUTPUT_CSV:
            printf("%s,%s,%s,%u,%.2f,%.2f\n", hash, order, backend_name(task, i),
                   (unsigned)task->log_bits, again, first);
            break;
        default:
            printf(" %.1f | %.1f |", again, first);
        }
    }
    if (task->output == OUTPUT_MARKDOWN) {
        printf("\n");
    }
}

/* keccak3 has no batch-major proofs. */
static bool has_layout(int which, int layout)
{
    return which != FLOCK_KECCAK3 || layout != FLOCK_BATCH_MAJOR;
}

static enum outcome run_task(struct task *task)
{
    struct times best[FLOCK_KECCAK3 + 1][FLOCK_BATCH_MAJOR + 1][MAX_BACKENDS];
    for (int which = FLOCK_BLAKE3; which <= FLOCK_KECCAK3; which++) {
        for (int layout = FLOCK_ROW_MAJOR; layout <= FLOCK_BATCH_MAJOR; layout++) {
            enum outcome outcome = OUTCOME_OK;
            if (has_layout(which, layout)) {
                outcome = measure_circuit(task, (flock_circuit)which, (flock_layout)layout,
                                          best[which][layout]);
            }
            if (outcome != OUTCOME_OK) {
                return outcome;
            }
        }
    }
    print_head(task);
    for (int which = FLOCK_BLAKE3; which <= FLOCK_KECCAK3; which++) {
        for (int layout = FLOCK_ROW_MAJOR; layout <= FLOCK_BATCH_MAJOR; layout++) {
            if (has_layout(which, layout)) {
                print_generator(task, (flock_circuit)which, (flock_layout)layout,
                                best[which][layout]);
            }
        }
    }
    if (task->output == OUTPUT_JSON) {
        json_close_array(&task->json);
        json_close_object(&task->json);
    }
    return OUTCOME_OK;
}

enum witness_flag { M, BACKEND, ROUNDS, OUTPUT, N_FLAGS };

static const struct flag witness_flags[N_FLAGS] = {
    [M] = {"--m", "M", false, "vectors of 2^M bits, 22 to 35 (default 26: 24 MiB in all)", NULL},
    [BACKEND] = {"--backend", "LIST", false, "by name, auto or all (default)", NULL},
    [ROUNDS] = {"--rounds", "K", false, "turns of each backend (default 15)", NULL},
    [OUTPUT] = {FLAG_OUTPUT},
};

enum outcome witness_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_FLAGS];
    struct task task = {.program = program, .log_bits = 26, .rounds = 15};
    enum outcome outcome;

    memcpy(flags, witness_flags, sizeof flags);
    if (!parse_flags(program,
                     "Measure the witness generators on one core, in cycles per packed element of "
                     "z, a and b:\n"
                     "the least of K turns in memory just filled (again) and fresh from the system "
                     "(first).",
                     flags, N_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = flag_output(program, &flags[OUTPUT], &task.output)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[M], 22, 35, &task.log_bits)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[ROUNDS], 1, 1000000, &task.rounds)) != OUTCOME_OK ||
        (outcome = flag_list(program, &flags[BACKEND], all_backends(), all_backends(), read_backend,
                             &task.backends)) != OUTCOME_OK) {
        return outcome;
    }
    return run_task(&task);
}
