/* Statements in the native encoding. */
#ifndef FLOCK_TESTS_STATEMENTS_H
#define FLOCK_TESTS_STATEMENTS_H

#include "relation/statement.h"
#include "support/support.h"

/* The encoding of a statement: *len bytes, to be freed. */
uint8_t *statement_bytes(const flock_statement *statement, const struct setup *setup, size_t *len);

#endif
