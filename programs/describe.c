#include "describe.h"

#include <stdarg.h>
#include <stdio.h>

#include "notation.h"
#include "sizes.h"

const char *format_name(flock_format format)
{
    return format == FLOCK_REFERENCE ? "reference" : "native";
}

void print_row(const char *label, const char *format, ...)
{
    va_list arguments;

    printf("%-9s ", label);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

/* ---- what is special to each relation ---- */

static void print_batch_count(const flock_statement *statement)
{
    print_row("count", "%llu (%s, not proved)", (unsigned long long)statement->count,
              statement->format == FLOCK_NATIVE ? "the prover's label" : "not in the file");
    print_row("slots", "%llu (each a valid evaluation; which ones is not said)",
              (unsigned long long)largest_count_of_size(statement));
}

static void json_batch_count(struct json *json, const flock_statement *statement)
{
    json_number(json, "count", statement->count);
    json_bool(json, "count_proved", false);
    json_number(json, "slots", largest_count_of_size(statement));
}

static void print_chain(const flock_statement *statement)
{
    char text[MAX_NOTATION_DIGITS + 1];

    notation_write(statement->circuit, statement->start, text);
    print_row("initial", "%s", text);
    notation_write(statement->circuit, statement->end, text);
    print_row("final", "%s", text);
    if (statement->format == FLOCK_REFERENCE) {
        print_row("binding", "none: this format does not bind the endpoints");
    }
}

static void json_chain(struct json *json, const flock_statement *statement)
{
    char text[MAX_NOTATION_DIGITS + 1];

    notation_write(statement->circuit, statement->start, text);
    json_string(json, "initial", text);
    notation_write(statement->circuit, statement->end, text);
    json_string(json, "final", text);
}

static void print_digest(const flock_statement *statement)
{
    char text[2 * sizeof statement->tail + 1];

    print_row("length", "%llu bytes", (unsigned long long)statement->message_bytes);
    hex_write(statement->digest, sizeof statement->digest, text);
    print_row("digest", "%s", text);
    hex_write(statement->tail, statement->message_bytes % 64, text);
    print_row("tail", "%s", *text ? text : "none");
}

static void json_digest(struct json *json, const flock_statement *statement)
{
    char text[2 * sizeof statement->tail + 1];

    json_number(json, "message_bytes", statement->message_bytes);
    hex_write(statement->digest, sizeof statement->digest, text);
    json_string(json, "digest", text);
    hex_write(statement->tail, statement->message_bytes % 64, text);
    json_string(json, "tail", text);
}

static void print_merkle(const flock_statement *statement)
{
    uint8_t leaf[32];
    uint64_t index;
    char text[65];

    print_row("depth", "%u", statement->depth);
    hex_write(statement->root, sizeof statement->root, text);
    print_row("root", "%s", text);
    for (uint64_t i = 0; i < statement->n_paths; i++) {
        flock_statement_path(statement, i, &index, leaf);
        hex_write(leaf, sizeof leaf, text);
        print_row("leaf", "%llu %s", (unsigned long long)index, text);
    }
}

static void json_merkle(struct json *json, const flock_statement *statement)
{
    uint8_t leaf[32];
    uint64_t index;
    char text[65];

    json_number(json, "depth", statement->depth);
    hex_write(statement->root, sizeof statement->root, text);
    json_string(json, "root", text);
    json_open_array(json, "leaves");
    for (uint64_t i = 0; i < statement->n_paths; i++) {
        flock_statement_path(statement, i, &index, leaf);
        hex_write(leaf, sizeof leaf, text);
        json_open_object(json, NULL);
        json_number(json, "index", index);
        json_string(json, "leaf", text);
        json_close_object(json);
    }
    json_close_array(json);
}

/* ---- all relations ---- */

void print_success(const flock_statement *statement)
{
    const char *circuit = flock_circuit_name(statement->circuit);

    switch (statement->relation) {
    case FLOCK_BATCH:
        printf("OK: %s batch verified: the prover knows %llu valid evaluations\n", circuit,
               (unsigned long long)largest_count_of_size(statement));
        break;
    case FLOCK_CHAIN:
        printf("OK: %s chain of %llu steps verified\n", circuit,
               (unsigned long long)statement->count);
        break;
    case FLOCK_DIGEST:
        printf("OK: %s digest of a message of %llu bytes verified\n", circuit,
               (unsigned long long)statement->message_bytes);
        break;
    case FLOCK_MERKLE:
        printf("OK: %s paths verified: %llu leaves under a root of depth %u\n", circuit,
               (unsigned long long)statement->n_paths, statement->depth);
        break;
    }
}

void print_statement(const flock_statement *statement)
{
    print_row("relation", "%s", flock_relation_name(statement->relation));
    print_row("hash", "%s", flock_circuit_name(statement->circuit));
    if (statement->relation == FLOCK_BATCH) {
        print_batch_count(statement);
    } else {
        print_row(count_noun(statement->relation), "%llu", (unsigned long long)counted(statement));
    }
    print_row("mode", "%s", flock_profile_name(statement->profile));
    print_row("security", "%u bits", flock_statement_security_bits(statement));
    print_row("layout", "%s", flock_layout_name(statement->layout));
    print_row("format", "%s", format_name(statement->format));
    print_row("size", "2^%u witness bits", flock_statement_log_bits(statement));
    switch (statement->relation) {
    case FLOCK_BATCH:
        break;
    case FLOCK_CHAIN:
        print_chain(statement);
        break;
    case FLOCK_DIGEST:
        print_digest(statement);
        break;
    case FLOCK_MERKLE:
        print_merkle(statement);
        break;
    }
}

void json_statement(struct json *json, const flock_statement *statement)
{
    json_open_object(json, "statement");
    json_string(json, "relation", flock_relation_name(statement->relation));
    json_string(json, "hash", flock_circuit_name(statement->circuit));
    if (statement->relation == FLOCK_BATCH) {
        json_batch_count(json, statement);
    } else {
        json_number(json, count_noun(statement->relation), counted(statement));
    }
    json_string(json, "mode", flock_profile_name(statement->profile));
    json_number(json, "security_bits", flock_statement_security_bits(statement));
    json_string(json, "layout", flock_layout_name(statement->layout));
    json_string(json, "format", format_name(statement->format));
    json_number(json, "log_bits", flock_statement_log_bits(statement));
    switch (statement->relation) {
    case FLOCK_BATCH:
        break;
    case FLOCK_CHAIN:
        json_chain(json, statement);
        break;
    case FLOCK_DIGEST:
        json_digest(json, statement);
        break;
    case FLOCK_MERKLE:
        json_merkle(json, statement);
        break;
    }
    json_close_object(json);
}

void json_bound(struct json *json, const flock_statement *statement)
{
    if (statement->relation != FLOCK_BATCH) {
        json_bool(json, "bound", statement->format == FLOCK_NATIVE);
    }
}
