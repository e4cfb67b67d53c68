#include "support/circuits.h"

#include <flock/prove.h>

uint32_t bit_of(const uint64_t *block, uint32_t column)
{
    return block[column / 64] >> column % 64 & 1;
}

struct batch batch_new(flock_circuit which, flock_layout layout, unsigned n_log)
{
    const struct circuit_prover *prover = circuit_prover_of(which);
    const struct circuit *circuit = prover->circuit;
    struct batch batch = {
        .which = which,
        .witness = {.shape = {layout, circuit->k_log, n_log}},
        .n = (size_t)1 << n_log,
        .input_bytes = circuit->copies * prover->input_bytes,
        .block_bytes = (size_t)1 << (circuit->k_log - 3),
    };
    batch.inputs = calloc(batch.n, batch.input_bytes);
    batch.witness.z = calloc(batch.n, batch.block_bytes);
    batch.witness.a = calloc(batch.n, batch.block_bytes);
    batch.witness.b = calloc(batch.n, batch.block_bytes);
    assert_true(batch.inputs && batch.witness.z && batch.witness.a && batch.witness.b);
    return batch;
}

void batch_free(struct batch *batch)
{
    free(batch->inputs);
    free(batch->witness.z);
    free(batch->witness.a);
    free(batch->witness.b);
}

void batch_random_inputs(struct batch *batch, struct splitmix *random)
{
    /* The input types have no padding and no invalid values. */
    for (size_t i = 0; i < batch->n * batch->input_bytes; i += 8) {
        uint64_t word = splitmix_next(random);
        memcpy(batch->inputs + i, &word, 8);
    }
}

void batch_fill(const struct batch *batch)
{
    circuit_prover_of(batch->which)->fill(batch->inputs, 0, batch->n, &batch->witness);
}

void batch_block(const struct batch *batch, const uint64_t *packed, size_t instance,
                 uint64_t *block)
{
    const struct shape *shape = &batch->witness.shape;
    for (size_t c = 0; c < batch->block_bytes / 16; c++) {
        memcpy(block + 2 * c, packed + 2 * element_index(shape, instance, c), 16);
    }
}

EVP_MD_CTX *sha256_start(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    assert_non_null(context);
    assert_int_equal(EVP_DigestInit_ex(context, EVP_sha256(), NULL), 1);
    return context;
}

void sha256_end(EVP_MD_CTX *context, uint8_t digest[32])
{
    assert_int_equal(EVP_DigestFinal_ex(context, digest, NULL), 1);
    EVP_MD_CTX_free(context);
}

void circuit_id_header(const struct circuit *circuit, uint8_t header[CIRCUIT_ID_HEADER_BYTES])
{
    memcpy(header, "flock-c-circuit-v1", 18);
    store_le64(header + 18, circuit->k_log);
    store_le64(header + 26, 6); /* k_skip */
    store_le64(header + 34, circuit->useful_bits);
    store_le64(header + 42, (uint64_t)(circuit->pin + 1));
}

struct absorb_pass {
    int side;
    absorb_bytes *absorb;
    void *context;
    uint8_t *bytes;
};

static void absorb_row(void *context, uint32_t row, const uint32_t *a, size_t n_a,
                       const uint32_t *b, size_t n_b)
{
    const struct absorb_pass *pass = context;
    const uint32_t *columns = pass->side == 0 ? a : b;
    size_t n = pass->side == 0 ? n_a : n_b;
    (void)row;
    store_le64(pass->bytes, n);
    for (size_t i = 0; i < n; i++) {
        store_le64(pass->bytes + 8 + 8 * i, columns[i]);
    }
    pass->absorb(pass->context, pass->bytes, 8 + 8 * n);
}

void absorb_matrices(flock_circuit which, absorb_bytes *absorb, void *context)
{
    uint64_t k = UINT64_C(1) << circuit_of(which)->k_log;
    struct absorb_pass pass = {0, absorb, context, malloc(8 + 8 * k)};
    uint8_t size[16];
    assert_non_null(pass.bytes);
    store_le64(size, k);
    store_le64(size + 8, k);
    for (pass.side = 0; pass.side < 2; pass.side++) {
        absorb(context, size, sizeof size);
        circuit_visit_rows(which, absorb_row, &pass);
    }
    free(pass.bytes);
}

/* context: z, a, b of one block. */
static void parity_row(void *context, uint32_t row, const uint32_t *a, size_t n_a,
                       const uint32_t *b, size_t n_b)
{
    uint64_t *const *block = context;
    uint32_t left = 0, right = 0;
    for (size_t i = 0; i < n_a; i++) {
        left ^= bit_of(block[0], a[i]);
    }
    for (size_t i = 0; i < n_b; i++) {
        right ^= bit_of(block[0], b[i]);
    }
    assert_int_equal(left, bit_of(block[1], row));
    assert_int_equal(right, bit_of(block[2], row));
}

void assert_rows_fit_witness(flock_circuit which)
{
    struct splitmix random = {0x3a7};
    struct batch batch = batch_new(which, FLOCK_ROW_MAJOR, 3);
    batch_random_inputs(&batch, &random);
    batch_fill(&batch);
    uint64_t *block[3] = {batch.witness.z, batch.witness.a, batch.witness.b};
    circuit_visit_rows(which, parity_row, block);
    batch_free(&batch);
}

struct scatter_pass {
    const gf128 *e;
    gf128 alpha;
    gf128 *comb;
};

static void scatter_row(void *context, uint32_t row, const uint32_t *a, size_t n_a,
                        const uint32_t *b, size_t n_b)
{
    const struct scatter_pass *pass = context;
    gf128 left = gf128_mul(pass->alpha, pass->e[row]), right = pass->e[row];
    for (size_t i = 0; i < n_a; i++) {
        pass->comb[a[i]] = gf128_add(pass->comb[a[i]], left);
    }
    for (size_t i = 0; i < n_b; i++) {
        pass->comb[b[i]] = gf128_add(pass->comb[b[i]], right);
    }
}

void assert_rows_fit_marginals(flock_circuit which)
{
    const struct circuit *circuit = circuit_of(which);
    size_t k = (size_t)1 << circuit->k_log;
    struct splitmix random = {0x9a7};
    gf128 *e = malloc(k * sizeof *e), *walked = malloc(k * sizeof *e);
    gf128 *scattered = calloc(k, sizeof *e);
    assert_true(e && walked && scattered);
    for (size_t i = 0; i < k; i++) {
        e[i] = splitmix_gf128(&random);
        walked[i] = splitmix_gf128(&random); /* overwritten */
    }
    struct scatter_pass pass = {e, splitmix_gf128(&random), scattered};
    circuit_visit_rows(which, scatter_row, &pass);
    circuit->marginals(circuit, walked, pass.alpha, e);
    for (size_t i = 0; i < k; i++) {
        if (!gf128_equal(walked[i], scattered[i])) {
            fail_msg("column %zu differs", i);
        }
    }
    free(e);
    free(walked);
    free(scattered);
}
