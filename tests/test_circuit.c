/*
 * Circuits: matrices, witness generators, walks and digests against the vectors and each other.
 * The true matrices (circuit_visit_rows) are checked row by row against the vectors and are then
 * the oracle of everything else.
 */
#include <flock/prove.h>

#include "backend/kernels.h"
#include "field/skip_domain.h"
#include "hash/blake3.h"
#include "hash/keccak.h"
#include "support/circuits.h"

/* What a test needs to know about a circuit; passed as cmocka's initial state. */
struct subject {
    flock_circuit which;
    const char *name;     /* in the circuit vectors */
    const char *matrices; /* vector files */
    const char *instances;
    void (*input_of_json)(void *input, const json_t *instance);
    /* Inputs and outputs of an instance stand where they should. */
    void (*check_output)(const void *input, const uint64_t *z);
};

static uint32_t word_at(const uint64_t *block, uint32_t column)
{
    uint32_t word = 0;
    for (uint32_t j = 0; j < 32; j++) {
        word |= bit_of(block, column + j) << j;
    }
    return word;
}

static void words_of_json(uint32_t *words, const json_t *array, size_t n)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        words[i] = (uint32_t)strtoul(string_of(at(array, i)), NULL, 16);
    }
}

/* ---- BLAKE3 ---- */

static void blake3_of_json(void *input, const json_t *instance)
{
    flock_blake3_input *in = input;
    words_of_json(in->cv, get(instance, "cv"), 8);
    words_of_json(in->message, get(instance, "m"), 16);
    in->counter = strtoull(get_string(instance, "counter"), NULL, 16);
    in->block_len = (uint32_t)strtoul(get_string(instance, "block_len"), NULL, 16);
    in->flags = (uint32_t)strtoul(get_string(instance, "flags"), NULL, 16);
}

static void blake3_check_output(const void *input, const uint64_t *z)
{
    const flock_blake3_input *in = input;
    uint32_t out[16];
    blake3_compress(out, in->cv, in->message, in->counter, in->block_len, in->flags);
    for (uint32_t w = 0; w < 8; w++) {
        assert_int_equal(word_at(z, 32 * w), in->cv[w]);
        assert_int_equal(word_at(z, 256 + 32 * w), out[w]);
        assert_int_equal(word_at(z, 15153 + 32 * w), out[w + 8]);
    }
}

/* ---- SHA-256 ---- */

static void sha256_of_json(void *input, const json_t *instance)
{
    flock_sha256_input *in = input;
    words_of_json(in->state, get(instance, "H_in"), 8);
    words_of_json(in->message, get(instance, "M"), 16);
}

static void sha256_check_output(const void *input, const uint64_t *z)
{
    const flock_sha256_input *in = input;
    uint32_t out[8];
    uint8_t block[64];
    memcpy(out, in->state, sizeof out);
    for (int i = 0; i < 16; i++) {
        store_be32(block + 4 * i, in->message[i]);
    }
    kernels()->sha256_compress(out, block, 1);
    for (uint32_t w = 0; w < 8; w++) {
        assert_int_equal(word_at(z, 32 * w), in->state[w]);
        assert_int_equal(word_at(z, 256 + 32 * w), out[w]);
    }
    for (uint32_t w = 0; w < 16; w++) {
        assert_int_equal(word_at(z, 512 + 32 * w), in->message[w]);
    }
}

/* ---- Keccak ---- */

static void keccak_check_outputs(const void *input, const uint64_t *z, size_t n)
{
    const flock_keccak_input *in = input;
    for (size_t i = 0; i < n; i++) {
        uint64_t lanes[25];
        memcpy(lanes, in[i].lanes, sizeof lanes);
        assert_memory_equal(z + 64 * i, lanes, sizeof lanes);
        keccak_f1600(lanes);
        assert_memory_equal(z + 64 * i + 32, lanes, sizeof lanes);
        for (size_t w = 25; w < 32; w++) {
            assert_int_equal(z[64 * i + w] | z[64 * i + 32 + w], 0);
        }
    }
}

static void keccak_check_output(const void *input, const uint64_t *z)
{
    keccak_check_outputs(input, z, 1);
}

static void keccak3_check_output(const void *input, const uint64_t *z)
{
    keccak_check_outputs(input, z, 3);
}

/* SHA3-256 of short messages by OpenSSL: one permutation of the padded block. */
static void test_keccak_f1600(void **state)
{
    (void)state;
    struct splitmix random = {0x5a3};
    for (size_t len = 0; len < 136; len += 27) {
        uint8_t block[200] = {0}, expected[32], found[32];
        uint64_t lanes[25];
        for (size_t i = 0; i < len; i++) {
            block[i] = (uint8_t)splitmix_next(&random);
        }
        assert_int_equal(EVP_Digest(block, len, expected, NULL, EVP_sha3_256(), NULL), 1);
        block[len] ^= 0x06;
        block[135] ^= 0x80;
        for (int l = 0; l < 25; l++) {
            lanes[l] = load_le64(block + 8 * l);
        }
        keccak_f1600(lanes);
        for (int l = 0; l < 4; l++) {
            store_le64(found + 8 * l, lanes[l]);
        }
        assert_memory_equal(found, expected, 32);
    }
}

/* ---- batches ---- */

static void assert_sha256(const void *bytes, size_t len, const json_t *object, const char *key)
{
    char hex[65];
    sha256_hex_of_bytes(bytes, len, hex);
    assert_string_equal(hex, get_string(object, key));
}

/* Vectors: z, a, b of each instance, and the packed buffers of a batch in both layouts. */
static void test_instances(void **state)
{
    const struct subject *subject = *state;
    json_t *root = vector_json(subject->instances);
    json_t *instances = get(root, "instances");
    const char *keys[2][3] = {
        {"sha256_row_major_z", "sha256_row_major_a", "sha256_row_major_b"},
        {"sha256_batch_major_z", "sha256_batch_major_a", "sha256_batch_major_b"},
    };
    for (int layout = 0; layout < 2; layout++) {
        struct batch batch = batch_new(subject->which, (flock_layout)layout, 3);
        uint64_t *block = malloc(batch.block_bytes);
        assert_non_null(block);
        for (size_t i = 0; i < 4; i++) {
            subject->input_of_json(batch.inputs + i * batch.input_bytes, at(instances, i));
        }
        batch_fill(&batch);
        for (size_t i = 0; i < 5; i++) { /* the fifth is the padding instance, all zero */
            const json_t *instance = at(instances, i);
            size_t len;
            uint8_t *z = hex_alloc(get_string(instance, "z"), &len);
            assert_int_equal(len, batch.block_bytes);
            batch_block(&batch, batch.witness.z, i, block);
            assert_memory_equal(block, z, len);
            assert_sha256(block, len, instance, "sha256_z");
            batch_block(&batch, batch.witness.a, i, block);
            assert_sha256(block, len, instance, "sha256_a");
            batch_block(&batch, batch.witness.b, i, block);
            assert_sha256(block, len, instance, "sha256_b");
            free(z);
        }
        const json_t *hashes = get(root, "batch");
        assert_int_equal(get_size(hashes, "n_log"), 3);
        assert_sha256(batch.witness.z, 8 * batch.block_bytes, hashes, keys[layout][0]);
        assert_sha256(batch.witness.a, 8 * batch.block_bytes, hashes, keys[layout][1]);
        assert_sha256(batch.witness.b, 8 * batch.block_bytes, hashes, keys[layout][2]);
        free(block);
        batch_free(&batch);
    }
    json_decref(root);
}

/* The input states of the Keccak vectors in `list`; entry `key` of each, or the entry itself. */
static void keccak_inputs(struct batch *batch, const json_t *list, const char *key)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *state = key == NULL ? at(list, i) : get(at(list, i), key);
        hex_to_bytes(string_of(state), batch->inputs + 200 * i, 200);
    }
}

/* z (its first bytes in hex) and hashes of all three vectors of the block of one instance. */
static void check_keccak_block(const struct batch *batch, size_t i, const json_t *vector,
                               const char *z_key, const char *const hashes[3])
{
    const uint64_t *packed[3] = {batch->witness.z, batch->witness.a, batch->witness.b};
    uint64_t *block = malloc(batch->block_bytes);
    size_t len;
    uint8_t *z = hex_alloc(get_string(vector, z_key), &len);
    assert_non_null(block);
    for (int v = 0; v < 3; v++) {
        batch_block(batch, packed[v], i, block);
        if (v == 0) {
            assert_memory_equal(block, z, len);
        }
        assert_sha256(block, batch->block_bytes, vector, hashes[v]);
    }
    free(z);
    free(block);
}

static void check_keccak_batch(const struct batch *batch, const json_t *hashes)
{
    assert_sha256(batch->witness.z, batch->n * batch->block_bytes, hashes, "sha256_z");
    assert_sha256(batch->witness.a, batch->n * batch->block_bytes, hashes, "sha256_a");
    assert_sha256(batch->witness.b, batch->n * batch->block_bytes, hashes, "sha256_b");
}

static void test_keccak_instances(void **state)
{
    (void)state;
    static const char *const keys[3] = {"sha256_z_8192", "sha256_a_8192", "sha256_b_8192"};
    json_t *root = vector_json("keccak/witness_single.json");
    json_t *blocks = get(root, "blocks");
    for (int layout = 0; layout < 2; layout++) {
        struct batch batch = batch_new(FLOCK_KECCAK, (flock_layout)layout, 3);
        keccak_inputs(&batch, blocks, "state_in");
        batch_fill(&batch);
        for (size_t i = 0; i < json_array_size(blocks); i++) {
            check_keccak_block(&batch, i, at(blocks, i), "z_useful_5320_bytes", keys);
        }
        check_keccak_batch(&batch, get(root, layout == 0 ? "row_major" : "batch_major"));
        batch_free(&batch);
    }
    json_decref(root);
}

static void test_keccak3_instances(void **state)
{
    (void)state;
    static const char *const keys[3] = {"sha256_z_16384", "sha256_a_16384", "sha256_b_16384"};
    json_t *root = vector_json("keccak/witness_3wide.json");
    json_t *blocks = get(root, "blocks");
    struct batch batch = batch_new(FLOCK_KECCAK3, FLOCK_ROW_MAJOR, 3);
    keccak_inputs(&batch, get(root, "states"), NULL);
    batch_fill(&batch);
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        check_keccak_block(&batch, i, at(blocks, i), "first_1544_bytes_z", keys);
    }
    check_keccak_batch(&batch, get(root, "row_major"));
    batch_free(&batch);
    json_decref(root);
}

/* Both layouts hold the same blocks, with a & b == z, the right outputs, and zeros at the end. */
static void test_fill(void **state)
{
    const struct subject *subject = *state;
    struct splitmix random = {0xf111};
    struct batch row = batch_new(subject->which, FLOCK_ROW_MAJOR, 4);
    struct batch major = batch_new(subject->which, FLOCK_BATCH_MAJOR, 4);
    const struct circuit *circuit = circuit_of(subject->which);
    uint64_t *block = malloc(row.block_bytes);
    assert_non_null(block);

    batch_random_inputs(&row, &random);
    memcpy(major.inputs, row.inputs, row.n * row.input_bytes);
    /* Whatever was there before: fill writes every word. */
    memset(row.witness.z, 0xa5, row.n * row.block_bytes);
    memset(row.witness.a, 0xa5, row.n * row.block_bytes);
    memset(row.witness.b, 0xa5, row.n * row.block_bytes);
    batch_fill(&row);
    batch_fill(&major);

    size_t n_words = row.block_bytes / 8;
    for (size_t i = 0; i < row.n; i++) {
        const uint64_t *z = row.witness.z + i * n_words;
        const uint64_t *a = row.witness.a + i * n_words, *b = row.witness.b + i * n_words;
        for (size_t w = 0; w < n_words; w++) {
            assert_true(z[w] == (a[w] & b[w]));
        }
        for (uint32_t c = circuit->useful_bits; c < 1u << circuit->k_log; c++) {
            assert_int_equal(bit_of(a, c) | bit_of(b, c), 0);
        }
        assert_int_equal(bit_of(z, (uint32_t)circuit->pin), 1);
        subject->check_output(row.inputs + i * row.input_bytes, z);
        batch_block(&major, major.witness.z, i, block);
        assert_memory_equal(block, z, row.block_bytes);
        batch_block(&major, major.witness.a, i, block);
        assert_memory_equal(block, a, row.block_bytes);
        batch_block(&major, major.witness.b, i, block);
        assert_memory_equal(block, b, row.block_bytes);
    }
    free(block);
    batch_free(&row);
    batch_free(&major);
}

/* Filling a part writes exactly its instances, the same as filling everything. */
static void test_fill_part(void **state)
{
    const struct subject *subject = *state;
    const struct circuit_prover *prover = circuit_prover_of(subject->which);
    for (int layout = 0; layout < 2; layout++) {
        struct splitmix random = {0xf112};
        struct batch whole = batch_new(subject->which, (flock_layout)layout, 5);
        struct batch part = batch_new(subject->which, (flock_layout)layout, 5);
        uint64_t *expected = calloc(1, whole.block_bytes), *found = malloc(whole.block_bytes);
        assert_true(expected && found);
        batch_random_inputs(&whole, &random);
        batch_fill(&whole);
        prover->fill(whole.inputs + 8 * whole.input_bytes, 8, 16, &part.witness);
        const uint64_t *in[3] = {whole.witness.z, whole.witness.a, whole.witness.b};
        const uint64_t *out[3] = {part.witness.z, part.witness.a, part.witness.b};
        for (size_t i = 0; i < whole.n; i++) {
            for (int v = 0; v < 3; v++) {
                memset(expected, 0, whole.block_bytes);
                if (i >= 8 && i < 24) {
                    batch_block(&whole, in[v], i, expected);
                }
                batch_block(&part, out[v], i, found);
                assert_memory_equal(found, expected, whole.block_bytes);
            }
        }
        free(expected);
        free(found);
        batch_free(&whole);
        batch_free(&part);
    }
}

/* ---- matrices ---- */

static void assert_digest(const uint8_t digest[32], const char *hex)
{
    uint8_t expected[32];
    hex_to_bytes(hex, expected, 32);
    assert_memory_equal(digest, expected, 32);
}

/* u32 count, u32 columns: the row form of the checksums. `bytes` has room. Returns the length. */
static size_t row_u32(uint8_t *bytes, const uint32_t *columns, size_t n)
{
    store_le32(bytes, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        store_le32(bytes + 4 + 4 * i, columns[i]);
    }
    return 4 + 4 * n;
}

/* One pass over the rows that compares with everything the matrix vectors say. */
struct matrix_pass {
    const json_t *row_hashes;
    uint32_t useful_rows, next_row;
    size_t nnz[2], max_row[2];
    EVP_MD_CTX *serialised[2];
    uint8_t *bytes;
};

static void matrix_row(void *context, uint32_t row, const uint32_t *a, size_t n_a,
                       const uint32_t *b, size_t n_b)
{
    struct matrix_pass *pass = context;
    const uint32_t *columns[2] = {a, b};
    size_t n[2] = {n_a, n_b};
    size_t len = 0;
    assert_int_equal(row, pass->next_row++);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 1; i < n[side]; i++) {
            assert_true(columns[side][i - 1] < columns[side][i]);
        }
        size_t row_len = row_u32(pass->bytes + len, columns[side], n[side]);
        EVP_DigestUpdate(pass->serialised[side], pass->bytes + len, row_len);
        len += row_len;
        pass->nnz[side] += n[side];
        pass->max_row[side] = n[side] > pass->max_row[side] ? n[side] : pass->max_row[side];
    }
    if (row >= pass->useful_rows) {
        assert_int_equal(n_a + n_b, 0);
        return;
    }
    char hex[65];
    sha256_hex_of_bytes(pass->bytes, len, hex);
    const char *expected = string_of(at(pass->row_hashes, row / 64)) + 8 * (row % 64);
    if (strncmp(hex, expected, 8) != 0) {
        fail_msg("row %u differs", row);
    }
}

static void assert_row_equal(const uint32_t *columns, size_t n, const json_t *expected)
{
    assert_int_equal(n, json_array_size(expected));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(columns[i], size_of(at(expected, i)));
    }
}

static void sample_row(void *context, uint32_t row, const uint32_t *a, size_t n_a,
                       const uint32_t *b, size_t n_b)
{
    const json_t *samples = context;
    for (size_t i = 0; i < json_array_size(samples); i++) {
        if (get_size(at(samples, i), "row") == row) {
            assert_row_equal(a, n_a, get(at(samples, i), "A0"));
            assert_row_equal(b, n_b, get(at(samples, i), "B0"));
        }
    }
}

static void test_matrices(void **state)
{
    const struct subject *subject = *state;
    const struct circuit *circuit = circuit_of(subject->which);
    json_t *root = vector_json(subject->matrices);
    uint32_t k = 1u << circuit->k_log;
    struct matrix_pass pass = {
        .row_hashes = get(root, "row_hashes_64_per_string"),
        .useful_rows = (uint32_t)get_size(root, "useful_rows"),
        .serialised = {sha256_start(), sha256_start()},
        .bytes = malloc(8 + 8 * (size_t)k),
    };
    assert_non_null(pass.bytes);
    assert_int_equal(get_size(root, "k_log"), circuit->k_log);
    assert_int_equal(pass.useful_rows, circuit->useful_bits);
    assert_int_equal(get_size(root, "one_column"), circuit->pin);
    for (int side = 0; side < 2; side++) {
        store_le32(pass.bytes, k);
        store_le32(pass.bytes + 4, k);
        EVP_DigestUpdate(pass.serialised[side], pass.bytes, 8);
    }
    circuit_visit_rows(subject->which, matrix_row, &pass);
    assert_int_equal(pass.next_row, k);
    assert_int_equal(pass.nnz[0], get_size(root, "nnz_A0"));
    assert_int_equal(pass.nnz[1], get_size(root, "nnz_B0"));
    assert_int_equal(pass.max_row[0], get_size(root, "max_row_A0"));
    assert_int_equal(pass.max_row[1], get_size(root, "max_row_B0"));
    uint8_t digest[32];
    sha256_end(pass.serialised[0], digest);
    assert_digest(digest, get_string(root, "sha256_of_u32_serialization_A0"));
    sha256_end(pass.serialised[1], digest);
    assert_digest(digest, get_string(root, "sha256_of_u32_serialization_B0"));
    circuit_visit_rows(subject->which, sample_row, get(root, "sample_rows"));
    free(pass.bytes);
    json_decref(root);
}

/* Both hashes of the matrices at once. */
struct two_hashes {
    EVP_MD_CTX *id;
    struct blake3 reference;
};

static void absorb_into_both(void *context, const void *bytes, size_t len)
{
    struct two_hashes *hashes = context;
    EVP_DigestUpdate(hashes->id, bytes, len);
    blake3_update(&hashes->reference, bytes, len);
}

/* What precedes the matrices in the reference format's digest (spec 02, 2.6). */
static void reference_header(struct blake3 *hash, const struct shape *shape)
{
    uint8_t header[43] = "flock-r1cs-stmt-v1";
    store_le64(header + 18, shape_log_bits(shape));
    store_le64(header + 26, shape->k_log);
    store_le64(header + 34, 6);
    header[42] = shape->layout == FLOCK_ROW_MAJOR ? 0 : 1;
    blake3_init(hash);
    blake3_update(hash, header, sizeof header);
}

/* M(X) of a matrix without entries, or of the identity. */
static void reference_matrix(struct blake3 *hash, unsigned k_log, bool identity)
{
    uint8_t bytes[16];
    uint64_t k = UINT64_C(1) << k_log;
    store_le64(bytes, k);
    store_le64(bytes + 8, k);
    blake3_update(hash, bytes, 16);
    for (uint64_t i = 0; i < k; i++) {
        store_le64(bytes, identity);
        store_le64(bytes + 8, i);
        blake3_update(hash, bytes, identity ? 16 : 8);
    }
}

static void assert_reference_equal(flock_circuit which, const struct shape *shape,
                                   const struct blake3 *hash)
{
    uint8_t expected[32], digest[32];
    blake3_digest(hash, expected);
    circuit_reference_digest(which, shape, digest);
    assert_memory_equal(digest, expected, 32);
}

/*
 * Circuit identifier (spec 09.3) and reference statement digest from the true matrices: the stored
 * constants are re-derived here.
 */
static void test_digests_of_matrices(void **state)
{
    const struct subject *subject = *state;
    const struct circuit *circuit = circuit_of(subject->which);
    const struct shape shape = {FLOCK_BATCH_MAJOR, circuit->k_log, 6};
    struct two_hashes hashes = {.id = sha256_start()};
    uint8_t header[CIRCUIT_ID_HEADER_BYTES], id[32];

    circuit_id_header(circuit, header);
    EVP_DigestUpdate(hashes.id, header, sizeof header);
    reference_header(&hashes.reference, &shape);
    absorb_matrices(subject->which, absorb_into_both, &hashes);
    sha256_end(hashes.id, id);
    assert_memory_equal(id, circuit->id, 32);
    reference_matrix(&hashes.reference, circuit->k_log, true);
    assert_reference_equal(subject->which, &shape, &hashes.reference);
}

/* The reference format hashes empty matrices A0, B0 for Keccak (spec 07, 6). */
static void test_keccak_reference_digest(void **state)
{
    (void)state;
    for (int which = FLOCK_KECCAK; which <= FLOCK_KECCAK3; which++) {
        const struct shape shape = {FLOCK_ROW_MAJOR, circuit_of((flock_circuit)which)->k_log, 5};
        struct blake3 hash;
        reference_header(&hash, &shape);
        reference_matrix(&hash, shape.k_log, false);
        reference_matrix(&hash, shape.k_log, false);
        reference_matrix(&hash, shape.k_log, true);
        assert_reference_equal((flock_circuit)which, &shape, &hash);
    }
}

static void test_rows_fit_witness(void **state)
{
    assert_rows_fit_witness(((const struct subject *)*state)->which);
}

static void test_rows_fit_marginals(void **state)
{
    assert_rows_fit_marginals(((const struct subject *)*state)->which);
}

/* ---- walks ---- */

static void test_marginals_vector(void **state)
{
    const struct subject *subject = *state;
    const struct circuit *circuit = circuit_of(subject->which);
    size_t k = (size_t)1 << circuit->k_log;
    json_t *root = vector_json("circuits/blake3_sha256_fold.json");
    json_t *fold = get(root, subject->name);
    struct splitmix random = {strtoull(get_string(fold, "splitmix64_seed"), NULL, 16)};
    gf128 alpha = splitmix_gf128(&random);
    gf128 *e = malloc(k * sizeof *e), *comb = malloc(k * sizeof *e);
    assert_true(e && comb);
    assert_gf128_equal(alpha, hex_gf128(get_string(fold, "alpha")));
    for (size_t i = 0; i < k; i++) {
        e[i] = splitmix_gf128(&random);
    }
    circuit->marginals(circuit, comb, alpha, e);
    const json_t *entries = get(fold, "comb");
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = at(entries, i);
        assert_gf128_equal(comb[get_size(entry, "column")], hex_gf128(get_string(entry, "value")));
    }
    char hex[65];
    sha256_hex_of_gf128s(comb, k, hex);
    assert_string_equal(hex, get_string(fold, "sha256_comb"));
    free(e);
    free(comb);
    json_decref(root);
}

/* Entries and hash of comb, and of comb for alpha = 0, against the Keccak vectors. */
static void check_keccak_comb(const struct circuit *circuit, const json_t *vector, gf128 alpha,
                              const gf128 *e, gf128 *comb)
{
    size_t k = (size_t)1 << circuit->k_log;
    char hex[65];
    const char *key;
    json_t *entry;
    assert_gf128_equal(alpha, hex_gf128(get_string(vector, "alpha")));
    sha256_hex_of_gf128s(e, k, hex);
    assert_string_equal(hex, get_string(vector, "sha256_eq_inner"));
    circuit->marginals(circuit, comb, alpha, e);
    json_object_foreach(get(vector, "entries"), key, entry)
    {
        assert_gf128_equal(comb[strtoul(key, NULL, 10)], hex_gf128(string_of(entry)));
    }
    sha256_hex_of_gf128s(comb, k, hex);
    assert_string_equal(hex, get_string(vector, "sha256_comb"));
}

static void test_keccak_marginals(void **state)
{
    const struct subject *subject = *state;
    const struct circuit *circuit = circuit_of(subject->which);
    size_t k = (size_t)1 << circuit->k_log;
    json_t *root = vector_json("keccak/marginals.json");
    json_t *raw = get(get(root, subject->name), "raw");
    json_t *quirky = get(get(root, subject->name), "quirky");
    gf128 *e = malloc(k * sizeof *e), *comb = malloc(k * sizeof *e), point[11];
    char hex[65];
    assert_true(e && comb);

    struct splitmix random = {strtoull(get_string(raw, "splitmix_seed"), NULL, 16)};
    for (size_t i = 0; i < k; i++) {
        e[i] = splitmix_gf128(&random);
    }
    check_keccak_comb(circuit, raw, splitmix_gf128(&random), e, comb);

    json_gf128s(get(quirky, "x_inner_rest"), point, circuit->k_log - 6);
    quirky_table(e, hex_gf128(get_string(quirky, "z_skip")), point, circuit->k_log - 6);
    check_keccak_comb(circuit, quirky, hex_gf128(get_string(quirky, "alpha")), e, comb);
    circuit->marginals(circuit, comb, GF128_ZERO, e);
    sha256_hex_of_gf128s(comb, k, hex);
    assert_string_equal(hex, get_string(quirky, "sha256_comb_alpha0"));
    free(e);
    free(comb);
    json_decref(root);
}

/* sum_{bits of block} e */
static gf128 weigh(const uint64_t *block, const gf128 *e, size_t k)
{
    gf128 sum = GF128_ZERO;
    for (size_t i = 0; i < k; i++) {
        if (bit_of(block, (uint32_t)i)) {
            sum = gf128_add(sum, e[i]);
        }
    }
    return sum;
}

/* For a valid block: <comb, z> = alpha <e, a> + <e, b> (spec 07, 5.2); not with a flipped bit. */
static void test_marginals_of_witness(void **state)
{
    const struct subject *subject = *state;
    const struct circuit *circuit = circuit_of(subject->which);
    size_t k = (size_t)1 << circuit->k_log;
    struct splitmix random = {0x77a};
    struct batch batch = batch_new(subject->which, FLOCK_ROW_MAJOR, 3);
    gf128 *e = malloc(k * sizeof *e), *comb = malloc(k * sizeof *e);
    assert_true(e && comb);
    batch_random_inputs(&batch, &random);
    batch_fill(&batch);
    gf128 alpha = splitmix_gf128(&random);
    for (size_t i = 0; i < k; i++) {
        e[i] = splitmix_gf128(&random);
    }
    circuit->marginals(circuit, comb, alpha, e);
    gf128 expected =
        gf128_add(gf128_mul(alpha, weigh(batch.witness.a, e, k)), weigh(batch.witness.b, e, k));
    assert_gf128_equal(weigh(batch.witness.z, comb, k), expected);
    batch.witness.z[0] ^= 2;
    assert_false(gf128_equal(weigh(batch.witness.z, comb, k), expected));
    free(e);
    free(comb);
    batch_free(&batch);
}

/* ---- digests ---- */

static void assert_reference_digest(flock_circuit which, flock_layout layout, unsigned k_log,
                                    unsigned n_log, const char *hex)
{
    const struct shape shape = {layout, k_log, n_log};
    uint8_t digest[32];
    circuit_reference_digest(which, &shape, digest);
    assert_digest(digest, hex);
}

static void check_digest_list(flock_circuit which, unsigned k_log, const json_t *digests)
{
    assert_true(json_array_size(digests) >= 9);
    for (size_t i = 0; i < json_array_size(digests); i++) {
        const json_t *entry = at(digests, i);
        unsigned n_log = (unsigned)get_size(entry, "n_log");
        assert_int_equal(get_size(entry, "m"), k_log + n_log);
        assert_reference_digest(which, FLOCK_ROW_MAJOR, k_log, n_log,
                                get_string(entry, "row_major"));
        assert_reference_digest(which, FLOCK_BATCH_MAJOR, k_log, n_log,
                                get_string(entry, "batch_major"));
    }
}

static void test_reference_digests(void **state)
{
    (void)state;
    json_t *root = vector_json("circuits/blake3_sha256_statement_digests.json");
    check_digest_list(FLOCK_BLAKE3, 14, get(get(root, "blake3"), "digests"));
    check_digest_list(FLOCK_SHA256, 15, get(get(root, "sha256"), "digests"));
    json_decref(root);

    root = vector_json("keccak/statement_digests.json");
    check_digest_list(FLOCK_KECCAK, 16, get(root, "keccak"));
    check_digest_list(FLOCK_KECCAK3, 17, get(root, "keccak3"));
    json_decref(root);

    static const char *const names[] = {"blake3", "sha2", "keccak", "keccak3"};
    size_t n_checked = 0;
    root = vector_json("transcript/statement_digest.json");
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *entry = at(root, i);
        for (int which = 0; which < 4; which++) {
            unsigned k_log = 14 + (unsigned)which;
            if (strcmp(get_string(entry, "name"), names[which]) == 0) {
                assert_int_equal(get_size(entry, "k_log"), k_log);
                assert_reference_digest(
                    (flock_circuit)which, (flock_layout)get_size(entry, "layout"), k_log,
                    (unsigned)get_size(entry, "m") - k_log, get_string(entry, "digest"));
                n_checked++;
            }
        }
    }
    assert_int_equal(n_checked, json_array_size(root) - 2); /* all but the two tiny ones */
    json_decref(root);
}

/* ---- layout ---- */

/* Coordinates go where element_index() puts the bits: point[j] belongs to address bit 6 + j. */
static void test_points(void **state)
{
    (void)state;
    enum { K_LOG = 11, N_LOG = 5, M = K_LOG + N_LOG };
    for (int layout = 0; layout < 2; layout++) {
        const struct shape shape = {(flock_layout)layout, K_LOG, N_LOG};
        gf128 point[M - 6], inner[K_LOG - 6], instance[N_LOG], joined[M - 6];
        for (unsigned j = 0; j < M - 6; j++) {
            point[j] = gf128_from_u64(UINT64_C(1) << (6 + j)); /* the weight of its address bit */
        }
        split_point(&shape, point, inner, instance);
        assert_int_equal(inner[0].lo, 64);
        for (unsigned t = 7; t < K_LOG; t++) {
            assert_int_equal(inner[t - 6].lo, 128 * element_index(&shape, 0, 1u << (t - 7)));
        }
        for (unsigned t = 0; t < N_LOG; t++) {
            assert_int_equal(instance[t].lo, 128 * element_index(&shape, 1u << t, 0));
        }
        join_point(&shape, joined, inner, instance);
        assert_memory_equal(joined, point, sizeof point);
        join_packed_point(&shape, joined, inner + 1, instance);
        assert_memory_equal(joined, point + 1, sizeof point - sizeof *point);
    }
}

/* The smallest circuit: no inner coordinate beyond the skip. */
static void test_points_smallest(void **state)
{
    (void)state;
    const struct shape shape = {FLOCK_ROW_MAJOR, 6, 7};
    gf128 point[7], inner[1], instance[7], joined[7];
    struct splitmix random = {5};
    for (int i = 0; i < 7; i++) {
        point[i] = splitmix_gf128(&random);
    }
    split_point(&shape, point, inner, instance);
    assert_memory_equal(instance, point, sizeof point);
    join_point(&shape, joined, inner, instance);
    assert_memory_equal(joined, point, sizeof point);
}

/* ---- constants ---- */

static void test_descriptions(void **state)
{
    const struct subject *subject = *state;
    const struct circuit *circuit = circuit_of(subject->which);
    const struct circuit_prover *prover = circuit_prover_of(subject->which);
    json_t *root = vector_json("native/manifest.json");
    char hex[65];
    size_t n_found = 0;
    for (int i = 0; i < 32; i++) {
        snprintf(hex + 2 * i, 3, "%02x", circuit->id[i]);
    }
    for (size_t i = 0; i < json_array_size(root); i++) {
        /* stmt: 11 bytes, then the circuit's identifier (spec 09.2). */
        if (strcmp(get_string(at(root, i), "circuit"), circuit->name) == 0) {
            assert_memory_equal(get_string(at(root, i), "stmt") + 22, hex, 64);
            n_found++;
        }
    }
    assert_true(n_found > 0 || subject->which == FLOCK_KECCAK3);
    assert_ptr_equal(prover->circuit, circuit);
    assert_string_equal(circuit->name, subject->name);
    json_decref(root);
}

static void test_unknown_circuit(void **state)
{
    (void)state;
    assert_null(circuit_of((flock_circuit)4));
    assert_null(circuit_of((flock_circuit)-1));
    assert_null(circuit_prover_of((flock_circuit)4));
}

static struct subject blake3_subject = {
    .which = FLOCK_BLAKE3,
    .name = "blake3",
    .matrices = "circuits/blake3_matrices.json",
    .instances = "circuits/blake3_instances.json",
    .input_of_json = blake3_of_json,
    .check_output = blake3_check_output,
};

static struct subject sha256_subject = {
    .which = FLOCK_SHA256,
    .name = "sha256",
    .matrices = "circuits/sha256_matrices.json",
    .instances = "circuits/sha256_instances.json",
    .input_of_json = sha256_of_json,
    .check_output = sha256_check_output,
};

static struct subject keccak_subject = {
    .which = FLOCK_KECCAK,
    .name = "keccak",
    .check_output = keccak_check_output,
};

static struct subject keccak3_subject = {
    .which = FLOCK_KECCAK3,
    .name = "keccak3",
    .check_output = keccak3_check_output,
};

#define TEST(function, subject)                                          \
    {                                                                    \
#function " " #subject, function, NULL, NULL, &subject##_subject \
    }

/* What holds for all circuits. */
#define CIRCUIT_TESTS(subject)                                                                 \
    TEST(test_descriptions, subject), TEST(test_fill, subject), TEST(test_fill_part, subject), \
        TEST(test_marginals_of_witness, subject)

/* For the circuits of 32-bit words the matrices are small enough to be looked at every time. */
#define MATRIX_TESTS(subject)                                                       \
    TEST(test_instances, subject), TEST(test_matrices, subject),                    \
        TEST(test_rows_fit_witness, subject), TEST(test_marginals_vector, subject), \
        TEST(test_rows_fit_marginals, subject), TEST(test_digests_of_matrices, subject)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_points_smallest),
        cmocka_unit_test(test_unknown_circuit),
        cmocka_unit_test(test_reference_digests),
        CIRCUIT_TESTS(blake3),
        MATRIX_TESTS(blake3),
        CIRCUIT_TESTS(sha256),
        MATRIX_TESTS(sha256),
        cmocka_unit_test(test_keccak_f1600),
        cmocka_unit_test(test_keccak_reference_digest),
        CIRCUIT_TESTS(keccak),
        cmocka_unit_test(test_keccak_instances),
        TEST(test_keccak_marginals, keccak),
        CIRCUIT_TESTS(keccak3),
        cmocka_unit_test(test_keccak3_instances),
        TEST(test_keccak_marginals, keccak3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
