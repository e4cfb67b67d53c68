#include "params_toml.h"

#include <stdio.h>

#include <flock/statement.h>

#include "describe.h"

/* Distance of the decoding radius to the Johnson bound (spec 03, 3.9.1). */
static const double johnson_gap = 0.02;

static void print_proof(flock_format format, unsigned m, flock_profile profile,
                        const flock_parameters *parameters, const flock_security *security)
{
    puts("[proof]");
    printf("name = \"flock %s %s m=%u\"\n", format_name(format), flock_profile_name(profile), m);
    printf("version = \"%s\"\n", flock_version());
    puts("protocol = \"Ligerito\"");
    puts("code = \"interleaved Reed-Solomon\"");
    puts("field = \"GF(2^128)\"");
    puts("field_bits = 128");
    puts("hash = \"SHA-256\"");
    puts("hash_bits = 256");
    if (profile == FLOCK_SECURE) {
        puts("regime = \"unique-decoding\"");
    } else {
        puts("regime = \"list-decoding\"");
        printf("johnson_gap = %.2f\n", johnson_gap);
    }
    printf("log_witness_bits = %u\n", m);
    printf("log_elements = %u\n", parameters->log_elements);
    printf("log_residual = %u\n", parameters->log_residual);
    printf("target_bits = %.2f\n", security->target_bits);
    printf("security_bits = %.2f\n", security->minimum_bits);
    printf("union_bits = %.2f\n", security->union_bits);
    printf("list_size = %.2f\n", security->list_size);
}

static void print_level(const flock_level *level)
{
    puts("\n[[level]]");
    printf("rate = %.10g\n", 1.0 / (double)(1u << level->log_inv_rate));
    printf("log_message_length = %u\n", level->log_message);
    printf("log_code_length = %u\n", level->log_message + level->log_inv_rate);
    printf("interleaving = %u\n", 1u << level->log_lanes);
    printf("fold_factor = %u\n", 1u << level->log_lanes);
    printf("folds = %u\n", level->log_lanes);
    printf("queries = %u\n", level->queries);
    printf("query_grinding_bits = %u\n", level->query_pow);
    printf("fold_grinding_bits = [");
    for (unsigned j = 0; j < level->log_lanes; j++) {
        printf("%s%u", j ? ", " : "", level->fold_pow > j ? level->fold_pow - j : 0);
    }
    puts("]");
    printf("out_of_domain_samples = %u\n", level->ood_samples);
}

static void print_term(const flock_error_term *term)
{
    puts("\n[[error]]");
    printf("name = \"%s\"\n", term->name);
    if (term->level >= 0) {
        printf("level = %d\n", term->level);
    }
    if (term->fold >= 0) {
        printf("fold = %d\n", term->fold);
    }
    printf("count = %u\n", term->count);
    printf("bits = %.2f\n", term->bits);
}

void print_params_toml(flock_format format, unsigned m, flock_profile profile,
                       const flock_parameters *parameters, const flock_security *security)
{
    print_proof(format, m, profile, parameters, security);
    for (unsigned i = 0; i < parameters->n_levels; i++) {
        print_level(&parameters->levels[i]);
    }
    for (unsigned i = 0; i < security->n_terms; i++) {
        print_term(&security->terms[i]);
    }
}
