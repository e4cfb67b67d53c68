/*
 * measure.h - proofs of one statement by several contestants (backends and numbers of threads), and
 * native hashing, in turns, so that all see the same clock and the same neighbours.
 *
 *     round 0    prove, verify          each contestant; a warm-up, and the time to verify
 *     round 1    hash natively, prove   each contestant; hashing lasts as long as the proof
 *     ...
 *     round k    hash natively, prove
 */
#ifndef FLOCK_BENCH_MEASURE_H
#define FLOCK_BENCH_MEASURE_H

#include <stdbool.h>

#include <flock/prove.h>

#include "program.h"

/* What is proved. */
struct setting {
    flock_circuit circuit;
    flock_relation relation; /* FLOCK_BATCH or FLOCK_CHAIN */
    flock_layout layout;
    flock_profile profile;
    bool fresh; /* every proof takes its memory from the system and gives it back */
    uint64_t count;
};

/* The best of some samples and the one in the middle. */
struct samples {
    double best, median;
};

/* One contestant, and the result. */
struct measurement {
    struct setting setting;
    const char *backend;
    unsigned threads;

    unsigned log_bits; /* m: the witness has 2^m bits */
    size_t proof_bytes;
    struct samples prove, verify;  /* seconds */
    struct samples native;         /* evaluations per second on one core, the best is the highest */
    double native_peak;            /* the same, of the fastest millisecond or two */
    flock_report report;           /* of the best proof */
    double serial[FLOCK_N_PHASES]; /* seconds outside of parallel loops, the least of all proofs */
    double busy[FLOCK_N_PHASES];   /* and of all threads' work */
    double cycle;                  /* seconds of one core cycle */
};

enum { MAX_RUNS = 1000 };

/* Upper estimate of the memory in bytes; 0 if there is no such statement. */
uint64_t setting_memory(const struct setting *setting);

/*
 * Fills in the results of n contestants, all of one setting. Checks that every proof is valid and
 * that all are the same. `progress` is told contestant and round.
 */
enum outcome measure(const struct program *program, struct measurement *contestants, size_t n,
                     unsigned runs,
                     void (*progress)(const struct measurement *contestant, unsigned round));

/* After all measurements: the least time of a cycle that was seen holds for all of them. */
void set_cycle(struct measurement *measurements, size_t n);

/* ---- what follows from the results ---- */

/* 2^(m-7) elements of GF(2^128) */
double packed_elements(const struct measurement *m);
double cycles_per_element(const struct measurement *m, double seconds);
double proved_per_second(const struct measurement *m);

/* Native evaluations in the time of a proved one: best against best, median against median. */
double native_per_proved(const struct measurement *m);
double native_per_proved_median(const struct measurement *m);
/* Even the fastest millisecond was slow, so the ratios flatter the prover. */
bool native_is_slow(const struct measurement *m);
/* Native hashing lasted much longer than its fastest millisecond says: other work shares the core.
 */
bool machine_is_busy(const struct measurement *m);

double memory_per_witness(const struct measurement *m);

/*
 * Of several threads. With W the work of all threads and S what was outside of parallel loops:
 * S / W, and Amdahl's W / (N (S + (W - S) / N)) for N threads. NAN for one thread.
 */
double serial_share(const struct measurement *m);
double predicted_efficiency(const struct measurement *m, unsigned threads);
/* T1 / (n Tn), `one` being the same with one thread. */
double parallel_efficiency(const struct measurement *one, const struct measurement *m);

#endif
