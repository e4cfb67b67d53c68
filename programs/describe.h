/* describe.h - a statement in readable and in machine-readable form. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <flock/statement.h>

#include "json.h"

const char *format_name(flock_format format);

/* One line "LABEL     VALUE" on stdout. */
void print_row(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "OK: ..." about a verified statement. */
void print_success(const flock_statement *statement);

/* All fields of the statement, one row each. */
void print_statement(const flock_statement *statement);

/* The same as a member "statement". */
void json_statement(struct json *json, const flock_statement *statement);

/* Whether the proof binds the public values, as a member "bound"; nothing if there are none. */
void json_bound(struct json *json, const flock_statement *statement);

#endif
