/* The verifier's journey: one page. */
#include <flock/verify.h>

#include <stdlib.h>

#include "wire/proof_file.h"

static flock_status verify_file(const struct proof_file *file, const void *domain,
                                size_t domain_len)
{
    const struct setup *setup = &file->setup;
    const struct proof *proof = &file->proof;
    struct claims claims = {.n_quirky = 2};
    struct zerocheck_result zerocheck;
    struct transcript t;

    statement_begin(&t, &file->statement, setup, file->root, domain, domain_len);
    flock_status status =
        zerocheck_verify(&t, setup->m, &proof->zerocheck, &zerocheck, &claims.quirky[CLAIM_C]);
    if (status != FLOCK_OK) {
        return status;
    }
    gf128 *scratch = malloc(((size_t)2 << setup->shape.k_log) * sizeof *scratch);
    if (scratch == NULL) {
        return FLOCK_ERR_MEMORY;
    }
    status = lincheck_verify(&t, setup->circuit, &setup->shape, &zerocheck, &proof->lincheck,
                             &claims.quirky[CLAIM_AB], scratch);
    free(scratch);
    if (status == FLOCK_OK) {
        const struct relation *relation = relation_of(file->statement.relation);
        status = relation->verify(&t, &file->statement, setup, &proof->glue, &claims);
    }
    if (status == FLOCK_OK) {
        status = opening_verify(&t, &setup->params, file->root, &claims, &proof->opening);
    }
    return status;
}

flock_status flock_verify(const uint8_t *proof, size_t proof_len, flock_statement *statement)
{
    struct proof_file file;
    flock_status status = proof_file_read(proof, proof_len, &file, NULL);
    *statement = file.statement;
    if (status != FLOCK_OK) {
        return status;
    }
    return verify_file(&file, REFERENCE_CHAIN_DOMAIN, sizeof REFERENCE_CHAIN_DOMAIN - 1);
}

static bool statements_equal(const flock_statement *a, const flock_statement *b)
{
    return a->format == b->format && a->relation == b->relation && a->circuit == b->circuit &&
           a->layout == b->layout && a->profile == b->profile && a->count == b->count &&
           relation_of(a->relation)->public_equal(a, b);
}

flock_status flock_verify_expect(const uint8_t *proof, size_t proof_len,
                                 const flock_statement *expected)
{
    flock_statement statement;
    flock_status status = flock_verify(proof, proof_len, &statement);
    if (status == FLOCK_OK && !statements_equal(&statement, expected)) {
        return FLOCK_ERR_STATEMENT;
    }
    return status;
}

flock_status flock_verify_reference(const uint8_t *proof, size_t proof_len,
                                    const flock_statement *expected, const void *domain,
                                    size_t domain_len)
{
    struct proof_file file;
    flock_status status = proof_file_read_reference(proof, proof_len, expected, &file, NULL);
    if (status == FLOCK_OK &&
        !relation_of(expected->relation)->public_equal(&file.statement, expected)) {
        status = FLOCK_ERR_STATEMENT;
    }
    return status == FLOCK_OK ? verify_file(&file, domain, domain_len) : status;
}

flock_status flock_read_statement(const uint8_t *proof, size_t proof_len,
                                  flock_statement *statement)
{
    return proof_file_read_statement(proof, proof_len, statement);
}

flock_status flock_proof_sections(const uint8_t *proof, size_t proof_len, flock_section *sections,
                                  size_t *n_sections)
{
    struct proof_file file;
    struct section_list list = {.n = 0};
    flock_status status = proof_file_read(proof, proof_len, &file, &list);
    if (status != FLOCK_OK) {
        return status;
    }
    size_t n = list.n < *n_sections ? list.n : *n_sections;
    memcpy(sections, list.item, n * sizeof *sections);
    *n_sections = n;
    return FLOCK_OK;
}
