/*
 * prove.h - make proofs.
 *
 * The calling thread, and each of OpenMP's, needs 512 KiB of stack. Where threads get less by
 * default (musl: 128 KiB) the variable OMP_STACKSIZE gives OpenMP's more.
 */
#ifndef FLOCK_PROVE_H
#define FLOCK_PROVE_H

#include <flock/statement.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Phases of a proof in order, for progress and for the report. */
typedef enum flock_phase {
    FLOCK_PHASE_WITNESS = 0, /* run the computation, write z, a, b */
    FLOCK_PHASE_COMMIT,      /* encode and hash */
    FLOCK_PHASE_ZEROCHECK,
    FLOCK_PHASE_LINCHECK,
    FLOCK_PHASE_OPEN,  /* ring switching, Ligerito and writing the file, without grinding */
    FLOCK_PHASE_GRIND, /* within the opening, so it has no place in the order */
    FLOCK_N_PHASES
} flock_phase;

/* A word for a phase. Never NULL. */
FLOCK_API const char *flock_phase_name(flock_phase phase);

/* A part of a phase: "encode" and "tree" of the commitment, say. */
typedef struct flock_part {
    flock_phase phase;
    const char *name;
    double seconds, serial_seconds, busy_seconds; /* as below */
} flock_part;

enum { FLOCK_MAX_PARTS = 32 };

/*
 * Where time and memory went. Seconds are wall time. What of it no number of threads would shorten
 * is in serial_seconds (all of it if there is one thread); busy_seconds / (threads * seconds) is
 * the efficiency of the threads, from 0 to 1.
 */
typedef struct flock_report {
    double seconds[FLOCK_N_PHASES];
    double serial_seconds[FLOCK_N_PHASES]; /* outside loops on several threads */
    double busy_seconds[FLOCK_N_PHASES];   /* the same, and the time of each thread in such loops */
    double total_seconds;
    /* In the order of their beginnings; they add up to the phases. */
    flock_part parts[FLOCK_MAX_PARTS];
    unsigned n_parts;
    size_t peak_bytes;    /* most memory in use at a time */
    size_t witness_bytes; /* 2^m / 8 */
    unsigned threads;     /* threads used */
} flock_report;

/*
 * A prover that makes many proofs, one after the other, and keeps its large buffers from one to the
 * next: the system need not provide and clear their pages each time. It serves statements of all
 * sizes; what it keeps is at most an eighth, or 4 MiB, more than the largest of its proofs has
 * needed. Buffers hold inputs of the last proofs until the prover is destroyed.
 *
 * Any thread may use it, but one at a time: meanwhile other proofs with it, from other threads or
 * from within a progress callback, return FLOCK_ERR_ARGUMENT.
 */
typedef struct flock_prover flock_prover;

/* NULL if there is no memory. */
FLOCK_API flock_prover *flock_prover_create(void);

/* Releases everything. NULL is ignored. It must not be in use. */
FLOCK_API void flock_prover_destroy(flock_prover *prover);

/*
 * Options; zero-initialise for the defaults.
 * progress: called from the calling thread at the start of each phase and within long ones, with
 * the fraction of the phase done (0..1). A non-zero return cancels (FLOCK_ERR_CANCELLED).
 */
typedef struct flock_options {
    /* 0: all cores; more than 1024 count as 1024. The bytes of a proof never depend on it. */
    unsigned threads;
    int (*progress)(void *context, flock_phase phase, double fraction);
    void *progress_context;
    flock_report *report; /* NULL, or filled in on success */
    flock_prover *prover; /* NULL: all memory goes back to the system after the proof */
} flock_options;

/* A chain to prove. Zero-initialise, then set what differs from the default. */
typedef struct flock_chain {
    flock_format format;
    flock_circuit circuit;
    flock_layout layout;
    flock_profile profile;
    uint64_t steps; /* at least 1; reference format: a power of two with m >= 22 */
    /* First chaining value, flock_region_bytes() bytes in physical order; NULL: the hash's initial
     * value (BLAKE3 and SHA-256: their IV; Keccak: zero). */
    const uint8_t *start;
    /* 64 bytes a step, the message block of each in the hash's own byte order; NULL: derived from
     * `seed` by SplitMix64 (spec 08, 8.3). Keccak takes none. */
    const uint8_t *messages;
    uint64_t seed;
    /* Reference format: the transcript domain (domain_len bytes); NULL: that of the reference's
     * program, "flock_chain-cli". The native format fixes its own. */
    const char *domain;
    size_t domain_len;
} flock_chain;

/*
 * Compute a chain and prove it.
 *
 * In:  chain; options (NULL: defaults).
 * Out: *proof, *proof_len - the proof file, to be released with flock_free().
 *      statement - NULL, or what was proved (steps, both endpoints).
 * Deterministic: the same chain gives the same bytes on every machine.
 */
FLOCK_API flock_status flock_prove_chain(const flock_chain *chain, const flock_options *options,
                                         uint8_t **proof, size_t *proof_len,
                                         flock_statement *statement);

/* An upper estimate of the memory that flock_prove_chain() will need, in bytes; 0 if not valid. */
FLOCK_API uint64_t flock_chain_memory(const flock_chain *chain);

/*
 * A message whose SHA-256 digest is to be proved. Zero-initialise, then set what differs. Native
 * format only; at most 2^26 - 9 bytes (2^35 witness bits).
 */
typedef struct flock_digest {
    flock_layout layout;
    flock_profile profile;
    uint64_t message_bytes;
    /* The message, or NULL: it is read from a callback, once, from beginning to end. */
    const uint8_t *message;
    /* Writes up to n of the next bytes to buffer and returns how many; 0 at the end or on error. No
     * more than message_bytes are asked for. Called from the calling thread. */
    size_t (*read)(void *context, uint8_t *buffer, size_t n);
    void *read_context;
} flock_digest;

/*
 * Hash a message and prove its digest: the prover knows a message of this length, ending in the
 * statement's tail, with this digest. Proofs are not zero-knowledge: none is meant to hide the
 * message.
 * Parameters as flock_prove_chain(). Returns FLOCK_ERR_INPUT if the message ends too early.
 */
FLOCK_API flock_status flock_prove_digest(const flock_digest *digest, const flock_options *options,
                                          uint8_t **proof, size_t *proof_len,
                                          flock_statement *statement);

/* An upper estimate of the memory that flock_prove_digest() will need, in bytes; 0 if not valid. */
FLOCK_API uint64_t flock_digest_memory(const flock_digest *digest);

/* A path from a leaf to the root of a tree as in merkle.h. */
typedef struct flock_merkle_path {
    uint64_t index; /* of the leaf, below 2^depth */
    uint8_t leaf[32];
    const uint8_t *siblings; /* depth * 32 bytes, the leaf's sibling first */
} flock_merkle_path;

/*
 * Paths to prove. Zero-initialise, then set what differs. Native format only. With depth and
 * n_paths each rounded up to a power of two, their product is at most 2^20 (2^35 witness bits).
 * Leaves may repeat.
 */
typedef struct flock_merkle {
    flock_layout layout;
    flock_profile profile;
    unsigned depth; /* 1 to 32 */
    const uint8_t *root;
    uint64_t n_paths;
    const flock_merkle_path *paths;
} flock_merkle;

/*
 * Prove that leaves stand under a root: the prover knows siblings that lead from every listed leaf,
 * along its index, in exactly `depth` levels to the root. Indices, leaves and root are public.
 * Parameters as flock_prove_chain(). Returns FLOCK_ERR_INPUT if a path does not lead to the root.
 * statement->paths points into *proof.
 */
FLOCK_API flock_status flock_prove_merkle(const flock_merkle *merkle, const flock_options *options,
                                          uint8_t **proof, size_t *proof_len,
                                          flock_statement *statement);

/* An upper estimate of the memory that flock_prove_merkle() will need, in bytes; 0 if not valid. */
FLOCK_API uint64_t flock_merkle_memory(const flock_merkle *merkle);

/* One BLAKE3 compression to prove in a batch (spec 06, 4.1). */
typedef struct flock_blake3_input {
    uint32_t cv[8];
    uint32_t message[16];
    uint64_t counter;
    uint32_t block_len;
    uint32_t flags;
} flock_blake3_input;

/* One SHA-256 compression (spec 06, 3.1): message words are the big-endian reading of the block. */
typedef struct flock_sha256_input {
    uint32_t state[8];
    uint32_t message[16];
} flock_sha256_input;

/* One Keccak-f[1600] (spec 07, 1): lane (x, y) is number x + 5y. */
typedef struct flock_keccak_input {
    uint64_t lanes[25];
} flock_keccak_input;

/* Independent evaluations to prove. Zero-initialise, then set what differs from the default. */
typedef struct flock_batch {
    flock_format format;
    flock_circuit circuit;
    flock_layout layout;
    flock_profile profile;
    uint64_t count; /* evaluations, at least 1 */
    /* An array of `count` flock_blake3_input, flock_sha256_input, ... as the circuit wants. */
    const void *inputs;
    /* Reference format: the transcript domain (domain_len bytes); NULL: "flock-r1cs-v0". */
    const char *domain;
    size_t domain_len;
} flock_batch;

/*
 * Prove that independent evaluations were computed correctly. A batch has no public values: the
 * proof says only that the prover knows that many valid evaluations (spec 09.2).
 * Parameters as flock_prove_chain().
 */
FLOCK_API flock_status flock_prove_batch(const flock_batch *batch, const flock_options *options,
                                         uint8_t **proof, size_t *proof_len,
                                         flock_statement *statement);

/* As flock_chain_memory(), for a batch; the inputs that the caller holds are not counted. */
FLOCK_API uint64_t flock_batch_memory(const flock_batch *batch);

/* Release what flock_prove_...() returned; NULL is allowed. */
FLOCK_API void flock_free(void *pointer);

#ifdef __cplusplus
}
#endif
#endif
