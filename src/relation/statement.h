/*
 * Statements: what both sides derive from one, its canonical encoding (spec 09, 9.2), and the start
 * of the transcript in both formats (spec 09, 9.1; 02, 2.6).
 */
#ifndef FLOCK_RELATION_STATEMENT_H
#define FLOCK_RELATION_STATEMENT_H

#include <flock/statement.h>

#include "circuit/circuit.h"
#include "pcs/params.h"
#include "transcript/transcript.h"

enum { MAX_N_LOG = 21 /* m <= 35, k_log >= 14 */ };

/* Everything derived from a statement. */
struct setup {
    const struct circuit *circuit;
    struct shape shape;
    unsigned m;
    struct pcs_params params;
};

/*
 * Check a statement's enumerators, count and size, and derive the setup. Of the public values only
 * those are looked at that sizes depend on.
 * Returns FLOCK_ERR_UNSUPPORTED (combination), FLOCK_ERR_ARGUMENT (enumerator, count) or
 * FLOCK_ERR_TOO_LARGE.
 */
flock_status statement_setup(const flock_statement *statement, struct setup *setup);

/* Takes the next bytes of a string that is made piece by piece. */
typedef void byte_sink(void *context, const void *bytes, size_t len);

/* The native encoding, in pieces: it may be long. */
void statement_encode(const flock_statement *statement, const struct setup *setup, byte_sink *sink,
                      void *sink_context);

/*
 * Decode a native statement of exactly `len` bytes and derive its setup; anything that
 * statement_encode() would not write is an error. The statement may point into `bytes`.
 */
flock_status statement_decode(const uint8_t *bytes, size_t len, flock_statement *statement,
                              struct setup *setup);

/* Default transcript domains of the reference format. */
#define REFERENCE_CHAIN_DOMAIN "flock_chain-cli"
#define REFERENCE_BATCH_DOMAIN "flock-r1cs-v0"

/*
 * Start a transcript and bind statement and commitment root. `domain` is used by the reference
 * format only.
 */
void statement_begin(struct transcript *t, const flock_statement *statement,
                     const struct setup *setup, const uint8_t root[32], const void *domain,
                     size_t domain_len);

#endif
