/* The circuits that circuit.h hands out: one definition each, in the file of that name. */
#ifndef FLOCK_CIRCUIT_CIRCUITS_H
#define FLOCK_CIRCUIT_CIRCUITS_H

#include "circuit/circuit.h"

extern const struct circuit blake3_circuit;
extern const struct circuit sha256_circuit;
extern const struct circuit keccak_circuit;
extern const struct circuit keccak3_circuit;

/* Prover. */
extern const struct circuit_prover blake3_circuit_prover;
extern const struct circuit_prover sha256_circuit_prover;
extern const struct circuit_prover keccak_circuit_prover;
extern const struct circuit_prover keccak3_circuit_prover;
/* The same results, from AVX2, AVX-512 and NEON; indexed by flock_circuit. */
extern const struct circuit_prover avx2_circuit_provers[];
extern const struct circuit_prover avx512_circuit_provers[];
extern const struct circuit_prover neon_circuit_provers[];

/* Tests. */
void blake3_visit_rows(circuit_row_visitor *visit, void *context);
void sha256_visit_rows(circuit_row_visitor *visit, void *context);
void keccak_visit_rows(const struct circuit *circuit, circuit_row_visitor *visit, void *context);

#endif
