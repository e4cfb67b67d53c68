/*
 * verify.h - check a proof. This header and libflock-verify are all a verifier needs; the library
 * depends on the C library alone, allocates no more than a few MiB (bounded by the statement), and
 * never aborts on hostile input.
 */
#ifndef FLOCK_VERIFY_H
#define FLOCK_VERIFY_H

#include <flock/statement.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Verify a proof file held in memory, in either format (told apart by its first bytes).
 *
 * In:  proof, proof_len - the whole file; nothing may follow the proof.
 * Out: statement - what the proof is about. Written when the file's statement could be read, that
 *      is, also when the proof is then rejected (then it is only a claim); otherwise zeroed. Its
 *      `paths` point into `proof`.
 * Returns FLOCK_OK if the proof proves *statement.
 *
 * The prover chose the statement. The caller MUST compare every field that matters with what it
 * wanted: circuit, relation, count, all public values, profile. flock_verify_expect() does it.
 *
 * Reference-format files (statement->format == FLOCK_REFERENCE): FLOCK_OK means only that the
 * proof is one the reference implementation's verifier accepts. It does NOT bind start and end:
 * from one proof anybody can make others with different endpoints (docs/security.md).
 */
FLOCK_API flock_status flock_verify(const uint8_t *proof, size_t proof_len,
                                    flock_statement *statement);

/*
 * Verify and require that the statement equals `expected` in all fields.
 * Returns FLOCK_ERR_STATEMENT if the proof is about something else.
 */
FLOCK_API flock_status flock_verify_expect(const uint8_t *proof, size_t proof_len,
                                           const flock_statement *expected);

/* Read the statement of a proof file without verifying the proof: it is only a claim. */
FLOCK_API flock_status flock_read_statement(const uint8_t *proof, size_t proof_len,
                                            flock_statement *statement);

/*
 * Verify a reference-format file with everything that the file does not say taken from the caller:
 * the circuit, layout, profile, count (a power of two), for a chain the endpoints, and the
 * transcript domain string that prover and verifier agreed on. The `format` of expected is ignored.
 * Also for proofs about Merkle paths, which in that format have no file: commitment and proof,
 * with all public values in `expected`; depth and n_paths are powers of two. They bind nothing of
 * it either.
 * Returns FLOCK_ERR_SHAPE or FLOCK_ERR_STATEMENT if the file is about something else.
 */
FLOCK_API flock_status flock_verify_reference(const uint8_t *proof, size_t proof_len,
                                              const flock_statement *expected, const void *domain,
                                              size_t domain_len);

/* One part of a proof file, for display. */
typedef struct flock_section {
    const char *name;
    size_t offset;
    size_t bytes;
} flock_section;

/*
 * The parts of a proof file in file order (checks the structure, not the proof).
 * In:  sections - room for *n_sections entries.
 * Out: *n_sections - how many were written (at most 16).
 */
FLOCK_API flock_status flock_proof_sections(const uint8_t *proof, size_t proof_len,
                                            flock_section *sections, size_t *n_sections);

#ifdef __cplusplus
}
#endif
#endif
