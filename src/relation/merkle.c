#include "relation/merkle.h"

enum { MAX_DEPTH = 32, MAX_LOG_PATHS = 20, HASH_BYTES = 32 };

static unsigned ceil_log2(uint64_t n)
{
    unsigned log = 0;
    while (((uint64_t)1 << log) < n) {
        log++;
    }
    return log;
}

static bool power_of_two(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

struct merkle_shape merkle_shape_of(const flock_statement *statement)
{
    struct merkle_shape shape = {.pos_log = ceil_log2(statement->depth),
                                 .path_log = ceil_log2(statement->n_paths)};
    if (shape.pos_log + shape.path_log < 3) {
        shape.path_log = 3 - shape.pos_log;
    }
    return shape;
}

static flock_status size(const flock_statement *statement, const struct circuit *circuit,
                         unsigned *n_log)
{
    (void)circuit;
    bool native = statement->format == FLOCK_NATIVE;
    unsigned max_depth = native ? MAX_DEPTH : 1u << MAX_MERKLE_N_LOG;
    if (statement->depth < 1 || statement->depth > max_depth || statement->n_paths < 1) {
        return FLOCK_ERR_ARGUMENT;
    }
    if (statement->n_paths > (uint64_t)1 << MAX_LOG_PATHS) {
        return FLOCK_ERR_TOO_LARGE;
    }
    if (statement->count != statement->depth * statement->n_paths) {
        return FLOCK_ERR_ARGUMENT;
    }
    if (!native && !(power_of_two(statement->depth) && power_of_two(statement->n_paths))) {
        return FLOCK_ERR_ARGUMENT;
    }
    struct merkle_shape shape = merkle_shape_of(statement);
    *n_log = shape.pos_log + shape.path_log;
    return *n_log <= MAX_MERKLE_N_LOG ? FLOCK_OK : FLOCK_ERR_TOO_LARGE;
}

/* ---- public data: u8 depth | u64 n_paths | root | n_paths entries ---- */

enum { AT_N_PATHS = 1, AT_ROOT = 9, AT_PATHS = 41 };

size_t path_index_bytes(const flock_statement *statement)
{
    return statement->depth <= 64 ? 8 : statement->depth / 8;
}

static size_t entry_bytes(const flock_statement *statement)
{
    return path_index_bytes(statement) + HASH_BYTES;
}

static const uint8_t *entry(const flock_statement *statement, uint64_t p)
{
    uint64_t last = statement->n_paths - 1;
    return statement->paths + (p < last ? p : last) * entry_bytes(statement);
}

bool merkle_bit(const flock_statement *statement, uint64_t p, uint64_t d)
{
    if (statement->format == FLOCK_REFERENCE && d == 0) {
        return false;
    }
    return entry(statement, p)[d / 8] >> (d % 8) & 1;
}

const uint8_t *merkle_leaf(const flock_statement *statement, uint64_t p)
{
    return entry(statement, p) + path_index_bytes(statement);
}

void flock_statement_path(const flock_statement *statement, uint64_t i, uint64_t *index,
                          uint8_t leaf[32])
{
    *index = load_le64(entry(statement, i));
    swap_words(leaf, merkle_leaf(statement, i), 8);
}

void flock_path_encode(uint8_t encoded[FLOCK_PATH_BYTES], uint64_t index, const uint8_t leaf[32])
{
    store_le64(encoded, index);
    swap_words(encoded + 8, leaf, 8);
}

static void encode(const flock_statement *statement, const struct circuit *circuit, byte_sink *sink,
                   void *sink_context)
{
    (void)circuit;
    uint8_t fixed[AT_PATHS];
    fixed[0] = (uint8_t)statement->depth;
    store_le64(fixed + AT_N_PATHS, statement->n_paths);
    swap_words(fixed + AT_ROOT, statement->root, 8);
    sink(sink_context, fixed, sizeof fixed);
    sink(sink_context, statement->paths, (size_t)statement->n_paths * FLOCK_PATH_BYTES);
}

static flock_status decode(const uint8_t *bytes, size_t len, const struct circuit *circuit,
                           flock_statement *statement)
{
    unsigned n_log;
    if (len < AT_PATHS) {
        return FLOCK_ERR_STATEMENT;
    }
    statement->depth = bytes[0];
    statement->n_paths = load_le64(bytes + AT_N_PATHS);
    if (size(statement, circuit, &n_log) != FLOCK_OK ||
        len != AT_PATHS + statement->n_paths * FLOCK_PATH_BYTES) {
        return FLOCK_ERR_STATEMENT;
    }
    swap_words(statement->root, bytes + AT_ROOT, 8);
    statement->paths = bytes + AT_PATHS;
    for (uint64_t p = 0; p < statement->n_paths; p++) {
        if (load_le64(entry(statement, p)) >> statement->depth != 0) {
            return FLOCK_ERR_STATEMENT;
        }
    }
    return FLOCK_OK;
}

static bool public_equal(const flock_statement *a, const flock_statement *b)
{
    return a->depth == b->depth && a->n_paths == b->n_paths && memcmp(a->root, b->root, 32) == 0 &&
           a->paths != NULL && b->paths != NULL &&
           memcmp(a->paths, b->paths, (size_t)a->n_paths * entry_bytes(a)) == 0;
}

const struct relation merkle_relation = {
    .name = "merkle",
    .circuits = 1 << FLOCK_SHA256,
    .section = "path links",
    .width = MERKLE_WIDTH,
    .extra_rounds = MERKLE_EXTRA_ROUNDS,
    .size = size,
    .encode = encode,
    .decode = decode,
    .public_equal = public_equal,
    .verify = merkle_verify,
};
