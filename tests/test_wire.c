/* Proof files: packing, the published field offsets, and reading and writing as inverses. */
#include "support/support.h"

#include "wire/proof_file.h"

/* Packed element i, bit r is witness bit 128 i + r (spec 02, 2.4). */
static void test_packing(void **state)
{
    (void)state;
    json_t *vector = vector_json("transcript/pack.json");
    const char *bits = get_string(vector, "bits_index0_first");
    uint8_t expected[32];
    hex_to_bytes(get_string(vector, "packed"), expected, 32);
    assert_int_equal(strlen(bits), 256);
    for (size_t i = 0; i < 2; i++) {
        gf128 element = GF128_ZERO;
        for (size_t r = 0; r < 128; r++) {
            uint64_t bit = (uint64_t)(bits[128 * i + r] - '0');
            *(r < 64 ? &element.lo : &element.hi) |= bit << (r % 64);
        }
        uint8_t wire[16];
        gf128_store(wire, element);
        assert_memory_equal(wire, expected + 16 * i, 16);
    }
    json_decref(vector);
}

static const json_t *field(const json_t *layout, const char *name)
{
    for (size_t i = 0; i < json_array_size(layout); i++) {
        if (strcmp(get_string(at(layout, i), "field"), name) == 0) {
            return at(layout, i);
        }
    }
    fail_msg("no field %s", name);
    return NULL;
}

/* Elements of the file at a published offset. */
static void assert_elements_at(const uint8_t *bytes, const json_t *layout, const char *name,
                               size_t skip, const gf128 *v, size_t n)
{
    const json_t *entry = field(layout, name);
    size_t offset = get_size(entry, "offset") + skip;
    assert_int_equal(get_size(entry, "bytes"), skip + 16 * n);
    for (size_t i = 0; i < n; i++) {
        assert_gf128_equal(gf128_load(bytes + offset + 16 * i), v[i]);
    }
}

static void assert_layout(const char *name, const flock_statement *batch)
{
    char path[256];
    size_t len;
    snprintf(path, sizeof path, "proofs/%s.bin", name);
    uint8_t *bytes = vector_bytes(path, &len);
    snprintf(path, sizeof path, "proofs/%s.layout.json", name);
    json_t *layout = vector_json(path);

    static struct proof_file file;
    struct section_list sections = {.n = 0};
    flock_status status = batch == NULL
                              ? proof_file_read(bytes, len, &file, &sections)
                              : proof_file_read_reference(bytes, len, batch, &file, &sections);
    assert_int_equal(status, FLOCK_OK);

    const struct proof *proof = &file.proof;
    const struct ligerito_proof *lig = &proof->opening.ligerito;
    unsigned m = file.setup.m, n = file.setup.shape.n_log, k_log = file.setup.shape.k_log;
    assert_elements_at(bytes, layout, "proof.zerocheck.round1_ab", 8, proof->zerocheck.round1_ab,
                       64);
    assert_elements_at(bytes, layout, "proof.zerocheck.round1_c", 8, proof->zerocheck.round1_c, 64);
    assert_elements_at(bytes, layout, "proof.zerocheck.multilinear_rounds", 8,
                       proof->zerocheck.rounds[0], 2 * (m - 6));
    assert_elements_at(bytes, layout, "proof.zerocheck.final_a_eval", 0, &proof->zerocheck.v_a, 1);
    assert_elements_at(bytes, layout, "proof.zerocheck.final_b_eval", 0, &proof->zerocheck.v_b, 1);
    assert_elements_at(bytes, layout, "proof.zerocheck.final_c_eval", 0, &proof->zerocheck.v_c, 1);
    assert_elements_at(bytes, layout, "proof.lincheck.rounds", 8, proof->lincheck.rounds[0],
                       2 * (k_log - 6));
    assert_elements_at(bytes, layout, "proof.lincheck.z_partial", 8, proof->lincheck.z_partial, 64);
    if (batch == NULL) {
        assert_elements_at(bytes, layout, "proof.shift.rounds", 8, proof->glue.rounds, 2 * (n + 1));
        assert_elements_at(bytes, layout, "proof.shift.g_at_point", 0, &proof->glue.g, 1);
    }
    const json_t *root = field(layout, "proof.pcs_open.ligerito.initial_root");
    assert_memory_equal(bytes + get_size(root, "offset"), lig->roots[0], 32);
    assert_memory_equal(bytes + get_size(field(layout, "commitment.root"), "offset"), file.root,
                        32);
    size_t end = 0;
    for (size_t i = 0; i < json_array_size(layout); i++) {
        end = get_size(at(layout, i), "offset") + get_size(at(layout, i), "bytes");
    }
    assert_int_equal(end, len);

    size_t written_len;
    uint8_t *written = proof_file_write(&file, &written_len);
    assert_int_equal(written_len, len);
    assert_memory_equal(written, bytes, len);
    free(written);
    json_decref(layout);
    free(bytes);
}

static void test_published_offsets(void **state)
{
    (void)state;
    assert_layout("blake3_chain_256_fast_seed0", NULL);
    assert_layout("blake3_chain_256_slim_seed0", NULL);
    assert_layout("blake3_chain_256_secure_seed0", NULL);
    assert_layout("sha2_chain_128_fast_seed0", NULL);
    assert_layout("keccak_chain_64_fast", NULL);
    flock_statement batch = {.relation = FLOCK_BATCH, .circuit = FLOCK_BLAKE3, .count = 256};
    assert_layout("blake3_batch_256_fast_seed0", &batch);
}

static void test_native_round_trip(void **state)
{
    (void)state;
    json_t *manifest = vector_json("native/manifest.json");
    for (size_t i = 0; i < json_array_size(manifest); i++) {
        const json_t *entry = at(manifest, i);
        if (strcmp(get_string(entry, "relation"), "chain") != 0) {
            continue;
        }
        char path[256];
        size_t len, written_len;
        snprintf(path, sizeof path, "native/%s", get_string(entry, "file"));
        uint8_t *bytes = vector_bytes(path, &len);
        static struct proof_file file;
        assert_int_equal(proof_file_read(bytes, len, &file, NULL), FLOCK_OK);
        uint8_t *written = proof_file_write(&file, &written_len);
        assert_int_equal(written_len, len);
        assert_memory_equal(written, bytes, len);
        free(written);
        free(bytes);
    }
    json_decref(manifest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_published_offsets),
        cmocka_unit_test(test_native_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
