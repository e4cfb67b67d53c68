/* Proofs that are changed, and proofs that are read as an attacker would. */
#ifndef FLOCK_TESTS_HOSTILE_H
#define FLOCK_TESTS_HOSTILE_H

#include "prover.h"
#include "support/support.h"
#include "wire/proof_file.h"

/*
 * Changes one byte of a copy of the proof at a time, to another value, and fails the test if
 * flock_verify() accepts it: at positions[0 .. n-1], or, with NULL, at 0 .. n-1.
 */
void assert_flips_rejected(const uint8_t *proof, size_t len, const size_t *positions, size_t n);

/* Every byte; under sanitizers, where verifying takes long, every 16th and the first 512. */
void assert_every_flip_rejected(const uint8_t *proof, size_t len);

/*
 * Runs a proof's transcript through zerocheck and lincheck: *t is before the glue's challenges, the
 * quirky claims are in *claims. The domain is used by the reference format only.
 */
void replay_to_glue(const struct proof_file *file, const char *domain, struct transcript *t,
                    struct claims *claims);

/*
 * Adds (t c, (1+t) c) to a value of two elements in physical order: the fold
 * (1+t) v_0 + t v_1 stays the same (spec 04, 11.2).
 */
void add_invisible(uint8_t value[32], gf128 t, gf128 c);

/*
 * The honest prover on inputs that need not fit the statement: the bytes of the file, to be freed.
 * inputs: all 2^n_log of them.
 */
uint8_t *prove_any_inputs(const flock_statement *statement, const void *inputs, const char *domain,
                          size_t *len);

/* prove_any_inputs() for the native format, then flock_verify(). */
flock_status verify_any_inputs(const flock_statement *statement, const void *inputs);

#endif
