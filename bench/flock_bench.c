/*
 * flock_bench: what a proof costs, measured against native hashing on the same core in the same
 * run.
 *
 *     flock_bench [--count N] [--runs K] [--threads T] [--mode M] [--layout L] [--backend B]
 *
 * proves a BLAKE3 chain of N steps K times after a verified warm-up and prints the best run as
 * Markdown: time per phase, cycles per packed element (2^(m-7) of them), throughput, native scalar
 * compressions per proved one, peak memory over witness size, proof size, time to verify. Cycles
 * come from a loop of dependent additions run next to the measurement.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flock/prove.h>
#include <flock/verify.h>

#include "base/clock.h"
#include "hash/blake3.h"

struct config {
    flock_chain chain;
    unsigned runs;
    unsigned threads;
};

/* Core cycles per second: one dependent addition is one cycle. */
static double cycles_per_second(void)
{
    enum { N = 50 * 1000 * 1000 };
    double best = 0;
    for (int run = 0; run < 3; run++) {
        uint64_t x = 1;
        double begin = monotonic_seconds();
        for (int i = 0; i < N; i += 10) {
            for (int j = 0; j < 10; j++) {
                x += 3;
                __asm__ volatile("" : "+r"(x));
            }
        }
        double rate = N / (monotonic_seconds() - begin);
        best = rate > best ? rate : best;
    }
    return best;
}

/* Plain scalar BLAKE3 compressions per second on one core: independent inputs, hot in cache. */
static double native_rate(void)
{
    enum { N = 400 * 1000, INPUTS = 64 };
    static uint32_t message[INPUTS][16], cv[INPUTS][8];
    for (size_t i = 0; i < INPUTS; i++) {
        for (size_t w = 0; w < 16; w++) {
            message[i][w] = (uint32_t)(i * 16 + w) * 0x9E3779B1u;
        }
        memcpy(cv[i], blake3_iv, sizeof cv[i]);
    }
    double best = 0;
    for (int run = 0; run < 5; run++) {
        double begin = monotonic_seconds();
        for (size_t i = 0; i < N; i++) {
            uint32_t out[16];
            uint32_t *v = cv[i % INPUTS];
            blake3_compress(out, v, message[i % INPUTS], 0, 64, 0);
            memcpy(v, out, sizeof cv[0]);
        }
        double rate = N / (monotonic_seconds() - begin);
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

static struct result measure(const struct config *config)
{
    struct result best = {.report = {.total_seconds = 1e9}};
    for (unsigned run = 0; run <= config->runs; run++) {
        flock_report report;
        flock_options options = {.threads = config->threads, .report = &report};
        flock_statement statement;
        uint8_t *proof;
        size_t len;
        check(flock_prove_chain(&config->chain, &options, &proof, &len, &statement), "prove");
        if (run == 0) {
            best.verify_seconds = verify_time(proof, len);
            best.proof_bytes = len;
            best.log_bits = flock_statement_log_bits(&statement);
        } else if (report.total_seconds < best.report.total_seconds) {
            best.report = report;
        }
        flock_free(proof);
    }
    return best;
}

static void print_result(const struct config *config, const struct result *result, double hz,
                         double native)
{
    const flock_report *report = &result->report;
    double elements = (double)((uint64_t)1 << (result->log_bits - 7));
    double total = report->total_seconds;
    double rate = (double)config->chain.steps / total;
    printf("BLAKE3 chain, %llu steps (m = %u), %s, %s, backend %s, %u thread%s, best of %u\n\n",
           (unsigned long long)config->chain.steps, result->log_bits,
           flock_profile_name(config->chain.profile), flock_layout_name(config->chain.layout),
           flock_backend_name(), report->threads, report->threads == 1 ? "" : "s", config->runs);
    printf("| phase | ms | %% | cycles per element |\n|---|---|---|---|\n");
    for (int i = 0; i < FLOCK_N_PHASES; i++) {
        double seconds = report->seconds[i];
        printf("| %s | %.1f | %.1f | %.0f |\n", flock_phase_name((flock_phase)i), 1e3 * seconds,
               100 * seconds / total, seconds * hz / elements);
    }
    printf("| **total** | %.1f | 100 | %.0f |\n\n", 1e3 * total, total * hz / elements);
    printf("| compressions proved per second | %.0f |\n|---|---|\n", rate);
    printf("| native scalar compressions per second, one core | %.0f |\n", native);
    printf("| native compressions per proved one | %.1f |\n", native / rate);
    printf("| peak memory / witness | %.2f (%.1f MiB / %.1f MiB) |\n",
           (double)report->peak_bytes / (double)report->witness_bytes,
           (double)report->peak_bytes / 1048576, (double)report->witness_bytes / 1048576);
    printf("| proof bytes | %zu |\n", result->proof_bytes);
    printf("| verify, ms | %.2f |\n", 1e3 * result->verify_seconds);
    printf("| clock, GHz | %.2f |\n\n", hz / 1e9);
}

static bool parse(int argc, char **argv, struct config *config)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) {
            return false;
        }
        const char *flag = argv[i], *value = argv[i + 1];
        if (strcmp(flag, "--count") == 0) {
            config->chain.steps = strtoull(value, NULL, 10);
        } else if (strcmp(flag, "--runs") == 0) {
            config->runs = (unsigned)strtoul(value, NULL, 10);
        } else if (strcmp(flag, "--threads") == 0) {
            config->threads = (unsigned)strtoul(value, NULL, 10);
        } else if (strcmp(flag, "--backend") == 0) {
            check(flock_backend_select(value), value);
        } else if (strcmp(flag, "--mode") == 0) {
            for (flock_profile p = FLOCK_FAST; p <= FLOCK_SECURE; p++) {
                if (strcmp(value, flock_profile_name(p)) == 0) {
                    config->chain.profile = p;
                }
            }
        } else if (strcmp(flag, "--layout") == 0) {
            config->chain.layout =
                strcmp(value, "batch") == 0 ? FLOCK_BATCH_MAJOR : FLOCK_ROW_MAJOR;
        } else {
            return false;
        }
    }
    return config->runs > 0 && config->chain.steps > 0;
}

int main(int argc, char **argv)
{
    struct config config = {.chain = {.steps = 1 << 14}, .runs = 5, .threads = 1};
    if (!parse(argc, argv, &config)) {
        fprintf(stderr, "usage: flock_bench [--count N] [--runs K] [--threads T] [--mode M] "
                        "[--layout row|batch] [--backend B]\n");
        return 1;
    }
    double native = native_rate();
    struct result result = measure(&config);
    print_result(&config, &result, cycles_per_second(), native);
    return 0;
}
