#include "wire/proof_file.h"

static const char native_prefix[7] = {'F', 'L', 'O', 'C', 'K', 'C', 1};
static const char reference_magic[5] = {'F', 'L', 'O', 'C', 'K'};

enum { REFERENCE_VERSION = 4 };

/*
 * A cursor over untrusted bytes. After the first failure every read returns zeros and the status
 * stays, so a reader may go on to the end of a fixed-size part and look at the status once.
 */
struct reader {
    const uint8_t *start, *next, *end;
    flock_status status;
    struct section_list *sections;
};

static void fail(struct reader *r, flock_status status)
{
    if (r->status == FLOCK_OK) {
        r->status = status;
        r->next = r->end;
    }
}

/* `len` bytes of the input, or NULL after a failure. */
static const uint8_t *take(struct reader *r, size_t len)
{
    if ((size_t)(r->end - r->next) < len) {
        fail(r, FLOCK_ERR_TRUNCATED);
        return NULL;
    }
    const uint8_t *bytes = r->next;
    r->next += len;
    return r->status == FLOCK_OK ? bytes : NULL;
}

static uint32_t take_u32(struct reader *r)
{
    const uint8_t *p = take(r, 4);
    return p == NULL ? 0 : load_le32(p);
}

static uint64_t take_u64(struct reader *r)
{
    const uint8_t *p = take(r, 8);
    return p == NULL ? 0 : load_le64(p);
}

static void take_bytes(struct reader *r, uint8_t *out, size_t len)
{
    const uint8_t *p = take(r, len);
    if (p != NULL) {
        memcpy(out, p, len);
    } else {
        memset(out, 0, len);
    }
}

static gf128 take_element(struct reader *r)
{
    const uint8_t *p = take(r, 16);
    return p == NULL ? GF128_ZERO : gf128_load(p);
}

static void take_elements(struct reader *r, gf128 *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = take_element(r);
    }
}

/* A count that must be what the statement implies. */
static void take_count(struct reader *r, uint64_t expected)
{
    if (take_u64(r) != expected) {
        fail(r, FLOCK_ERR_SHAPE);
    }
}

static void take_vector(struct reader *r, gf128 *out, size_t n)
{
    take_count(r, n);
    take_elements(r, out, n);
}

static void take_pairs(struct reader *r, gf128 (*out)[2], size_t n)
{
    take_count(r, n);
    take_elements(r, out[0], 2 * n);
}

static void take_nonces(struct reader *r, uint64_t *out, size_t n)
{
    take_count(r, n);
    for (size_t i = 0; i < n; i++) {
        out[i] = take_u64(r);
    }
}

/* Ends the previous part of the file and starts one called `name` (NULL: none). */
static void begin_section(struct reader *r, const char *name)
{
    struct section_list *list = r->sections;
    if (list == NULL || r->status != FLOCK_OK) {
        return;
    }
    size_t offset = (size_t)(r->next - r->start);
    if (list->n > 0) {
        flock_section *last = &list->item[list->n - 1];
        last->bytes = offset - last->offset;
    }
    if (name != NULL && list->n < MAX_SECTIONS) {
        list->item[list->n++] = (flock_section){.name = name, .offset = offset};
    }
}

static void read_zerocheck(struct reader *r, unsigned m, struct zerocheck_proof *proof)
{
    begin_section(r, "zerocheck");
    take_vector(r, proof->round1_ab, 64);
    take_vector(r, proof->round1_c, 64);
    take_pairs(r, proof->rounds, m - 6);
    proof->v_a = take_element(r);
    proof->v_b = take_element(r);
    proof->v_c = take_element(r);
}

static void read_lincheck(struct reader *r, unsigned k_log, struct lincheck_proof *proof)
{
    begin_section(r, "lincheck");
    take_pairs(r, proof->rounds, k_log - 6);
    take_vector(r, proof->z_partial, 64);
}

static void read_glue(struct reader *r, const struct relation *relation, unsigned n_log,
                      struct glue_proof *proof)
{
    if (relation->width == 0) {
        return;
    }
    begin_section(r, relation->section);
    unsigned rounds = glue_rounds(relation, n_log);
    take_count(r, rounds);
    take_elements(r, proof->rounds, (size_t)rounds * relation->width);
    proof->g = take_element(r);
}

static void read_rows(struct reader *r, const struct level_params *level,
                      struct opened_level *opened)
{
    take_count(r, level->Q);
    size_t stride = opened_row_stride(level);
    opened->rows = take(r, level->Q * stride);
    for (size_t t = 0; opened->rows != NULL && t < level->Q; t++) {
        if (load_le64(opened->rows + t * stride) != (uint64_t)1 << level->k) {
            fail(r, FLOCK_ERR_SHAPE);
            opened->rows = NULL;
        }
    }
}

static void read_hashes(struct reader *r, struct opened_level *opened)
{
    uint64_t n = take_u64(r);
    if (n > (size_t)(r->end - r->next) / 32) {
        fail(r, FLOCK_ERR_TRUNCATED);
        n = 0;
    }
    opened->n_hashes = (size_t)n;
    opened->hashes = take(r, (size_t)n * 32);
}

static void read_ligerito(struct reader *r, const struct pcs_params *params,
                          struct ligerito_proof *proof)
{
    unsigned R = params->R;
    begin_section(r, "opening: level 0");
    take_bytes(r, proof->roots[0], 32);
    if (R == 0) {
        take_count(r, 0);
        take_count(r, 0);
    } else {
        read_rows(r, &params->level[0], &proof->opened[0]);
        read_hashes(r, &proof->opened[0]);
    }
    begin_section(r, "opening: recursive levels");
    take_count(r, R);
    for (unsigned i = 1; i <= R; i++) {
        take_bytes(r, proof->roots[i], 32);
    }
    take_count(r, R == 0 ? 0 : R - 1);
    for (unsigned i = 1; i < R; i++) {
        read_rows(r, &params->level[i], &proof->opened[i]);
        read_hashes(r, &proof->opened[i]);
    }
    begin_section(r, "opening: last level");
    take_vector(r, proof->residual, (size_t)1 << params->y);
    read_rows(r, &params->level[R], &proof->opened[R]);
    read_hashes(r, &proof->opened[R]);
    begin_section(r, "opening: sumcheck and nonces");
    take_pairs(r, proof->messages, params_n_messages(params));
    take_nonces(r, proof->query_nonces, R + 1);
    take_vector(r, proof->ood_values, params_n_ood(params));
    take_nonces(r, proof->fold_nonces, params_n_fold_nonces(params));
}

static void read_body(struct reader *r, struct proof_file *file)
{
    const struct setup *setup = &file->setup;
    struct proof *proof = &file->proof;
    read_zerocheck(r, setup->m, &proof->zerocheck);
    read_lincheck(r, setup->shape.k_log, &proof->lincheck);
    read_glue(r, relation_of(file->statement.relation), setup->shape.n_log, &proof->glue);
    begin_section(r, "ring switching");
    take_count(r, 2);
    take_vector(r, proof->opening.ring_switch[0].s, 128);
    take_vector(r, proof->opening.ring_switch[1].s, 128);
    read_ligerito(r, &setup->params, &proof->opening.ligerito);
}

static flock_status finish(struct reader *r)
{
    begin_section(r, NULL);
    if (r->status == FLOCK_OK && r->next != r->end) {
        r->status = FLOCK_ERR_TRAILING;
    }
    return r->status;
}

/* ---- native ---- */

static void read_native_statement(struct reader *r, flock_statement *statement, struct setup *setup)
{
    begin_section(r, "header and statement");
    take(r, sizeof native_prefix);
    uint32_t len = take_u32(r);
    const uint8_t *bytes = take(r, len);
    if (bytes != NULL) {
        flock_status status = statement_decode(bytes, len, statement, setup);
        if (status != FLOCK_OK) {
            fail(r, status == FLOCK_ERR_UNSUPPORTED ? status : FLOCK_ERR_STATEMENT);
        }
    }
}

static flock_status read_native(struct reader *r, struct proof_file *file)
{
    read_native_statement(r, &file->statement, &file->setup);
    if (r->status != FLOCK_OK) {
        return r->status;
    }
    begin_section(r, "commitment");
    take_bytes(r, file->root, 32);
    read_body(r, file);
    return finish(r);
}

/* ---- reference ---- */

/* Root, then m, log_inv_rate, log_batch_size and profile (spec 02, 2.7.3). */
struct commitment {
    uint8_t root[32];
    uint64_t m, log_inv_rate, log_batch_size;
    uint32_t profile;
};

static void read_commitment(struct reader *r, struct commitment *c)
{
    begin_section(r, "commitment");
    take_bytes(r, c->root, 32);
    c->m = take_u64(r);
    c->log_inv_rate = take_u64(r);
    c->log_batch_size = take_u64(r);
    c->profile = take_u32(r);
    if (c->profile > FLOCK_SECURE) {
        fail(r, FLOCK_ERR_SHAPE);
    }
}

/* All four header fields must be the statement's: spec 03, 3.10 S3. */
static void check_commitment(struct reader *r, const struct commitment *c,
                             const flock_statement *statement, const struct setup *setup)
{
    const struct level_params *level = &setup->params.level[0];
    if (c->m != setup->m || c->log_inv_rate != level->r || c->log_batch_size != level->k ||
        c->profile != (uint32_t)statement->profile) {
        fail(r, FLOCK_ERR_SHAPE);
    }
}

/* One endpoint: u64 region_bits, then a byte 0 or 1 for each bit. */
static void read_endpoint(struct reader *r, const struct circuit *circuit, uint8_t *value)
{
    memset(value, 0, FLOCK_MAX_REGION_BYTES);
    take_count(r, circuit->region_bits);
    const uint8_t *bits = take(r, circuit->region_bits);
    for (unsigned p = 0; bits != NULL && p < circuit->region_bits; p++) {
        if (bits[p] > 1) {
            fail(r, FLOCK_ERR_SHAPE);
            return;
        }
        value[p / 8] |= (uint8_t)(bits[p] << (p % 8));
    }
}

static unsigned read_reference_header(struct reader *r)
{
    begin_section(r, "header");
    take(r, sizeof reference_magic);
    const uint8_t *p = take(r, 2);
    if (p == NULL) {
        return 0;
    }
    if (p[0] != REFERENCE_VERSION || (p[1] != FLAVOUR_R1CS && p[1] != FLAVOUR_CHAIN)) {
        fail(r, FLOCK_ERR_VERSION);
    }
    return p[1];
}

/* What follows the flavour byte of a file about file->statement, whose setup is derived. */
static flock_status read_reference_rest(struct reader *r, const struct commitment *c,
                                        struct proof_file *file)
{
    check_commitment(r, c, &file->statement, &file->setup);
    memcpy(file->root, c->root, 32);
    if (r->status == FLOCK_OK) {
        read_body(r, file);
    }
    if (relation_of(file->statement.relation)->reference_flavour == FLAVOUR_CHAIN) {
        begin_section(r, "endpoints");
        read_endpoint(r, file->setup.circuit, file->statement.start);
        read_endpoint(r, file->setup.circuit, file->statement.end);
    }
    return finish(r);
}

static flock_status read_reference_chain(struct reader *r, struct proof_file *file)
{
    unsigned flavour = read_reference_header(r);
    if (r->status == FLOCK_OK && flavour != FLAVOUR_CHAIN) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    uint32_t hash = take_u32(r);
    struct commitment c;
    read_commitment(r, &c);
    if (r->status == FLOCK_OK && hash > FLOCK_KECCAK) {
        fail(r, FLOCK_ERR_SHAPE);
    }
    if (r->status != FLOCK_OK) {
        return r->status;
    }
    const struct circuit *circuit = circuit_of((flock_circuit)hash);
    if (circuit == NULL) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    if (c.m > MAX_LOG_BITS || c.m < circuit->k_log) {
        return FLOCK_ERR_SHAPE;
    }
    flock_statement statement = {
        .format = FLOCK_REFERENCE,
        .relation = FLOCK_CHAIN,
        .circuit = (flock_circuit)hash,
        .layout = FLOCK_ROW_MAJOR,
        .profile = (flock_profile)c.profile,
        .count = (uint64_t)1 << (c.m - circuit->k_log),
    };
    if (statement_setup(&statement, &file->setup) != FLOCK_OK) {
        return FLOCK_ERR_SHAPE;
    }
    file->statement = statement;
    return read_reference_rest(r, &c, file);
}

/* Everything before the commitment: it must be what the statement says. */
static void read_reference_kind(struct reader *r, unsigned flavour, flock_circuit circuit)
{
    if (flavour == FLAVOUR_NONE) {
        return;
    }
    size_t len = (size_t)(r->end - r->next);
    if (len >= sizeof reference_magic &&
        memcmp(r->next, reference_magic, sizeof reference_magic) != 0) {
        fail(r, FLOCK_ERR_MAGIC);
    }
    if (read_reference_header(r) != flavour) {
        fail(r, FLOCK_ERR_VERSION);
    }
    if (flavour == FLAVOUR_CHAIN && take_u32(r) != (uint32_t)circuit) {
        fail(r, FLOCK_ERR_SHAPE);
    }
}

flock_status proof_file_read_reference(const uint8_t *bytes, size_t len,
                                       const flock_statement *expected, struct proof_file *file,
                                       struct section_list *sections)
{
    memset(&file->statement, 0, sizeof file->statement);
    flock_statement statement = *expected;
    statement.format = FLOCK_REFERENCE;
    flock_status status = statement_setup(&statement, &file->setup);
    if (status != FLOCK_OK) {
        return status;
    }
    struct reader r = {.start = bytes, .next = bytes, .end = bytes + len, .sections = sections};
    read_reference_kind(&r, relation_of(statement.relation)->reference_flavour, statement.circuit);
    struct commitment c;
    read_commitment(&r, &c);
    if (r.status != FLOCK_OK) {
        return r.status;
    }
    file->statement = statement;
    return read_reference_rest(&r, &c, file);
}

/* ---- either ---- */

static bool is_native(const uint8_t *bytes, size_t len)
{
    return len >= 6 && memcmp(bytes, native_prefix, 6) == 0;
}

/* Magic and version of a native file; the status of a file that is neither format. */
static flock_status check_magic(const uint8_t *bytes, size_t len)
{
    size_t n = len < sizeof reference_magic ? len : sizeof reference_magic;
    if (n > 0 && memcmp(bytes, reference_magic, n) != 0) {
        return FLOCK_ERR_MAGIC;
    }
    if (len < sizeof native_prefix) {
        return FLOCK_ERR_TRUNCATED;
    }
    if (is_native(bytes, len) && bytes[6] != native_prefix[6]) {
        return FLOCK_ERR_VERSION;
    }
    return FLOCK_OK;
}

flock_status proof_file_read(const uint8_t *bytes, size_t len, struct proof_file *file,
                             struct section_list *sections)
{
    memset(&file->statement, 0, sizeof file->statement);
    flock_status status = check_magic(bytes, len);
    if (status != FLOCK_OK) {
        return status;
    }
    struct reader r = {.start = bytes, .next = bytes, .end = bytes + len, .sections = sections};
    return is_native(bytes, len) ? read_native(&r, file) : read_reference_chain(&r, file);
}

flock_status proof_file_read_statement(const uint8_t *bytes, size_t len, flock_statement *statement)
{
    memset(statement, 0, sizeof *statement);
    flock_status status = check_magic(bytes, len);
    if (status != FLOCK_OK) {
        return status;
    }
    struct reader r = {.start = bytes, .next = bytes, .end = bytes + len};
    if (is_native(bytes, len)) {
        struct setup setup;
        read_native_statement(&r, statement, &setup);
        return r.status;
    }
    struct proof_file file;
    memset(&file.statement, 0, sizeof file.statement);
    status = read_reference_chain(&r, &file);
    *statement = file.statement;
    return status;
}
