#include "pcs/params.h"

#include <stdbool.h>
#include <string.h>

enum { SMALLEST = 13, SMALLEST_REFERENCE = 22, LARGEST = MAX_LOG_BITS };

/* What varies; r = 0 ends a row. Lanes, lengths, query grinding and samples follow (spec 03, 3.9).
 */
struct row {
    uint8_t r;
    uint16_t Q;
    uint8_t h;
};

/* clang-format off */

/* m = 13..21: spec 03, 3.9.4. m = 22..35: the reference implementation's tables, spec 03, 3.9.1. */
static const struct row table[3][LARGEST + 1 - SMALLEST][MAX_LEVELS] = {
    [FLOCK_FAST] = {
        /* 13 */ {{4,53,1}},
        /* 14 */ {{4,53,2}},
        /* 15 */ {{4,53,3}},
        /* 16 */ {{4,53,4}, {5,43,2}},
        /* 17 */ {{4,53,5}, {5,43,3}},
        /* 18 */ {{4,53,6}, {5,43,4}},
        /* 19 */ {{4,53,7}, {5,43,5}, {6,36,3}},
        /* 20 */ {{4,53,8}, {5,43,6}, {6,36,4}},
        /* 21 */ {{4,53,9}, {5,43,7}, {6,36,5}},
        /* 22 */ {{1,218,9}, {2,106,4}, {4,53,1}},
        /* 23 */ {{1,218,10}, {2,106,5}, {3,71,2}},
        /* 24 */ {{1,218,11}, {2,106,6}, {3,71,3}},
        /* 25 */ {{1,218,12}, {2,106,7}, {3,71,4}, {4,53,1}},
        /* 26 */ {{1,218,13}, {2,106,8}, {3,71,5}, {4,53,2}},
        /* 27 */ {{1,218,14}, {2,106,9}, {3,71,6}, {4,53,3}},
        /* 28 */ {{1,218,15}, {2,106,10}, {3,71,7}, {4,53,4}, {5,43,2}},
        /* 29 */ {{1,218,16}, {2,106,11}, {3,71,8}, {4,53,5}, {5,43,3}},
        /* 30 */ {{1,218,17}, {2,106,12}, {3,71,9}, {4,53,6}, {5,43,4}},
        /* 31 */ {{1,218,18}, {2,106,13}, {3,71,10}, {4,53,7}, {5,43,5}, {6,36,3}},
        /* 32 */ {{1,218,19}, {2,106,14}, {3,71,11}, {4,53,8}, {5,43,6}, {6,36,4}},
        /* 33 */ {{1,218,20}, {2,106,15}, {3,71,12}, {4,53,9}, {5,43,7}, {6,36,5}},
        /* 34 */ {{1,218,21}, {2,106,16}, {3,71,13}, {4,53,10}, {5,43,8}, {6,36,6}, {7,32,3}},
        /* 35 */ {{1,218,22}, {2,106,17}, {3,71,14}, {4,53,11}, {5,43,9}, {6,36,7}, {7,32,4}},
    },
    [FLOCK_SLIM] = {
        /* 13 */ {{4,45,1}},
        /* 14 */ {{4,45,2}},
        /* 15 */ {{4,45,3}},
        /* 16 */ {{4,45,4}, {5,36,2}},
        /* 17 */ {{4,45,5}, {5,36,3}},
        /* 18 */ {{4,45,6}, {5,36,4}},
        /* 19 */ {{4,45,7}, {5,36,5}, {6,31,3}},
        /* 20 */ {{4,45,8}, {5,36,6}, {6,31,4}},
        /* 21 */ {{4,45,9}, {5,36,7}, {6,31,5}},
        /* 22 */ {{2,90,10}, {3,60,4}, {4,45,1}},
        /* 23 */ {{2,90,11}, {3,60,5}, {4,45,2}},
        /* 24 */ {{2,90,12}, {3,60,6}, {4,45,3}},
        /* 25 */ {{2,90,13}, {3,60,7}, {4,45,4}, {5,36,2}},
        /* 26 */ {{2,90,14}, {3,60,8}, {4,45,5}, {5,36,3}},
        /* 27 */ {{2,90,15}, {3,60,9}, {4,45,6}, {5,36,4}},
        /* 28 */ {{2,90,16}, {3,60,10}, {4,45,7}, {5,36,5}, {6,31,3}},
        /* 29 */ {{2,90,17}, {3,60,11}, {4,45,8}, {5,36,6}, {6,31,4}},
        /* 30 */ {{2,90,18}, {3,60,12}, {4,45,9}, {5,36,7}, {6,31,5}},
        /* 31 */ {{2,90,19}, {3,60,13}, {4,45,10}, {5,36,8}, {6,31,6}, {7,27,3}},
        /* 32 */ {{2,90,20}, {3,60,14}, {4,45,11}, {5,36,9}, {6,31,7}, {7,27,4}},
        /* 33 */ {{2,90,21}, {3,60,15}, {4,45,12}, {5,36,10}, {6,31,8}, {7,27,5}},
        /* 34 */ {{2,90,22}, {3,60,16}, {4,45,13}, {5,36,11}, {6,31,9}, {7,27,6}, {8,24,6}},
        /* 35 */ {{2,90,23}, {3,60,17}, {4,45,14}, {5,36,12}, {6,31,10}, {7,27,7}, {8,24,7}},
    },
    [FLOCK_SECURE] = {
        /* 13 */ {{5,131,1}},
        /* 14 */ {{4,137,1}},
        /* 15 */ {{3,151,1}},
        /* 16 */ {{3,148,2}, {5,131,1}},
        /* 17 */ {{3,147,3}, {4,137,1}},
        /* 18 */ {{3,146,4}, {4,134,2}},
        /* 19 */ {{3,145,5}, {4,133,3}, {5,131,1}},
        /* 20 */ {{3,145,6}, {4,133,4}, {5,128,2}},
        /* 21 */ {{3,145,7}, {4,132,5}, {5,127,3}},
        /* 22 */ {{1,298,0}, {2,187,0}, {5,131,0}},
        /* 23 */ {{1,294,1}, {2,182,0}, {4,137,0}},
        /* 24 */ {{1,292,2}, {2,180,1}, {3,151,0}},
        /* 25 */ {{1,291,3}, {2,179,2}, {3,148,0}, {5,131,0}},
        /* 26 */ {{1,290,4}, {2,178,3}, {3,147,1}, {4,137,0}},
        /* 27 */ {{1,290,5}, {2,178,4}, {3,146,2}, {4,134,0}},
        /* 28 */ {{1,290,6}, {2,178,5}, {3,145,3}, {4,133,1}, {5,131,0}},
        /* 29 */ {{1,290,7}, {2,178,6}, {3,145,4}, {4,133,2}, {5,128,0}},
        /* 30 */ {{1,290,8}, {2,178,7}, {3,145,5}, {4,132,3}, {5,127,1}},
        /* 31 */ {{1,290,9}, {2,177,8}, {3,145,6}, {4,132,4}, {5,127,2}, {6,125,0}},
        /* 32 */ {{1,290,10}, {2,177,9}, {3,145,7}, {4,132,5}, {5,126,3}, {6,124,1}},
        /* 33 */ {{1,290,11}, {2,177,10}, {3,145,8}, {4,132,6}, {5,126,4}, {6,124,2}},
        /* 34 */ {{1,290,12}, {2,177,11}, {3,145,9}, {4,132,7}, {5,126,5}, {6,124,3}, {7,123,1}},
        /* 35 */ {{1,290,13}, {2,177,12}, {3,145,10}, {4,132,8}, {5,126,6}, {6,123,4}, {7,122,2}},
    },
};

/* Fold grinding of the native secure profile, which counts the row union (spec 09.8). */
static const uint8_t native_secure_h[LARGEST + 1 - SMALLEST_REFERENCE][MAX_LEVELS] = {
    /* 22 */ {5, 1, 1},
    /* 23 */ {6, 2, 1},
    /* 24 */ {7, 3, 1},
    /* 25 */ {8, 4, 2, 1},
    /* 26 */ {9, 5, 3, 1},
    /* 27 */ {10, 6, 4, 2},
    /* 28 */ {11, 7, 5, 3, 1},
    /* 29 */ {12, 8, 6, 4, 2},
    /* 30 */ {13, 9, 7, 5, 3},
    /* 31 */ {14, 10, 8, 6, 4, 2},
    /* 32 */ {15, 11, 9, 7, 5, 3},
    /* 33 */ {16, 12, 10, 8, 6, 4},
    /* 34 */ {17, 13, 11, 9, 7, 5, 3},
    /* 35 */ {18, 14, 12, 10, 8, 6, 4},
};

/* clang-format on */

/*
 * Spec 09.8: in the native format, fast and slim grind one bit more at the level of rate 2^-7 where
 * the reduced rate of the proximity-gap theorem asks for it.
 */
static bool reduced_rate_bit(unsigned m, flock_profile profile, const struct level_params *level)
{
    return level->r == 7 && ((profile == FLOCK_FAST && (m == 34 || m == 35)) ||
                             (profile == FLOCK_SLIM && m >= 31 && m <= 33));
}

static uint8_t native_h(unsigned m, flock_profile profile, unsigned i,
                        const struct level_params *level)
{
    if (profile == FLOCK_SECURE) {
        return native_secure_h[m - SMALLEST_REFERENCE][i];
    }
    return (uint8_t)(level->h + (reduced_rate_bit(m, profile, level) ? 1 : 0));
}

flock_status params_get(struct pcs_params *params, flock_format format, unsigned m,
                        flock_profile profile)
{
    if ((format != FLOCK_NATIVE && format != FLOCK_REFERENCE) ||
        (profile != FLOCK_FAST && profile != FLOCK_SLIM && profile != FLOCK_SECURE)) {
        return FLOCK_ERR_ARGUMENT;
    }
    if (m > LARGEST) {
        return FLOCK_ERR_TOO_LARGE;
    }
    if (m < (format == FLOCK_REFERENCE ? SMALLEST_REFERENCE : SMALLEST)) {
        return FLOCK_ERR_ARGUMENT;
    }

    const struct row *rows = table[profile][m - SMALLEST];
    memset(params, 0, sizeof *params);
    params->log_n = m - 7;
    unsigned rest = params->log_n; /* variables of the level's polynomial */
    for (unsigned i = 0; i < MAX_LEVELS && rows[i].r != 0; i++) {
        struct level_params *level = &params->level[i];
        level->k = i == 0 && m >= SMALLEST_REFERENCE ? 6 : 3;
        rest -= level->k;
        level->c = (uint8_t)rest;
        level->r = rows[i].r;
        level->Q = rows[i].Q;
        level->g = profile == FLOCK_SLIM ? 16 : 0;
        level->s = i > 0 && profile != FLOCK_SECURE ? 1 : 0;
        level->h = rows[i].h;
        if (format == FLOCK_NATIVE && m >= SMALLEST_REFERENCE) {
            level->h = native_h(m, profile, i, level);
        }
        params->R = i;
    }
    params->y = rest;
    return FLOCK_OK;
}

unsigned params_n_messages(const struct pcs_params *params)
{
    return 1 + params->log_n - params->y + params_n_ood(params) + params->R;
}

unsigned params_n_ood(const struct pcs_params *params)
{
    unsigned n = 0;
    for (unsigned i = 0; i <= params->R; i++) {
        n += params->level[i].s;
    }
    return n;
}

unsigned params_n_fold_nonces(const struct pcs_params *params)
{
    unsigned n = 0;
    for (unsigned i = 0; i <= params->R; i++) {
        const struct level_params *level = &params->level[i];
        n += level->h < level->k ? level->h : level->k;
    }
    return n;
}
