/* What the tests of circuits share: batches of instances, and the true matrices as an oracle. */
#ifndef FLOCK_TESTS_CIRCUITS_H
#define FLOCK_TESTS_CIRCUITS_H

#include <openssl/evp.h>

#include "circuit/circuits.h"
#include "support/support.h"

uint32_t bit_of(const uint64_t *block, uint32_t column);

/* Inputs and all three vectors of 2^n_log instances, zero at first. */
struct batch {
    flock_circuit which;
    struct witness witness;
    uint8_t *inputs;
    size_t n;
    size_t input_bytes; /* of one instance, all its evaluations */
    size_t block_bytes;
};

struct batch batch_new(flock_circuit which, flock_layout layout, unsigned n_log);
void batch_free(struct batch *batch);
void batch_random_inputs(struct batch *batch, struct splitmix *random);
void batch_fill(const struct batch *batch);
/* Copies the block of one instance of a packed vector, by the definition of the layout. */
void batch_block(const struct batch *batch, const uint64_t *packed, size_t instance,
                 uint64_t *block);

/* What generators are compiled to for registers of other widths; indexed by flock_circuit. */
extern const struct circuit_prover lanes4_circuit_provers[];
extern const struct circuit_prover lanes16_circuit_provers[];

/* SHA-256 of a stream, by OpenSSL. sha256_end() releases the context. */
EVP_MD_CTX *sha256_start(void);
void sha256_end(EVP_MD_CTX *context, uint8_t digest[32]);

/* What precedes the matrices in the circuit identifier (spec 09.3). */
enum { CIRCUIT_ID_HEADER_BYTES = 50 };
void circuit_id_header(const struct circuit *circuit, uint8_t header[CIRCUIT_ID_HEADER_BYTES]);

/* Streams M(A0), then M(B0) (spec 02, 2.6) of the true matrices. */
typedef void absorb_bytes(void *context, const void *bytes, size_t len);
void absorb_matrices(flock_circuit which, absorb_bytes *absorb, void *context);

/* A filled block satisfies the true matrices: A0 z = a, B0 z = b. */
void assert_rows_fit_witness(flock_circuit which);
/* The walk gives what scattering over the true rows gives, for random alpha and e. */
void assert_rows_fit_marginals(flock_circuit which);

#endif
