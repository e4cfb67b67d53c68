#include <stdlib.h>

#include "wire/proof_file.h"

/* Counts bytes while `out` is NULL, writes them otherwise. */
struct writer {
    uint8_t *out;
    size_t len;
};

static void put_bytes(struct writer *w, const void *bytes, size_t len)
{
    if (w->out != NULL && len > 0) {
        memcpy(w->out + w->len, bytes, len);
    }
    w->len += len;
}

static void put_u32(struct writer *w, uint32_t v)
{
    uint8_t bytes[4];
    store_le32(bytes, v);
    put_bytes(w, bytes, 4);
}

static void put_u64(struct writer *w, uint64_t v)
{
    uint8_t bytes[8];
    store_le64(bytes, v);
    put_bytes(w, bytes, 8);
}

static void put_elements(struct writer *w, const gf128 *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[16];
        gf128_store(bytes, v[i]);
        put_bytes(w, bytes, 16);
    }
}

static void put_vector(struct writer *w, const gf128 *v, size_t n)
{
    put_u64(w, n);
    put_elements(w, v, n);
}

static void put_pairs(struct writer *w, const gf128 (*v)[2], size_t n)
{
    put_u64(w, n);
    put_elements(w, v[0], 2 * n);
}

static void put_nonces(struct writer *w, const uint64_t *v, size_t n)
{
    put_u64(w, n);
    for (size_t i = 0; i < n; i++) {
        put_u64(w, v[i]);
    }
}

static void put_level(struct writer *w, const struct level_params *level,
                      const struct opened_level *opened)
{
    put_u64(w, level->Q);
    put_bytes(w, opened->rows, level->Q * opened_row_stride(level));
    put_u64(w, opened->n_hashes);
    put_bytes(w, opened->hashes, opened->n_hashes * 32);
}

static void put_ligerito(struct writer *w, const struct pcs_params *params,
                         const struct ligerito_proof *proof)
{
    unsigned R = params->R;
    put_bytes(w, proof->roots[0], 32);
    if (R == 0) {
        put_u64(w, 0);
        put_u64(w, 0);
    } else {
        put_level(w, &params->level[0], &proof->opened[0]);
    }
    put_u64(w, R);
    for (unsigned i = 1; i <= R; i++) {
        put_bytes(w, proof->roots[i], 32);
    }
    put_u64(w, R == 0 ? 0 : R - 1);
    for (unsigned i = 1; i < R; i++) {
        put_level(w, &params->level[i], &proof->opened[i]);
    }
    put_vector(w, proof->residual, (size_t)1 << params->y);
    put_level(w, &params->level[R], &proof->opened[R]);
    put_pairs(w, proof->messages, params_n_messages(params));
    put_nonces(w, proof->query_nonces, R + 1);
    put_vector(w, proof->ood_values, params_n_ood(params));
    put_nonces(w, proof->fold_nonces, params_n_fold_nonces(params));
}

static void put_glue(struct writer *w, const struct relation *relation, unsigned n_log,
                     const struct glue_proof *proof)
{
    if (relation->width == 0) {
        return;
    }
    unsigned rounds = glue_rounds(relation, n_log);
    put_u64(w, rounds);
    put_elements(w, proof->rounds, (size_t)rounds * relation->width);
    put_elements(w, &proof->g, 1);
}

static void put_body(struct writer *w, const struct proof_file *file)
{
    const struct setup *setup = &file->setup;
    const struct proof *proof = &file->proof;
    put_vector(w, proof->zerocheck.round1_ab, 64);
    put_vector(w, proof->zerocheck.round1_c, 64);
    put_pairs(w, proof->zerocheck.rounds, setup->m - 6);
    put_elements(w, &proof->zerocheck.v_a, 1);
    put_elements(w, &proof->zerocheck.v_b, 1);
    put_elements(w, &proof->zerocheck.v_c, 1);
    put_pairs(w, proof->lincheck.rounds, setup->shape.k_log - 6);
    put_vector(w, proof->lincheck.z_partial, 64);
    put_glue(w, relation_of(file->statement.relation), setup->shape.n_log, &proof->glue);
    put_u64(w, 2);
    put_vector(w, proof->opening.ring_switch[0].s, 128);
    put_vector(w, proof->opening.ring_switch[1].s, 128);
    put_ligerito(w, &setup->params, &proof->opening.ligerito);
}

static void put_endpoint(struct writer *w, const struct circuit *circuit, const uint8_t *value)
{
    put_u64(w, circuit->region_bits);
    for (unsigned p = 0; p < circuit->region_bits; p++) {
        uint8_t bit = value[p / 8] >> (p % 8) & 1;
        put_bytes(w, &bit, 1);
    }
}

static void put_piece(void *writer, const void *bytes, size_t len)
{
    put_bytes(writer, bytes, len);
}

static void put_native(struct writer *w, const struct proof_file *file)
{
    struct writer counter = {.out = NULL};
    statement_encode(&file->statement, &file->setup, put_piece, &counter);
    put_bytes(w, "FLOCKC\001", 7);
    put_u32(w, (uint32_t)counter.len);
    statement_encode(&file->statement, &file->setup, put_piece, w);
    put_bytes(w, file->root, 32);
    put_body(w, file);
}

static void put_reference(struct writer *w, const struct proof_file *file)
{
    const flock_statement *statement = &file->statement;
    const struct level_params *level = &file->setup.params.level[0];
    const uint8_t flavour = relation_of(statement->relation)->reference_flavour;
    if (flavour != FLAVOUR_NONE) {
        put_bytes(w, "FLOCK\004", 6);
        put_bytes(w, &flavour, 1);
    }
    if (flavour == FLAVOUR_CHAIN) {
        put_u32(w, (uint32_t)statement->circuit);
    }
    put_bytes(w, file->root, 32);
    put_u64(w, file->setup.m);
    put_u64(w, level->r);
    put_u64(w, level->k);
    put_u32(w, (uint32_t)statement->profile);
    put_body(w, file);
    if (flavour == FLAVOUR_CHAIN) {
        put_endpoint(w, file->setup.circuit, statement->start);
        put_endpoint(w, file->setup.circuit, statement->end);
    }
}

uint8_t *proof_file_write(const struct proof_file *file, size_t *len)
{
    struct writer w = {.out = NULL};
    for (int pass = 0; pass < 2; pass++) {
        if (file->statement.format == FLOCK_NATIVE) {
            put_native(&w, file);
        } else {
            put_reference(&w, file);
        }
        if (pass == 0) {
            w = (struct writer){.out = malloc(w.len)};
            if (w.out == NULL) {
                return NULL;
            }
        }
    }
    *len = w.len;
    return w.out;
}
