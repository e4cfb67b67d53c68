/*
 * Provers that deviate: a false witness, link, endpoint, constant wire or padding, proved with the
 * honest algorithms. The verifier must reject each, at the check that is there for it.
 */
#include "support/support.h"

#include <flock/verify.h>

#include "prover.h"
#include "relation/inputs.h"

enum {
    STEPS = 5,
    SLOTS = 8,
    WORDS = 256 /* of a BLAKE3 instance */
};

struct cheat {
    flock_layout layout;
    void (*inputs)(flock_blake3_input *inputs);
    void (*witness)(const struct witness *witness);
    void (*statement)(flock_statement *statement);
};

/* Index of word w (64 bits) of an instance. */
static size_t word_index(const struct witness *witness, size_t instance, size_t w)
{
    return 2 * element_index(&witness->shape, instance, w / 2) + w % 2;
}

static flock_status prove_and_verify(const struct cheat *cheat)
{
    struct prover_context context;
    test_context_init(&context, 1);
    flock_chain chain = {.steps = STEPS, .layout = cheat->layout, .seed = 3};
    static struct proof_file file;
    file.statement = (flock_statement){
        .relation = FLOCK_CHAIN, .layout = cheat->layout, .profile = FLOCK_SLIM, .count = STEPS};
    assert_int_equal(statement_setup(&file.statement, &file.setup), FLOCK_OK);

    flock_blake3_input inputs[SLOTS];
    chain_inputs(&chain, SLOTS, inputs, file.statement.start, file.statement.end);
    if (cheat->inputs != NULL) {
        cheat->inputs(inputs);
    }
    struct witness witness;
    assert_int_equal(
        make_witness(&context, &file.setup, circuit_prover_of(FLOCK_BLAKE3), inputs, &witness),
        FLOCK_OK);
    if (cheat->witness != NULL) {
        cheat->witness(&witness);
    }
    if (cheat->statement != NULL) {
        cheat->statement(&file.statement);
    }
    assert_int_equal(prove_witness(&context, &witness, NULL, 0, &file), FLOCK_OK);
    size_t len;
    uint8_t *proof = proof_file_write(&file, &len);
    assert_non_null(proof);
    flock_statement statement;
    flock_status status = flock_verify(proof, len, &statement);
    free(proof);
    test_context_release(&context);
    return status;
}

static void assert_outcome(struct cheat cheat, flock_status expected)
{
    for (int layout = 0; layout < 2; layout++) {
        cheat.layout = (flock_layout)layout;
        flock_status status = prove_and_verify(&cheat);
        if (status != expected) {
            fail_msg("%s instead of %s", flock_status_text(status), flock_status_text(expected));
        }
    }
}

static void test_honest(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.inputs = NULL}, FLOCK_OK);
}

/* ---- witness bits ---- */

static void flip_z(const struct witness *w)
{
    w->z[word_index(w, 2, 30)] ^= (uint64_t)1 << 17;
}

/* Consistent with a o b = z, but not with A z = a: a message bit. */
static void flip_message_bit_and_its_row(const struct witness *w)
{
    size_t i = word_index(w, 2, 10); /* columns 640..703: message, FREE rows */
    w->z[i] ^= 1;
    w->a[i] ^= 1;
}

/* An AND row whose a, b and z are changed together. */
static void set_and_row(const struct witness *w)
{
    size_t i = word_index(w, 4, 19); /* columns 1216..1279: adders of the first G */
    w->a[i] ^= 1;
    w->z[i] = w->a[i] & w->b[i];
}

static void flip_a(const struct witness *w)
{
    w->a[word_index(w, 1, 100)] ^= (uint64_t)1 << 5;
}

static void flip_padding_column(const struct witness *w)
{
    w->z[word_index(w, 0, 250)] ^= 1; /* column 16000 of 15409 useful ones */
}

static void test_wrong_witness_bit(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.witness = flip_z}, FLOCK_REJECT_ZEROCHECK);
    assert_outcome((struct cheat){.witness = flip_padding_column}, FLOCK_REJECT_ZEROCHECK);
    assert_outcome((struct cheat){.witness = flip_message_bit_and_its_row}, FLOCK_REJECT_LINCHECK);
    assert_outcome((struct cheat){.witness = set_and_row}, FLOCK_REJECT_LINCHECK);
}

static void test_wrong_product_vector(void **state)
{
    (void)state;
    flock_status status = prove_and_verify(&(struct cheat){.witness = flip_a});
    assert_true(status == FLOCK_REJECT_ZEROCHECK || status == FLOCK_REJECT_LINCHECK);
}

/* ---- the constant wire ---- */

static void zero_instance(const struct witness *w, size_t instance)
{
    for (size_t i = 0; i < WORDS; i++) {
        size_t j = word_index(w, instance, i);
        w->z[j] = w->a[j] = w->b[j] = 0;
    }
}

static void zero_real_instance(const struct witness *w)
{
    zero_instance(w, 0);
}

static void zero_padding_instance(const struct witness *w)
{
    zero_instance(w, SLOTS - 1);
}

static void zero_everything(const struct witness *w)
{
    for (size_t i = 0; i < SLOTS; i++) {
        zero_instance(w, i);
    }
}

/* All-zero blocks satisfy every row; only the pin stands against them. */
static void test_constant_wire(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.witness = zero_real_instance}, FLOCK_REJECT_LINCHECK);
    assert_outcome((struct cheat){.witness = zero_padding_instance}, FLOCK_REJECT_LINCHECK);
    assert_outcome((struct cheat){.witness = zero_everything}, FLOCK_REJECT_LINCHECK);
}

/* ---- links and endpoints ---- */

static void break_link(flock_blake3_input *inputs)
{
    inputs[3].cv[0] ^= 1;
}

static void break_padding_link(flock_blake3_input *inputs)
{
    memset(inputs + STEPS, 0, (SLOTS - STEPS) * sizeof *inputs);
}

static void test_broken_link(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.inputs = break_link}, FLOCK_REJECT_GLUE);
    assert_outcome((struct cheat){.inputs = break_padding_link}, FLOCK_REJECT_GLUE);
}

static void other_start(flock_statement *statement)
{
    statement->start[5] ^= 4;
}

static void other_end(flock_statement *statement)
{
    statement->end[5] ^= 4;
}

static void other_count(flock_statement *statement)
{
    statement->count = STEPS - 1;
}

static void test_false_endpoint(void **state)
{
    (void)state;
    assert_outcome((struct cheat){.statement = other_start}, FLOCK_REJECT_GLUE);
    /* The end is a claim of its own, so it falls with the opening. */
    assert_outcome((struct cheat){.statement = other_end}, FLOCK_REJECT_OPENING);
    assert_outcome((struct cheat){.statement = other_count}, FLOCK_REJECT_OPENING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),        cmocka_unit_test(test_wrong_witness_bit),
        cmocka_unit_test(test_constant_wire), cmocka_unit_test(test_wrong_product_vector),
        cmocka_unit_test(test_broken_link),   cmocka_unit_test(test_false_endpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
