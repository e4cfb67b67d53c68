#include "relation/digest.h"

static flock_status prove(struct prover_context *context, struct transcript *t,
                          const flock_statement *statement, const struct setup *setup,
                          const gf128 *packed_witness, struct glue_proof *proof,
                          struct claims *claims)
{
    struct digest_ends values;
    struct chain_ends ends = digest_chain_ends(statement, &values);
    flock_status status =
        chain_links_prove(context, t, setup, &ends, packed_witness, proof, claims);
    if (status == FLOCK_OK) {
        digest_claims(t, statement, setup, claims);
    }
    return status;
}

const struct relation_prover digest_relation_prover = {.prove = prove,
                                                       .table_bytes = CHAIN_TABLE_BYTES};
