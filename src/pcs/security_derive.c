#include <flock/params.h>

#include <math.h>
#include <string.h>

#include "pcs/params_derive.h"

_Static_assert((int)FLOCK_MAX_LEVELS == (int)MAX_LEVELS, "room for every level");

enum { NOWHERE = -1 };

flock_status flock_parameters_get(flock_format format, unsigned m, flock_profile profile,
                                  flock_parameters *parameters)
{
    struct pcs_params params;
    flock_status status = params_get(&params, format, m, profile);
    if (status != FLOCK_OK) {
        return status;
    }
    memset(parameters, 0, sizeof *parameters);
    parameters->log_elements = params.log_n;
    parameters->log_residual = params.y;
    parameters->n_levels = params.R + 1;
    for (unsigned i = 0; i <= params.R; i++) {
        const struct level_params *level = &params.level[i];
        parameters->levels[i] = (flock_level){
            .log_inv_rate = level->r,
            .log_message = level->c,
            .log_lanes = level->k,
            .queries = level->Q,
            .query_pow = level->g,
            .fold_pow = level->h,
            .ood_samples = level->s,
        };
    }
    return FLOCK_OK;
}

/* error: in units of 2^-128 */
static void add_level_term(flock_security *security, const char *name, unsigned level, int fold,
                           double error)
{
    security->terms[security->n_terms++] = (flock_error_term){
        .name = name,
        .level = (int)level,
        .fold = fold,
        .count = 1,
        .bits = 128 - log2(error),
    };
}

static void add_term(flock_security *security, const char *name, unsigned count, double error)
{
    security->terms[security->n_terms++] = (flock_error_term){
        .name = name,
        .level = NOWHERE,
        .fold = NOWHERE,
        .count = count,
        .bits = 128 - log2(error),
    };
}

/* Everything before Ligerito: the table of spec 09.9, in its order. */
static void add_witness_terms(flock_security *security, unsigned m)
{
    const unsigned min_k_log = 14, max_k_log = 17, max_tau_pos = 4;
    double L_0 = security->list_size;
    unsigned n = m > min_k_log + 3 ? m - min_k_log : 3;

    add_term(security, "zerocheck r", 1, (L_0 + 1) * (m > 13 ? m - 13 : 1));
    add_term(security, "zerocheck z", 1, 126 * L_0);
    add_term(security, "zerocheck rho", m - 6, 2 * L_0);
    add_term(security, "pin", 1, n * L_0);
    add_term(security, "lincheck alpha, beta", 2, L_0);
    add_term(security, "lincheck tau", max_k_log - 6, 2 * L_0);
    add_term(security, "lincheck s", 1, 63 * L_0);
    add_term(security, "glue tau_pos", 1, max_tau_pos * L_0);
    add_term(security, "glue tau", 1, n * L_0);
    add_term(security, "glue alpha", 1, L_0);
    add_term(security, "glue round", n + 2, 3 * L_0);
    add_term(security, "tail tau_msg", 1, 2 * L_0);
    add_term(security, "initial value r_iv", 1, n * L_0);
    add_term(security, "ring switching r''", 2, 7 * L_0);
    add_term(security, "claim batching gamma", 2 + MAX_DIRECT_CLAIMS, L_0);
}

static void add_fold_terms(flock_security *security, flock_profile profile,
                           const struct level_params *level, unsigned i)
{
    double list_size = level_list_size(profile, level);
    for (unsigned j = 0; j < level->k; j++) {
        unsigned log_rows = level->k - 1u - j;
        double gap = exp2(128 - level_proximity_bits(profile, level, log_rows, false));
        double grinding = ldexp(1.0, (int)fold_grinding_bits(level, j));
        add_level_term(security, "proximity gap", i, (int)j, (2 * list_size + gap) / grinding);
    }
}

/* Level i of Ligerito; next_list: list size of the next level, 1 after the last. */
static void add_level_terms(flock_security *security, flock_profile profile,
                            const struct level_params *level, unsigned i, double next_list)
{
    add_fold_terms(security, profile, level, i);
    if (level->s > 0) {
        double error = exp2(128 - level_ood_bits(profile, level));
        add_level_term(security, "out-of-domain sample", i, NOWHERE, error);
    }
    double far = exp2(128 - level_query_bits(profile, level));
    add_level_term(security, "queries", i, NOWHERE, far);
    double batching = ceil(log2(level->Q)) * next_list;
    add_level_term(security, "query batching alpha", i, NOWHERE, batching);
    add_level_term(security, "query batching beta", i, NOWHERE, next_list);
}

flock_status flock_security_estimate(flock_format format, unsigned m, flock_profile profile,
                                     flock_security *security)
{
    struct pcs_params params;
    flock_status status = params_get(&params, format, m, profile);
    if (status != FLOCK_OK) {
        return status;
    }
    memset(security, 0, sizeof *security);
    security->target_bits = derivation_native(profile, m).target;
    security->list_size = level_list_size(profile, &params.level[0]);
    add_witness_terms(security, m);
    for (unsigned i = 0; i <= params.R; i++) {
        double next = i < params.R ? level_list_size(profile, &params.level[i + 1]) : 1;
        add_level_terms(security, profile, &params.level[i], i, next);
    }

    double sum = 0;
    security->minimum_bits = HUGE_VAL;
    for (unsigned i = 0; i < security->n_terms; i++) {
        const flock_error_term *term = &security->terms[i];
        security->minimum_bits = fmin(security->minimum_bits, term->bits);
        sum += term->count * exp2(-term->bits);
    }
    security->union_bits = -log2(sum);
    return FLOCK_OK;
}
