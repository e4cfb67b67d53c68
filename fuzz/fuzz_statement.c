/*
 * Statements: the input is the encoding of one, put behind the head of a native file. One that is
 * accepted must be canonical and of a legal size, and verifying a file with nothing behind it must
 * fail for that reason alone.
 */
#include <stdlib.h>
#include <string.h>

#include <flock/verify.h>

#include "base/bytes.h"
#include "relation/statement.h"
#include "seeds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct comparison {
    const uint8_t *next;
    size_t rest;
};

static void compare(void *context, const void *bytes, size_t len)
{
    struct comparison *c = context;
    require(len <= c->rest && (len == 0 || memcmp(c->next, bytes, len) == 0),
            "a statement that is not canonical");
    c->next += len;
    c->rest -= len;
}

static void check_accepted(const flock_statement *statement, const uint8_t *data, size_t size)
{
    struct setup setup;
    struct comparison c = {data, size};
    require(statement_setup(statement, &setup) == FLOCK_OK, "a statement without a setup");
    require(setup.m >= 17 && setup.m <= 35, "a statement of an illegal size");
    require(flock_statement_log_bits(statement) == setup.m, "another size");
    statement_encode(statement, &setup, compare, &c);
    require(c.rest == 0, "a statement with bytes behind it");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 7 };
    static const uint8_t prefix[HEAD] = {'F', 'L', 'O', 'C', 'K', 'C', 1};
    uint8_t *file = malloc(HEAD + 4 + size);
    flock_statement statement, again;

    require(file != NULL, "no memory");
    memcpy(file, prefix, HEAD);
    for (unsigned i = 0; i < 4; i++) {
        file[HEAD + i] = (uint8_t)(size >> 8 * i);
    }
    memcpy(file + HEAD + 4, data, size);
    flock_status status = flock_read_statement(file, HEAD + 4 + size, &statement);
    if (status == FLOCK_OK) {
        check_accepted(&statement, data, size);
        status = flock_verify(file, HEAD + 4 + size, &again);
        require(status == FLOCK_ERR_TRUNCATED, "a statement is taken for a proof");
    } else {
        require(flock_verify(file, HEAD + 4 + size, &again) != FLOCK_OK, "no statement, but valid");
    }
    free(file);
    return 0;
}
