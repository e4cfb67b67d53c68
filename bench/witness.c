/*
 * flock_bench_witness: core cycles per packed element (128 bits of z, a and b each) of the witness
 * generators of all circuits, in every backend this machine runs, on one core.
 *
 *     flock_bench_witness [LOG_BITS]
 *
 * fills vectors of 2^LOG_BITS bits (default 2^26: 24 MiB in all) as the prover does. "again": in
 * memory that has just been filled; "first": in memory fresh from the system, as in every proof.
 * Backends take turns and the best of several runs counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flock/prove.h>

#include "base/memory.h"
#include "circuit/circuit.h"
#include "cycles.h"

enum { ROUNDS = 15, MAX_BACKENDS = 8, INSTANCES = 32 /* of a task of the prover */ };

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

static void measure(struct times *best, const struct circuit_prover *prover, flock_layout layout,
                    unsigned log_bits)
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
    if (memory.failed_name != NULL) {
        fprintf(stderr, "flock_bench_witness: no memory for %s\n", memory.failed_name);
        exit(1);
    }
    memset(inputs, 0x5a, input_bytes);
    (void)cycle_seconds();
    best->first = fmin(best->first, fill_seconds(prover, inputs, &witness));
    best->again = fmin(best->again, fill_seconds(prover, inputs, &witness));
    memory_release(&memory);
}

static void print_line(flock_circuit which, flock_layout layout, unsigned log_bits)
{
    struct times best[MAX_BACKENDS];
    const char *name;
    size_t n_backends = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < MAX_BACKENDS && (name = flock_backend_available(i)) != NULL; i++) {
            if (round == 0) {
                best[i] = (struct times){HUGE_VAL, HUGE_VAL};
                n_backends = i + 1;
            }
            (void)flock_backend_select(name);
            measure(&best[i], circuit_prover_of(which), layout, log_bits);
        }
    }
    double unit = cycle_seconds() * (double)((size_t)1 << (log_bits - 7));
    printf("| %s | %s |", flock_circuit_name(which), flock_layout_name(layout));
    for (size_t i = 0; i < n_backends; i++) {
        printf(" %.1f | %.1f |", best[i].again / unit, best[i].first / unit);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned log_bits = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 26;
    const char *name;
    if (log_bits < 22 || log_bits > 40) {
        fprintf(stderr, "usage: flock_bench_witness [LOG_BITS], 22 to 40\n");
        return 1;
    }
    printf("Cycles per packed element, 2^%u bits\n\n| circuit | layout |", log_bits);
    for (size_t i = 0; (name = flock_backend_available(i)) != NULL; i++) {
        printf(" %s, again | first |", name);
    }
    printf("\n|---|---|");
    for (size_t i = 0; flock_backend_available(i) != NULL; i++) {
        printf("---|---|");
    }
    printf("\n");
    for (int which = FLOCK_BLAKE3; which <= FLOCK_KECCAK3; which++) {
        print_line((flock_circuit)which, FLOCK_ROW_MAJOR, log_bits);
        if (which != FLOCK_KECCAK3) { /* which has no batch-major proofs */
            print_line((flock_circuit)which, FLOCK_BATCH_MAJOR, log_bits);
        }
    }
    return 0;
}
