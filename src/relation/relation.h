/*
 * Relations: how the instances of a proof belong together, and what of them is public. A relation
 * is one entry in a table for both sides and one for the prover; nothing else in the code asks
 * which relation a statement has.
 *
 * What a relation proves, it proves with a glue: a sumcheck over folded slots of all instances,
 * after lincheck, whose messages and claims the relation's own header states. In a proof file every
 * glue has the same shape: its rounds, `width` values each, then one value g.
 */
#ifndef FLOCK_RELATION_RELATION_H
#define FLOCK_RELATION_RELATION_H

#include "piop/claims.h"
#include "relation/statement.h"

/* Flavours of reference files (spec 02, 2.7.2). */
enum { FLAVOUR_NONE = 0, FLAVOUR_R1CS = 2, FLAVOUR_CHAIN = 3 };

enum { MAX_GLUE_ROUNDS = MAX_N_LOG + 1, MAX_GLUE_WIDTH = 3 };

/* What the prover sends: round k at rounds + k * width; g, the value of the first direct claim. */
struct glue_proof {
    gf128 rounds[MAX_GLUE_ROUNDS * MAX_GLUE_WIDTH];
    gf128 g;
};

struct relation {
    const char *name;
    unsigned circuits;         /* bit c: the relation exists for circuit c */
    uint8_t reference_flavour; /* FLAVOUR_NONE: no header, commitment and proof only */

    /* The glue: its part of a proof file, values a round (0: no glue), rounds beyond n_log. */
    const char *section;
    unsigned width, extra_rounds;

    /*
     * n_log of a statement with a valid combination of enumerators; checks count and the public
     * values that sizes depend on. Returns FLOCK_ERR_ARGUMENT, FLOCK_ERR_UNSUPPORTED or
     * FLOCK_ERR_TOO_LARGE.
     */
    flock_status (*size)(const flock_statement *statement, const struct circuit *circuit,
                         unsigned *n_log);

    /* The public data of the native encoding (spec 09, 9.2), piece by piece. */
    void (*encode)(const flock_statement *statement, const struct circuit *circuit, byte_sink *sink,
                   void *sink_context);
    /*
     * The inverse; the statement may keep pointers into `bytes`. Checks the length and every value
     * that size() does not; returns FLOCK_ERR_STATEMENT.
     */
    flock_status (*decode)(const uint8_t *bytes, size_t len, const struct circuit *circuit,
                           flock_statement *statement);
    /* Have two statements of this relation and equal circuits the same public values? */
    bool (*public_equal)(const flock_statement *a, const flock_statement *b);

    /* Check the glue and add its claims. Returns FLOCK_OK or FLOCK_REJECT_GLUE. */
    flock_status (*verify)(struct transcript *t, const flock_statement *statement,
                           const struct setup *setup, const struct glue_proof *proof,
                           struct claims *claims);
};

/* The relation of a valid enumerator. */
const struct relation *relation_of(flock_relation which);

static inline unsigned glue_rounds(const struct relation *relation, unsigned n_log)
{
    return relation->width == 0 ? 0 : n_log + relation->extra_rounds;
}

/* The common size rule: n_log = max(3, ceil(log2(slots))) for `count` evaluations. */
flock_status size_by_count(uint64_t count, const struct circuit *circuit, unsigned *n_log);

extern const struct relation batch_relation, chain_relation, digest_relation, merkle_relation;

/* ---- prover ---- */

struct prover_context;

struct relation_prover {
    /* The prover's side of relation.verify. */
    flock_status (*prove)(struct prover_context *context, struct transcript *t,
                          const flock_statement *statement, const struct setup *setup,
                          const gf128 *packed_witness, struct glue_proof *proof,
                          struct claims *claims);
    size_t table_bytes; /* memory of the glue for each instance */
};

const struct relation_prover *relation_prover_of(flock_relation which);

extern const struct relation_prover batch_relation_prover, chain_relation_prover,
    digest_relation_prover, merkle_relation_prover;

#endif
