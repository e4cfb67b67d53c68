#include "inspect.h"

#include <stdio.h>
#include <stdlib.h>

#include <flock/params.h>
#include <flock/verify.h>

#include "describe.h"
#include "files.h"
#include "flags.h"
#include "params_toml.h"

enum { MAX_SECTIONS = 16, MAX_LOG_BITS = 63 };

/* ---- parameters ---- */

static void print_parameters(const flock_parameters *parameters)
{
    puts("\nlevel    rate  message  lanes  queries  query-pow  fold-pow  ood");
    for (unsigned i = 0; i < parameters->n_levels; i++) {
        const flock_level *level = &parameters->levels[i];
        printf("%-5u  1/%-4u     2^%-4u  2^%-2u  %7u  %9u  %8u  %3u\n", i,
               1u << level->log_inv_rate, level->log_message, level->log_lanes, level->queries,
               level->query_pow, level->fold_pow, level->ood_samples);
    }
    printf("(2^%u packed elements of 128 bits; 2^%u sent in the clear at the end)\n",
           parameters->log_elements, parameters->log_residual);
}

static void json_parameters(struct json *json, const flock_parameters *parameters)
{
    json_open_object(json, "parameters");
    json_number(json, "log_elements", parameters->log_elements);
    json_number(json, "log_residual", parameters->log_residual);
    json_open_array(json, "levels");
    for (unsigned i = 0; i < parameters->n_levels; i++) {
        const flock_level *level = &parameters->levels[i];
        json_open_object(json, NULL);
        json_number(json, "log_inv_rate", level->log_inv_rate);
        json_number(json, "log_message", level->log_message);
        json_number(json, "log_lanes", level->log_lanes);
        json_number(json, "queries", level->queries);
        json_number(json, "query_pow", level->query_pow);
        json_number(json, "fold_pow", level->fold_pow);
        json_number(json, "ood_samples", level->ood_samples);
        json_close_object(json);
    }
    json_close_array(json);
    json_close_object(json);
}

/* ---- info ---- */

struct proof_info {
    flock_statement statement;
    flock_section sections[MAX_SECTIONS];
    size_t n_sections;
    flock_parameters parameters;
    size_t bytes;
};

static flock_status read_info(const uint8_t *bytes, size_t len, struct proof_info *info)
{
    flock_status status = flock_read_statement(bytes, len, &info->statement);

    info->bytes = len;
    info->n_sections = MAX_SECTIONS;
    if (status == FLOCK_OK) {
        status = flock_proof_sections(bytes, len, info->sections, &info->n_sections);
    }
    if (status == FLOCK_OK) {
        status =
            flock_parameters_get(info->statement.format, flock_statement_log_bits(&info->statement),
                                 info->statement.profile, &info->parameters);
    }
    return status;
}

static void print_info(const struct proof_info *info)
{
    puts("This is what the file claims; nothing has been verified.\n");
    print_statement(&info->statement);
    print_row("file", "%zu bytes", info->bytes);
    puts("\n   offset     bytes  part");
    for (size_t i = 0; i < info->n_sections; i++) {
        printf("%9zu %9zu  %s\n", info->sections[i].offset, info->sections[i].bytes,
               info->sections[i].name);
    }
    print_parameters(&info->parameters);
}

static void json_info(const struct program *program, const struct proof_info *info)
{
    struct json json;

    result_open(&json, program, OUTCOME_OK, NULL);
    json_bool(&json, "verified", false);
    json_bound(&json, &info->statement);
    json_statement(&json, &info->statement);
    json_number(&json, "bytes", info->bytes);
    json_open_array(&json, "parts");
    for (size_t i = 0; i < info->n_sections; i++) {
        json_open_object(&json, NULL);
        json_string(&json, "name", info->sections[i].name);
        json_number(&json, "offset", info->sections[i].offset);
        json_number(&json, "bytes", info->sections[i].bytes);
        json_close_object(&json);
    }
    json_close_array(&json);
    json_parameters(&json, &info->parameters);
    json_close_object(&json);
}

enum outcome info_command(struct program *program, int argc, char **argv)
{
    enum { IN, N_FLAGS };
    struct flag flags[N_FLAGS] = {
        [IN] = {FLAG_IN},
    };
    struct proof_info info;
    enum outcome outcome;
    uint8_t *bytes;
    size_t len;

    if (!parse_flags(program,
                     "Print what a proof file claims, the sizes of its parts and its parameters, "
                     "without verifying it.",
                     flags, N_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    outcome = read_file(program, flags[IN].value, MAX_PROOF_FILE_BYTES, &bytes, &len);
    if (outcome != OUTCOME_OK) {
        return outcome;
    }
    flock_status status =
        len > MAX_PROOF_FILE_BYTES ? FLOCK_ERR_TRAILING : read_info(bytes, len, &info);
    if (status != FLOCK_OK) {
        outcome = fail(program, outcome_of_proof_status(status), "%s (%s)",
                       proof_status_text(status), flags[IN].value);
    } else if (program->json) {
        json_info(program, &info);
    } else {
        print_info(&info);
    }
    free(bytes); /* the statement of a Merkle proof points into it */
    return outcome;
}

/* ---- params ---- */

/* A number of a term that may not apply. */
static const char *index_text(int index, char text[12])
{
    if (index < 0) {
        return "-";
    }
    snprintf(text, 12, "%d", index);
    return text;
}

static void print_security(const flock_security *security)
{
    char level[12], fold[12];

    print_row("target", "%.0f bits", security->target_bits);
    print_row("weakest", "%.2f bits (at any one challenge)", security->minimum_bits);
    print_row("union", "%.2f bits (sum of all terms: the interactive protocol)",
              security->union_bits);
    print_row("list", "%.1f codewords within the decoding radius of level 0", security->list_size);
    puts("\n   bits  level  fold  times  error term");
    for (unsigned i = 0; i < security->n_terms; i++) {
        const flock_error_term *term = &security->terms[i];
        printf("%7.2f  %5s  %4s  %5u  %s\n", term->bits, index_text(term->level, level),
               index_text(term->fold, fold), term->count, term->name);
    }
}

static void json_index(struct json *json, const char *key, int index)
{
    if (index < 0) {
        json_string(json, key, NULL);
    } else {
        json_number(json, key, (uint64_t)index);
    }
}

static void json_security(struct json *json, const flock_security *security)
{
    json_open_object(json, "security");
    json_real(json, "target_bits", security->target_bits);
    json_real(json, "minimum_bits", security->minimum_bits);
    json_real(json, "union_bits", security->union_bits);
    json_real(json, "list_size", security->list_size);
    json_open_array(json, "terms");
    for (unsigned i = 0; i < security->n_terms; i++) {
        const flock_error_term *term = &security->terms[i];
        json_open_object(json, NULL);
        json_string(json, "name", term->name);
        json_index(json, "level", term->level);
        json_index(json, "fold", term->fold);
        json_number(json, "count", term->count);
        json_real(json, "bits", term->bits);
        json_close_object(json);
    }
    json_close_array(json);
    json_close_object(json);
}

static void json_params(const struct program *program, flock_format format, unsigned m,
                        flock_profile profile, const flock_parameters *parameters,
                        const flock_security *security)
{
    struct json json;

    result_open(&json, program, OUTCOME_OK, NULL);
    json_number(&json, "m", m);
    json_string(&json, "mode", flock_profile_name(profile));
    json_string(&json, "format", format_name(format));
    json_parameters(&json, parameters);
    json_security(&json, security);
    json_close_object(&json);
}

static enum outcome unknown_size(const struct program *program, flock_format format, unsigned m,
                                 flock_profile profile)
{
    flock_parameters parameters;
    unsigned low = 0, high = MAX_LOG_BITS;

    while (low < high && flock_parameters_get(format, low, profile, &parameters) != FLOCK_OK) {
        low++;
    }
    while (high > low && flock_parameters_get(format, high, profile, &parameters) != FLOCK_OK) {
        high--;
    }
    return fail(program, OUTCOME_USAGE, "--m: no parameters for m = %u (%s format: %u to %u)", m,
                format_name(format), low, high);
}

enum outcome params_command(struct program *program, int argc, char **argv)
{
    enum { M, MODE, FORMAT, TOML, N_FLAGS };
    struct flag flags[N_FLAGS] = {
        [M] = {"--m", "M", true, "log2 of the number of witness bits (see info: 'size')", NULL},
        [MODE] = {"--mode", "MODE", false, "fast (default), slim or secure", NULL},
        [FORMAT] = {"--format", "FORMAT", false, "native (default) or reference", NULL},
        [TOML] = {"--toml", NULL, false, "print TOML for a soundness calculator", NULL},
    };
    flock_format format = FLOCK_NATIVE;
    flock_profile profile = FLOCK_FAST;
    flock_parameters parameters;
    flock_security security;
    uint64_t m = 0;
    enum outcome outcome;

    if (!parse_flags(program,
                     "Print the parameters of a witness size and mode, and the error of every "
                     "challenge in bits.",
                     flags, N_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    if ((outcome = flag_number(program, &flags[M], 0, MAX_LOG_BITS, &m)) != OUTCOME_OK ||
        (outcome = flag_profile(program, &flags[MODE], &profile)) != OUTCOME_OK ||
        (outcome = flag_format(program, &flags[FORMAT], &format)) != OUTCOME_OK) {
        return outcome;
    }
    if (flags[TOML].value && program->json) {
        return fail(program, OUTCOME_USAGE, "--toml and --json exclude each other");
    }
    if (flock_parameters_get(format, (unsigned)m, profile, &parameters) != FLOCK_OK ||
        flock_security_estimate(format, (unsigned)m, profile, &security) != FLOCK_OK) {
        return unknown_size(program, format, (unsigned)m, profile);
    }

    if (program->json) {
        json_params(program, format, (unsigned)m, profile, &parameters, &security);
    } else if (flags[TOML].value) {
        print_params_toml(format, (unsigned)m, profile, &parameters, &security);
    } else {
        print_row("m", "%u", (unsigned)m);
        print_row("mode", "%s", flock_profile_name(profile));
        print_row("format", "%s", format_name(format));
        print_security(&security);
        print_parameters(&parameters);
    }
    return OUTCOME_OK;
}
