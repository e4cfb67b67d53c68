/*
 * flock_bench: what a proof costs, measured against native hashing on the same core in the same
 * run.
 *
 *     flock_bench [--hash H] [--relation batch|chain] [--count N] [--runs K] [--threads T]
 *                 [--mode M] [--layout row|batch] [--backend B] [--output table|row]
 *
 * proves N evaluations K times after a verified warm-up and prints the best run as Markdown: time
 * per phase, cycles per packed element (2^(m-7) of them), throughput, native scalar evaluations per
 * proved one, peak memory over witness size, proof size, time to verify. Cycles come from a loop of
 * dependent additions run next to the measurement. `--output row` prints one row of a table of runs
 * (scripts/bench.sh).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flock/prove.h>
#include <flock/verify.h>

#include "backend/kernels.h"
#include "base/clock.h"
#include "hash/blake3.h"
#include "hash/keccak.h"
#include "hash/sha256.h"

#include "cycles.h"

struct config {
    flock_circuit circuit;
    flock_relation relation;
    flock_layout layout;
    flock_profile profile;
    uint64_t count;
    unsigned runs;
    unsigned threads;
    bool row; /* print one row only */
};

/* ---- native hashing: plain scalar C on one core, independent inputs that stay in cache ---- */

enum { NATIVE_INPUTS = 64 };

static void native_blake3(size_t n)
{
    static uint32_t cv[NATIVE_INPUTS][8], message[NATIVE_INPUTS][16];
    for (size_t i = 0; i < n; i++) {
        uint32_t out[16];
        blake3_compress(out, cv[i % NATIVE_INPUTS], message[i % NATIVE_INPUTS], 0, 64, 0);
        memcpy(cv[i % NATIVE_INPUTS], out, sizeof cv[0]);
    }
}

static void native_sha256(size_t n)
{
    static uint32_t state[NATIVE_INPUTS][8];
    static uint8_t message[NATIVE_INPUTS][64];
    for (size_t i = 0; i < n; i++) {
        portable_kernels.sha256_compress(state[i % NATIVE_INPUTS], message[i % NATIVE_INPUTS], 1);
    }
}

static void native_keccak(size_t n)
{
    static uint64_t lanes[NATIVE_INPUTS][KECCAK_LANES];
    for (size_t i = 0; i < n; i++) {
        keccak_f1600(lanes[i % NATIVE_INPUTS]);
    }
}

/* Evaluations per second. */
static double native_rate(flock_circuit circuit)
{
    static void (*const evaluate[])(size_t) = {native_blake3, native_sha256, native_keccak,
                                               native_keccak};
    const size_t n = 200 * 1000;
    double best = 0;
    for (int run = 0; run < 7; run++) {
        double begin = monotonic_seconds();
        evaluate[circuit](n);
        double rate = (double)n / (monotonic_seconds() - begin);
        best = rate > best ? rate : best;
    }
    return best;
}

struct result {
    flock_report report;
    double verify_seconds;
    size_t proof_bytes;
    unsigned log_bits;
};

static void check(flock_status status, const char *what)
{
    if (status != FLOCK_OK) {
        fprintf(stderr, "flock_bench: %s: %s\n", what, flock_status_text(status));
        exit(1);
    }
}

static double verify_time(const uint8_t *proof, size_t len)
{
    double best = 1e9;
    for (int run = 0; run < 10; run++) {
        flock_statement statement;
        double begin = monotonic_seconds();
        check(flock_verify(proof, len, &statement), "verify");
        double seconds = monotonic_seconds() - begin;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* Pseudo-random inputs of any circuit: every byte string is one. */
static void *make_inputs(const struct config *config)
{
    static const size_t bytes[] = {sizeof(flock_blake3_input), sizeof(flock_sha256_input),
                                   sizeof(flock_keccak_input), sizeof(flock_keccak_input)};
    size_t words = config->count * bytes[config->circuit] / 4;
    uint32_t *inputs = malloc(words * 4);
    uint32_t x = 1;
    for (size_t i = 0; inputs != NULL && i < words; i++) {
        x = x * 1664525u + 1013904223u;
        inputs[i] = x;
    }
    return inputs;
}

static flock_status prove(const struct config *config, const void *inputs, flock_report *report,
                          uint8_t **proof, size_t *len, flock_statement *statement)
{
    flock_options options = {.threads = config->threads, .report = report};
    if (config->relation == FLOCK_CHAIN) {
        flock_chain chain = {.circuit = config->circuit,
                             .layout = config->layout,
                             .profile = config->profile,
                             .steps = config->count};
        return flock_prove_chain(&chain, &options, proof, len, statement);
    }
    flock_batch batch = {.circuit = config->circuit,
                         .layout = config->layout,
                         .profile = config->profile,
                         .count = config->count,
                         .inputs = inputs};
    return flock_prove_batch(&batch, &options, proof, len, statement);
}

static struct result measure(const struct config *config)
{
    struct result best = {.report = {.total_seconds = 1e9}};
    void *inputs = make_inputs(config);
    check(inputs == NULL ? FLOCK_ERR_MEMORY : FLOCK_OK, "inputs");
    for (unsigned run = 0; run <= config->runs; run++) {
        flock_report report;
        flock_statement statement;
        uint8_t *proof;
        size_t len;
        check(prove(config, inputs, &report, &proof, &len, &statement), "prove");
        if (run == 0) {
            best.verify_seconds = verify_time(proof, len);
            best.proof_bytes = len;
            best.log_bits = flock_statement_log_bits(&statement);
        } else if (report.total_seconds < best.report.total_seconds) {
            best.report = report;
        }
        flock_free(proof);
    }
    free(inputs);
    return best;
}

static void print_result(const struct config *config, const struct result *result, double hz,
                         double native)
{
    const flock_report *report = &result->report;
    double elements = (double)((uint64_t)1 << (result->log_bits - 7));
    double total = report->total_seconds;
    double rate = (double)config->count / total;
    printf("%s %s of %llu (m = %u), %s, %s, backend %s, %u thread%s, best of %u\n\n",
           flock_circuit_name(config->circuit), config->relation == FLOCK_CHAIN ? "chain" : "batch",
           (unsigned long long)config->count, result->log_bits, flock_profile_name(config->profile),
           flock_layout_name(config->layout), flock_backend_name(), report->threads,
           report->threads == 1 ? "" : "s", config->runs);
    printf("| phase | ms | %% | cycles per element |\n|---|---|---|---|\n");
    for (int i = 0; i < FLOCK_N_PHASES; i++) {
        double seconds = report->seconds[i];
        printf("| %s | %.1f | %.1f | %.0f |\n", flock_phase_name((flock_phase)i), 1e3 * seconds,
               100 * seconds / total, seconds * hz / elements);
    }
    printf("| **total** | %.1f | 100 | %.0f |\n\n", 1e3 * total, total * hz / elements);
    printf("| evaluations proved per second | %.0f |\n|---|---|\n", rate);
    printf("| native scalar evaluations per second, one core | %.0f |\n", native);
    printf("| native evaluations per proved one | %.1f |\n", native / rate);
    printf("| peak memory / witness | %.2f (%.1f MiB / %.1f MiB) |\n",
           (double)report->peak_bytes / (double)report->witness_bytes,
           (double)report->peak_bytes / 1048576, (double)report->witness_bytes / 1048576);
    printf("| proof bytes | %zu |\n", result->proof_bytes);
    printf("| verify, ms | %.2f |\n", 1e3 * result->verify_seconds);
    printf("| clock, GHz | %.2f |\n\n", hz / 1e9);
}

/* hash, evaluations, m, backend, threads | ms, cycles | rates | memory, proof, verify */
static void print_row(const struct config *config, const struct result *result, double hz,
                      double native)
{
    const flock_report *report = &result->report;
    double elements = (double)((uint64_t)1 << (result->log_bits - 7));
    double total = report->total_seconds;
    double rate = (double)config->count / total;
    printf("| %s | %llu | %u | %s | %u | %.0f | %.0f | %.0f | %.0f | %.2f | %zu | %.2f |\n",
           flock_circuit_name(config->circuit), (unsigned long long)config->count, result->log_bits,
           flock_backend_name(), report->threads, 1e3 * total, total * hz / elements, rate,
           native / rate, (double)report->peak_bytes / (double)report->witness_bytes,
           result->proof_bytes, 1e3 * result->verify_seconds);
}

/* The index of `value` among the names, or -1. */
static int choose(const char *value, const char *(*name_of)(int), int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(value, name_of(i)) == 0) {
            return i;
        }
    }
    return -1;
}

static const char *circuit_name(int i)
{
    return flock_circuit_name((flock_circuit)i);
}

static const char *profile_name(int i)
{
    return flock_profile_name((flock_profile)i);
}

static const char *relation_name(int i)
{
    static const char *const names[] = {"batch", "chain"};
    return names[i];
}

static const char *layout_name(int i)
{
    static const char *const names[] = {"row", "batch"};
    return names[i];
}

static const char *output_name(int i)
{
    static const char *const names[] = {"table", "row"};
    return names[i];
}

static bool parse_number(const char *value, uint64_t *out)
{
    char *end;
    *out = strtoull(value, &end, 10);
    return *end == 0 && end != value && *out > 0;
}

static bool parse_flag(const char *flag, const char *value, struct config *config)
{
    uint64_t number = 0;
    int choice = 0;
    if (strcmp(flag, "--hash") == 0) {
        config->circuit = (flock_circuit)(choice = choose(value, circuit_name, 4));
    } else if (strcmp(flag, "--relation") == 0) {
        config->relation = (flock_relation)(choice = choose(value, relation_name, 2));
    } else if (strcmp(flag, "--mode") == 0) {
        config->profile = (flock_profile)(choice = choose(value, profile_name, 3));
    } else if (strcmp(flag, "--layout") == 0) {
        config->layout = (flock_layout)(choice = choose(value, layout_name, 2));
    } else if (strcmp(flag, "--output") == 0) {
        config->row = (choice = choose(value, output_name, 2)) == 1;
    } else if (strcmp(flag, "--backend") == 0) {
        return flock_backend_select(value) == FLOCK_OK;
    } else if (!parse_number(value, &number)) {
        return false;
    } else if (strcmp(flag, "--count") == 0) {
        config->count = number;
    } else if (strcmp(flag, "--runs") == 0) {
        config->runs = (unsigned)number;
    } else if (strcmp(flag, "--threads") == 0) {
        config->threads = (unsigned)number;
    } else {
        return false;
    }
    return choice >= 0;
}

int main(int argc, char **argv)
{
    struct config config = {.count = 1 << 14, .runs = 5, .threads = 1};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || !parse_flag(argv[i], argv[i + 1], &config)) {
            fprintf(stderr,
                    "flock_bench: error: %s\nusage: flock_bench [--hash H] "
                    "[--relation batch|chain] [--count N] [--runs K] [--threads T] [--mode M] "
                    "[--layout row|batch] [--backend B] [--output table|row]\n",
                    argv[i]);
            return 1;
        }
    }
    double native = native_rate(config.circuit);
    struct result result = measure(&config);
    (config.row ? print_row : print_result)(&config, &result, 1 / cycle_seconds(), native);
    return 0;
}
