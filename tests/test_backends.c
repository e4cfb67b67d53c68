/*
 * Every backend against the portable one on whole proofs of random statements: relation, hash,
 * layout, profile, count, number of threads, with and without buffers kept from the proof before.
 * The bytes must be the same, and every backend must accept them.
 */
#include "support/support.h"

#include <flock/merkle.h>
#include <flock/prove.h>
#include <flock/verify.h>

enum {
    STATEMENTS = SANITIZED ? 8 : 40,
    MAX_COUNT = 40,
    MAX_INPUT = sizeof(flock_keccak_input),
    MAX_MESSAGE = 2000,
    DEPTH = 4
};

struct statement {
    flock_relation relation;
    flock_circuit circuit;
    flock_layout layout;
    flock_profile profile;
    uint64_t count;
    uint64_t seed;
    uint8_t data[MAX_COUNT * MAX_INPUT]; /* inputs, message or leaves */
};

struct proof {
    uint8_t *bytes;
    size_t len;
};

static uint64_t below(struct splitmix *random, uint64_t n)
{
    return splitmix_next(random) % n;
}

static void random_statement(struct statement *s, struct splitmix *random)
{
    *s = (struct statement){.relation = (flock_relation)below(random, 4),
                            .circuit = (flock_circuit)below(random, 4),
                            .layout = (flock_layout)below(random, 2),
                            .profile = (flock_profile)below(random, 3),
                            .count = 1 + below(random, MAX_COUNT),
                            .seed = splitmix_next(random)};
    for (size_t i = 0; i < sizeof s->data; i += 8) {
        uint64_t word = splitmix_next(random);
        memcpy(s->data + i, &word, 8);
    }
    /* Three evaluations of Keccak in an instance are batches, in the order of rows. */
    if (s->circuit == FLOCK_KECCAK3) {
        s->relation = FLOCK_BATCH;
        s->layout = FLOCK_ROW_MAJOR;
    }
}

static flock_status prove_paths(const struct statement *s, const flock_options *options,
                                struct proof *proof)
{
    uint8_t nodes[(2 << DEPTH) - 1][32], siblings[MAX_COUNT][DEPTH][32];
    flock_merkle_path paths[MAX_COUNT];
    memcpy(nodes, s->data, sizeof nodes);
    flock_merkle_tree(nodes[0], DEPTH);
    for (size_t i = 0; i < s->count; i++) {
        uint64_t index = (s->seed + 7 * i) % (1 << DEPTH);
        flock_merkle_siblings(nodes[0], DEPTH, index, siblings[i][0]);
        paths[i] = (flock_merkle_path){.index = index, .siblings = siblings[i][0]};
        memcpy(paths[i].leaf, nodes[index], 32);
    }
    const flock_merkle merkle = {.layout = s->layout,
                                 .profile = s->profile,
                                 .depth = DEPTH,
                                 .root = nodes[(2 << DEPTH) - 2],
                                 .n_paths = s->count,
                                 .paths = paths};
    return flock_prove_merkle(&merkle, options, &proof->bytes, &proof->len, NULL);
}

static flock_status prove(const struct statement *s, const flock_options *options,
                          struct proof *proof)
{
    const flock_batch batch = {.circuit = s->circuit,
                               .layout = s->layout,
                               .profile = s->profile,
                               .count = s->count,
                               .inputs = s->data};
    const flock_chain chain = {.circuit = s->circuit,
                               .layout = s->layout,
                               .profile = s->profile,
                               .steps = s->count,
                               .seed = s->seed};
    const flock_digest digest = {.layout = s->layout,
                                 .profile = s->profile,
                                 .message_bytes = s->seed % MAX_MESSAGE,
                                 .message = s->data};
    switch (s->relation) {
    case FLOCK_BATCH:
        return flock_prove_batch(&batch, options, &proof->bytes, &proof->len, NULL);
    case FLOCK_CHAIN:
        return flock_prove_chain(&chain, options, &proof->bytes, &proof->len, NULL);
    case FLOCK_DIGEST:
        return flock_prove_digest(&digest, options, &proof->bytes, &proof->len, NULL);
    default:
        return prove_paths(s, options, proof);
    }
}

static void assert_same_everywhere(const struct statement *s, flock_prover *prover,
                                   struct splitmix *random)
{
    struct proof expected;
    flock_statement statement;
    assert_int_equal(flock_backend_select("portable"), FLOCK_OK);
    assert_int_equal(prove(s, &(flock_options){.threads = 1}, &expected), FLOCK_OK);
    const char *name;
    for (size_t b = 0; (name = flock_backend_available(b)) != NULL; b++) {
        const flock_options options = {.threads = 1 + (unsigned)below(random, 2),
                                       .prover = below(random, 2) == 0 ? prover : NULL};
        struct proof proof;
        assert_int_equal(flock_backend_select(name), FLOCK_OK);
        assert_int_equal(prove(s, &options, &proof), FLOCK_OK);
        if (proof.len != expected.len || memcmp(proof.bytes, expected.bytes, proof.len) != 0) {
            fail_msg("%s: relation %d, circuit %d, layout %d, profile %d, count %llu, %u threads",
                     name, (int)s->relation, (int)s->circuit, (int)s->layout, (int)s->profile,
                     (unsigned long long)s->count, options.threads);
        }
        assert_int_equal(flock_verify(proof.bytes, proof.len, &statement), FLOCK_OK);
        /* A false proof is false everywhere. */
        proof.bytes[proof.len - 1 - below(random, proof.len / 2)] ^= 1;
        assert_int_not_equal(flock_verify(proof.bytes, proof.len, &statement), FLOCK_OK);
        flock_free(proof.bytes);
    }
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    flock_free(expected.bytes);
}

static void test_random_statements(void **state)
{
    (void)state;
    static struct statement statement;
    struct splitmix random = {20};
    unsigned relations = 0;
    flock_prover *prover = flock_prover_create();
    assert_non_null(prover);
    for (int i = 0; i < STATEMENTS; i++) {
        random_statement(&statement, &random);
        relations |= 1U << statement.relation;
        assert_same_everywhere(&statement, prover, &random);
    }
    assert_int_equal(relations, 15);
    flock_prover_destroy(prover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
