/* describe.h - a statement in readable and in machine-readable form. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <flock/statement.h>

#include "json.h"

const char *format_name(flock_format format);

/* One line "LABEL     VALUE" on stdout. */
void print_row(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* All fields of the statement, one row each. */
void print_statement(const flock_statement *statement);

/* The same as a member "statement". */
void json_statement(struct json *json, const flock_statement *statement);

#endif
