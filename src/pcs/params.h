/*
 * Parameters of the polynomial opening (spec 03, 3.2, 3.9 and 09.8): constants, looked up by m and
 * profile. params_derive() (libflock only) computes them from the formulas.
 */
#ifndef FLOCK_PCS_PARAMS_H
#define FLOCK_PCS_PARAMS_H

#include <flock/flock.h>

#include "piop/claims.h"

enum {
    MAX_LEVELS = 8 /* R + 1 */
};

struct level_params {
    uint8_t r;  /* log2 of the inverse rate */
    uint8_t c;  /* log2 of the message length of a lane */
    uint8_t k;  /* log2 of the number of lanes = folds with this level's oracle */
    uint8_t g;  /* query grinding bits */
    uint8_t h;  /* fold grinding bits of the first fold */
    uint8_t s;  /* out-of-domain samples */
    uint16_t Q; /* queries */
};

struct pcs_params {
    unsigned log_n; /* m - 7 */
    unsigned R;     /* recursive levels */
    unsigned y;     /* log2 of the residual size */
    struct level_params level[MAX_LEVELS];
};

/*
 * Reference: m = 22..35, the reference implementation's tables. Native: m = 17..35 (and the
 * opening's test sizes 13..16). Returns FLOCK_ERR_TOO_LARGE / FLOCK_ERR_ARGUMENT if there is none.
 */
flock_status params_get(struct pcs_params *params, flock_format format, unsigned m,
                        flock_profile profile);

/* Bits of fold grinding before fold j of a level. */
static inline unsigned fold_grinding_bits(const struct level_params *level, unsigned j)
{
    return level->h > j ? level->h - j : 0u;
}

/* Counts that follow from the parameters (spec 03, 3.5). */
unsigned params_n_messages(const struct pcs_params *params);
unsigned params_n_ood(const struct pcs_params *params);
unsigned params_n_fold_nonces(const struct pcs_params *params);

#endif
