#include "pcs/params_derive.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Distance to the Johnson radius (spec 03, 3.9.1). */
static const double eta = 0.02;

enum { MAX_R = 20, MAX_OOD_SAMPLES = 8, STOP_LOG = 5, FOLD_LOG = 3 };

static bool unique_decoding(flock_profile profile)
{
    return profile == FLOCK_SECURE;
}

static double rate(const struct level_params *level)
{
    return ldexp(1.0, -(int)level->r);
}

static double block_length(const struct level_params *level)
{
    return ldexp(1.0, level->c + level->r);
}

/* The relative distance gamma up to which the proximity gap is used. */
static double radius(flock_profile profile, const struct level_params *level)
{
    if (unique_decoding(profile)) {
        double delta = 1 - rate(level);
        return delta / 2 - 3 / (delta * block_length(level));
    }
    return 1 - sqrt(rate(level)) - eta;
}

/* Number of exceptional points of the Johnson-regime theorem at rate rho. */
static double johnson_exceptions(double rho, double gamma, double n)
{
    double gap = 1 - sqrt(rho) - gamma;
    double mu = fmax(ceil(sqrt(rho) / (2 * gap)), 3) + 0.5;
    return (2 * pow(mu, 5) + 3 * mu * gamma * rho) / (3 * pow(rho, 1.5)) * n + mu / sqrt(rho);
}

double level_list_size(flock_profile profile, const struct level_params *level)
{
    return unique_decoding(profile) ? 1 : 1 / (2 * eta * sqrt(rate(level)));
}

double level_bits_per_query(flock_profile profile, const struct level_params *level)
{
    return -log2(1 - radius(profile, level));
}

double level_query_bits(flock_profile profile, const struct level_params *level)
{
    return level->Q * level_bits_per_query(profile, level) + level->g;
}

double level_proximity_bits(flock_profile profile, const struct level_params *level,
                            unsigned log_rows, bool reduced_rate)
{
    double n = block_length(level);
    double gamma = radius(profile, level);
    double a;
    if (unique_decoding(profile)) {
        a = gamma * n + 1;
    } else {
        double rho = reduced_rate ? (ldexp(1.0, level->c) - 1) / n : rate(level);
        a = johnson_exceptions(rho, gamma, n);
    }
    return 128 - log2(a) - log_rows;
}

double level_ood_bits(flock_profile profile, const struct level_params *level)
{
    double log_list = log2(level_list_size(profile, level));
    double log_degree = log2(level->c + level->k);
    if (level->s == 0) {
        return 128 - log_list - log_degree;
    }
    return level->s * (128 - log_degree) - (2 * log_list - 1);
}

struct derivation derivation_reference(flock_profile profile)
{
    return (struct derivation){
        .profile = profile,
        .target = profile == FLOCK_SECURE ? 120 : 100,
        .k_0 = 6,
        .r_0 = profile == FLOCK_SLIM ? 2 : 1,
        .min_R = 1,
    };
}

struct derivation derivation_extension(flock_profile profile)
{
    return (struct derivation){
        .profile = profile,
        .target = profile == FLOCK_SECURE ? 120 : 100,
        .k_0 = 3,
        .r_0 = profile == FLOCK_SECURE ? 3 : 4,
        .raise_r_0 = true,
        .row_union = true,
    };
}

struct derivation derivation_native(flock_profile profile, unsigned m)
{
    struct derivation rules =
        m < 22 ? derivation_extension(profile) : derivation_reference(profile);
    rules.row_union = true;
    rules.reduced_rate = true;
    return rules;
}

/* Does a code of this rate and length have room for the queries, with five bits to spare? */
static bool feasible(const struct derivation *rules, const struct level_params *level)
{
    double per_query = unique_decoding(rules->profile)
                           ? -log2(1 - (1 - rate(level)) / 2)
                           : level_bits_per_query(rules->profile, level);
    return block_length(level) >= ceil(fmax(rules->target + 5 - level->g, 1) / per_query);
}

static bool choose_rate(const struct derivation *rules, struct level_params *level, unsigned lowest,
                        unsigned highest)
{
    for (unsigned r = lowest; r <= highest; r++) {
        level->r = (uint8_t)r;
        if (feasible(rules, level)) {
            return true;
        }
    }
    return false;
}

static uint8_t choose_fold_grinding(const struct derivation *rules,
                                    const struct level_params *level)
{
    bool johnson = !unique_decoding(rules->profile);
    unsigned log_rows = (johnson || rules->row_union) && level->k > 0 ? level->k - 1u : 0;
    double bits = level_proximity_bits(rules->profile, level, log_rows, false);
    if (johnson && rules->reduced_rate) {
        bits = fmin(bits, level_proximity_bits(rules->profile, level, log_rows, true));
    }
    return (uint8_t)fmax(0, ceil(rules->target - bits));
}

/* Queries, fold grinding and samples of a level whose r, c, k are known. */
static bool complete_level(const struct derivation *rules, struct level_params *level, unsigned i)
{
    double per_query = level_bits_per_query(rules->profile, level);
    level->Q = (uint16_t)ceil(fmax(rules->target - level->g, 1) / per_query);
    level->h = choose_fold_grinding(rules, level);
    level->s = 0;
    if (i > 0 && !unique_decoding(rules->profile)) {
        do {
            level->s++;
        } while (level->s < MAX_OOD_SAMPLES &&
                 level_ood_bits(rules->profile, level) < rules->target);
    }
    return level->Q <= block_length(level);
}

flock_status params_derive(struct pcs_params *params, const struct derivation *rules, unsigned m)
{
    if (m < 7 + rules->k_0 + FOLD_LOG || m > MAX_LOG_BITS) {
        return FLOCK_ERR_ARGUMENT;
    }
    memset(params, 0, sizeof *params);
    params->log_n = m - 7;
    unsigned c = params->log_n;
    unsigned lowest_r = rules->r_0;
    unsigned highest_r = rules->raise_r_0 ? MAX_R : rules->r_0;
    for (unsigned i = 0; i == 0 || c > STOP_LOG; i++) {
        if (i == MAX_LEVELS) {
            return FLOCK_ERR_ARGUMENT;
        }
        struct level_params *level = &params->level[i];
        level->k = (uint8_t)(i == 0 ? rules->k_0 : FOLD_LOG);
        c -= level->k;
        level->c = (uint8_t)c;
        level->g = rules->profile == FLOCK_SLIM ? 16 : 0;
        if (!choose_rate(rules, level, lowest_r, highest_r) || !complete_level(rules, level, i)) {
            return FLOCK_ERR_ARGUMENT;
        }
        lowest_r = level->r + 1u;
        highest_r = MAX_R;
        params->R = i;
    }
    params->y = c;
    return params->R >= rules->min_R ? FLOCK_OK : FLOCK_ERR_ARGUMENT;
}
