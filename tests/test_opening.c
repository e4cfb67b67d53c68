/* Ring switching and the batched opening: the vectors of spec 04, definitions, rejections. */
#include "support/support.h"
#include "support/weights.h"

#include "backend/kernels.h"
#include "circuit/circuit.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"
#include "hash/blake3.h"
#include "pcs/opening.h"
#include "piop/partials.h"

enum { MAX_Y = 1 << MAX_LOG_RESIDUAL };

static void assert_elements(const json_t *array, const gf128 *values, size_t n)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        assert_gf128_equal(hex_gf128(string_of(at(array, i))), values[i]);
    }
}

static void assert_element(const json_t *object, const char *key, gf128 value)
{
    assert_gf128_equal(hex_gf128(get_string(object, key)), value);
}

/* ---- definitions, slow and obvious (spec 04, 4) ---- */

static bool bit(gf128 a, unsigned i)
{
    return ((i < 64 ? a.lo >> i : a.hi >> (i - 64)) & 1) != 0;
}

static gf128 phi(const gf128 e[128], gf128 a)
{
    gf128 sum = GF128_ZERO;
    for (unsigned u = 0; u < 128; u++) {
        if (bit(a, u)) {
            sum = gf128_add(sum, e[u]);
        }
    }
    return sum;
}

/* B(y) for all y. */
static void slow_weight(const struct opening_reduction *reduction, gf128 *weight)
{
    const struct claims *claims = reduction->claims;
    size_t n = (size_t)1 << reduction->log_n;
    gf128 *eq = malloc(n * sizeof *eq);
    assert_non_null(eq);
    memset(weight, 0, n * sizeof *weight);
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        eq_table(eq, claims->quirky[k].point + 1, reduction->log_n);
        for (size_t y = 0; y < n; y++) {
            gf128 b = phi(reduction->e[k], eq[y]);
            weight[y] = gf128_add(weight[y], gf128_mul(reduction->gamma[k], b));
        }
    }
    for (unsigned j = 0; j < claims->n_direct; j++) {
        eq_table(eq, claims->direct[j].point, reduction->log_n);
        for (size_t y = 0; y < n; y++) {
            weight[y] = gf128_add(weight[y], gf128_mul(reduction->gamma_direct[j], eq[y]));
        }
    }
    free(eq);
}

/* ---- vectors ---- */

struct opened_vector {
    json_t *json;
    unsigned log_n;
    struct claims claims;
    struct partial_evaluations partial[2];
};

static void load_claims(struct opened_vector *v, const char *path)
{
    memset(v, 0, sizeof *v);
    v->json = vector_json(path);
    v->log_n = (unsigned)get_size(v->json, "m") - 7;
    const json_t *quirky = get(v->json, "rs_claims");
    const json_t *direct = get(v->json, "packed_direct_claims");
    v->claims.n_quirky = (unsigned)json_array_size(quirky);
    v->claims.n_direct = (unsigned)json_array_size(direct);
    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        struct quirky_claim *claim = &v->claims.quirky[k];
        claim->skip = hex_gf128(get_string(at(quirky, k), "zeta"));
        claim->value = hex_gf128(get_string(at(quirky, k), "value"));
        json_gf128s(get(at(quirky, k), "x"), claim->point, v->log_n + 1);
        json_gf128s(get(at(quirky, k), "s_v"), v->partial[k].s, 128);
    }
    for (unsigned j = 0; j < v->claims.n_direct; j++) {
        struct direct_claim *claim = &v->claims.direct[j];
        claim->value = hex_gf128(get_string(at(direct, j), "value"));
        json_gf128s(get(at(direct, j), "point"), claim->point, v->log_n);
    }
}

/* s_u: bit v of s_u is bit u of s_v. */
static void transpose(const gf128 s[128], gf128 out[128])
{
    for (unsigned u = 0; u < 128; u++) {
        out[u] = GF128_ZERO;
        for (unsigned v = 0; v < 128; v++) {
            uint64_t b = bit(s[v], u);
            gf128 x = v < 64 ? (gf128){b << v, 0} : (gf128){0, b << (v - 64)};
            out[u] = gf128_add(out[u], x);
        }
    }
}

/* What both kinds of files give for the reduction. */
static void check_reduction(const struct opened_vector *v,
                            const struct opening_reduction *reduction)
{
    gf128 target = GF128_ZERO;
    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        const json_t *claim = at(get(v->json, "rs_claims"), k);
        gf128 s_u[128];
        assert_true(partial_evaluations_match(&v->claims.quirky[k], &v->partial[k]));
        transpose(v->partial[k].s, s_u);
        gf128 beta = kernels()->dot(reduction->e[k], s_u, 128);
        assert_element(claim, "beta0", beta);
        assert_element(claim, "gamma", reduction->gamma[k]);
        target = gf128_add(target, gf128_mul(beta, reduction->gamma[k]));
    }
    for (unsigned j = 0; j < v->claims.n_direct; j++) {
        const json_t *claim = at(get(v->json, "packed_direct_claims"), j);
        assert_element(claim, "gamma", reduction->gamma_direct[j]);
        target =
            gf128_add(target, gf128_mul(v->claims.direct[j].value, reduction->gamma_direct[j]));
    }
    assert_gf128_equal(target, reduction->target);
    assert_element(v->json, "target", reduction->target);
}

/* One quirky claim alone, not scaled: its weight is b_k. */
static struct opening_reduction single_quirky(const struct opening_reduction *reduction, unsigned k,
                                              struct claims *only)
{
    struct opening_reduction single = {.claims = only, .log_n = reduction->log_n};
    memset(only, 0, sizeof *only);
    only->n_quirky = 1;
    only->quirky[0] = reduction->claims->quirky[k];
    memcpy(single.e[0], reduction->e[k], sizeof single.e[0]);
    single.gamma[0] = GF128_ONE;
    return single;
}

static struct opening_reduction single_direct(const struct opening_reduction *reduction, unsigned j,
                                              struct claims *only)
{
    struct opening_reduction single = {.claims = only, .log_n = reduction->log_n};
    memset(only, 0, sizeof *only);
    only->n_direct = 1;
    only->direct[0] = reduction->claims->direct[j];
    single.gamma_direct[0] = GF128_ONE;
    return single;
}

/* The prover's weight against the definition: the products of columns, and bound. */
static void check_prover_weight(struct prover_context *context,
                                const struct opening_reduction *reduction,
                                const struct column_partials *partial, const gf128 *q,
                                const gf128 *expected)
{
    struct prover_weight weight;
    gf128 products[N_COLUMNS][N_COLUMNS], block[WEIGHT_BLOCK];
    size_t n = ((size_t)1 << reduction->log_n) / N_COLUMNS;
    size_t n_block = n < WEIGHT_BLOCK ? n : WEIGHT_BLOCK;
    gf128 *bound = malloc(n * sizeof *bound);
    assert_non_null(bound);
    products_of_columns(products, q, expected, reduction->log_n);
    assert_int_equal(opening_weight(context, reduction, partial, q, &weight), FLOCK_OK);
    assert_memory_equal(weight.products, products, sizeof products);
    const gf128 *r = q; /* as good as any */
    bind_low(bound, expected, reduction->log_n, r, LOG_COLUMNS);
    weight.bind(weight.context, r);
    for (size_t b = 0; b < n / n_block; b++) {
        memset(block, 0xa5, sizeof block);
        weight.make(weight.context, b, block, q);
        assert_memory_equal(block, bound + b * n_block, n_block * sizeof *block);
    }
    opening_weight_release(context, &weight);
    assert_int_equal(context->memory.live_bytes, 0);
    free(bound);
}

static void check_tiny(const char *path)
{
    struct opened_vector *v = malloc(sizeof *v);
    struct prover_context context;
    struct transcript t;
    struct opening_reduction reduction, single;
    struct claims only;
    struct column_partials columns[2];
    gf128 q[16], weight[16], first[2], folded[4];
    assert_non_null(v);
    load_claims(v, path);
    test_context_init(&context, 1);
    assert_int_equal(v->log_n, 4);
    json_gf128s(get(v->json, "q"), q, 16);

    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        const json_t *claim = at(get(v->json, "rs_claims"), k);
        struct partial_evaluations computed;
        gf128 w[128], s_u[128];
        const gf128 *point = v->claims.quirky[k].point + 1;
        assert_int_equal(partial_evaluate(&context, &columns[k], q, point, 4), FLOCK_OK);
        partial_sum(&computed, &columns[k], point);
        assert_memory_equal(computed.s, v->partial[k].s, sizeof computed.s);
        quirky_table(w, v->claims.quirky[k].skip, v->claims.quirky[k].point, 1);
        assert_elements(get(claim, "w"), w, 128);
        assert_gf128_equal(kernels()->dot(w, computed.s, 128), v->claims.quirky[k].value);
        transpose(computed.s, s_u);
        assert_elements(get(claim, "s_u"), s_u, 128);
    }
    const char *domain = get_string(v->json, "domain_label");
    transcript_init(&t, domain, strlen(domain));
    opening_reduce(&t, v->log_n, &v->claims, v->partial, &reduction);
    check_reduction(v, &reduction);
    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        const json_t *claim = at(get(v->json, "rs_claims"), k);
        assert_elements(get(claim, "E"), reduction.e[k], 128);
        single = single_quirky(&reduction, k, &only);
        slow_weight(&single, weight);
        assert_elements(get(claim, "B_unscaled"), weight, 16);
        check_prover_weight(&context, &single, &columns[k], q, weight);
    }

    slow_weight(&reduction, weight);
    assert_elements(get(v->json, "B_combined"), weight, 16);
    check_prover_weight(&context, &reduction, columns, q, weight);
    product_message(&context, first, q, weight, 4);
    assert_gf128_equal(kernels()->dot(weight, q, 16), reduction.target);
    assert_element(get(v->json, "round0"), "u0", first[0]);
    assert_element(get(v->json, "round0"), "u2", first[1]);
    assert_element(v->json, "next_sample_after_last_gamma", transcript_sample(&t));

    gf128 point[4], value;
    json_gf128s(get(v->json, "eval_point"), point, 4);
    opening_weight_evaluate(&reduction, point, 4, 0, &value);
    assert_element(v->json, "B_hat_at_eval_point", value);
    json_gf128s(get(v->json, "fold_challenges_first2"), point, 2);
    opening_weight_evaluate(&reduction, point, 2, 2, folded);
    assert_elements(get(v->json, "residual_weight_after_2"), folded, 4);
    assert_int_equal(context.memory.live_bytes, 0);
    test_context_release(&context);
    json_decref(v->json);
    free(v);
}

static void test_tiny(void **state)
{
    (void)state;
    check_tiny("ringswitch/tiny_rs1.json");
    check_tiny("ringswitch/tiny_rs2.json");
    check_tiny("ringswitch/tiny_rs2_pd1sparse.json");
    check_tiny("ringswitch/tiny_rs2_pd2.json");
    check_tiny("ringswitch/tiny_pd2.json");
}

/* ---- complete proofs, m = 22 ---- */

static void prefix_transcript(const struct opened_vector *v, struct transcript *t)
{
    size_t len;
    uint8_t *prefix = hex_alloc(get_string(v->json, "transcript_prefix"), &len);
    sha256_init(&t->state);
    sha256_update(&t->state, prefix, len);
    free(prefix);
}

static void check_residual(const struct opened_vector *v, const struct opening_reduction *reduction)
{
    unsigned y = (unsigned)get_size(v->json, "log_residual"), n_rho = v->log_n - y;
    size_t n = (size_t)1 << y;
    gf128 rho[MAX_LOG_ELEMENTS], residual[MAX_Y], yr[MAX_Y];
    struct opening_reduction single;
    struct claims only;
    json_gf128s(get(v->json, "fold_challenges"), rho, n_rho);
    json_gf128s(get(v->json, "yr"), yr, n);
    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        single = single_quirky(reduction, k, &only);
        opening_weight_evaluate(&single, rho, n_rho, y, residual);
        assert_elements(get(at(get(v->json, "rs_claims"), k), "residual_weight_unscaled"), residual,
                        n);
    }
    for (unsigned j = 0; j < v->claims.n_direct; j++) {
        single = single_direct(reduction, j, &only);
        opening_weight_evaluate(&single, rho, n_rho, y, residual);
        assert_elements(
            get(at(get(v->json, "packed_direct_claims"), j), "residual_weight_unscaled"), residual,
            n);
    }
    opening_weight_evaluate(reduction, rho, n_rho, y, residual);
    assert_elements(get(v->json, "residual_weight"), residual, n);
}

/* Captures the fold challenges that the verifier arrives at. */
struct capture {
    const struct opening_reduction *reduction;
    gf128 rho[MAX_LOG_ELEMENTS], residual[MAX_Y];
};

static void evaluate_and_capture(const void *context, const gf128 *rho, unsigned n_rho, unsigned y,
                                 gf128 *out)
{
    struct capture *capture = (struct capture *)context;
    opening_weight_evaluate(capture->reduction, rho, n_rho, y, out);
    memcpy(capture->rho, rho, n_rho * sizeof *rho);
    memcpy(capture->residual, out, sizeof *out << y);
}

/* Our own proof from the witness: the same messages as the reference's. */
static void check_own_proof(const struct opened_vector *v, const gf128 *q)
{
    struct prover_context context;
    struct pcs_params params;
    struct oracle oracle;
    struct transcript t;
    struct opening_proof *proof = malloc(sizeof *proof);
    assert_non_null(proof);
    test_context_init(&context, 2);
    assert_int_equal(params_get(&params, FLOCK_REFERENCE, 22, FLOCK_FAST), FLOCK_OK);
    assert_int_equal(oracle_commit(&context, &oracle, q, &params.level[0]), FLOCK_OK);
    /* The prefix begins: domain, label, statement digest, root. */
    size_t len;
    uint8_t *prefix = hex_alloc(get_string(v->json, "transcript_prefix"), &len), root[32];
    size_t offset = 9 + load_le64(prefix + 1);
    offset += 9 + load_le64(prefix + offset + 1);
    offset += 9 + 32;
    assert_memory_equal(tree_root(&oracle.tree), prefix + offset + 9, 32);
    memcpy(root, prefix + offset + 9, 32);
    free(prefix);

    prefix_transcript(v, &t);
    assert_int_equal(opening_prove(&context, &t, &params, q, &oracle, &v->claims, NULL, proof),
                     FLOCK_OK);
    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        assert_memory_equal(proof->ring_switch[k].s, v->partial[k].s, sizeof v->partial[k].s);
    }
    assert_element(get(v->json, "round0"), "u0", proof->ligerito.messages[0][0]);
    assert_element(get(v->json, "round0"), "u2", proof->ligerito.messages[0][1]);
    assert_elements(get(v->json, "yr"), proof->ligerito.residual, (size_t)1 << params.y);

    prefix_transcript(v, &t);
    struct opening_reduction reduction;
    struct capture capture = {.reduction = &reduction};
    struct ligerito_weight weight = {evaluate_and_capture, &capture};
    opening_reduce(&t, params.log_n, &v->claims, proof->ring_switch, &reduction);
    assert_int_equal(
        ligerito_verify(&t, &params, root, reduction.target, &weight, &proof->ligerito), FLOCK_OK);
    assert_elements(get(v->json, "fold_challenges"), capture.rho, params.log_n - params.y);
    assert_elements(get(v->json, "residual_weight"), capture.residual, (size_t)1 << params.y);

    prefix_transcript(v, &t);
    assert_int_equal(opening_verify(&t, &params, root, &v->claims, proof), FLOCK_OK);
    test_context_release(&context);
    free(proof);
}

/* The inputs of the BLAKE3 vectors (ringswitch/README.md). */
static void blake3_inputs(flock_blake3_input inputs[256], bool chain)
{
    memset(inputs, 0, 256 * sizeof *inputs);
    for (uint32_t i = 0; i < 256; i++) {
        flock_blake3_input *in = &inputs[i];
        for (uint32_t w = 0; w < 16; w++) {
            in->message[w] = (16 * i + w) * 0x9E3779B1u;
        }
        in->block_len = 64;
        if (chain && i > 0) {
            uint32_t out[16];
            const flock_blake3_input *last = &inputs[i - 1];
            blake3_compress(out, last->cv, last->message, 0, 64, 0);
            memcpy(in->cv, out, sizeof in->cv);
            continue;
        }
        in->counter = chain ? 0 : i;
        for (uint32_t w = 0; w < 8; w++) {
            in->cv[w] = blake3_iv[w] ^ (chain ? 0 : 8 * i + w);
        }
    }
}

/* A path of 128 SHA-256 compressions (ringswitch/README.md). */
static void sha256_path_inputs(flock_sha256_input inputs[128])
{
    uint32_t current[8];
    for (uint32_t w = 0; w < 8; w++) {
        current[w] = 0x01010101u * (w + 1);
    }
    for (uint32_t i = 0; i < 128; i++) {
        flock_sha256_input *in = &inputs[i];
        uint32_t right = i > 0 && (7 * i + 3) % 5 < 2;
        uint8_t block[64];
        for (uint32_t w = 0; w < 8; w++) {
            in->message[8 * right + w] = current[w];
            in->message[8 * (1 - right) + w] = (8 * i + w) * 0x9E3779B1u ^ 0x55aa55aau;
        }
        for (uint32_t w = 0; w < 16; w++) {
            store_be32(block + 4 * w, in->message[w]);
        }
        memcpy(in->state, sha256_initial, sizeof in->state);
        memcpy(current, sha256_initial, sizeof current);
        kernels()->sha256_compress(current, block, 1);
    }
}

static void check_witness(const struct opened_vector *v, flock_circuit circuit, const void *inputs)
{
    size_t words = (size_t)1 << 16;
    unsigned k_log = circuit_of(circuit)->k_log;
    bool row_major = strcmp(get_string(v->json, "witness_layout"), "row-major") == 0;
    struct witness witness = {
        .shape = {row_major ? FLOCK_ROW_MAJOR : FLOCK_BATCH_MAJOR, k_log, 22 - k_log}};
    witness.z = malloc(words * sizeof *witness.z);
    witness.a = malloc(words * sizeof *witness.a);
    witness.b = malloc(words * sizeof *witness.b);
    assert_true(witness.z != NULL && witness.a != NULL && witness.b != NULL);
    circuit_prover_of(circuit)->fill(inputs, 0, (size_t)1 << witness.shape.n_log, &witness);
    check_own_proof(v, (const gf128 *)witness.z);
    free(witness.z);
    free(witness.a);
    free(witness.b);
}

static struct opened_vector *check_complete(const char *path)
{
    struct opened_vector *v = malloc(sizeof *v);
    struct transcript t;
    struct opening_reduction reduction;
    assert_non_null(v);
    load_claims(v, path);
    prefix_transcript(v, &t);
    opening_reduce(&t, v->log_n, &v->claims, v->partial, &reduction);
    check_reduction(v, &reduction);
    for (unsigned k = 0; k < v->claims.n_quirky; k++) {
        gf128 r[7], e[128];
        json_gf128s(get(at(get(v->json, "rs_claims"), k), "r_dprime"), r, 7);
        eq_table(e, r, 7);
        assert_memory_equal(e, reduction.e[k], sizeof e);
    }
    check_residual(v, &reduction);
    return v;
}

static void drop(struct opened_vector *v)
{
    json_decref(v->json);
    free(v);
}

static void test_complete(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool chain;
    } cases[] = {
        {"ringswitch/blake3_batch_256_rowmajor.json", false},
        {"ringswitch/blake3_batch_256_batchmajor.json", false},
        {"ringswitch/blake3_chain_256_rowmajor.json", true},
        {"ringswitch/blake3_chain_256_batchmajor.json", true},
    };
    flock_blake3_input *blake3 = malloc(256 * sizeof *blake3);
    assert_non_null(blake3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened_vector *v = check_complete(cases[i].path);
        blake3_inputs(blake3, cases[i].chain);
        check_witness(v, FLOCK_BLAKE3, blake3);
        drop(v);
    }
    free(blake3);
    struct opened_vector *v = check_complete("ringswitch/sha2_merkle_path_128.json");
    flock_sha256_input *sha256 = malloc(128 * sizeof *sha256);
    assert_non_null(sha256);
    sha256_path_inputs(sha256);
    check_witness(v, FLOCK_SHA256, sha256);
    free(sha256);
    drop(v);
}

/* Method (C) of spec 04, 6, with the dual basis of the vectors: a third way to the residual. */
static void test_closed_form(void **state)
{
    (void)state;
    json_t *constants = vector_json("ringswitch/constants.json");
    gf128 delta[128];
    json_gf128s(get(constants, "dual_basis"), delta, 128);
    json_decref(constants);
    struct splitmix rng = {404};
    struct claims claims = {.n_quirky = 1};
    struct opening_reduction reduction = {.claims = &claims, .log_n = 9};
    gf128 rho[9], expected = GF128_ZERO, value;
    reduction.gamma[0] = GF128_ONE;
    for (unsigned u = 0; u < 128; u++) {
        reduction.e[0][u] = splitmix_gf128(&rng);
    }
    for (unsigned i = 0; i < 9; i++) {
        rho[i] = splitmix_gf128(&rng);
        claims.quirky[0].point[1 + i] = splitmix_gf128(&rng);
    }
    gf128 z[9];
    memcpy(z, claims.quirky[0].point + 1, sizeof z);
    for (unsigned k = 0; k < 128; k++) {
        gf128 c = kernels()->dot(reduction.e[0], delta, 128);
        for (unsigned i = 0; i < 9; i++) {
            c = gf128_mul(c, gf128_add(GF128_ONE, gf128_add(rho[i], z[i])));
            z[i] = gf128_square(z[i]);
        }
        expected = gf128_add(expected, c);
        for (unsigned u = 0; u < 128; u++) {
            delta[u] = gf128_square(delta[u]);
        }
    }
    opening_weight_evaluate(&reduction, rho, 9, 0, &value);
    assert_gf128_equal(value, expected);
}

/* ---- random claims ---- */

/* Claims about a random q with their right values. Coordinates of direct claim j that are in
 * zeros[j] are 0, in ones[j] are 1. */
struct random_opening {
    struct claims claims;
    struct partial_evaluations partial[2];
    struct column_partials columns[2];
    gf128 *q;
};

static void random_claims(struct random_opening *o, unsigned log_n, unsigned n_quirky,
                          unsigned n_direct, const uint32_t *zeros, const uint32_t *ones,
                          uint64_t seed)
{
    struct splitmix rng = {seed};
    size_t n = (size_t)1 << log_n;
    memset(o, 0, sizeof *o);
    o->q = malloc(n * sizeof *o->q);
    gf128 *eq = malloc(n * sizeof *eq), *eq_rows = malloc(n / N_COLUMNS * sizeof *eq_rows);
    assert_true(o->q != NULL && eq != NULL && eq_rows != NULL);
    for (size_t y = 0; y < n; y++) {
        o->q[y] = splitmix_gf128(&rng);
    }
    o->claims.n_quirky = n_quirky;
    o->claims.n_direct = n_direct;
    for (unsigned k = 0; k < n_quirky; k++) {
        struct quirky_claim *claim = &o->claims.quirky[k];
        gf128 w[128];
        claim->skip = splitmix_gf128(&rng);
        for (unsigned i = 0; i <= log_n; i++) {
            claim->point[i] = splitmix_gf128(&rng);
        }
        eq_table(eq, claim->point + 1, log_n);
        eq_table(eq_rows, claim->point + 1 + LOG_COLUMNS, log_n - LOG_COLUMNS);
        for (size_t y = 0; y < n; y++) {
            for (unsigned v = 0; v < 128; v++) {
                if (bit(o->q[y], v)) {
                    gf128 *s = &o->columns[k].s[y % N_COLUMNS][v];
                    *s = gf128_add(*s, eq_rows[y / N_COLUMNS]);
                    o->partial[k].s[v] = gf128_add(o->partial[k].s[v], eq[y]);
                }
            }
        }
        quirky_table(w, claim->skip, claim->point, 1);
        claim->value = kernels()->dot(w, o->partial[k].s, 128);
    }
    for (unsigned j = 0; j < n_direct; j++) {
        struct direct_claim *claim = &o->claims.direct[j];
        for (unsigned i = 0; i < log_n; i++) {
            claim->point[i] = zeros[j] >> i & 1  ? GF128_ZERO
                              : ones[j] >> i & 1 ? GF128_ONE
                                                 : splitmix_gf128(&rng);
        }
        eq_table(eq, claim->point, log_n);
        claim->value = kernels()->dot(eq, o->q, n);
    }
    free(eq);
    free(eq_rows);
}

/* The prover's weight and the verifier's, in any shape of claims, against the definition. */
static void test_weight(void **state)
{
    (void)state;
    static const struct {
        unsigned log_n, n_quirky, n_direct;
        uint32_t zeros[4], ones[4];
    } cases[] = {
        {6, 2, 0, {0}, {0}},
        {9, 0, 2, {0x1ff, 0}, {0, 0x1ff}},
        {10, 1, 1, {0}, {0}},
        {12, 2, 4, {0x0fc, 0x800, 0xfff, 0x123}, {0x001, 0x7ff, 0, 0x840}},
        {12, 0, 4, {0x00f, 0xe00, 0x5a5, 0}, {0xff0, 0x1ff, 0xa5a, 0xfff}},
        {13, 2, 3, {0x1f8, 0x1e07, 0x0001}, {0, 0, 0x1000}},
        {16, 1, 3, {0x00ff, 0xf000, 0x0a00}, {0x1000, 0, 0xa007}}, /* several tasks */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned log_n = cases[i].log_n;
        size_t n = (size_t)1 << log_n;
        struct random_opening o;
        struct opening_reduction reduction;
        struct transcript t;
        random_claims(&o, log_n, cases[i].n_quirky, cases[i].n_direct, cases[i].zeros,
                      cases[i].ones, i + 1);
        transcript_init(&t, "weights", 7);
        opening_reduce(&t, log_n, &o.claims, o.partial, &reduction);
        gf128 *expected = malloc(n * sizeof *expected);
        assert_non_null(expected);
        slow_weight(&reduction, expected);
        assert_gf128_equal(kernels()->dot(expected, o.q, n), reduction.target);
        for (const struct backend *b = backends; b->name != NULL; b++) {
            if (!b->available()) {
                continue;
            }
            assert_int_equal(flock_backend_select(b->name), FLOCK_OK);
            for (unsigned threads = 1; threads <= 2; threads++) {
                struct prover_context context;
                gf128 slow[MAX_Y], fast[MAX_Y];
                test_context_init(&context, threads);
                check_prover_weight(&context, &reduction, o.columns, o.q, expected);
                const gf128 *rho = o.q; /* as good as any */
                bind_low(slow, expected, log_n, rho, log_n - 4);
                opening_weight_evaluate(&reduction, rho, log_n - 4, 4, fast);
                assert_memory_equal(slow, fast, 16 * sizeof *slow);
                test_context_release(&context);
            }
        }
        assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
        free(expected);
        free(o.q);
    }
}

/* ---- both sides together ---- */

struct whole {
    struct prover_context context;
    struct random_opening o;
    struct pcs_params params;
    uint8_t root[32];
    struct opening_proof proof;
};

static void whole_open(struct whole *w, unsigned m, flock_profile profile, unsigned threads,
                       bool partial)
{
    static const uint32_t zeros[4] = {0x1c, 0, 0x3, 0}, ones[4] = {0, 0x21, 0, 0};
    struct oracle oracle;
    struct transcript t;
    test_context_init(&w->context, threads);
    assert_int_equal(params_get(&w->params, FLOCK_NATIVE, m, profile), FLOCK_OK);
    random_claims(&w->o, w->params.log_n, 2, 3, zeros, ones, m);
    assert_int_equal(oracle_commit(&w->context, &oracle, w->o.q, &w->params.level[0]), FLOCK_OK);
    memcpy(w->root, tree_root(&oracle.tree), 32);
    transcript_init(&t, "whole", 5);
    assert_int_equal(opening_prove(&w->context, &t, &w->params, w->o.q, &oracle, &w->o.claims,
                                   partial ? w->o.columns : NULL, &w->proof),
                     FLOCK_OK);
}

static flock_status whole_verify(const struct whole *w)
{
    struct transcript t;
    transcript_init(&t, "whole", 5);
    return opening_verify(&t, &w->params, w->root, &w->o.claims, &w->proof);
}

static void whole_close(struct whole *w)
{
    free(w->o.q);
    test_context_release(&w->context);
}

/* Same proof with the partial evaluations given or computed, for any threads and backend. */
static void test_same_proof(void **state)
{
    (void)state;
    struct whole *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    assert_true(a != NULL && b != NULL);
    memset(a, 0, sizeof *a);
    whole_open(a, 21, FLOCK_FAST, 1, true);
    assert_int_equal(whole_verify(a), FLOCK_OK);
    for (const struct backend *backend = backends; backend->name != NULL; backend++) {
        if (!backend->available()) {
            continue;
        }
        assert_int_equal(flock_backend_select(backend->name), FLOCK_OK);
        memset(b, 0, sizeof *b);
        whole_open(b, 21, FLOCK_FAST, 2, false);
        assert_memory_equal(a->proof.ring_switch, b->proof.ring_switch,
                            sizeof a->proof.ring_switch);
        const struct ligerito_proof *x = &a->proof.ligerito, *y = &b->proof.ligerito;
        assert_memory_equal(x->roots, y->roots, sizeof x->roots);
        assert_memory_equal(x->messages, y->messages, sizeof x->messages);
        assert_memory_equal(x->residual, y->residual, sizeof x->residual);
        assert_memory_equal(x->ood_values, y->ood_values, sizeof x->ood_values);
        assert_memory_equal(x->query_nonces, y->query_nonces, sizeof x->query_nonces);
        assert_memory_equal(x->fold_nonces, y->fold_nonces, sizeof x->fold_nonces);
        assert_int_equal(whole_verify(b), FLOCK_OK);
        whole_close(b);
    }
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    whole_close(a);
    free(a);
    free(b);
}

static void expect_flip(const struct whole *w, gf128 *element, flock_status expected)
{
    element->hi ^= 0x10000;
    flock_status status = whole_verify(w);
    if (expected == FLOCK_OK) {
        assert_int_not_equal(status, FLOCK_OK);
    } else {
        assert_int_equal(status, expected);
    }
    element->hi ^= 0x10000;
}

static void test_rejections(void **state)
{
    (void)state;
    struct whole *w = malloc(sizeof *w);
    assert_non_null(w);
    whole_open(w, 17, FLOCK_SECURE, 1, true);
    assert_int_equal(whole_verify(w), FLOCK_OK);
    for (unsigned k = 0; k < 2; k++) {
        struct quirky_claim *claim = &w->o.claims.quirky[k];
        for (unsigned v = 0; v < 128; v++) {
            expect_flip(w, &w->proof.ring_switch[k].s[v], FLOCK_REJECT_RING_SWITCH);
        }
        expect_flip(w, &claim->value, FLOCK_REJECT_RING_SWITCH);
        expect_flip(w, &claim->skip, FLOCK_REJECT_RING_SWITCH);
        expect_flip(w, &claim->point[0], FLOCK_REJECT_RING_SWITCH);
        for (unsigned i = 1; i <= w->params.log_n; i++) {
            expect_flip(w, &claim->point[i], FLOCK_REJECT_OPENING);
        }
    }
    for (unsigned j = 0; j < 3; j++) {
        struct direct_claim *claim = &w->o.claims.direct[j];
        expect_flip(w, &claim->value, FLOCK_OK);
        for (unsigned i = 0; i < w->params.log_n; i++) {
            expect_flip(w, &claim->point[i], FLOCK_REJECT_OPENING);
        }
    }
    expect_flip(w, &w->proof.ligerito.messages[0][0], FLOCK_OK);
    w->root[31] ^= 1;
    assert_int_equal(whole_verify(w), FLOCK_REJECT_MERKLE);
    w->root[31] ^= 1;
    w->o.claims.n_direct--;
    assert_int_not_equal(whole_verify(w), FLOCK_OK);
    w->o.claims.n_direct++;
    w->o.claims.n_quirky--;
    assert_int_not_equal(whole_verify(w), FLOCK_OK);
    w->o.claims.n_quirky++;
    assert_int_equal(whole_verify(w), FLOCK_OK);
    whole_close(w);
    free(w);
}

/*
 * The recombination check alone does not bind the partial evaluations: a change that keeps step
 * 2c's sum is caught by the opening.
 */
static void test_balanced_change(void **state)
{
    (void)state;
    struct whole *w = malloc(sizeof *w);
    gf128 weights[128];
    assert_non_null(w);
    whole_open(w, 17, FLOCK_FAST, 1, true);
    const struct quirky_claim *claim = &w->o.claims.quirky[0];
    quirky_table(weights, claim->skip, claim->point, 1);
    /* s_3 += w_77 and s_77 += w_3 */
    gf128 *s = w->proof.ring_switch[0].s;
    s[3] = gf128_add(s[3], weights[77]);
    s[77] = gf128_add(s[77], weights[3]);
    assert_true(partial_evaluations_match(claim, &w->proof.ring_switch[0]));
    assert_int_not_equal(whole_verify(w), FLOCK_OK);
    whole_close(w);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_complete),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_same_proof),
        cmocka_unit_test(test_rejections),
        cmocka_unit_test(test_balanced_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
