#include "support/hostile.h"

#include "base/parallel.h"

struct flips {
    const uint8_t *proof;
    size_t len;
    const size_t *positions;
    uint8_t *accepted;
};

static void flip_task(void *context, size_t i)
{
    const struct flips *flips = context;
    size_t position = flips->positions != NULL ? flips->positions[i] : i;
    uint8_t *copy = malloc(flips->len);
    if (copy == NULL) {
        flips->accepted[i] = 1;
        return;
    }
    memcpy(copy, flips->proof, flips->len);
    struct splitmix s = {.state = position};
    copy[position] ^= (uint8_t)(splitmix_next(&s) % 255 + 1);
    flock_statement statement;
    flips->accepted[i] = flock_verify(copy, flips->len, &statement) == FLOCK_OK;
    free(copy);
}

void assert_flips_rejected(const uint8_t *proof, size_t len, const size_t *positions, size_t n)
{
    struct flips flips = {proof, len, positions, calloc(n, 1)};
    assert_non_null(flips.accepted);
    parallel_for(2, n, flip_task, &flips);
    for (size_t i = 0; i < n; i++) {
        if (flips.accepted[i]) {
            fail_msg("a change of byte %zu is accepted", positions != NULL ? positions[i] : i);
        }
    }
    free(flips.accepted);
}

void assert_every_flip_rejected(const uint8_t *proof, size_t len)
{
    size_t *positions = malloc(len * sizeof *positions), n = 0;
    assert_non_null(positions);
    for (size_t i = 0; i < len; i++) {
        if (!SANITIZED || i < 512 || i % 16 == 0) {
            positions[n++] = i;
        }
    }
    assert_flips_rejected(proof, len, positions, n);
    free(positions);
}

void replay_to_glue(const struct proof_file *file, const char *domain, struct transcript *t,
                    struct claims *claims)
{
    const struct setup *setup = &file->setup;
    struct zerocheck_result zerocheck;
    gf128 *scratch = malloc(((size_t)2 << setup->shape.k_log) * sizeof *scratch);
    assert_non_null(scratch);
    *claims = (struct claims){.n_quirky = 2};
    statement_begin(t, &file->statement, setup, file->root, domain, strlen(domain));
    assert_int_equal(
        zerocheck_verify(t, setup->m, &file->proof.zerocheck, &zerocheck, &claims->quirky[CLAIM_C]),
        FLOCK_OK);
    assert_int_equal(lincheck_verify(t, setup->circuit, &setup->shape, &zerocheck,
                                     &file->proof.lincheck, &claims->quirky[CLAIM_AB], scratch),
                     FLOCK_OK);
    free(scratch);
}

void add_invisible(uint8_t value[32], gf128 t, gf128 c)
{
    gf128 delta[2] = {gf128_mul(t, c), gf128_mul(gf128_add(GF128_ONE, t), c)};
    for (size_t i = 0; i < 2; i++) {
        gf128_store(value + 16 * i, gf128_add(gf128_load(value + 16 * i), delta[i]));
    }
}

uint8_t *prove_any_inputs(const flock_statement *statement, const void *inputs, const char *domain,
                          size_t *len)
{
    struct prover_context context;
    test_context_init(&context, 2);
    struct proof_file *file = malloc(sizeof *file);
    assert_non_null(file);
    file->statement = *statement;
    assert_int_equal(statement_setup(statement, &file->setup), FLOCK_OK);
    struct witness witness;
    assert_int_equal(make_witness(&context, &file->setup, circuit_prover_of(statement->circuit),
                                  inputs, &witness),
                     FLOCK_OK);
    assert_int_equal(prove_witness(&context, &witness, domain, strlen(domain), file), FLOCK_OK);
    uint8_t *proof = proof_file_write(file, len);
    assert_non_null(proof);
    free(file);
    test_context_release(&context);
    return proof;
}

flock_status verify_any_inputs(const flock_statement *statement, const void *inputs)
{
    size_t len;
    uint8_t *proof = prove_any_inputs(statement, inputs, "", &len);
    flock_statement read;
    flock_status status = flock_verify(proof, len, &read);
    free(proof);
    return status;
}
