/* Batches: independent instances. Nothing is public, and there is no glue. */
#include "relation/relation.h"

static flock_status size(const flock_statement *statement, const struct circuit *circuit,
                         unsigned *n_log)
{
    return size_by_count(statement->count, circuit, n_log);
}

static void encode(const flock_statement *statement, const struct circuit *circuit, byte_sink *sink,
                   void *sink_context)
{
    (void)statement;
    (void)circuit;
    (void)sink;
    (void)sink_context;
}

static flock_status decode(const uint8_t *bytes, size_t len, const struct circuit *circuit,
                           flock_statement *statement)
{
    (void)bytes;
    (void)circuit;
    (void)statement;
    return len == 0 ? FLOCK_OK : FLOCK_ERR_STATEMENT;
}

static bool public_equal(const flock_statement *a, const flock_statement *b)
{
    (void)a;
    (void)b;
    return true;
}

static flock_status verify(struct transcript *t, const flock_statement *statement,
                           const struct setup *setup, const struct glue_proof *proof,
                           struct claims *claims)
{
    (void)t;
    (void)statement;
    (void)setup;
    (void)proof;
    (void)claims;
    return FLOCK_OK;
}

const struct relation batch_relation = {
    .name = "batch",
    .circuits = 1 << FLOCK_BLAKE3 | 1 << FLOCK_SHA256 | 1 << FLOCK_KECCAK | 1 << FLOCK_KECCAK3,
    .reference_flavour = FLAVOUR_R1CS,
    .size = size,
    .encode = encode,
    .decode = decode,
    .public_equal = public_equal,
    .verify = verify,
};
