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
#define FLOCK_PATH_BYTES       40

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
 *   FLOCK_MERKLE  root - of a tree of `depth` levels (1 to 32) below it; paths - leaf index and
 *                 leaf of n_paths paths (1 to 2^20), FLOCK_PATH_BYTES each: see
 *                 flock_statement_path() and flock_path_encode(). A node is the SHA-256
 *                 compression of left || right from the initial value, without padding: see
 *                 merkle.h. circuit is FLOCK_SHA256, count is depth * n_paths
 *
 * Memory: a statement owns nothing. `paths` of a statement that the library has read or made points
 * into the bytes of the proof, and is valid as long as they are; `paths` of a statement that the
 * caller makes points wherever the caller keeps them.
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
    unsigned depth;
    uint64_t n_paths;
    uint8_t root[32];
    const uint8_t *paths;
} flock_statement;

/* Path i < statement->n_paths of a FLOCK_MERKLE statement: index and leaf. */
FLOCK_API void flock_statement_path(const flock_statement *statement, uint64_t i, uint64_t *index,
                                    uint8_t leaf[32]);

/* Writes one entry of flock_statement.paths. */
FLOCK_API void flock_path_encode(uint8_t entry[FLOCK_PATH_BYTES], uint64_t index,
                                 const uint8_t leaf[32]);

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
 * "batch", "chain", "sha256-file", "merkle"; "blake3", "sha256", "keccak", "keccak3"; "fast",
 * "slim", "secure"; "row-major", "batch-major"; "unknown" for anything else.
 */
FLOCK_API const char *flock_relation_name(flock_relation relation);
FLOCK_API const char *flock_circuit_name(flock_circuit circuit);
FLOCK_API const char *flock_profile_name(flock_profile profile);
FLOCK_API const char *flock_layout_name(flock_layout layout);

#ifdef __cplusplus
}
#endif
#endif
