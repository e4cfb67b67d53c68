/*
 * The formulas behind the parameters (spec 03, 3.9.2 and 3.9.4; 09.8), in double precision: they
 * check the constants of params.c and give every error term in bits. Prover's library only.
 */
#ifndef FLOCK_PCS_PARAMS_DERIVE_H
#define FLOCK_PCS_PARAMS_DERIVE_H

#include "pcs/params.h"

/* What the choice of parameters rests on. */
struct derivation {
    flock_profile profile;
    double target;     /* bits that every term has to reach */
    unsigned k_0;      /* log2 of the lanes of level 0 */
    unsigned r_0;      /* rate of level 0 to start from */
    bool raise_r_0;    /* r_0 may be raised until the queries fit (extension) */
    bool row_union;    /* unique decoding: h counts the row union too */
    bool reduced_rate; /* Johnson: h is the larger of the two readings of the rate (09.8) */
    unsigned min_R;    /* recursive levels required */
};

/* The reference's rules for any m (3.9.2). */
struct derivation derivation_reference(flock_profile profile);
/* The extension's rules (3.9.4). */
struct derivation derivation_extension(flock_profile profile);
/* The native format: the extension up to m = 21, from m = 22 on the reference's with 09.8. */
struct derivation derivation_native(flock_profile profile, unsigned m);

/* Returns FLOCK_ERR_ARGUMENT if the rules give no parameters for this m. */
flock_status params_derive(struct pcs_params *params, const struct derivation *rules, unsigned m);

/* Error terms of one level, in bits. The regime follows from the profile. */
double level_list_size(flock_profile profile, const struct level_params *level);
/* Bits that one query gives; all queries and grinding. */
double level_bits_per_query(flock_profile profile, const struct level_params *level);
double level_query_bits(flock_profile profile, const struct level_params *level);
/*
 * Proximity gap of one fold without grinding: 128 - log2(a) - log_rows, where 2^log_rows rows are
 * united. reduced_rate: `a` at the rate (2^c - 1) / 2^(c+r) (Johnson only).
 */
double level_proximity_bits(flock_profile profile, const struct level_params *level,
                            unsigned log_rows, bool reduced_rate);
/* Out-of-domain samples (Johnson); for s = 0 the implicit sample of spec 03, 3.9.2. */
double level_ood_bits(flock_profile profile, const struct level_params *level);

#endif
