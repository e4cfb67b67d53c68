#include "relation/statement.h"

static const char native_magic[6] = {'F', 'L', 'O', 'C', 'K', 'C'};

enum { NATIVE_VERSION = 1, REFERENCE_MIN_LOG_BITS = 22 };

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
    return (unsigned)s->format <= FLOCK_REFERENCE && (unsigned)s->relation <= FLOCK_CHAIN &&
           (unsigned)s->circuit <= FLOCK_KECCAK3 && (unsigned)s->layout <= FLOCK_BATCH_MAJOR &&
           (unsigned)s->profile <= FLOCK_SECURE;
}

flock_status statement_setup(const flock_statement *s, struct setup *setup)
{
    if (!enumerators_valid(s) || s->count == 0) {
        return FLOCK_ERR_ARGUMENT;
    }
    const struct circuit *circuit = circuit_of(s->circuit);
    if (circuit == NULL || (s->relation == FLOCK_CHAIN && circuit->region_log == 0) ||
        (s->circuit == FLOCK_KECCAK3 && s->layout != FLOCK_ROW_MAJOR)) {
        return FLOCK_ERR_UNSUPPORTED;
    }
    uint64_t slots = s->count / circuit->copies + (s->count % circuit->copies != 0);
    if (slots > (uint64_t)1 << (MAX_LOG_BITS - circuit->k_log)) {
        return FLOCK_ERR_TOO_LARGE;
    }
    unsigned n_log = 3;
    while (((uint64_t)1 << n_log) < slots) {
        n_log++;
    }
    unsigned m = circuit->k_log + n_log;
    if (s->format == FLOCK_REFERENCE &&
        (m < REFERENCE_MIN_LOG_BITS ||
         (s->relation == FLOCK_CHAIN && slots != (uint64_t)1 << n_log))) {
        return FLOCK_ERR_ARGUMENT;
    }
    setup->circuit = circuit;
    setup->shape = (struct shape){.layout = s->layout, .k_log = circuit->k_log, .n_log = n_log};
    setup->m = m;
    return params_get(&setup->params, s->format, m, s->profile);
}

size_t statement_encode(const flock_statement *s, const struct setup *setup,
                        uint8_t out[MAX_STATEMENT_BYTES])
{
    uint8_t *p = out;
    memcpy(p, native_magic, sizeof native_magic);
    p += sizeof native_magic;
    *p++ = NATIVE_VERSION;
    *p++ = (uint8_t)s->relation;
    *p++ = (uint8_t)s->circuit;
    *p++ = (uint8_t)s->layout;
    *p++ = (uint8_t)s->profile;
    memcpy(p, setup->circuit->id, 32);
    p += 32;
    store_le64(p, s->count);
    p += 8;
    *p++ = (uint8_t)setup->m;
    *p++ = (uint8_t)setup->params.R;
    for (unsigned i = 0; i <= setup->params.R; i++) {
        const struct level_params *level = &setup->params.level[i];
        *p++ = level->r;
        *p++ = level->c;
        *p++ = level->k;
        store_le16(p, level->Q);
        p += 2;
        *p++ = level->g;
        *p++ = level->h;
        *p++ = level->s;
    }
    *p++ = (uint8_t)setup->params.y;
    if (s->relation == FLOCK_CHAIN) {
        size_t region = setup->circuit->region_bits / 8;
        memcpy(p, s->start, region);
        memcpy(p + region, s->end, region);
        p += 2 * region;
    }
    return (size_t)(p - out);
}

flock_status statement_decode(const uint8_t *bytes, size_t len, flock_statement *s,
                              struct setup *setup)
{
    enum { RELATION = 7, COUNT = 43, FIXED_BYTES = COUNT + 8 };
    memset(s, 0, sizeof *s);
    if (len < FIXED_BYTES) {
        return FLOCK_ERR_TRUNCATED;
    }
    if (memcmp(bytes, native_magic, sizeof native_magic) != 0) {
        return FLOCK_ERR_MAGIC;
    }
    if (bytes[6] != NATIVE_VERSION) {
        return FLOCK_ERR_VERSION;
    }
    flock_statement claimed = {
        .format = FLOCK_NATIVE,
        .relation = (flock_relation)bytes[RELATION],
        .circuit = (flock_circuit)bytes[RELATION + 1],
        .layout = (flock_layout)bytes[RELATION + 2],
        .profile = (flock_profile)bytes[RELATION + 3],
        .count = load_le64(bytes + COUNT),
    };
    flock_status status = statement_setup(&claimed, setup);
    if (status != FLOCK_OK) {
        return status == FLOCK_ERR_UNSUPPORTED ? status : FLOCK_ERR_STATEMENT;
    }
    if (claimed.relation == FLOCK_CHAIN) {
        size_t region = setup->circuit->region_bits / 8;
        if (len < FIXED_BYTES + 2 * region) {
            return FLOCK_ERR_TRUNCATED;
        }
        memcpy(claimed.start, bytes + len - 2 * region, region);
        memcpy(claimed.end, bytes + len - region, region);
    }
    uint8_t canonical[MAX_STATEMENT_BYTES];
    size_t canonical_len = statement_encode(&claimed, setup, canonical);
    if (canonical_len != len || memcmp(canonical, bytes, len) != 0) {
        return FLOCK_ERR_STATEMENT;
    }
    *s = claimed;
    return FLOCK_OK;
}

void statement_begin(struct transcript *t, const flock_statement *statement,
                     const struct setup *setup, const uint8_t root[32], const void *domain,
                     size_t domain_len)
{
    static const char native_domain[] = "flock-c/1";
    uint8_t digest[32];
    if (statement->format == FLOCK_NATIVE) {
        uint8_t encoded[MAX_STATEMENT_BYTES];
        size_t len = statement_encode(statement, setup, encoded);
        sha256(digest, encoded, len);
        transcript_init(t, native_domain, sizeof native_domain - 1);
    } else {
        circuit_reference_digest(statement->circuit, &setup->shape, digest);
        transcript_init(t, domain, domain_len);
    }
    transcript_label(t, "flock-r1cs-v0");
    transcript_bytes(t, digest, sizeof digest);
    transcript_bytes(t, root, 32);
}
