/*
 * Witness generators for instances side by side: of every backend, and for registers of every
 * width, against the portable ones (which test_circuit.c compares with the vectors).
 */
#include <flock/prove.h>

#include "support/circuits.h"

enum {
    N_CIRCUITS = 4,
    N_LOG = 6,
    LARGE_LOG_BITS = 26 /* the smallest vectors that may be written past the caches (lanes.h) */
};

static const struct circuit_prover *portable_of(flock_circuit which)
{
    static const struct circuit_prover *const provers[N_CIRCUITS] = {
        [FLOCK_BLAKE3] = &blake3_circuit_prover,
        [FLOCK_SHA256] = &sha256_circuit_prover,
        [FLOCK_KECCAK] = &keccak_circuit_prover,
        [FLOCK_KECCAK3] = &keccak3_circuit_prover,
    };
    return provers[which];
}

/* Three vectors, `offset` words behind a multiple of 64 bytes, in one block of memory. */
struct vectors {
    uint64_t *memory;
    size_t bytes;
    struct witness witness;
};

static struct vectors vectors_new(const struct shape *shape, size_t offset)
{
    size_t words = (size_t)1 << (shape_log_bits(shape) - 6);
    struct vectors v = {.bytes = 8 * (8 + 3 * words)};
    v.memory = aligned_alloc(64, v.bytes);
    assert_non_null(v.memory);
    uint64_t *z = v.memory + offset;
    v.witness = (struct witness){*shape, z, z + words, z + 2 * words};
    return v;
}

/* Random inputs, and some whose carries are all alike. */
static uint8_t *inputs_new(const struct circuit_prover *prover, size_t n)
{
    struct splitmix random = {0xf177};
    size_t len = prover->circuit->copies * prover->input_bytes;
    uint8_t *inputs = malloc(n * len);
    assert_non_null(inputs);
    for (size_t i = 0; i < n * len; i++) {
        inputs[i] = (uint8_t)splitmix_next(&random);
    }
    memset(inputs + 3 * len, 0, len);
    memset(inputs + 10 * len, 0xff, len);
    memset(inputs + 21 * len, 0x55, len);
    return inputs;
}

/* Instances first .. first+count-1: the same words as the portable generator, and no others. */
static void check_part(const struct circuit_prover *prover, const struct circuit_prover *portable,
                       const struct shape *shape, size_t offset, const uint8_t *inputs,
                       size_t first, size_t count)
{
    struct vectors expected = vectors_new(shape, offset), found = vectors_new(shape, offset);
    size_t input_offset = first * portable->circuit->copies * portable->input_bytes;
    memset(expected.memory, 0xa5, expected.bytes);
    memset(found.memory, 0xa5, found.bytes);
    portable->fill(inputs + input_offset, first, count, &expected.witness);
    prover->fill(inputs + input_offset, first, count, &found.witness);
    assert_memory_equal(found.memory, expected.memory, found.bytes);
    free(expected.memory);
    free(found.memory);
}

static void check_prover(const struct circuit_prover *prover, flock_circuit which)
{
    const struct circuit_prover *portable = portable_of(which);
    static const size_t parts[][2] = {{0, 8}, {8, 16}, {16, 24}, {8, 56}, {0, 64}};

    assert_ptr_equal(prover->circuit, circuit_of(which));
    assert_int_equal(prover->input_bytes, portable->input_bytes);
    uint8_t *inputs = inputs_new(portable, (size_t)1 << N_LOG);
    for (int layout = 0; layout < 2; layout++) {
        struct shape shape = {(flock_layout)layout, prover->circuit->k_log, N_LOG};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            check_part(prover, portable, &shape, 1, inputs, parts[i][0], parts[i][1]);
        }
        shape.n_log = 3; /* the smallest batch */
        check_part(prover, portable, &shape, 1, inputs, 0, 8);
    }
    free(inputs);
}

/* Vectors that are written past the caches where they are aligned. */
static void check_large(const struct circuit_prover *prover, flock_circuit which)
{
    uint8_t *inputs = inputs_new(prover, (size_t)1 << N_LOG);
    const struct shape row = {FLOCK_ROW_MAJOR, prover->circuit->k_log,
                              LARGE_LOG_BITS - prover->circuit->k_log};
    struct shape batch = row;
    batch.layout = FLOCK_BATCH_MAJOR;
    check_part(prover, portable_of(which), &row, 0, inputs, 8, 56);
    check_part(prover, portable_of(which), &row, 1, inputs, 8, 56);
    check_part(prover, portable_of(which), &batch, 0, inputs, 8, 56);
    free(inputs);
}

static void test_backends(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = flock_backend_available(i)) != NULL; i++) {
        assert_int_equal(flock_backend_select(name), FLOCK_OK);
        for (int which = 0; which < N_CIRCUITS; which++) {
            const struct circuit_prover *prover = circuit_prover_of((flock_circuit)which);
            check_prover(prover, (flock_circuit)which);
            if (prover != portable_of((flock_circuit)which)) {
                check_large(prover, (flock_circuit)which);
            }
        }
    }
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
}

static void test_widths(void **state)
{
    (void)state;
    for (int which = 0; which < N_CIRCUITS; which++) {
        check_prover(&lanes4_circuit_provers[which], (flock_circuit)which);
        check_prover(&lanes16_circuit_provers[which], (flock_circuit)which);
    }
}

/* The portable backend has the portable generators; those with vector registers have others. */
static void test_selection(void **state)
{
    (void)state;
    for (int which = 0; which < N_CIRCUITS; which++) {
        const struct circuit_prover *portable = portable_of((flock_circuit)which);
        assert_int_equal(flock_backend_select("portable"), FLOCK_OK);
        assert_ptr_equal(circuit_prover_of((flock_circuit)which), portable);
        if (flock_backend_select("avx2") == FLOCK_OK || flock_backend_select("neon") == FLOCK_OK) {
            assert_ptr_not_equal(circuit_prover_of((flock_circuit)which)->fill, portable->fill);
        }
    }
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    assert_null(circuit_prover_of((flock_circuit)N_CIRCUITS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backends),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_selection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
