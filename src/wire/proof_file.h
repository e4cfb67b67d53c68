/*
 * Proof files of both formats (spec 02, 2.7; 09, 9.7), read in place and written.
 *
 *   native     "FLOCKC" 1 | u32 len | statement | root | body
 *   reference  "FLOCK" 4 flavour | (chain: u32 hash) | root, m, rate, lanes, profile | body
 *              | (chain: both endpoints as booleans);  Merkle paths: root, ... | body, no header
 *   body       zerocheck | lincheck | (glue) | ring switches | Ligerito
 *
 * The reader derives every count from the statement and compares it with the file's before use; it
 * allocates nothing.
 */
#ifndef FLOCK_WIRE_PROOF_FILE_H
#define FLOCK_WIRE_PROOF_FILE_H

#include <flock/verify.h>

#include "pcs/opening.h"
#include "piop/lincheck.h"
#include "relation/relation.h"

/* Everything the prover sends. opening.ligerito.roots[0] is the commitment. */
struct proof {
    struct zerocheck_proof zerocheck;
    struct lincheck_proof lincheck;
    struct glue_proof glue; /* if the relation has one */
    struct opening_proof opening;
};

/* A file that was read: rows and hashes of the proof point into its bytes. */
struct proof_file {
    flock_statement statement;
    struct setup setup;
    uint8_t root[32]; /* the commitment that is bound to the statement */
    struct proof proof;
};

enum { MAX_SECTIONS = 16 };

/* Where the parts of a file are; filled in by the readers if not NULL. */
struct section_list {
    flock_section item[MAX_SECTIONS];
    size_t n;
};

/*
 * Read a native file or a reference chain file, told apart by the first bytes. On failure
 * file->statement is what could be read of it, or zero.
 */
flock_status proof_file_read(const uint8_t *bytes, size_t len, struct proof_file *file,
                             struct section_list *sections);

/* Only the statement (native: canonical and complete; reference: also checks what follows it). */
flock_status proof_file_read_statement(const uint8_t *bytes, size_t len,
                                       flock_statement *statement);

/*
 * Read a reference file about a known statement (circuit, relation, layout, profile, count). For a
 * chain, the file's endpoints are stored in file->statement.
 */
flock_status proof_file_read_reference(const uint8_t *bytes, size_t len,
                                       const flock_statement *expected, struct proof_file *file,
                                       struct section_list *sections);

/* ---- prover ---- */

struct prover_context;

/* The bytes of a file, allocated with malloc(), and their number; NULL if there is no memory. */
uint8_t *proof_file_write(const struct proof_file *file, size_t *len);

#endif
