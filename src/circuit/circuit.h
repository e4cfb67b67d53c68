/*
 * A block circuit: the R1CS  (A0 z) o (B0 z) = z  over GF(2) with 2^k_log columns (spec 05, 5.2),
 * described by walks through the computation, never by matrices.
 */
#ifndef FLOCK_CIRCUIT_CIRCUIT_H
#define FLOCK_CIRCUIT_CIRCUIT_H

#include "circuit/layout.h"

enum { NO_PIN = -1 };

struct circuit {
    const char *name;
    unsigned k_log;
    uint32_t useful_bits; /* columns from here on are zero */
    int32_t pin;          /* column of the constant-one wire, or NO_PIN */
    unsigned region_log;  /* log2 of the slot size in bits; 0: the circuit has no slots */
    unsigned region_bits; /* used bits of a slot */
    unsigned copies;      /* evaluations in one instance: 1, or 3 for Keccak x3 */
    uint8_t id[32];       /* native circuit_id (spec 09.3) */

    /*
     * The transposed walk: comb[c] = alpha * sum_{r: c in A0[r]} e[r] + sum_{r: c in B0[r]} e[r]
     * for all 2^k_log columns c, without the pin term (spec 06, 7; 07, 5). comb is overwritten.
     */
    void (*marginals)(const struct circuit *self, gf128 *comb, gf128 alpha, const gf128 *e);
};

/* The circuits, indexed by flock_circuit; NULL where unknown. */
const struct circuit *circuit_of(flock_circuit which);

/* Statement digest of the reference format (spec 02, 2.6): shape->k_log must be the circuit's. */
void circuit_reference_digest(flock_circuit which, const struct shape *shape, uint8_t digest[32]);

/* ---- prover ---- */

struct prover_context;

/* The three bit vectors, each 2^m bits in the layout's order. */
struct witness {
    struct shape shape;
    uint64_t *z, *a, *b;
};

/*
 * Witness generator: fill instances first .. first+count-1 of all three vectors from an array of
 * inputs whose type belongs to the circuit (inputs[0] is instance `first`). Every word of those
 * instances is written, zeros included. count is a multiple of 8 and first too.
 */
struct circuit_prover {
    const struct circuit *circuit;
    size_t input_bytes; /* of one evaluation; an instance takes circuit->copies of them */
    void (*fill)(const void *inputs, size_t first, size_t count, const struct witness *witness);
};

/*
 * The generator of the backend in use (flock_backend_select), NULL where the circuit is unknown.
 * The portable one defines what the others write, bit for bit.
 */
const struct circuit_prover *circuit_prover_of(flock_circuit which);

/* ---- tests ---- */

/*
 * The true matrices, row by row in order 0 .. 2^k_log - 1: `row` gets the ascending columns of
 * A0[r] and B0[r].
 */
typedef void circuit_row_visitor(void *context, uint32_t row, const uint32_t *a, size_t n_a,
                                 const uint32_t *b, size_t n_b);
void circuit_visit_rows(flock_circuit which, circuit_row_visitor *visit, void *context);

#endif
