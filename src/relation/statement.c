#include "relation/statement.h"

#include "relation/relation.h"

static const char native_magic[6] = {'F', 'L', 'O', 'C', 'K', 'C'};

enum { NATIVE_VERSION = 1, REFERENCE_MIN_LOG_BITS = 22, LAST_RELATION = FLOCK_MERKLE };

size_t flock_region_bytes(flock_circuit which)
{
    const struct circuit *circuit = circuit_of(which);
    return circuit == NULL || circuit->region_log == 0 ? 0 : circuit->region_bits / 8;
}

const char *flock_circuit_name(flock_circuit which)
{
    const struct circuit *circuit = circuit_of(which);
    return circuit == NULL ? "unknown" : circuit->name;
}

const char *flock_relation_name(flock_relation which)
{
    return (unsigned)which <= LAST_RELATION ? relation_of(which)->name : "unknown";
}

const char *flock_profile_name(flock_profile profile)
{
    switch (profile) {
    case FLOCK_FAST:
        return "fast";
    case FLOCK_SLIM:
        return "slim";
    case FLOCK_SECURE:
        return "secure";
    }
    return "unknown";
}

const char *flock_layout_name(flock_layout layout)
{
    switch (layout) {
    case FLOCK_ROW_MAJOR:
        return "row-major";
    case FLOCK_BATCH_MAJOR:
        return "batch-major";
    }
    return "unknown";
}

unsigned flock_statement_log_bits(const flock_statement *statement)
{
    struct setup setup;
    return statement_setup(statement, &setup) == FLOCK_OK ? setup.m : 0;
}

unsigned flock_statement_security_bits(const flock_statement *statement)
{
    struct setup setup;
    if (statement_setup(statement, &setup) != FLOCK_OK) {
        return 0;
    }
    if (statement->profile != FLOCK_SECURE) {
        return 100;
    }
    /* The reference's schedule leaves its weakest fold at 115 bits: spec 03, 3.10 S1. */
    return statement->format == FLOCK_REFERENCE ? 115 : 120;
}

static bool enumerators_valid(const flock_statement *s)
{
    return (unsigned)s->format <= FLOCK_REFERENCE && (unsigned)s->relation <= LAST_RELATION &&
           (unsigned)s->circuit <= FLOCK_KECCAK3 && (unsigned)s->layout <= FLOCK_BATCH_MAJOR &&
           (unsigned)s->profile <= FLOCK_SECURE;
}

flock_status statement_setup(const flock_statement *s, struct setup *setup)
{
    if (!enumerators_valid(s)) {
        return FLOCK_ERR_ARGUMENT;
    }
    const struct circuit *circuit = circuit_of(s->circuit);
    const struct relation *relation = relation_of(s->relation);
    if (circuit == NULL || (relation->circuits >> s->circuit & 1) == 0 ||
        (s->circuit == FLOCK_KECCAK3 && s->layout != FLOCK_ROW_MAJOR)) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    unsigned n_log;
    flock_status status = relation->size(s, circuit, &n_log);
    if (status != FLOCK_OK) {
        return status;
    }
    unsigned m = circuit->k_log + n_log;
    if (s->format == FLOCK_REFERENCE && m < REFERENCE_MIN_LOG_BITS) {
        return FLOCK_ERR_ARGUMENT;
    }
    setup->circuit = circuit;
    setup->shape = (struct shape){.layout = s->layout, .k_log = circuit->k_log, .n_log = n_log};
    setup->m = m;
    return params_get(&setup->params, s->format, m, s->profile);
}

/* ---- encoding ---- */

/* Where the fields of the head stand; 8 bytes a level and y follow, then the public data. */
enum {
    AT_VERSION = 6,
    AT_RELATION = 7,
    AT_CIRCUIT = 8,
    AT_LAYOUT = 9,
    AT_PROFILE = 10,
    AT_CIRCUIT_ID = 11,
    AT_COUNT = 43,
    AT_M = 51,
    AT_R = 52,
    AT_LEVELS = 53,
    LEVEL_BYTES = 8,
    MAX_HEAD_BYTES = AT_LEVELS + LEVEL_BYTES * MAX_LEVELS + 1
};

static size_t head_bytes(unsigned R)
{
    return AT_LEVELS + LEVEL_BYTES * ((size_t)R + 1) + 1;
}

static size_t encode_head(const flock_statement *s, const struct setup *setup,
                          uint8_t out[MAX_HEAD_BYTES])
{
    memcpy(out, native_magic, sizeof native_magic);
    out[AT_VERSION] = NATIVE_VERSION;
    out[AT_RELATION] = (uint8_t)s->relation;
    out[AT_CIRCUIT] = (uint8_t)s->circuit;
    out[AT_LAYOUT] = (uint8_t)s->layout;
    out[AT_PROFILE] = (uint8_t)s->profile;
    memcpy(out + AT_CIRCUIT_ID, setup->circuit->id, 32);
    store_le64(out + AT_COUNT, s->count);
    out[AT_M] = (uint8_t)setup->m;
    out[AT_R] = (uint8_t)setup->params.R;
    uint8_t *p = out + AT_LEVELS;
    for (unsigned i = 0; i <= setup->params.R; i++, p += LEVEL_BYTES) {
        const struct level_params *level = &setup->params.level[i];
        p[0] = level->r;
        p[1] = level->c;
        p[2] = level->k;
        store_le16(p + 3, level->Q);
        p[5] = level->g;
        p[6] = level->h;
        p[7] = level->s;
    }
    *p = (uint8_t)setup->params.y;
    return head_bytes(setup->params.R);
}

void statement_encode(const flock_statement *s, const struct setup *setup, byte_sink *sink,
                      void *sink_context)
{
    uint8_t head[MAX_HEAD_BYTES];
    sink(sink_context, head, encode_head(s, setup, head));
    relation_of(s->relation)->encode(s, setup->circuit, sink, sink_context);
}

/* The enumerators and the count; the rest of the head is compared later. */
static flock_status decode_head(const uint8_t *bytes, size_t len, flock_statement *s,
                                size_t *public_at)
{
    if (len < AT_LEVELS) {
        return FLOCK_ERR_TRUNCATED;
    }
    if (memcmp(bytes, native_magic, sizeof native_magic) != 0) {
        return FLOCK_ERR_MAGIC;
    }
    if (bytes[AT_VERSION] != NATIVE_VERSION) {
        return FLOCK_ERR_VERSION;
    }
    *s = (flock_statement){
        .format = FLOCK_NATIVE,
        .relation = (flock_relation)bytes[AT_RELATION],
        .circuit = (flock_circuit)bytes[AT_CIRCUIT],
        .layout = (flock_layout)bytes[AT_LAYOUT],
        .profile = (flock_profile)bytes[AT_PROFILE],
        .count = load_le64(bytes + AT_COUNT),
    };
    *public_at = head_bytes(bytes[AT_R]);
    if (!enumerators_valid(s) || bytes[AT_R] >= MAX_LEVELS) {
        return FLOCK_ERR_STATEMENT;
    }
    return len < *public_at ? FLOCK_ERR_TRUNCATED : FLOCK_OK;
}

struct comparison {
    const uint8_t *next;
    size_t rest;
    bool equal;
};

static void compare(void *context, const void *bytes, size_t len)
{
    struct comparison *c = context;
    c->equal = c->equal && len <= c->rest && (len == 0 || memcmp(c->next, bytes, len) == 0);
    if (c->equal) {
        c->next += len;
        c->rest -= len;
    }
}

static bool encodes_to(const flock_statement *s, const struct setup *setup, const uint8_t *bytes,
                       size_t len)
{
    struct comparison c = {.next = bytes, .rest = len, .equal = true};
    statement_encode(s, setup, compare, &c);
    return c.equal && c.rest == 0;
}

flock_status statement_decode(const uint8_t *bytes, size_t len, flock_statement *s,
                              struct setup *setup)
{
    flock_statement claimed;
    size_t public_at;
    memset(s, 0, sizeof *s);
    flock_status status = decode_head(bytes, len, &claimed, &public_at);
    if (status != FLOCK_OK) {
        return status;
    }
    const struct relation *relation = relation_of(claimed.relation);
    const struct circuit *circuit = circuit_of(claimed.circuit);
    if (circuit == NULL || (relation->circuits >> claimed.circuit & 1) == 0) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    status = relation->decode(bytes + public_at, len - public_at, circuit, &claimed);
    if (status != FLOCK_OK) {
        return status;
    }
    status = statement_setup(&claimed, setup);
    if (status != FLOCK_OK) {
        return status == FLOCK_ERR_UNSUPPORTED ? status : FLOCK_ERR_STATEMENT;
    }
    if (!encodes_to(&claimed, setup, bytes, len)) {
        return FLOCK_ERR_STATEMENT;
    }
    *s = claimed;
    return FLOCK_OK;
}

/* ---- transcript ---- */

static void absorb(void *context, const void *bytes, size_t len)
{
    sha256_update(context, bytes, len);
}

void statement_begin(struct transcript *t, const flock_statement *statement,
                     const struct setup *setup, const uint8_t root[32], const void *domain,
                     size_t domain_len)
{
    static const char native_domain[] = "flock-c/1";
    uint8_t digest[32];
    if (statement->format == FLOCK_NATIVE) {
        struct sha256 hash;
        sha256_init(&hash);
        statement_encode(statement, setup, absorb, &hash);
        sha256_digest(&hash, digest);
        transcript_init(t, native_domain, sizeof native_domain - 1);
    } else {
        circuit_reference_digest(statement->circuit, &setup->shape, digest);
        transcript_init(t, domain, domain_len);
    }
    transcript_label(t, "flock-r1cs-v0");
    transcript_bytes(t, digest, sizeof digest);
    transcript_bytes(t, root, 32);
}
