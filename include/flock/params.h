/*
 * params.h - the parameters of the polynomial opening, and the security they give: for people who
 * want to see what a profile rests on. Nobody needs it to prove or verify.
 *
 * Everything here follows from (format, m, profile), where m = flock_statement_log_bits() is log2
 * of the number of committed witness bits.
 */
#ifndef FLOCK_PARAMS_H
#define FLOCK_PARAMS_H

#include <flock/flock.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FLOCK_MAX_LEVELS      8
#define FLOCK_MAX_ERROR_TERMS 96

/*
 * One level of the opening: a polynomial of 2^(log_message + log_lanes) elements, committed as
 * 2^log_lanes interleaved Reed-Solomon words of 2^(log_message + log_inv_rate) positions.
 */
typedef struct flock_level {
    unsigned log_inv_rate; /* log2 of 1 / rate */
    unsigned log_message;  /* log2 of the message length of a lane */
    unsigned log_lanes;    /* log2 of the lanes; also the number of folds of the level */
    unsigned queries;      /* distinct positions opened */
    unsigned query_pow;    /* bits of proof of work before the queries */
    unsigned fold_pow;     /* bits before fold 0; fold j has max(0, fold_pow - j) */
    unsigned ood_samples;  /* out-of-domain samples */
} flock_level;

typedef struct flock_parameters {
    unsigned log_elements; /* m - 7: log2 of the packed elements (128 bits each) */
    unsigned log_residual; /* log2 of the elements sent in the clear at the end */
    unsigned n_levels;     /* level 0 is the commitment to the witness */
    flock_level levels[FLOCK_MAX_LEVELS];
} flock_parameters;

/*
 * The parameters in use. Native: m = 13..35 (statements have m >= 17). Reference: m = 22..35.
 * Returns FLOCK_ERR_ARGUMENT or FLOCK_ERR_TOO_LARGE for any other m.
 */
FLOCK_API flock_status flock_parameters_get(flock_format format, unsigned m, flock_profile profile,
                                            flock_parameters *parameters);

/*
 * One challenge, or `count` challenges of equal error, that a prover could try to be lucky at: its
 * error is 2^-bits. `level` and `fold` are -1 where they do not apply.
 */
typedef struct flock_error_term {
    const char *name; /* for example "queries"; a literal */
    int level;
    int fold;
    unsigned count;
    double bits;
} flock_error_term;

typedef struct flock_security {
    double target_bits;  /* what the profile promises: 100, or 120 for secure */
    double minimum_bits; /* the weakest challenge: the security of the non-interactive proof */
    double union_bits;   /* -log2 of the sum of all errors (only the interactive protocol's) */
    double list_size;    /* codewords near the committed word, L_0 */
    unsigned n_terms;
    flock_error_term terms[FLOCK_MAX_ERROR_TERMS];
} flock_security;

/*
 * Every error term of a proof, from the closed formulas (spec 03, 3.9.2; 09.9). Terms that concern
 * the committed witness include the factor L_0. Where a term depends on circuit or relation, the
 * largest over all of them stands, and the terms of all relations are listed: union_bits is a lower
 * bound for each.
 *
 * The numbers are per challenge: an attacker who makes T hash evaluations has a false statement
 * accepted with probability about T * 2^-minimum_bits.
 *
 * Native: minimum_bits reaches 100 (fast, slim) and 120 (secure) for every m. Reference, secure:
 * minimum_bits is only 115.0, at a fold of level 0, because the reference implementation's fold
 * grinding does not pay for the union over rows (spec 03, 3.10 S1); all other terms reach 120.
 * Proximity-gap terms are those of the nominal rate 2^-log_inv_rate; the native parameters reach
 * their target also under the theorem's other reading, rate (2^log_message - 1) / positions.
 *
 * In the reference format a proof does not bind the public values of its statement, and no number
 * of bits applies to them (docs/security.md).
 */
FLOCK_API flock_status flock_security_estimate(flock_format format, unsigned m,
                                               flock_profile profile, flock_security *security);

#ifdef __cplusplus
}
#endif
#endif
