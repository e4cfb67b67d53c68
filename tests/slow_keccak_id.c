/*
 * The Keccak circuits against their true matrices: circuit identifiers (spec 09.3, 5.4 and 16 GB to
 * hash), the walk, and a block. Takes about a minute; built by the target flock_slow_tests and not
 * run by CTest. The circuits of 32-bit words have the same tests in test_circuit.c.
 */
#include "support/circuits.h"

static void absorb_id(void *context, const void *bytes, size_t len)
{
    EVP_DigestUpdate(context, bytes, len);
}

static void check_circuit(flock_circuit which)
{
    const struct circuit *circuit = circuit_of(which);
    EVP_MD_CTX *hash = sha256_start();
    uint8_t header[CIRCUIT_ID_HEADER_BYTES], id[32];

    circuit_id_header(circuit, header);
    EVP_DigestUpdate(hash, header, sizeof header);
    absorb_matrices(which, absorb_id, hash);
    sha256_end(hash, id);
    assert_memory_equal(id, circuit->id, 32);
    assert_rows_fit_witness(which);
    assert_rows_fit_marginals(which);
}

static void test_keccak(void **state)
{
    (void)state;
    check_circuit(FLOCK_KECCAK);
}

static void test_keccak3(void **state)
{
    (void)state;
    check_circuit(FLOCK_KECCAK3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keccak),
        cmocka_unit_test(test_keccak3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
