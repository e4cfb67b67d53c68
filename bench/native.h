/*
 * native.h - the same hashes in plain scalar C, without vector registers (CMakeLists.txt) and
 * without crypto instructions: what a proof is compared with.
 */
#ifndef FLOCK_BENCH_NATIVE_H
#define FLOCK_BENCH_NATIVE_H

#include <flock/flock.h>

/*
 * Evaluations per second on this core, over about `seconds`; *peak becomes the rate of the fastest
 * millisecond or two, if that is higher.
 */
double native_rate(flock_circuit circuit, double seconds, double *peak);

/* What good scalar code reaches on a current machine: below it, ratios to it flatter the prover. */
double native_rate_expected(flock_circuit circuit);

#endif
