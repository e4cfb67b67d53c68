/*
 * flock.h - what every user of the library needs: version, status codes, enumerations.
 *
 * Flock proves that one Boolean circuit (an R1CS over GF(2), for example one BLAKE3 compression)
 * was evaluated correctly many times, and that the evaluations are related (for example that they
 * form a hash chain). Include statement.h for what is proved, verify.h to check a proof, prove.h to
 * make one.
 *
 * Conventions of all headers:
 *  - functions return a flock_status; FLOCK_OK is 0; outputs are written only on FLOCK_OK unless
 *    stated otherwise; no function prints, exits or aborts on bad input;
 *  - the endpoints of a chain are in the "physical" order of the witness: 32-bit words or 64-bit
 *    lanes, each little-endian; digests, roots and leaves are in the usual byte order of SHA-256;
 *  - lengths named *_bytes or *_len count bytes.
 */
#ifndef FLOCK_FLOCK_H
#define FLOCK_FLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FLOCK_VERSION_MAJOR 0
#define FLOCK_VERSION_MINOR 1
#define FLOCK_VERSION_PATCH 0

#if defined(__GNUC__)
#define FLOCK_API __attribute__((visibility("default")))
#else
#define FLOCK_API
#endif

/* What a call ended with. The text of each is flock_status_text(). */
typedef enum flock_status {
    FLOCK_OK = 0,

    /* The call itself. */
    FLOCK_ERR_ARGUMENT,    /* a parameter is out of its documented range */
    FLOCK_ERR_MEMORY,      /* an allocation failed */
    FLOCK_ERR_TOO_LARGE,   /* the statement needs more than 2^35 witness bits */
    FLOCK_ERR_UNSUPPORTED, /* this combination, or a backend this machine cannot run */
    FLOCK_ERR_CANCELLED,   /* the progress callback asked to stop */
    FLOCK_ERR_INPUT,       /* the prover's inputs do not give what is to be proved */

    /* The bytes are not a proof file of the stated format. */
    FLOCK_ERR_MAGIC,     /* neither a native nor a reference proof file */
    FLOCK_ERR_VERSION,   /* a version or flavour this library does not know */
    FLOCK_ERR_TRUNCATED, /* the input ends too early */
    FLOCK_ERR_TRAILING,  /* bytes follow the proof */
    FLOCK_ERR_STATEMENT, /* the statement is not in canonical form or out of range */
    FLOCK_ERR_SHAPE,     /* a count or parameter in the proof differs from the statement's */

    /* A well-formed proof that does not prove its statement: the first check that failed. */
    FLOCK_REJECT_ZEROCHECK,   /* zerocheck equations (spec 05, 5.4) */
    FLOCK_REJECT_LINCHECK,    /* lincheck equation (spec 05, 5.5) */
    FLOCK_REJECT_GLUE,        /* relation between instances (spec 08, 09.4) */
    FLOCK_REJECT_RING_SWITCH, /* a ring-switched claim (spec 04, step 2c) */
    FLOCK_REJECT_NONCE,       /* a proof-of-work nonce */
    FLOCK_REJECT_MERKLE,      /* opened rows do not match a committed root */
    FLOCK_REJECT_OPENING,     /* the final equation of the polynomial opening (spec 03, 3.6) */
} flock_status;

/* Circuits, numbered as in the native statement (spec 09.2). */
typedef enum flock_circuit {
    FLOCK_BLAKE3 = 0,  /* one BLAKE3 compression an instance */
    FLOCK_SHA256 = 1,  /* one SHA-256 compression an instance */
    FLOCK_KECCAK = 2,  /* one Keccak-f[1600] an instance */
    FLOCK_KECCAK3 = 3, /* three Keccak-f[1600] an instance */
} flock_circuit;

/* What is proved about the instances together. */
typedef enum flock_relation {
    FLOCK_BATCH = 0,  /* nothing: independent instances without public values */
    FLOCK_CHAIN = 1,  /* the output of each is the input of the next; both ends are public */
    FLOCK_DIGEST = 2, /* the SHA-256 digest of a message of public length (native format) */
    FLOCK_MERKLE = 3, /* paths from public leaves to one public root (SHA-256) */
} flock_relation;

/* Order of the witness bits (spec 02, 2.4). It changes the bytes of a proof, not what it says. */
typedef enum flock_layout {
    FLOCK_ROW_MAJOR = 0,
    FLOCK_BATCH_MAJOR = 1,
} flock_layout;

/* Security profile: bits of security at every challenge, and which decoding regime they rest on. */
typedef enum flock_profile {
    FLOCK_FAST = 0,   /* 100 bits, rate 1/2, Johnson bound */
    FLOCK_SLIM = 1,   /* 100 bits, rate 1/4, Johnson bound, smaller proofs */
    FLOCK_SECURE = 2, /* 120 bits (native format), rate 1/2, unique decoding */
} flock_profile;

/* Proof formats. The reference format does not bind public values; see docs/security.md. */
typedef enum flock_format {
    FLOCK_NATIVE = 0,
    FLOCK_REFERENCE = 1,
} flock_format;

/* One line of English for a status, without a full stop. Never NULL. */
FLOCK_API const char *flock_status_text(flock_status status);

/* "0.1.0" */
FLOCK_API const char *flock_version(void);

/*
 * Choose the set of machine kernels: "auto" (the best this machine runs) or a name that
 * flock_backend_name() can return: "portable", "avx2", "vpclmul", "gfni", "avx512", "neon". All
 * give the same results.
 * Without a call, the environment variable FLOCK_BACKEND decides, then "auto".
 * Not to be called while another thread proves or verifies.
 * Returns FLOCK_ERR_UNSUPPORTED if this build or machine lacks it.
 */
FLOCK_API flock_status flock_backend_select(const char *name);

/* The name of the backend in use. */
FLOCK_API const char *flock_backend_name(void);

/* The backends that this build and machine can run, slowest first: index 0, 1, ... until NULL. */
FLOCK_API const char *flock_backend_available(size_t index);

#ifdef __cplusplus
}
#endif
#endif
