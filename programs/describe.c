#include "describe.h"

#include <stdarg.h>
#include <stdio.h>

#include "notation.h"

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

void print_statement(const flock_statement *statement)
{
    char text[MAX_NOTATION_DIGITS + 1];

    print_row("relation", "%s", flock_relation_name(statement->relation));
    print_row("hash", "%s", flock_circuit_name(statement->circuit));
    print_row(statement->relation == FLOCK_CHAIN ? "steps" : "count", "%llu",
              (unsigned long long)statement->count);
    print_row("mode", "%s", flock_profile_name(statement->profile));
    print_row("security", "%u bits", flock_statement_security_bits(statement));
    print_row("layout", "%s", flock_layout_name(statement->layout));
    print_row("format", "%s", format_name(statement->format));
    print_row("size", "2^%u witness bits", flock_statement_log_bits(statement));
    if (statement->relation != FLOCK_CHAIN) {
        return;
    }
    notation_write(statement->circuit, statement->start, text);
    print_row("initial", "%s", text);
    notation_write(statement->circuit, statement->end, text);
    print_row("final", "%s", text);
}

void json_statement(struct json *json, const flock_statement *statement)
{
    char text[MAX_NOTATION_DIGITS + 1];

    json_open_object(json, "statement");
    json_string(json, "relation", flock_relation_name(statement->relation));
    json_string(json, "hash", flock_circuit_name(statement->circuit));
    json_number(json, statement->relation == FLOCK_CHAIN ? "steps" : "count", statement->count);
    json_string(json, "mode", flock_profile_name(statement->profile));
    json_number(json, "security_bits", flock_statement_security_bits(statement));
    json_string(json, "layout", flock_layout_name(statement->layout));
    json_string(json, "format", format_name(statement->format));
    json_number(json, "log_bits", flock_statement_log_bits(statement));
    if (statement->relation == FLOCK_CHAIN) {
        notation_write(statement->circuit, statement->start, text);
        json_string(json, "initial", text);
        notation_write(statement->circuit, statement->end, text);
        json_string(json, "final", text);
    }
    json_close_object(json);
}
