/* Parameters of the opening: constants against vectors and formulas, and the security table. */
#include "support/support.h"

#include <math.h>

#include <flock/params.h>

#include "pcs/params_derive.h"

static flock_profile profile_of(const char *name)
{
    static const char *const names[3] = {"fast", "slim", "secure"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (flock_profile)i;
        }
    }
    fail_msg("unknown profile %s", name);
    return FLOCK_FAST;
}

static void assert_params_equal(const struct pcs_params *a, const struct pcs_params *b)
{
    assert_int_equal(a->log_n, b->log_n);
    assert_int_equal(a->R, b->R);
    assert_int_equal(a->y, b->y);
    for (unsigned i = 0; i <= a->R; i++) {
        const struct level_params *x = &a->level[i], *z = &b->level[i];
        assert_int_equal(x->r, z->r);
        assert_int_equal(x->c, z->c);
        assert_int_equal(x->k, z->k);
        assert_int_equal(x->g, z->g);
        assert_int_equal(x->h, z->h);
        assert_int_equal(x->s, z->s);
        assert_int_equal(x->Q, z->Q);
    }
}

static struct pcs_params params_of_json(const json_t *set)
{
    struct pcs_params params = {.log_n = (unsigned)get_size(set, "log_n"),
                                .y = (unsigned)get_size(set, "yr_log_n")};
    const json_t *levels = get(set, "levels");
    params.R = (unsigned)json_array_size(levels) - 1;
    for (unsigned i = 0; i <= params.R; i++) {
        const json_t *level = at(levels, i);
        params.level[i] = (struct level_params){
            .r = (uint8_t)get_size(level, "log_inv_rate"),
            .c = (uint8_t)get_size(level, "log_msg_cols"),
            .k = (uint8_t)get_size(level, "log_num_interleaved"),
            .g = (uint8_t)get_size(level, "grinding_bits"),
            .h = (uint8_t)get_size(level, "fold_grinding_bits"),
            .s = (uint8_t)get_size(level, "ood_samples"),
            .Q = (uint16_t)get_size(level, "queries"),
        };
    }
    return params;
}

static void assert_three_decimals(double value, const json_t *expected)
{
    assert_true(json_is_number(expected));
    if (fabs(value - json_number_value(expected)) > 0.00051) {
        fail_msg("%.6f is not %.3f", value, json_number_value(expected));
    }
}

/* The error terms that the vectors give for each level. */
static void check_bits(const json_t *set, flock_profile profile, const struct pcs_params *params,
                       bool row_union)
{
    for (unsigned i = 0; i <= params->R; i++) {
        const struct level_params *level = &params->level[i];
        const json_t *expected = at(get(set, "levels"), i);
        bool johnson = profile != FLOCK_SECURE;
        unsigned log_rows = johnson || row_union ? level->k - 1u : 0;
        assert_three_decimals(level_proximity_bits(profile, level, log_rows, false),
                              get(expected, "eps_pg"));
        assert_three_decimals(level_query_bits(profile, level) - level->g,
                              get(expected, "eps_query"));
        if (johnson) {
            assert_three_decimals(level_ood_bits(profile, level), get(expected, "eps_ood"));
        } else {
            assert_true(json_is_null(get(expected, "eps_ood")));
        }
    }
}

/* Every set of a vector file: the formulas give it, and so does the table of `format` if any. */
static void check_file(const char *path, struct derivation (*rules_of)(flock_profile),
                       const flock_format *format, size_t count)
{
    json_t *sets = vector_json(path);
    assert_int_equal(json_array_size(sets), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *set = at(sets, i);
        unsigned m = (unsigned)get_size(set, "m");
        flock_profile profile = profile_of(get_string(set, "profile"));
        struct pcs_params expected = params_of_json(set), params;
        struct derivation rules = rules_of(profile);
        assert_int_equal(params_derive(&params, &rules, m), FLOCK_OK);
        assert_params_equal(&params, &expected);
        check_bits(set, profile, &params, rules.row_union);
        if (format != NULL) {
            assert_int_equal(params_get(&params, *format, m, profile), FLOCK_OK);
            assert_params_equal(&params, &expected);
        }
    }
    json_decref(sets);
}

static void test_reference_tables(void **state)
{
    (void)state;
    flock_format format = FLOCK_REFERENCE;
    check_file("ligerito/params_m22_m35.json", derivation_reference, &format, 42);
}

static void test_extension_tables(void **state)
{
    (void)state;
    flock_format format = FLOCK_NATIVE;
    check_file("ligerito/params_extension_m13_m21.json", derivation_extension, &format, 27);
}

static void test_formula_only(void **state)
{
    (void)state;
    check_file("ligerito/params_formula_only_m19_m21.json", derivation_reference, NULL, 6);
    /* Below m = 22 the rules give nothing but these six (spec 03, 3.9.3). */
    unsigned found = 0;
    for (unsigned m = 10; m < 22; m++) {
        for (int profile = 0; profile < 3; profile++) {
            struct derivation rules = derivation_reference((flock_profile)profile);
            struct pcs_params params;
            found += params_derive(&params, &rules, m) == FLOCK_OK;
        }
    }
    assert_int_equal(found, 6);
}

static void test_constants_are_the_formulas(void **state)
{
    (void)state;
    struct pcs_params constant, derived;
    for (int p = 0; p < 3; p++) {
        flock_profile profile = (flock_profile)p;
        for (unsigned m = 13; m <= 35; m++) {
            struct derivation rules = derivation_native(profile, m);
            assert_int_equal(params_derive(&derived, &rules, m), FLOCK_OK);
            assert_int_equal(params_get(&constant, FLOCK_NATIVE, m, profile), FLOCK_OK);
            assert_params_equal(&constant, &derived);
        }
        for (unsigned m = 22; m <= 35; m++) {
            struct derivation rules = derivation_reference(profile);
            assert_int_equal(params_derive(&derived, &rules, m), FLOCK_OK);
            assert_int_equal(params_get(&constant, FLOCK_REFERENCE, m, profile), FLOCK_OK);
            assert_params_equal(&constant, &derived);
        }
    }
}

/* Spec 09.8: against the reference's tables, fast and slim change in five entries of h. */
static void test_native_changes(void **state)
{
    (void)state;
    struct pcs_params native, reference;
    unsigned changes = 0;
    for (unsigned m = 22; m <= 35; m++) {
        for (int p = 0; p < 3; p++) {
            assert_int_equal(params_get(&native, FLOCK_NATIVE, m, (flock_profile)p), FLOCK_OK);
            assert_int_equal(params_get(&reference, FLOCK_REFERENCE, m, (flock_profile)p),
                             FLOCK_OK);
            for (unsigned i = 0; i <= native.R; i++) {
                if (p != FLOCK_SECURE && native.level[i].h != reference.level[i].h) {
                    assert_int_equal(native.level[i].h, reference.level[i].h + 1);
                    assert_int_equal(native.level[i].r, 7);
                    changes++;
                }
                native.level[i].h = reference.level[i].h;
            }
            assert_params_equal(&native, &reference);
        }
    }
    assert_int_equal(changes, 5);
}

static void test_ranges(void **state)
{
    (void)state;
    struct pcs_params params;
    for (int p = 0; p < 3; p++) {
        flock_profile profile = (flock_profile)p;
        assert_int_equal(params_get(&params, FLOCK_REFERENCE, 21, profile), FLOCK_ERR_ARGUMENT);
        assert_int_equal(params_get(&params, FLOCK_REFERENCE, 36, profile), FLOCK_ERR_TOO_LARGE);
        assert_int_equal(params_get(&params, FLOCK_NATIVE, 12, profile), FLOCK_ERR_ARGUMENT);
        assert_int_equal(params_get(&params, FLOCK_NATIVE, 0, profile), FLOCK_ERR_ARGUMENT);
        assert_int_equal(params_get(&params, FLOCK_NATIVE, 36, profile), FLOCK_ERR_TOO_LARGE);
    }
    assert_int_equal(params_get(&params, FLOCK_NATIVE, 22, (flock_profile)3), FLOCK_ERR_ARGUMENT);
    assert_int_equal(params_get(&params, (flock_format)2, 22, FLOCK_FAST), FLOCK_ERR_ARGUMENT);
}

/* What code relies on (spec 03, 3.2 and 3.5), and the array bounds of ligerito.h. */
static void test_invariants(void **state)
{
    (void)state;
    for (int format = 0; format < 2; format++) {
        for (unsigned m = format == FLOCK_NATIVE ? 13 : 22; m <= 35; m++) {
            for (int p = 0; p < 3; p++) {
                struct pcs_params params;
                assert_int_equal(params_get(&params, (flock_format)format, m, (flock_profile)p),
                                 FLOCK_OK);
                assert_true(params.R + 1 <= MAX_LEVELS);
                assert_int_equal(params.log_n, m - 7);
                unsigned folds = 0, rest = params.log_n, nonces = 0, messages = 1;
                for (unsigned i = 0; i <= params.R; i++) {
                    const struct level_params *level = &params.level[i];
                    rest -= level->k;
                    assert_int_equal(level->c, rest);
                    assert_true(level->k >= 3);
                    assert_true(level->r >= 1);
                    assert_true(level->Q >= 1);
                    assert_true(level->Q <= 1u << (level->c + level->r));
                    folds += level->k;
                    messages += level->s;
                    for (unsigned j = 0; j < level->k; j++) {
                        nonces += fold_grinding_bits(level, j) > 0;
                    }
                }
                assert_int_equal(params.y, rest);
                assert_true(rest >= 3 && rest <= 5);
                assert_int_equal(params_n_ood(&params), messages - 1);
                assert_int_equal(params_n_messages(&params), messages + folds + params.R);
                assert_int_equal(params_n_fold_nonces(&params), nonces);
                assert_true(m < 22 || params.R >= 1);
            }
        }
    }
}

/* Digits beyond the printed ones were cut off, not rounded, so that no entry promises too much. */
static void assert_printed(double value, double printed, double unit)
{
    if (value < printed || value >= printed + unit) {
        fail_msg("%.5f is not printed as %g", value, printed);
    }
}

static void security_range(flock_format format, flock_profile profile, unsigned first,
                           unsigned last, double *minimum, double *sum)
{
    *minimum = *sum = HUGE_VAL;
    for (unsigned m = first; m <= last; m++) {
        flock_security security;
        assert_int_equal(flock_security_estimate(format, m, profile, &security), FLOCK_OK);
        assert_true(security.union_bits < security.minimum_bits);
        *minimum = fmin(*minimum, security.minimum_bits);
        *sum = fmin(*sum, security.union_bits);
    }
}

/*
 * The last table of spec 09.8. Its union bound of fast, m >= 22, is that of the reference's h: with
 * the native h of the same section (one bit more at m = 34, 35) it is 95.5.
 */
static void test_security_table(void **state)
{
    (void)state;
    static const struct {
        flock_format format;
        flock_profile profile;
        unsigned first, last;
        double minimum, sum;
    } rows[] = {
        {FLOCK_NATIVE, FLOCK_FAST, 17, 21, 100.05, 96.8},
        {FLOCK_NATIVE, FLOCK_SLIM, 17, 21, 100.05, 97.0},
        {FLOCK_NATIVE, FLOCK_SECURE, 17, 21, 120.01, 116.3},
        {FLOCK_NATIVE, FLOCK_FAST, 22, 35, 100.00, 95.5},
        {FLOCK_REFERENCE, FLOCK_FAST, 22, 35, 100.00, 95.4},
        {FLOCK_NATIVE, FLOCK_SLIM, 22, 35, 100.04, 95.7},
        {FLOCK_NATIVE, FLOCK_SECURE, 22, 35, 120.00, 115.0},
        /* Spec 03, 3.10 S1. */
        {FLOCK_REFERENCE, FLOCK_SECURE, 22, 35, 115.00, 111.9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double minimum, sum;
        security_range(rows[i].format, rows[i].profile, rows[i].first, rows[i].last, &minimum,
                       &sum);
        assert_printed(minimum, rows[i].minimum, 0.01);
        assert_printed(sum, rows[i].sum, 0.1);
    }
}

/* Native: every challenge reaches the target, under both readings of the proximity-gap theorem. */
static void test_every_term_reaches_the_target(void **state)
{
    (void)state;
    for (unsigned m = 13; m <= 35; m++) {
        for (int p = 0; p < 3; p++) {
            flock_profile profile = (flock_profile)p;
            flock_security security;
            assert_int_equal(flock_security_estimate(FLOCK_NATIVE, m, profile, &security),
                             FLOCK_OK);
            assert_true(security.n_terms <= FLOCK_MAX_ERROR_TERMS);
            assert_true(security.target_bits == (profile == FLOCK_SECURE ? 120 : 100));
            for (unsigned i = 0; i < security.n_terms; i++) {
                assert_true(security.terms[i].bits >= security.target_bits);
                assert_true(security.terms[i].count >= 1);
            }
            struct pcs_params params;
            assert_int_equal(params_get(&params, FLOCK_NATIVE, m, profile), FLOCK_OK);
            for (unsigned i = 0; i <= params.R && profile != FLOCK_SECURE; i++) {
                const struct level_params *level = &params.level[i];
                for (unsigned j = 0; j < level->k; j++) {
                    double gap = level_proximity_bits(profile, level, level->k - 1u - j, true);
                    assert_true(gap + fold_grinding_bits(level, j) >= security.target_bits);
                }
            }
        }
    }
}

static const flock_error_term *find_term(const flock_security *security, const char *name)
{
    for (unsigned i = 0; i < security->n_terms; i++) {
        if (strcmp(security->terms[i].name, name) == 0) {
            return &security->terms[i];
        }
    }
    fail_msg("no term %s", name);
    return NULL;
}

/* Numbers that spec 09.9 states in words. */
static void test_stated_terms(void **state)
{
    (void)state;
    flock_security s;
    assert_int_equal(flock_security_estimate(FLOCK_NATIVE, 21, FLOCK_SLIM, &s), FLOCK_OK);
    assert_true(fabs(s.list_size - 100) < 1e-9);
    assert_printed(find_term(&s, "zerocheck z")->bits, 114.3, 0.1);
    assert_int_equal(flock_security_estimate(FLOCK_NATIVE, 22, FLOCK_FAST, &s), FLOCK_OK);
    assert_true(fabs(s.list_size - 35.4) < 0.05);
    assert_printed(find_term(&s, "zerocheck z")->bits, 115.8, 0.1);
    assert_int_equal(flock_security_estimate(FLOCK_NATIVE, 22, FLOCK_SLIM, &s), FLOCK_OK);
    assert_true(fabs(s.list_size - 50) < 1e-9);
    assert_printed(find_term(&s, "zerocheck z")->bits, 115.3, 0.1);
    assert_int_equal(flock_security_estimate(FLOCK_NATIVE, 28, FLOCK_SECURE, &s), FLOCK_OK);
    assert_true(s.list_size == 1);
    assert_printed(find_term(&s, "zerocheck z")->bits, 121.0, 0.1);
    assert_int_equal(flock_security_estimate(FLOCK_REFERENCE, 21, FLOCK_SLIM, &s),
                     FLOCK_ERR_ARGUMENT);
}

static void test_public_parameters(void **state)
{
    (void)state;
    flock_parameters parameters;
    struct pcs_params params;
    assert_int_equal(flock_parameters_get(FLOCK_NATIVE, 28, FLOCK_SLIM, &parameters), FLOCK_OK);
    assert_int_equal(params_get(&params, FLOCK_NATIVE, 28, FLOCK_SLIM), FLOCK_OK);
    assert_int_equal(parameters.n_levels, params.R + 1);
    assert_int_equal(parameters.log_elements, 21);
    assert_int_equal(parameters.log_residual, params.y);
    for (unsigned i = 0; i <= params.R; i++) {
        const flock_level *a = &parameters.levels[i];
        const struct level_params *b = &params.level[i];
        assert_int_equal(a->log_inv_rate, b->r);
        assert_int_equal(a->log_message, b->c);
        assert_int_equal(a->log_lanes, b->k);
        assert_int_equal(a->queries, b->Q);
        assert_int_equal(a->query_pow, b->g);
        assert_int_equal(a->fold_pow, b->h);
        assert_int_equal(a->ood_samples, b->s);
    }
    assert_int_equal(flock_parameters_get(FLOCK_REFERENCE, 36, FLOCK_FAST, &parameters),
                     FLOCK_ERR_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_tables),
        cmocka_unit_test(test_extension_tables),
        cmocka_unit_test(test_formula_only),
        cmocka_unit_test(test_constants_are_the_formulas),
        cmocka_unit_test(test_native_changes),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_security_table),
        cmocka_unit_test(test_every_term_reaches_the_target),
        cmocka_unit_test(test_stated_terms),
        cmocka_unit_test(test_public_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
