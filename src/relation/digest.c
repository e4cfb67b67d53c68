#include "relation/digest.h"

#include "field/multilinear.h"

static size_t tail_bytes(const flock_statement *statement)
{
    return statement->message_bytes % 64;
}

static flock_status size(const flock_statement *statement, const struct circuit *circuit,
                         unsigned *n_log)
{
    if (statement->format != FLOCK_NATIVE) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    if (statement->message_bytes >= (uint64_t)1 << 61) {
        return FLOCK_ERR_TOO_LARGE; /* SHA-256 counts bits in 64 bits */
    }
    if (statement->count != digest_blocks(statement->message_bytes)) {
        return FLOCK_ERR_ARGUMENT;
    }
    return size_by_count(statement->count, circuit, n_log);
}

/* Public data: u64 message_bytes | digest | tail. */
enum { AT_DIGEST = 8, AT_TAIL = 40 };

static void encode(const flock_statement *statement, const struct circuit *circuit, byte_sink *sink,
                   void *sink_context)
{
    (void)circuit;
    uint8_t fixed[AT_TAIL];
    store_le64(fixed, statement->message_bytes);
    swap_words(fixed + AT_DIGEST, statement->digest, 8);
    sink(sink_context, fixed, sizeof fixed);
    sink(sink_context, statement->tail, tail_bytes(statement));
}

static flock_status decode(const uint8_t *bytes, size_t len, const struct circuit *circuit,
                           flock_statement *statement)
{
    (void)circuit;
    if (len < AT_TAIL) {
        return FLOCK_ERR_STATEMENT;
    }
    statement->message_bytes = load_le64(bytes);
    swap_words(statement->digest, bytes + AT_DIGEST, 8);
    if (len != AT_TAIL + tail_bytes(statement)) {
        return FLOCK_ERR_STATEMENT;
    }
    memcpy(statement->tail, bytes + AT_TAIL, tail_bytes(statement));
    return FLOCK_OK;
}

static bool public_equal(const flock_statement *a, const flock_statement *b)
{
    return a->message_bytes == b->message_bytes && memcmp(a->digest, b->digest, 32) == 0 &&
           memcmp(a->tail, b->tail, tail_bytes(a)) == 0;
}

struct padding digest_padding(const flock_statement *statement)
{
    struct padding padding = {.n = tail_bytes(statement) <= 55 ? 1 : 2};
    memcpy(padding.blocks, statement->tail, tail_bytes(statement));
    padding.blocks[tail_bytes(statement)] = 0x80;
    store_be64(padding.blocks + 64 * padding.n - 8, 8 * statement->message_bytes);
    return padding;
}

struct chain_ends digest_chain_ends(const flock_statement *statement, struct digest_ends *values)
{
    physical_initial_value(values->start);
    swap_words(values->end, statement->digest, 8);
    return (struct chain_ends){
        .start = values->start, .end = values->end, .steps = statement->count, .end_pinned = true};
}

/* sum_{c<4} Eq(tau_msg)[c] M_c: the message block as four packed elements. */
static gf128 fold_block(const gf128 eq[4], const uint8_t block[64])
{
    uint8_t words[64];
    swap_words(words, block, 16);
    gf128 sum = GF128_ZERO;
    for (size_t c = 0; c < 4; c++) {
        sum = gf128_add(sum, gf128_mul(eq[c], gf128_load(words + 16 * c)));
    }
    return sum;
}

void digest_claims(struct transcript *t, const flock_statement *statement,
                   const struct setup *setup, struct claims *claims)
{
    /* Elements 4..7 of an instance are its message (spec 06, 3.2). */
    gf128 chunk[3] = {[2] = GF128_ONE}, eq[4], instance[MAX_N_LOG];
    transcript_sample_vec(t, chunk, 2);
    eq_table(eq, chunk, 2);
    struct padding padding = digest_padding(statement);
    for (unsigned j = 0; j < padding.n; j++) {
        bit_coordinates(instance, statement->count - padding.n + j, setup->shape.n_log);
        gf128 value = fold_block(eq, padding.blocks + 64 * j);
        add_direct_claim(setup, chunk, 3, instance, value, claims);
    }
}

static flock_status verify(struct transcript *t, const flock_statement *statement,
                           const struct setup *setup, const struct glue_proof *proof,
                           struct claims *claims)
{
    struct digest_ends values;
    struct chain_ends ends = digest_chain_ends(statement, &values);
    flock_status status = chain_links_verify(t, setup, &ends, proof, claims);
    if (status == FLOCK_OK) {
        digest_claims(t, statement, setup, claims);
    }
    return status;
}

const struct relation digest_relation = {
    .name = "sha256-file",
    .circuits = 1 << FLOCK_SHA256,
    .section = "chain links",
    .width = CHAIN_WIDTH,
    .extra_rounds = CHAIN_EXTRA_ROUNDS,
    .size = size,
    .encode = encode,
    .decode = decode,
    .public_equal = public_equal,
    .verify = verify,
};
