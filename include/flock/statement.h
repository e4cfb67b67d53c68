/*
 * statement.h - what a proof proves.
 *
 * A statement is everything public: which circuit, how many instances, how they are related, the
 * public values, and the security profile. Prover and verifier derive all sizes and parameters from
 * it (spec 09.2).
 */
#ifndef FLOCK_STATEMENT_H
#define FLOCK_STATEMENT_H

#include <flock/flock.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FLOCK_MAX_REGION_BYTES 200

/*
 * A statement. `count` is the number of real instances (chain: steps). The reference format has no
 * count of its own: there it is the number of instance slots, a power of two.
 *
 * The public values are those of the relation; the fields of the others are ignored.
 *   FLOCK_BATCH   none
 *   FLOCK_CHAIN   start, end - the first input and the last output of the chain:
 *                 flock_region_bytes(circuit) bytes each (32 or 200), physical order
 *   FLOCK_DIGEST  digest - the SHA-256 digest of a message of message_bytes bytes; tail - the last
 *                 message_bytes % 64 bytes of it, which share a block with the padding.
 *                 circuit is FLOCK_SHA256, count is (message_bytes + 9) / 64 rounded up
 */
typedef struct flock_statement {
    flock_format format;
    flock_relation relation;
    flock_circuit circuit;
    flock_layout layout;
    flock_profile profile;
    uint64_t count;
    uint8_t start[FLOCK_MAX_REGION_BYTES];
    uint8_t end[FLOCK_MAX_REGION_BYTES];
    uint64_t message_bytes;
    uint8_t digest[32];
    uint8_t tail[63];
} flock_statement;

/* Bytes of one public chain value: 32 (BLAKE3, SHA-256), 200 (Keccak), 0 (no chains). */
FLOCK_API size_t flock_region_bytes(flock_circuit circuit);

/*
 * log2 of the number of committed witness bits ("m") of a statement, or 0 if the statement is not
 * valid (unknown enumerator, count 0, more than 2^35 bits, or a size the reference format lacks).
 */
FLOCK_API unsigned flock_statement_log_bits(const flock_statement *statement);

/* Designed security in bits of the weakest challenge: see docs/security.md. 0 if not valid. */
FLOCK_API unsigned flock_statement_security_bits(const flock_statement *statement);

/*
 * "batch", "chain", "sha256-file"; "blake3", "sha256", "keccak", "keccak3"; "fast", "slim",
 * "secure"; "row-major", "batch-major"; "unknown" for anything else.
 */
FLOCK_API const char *flock_relation_name(flock_relation relation);
FLOCK_API const char *flock_circuit_name(flock_circuit circuit);
FLOCK_API const char *flock_profile_name(flock_profile profile);
FLOCK_API const char *flock_layout_name(flock_layout layout);

#ifdef __cplusplus
}
#endif
#endif
