#include "relation/chain.h"

static flock_status size(const flock_statement *statement, const struct circuit *circuit,
                         unsigned *n_log)
{
    flock_status status = size_by_count(statement->count, circuit, n_log);
    /* The reference's links run over all slots: no padding (spec 08, 1). */
    if (status == FLOCK_OK && statement->format == FLOCK_REFERENCE &&
        statement->count != (uint64_t)1 << *n_log) {
        return FLOCK_ERR_ARGUMENT;
    }
    return status;
}

static void encode(const flock_statement *statement, const struct circuit *circuit, byte_sink *sink,
                   void *sink_context)
{
    sink(sink_context, statement->start, circuit->region_bits / 8);
    sink(sink_context, statement->end, circuit->region_bits / 8);
}

static flock_status decode(const uint8_t *bytes, size_t len, const struct circuit *circuit,
                           flock_statement *statement)
{
    size_t region = circuit->region_bits / 8;
    if (len != 2 * region) {
        return FLOCK_ERR_STATEMENT;
    }
    memcpy(statement->start, bytes, region);
    memcpy(statement->end, bytes + region, region);
    return FLOCK_OK;
}

static bool public_equal(const flock_statement *a, const flock_statement *b)
{
    size_t region = flock_region_bytes(a->circuit);
    return memcmp(a->start, b->start, region) == 0 && memcmp(a->end, b->end, region) == 0;
}

struct chain_ends chain_ends_of(const flock_statement *statement)
{
    return (struct chain_ends){.start = statement->start,
                               .end = statement->end,
                               .steps = statement->count,
                               .end_pinned = statement->format == FLOCK_NATIVE};
}

static flock_status verify(struct transcript *t, const flock_statement *statement,
                           const struct setup *setup, const struct glue_proof *proof,
                           struct claims *claims)
{
    struct chain_ends ends = chain_ends_of(statement);
    return chain_links_verify(t, setup, &ends, proof, claims);
}

const struct relation chain_relation = {
    .name = "chain",
    .circuits = 1 << FLOCK_BLAKE3 | 1 << FLOCK_SHA256 | 1 << FLOCK_KECCAK,
    .reference_flavour = FLAVOUR_CHAIN,
    .section = "chain links",
    .width = CHAIN_WIDTH,
    .extra_rounds = CHAIN_EXTRA_ROUNDS,
    .size = size,
    .encode = encode,
    .decode = decode,
    .public_equal = public_equal,
    .verify = verify,
};
