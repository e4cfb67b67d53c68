/* Ligerito: proofs byte for byte, traces step by step, and what the verifier must reject. */
#include "support/support.h"
#include "support/weights.h"

#include "backend/kernels.h"
#include "code/additive_ntt.h"
#include "field/multilinear.h"
#include "pcs/ligerito.h"

/* ---- wire form (spec 03, 3.8), written for this test alone ---- */

struct bytes {
    uint8_t *data;
    size_t len, capacity;
};

static void put(struct bytes *out, const void *data, size_t len)
{
    if (len == 0) {
        return;
    }
    if (out->len + len > out->capacity) {
        out->capacity = 2 * (out->len + len);
        out->data = realloc(out->data, out->capacity);
        assert_non_null(out->data);
    }
    memcpy(out->data + out->len, data, len);
    out->len += len;
}

static void put_u64(struct bytes *out, uint64_t v)
{
    uint8_t b[8];
    store_le64(b, v);
    put(out, b, 8);
}

static void put_elements(struct bytes *out, const gf128 *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t b[16];
        gf128_store(b, v[i]);
        put(out, b, 16);
    }
}

static void put_opened(struct bytes *out, const struct level_params *level,
                       const struct opened_level *opened)
{
    put_u64(out, level->Q);
    put(out, opened->rows, level->Q * opened_row_stride(level));
    put_u64(out, opened->n_hashes);
    put(out, opened->hashes, 32 * opened->n_hashes);
}

static struct bytes serialize(const struct pcs_params *params, const struct ligerito_proof *proof)
{
    struct bytes out = {NULL, 0, 0};
    unsigned R = params->R;
    put(&out, proof->roots[0], 32);
    if (R == 0) {
        put_u64(&out, 0);
        put_u64(&out, 0);
    } else {
        put_opened(&out, &params->level[0], &proof->opened[0]);
    }
    put_u64(&out, R);
    for (unsigned i = 1; i <= R; i++) {
        put(&out, proof->roots[i], 32);
    }
    put_u64(&out, R > 0 ? R - 1 : 0);
    for (unsigned i = 1; i < R; i++) {
        put_opened(&out, &params->level[i], &proof->opened[i]);
    }
    put_u64(&out, (uint64_t)1 << params->y);
    put_elements(&out, proof->residual, (size_t)1 << params->y);
    put_opened(&out, &params->level[R], &proof->opened[R]);
    put_u64(&out, params_n_messages(params));
    put_elements(&out, proof->messages[0], 2 * params_n_messages(params));
    put_u64(&out, R + 1);
    for (unsigned i = 0; i <= R; i++) {
        put_u64(&out, proof->query_nonces[i]);
    }
    put_u64(&out, params_n_ood(params));
    put_elements(&out, proof->ood_values, params_n_ood(params));
    put_u64(&out, params_n_fold_nonces(params));
    for (unsigned i = 0; i < params_n_fold_nonces(params); i++) {
        put_u64(&out, proof->fold_nonces[i]);
    }
    return out;
}

struct cursor {
    const uint8_t *next, *end;
};

static const uint8_t *take(struct cursor *in, size_t len)
{
    assert_true((size_t)(in->end - in->next) >= len);
    const uint8_t *p = in->next;
    in->next += len;
    return p;
}

static uint64_t take_u64(struct cursor *in)
{
    return load_le64(take(in, 8));
}

static void take_elements(struct cursor *in, gf128 *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        v[i] = gf128_load(take(in, 16));
    }
}

static void take_opened(struct cursor *in, const struct level_params *level,
                        struct opened_level *opened)
{
    assert_int_equal(take_u64(in), level->Q);
    opened->rows = take(in, level->Q * opened_row_stride(level));
    opened->n_hashes = (size_t)take_u64(in);
    opened->hashes = take(in, 32 * opened->n_hashes);
}

/* For R >= 1; points into the bytes. */
static void parse(struct ligerito_proof *proof, const struct pcs_params *params,
                  const uint8_t *bytes, size_t len)
{
    struct cursor in = {bytes, bytes + len};
    unsigned R = params->R;
    memset(proof, 0, sizeof *proof);
    memcpy(proof->roots[0], take(&in, 32), 32);
    take_opened(&in, &params->level[0], &proof->opened[0]);
    assert_int_equal(take_u64(&in), R);
    for (unsigned i = 1; i <= R; i++) {
        memcpy(proof->roots[i], take(&in, 32), 32);
    }
    assert_int_equal(take_u64(&in), R - 1);
    for (unsigned i = 1; i < R; i++) {
        take_opened(&in, &params->level[i], &proof->opened[i]);
    }
    assert_int_equal(take_u64(&in), 1 << params->y);
    take_elements(&in, proof->residual, (size_t)1 << params->y);
    take_opened(&in, &params->level[R], &proof->opened[R]);
    assert_int_equal(take_u64(&in), params_n_messages(params));
    take_elements(&in, proof->messages[0], 2 * params_n_messages(params));
    assert_int_equal(take_u64(&in), R + 1);
    for (unsigned i = 0; i <= R; i++) {
        proof->query_nonces[i] = take_u64(&in);
    }
    assert_int_equal(take_u64(&in), params_n_ood(params));
    take_elements(&in, proof->ood_values, params_n_ood(params));
    assert_int_equal(take_u64(&in), params_n_fold_nonces(params));
    for (unsigned i = 0; i < params_n_fold_nonces(params); i++) {
        proof->fold_nonces[i] = take_u64(&in);
    }
    assert_ptr_equal(in.next, in.end);
}

/* ---- helpers ---- */

static flock_profile profile_of(const char *name)
{
    return strcmp(name, "fast") == 0   ? FLOCK_FAST
           : strcmp(name, "slim") == 0 ? FLOCK_SLIM
                                       : FLOCK_SECURE;
}

/* The parameter set of a core vector: reference tables from m = 22, else the extension's. */
static struct pcs_params core_params(unsigned m, flock_profile profile)
{
    struct pcs_params params;
    assert_int_equal(params_get(&params, m >= 22 ? FLOCK_REFERENCE : FLOCK_NATIVE, m, profile),
                     FLOCK_OK);
    return params;
}

static void assert_hex(const void *bytes, size_t len, const char *hex)
{
    uint8_t *expected = malloc(len + 1);
    assert_non_null(expected);
    hex_to_bytes(hex, expected, len);
    assert_memory_equal(bytes, expected, len);
    free(expected);
}

static void assert_element(const json_t *object, const char *key, gf128 value)
{
    assert_gf128_equal(hex_gf128(get_string(object, key)), value);
}

static void assert_elements(const json_t *array, const gf128 *values, size_t n)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        assert_gf128_equal(hex_gf128(string_of(at(array, i))), values[i]);
    }
}

static void assert_state(const struct transcript *t, const char *hex)
{
    uint8_t digest[32];
    sha256_digest(&t->state, digest);
    assert_hex(digest, 32, hex);
}

/* ---- the protocol core on pseudo-random polynomials ---- */

struct core {
    struct prover_context context;
    struct pcs_params params;
    gf128 *f;
    struct full_weight weight;
    gf128 point[MAX_LOG_ELEMENTS];
    gf128 target;
    struct oracle oracle;
    uint8_t root[32];
    struct ligerito_proof proof;
    struct transcript transcript; /* after the proof */
};

static void core_transcript(struct transcript *t)
{
    transcript_init(t, "flock-ligerito-vector-v0", strlen("flock-ligerito-vector-v0"));
}

static void core_open(struct core *core, unsigned m, flock_profile profile, uint64_t seed,
                      unsigned threads)
{
    memset(core, 0, sizeof *core);
    test_context_init(&core->context, threads);
    core->params = core_params(m, profile);
    size_t n = (size_t)1 << core->params.log_n;
    struct splitmix rng = {seed};
    core->f = malloc(n * sizeof(gf128));
    assert_non_null(core->f);
    for (size_t i = 0; i < n; i++) {
        core->f[i] = splitmix_gf128(&rng);
    }
    for (unsigned b = 0; b < core->params.log_n; b++) {
        core->point[b] = splitmix_gf128(&rng);
    }
    gf128 *weight = malloc(n * sizeof *weight);
    assert_non_null(weight);
    eq_table(weight, core->point, core->params.log_n);
    core->target = kernels()->dot(core->f, weight, n);
    full_weight_init(&core->weight, weight, core->f, core->params.log_n);
    assert_int_equal(oracle_commit(&core->context, &core->oracle, core->f, &core->params.level[0]),
                     FLOCK_OK);
    memcpy(core->root, tree_root(&core->oracle.tree), 32);

    core->context.memory.peak_bytes = core->context.memory.live_bytes; /* of the opening alone */
    core_transcript(&core->transcript);
    assert_int_equal(ligerito_prove(&core->context, &core->transcript, &core->params, core->f,
                                    &core->weight.prover, core->target, &core->oracle,
                                    &core->proof),
                     FLOCK_OK);
}

static void core_close(struct core *core)
{
    free(core->f);
    full_weight_release(&core->weight);
    test_context_release(&core->context);
}

/* Only rows and multi-openings may be left in the prover's memory. */
static void assert_all_released(const struct core *core)
{
    size_t kept = 0;
    for (unsigned i = 0; i <= core->params.R; i++) {
        const struct level_params *level = &core->params.level[i];
        kept += (level->Q * opened_row_stride(level) + 63) / 64 * 64;
        kept += (core->proof.opened[i].n_hashes * 32 + 63) / 64 * 64;
    }
    assert_int_equal(core->context.memory.live_bytes, kept);
}

/* The weight eq_table(point) on the residual cube. */
struct point_weight {
    const gf128 *point;
};

static void evaluate_point_weight(const void *context, const gf128 *rho, unsigned n_rho, unsigned y,
                                  gf128 *out)
{
    const struct point_weight *weight = context;
    eq_table_scaled(out, weight->point + n_rho, y, eq_eval(weight->point, rho, n_rho));
}

static flock_status core_verify(const struct core *core, struct transcript *t)
{
    struct point_weight point = {core->point};
    struct ligerito_weight weight = {evaluate_point_weight, &point};
    core_transcript(t);
    return ligerito_verify(t, &core->params, core->root, core->target, &weight, &core->proof);
}

static void test_core_digests(void **state)
{
    (void)state;
    json_t *cases = vector_json("ligerito/core_digests.json");
    assert_true(json_array_size(cases) >= 24);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *vector = at(cases, i);
        struct core *core = malloc(sizeof *core);
        assert_non_null(core);
        core_open(core, (unsigned)get_size(vector, "m"), profile_of(get_string(vector, "profile")),
                  get_size(vector, "seed"), 2);
        assert_element(vector, "target", core->target);
        assert_hex(core->root, 32, get_string(vector, "root"));
        struct bytes bytes = serialize(&core->params, &core->proof);
        char hex[65];
        sha256_hex_of_bytes(bytes.data, bytes.len, hex);
        assert_int_equal(bytes.len, get_size(vector, "len"));
        assert_string_equal(hex, get_string(vector, "sha256"));
        assert_all_released(core);
        struct transcript t;
        assert_int_equal(core_verify(core, &t), FLOCK_OK);
        free(bytes.data);
        core_close(core);
        free(core);
    }
    json_decref(cases);
}

/* Level 0: witness 1 W (the caller's), weight 1 W, codeword 2^r W; the folds take next to nothing.
 */
static void test_memory_peak(void **state)
{
    (void)state;
    struct core *core = malloc(sizeof *core);
    assert_non_null(core);
    core_open(core, 24, FLOCK_FAST, 7, 1);
    size_t witness = sizeof(gf128) << core->params.log_n;
    assert_true(core->context.memory.peak_bytes < 2 * witness + witness / 2);
    core_close(core);
    free(core);
}

static void test_same_bytes_everywhere(void **state)
{
    (void)state;
    static const struct {
        unsigned m;
        flock_profile profile;
    } cases[] = {{13, FLOCK_FAST}, {17, FLOCK_SLIM}, {21, FLOCK_SECURE}, {22, FLOCK_FAST}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[65] = "", hex[65];
        for (const struct backend *b = backends; b->name != NULL; b++) {
            if (!b->available()) {
                continue;
            }
            assert_int_equal(flock_backend_select(b->name), FLOCK_OK);
            for (unsigned threads = 1; threads <= 3; threads++) {
                struct core *core = malloc(sizeof *core);
                assert_non_null(core);
                core_open(core, cases[i].m, cases[i].profile, 99, threads);
                struct bytes bytes = serialize(&core->params, &core->proof);
                sha256_hex_of_bytes(bytes.data, bytes.len, hex);
                if (expected[0] == 0) {
                    memcpy(expected, hex, 65);
                }
                assert_string_equal(hex, expected);
                free(bytes.data);
                core_close(core);
                free(core);
            }
        }
        assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    }
}

/* ---- traces: a second verifier, slow and literal (spec 03, 3.6 and 3.7) ---- */

struct component {
    bool is_ood;
    gf128 point[MAX_LOG_ELEMENTS]; /* z, or alpha */
    unsigned n, n_point, start;
    uint32_t positions[MAX_QUERIES];
    unsigned Q;
    gf128 beta;
};

struct replay {
    struct transcript t;
    const struct pcs_params *params;
    const struct ligerito_proof *proof;
    const json_t *steps;
    size_t next_step;
    unsigned n_messages, n_ood, n_fold;
    gf128 claim, u0, u1, u2;
    gf128 rho[MAX_LOG_ELEMENTS];
    unsigned n_rho;
    struct component components[MAX_OOD + MAX_LEVELS];
    unsigned n_components;
};

static const json_t *next_step(struct replay *r, const char *name)
{
    const json_t *step = at(r->steps, r->next_step++);
    assert_string_equal(get_string(step, "step"), name);
    return step;
}

static void read_message(struct replay *r, const json_t *step, gf128 *u0, gf128 *u2)
{
    *u0 = r->proof->messages[r->n_messages][0];
    *u2 = r->proof->messages[r->n_messages++][1];
    assert_element(step, "u0", *u0);
    assert_element(step, "u2", *u2);
    transcript_scalar(&r->t, *u0);
    transcript_scalar(&r->t, *u2);
}

static void introduce(struct replay *r, const json_t *step, gf128 value, struct component *c)
{
    gf128 u0, u2;
    read_message(r, step, &u0, &u2);
    c->beta = transcript_sample(&r->t);
    assert_element(step, "beta", c->beta);
    r->u0 = gf128_add(r->u0, gf128_mul(c->beta, u0));
    r->u1 = gf128_add(r->u1, gf128_mul(c->beta, gf128_add(value, u2)));
    r->u2 = gf128_add(r->u2, gf128_mul(c->beta, u2));
    r->claim = gf128_add(r->claim, gf128_mul(c->beta, value));
}

static void check_nonce(struct replay *r, const json_t *step, unsigned bits, uint64_t nonce)
{
    assert_int_equal(get_size(step, "grind_bits"), bits);
    assert_int_equal(get_size(step, "nonce"), nonce);
    assert_state(&r->t, get_string(step, "pow_digest"));
    assert_true(transcript_check_nonce(&r->t, bits, nonce));
}

static void replay_fold(struct replay *r, unsigned i, unsigned j)
{
    const json_t *step = next_step(r, "fold");
    assert_int_equal(get_size(step, "level"), i);
    assert_int_equal(get_size(step, "j"), j);
    unsigned h = r->params->level[i].h;
    if (h > j) {
        check_nonce(r, step, h - j, r->proof->fold_nonces[r->n_fold++]);
    } else {
        assert_null(json_object_get(step, "nonce"));
    }
    gf128 x = transcript_sample(&r->t);
    assert_element(step, "r", x);
    r->rho[r->n_rho++] = x;
    r->claim = gf128_add(r->u0, gf128_add(gf128_mul(x, r->u1), gf128_mul(gf128_mul(x, x), r->u2)));
    assert_element(step, "claim", r->claim);
    read_message(r, step, &r->u0, &r->u2);
    r->u1 = gf128_add(r->claim, r->u2);
    assert_state(&r->t, get_string(step, "state"));
}

static void replay_ood(struct replay *r, unsigned i)
{
    const json_t *step = next_step(r, "ood");
    struct component *c = &r->components[r->n_components++];
    assert_int_equal(get_size(step, "level"), i + 1);
    c->is_ood = true;
    c->n = c->n_point = r->params->level[i].c;
    c->start = r->n_rho;
    transcript_sample_vec(&r->t, c->point, c->n);
    assert_elements(get(step, "z"), c->point, c->n);
    gf128 value = r->proof->ood_values[r->n_ood++];
    assert_element(step, "y", value);
    transcript_scalar(&r->t, value);
    introduce(r, step, value, c);
    assert_element(step, "claim", r->claim);
    assert_state(&r->t, get_string(step, "state"));
}

/* sum_t omega[t] sum_lane eq[lane] row_t[lane], straight from the definition. */
static gf128 enforced_sum(const struct replay *r, unsigned i, const struct component *c)
{
    const struct level_params *level = &r->params->level[i];
    gf128 sum = GF128_ZERO, omega[MAX_QUERIES], eq[64];
    eq_table(omega, c->point, c->n_point);
    eq_table(eq, r->rho + r->n_rho - level->k, level->k);
    for (unsigned t = 0; t < level->Q; t++) {
        const uint8_t *row = r->proof->opened[i].rows + t * opened_row_stride(level);
        assert_int_equal(load_le64(row), 1 << level->k);
        for (unsigned lane = 0; lane < 1u << level->k; lane++) {
            gf128 term = gf128_mul(eq[lane], gf128_load(row + 8 + 16 * lane));
            sum = gf128_add(sum, gf128_mul(omega[t], term));
        }
    }
    return sum;
}

static void replay_queries(struct replay *r, unsigned i)
{
    const struct level_params *level = &r->params->level[i];
    const json_t *step = next_step(r, "queries");
    struct component *c = &r->components[r->n_components++];
    assert_int_equal(get_size(step, "level"), i);
    assert_int_equal(get_size(step, "block_len"), 1 << (level->c + level->r));
    check_nonce(r, step, level->g, r->proof->query_nonces[i]);
    c->is_ood = false;
    c->Q = level->Q;
    c->n = level->c;
    c->start = r->n_rho;
    transcript_queries(&r->t, c->positions, level->Q, level->c + level->r);
    const json_t *indices = get(step, "indices");
    assert_int_equal(json_array_size(indices), level->Q);
    for (unsigned t = 0; t < level->Q; t++) {
        assert_int_equal(size_of(at(indices, t)), c->positions[t]);
    }
    c->n_point = ceil_log2(level->Q);
    transcript_sample_vec(&r->t, c->point, c->n_point);
    assert_elements(get(step, "alpha"), c->point, c->n_point);
    gf128 value = hex_gf128(get_string(step, "enforced_sum"));
    if (r->proof->opened[i].rows != NULL) {
        assert_gf128_equal(value, enforced_sum(r, i, c));
    }
    if (i < r->params->R) {
        introduce(r, step, value, c);
    } else {
        c->beta = transcript_sample(&r->t);
        assert_element(step, "beta", c->beta);
        r->claim = gf128_add(r->claim, gf128_mul(c->beta, value));
    }
    assert_element(step, "claim", r->claim);
    assert_state(&r->t, get_string(step, "state"));
}

/* One glued weight at (rho, t), beta included. */
static gf128 component_at(const struct replay *r, const struct component *c, unsigned t)
{
    gf128 x[MAX_LOG_ELEMENTS], sum = GF128_ZERO, omega[MAX_QUERIES];
    unsigned y = r->params->y;
    for (unsigned b = 0; b < c->n; b++) {
        x[b] = b < c->n - y ? r->rho[c->start + b] : gf128_from_u64(t >> (b - (c->n - y)) & 1);
    }
    if (c->is_ood) {
        return gf128_mul(c->beta, eq_eval(c->point, x, c->n));
    }
    struct subspace_images images;
    subspace_images_init(&images, NTT_MAX_LOG);
    eq_table(omega, c->point, c->n_point);
    for (unsigned k = 0; k < c->Q; k++) {
        gf128 product = omega[k], factors[NTT_MAX_LOG];
        generator_factors(factors, c->n, &images, c->positions[k]);
        for (unsigned b = 0; b < c->n; b++) {
            gf128 w = gf128_add(GF128_ONE, factors[b]);
            product = gf128_mul(product, gf128_add(GF128_ONE, gf128_mul(x[b], w)));
        }
        sum = gf128_add(sum, product);
    }
    return gf128_mul(c->beta, sum);
}

static void replay_final(struct replay *r)
{
    const json_t *step = next_step(r, "final");
    const json_t *components = get(step, "components");
    size_t n = (size_t)1 << r->params->y;
    gf128 combined[1 << MAX_LOG_RESIDUAL], sum = GF128_ZERO;
    assert_elements(get(step, "residual_point"), r->rho, r->n_rho);
    assert_int_equal(json_array_size(components), r->n_components);
    json_gf128s(get(step, "initial_weight"), combined, n);
    for (unsigned i = 0; i < r->n_components; i++) {
        const json_t *component = at(components, i);
        const struct component *c = &r->components[i];
        gf128 values[1 << MAX_LOG_RESIDUAL];
        assert_string_equal(get_string(component, "kind"), c->is_ood ? "ood" : "ind");
        assert_int_equal(get_size(component, "start"), c->start);
        for (unsigned t = 0; t < n; t++) {
            values[t] = component_at(r, c, t);
            combined[t] = gf128_add(combined[t], values[t]);
        }
        assert_elements(get(component, "values"), values, n);
    }
    assert_elements(get(step, "combined_weight"), combined, n);
    for (unsigned t = 0; t < n; t++) {
        sum = gf128_add(sum, gf128_mul(combined[t], r->proof->residual[t]));
    }
    assert_element(step, "lhs", sum);
    assert_element(step, "claim", r->claim);
    assert_gf128_equal(sum, r->claim);
    assert_state(&r->t, get_string(step, "state"));
}

/* Follows the trace of `vector` with a proof (rows may be missing). Leaves t in its last state. */
static void replay_trace(const json_t *vector, const struct pcs_params *params,
                         const struct ligerito_proof *proof, struct transcript *t)
{
    struct replay *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->params = params;
    r->proof = proof;
    r->steps = get(vector, "steps");
    size_t len;
    uint8_t *prefix = hex_alloc(get_string(vector, "transcript_prefix"), &len);
    sha256_init(&r->t.state);
    sha256_update(&r->t.state, prefix, len);
    free(prefix);

    const json_t *step = next_step(r, "enter");
    r->claim = hex_gf128(get_string(step, "target"));
    assert_hex(proof->roots[0], 32, get_string(step, "root"));
    transcript_label(&r->t, "flock-ligerito-basis-v0");
    transcript_scalar(&r->t, r->claim);
    transcript_bytes(&r->t, proof->roots[0], 32);
    assert_state(&r->t, get_string(step, "state"));
    step = next_step(r, "start_msg");
    read_message(r, step, &r->u0, &r->u2);
    r->u1 = gf128_add(r->claim, r->u2);
    assert_state(&r->t, get_string(step, "state"));
    for (unsigned i = 0; i <= params->R; i++) {
        for (unsigned j = 0; j < params->level[i].k; j++) {
            replay_fold(r, i, j);
        }
        if (i < params->R) {
            step = next_step(r, "root");
            assert_hex(proof->roots[i + 1], 32, get_string(step, "root"));
            transcript_bytes(&r->t, proof->roots[i + 1], 32);
            assert_state(&r->t, get_string(step, "state"));
            for (unsigned s = 0; s < params->level[i + 1].s; s++) {
                replay_ood(r, i);
            }
        } else {
            step = next_step(r, "yr");
            assert_elements(get(step, "yr"), proof->residual, (size_t)1 << params->y);
            for (unsigned k = 0; k < 1u << params->y; k++) {
                transcript_scalar(&r->t, proof->residual[k]);
            }
            assert_state(&r->t, get_string(step, "state"));
        }
        replay_queries(r, i);
    }
    replay_final(r);
    assert_int_equal(r->next_step, json_array_size(r->steps));
    assert_int_equal(r->n_messages, params_n_messages(params));
    assert_int_equal(r->n_ood, params_n_ood(params));
    assert_int_equal(r->n_fold, params_n_fold_nonces(params));
    *t = r->t;
    free(r);
}

static void check_core_trace(const char *path, unsigned m, flock_profile profile)
{
    json_t *vector = vector_json(path);
    struct core *core = malloc(sizeof *core);
    struct transcript traced, verified;
    assert_non_null(core);
    core_open(core, m, profile, get_size(vector, "seed"), 1);
    assert_string_equal(get_string(vector, "fs_domain"), "flock-ligerito-vector-v0");
    assert_elements(get(vector, "f_first4"), core->f, 4);
    assert_elements(get(vector, "point"), core->point, core->params.log_n);
    replay_trace(vector, &core->params, &core->proof, &traced);

    /* Our verifier ends in the same state; our prover in that before the last alpha. */
    assert_int_equal(core_verify(core, &verified), FLOCK_OK);
    uint8_t a[32], b[32];
    sha256_digest(&traced.state, a);
    sha256_digest(&verified.state, b);
    assert_memory_equal(a, b, 32);
    gf128 alpha[MAX_LOG_QUERIES];
    transcript_sample_vec(&core->transcript, alpha,
                          ceil_log2(core->params.level[core->params.R].Q));
    (void)transcript_sample(&core->transcript);
    sha256_digest(&core->transcript.state, b);
    assert_memory_equal(a, b, 32);

    const json_t *proof = json_object_get(vector, "proof");
    struct bytes bytes = serialize(&core->params, &core->proof);
    char hex[65];
    sha256_hex_of_bytes(bytes.data, bytes.len, hex);
    assert_string_equal(hex, get_string(vector, "sha256"));
    if (proof != NULL) {
        assert_hex(bytes.data, bytes.len, string_of(proof));
    }
    free(bytes.data);
    core_close(core);
    free(core);
    json_decref(vector);
}

static void test_core_traces(void **state)
{
    (void)state;
    check_core_trace("ligerito/core_m13_fast.json", 13, FLOCK_FAST);
    check_core_trace("ligerito/core_m16_secure.json", 16, FLOCK_SECURE);
    check_core_trace("ligerito/core_m17_fast.json", 17, FLOCK_FAST);
}

/* ---- complete reference openings ---- */

/* The weight on the residual cube, taken from the trace. */
static void evaluate_known_weight(const void *context, const gf128 *rho, unsigned n_rho, unsigned y,
                                  gf128 *out)
{
    (void)rho;
    (void)n_rho;
    memcpy(out, context, sizeof(gf128) << y);
}

static void test_reference_opening(void **state)
{
    (void)state;
    json_t *vector = vector_json("ligerito/opening_m22_fast_blake3_256.json");
    struct pcs_params params = core_params(22, FLOCK_FAST);
    struct ligerito_proof proof;
    struct transcript t, traced;
    size_t len, prefix_len;
    uint8_t *bundle = vector_bytes("ligerito/opening_m22_fast_blake3_256.bundle.bin", &len);
    char hex[65];
    sha256_hex_of_bytes(bundle, len, hex);
    assert_string_equal(hex, get_string(vector, "bundle_sha256"));
    size_t offset = get_size(vector, "ligerito_offset_in_bundle");
    assert_int_equal(len, offset + get_size(vector, "ligerito_len"));
    parse(&proof, &params, bundle + offset, len - offset);
    struct bytes again = serialize(&params, &proof);
    assert_int_equal(again.len, len - offset);
    assert_memory_equal(again.data, bundle + offset, again.len);
    free(again.data);

    replay_trace(vector, &params, &proof, &traced);
    const json_t *steps = get(vector, "steps");
    const json_t *final = at(steps, json_array_size(steps) - 1);
    gf128 known[1 << MAX_LOG_RESIDUAL];
    json_gf128s(get(final, "initial_weight"), known, (size_t)1 << params.y);
    struct ligerito_weight weight = {evaluate_known_weight, known};
    gf128 target = hex_gf128(get_string(at(steps, 0), "target"));
    uint8_t *prefix = hex_alloc(get_string(vector, "transcript_prefix"), &prefix_len);
    sha256_init(&t.state);
    sha256_update(&t.state, prefix, prefix_len);
    assert_int_equal(ligerito_verify(&t, &params, proof.roots[0], target, &weight, &proof),
                     FLOCK_OK);
    assert_state(&t, get_string(final, "state"));

    known[0].lo ^= 1;
    sha256_init(&t.state);
    sha256_update(&t.state, prefix, prefix_len);
    assert_int_equal(ligerito_verify(&t, &params, proof.roots[0], target, &weight, &proof),
                     FLOCK_REJECT_OPENING);
    free(prefix);
    free(bundle);
    json_decref(vector);
}

/* A proof put together from a trace: everything but rows and hashes. */
static void proof_of_trace(const json_t *vector, struct ligerito_proof *proof)
{
    memset(proof, 0, sizeof *proof);
    const json_t *messages = get(vector, "sumcheck_messages");
    for (size_t i = 0; i < json_array_size(messages); i++) {
        uint8_t pair[32];
        hex_to_bytes(string_of(at(messages, i)), pair, 32);
        proof->messages[i][0] = gf128_load(pair);
        proof->messages[i][1] = gf128_load(pair + 16);
    }
    const json_t *nonces = get(vector, "grinding_nonces");
    for (size_t i = 0; i < json_array_size(nonces); i++) {
        proof->query_nonces[i] = size_of(at(nonces, i));
    }
    nonces = get(vector, "fold_grinding_nonces");
    for (size_t i = 0; i < json_array_size(nonces); i++) {
        proof->fold_nonces[i] = size_of(at(nonces, i));
    }
    json_gf128s(get(vector, "ood_values"), proof->ood_values,
                json_array_size(get(vector, "ood_values")));
    const json_t *steps = get(vector, "steps");
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *step = at(steps, i);
        if (strcmp(get_string(step, "step"), "yr") == 0) {
            json_gf128s(get(step, "yr"), proof->residual, json_array_size(get(step, "yr")));
        } else if (json_object_get(step, "root") != NULL) {
            const json_t *level = json_object_get(step, "level");
            hex_to_bytes(get_string(step, "root"), proof->roots[level ? size_of(level) : 0], 32);
        }
    }
}

static void test_reference_traces(void **state)
{
    (void)state;
    static const char *const paths[2] = {"ligerito/opening_m22_slim_blake3_256.json",
                                         "ligerito/opening_m22_secure_blake3_256.json"};
    for (int i = 0; i < 2; i++) {
        json_t *vector = vector_json(paths[i]);
        struct pcs_params params = core_params(22, i == 0 ? FLOCK_SLIM : FLOCK_SECURE);
        struct ligerito_proof proof;
        struct transcript t;
        proof_of_trace(vector, &proof);
        replay_trace(vector, &params, &proof, &t);
        json_decref(vector);
    }
}

/* ---- what must be rejected ---- */

static void assert_rejected(const struct core *core)
{
    struct transcript t;
    flock_status status = core_verify(core, &t);
    assert_true(status == FLOCK_REJECT_NONCE || status == FLOCK_REJECT_MERKLE ||
                status == FLOCK_REJECT_OPENING);
}

static void assert_accepted(const struct core *core)
{
    struct transcript t;
    assert_int_equal(core_verify(core, &t), FLOCK_OK);
}

/* Flips one bit of an element of the proof, expects rejection, flips it back. */
static void reject_element(const struct core *core, gf128 *element, struct splitmix *rng)
{
    uint64_t bit = splitmix_next(rng) % 128;
    gf128 flip = bit < 64 ? (gf128){(uint64_t)1 << bit, 0} : (gf128){0, (uint64_t)1 << (bit - 64)};
    *element = gf128_add(*element, flip);
    assert_rejected(core);
    *element = gf128_add(*element, flip);
}

static void reject_byte(const struct core *core, uint8_t *byte, struct splitmix *rng)
{
    uint8_t flip = (uint8_t)(1u << splitmix_next(rng) % 8);
    *byte ^= flip;
    assert_rejected(core);
    *byte ^= flip;
}

static void reject_nonce(const struct core *core, uint64_t *nonce, unsigned bits)
{
    uint64_t honest = *nonce;
    struct transcript t;
    *nonce = honest + 1;
    assert_rejected(core);
    *nonce = honest ^ (uint64_t)1 << 63;
    assert_rejected(core);
    if (bits == 0) {
        assert_int_equal(core_verify(core, &t), FLOCK_REJECT_NONCE);
    }
    *nonce = honest;
}

static void reject_opened(struct core *core, unsigned i, struct splitmix *rng)
{
    const struct level_params *level = &core->params.level[i];
    struct opened_level *opened = &core->proof.opened[i], honest = *opened;
    size_t stride = opened_row_stride(level), rows_len = level->Q * stride;
    uint8_t *rows = malloc(rows_len), *hashes = malloc(32 * (honest.n_hashes + 1));
    assert_non_null(rows);
    assert_non_null(hashes);
    memcpy(rows, honest.rows, rows_len);
    memcpy(hashes, honest.hashes, 32 * honest.n_hashes);
    memset(hashes + 32 * honest.n_hashes, 0, 32);
    opened->rows = rows;
    opened->hashes = hashes;

    for (unsigned t = 0; t < level->Q; t += 7) {
        reject_byte(core, &rows[t * stride + 8 + splitmix_next(rng) % (stride - 8)], rng);
    }
    for (size_t n = 0; n < honest.n_hashes; n += 5) {
        reject_byte(core, &hashes[32 * n + splitmix_next(rng) % 32], rng);
    }
    /* Two rows change places. */
    uint8_t *swap = malloc(stride);
    assert_non_null(swap);
    memcpy(swap, rows, stride);
    memcpy(rows, rows + stride, stride);
    memcpy(rows + stride, swap, stride);
    assert_rejected(core);
    memcpy(rows, honest.rows, 2 * stride);
    free(swap);
    /* One hash more, one less. */
    opened->n_hashes = honest.n_hashes + 1;
    assert_rejected(core);
    if (honest.n_hashes > 0) {
        opened->n_hashes = honest.n_hashes - 1;
        assert_rejected(core);
        opened->n_hashes = 0;
        assert_rejected(core);
    }
    *opened = honest;
    free(rows);
    free(hashes);
}

static void reject_parameters(struct core *core)
{
    struct pcs_params honest = core->params;
    for (unsigned i = 0; i <= honest.R; i++) {
        struct level_params *level = &core->params.level[i];
        level->r++;
        assert_rejected(core);
        *level = honest.level[i];
        level->Q--;
        assert_rejected(core);
        *level = honest.level[i];
        level->g += 20;
        assert_rejected(core);
        *level = honest.level[i];
        level->h += 30;
        assert_rejected(core);
        *level = honest.level[i];
        if (level->s > 0) {
            level->s--;
            assert_rejected(core);
            *level = honest.level[i];
        }
    }
    assert_accepted(core);
}

static void check_rejections(unsigned m, flock_profile profile)
{
    struct core *core = malloc(sizeof *core);
    struct splitmix rng = {m};
    assert_non_null(core);
    core_open(core, m, profile, 5, 1);
    assert_accepted(core);
    const struct pcs_params *params = &core->params;
    struct ligerito_proof *proof = &core->proof;
    for (unsigned i = 0; i < params_n_messages(params); i++) {
        reject_element(core, &proof->messages[i][0], &rng);
        reject_element(core, &proof->messages[i][1], &rng);
    }
    for (unsigned i = 0; i < params_n_ood(params); i++) {
        reject_element(core, &proof->ood_values[i], &rng);
    }
    for (unsigned i = 0; i < 1u << params->y; i++) {
        reject_element(core, &proof->residual[i], &rng);
    }
    unsigned n_fold = 0;
    for (unsigned i = 0; i <= params->R; i++) {
        reject_byte(core, &proof->roots[i][splitmix_next(&rng) % 32], &rng);
        reject_nonce(core, &proof->query_nonces[i], params->level[i].g);
        reject_opened(core, i, &rng);
        for (unsigned j = 0; j < params->level[i].k && j < params->level[i].h; j++) {
            reject_nonce(core, &proof->fold_nonces[n_fold++], params->level[i].h - j);
        }
    }
    reject_byte(core, &core->root[0], &rng);
    reject_element(core, &core->target, &rng);
    for (unsigned b = 0; b < params->log_n; b++) {
        reject_element(core, &core->point[b], &rng);
    }
    reject_parameters(core);
    core_close(core);
    free(core);
}

static void test_rejections(void **state)
{
    (void)state;
    check_rejections(13, FLOCK_FAST);
    check_rejections(16, FLOCK_SECURE);
    check_rejections(17, FLOCK_SLIM);
    check_rejections(19, FLOCK_FAST);
}

/* A false claim: the honest prover's algorithm on a wrong target does not convince. */
static void test_false_claim(void **state)
{
    (void)state;
    struct core *core = malloc(sizeof *core);
    assert_non_null(core);
    core_open(core, 17, FLOCK_FAST, 3, 1);
    core->target.hi ^= 4;
    assert_int_equal(oracle_commit(&core->context, &core->oracle, core->f, &core->params.level[0]),
                     FLOCK_OK);
    core_transcript(&core->transcript);
    assert_int_equal(ligerito_prove(&core->context, &core->transcript, &core->params, core->f,
                                    &core->weight.prover, core->target, &core->oracle,
                                    &core->proof),
                     FLOCK_OK);
    struct transcript t;
    assert_int_equal(core_verify(core, &t), FLOCK_REJECT_OPENING);
    core_close(core);
    free(core);
}

/* ---- commitments (spec 02, 2.5) ---- */

static void test_commit(void **state)
{
    (void)state;
    json_t *cases = vector_json("transcript/commit.json");
    unsigned checked = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *vector = at(cases, i);
        struct level_params level = {.r = (uint8_t)get_size(vector, "log_inv_rate"),
                                     .k = (uint8_t)get_size(vector, "log_batch_size")};
        level.c = (uint8_t)(get_size(vector, "m") - 7 - level.k);
        if (level.k < 2) {
            continue; /* leaves below 64 bytes are not used by any parameter set */
        }
        size_t n = (size_t)1 << (level.c + level.k);
        gf128 *f = malloc(n * sizeof *f);
        assert_non_null(f);
        struct splitmix rng = {get_size(vector, "z_splitmix64_seed")};
        for (size_t j = 0; j < n; j++) {
            f[j] = splitmix_gf128(&rng);
        }
        struct prover_context context;
        struct oracle oracle = {.zeros = {3, 4}}; /* left over; nothing of it counts */
        test_context_init(&context, 2);
        assert_int_equal(oracle_commit(&context, &oracle, f, &level), FLOCK_OK);
        assert_int_equal(oracle.log_positions, level.c + level.r);
        assert_int_equal(1u << oracle.log_positions, get_size(vector, "n_leaves"));
        assert_hex(tree_root(&oracle.tree), 32, get_string(vector, "root"));
        assert_hex(oracle.tree.nodes, 32, get_string(vector, "leaf0_hash"));
        const json_t *codeword = json_object_get(vector, "codeword");
        if (codeword != NULL) {
            size_t length = n << level.r;
            assert_int_equal(strlen(string_of(codeword)), 32 * length);
            for (size_t j = 0; j < length; j++) {
                uint8_t bytes[16];
                char hex[33];
                gf128_store(bytes, oracle.codeword[j]);
                memcpy(hex, string_of(codeword) + 32 * j, 32);
                hex[32] = 0;
                assert_hex(bytes, 16, hex);
            }
        }
        oracle_release(&context, &oracle);
        assert_int_equal(context.memory.live_bytes, 0);
        test_context_release(&context);
        free(f);
        checked++;
    }
    assert_int_equal(checked, 6);
    json_decref(cases);
}

/* ---- cancellation ---- */

static int cancel_after(void *argument, flock_phase phase, double fraction)
{
    int *left = argument;
    assert_int_equal(phase, FLOCK_PHASE_OPEN);
    assert_true(fraction >= 0 && fraction <= 1);
    return (*left)-- == 0;
}

static void test_cancellation(void **state)
{
    (void)state;
    bool finished = false;
    for (int after = 0; !finished; after++) {
        struct prover_context context;
        int left = after;
        flock_options options = {.progress = cancel_after, .progress_context = &left};
        test_context_init(&context, 1);
        context.options = &options;
        struct pcs_params params = core_params(16, FLOCK_FAST);
        size_t n = (size_t)1 << params.log_n;
        gf128 *f = memory_take_zeroed(&context.memory, "f", n, sizeof *f);
        assert_non_null(f);
        struct full_weight weight;
        full_weight_init(&weight, calloc(n, sizeof(gf128)), f, params.log_n);
        struct oracle oracle;
        struct transcript t;
        struct ligerito_proof proof;
        assert_int_equal(oracle_commit(&context, &oracle, f, &params.level[0]), FLOCK_OK);
        core_transcript(&t);
        flock_status status =
            ligerito_prove(&context, &t, &params, f, &weight.prover, GF128_ZERO, &oracle, &proof);
        finished = status == FLOCK_OK;
        assert_true(finished || status == FLOCK_ERR_CANCELLED);
        assert_true(!finished || after >= 3); /* in each level */
        full_weight_release(&weight);
        test_context_release(&context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit),
        cmocka_unit_test(test_core_traces),
        cmocka_unit_test(test_core_digests),
        cmocka_unit_test(test_reference_opening),
        cmocka_unit_test(test_reference_traces),
        cmocka_unit_test(test_memory_peak),
        cmocka_unit_test(test_same_bytes_everywhere),
        cmocka_unit_test(test_rejections),
        cmocka_unit_test(test_false_claim),
        cmocka_unit_test(test_cancellation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
