/*
 * Zerocheck and lincheck against the vectors of piop/, against their definitions on small random
 * inputs, and against changed proofs.
 */
#include "support/support.h"

#include "backend/kernels.h"
#include "circuit/circuit.h"
#include "field/gf8.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"
#include "piop/high_rounds.h"
#include "piop/lincheck.h"
#include "piop/partials.h"
#include "piop/zerocheck.h"
#include "transcript/transcript.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static gf128 add(gf128 a, gf128 b)
{
    return gf128_add(a, b);
}

static gf128 mul(gf128 a, gf128 b)
{
    return gf128_mul_portable(a, b);
}

static gf128 *new_gf128s(size_t n)
{
    gf128 *v = calloc(n + 1, sizeof *v);
    assert_non_null(v);
    return v;
}

static uint64_t *new_bits(unsigned log_bits)
{
    uint64_t *bits = calloc((size_t)1 << (log_bits - 6), sizeof *bits);
    assert_non_null(bits);
    return bits;
}

static unsigned bit_of(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

/* Runs body once with every backend this machine has and with 1, 2 and 5 threads. */
static void with_backends(void (*body)(unsigned threads, void *context), void *context)
{
    static const unsigned threads[] = {1, 2, 5};
    for (const struct backend *b = backends; b->name != NULL; b++) {
        if (!b->available()) {
            continue;
        }
        assert_int_equal(flock_backend_select(b->name), FLOCK_OK);
        for (size_t i = 0; i < COUNT(threads); i++) {
            body(threads[i], context);
        }
    }
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
}

/* ---- circuits given by matrices ---- */

struct matrix {
    uint32_t *columns;
    size_t *ends; /* of each row */
};

struct matrix_circuit {
    struct circuit circuit; /* first, so that marginals finds the rest */
    struct matrix A0, B0;
};

static void matrix_from_json(struct matrix *matrix, const json_t *rows, size_t n_rows)
{
    size_t n = 0, total = 0;
    assert_int_equal(json_array_size(rows), n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        total += json_array_size(at(rows, i));
    }
    matrix->columns = calloc(total + 1, sizeof *matrix->columns);
    matrix->ends = calloc(n_rows, sizeof *matrix->ends);
    assert_true(matrix->columns != NULL && matrix->ends != NULL);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < json_array_size(at(rows, i)); j++) {
            matrix->columns[n] = (uint32_t)size_of(at(at(rows, i), j));
            assert_true(matrix->columns[n++] < n_rows);
        }
        matrix->ends[i] = n;
    }
}

static void matrix_identity(struct matrix *matrix, size_t n_rows)
{
    matrix->columns = calloc(n_rows, sizeof *matrix->columns);
    matrix->ends = calloc(n_rows, sizeof *matrix->ends);
    assert_true(matrix->columns != NULL && matrix->ends != NULL);
    for (size_t i = 0; i < n_rows; i++) {
        matrix->columns[i] = (uint32_t)i;
        matrix->ends[i] = i + 1;
    }
}

static void matrix_free(struct matrix *matrix)
{
    free(matrix->columns);
    free(matrix->ends);
}

static void add_marginals(const struct matrix *matrix, gf128 *comb, gf128 factor, const gf128 *e,
                          size_t n_rows)
{
    for (size_t i = 0, n = 0; i < n_rows; i++) {
        gf128 value = mul(factor, e[i]);
        for (; n < matrix->ends[i]; n++) {
            comb[matrix->columns[n]] = add(comb[matrix->columns[n]], value);
        }
    }
}

static void matrix_marginals(const struct circuit *self, gf128 *comb, gf128 alpha, const gf128 *e)
{
    const struct matrix_circuit *mc = (const struct matrix_circuit *)self;
    size_t k = (size_t)1 << self->k_log;
    memset(comb, 0, k * sizeof *comb);
    add_marginals(&mc->A0, comb, alpha, e, k);
    add_marginals(&mc->B0, comb, GF128_ONE, e, k);
}

/* Spec 05, 5.2.2. */
static size_t address(const struct shape *shape, size_t i, size_t o)
{
    if (shape->layout == FLOCK_ROW_MAJOR) {
        return i + (o << shape->k_log);
    }
    return i % 128 + (o << 7) + (i / 128 << (7 + shape->n_log));
}

static void matrix_apply(const struct matrix *matrix, const struct shape *shape, const uint64_t *z,
                         uint64_t *out)
{
    for (size_t o = 0; o < (size_t)1 << shape->n_log; o++) {
        for (size_t i = 0, n = 0; i < (size_t)1 << shape->k_log; i++) {
            unsigned sum = 0;
            for (; n < matrix->ends[i]; n++) {
                sum ^= bit_of(z, address(shape, matrix->columns[n], o));
            }
            size_t where = address(shape, i, o);
            out[where / 64] |= (uint64_t)sum << (where % 64);
        }
    }
}

/* ---- one case of the vectors, or a made-up one ---- */

struct piop_case {
    json_t *json; /* NULL if made up */
    struct shape shape;
    unsigned m;
    const struct circuit *circuit;
    struct matrix_circuit matrices;
    uint64_t *z, *a, *b;
    uint8_t digest[32], root[32];
};

struct run {
    struct transcript transcript;
    struct zerocheck_proof zerocheck;
    struct lincheck_proof lincheck;
    struct zerocheck_result result;
    struct quirky_claim claim_ab, claim_c;
    struct column_partials partial_ab, partial_c;
};

static void case_start(const struct piop_case *c, struct transcript *t)
{
    const char *domain = c->json != NULL ? get_string(c->json, "domain") : "test";
    transcript_init(t, domain, strlen(domain));
    transcript_label(t, "flock-r1cs-v0");
    transcript_bytes(t, c->digest, 32);
    transcript_bytes(t, c->root, 32);
}

static void case_prove(const struct piop_case *c, struct run *run, unsigned threads)
{
    struct prover_context context;
    size_t bytes = (size_t)1 << (c->m - 3);
    test_context_init(&context, threads);
    memset(run, 0, sizeof *run);
    case_start(c, &run->transcript);

    uint64_t *a = new_bits(c->m), *b = new_bits(c->m);
    memcpy(a, c->a, bytes);
    memcpy(b, c->b, bytes);
    assert_int_equal(zerocheck_prove(&context, &run->transcript, c->m, c->z, a, b, &run->zerocheck,
                                     &run->result, &run->claim_c, &run->partial_c),
                     FLOCK_OK);
    for (size_t i = 0; i < bytes / sizeof *a; i++) {
        assert_int_equal(a[i], c->a[i] & c->b[i]);
    }
    free(a);
    free(b);
    assert_int_equal(lincheck_prove(&context, &run->transcript, c->circuit, &c->shape, c->z,
                                    &run->result, &run->lincheck, &run->claim_ab, &run->partial_ab),
                     FLOCK_OK);
    assert_int_equal(context.memory.live_bytes, 0);
    test_context_release(&context);
}

/* Verifies the proofs in *run, filling result and claims of *out. */
static flock_status case_verify(const struct piop_case *c, const struct run *run, struct run *out)
{
    gf128 *scratch = new_gf128s((size_t)2 << c->shape.k_log);
    memset(out, 0, sizeof *out);
    case_start(c, &out->transcript);
    flock_status status =
        zerocheck_verify(&out->transcript, c->m, &run->zerocheck, &out->result, &out->claim_c);
    if (status == FLOCK_OK) {
        status = lincheck_verify(&out->transcript, c->circuit, &c->shape, &out->result,
                                 &run->lincheck, &out->claim_ab, scratch);
    }
    free(scratch);
    return status;
}

static void case_from_json(struct piop_case *c, const char *file)
{
    memset(c, 0, sizeof *c);
    c->json = vector_json(file);
    c->shape.layout = strcmp(get_string(c->json, "layout"), "row_major") == 0 ? FLOCK_ROW_MAJOR
                                                                              : FLOCK_BATCH_MAJOR;
    c->shape.k_log = (unsigned)get_size(c->json, "k_log");
    c->shape.n_log = (unsigned)get_size(c->json, "n_log");
    c->m = (unsigned)get_size(c->json, "m");
    assert_int_equal(get_size(c->json, "k_skip"), SKIP_LOG);
    assert_int_equal(c->m, c->shape.k_log + c->shape.n_log);
    hex_to_bytes(get_string(c->json, "statement_digest"), c->digest, 32);
    hex_to_bytes(get_string(c->json, "commitment_root"), c->root, 32);
    c->z = new_bits(c->m);
    c->a = new_bits(c->m);
    c->b = new_bits(c->m);
}

static int32_t json_pin(const json_t *json)
{
    const json_t *pin = get(json, "const_pin");
    return json_is_null(pin) ? NO_PIN : (int32_t)size_of(pin);
}

static void set_matrix_circuit(struct piop_case *c, uint32_t useful_bits, int32_t pin)
{
    c->matrices.circuit = (struct circuit){
        .name = "matrices",
        .k_log = c->shape.k_log,
        .useful_bits = useful_bits,
        .pin = pin,
        .copies = 1,
        .marginals = matrix_marginals,
    };
    c->circuit = &c->matrices.circuit;
}

/* A case with matrices and witness. */
static void synthetic_case(struct piop_case *c, const char *file)
{
    size_t len;
    case_from_json(c, file);
    matrix_from_json(&c->matrices.A0, get(c->json, "A0_rows"), (size_t)1 << c->shape.k_log);
    matrix_from_json(&c->matrices.B0, get(c->json, "B0_rows"), (size_t)1 << c->shape.k_log);
    set_matrix_circuit(c, (uint32_t)get_size(c->json, "useful_bits"), json_pin(c->json));

    uint8_t *bytes = hex_alloc(get_string(c->json, "witness_committed_bytes"), &len);
    assert_int_equal(len, (size_t)1 << (c->m - 3));
    for (size_t i = 0; i < len / 8; i++) {
        c->z[i] = load_le64(bytes + 8 * i);
    }
    free(bytes);
    matrix_apply(&c->matrices.A0, &c->shape, c->z, c->a);
    matrix_apply(&c->matrices.B0, &c->shape, c->z, c->b);
}

/* 256 BLAKE3 compressions on the inputs of the vectors' README. */
static void blake3_case(struct piop_case *c, const char *file)
{
    const struct circuit_prover *prover = circuit_prover_of(FLOCK_BLAKE3);
    struct splitmix random = {0xb1a3211e};
    case_from_json(c, file);
    size_t count = (size_t)1 << c->shape.n_log;
    flock_blake3_input *inputs = calloc(count, sizeof *inputs);
    assert_non_null(inputs);
    assert_int_equal(prover->input_bytes, sizeof *inputs);
    for (size_t o = 0; o < count; o++) {
        for (int i = 0; i < 8; i++) {
            inputs[o].cv[i] = (uint32_t)splitmix_next(&random);
        }
        for (int i = 0; i < 16; i++) {
            inputs[o].message[i] = (uint32_t)splitmix_next(&random);
        }
        inputs[o].block_len = 64;
        inputs[o].flags = 11;
    }
    struct witness witness = {c->shape, c->z, c->a, c->b};
    prover->fill(inputs, 0, count, &witness);
    free(inputs);
    c->circuit = circuit_of(FLOCK_BLAKE3);
    assert_int_equal(c->circuit->useful_bits, get_size(c->json, "useful_bits"));
    assert_int_equal(c->circuit->pin, json_pin(c->json));
}

/* A random witness of the circuit z o z = z with a pin, if there is one. */
static void identity_case(struct piop_case *c, flock_layout layout, unsigned k_log, unsigned n_log,
                          uint32_t useful_bits, int32_t pin)
{
    struct splitmix random = {1000 * k_log + n_log + (uint64_t)layout};
    memset(c, 0, sizeof *c);
    c->shape = (struct shape){layout, k_log, n_log};
    c->m = k_log + n_log;
    c->z = new_bits(c->m);
    matrix_identity(&c->matrices.A0, (size_t)1 << k_log);
    matrix_identity(&c->matrices.B0, (size_t)1 << k_log);
    set_matrix_circuit(c, useful_bits, pin);
    for (size_t i = 0; i < (size_t)1 << (c->m - 6); i++) {
        c->z[i] = splitmix_next(&random);
    }
    for (size_t o = 0; o < (size_t)1 << n_log; o++) {
        for (size_t i = useful_bits; i < (size_t)1 << k_log; i++) {
            size_t where = address(&c->shape, i, o);
            c->z[where / 64] &= ~((uint64_t)1 << (where % 64));
        }
        if (pin != NO_PIN) {
            size_t where = address(&c->shape, (size_t)pin, o);
            c->z[where / 64] |= (uint64_t)1 << (where % 64);
        }
    }
    c->a = new_bits(c->m);
    c->b = new_bits(c->m);
    memcpy(c->a, c->z, (size_t)1 << (c->m - 3));
    memcpy(c->b, c->z, (size_t)1 << (c->m - 3));
}

static void case_free(struct piop_case *c)
{
    json_decref(c->json);
    matrix_free(&c->matrices.A0);
    matrix_free(&c->matrices.B0);
    free(c->z);
    free(c->a);
    free(c->b);
}

/* ---- comparison with a vector file ---- */

/* Messages and challenges of a run in transcript order. */
struct stream {
    gf128 values[1024];
    size_t n;
};

static void push(struct stream *s, const gf128 *v, size_t n)
{
    assert_true(s->n + n <= COUNT(s->values));
    memcpy(s->values + s->n, v, n * sizeof *v);
    s->n += n;
}

static void messages_of(const struct piop_case *c, const struct run *run, struct stream *s)
{
    s->n = 0;
    push(s, run->zerocheck.round1_ab, 64);
    push(s, run->zerocheck.round1_c, 64);
    push(s, run->zerocheck.rounds[0], 2 * (c->m - 6));
    push(s, &run->zerocheck.v_a, 1);
    push(s, &run->zerocheck.v_b, 1);
    push(s, run->lincheck.rounds[0], 2 * (c->shape.k_log - 6));
    push(s, run->lincheck.z_partial, 64);
}

static size_t json_values(const json_t *op, gf128 *out, size_t room)
{
    const json_t *v = get(op, "v");
    if (json_is_string(v)) {
        out[0] = hex_gf128(string_of(v));
        return 1;
    }
    assert_true(json_array_size(v) <= room);
    assert_int_equal(json_array_size(v), get_size(op, "n"));
    json_gf128s(v, out, json_array_size(v));
    return json_array_size(v);
}

static bool is_op(const json_t *op, const char *name)
{
    return strcmp(get_string(op, "op"), name) == 0;
}

/*
 * Perform the file's operations on a transcript of our own. Checks the challenges, collects
 * messages and challenges.
 */
static void replay(const struct piop_case *c, struct transcript *t, struct stream *messages,
                   struct stream *challenges)
{
    const json_t *ops = get(c->json, "transcript");
    messages->n = challenges->n = 0;
    for (size_t i = 0; i < json_array_size(ops); i++) {
        const json_t *op = at(ops, i);
        gf128 values[64], drawn[64];
        if (is_op(op, "init")) {
            transcript_init(t, get_string(op, "domain"), strlen(get_string(op, "domain")));
        } else if (is_op(op, "label")) {
            transcript_label(t, get_string(op, "ascii"));
        } else if (is_op(op, "bytes")) {
            size_t len;
            uint8_t *bytes = hex_alloc(get_string(op, "hex"), &len);
            transcript_bytes(t, bytes, len);
            free(bytes);
        } else {
            size_t n = json_values(op, values, COUNT(values));
            if (is_op(op, "scalar")) {
                transcript_scalar(t, values[0]);
                push(messages, values, 1);
                continue;
            }
            if (is_op(op, "slice")) {
                transcript_slice(t, values, n);
                push(messages, values, n);
                continue;
            }
            if (is_op(op, "sample")) {
                drawn[0] = transcript_sample(t);
            } else {
                assert_true(is_op(op, "sample_vec"));
                transcript_sample_vec(t, drawn, n);
            }
            assert_memory_equal(drawn, values, n * sizeof *drawn);
            push(challenges, values, n);
        }
    }
}

static void assert_same_state(const struct transcript *a, const struct transcript *b)
{
    uint8_t da[32], db[32];
    sha256_digest(&a->state, da);
    sha256_digest(&b->state, db);
    assert_memory_equal(da, db, 32);
}

static void assert_claim(const struct piop_case *c, const struct quirky_claim *claim,
                         const json_t *expected)
{
    const json_t *inner = get(expected, "x_inner_rest"), *outer = get(expected, "x_outer");
    size_t n_inner = json_array_size(inner), n_outer = json_array_size(outer);
    assert_int_equal(n_inner + n_outer, c->m - 6);
    assert_gf128_equal(claim->skip, hex_gf128(get_string(expected, "z_skip")));
    assert_gf128_equal(claim->value, hex_gf128(get_string(expected, "value")));
    for (size_t j = 0; j < c->m - 6; j++) {
        const json_t *item = j < n_inner ? at(inner, j) : at(outer, j - n_inner);
        assert_gf128_equal(claim->point[j], hex_gf128(string_of(item)));
    }
}

static void assert_claim_equal(const struct quirky_claim *a, const struct quirky_claim *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static uint8_t *put(uint8_t *p, const gf128 *v, size_t n)
{
    for (size_t i = 0; i < n; i++, p += 16) {
        gf128_store(p, v[i]);
    }
    return p;
}

static uint8_t *put_count(uint8_t *p, size_t n)
{
    store_le64(p, n);
    return p + 8;
}

static void assert_bytes(const uint8_t *bytes, size_t len, const json_t *hex)
{
    size_t expected_len;
    uint8_t *expected = hex_alloc(string_of(hex), &expected_len);
    assert_int_equal(len, expected_len);
    assert_memory_equal(bytes, expected, len);
    free(expected);
}

/* Spec 05, 5.7. */
static void assert_serialised(const struct piop_case *c, const struct run *run)
{
    uint8_t bytes[8192], *p = bytes;
    p = put(put_count(p, 64), run->zerocheck.round1_ab, 64);
    p = put(put_count(p, 64), run->zerocheck.round1_c, 64);
    p = put(put_count(p, c->m - 6), run->zerocheck.rounds[0], 2 * (c->m - 6));
    p = put(p, &run->zerocheck.v_a, 1);
    p = put(p, &run->zerocheck.v_b, 1);
    p = put(p, &run->zerocheck.v_c, 1);
    assert_bytes(bytes, (size_t)(p - bytes), get(c->json, "zerocheck_bytes"));
    p = put(put_count(bytes, c->shape.k_log - 6), run->lincheck.rounds[0],
            2 * (c->shape.k_log - 6));
    p = put(put_count(p, 64), run->lincheck.z_partial, 64);
    assert_bytes(bytes, (size_t)(p - bytes), get(c->json, "lincheck_bytes"));
}

/* The proof fields of the file. */
static void read_proof(const struct piop_case *c, struct run *run)
{
    const json_t *zerocheck = get(c->json, "zerocheck"), *lincheck = get(c->json, "lincheck");
    memset(run, 0, sizeof *run);
    json_gf128s(get(zerocheck, "round1_ab"), run->zerocheck.round1_ab, 64);
    json_gf128s(get(zerocheck, "round1_c"), run->zerocheck.round1_c, 64);
    for (unsigned i = 0; i < c->m - 6; i++) {
        json_gf128s(at(get(zerocheck, "multilinear_rounds"), i), run->zerocheck.rounds[i], 2);
    }
    run->zerocheck.v_a = hex_gf128(get_string(zerocheck, "final_a_eval"));
    run->zerocheck.v_b = hex_gf128(get_string(zerocheck, "final_b_eval"));
    run->zerocheck.v_c = hex_gf128(get_string(zerocheck, "final_c_eval"));
    for (unsigned i = 0; i < c->shape.k_log - 6; i++) {
        json_gf128s(at(get(lincheck, "rounds"), i), run->lincheck.rounds[i], 2);
    }
    json_gf128s(get(lincheck, "z_partial"), run->lincheck.z_partial, 64);
}

/* The challenges in the order drawn: 6 unused, r_7.., z, rho, alpha, beta, tau, s. */
static void assert_challenges(const struct piop_case *c, const struct run *run,
                              const struct stream *s)
{
    const gf128 *v = s->values + 6;
    unsigned n_tau = c->shape.k_log - 6;
    assert_memory_equal(run->claim_c.point + 7, v, (c->m - 13) * sizeof *v);
    v += c->m - 13;
    assert_gf128_equal(run->result.z, *v++);
    assert_memory_equal(run->result.rho, v, (c->m - 6) * sizeof *v);
    v += c->m - 6 + (c->circuit->pin == NO_PIN ? 1 : 2) + n_tau;
    assert_gf128_equal(run->claim_ab.skip, *v++);
    assert_int_equal(v - s->values, s->n);
}

static void assert_partials(const struct quirky_claim *claim, const struct column_partials *columns)
{
    gf128 weights[128], sum = GF128_ZERO;
    struct partial_evaluations p;
    partial_sum(&p, columns, claim->point + 1);
    quirky_table(weights, claim->skip, claim->point, 1);
    for (unsigned v = 0; v < 128; v++) {
        sum = add(sum, mul(weights[v], p.s[v]));
    }
    assert_gf128_equal(sum, claim->value); /* spec 04, 4, step 3 */
}

static void check_prover(unsigned threads, void *context)
{
    const struct piop_case *c = context;
    struct run run, expected, verified;
    struct transcript t;
    struct stream messages, file_messages, challenges;
    bool accept = strcmp(get_string(c->json, "expected"), "accept") == 0;

    case_prove(c, &run, threads);
    read_proof(c, &expected);
    assert_memory_equal(&run.zerocheck, &expected.zerocheck, sizeof run.zerocheck);
    assert_memory_equal(&run.lincheck, &expected.lincheck, sizeof run.lincheck);
    assert_serialised(c, &run);

    replay(c, &t, &file_messages, &challenges);
    messages_of(c, &run, &messages);
    assert_int_equal(messages.n, file_messages.n);
    assert_memory_equal(messages.values, file_messages.values, messages.n * sizeof(gf128));
    assert_challenges(c, &run, &challenges);
    assert_same_state(&run.transcript, &t);
    assert_claim(c, &run.claim_ab, get(c->json, "claim_ab"));
    assert_claim(c, &run.claim_c, get(c->json, "claim_c"));
    assert_partials(&run.claim_ab, &run.partial_ab);
    assert_partials(&run.claim_c, &run.partial_c);

    flock_status status = case_verify(c, &run, &verified);
    if (accept) {
        assert_int_equal(status, FLOCK_OK);
        assert_same_state(&verified.transcript, &t);
        assert_claim_equal(&verified.claim_ab, &run.claim_ab);
        assert_claim_equal(&verified.claim_c, &run.claim_c);
        assert_memory_equal(&verified.result, &run.result, sizeof run.result);
    } else {
        assert_non_null(strstr(get_string(c->json, "expected"), "Lincheck"));
        assert_int_equal(status, FLOCK_REJECT_LINCHECK);
    }
    assert_gf128_equal(transcript_sample(&run.transcript),
                       hex_gf128(get_string(c->json, "next_scalar_challenge")));
}

/* Z before the rounds (spec 05, 5.5.2), by definition. */
static gf128 *naive_Z(const struct piop_case *c, const gf128 *rho)
{
    const struct shape *shape = &c->shape;
    size_t k = (size_t)1 << shape->k_log, n = (size_t)1 << shape->n_log;
    gf128 *Z = new_gf128s(k), *weights = new_gf128s(n);
    eq_table(weights, rho + (shape->layout == FLOCK_ROW_MAJOR ? shape->k_log - 6 : 1),
             shape->n_log);
    for (size_t j = 0; j < k; j++) {
        for (size_t o = 0; o < n; o++) {
            if (bit_of(c->z, address(shape, j, o))) {
                Z[j] = add(Z[j], weights[o]);
            }
        }
    }
    free(weights);
    return Z;
}

static void test_synthetic(void **state)
{
    static const char *const files[] = {
        "piop/syn_rm_k8_m13.json",           "piop/syn_bm_k8_m14.json",
        "piop/syn_rm_k6_m13_nopin.json",     "piop/syn_rm_k9_m16.json",
        "piop/syn_zero_witness_reject.json",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        struct piop_case c;
        struct run run;
        synthetic_case(&c, files[i]);
        with_backends(check_prover, &c);

        case_prove(&c, &run, 1);
        size_t k = (size_t)1 << c.shape.k_log;
        gf128 *expected = new_gf128s(k), *Z = naive_Z(&c, run.result.rho);
        json_gf128s(get(c.json, "lincheck_z_vec"), expected, k);
        assert_memory_equal(Z, expected, k * sizeof *Z);
        free(expected);
        free(Z);
        case_free(&c);
    }
}

static void test_blake3(void **state)
{
    static const char *const files[] = {"piop/blake3_256_row_major.json",
                                        "piop/blake3_256_batch_major.json"};
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        struct piop_case c;
        blake3_case(&c, files[i]);
        with_backends(check_prover, &c);
        case_free(&c);
    }
}

/* ---- intermediate values ---- */

static void assert_list(const json_t *list, const gf128 *values, size_t n)
{
    assert_int_equal(json_array_size(list), n);
    for (size_t i = 0; i < n; i++) {
        assert_gf128_equal(values[i], hex_gf128(string_of(at(list, i))));
    }
}

static void assert_value(const json_t *object, const char *key, gf128 value)
{
    assert_gf128_equal(value, hex_gf128(get_string(object, key)));
}

/* 5.4.2 and 5.4.3 replayed on the verifier's side; also what zerocheck_verify() must do. */
static void zerocheck_intermediates(const struct piop_case *c, const struct run *run,
                                    const json_t *file)
{
    gf128 weights[64], sum[64], G0[MAX_LOG_BITS], running[MAX_LOG_BITS];
    gf128 Q = GF128_ZERO, P_c = GF128_ZERO;
    const gf128 *r = run->claim_c.point, *rho = run->result.rho;
    unsigned n = c->m - 6;

    assert_list(get(file, "zerocheck_r"), r, n);
    assert_value(file, "z", run->result.z);
    assert_list(get(file, "rho"), rho, n);
    lagrange_V7(weights, run->result.z);
    for (int i = 0; i < 64; i++) {
        sum[i] = add(run->zerocheck.round1_ab[i], run->zerocheck.round1_c[i]);
        Q = add(Q, mul(weights[i], sum[i]));
    }
    lagrange_Lambda(weights, run->result.z);
    for (int i = 0; i < 64; i++) {
        P_c = add(P_c, mul(weights[i], run->zerocheck.round1_c[i]));
    }
    assert_value(file, "Q_at_z", Q);
    assert_value(file, "P_c_at_z", P_c);
    assert_value(file, "P_ab_at_z", add(Q, P_c));

    gf128 value = add(Q, P_c);
    for (unsigned i = 0; i < n; i++) {
        gf128 g1 = run->zerocheck.rounds[i][0], gi = run->zerocheck.rounds[i][1];
        G0[i] = mul(add(value, mul(r[i], g1)), gf128_inverse(add(GF128_ONE, r[i])));
        value = add(add(G0[i], mul(rho[i], add(add(G0[i], g1), gi))), mul(gi, mul(rho[i], rho[i])));
        running[i] = value;
    }
    assert_list(get(file, "G0"), G0, n);
    assert_list(get(file, "running_after_round"), running, n);
}

static void assert_table(const json_t *file, const char *key, const gf128 *table, size_t k,
                         size_t useful)
{
    char name[32], hex[65];
    if (json_object_get(file, key) != NULL) {
        assert_list(get(file, key), table, k);
        return;
    }
    snprintf(name, sizeof name, "%s_first16", key);
    assert_list(get(file, name), table, 16);
    snprintf(name, sizeof name, "%s_last_useful16", key);
    if (json_object_get(file, name) != NULL) {
        assert_list(get(file, name), table + useful - 16, 16);
    }
    snprintf(name, sizeof name, "%s_sha256", key);
    if (json_object_get(file, name) != NULL) {
        sha256_hex_of_gf128s(table, k, hex);
        assert_string_equal(hex, get_string(file, name));
    }
}

static void lincheck_intermediates(const struct piop_case *c, const struct run *run,
                                   const json_t *file)
{
    const struct shape *shape = &c->shape;
    size_t k = (size_t)1 << shape->k_log;
    unsigned n = shape->k_log - 6;
    gf128 tau[16], running[16];
    struct lincheck_point point;
    gf128 *comb = new_gf128s(k), *E = new_gf128s(k);
    struct transcript t;
    struct run verified;
    struct stream messages, challenges;

    case_start(c, &t);
    assert_int_equal(
        zerocheck_verify(&t, c->m, &run->zerocheck, &verified.result, &verified.claim_c), FLOCK_OK);
    lincheck_begin(&t, c->circuit, shape, &run->result, &point);
    lincheck_columns(c->circuit, run->result.z, &point, comb, E);
    assert_list(get(file, "x_inner_rest"), point.inner, n);
    assert_list(get(file, "x_outer"), point.instance, shape->n_log);
    gf128 target = point.target;
    assert_value(file, "target", target);
    assert_value(file, "alpha", point.alpha);
    assert_value(file, "beta", point.beta);
    assert_table(file, "E", E, k, c->circuit->useful_bits);
    assert_table(file, "comb", comb, k, c->circuit->useful_bits);

    replay(c, &t, &messages, &challenges);
    const gf128 *drawn = challenges.values + challenges.n - 1 - n;
    json_gf128s(get(file, "lincheck_challenges"), tau, n);
    assert_memory_equal(tau, drawn, n * sizeof *tau);
    assert_value(file, "r_inner_skip", drawn[n]);
    for (unsigned i = 0; i < n; i++) {
        gf128 q1 = run->lincheck.rounds[i][0], qi = run->lincheck.rounds[i][1];
        gf128 q0 = add(target, q1);
        target = add(add(mul(qi, mul(tau[i], tau[i])), mul(add(add(q0, q1), qi), tau[i])), q0);
        running[i] = target;
        size_t half = (size_t)1 << (shape->k_log - 1 - i);
        for (size_t j = 0; j < half; j++) {
            comb[j] = add(comb[j], mul(tau[i], add(comb[j], comb[j + half])));
        }
    }
    assert_list(get(file, "lincheck_running_after_round"), running, n);
    assert_list(get(file, "comb_partial"), comb, 64);
    free(comb);
    free(E);
}

static void test_intermediates(void **state)
{
    static const char *const names[] = {"syn_rm_k8_m13", "syn_bm_k8_m14", "blake3_256_row_major",
                                        "blake3_256_batch_major"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[128];
        struct piop_case c;
        struct run run;
        snprintf(path, sizeof path, "piop/%s.json", names[i]);
        if (i < 2) {
            synthetic_case(&c, path);
        } else {
            blake3_case(&c, path);
        }
        case_prove(&c, &run, 1);
        snprintf(path, sizeof path, "piop/intermediates_%s.json", names[i]);
        json_t *file = vector_json(path);
        assert_string_equal(get_string(file, "case"), names[i]);
        zerocheck_intermediates(&c, &run, file);
        lincheck_intermediates(&c, &run, file);
        json_decref(file);
        case_free(&c);
    }
}

/* ---- constants ---- */

static unsigned rank_of(gf128 *v, unsigned n)
{
    unsigned rank = 0;
    for (unsigned bit = 0; bit < 128; bit++) {
        for (unsigned i = rank; i < n; i++) {
            if (((bit < 64 ? v[i].lo : v[i].hi) >> (bit % 64) & 1) == 0) {
                continue;
            }
            gf128 pivot = v[i];
            v[i] = v[rank];
            v[rank] = pivot;
            for (unsigned j = rank + 1; j < n; j++) {
                if ((bit < 64 ? v[j].lo : v[j].hi) >> (bit % 64) & 1) {
                    v[j] = add(v[j], pivot);
                }
            }
            rank++;
            break;
        }
    }
    return rank;
}

static uint8_t hex_byte(const json_t *value)
{
    uint8_t byte;
    hex_to_bytes(string_of(value), &byte, 1);
    return byte;
}

/* V(x) with the file's coefficients. */
static gf128 vanishing(const json_t *file, gf128 x)
{
    const json_t *coefficients = get(file, "V_S_linearised_coefficients_gf256");
    gf128 sum = GF128_ZERO;
    assert_int_equal(json_array_size(coefficients), 7);
    for (size_t i = 0; i < 7; i++, x = mul(x, x)) {
        sum = add(sum, mul(phi8(hex_byte(at(coefficients, i))), x));
    }
    return sum;
}

static void skip_domain_constants(const json_t *file)
{
    const json_t *sample = get(file, "sample");
    gf128 z = hex_gf128(get_string(sample, "z")), weights[64];
    assert_value(sample, "V_S", vanishing(file, z));
    lagrange_S(weights, z);
    assert_list(get(sample, "lagrange_S"), weights, 64);
    lagrange_Lambda(weights, z);
    assert_list(get(sample, "lagrange_Lambda"), weights, 64);
    lagrange_V7(weights, z);
    assert_list(get(sample, "lagrange_S_union_Lambda_at_Lambda_nodes"), weights, 64);
    for (unsigned i = 0; i < 64; i++) {
        gf128 differences = GF128_ONE;
        uint8_t column[64];
        for (unsigned j = 0; j < 64; j++) {
            differences = j == i ? differences : mul(differences, phi8((uint8_t)(i ^ j)));
        }
        assert_gf128_equal(differences, phi8(hex_byte(get(file, "W_gf256"))));
        assert_gf128_equal(vanishing(file, phi8((uint8_t)i)), GF128_ZERO);
        assert_gf128_equal(vanishing(file, phi8((uint8_t)(64 + i))),
                           phi8(hex_byte(get(file, "kappa_gf256"))));
        hex_to_bytes(string_of(at(get(file, "lde_matrix_columns"), i)), column, 64);
        for (unsigned l = 0; l < 64; l++) {
            assert_int_equal(column[l], skip_extension[l ^ i]);
        }
    }
}

static void test_constants(void **state)
{
    json_t *file = vector_json("piop/constants.json");
    gf128 weights[128], C = hex_gf128(get_string(file, "C")), gamma_power = GF128_ONE;
    gf128 D = hex_gf128(get_string(file, "D"));
    (void)state;

    assert_list(get(file, "friendly_coordinates"), friendly_point, 7);
    for (size_t i = 0; i < 3; i++) {
        assert_gf128_equal(phi8(hex_byte(at(get(file, "friendly_gf256"), i))), friendly_point[i]);
    }
    eq_table(weights, friendly_point, 7);
    assert_list(get(file, "eq_weights_128"), weights, 128);
    assert_gf128_equal(weights[0], C);
    assert_value(file, "C_small", phi8(0x1c));
    assert_gf128_equal(D, gf128_from_u64(0xffff));
    assert_value(file, "C_medium", gf128_inverse(D));
    assert_gf128_equal(C, mul(phi8(0x1c), gf128_inverse(D)));
    for (unsigned j = 0; j < 16; j++, gamma_power = gf128_mul_x(gamma_power)) {
        gf128 alpha_power = GF128_ONE;
        for (unsigned k = 0; k < 8; k++, alpha_power = mul(alpha_power, phi8(2))) {
            assert_gf128_equal(weights[k + 8 * j], mul(C, mul(alpha_power, gamma_power)));
        }
    }
    assert_int_equal(rank_of(weights, 128), 128);
    skip_domain_constants(file);
    json_decref(file);
}

/* ---- changed proofs ---- */

/* The element that a name in the mutations file stands for. */
static gf128 *field_named(struct run *run, const char *name)
{
    unsigned i;
    char which[8];
    if (sscanf(name, "round1_ab[%u]", &i) == 1) {
        return &run->zerocheck.round1_ab[i];
    }
    if (sscanf(name, "round1_c[%u]", &i) == 1) {
        return &run->zerocheck.round1_c[i];
    }
    if (sscanf(name, "multilinear_rounds[%u].%7[^+]", &i, which) == 2) {
        return &run->zerocheck.rounds[i][strcmp(which, "ginf") == 0];
    }
    if (sscanf(name, "lincheck.rounds[%u].%7[^+]", &i, which) == 2) {
        return &run->lincheck.rounds[i][strcmp(which, "qinf") == 0];
    }
    if (sscanf(name, "z_partial[%u]", &i) == 1) {
        return &run->lincheck.z_partial[i];
    }
    if (strncmp(name, "final_", 6) == 0) {
        return name[6] == 'a'   ? &run->zerocheck.v_a
               : name[6] == 'b' ? &run->zerocheck.v_b
                                : &run->zerocheck.v_c;
    }
    fail_msg("unknown mutation %s", name);
    return NULL;
}

static void test_mutations(void **state)
{
    struct piop_case c;
    struct run run, verified;
    size_t n_tested = 0;
    (void)state;
    json_t *file = vector_json("piop/mutations_syn_rm_k8_m13.json");
    assert_string_equal(get_string(file, "base"), "syn_rm_k8_m13.json");
    synthetic_case(&c, "piop/syn_rm_k8_m13.json");
    for (size_t i = 0; i < json_array_size(get(file, "cases")); i++) {
        const char *mutation = get_string(at(get(file, "cases"), i), "mutation");
        const char *result = get_string(at(get(file, "cases"), i), "result");
        read_proof(&c, &run);
        assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
        if (strcmp(mutation, "final_a_eval*=x, final_b_eval*=1/x") == 0) {
            run.zerocheck.v_a = gf128_mul_x(run.zerocheck.v_a);
            run.zerocheck.v_b = mul(run.zerocheck.v_b, gf128_inverse(gf128_from_u64(2)));
        } else if (strstr(result, "Length") != NULL) {
            continue; /* counts: they do not reach this room, the file reader checks them */
        } else {
            assert_non_null(strstr(mutation, "+=1"));
            gf128 *field = field_named(&run, mutation);
            *field = add(*field, GF128_ONE);
        }
        assert_int_equal(case_verify(&c, &run, &verified), strncmp(result, "Zerocheck", 9) == 0
                                                               ? FLOCK_REJECT_ZEROCHECK
                                                               : FLOCK_REJECT_LINCHECK);
        n_tested++;
    }
    assert_int_equal(n_tested, 28);
    json_decref(file);
    case_free(&c);
}

/*
 * sum_addr z[addr] L_{addr mod 64}(skip) eq_table(point)[addr div 64], the meaning of a claim.
 */
static gf128 evaluate_claim(const struct piop_case *c, const struct quirky_claim *claim)
{
    gf128 *table = new_gf128s((size_t)1 << c->m), sum = GF128_ZERO;
    quirky_table(table, claim->skip, claim->point, c->m - 6);
    for (size_t i = 0; i < (size_t)1 << c->m; i++) {
        if (bit_of(c->z, i)) {
            sum = add(sum, table[i]);
        }
    }
    free(table);
    return sum;
}

/*
 * Every element of the proof, changed at random: rejected, or what is left to the opening is a
 * false claim (columns that no row uses, for which the equation of lincheck says nothing).
 */
static void test_every_field(void **state)
{
    static const char *const files[] = {"piop/syn_rm_k8_m13.json", "piop/syn_bm_k8_m14.json",
                                        "piop/syn_rm_k6_m13_nopin.json"};
    struct splitmix random = {5};
    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        struct piop_case c;
        struct run run, verified;
        synthetic_case(&c, files[f]);
        read_proof(&c, &run);
        gf128 *zerocheck = run.zerocheck.round1_ab, *lincheck = run.lincheck.rounds[0];
        size_t n_zerocheck = sizeof run.zerocheck / sizeof(gf128);
        size_t n_lincheck = sizeof run.lincheck / sizeof(gf128);
        size_t n_caught = 0;
        for (size_t i = 0; i < n_zerocheck + n_lincheck; i++) {
            gf128 *field = i < n_zerocheck ? zerocheck + i : lincheck + (i - n_zerocheck);
            gf128 honest = *field;
            *field = add(honest, splitmix_gf128(&random));
            flock_status status = case_verify(&c, &run, &verified);
            if (status == FLOCK_OK) {
                gf128 truth = evaluate_claim(&c, &verified.claim_ab);
                n_caught += !gf128_equal(truth, verified.claim_ab.value);
            } else {
                assert_int_equal(status,
                                 i < n_zerocheck ? FLOCK_REJECT_ZEROCHECK : FLOCK_REJECT_LINCHECK);
                n_caught++;
            }
            *field = honest;
        }
        /* All but the rounds that a proof of this size does not have. */
        assert_int_equal(n_caught, 128 + 2 * (c.m - 6) + 3 + 2 * (c.shape.k_log - 6) + 64);
        assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
        case_free(&c);
    }
}

/* A false z_partial on which the equation of lincheck holds leaves a false claim. */
static void test_false_z_partial(void **state)
{
    struct piop_case c;
    struct run run, verified;
    (void)state;
    synthetic_case(&c, "piop/syn_rm_k8_m13.json");
    read_proof(&c, &run);
    assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
    assert_gf128_equal(evaluate_claim(&c, &verified.claim_ab), verified.claim_ab.value);
    assert_gf128_equal(evaluate_claim(&c, &verified.claim_c), verified.claim_c.value);

    json_t *file = vector_json("piop/intermediates_syn_rm_k8_m13.json");
    gf128 comb[64];
    json_gf128s(get(file, "comb_partial"), comb, 64);
    json_decref(file);
    run.lincheck.z_partial[0] = add(run.lincheck.z_partial[0], comb[1]);
    run.lincheck.z_partial[1] = add(run.lincheck.z_partial[1], comb[0]);
    assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
    assert_false(gf128_equal(evaluate_claim(&c, &verified.claim_ab), verified.claim_ab.value));
    case_free(&c);
}

static void test_bad_sizes(void **state)
{
    struct piop_case c;
    struct run run, verified;
    gf128 *scratch = new_gf128s(512);
    (void)state;
    synthetic_case(&c, "piop/syn_rm_k8_m13.json");
    read_proof(&c, &run);
    for (unsigned m = 0; m < 64; m++) {
        if (m < 13 || m > MAX_LOG_BITS) {
            case_start(&c, &verified.transcript);
            assert_int_equal(zerocheck_verify(&verified.transcript, m, &run.zerocheck,
                                              &verified.result, &verified.claim_c),
                             FLOCK_REJECT_ZEROCHECK);
        }
    }
    assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
    struct shape shape = c.shape;
    shape.k_log = 9;
    assert_int_equal(lincheck_verify(&verified.transcript, c.circuit, &shape, &verified.result,
                                     &run.lincheck, &verified.claim_ab, scratch),
                     FLOCK_REJECT_LINCHECK);
    free(scratch);
    case_free(&c);
}

/* ---- the prover against the definitions ---- */

/* Value at node 64+i of the row's extension (spec 01, 1.8). */
static uint8_t extend(uint64_t row, unsigned i)
{
    uint8_t sum = 0;
    for (unsigned k = 0; k < 64; k++) {
        sum ^= row >> k & 1 ? skip_extension[i ^ k] : 0;
    }
    return sum;
}

/* 5.4.2: both messages. */
static void naive_skip_round(unsigned m, const struct piop_case *c, const gf128 *r, gf128 *ab,
                             gf128 *linear)
{
    size_t n = (size_t)1 << (m - 6);
    gf128 *e = new_gf128s(n);
    eq_table(e, r, m - 6);
    for (unsigned i = 0; i < 64; i++) {
        ab[i] = linear[i] = GF128_ZERO;
        for (size_t x = 0; x < n; x++) {
            uint8_t product = gf8_mul(extend(c->a[x], i), extend(c->b[x], i));
            ab[i] = add(ab[i], mul(e[x], phi8(product)));
            linear[i] = add(linear[i], mul(e[x], phi8(extend(c->z[x], i))));
        }
    }
    free(e);
}

static gf128 *naive_fold(const uint64_t *rows, size_t n, const gf128 *weights)
{
    gf128 *out = new_gf128s(n);
    for (size_t x = 0; x < n; x++) {
        for (unsigned s = 0; s < 64; s++) {
            out[x] = rows[x] >> s & 1 ? add(out[x], weights[s]) : out[x];
        }
    }
    return out;
}

static gf128 bind(const gf128 *v, size_t x, gf128 rho)
{
    return add(v[2 * x], mul(rho, add(v[2 * x], v[2 * x + 1])));
}

/* 5.4.3: all messages, v_a and v_b for the challenges drawn. */
static void check_naive_rounds(unsigned m, const struct piop_case *c, const struct run *run)
{
    const gf128 *r = run->claim_c.point, *rho = run->result.rho;
    size_t n = (size_t)1 << (m - 6);
    gf128 weights[64], *e = new_gf128s(n);
    lagrange_S(weights, run->result.z);
    gf128 *A = naive_fold(c->a, n, weights), *B = naive_fold(c->b, n, weights);
    for (unsigned i = 0; i < m - 6; i++) {
        gf128 g1 = GF128_ZERO, gi = GF128_ZERO;
        n /= 2;
        eq_table(e, r + i + 1, m - 7 - i);
        for (size_t x = 0; x < n; x++) {
            g1 = add(g1, mul(e[x], mul(A[2 * x + 1], B[2 * x + 1])));
            gi = add(gi, mul(e[x], mul(add(A[2 * x], A[2 * x + 1]), add(B[2 * x], B[2 * x + 1]))));
        }
        assert_gf128_equal(run->zerocheck.rounds[i][0], g1);
        assert_gf128_equal(run->zerocheck.rounds[i][1], gi);
        for (size_t x = 0; x < n; x++) {
            A[x] = bind(A, x, rho[i]);
            B[x] = bind(B, x, rho[i]);
        }
    }
    assert_gf128_equal(run->zerocheck.v_a, A[0]);
    assert_gf128_equal(run->zerocheck.v_b, B[0]);
    free(A);
    free(B);
    free(e);
}

/* The case's z, or NULL for it. */
static void check_zerocheck(const struct piop_case *c, const uint64_t *z, unsigned threads)
{
    struct prover_context prover;
    struct run run;
    size_t bytes = (size_t)1 << (c->m - 3);
    uint64_t *a = new_bits(c->m), *b = new_bits(c->m);
    memcpy(a, c->a, bytes);
    memcpy(b, c->b, bytes);
    test_context_init(&prover, threads);
    memset(&run, 0, sizeof run);
    case_start(c, &run.transcript);
    assert_int_equal(zerocheck_prove(&prover, &run.transcript, c->m, z, a, b, &run.zerocheck,
                                     &run.result, &run.claim_c, &run.partial_c),
                     FLOCK_OK);
    if (c->m <= 15) {
        gf128 ab[64], linear[64];
        naive_skip_round(c->m, c, run.claim_c.point, ab, linear);
        assert_memory_equal(run.zerocheck.round1_ab, ab, sizeof ab);
        assert_memory_equal(run.zerocheck.round1_c, linear, sizeof linear);
    }
    check_naive_rounds(c->m, c, &run);
    test_context_release(&prover);
    free(a);
    free(b);
}

static void check_naive_zerocheck(unsigned threads, void *context)
{
    const struct piop_case *c = context;
    check_zerocheck(c, c->z, threads);
}

static void check_naive_zerocheck_without_z(unsigned threads, void *context)
{
    check_zerocheck(context, NULL, threads);
}

/*
 * a, b, z at random, so not a proof: the messages are defined all the same. Then z = a AND b, which
 * the prover need not be given.
 */
static void test_naive_zerocheck(void **state)
{
    static const unsigned sizes[] = {13, 14, 15, 19, 20};
    struct splitmix random = {77};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct piop_case c = {.m = sizes[i]};
        c.z = new_bits(c.m);
        c.a = new_bits(c.m);
        c.b = new_bits(c.m);
        for (size_t x = 0; x < (size_t)1 << (c.m - 6); x++) {
            c.z[x] = splitmix_next(&random);
            c.a[x] = splitmix_next(&random);
            c.b[x] = splitmix_next(&random);
        }
        if (c.m <= 14) {
            with_backends(check_naive_zerocheck, &c);
        } else {
            check_naive_zerocheck(3, &c);
        }
        for (size_t x = 0; x < (size_t)1 << (c.m - 6); x++) {
            c.z[x] = c.a[x] & c.b[x];
        }
        if (c.m <= 14) {
            with_backends(check_naive_zerocheck_without_z, &c);
        } else {
            check_naive_zerocheck_without_z(3, &c);
        }
        case_free(&c);
    }
}

/* Lincheck's messages from the definitions in 5.5, for the challenges drawn. */
static void check_naive_lincheck(const struct piop_case *c, const struct run *run)
{
    const struct shape *shape = &c->shape;
    size_t k = (size_t)1 << shape->k_log;
    gf128 *Z = naive_Z(c, run->result.rho), *comb = new_gf128s(k), *E = new_gf128s(k);
    gf128 instance[MAX_LOG_BITS], inner[MAX_LOG_BITS];
    struct lincheck_point point;
    struct transcript t;
    struct run verified;

    case_start(c, &t);
    assert_int_equal(
        zerocheck_verify(&t, c->m, &run->zerocheck, &verified.result, &verified.claim_c), FLOCK_OK);
    lincheck_begin(&t, c->circuit, shape, &run->result, &point);
    lincheck_columns(c->circuit, run->result.z, &point, comb, E);
    split_point(shape, run->claim_ab.point, inner, instance);
    for (unsigned i = 0; i < shape->k_log - 6; i++) {
        gf128 q1 = GF128_ZERO, qi = GF128_ZERO, tau = inner[shape->k_log - 7 - i];
        size_t h = (size_t)1 << (shape->k_log - 1 - i);
        for (size_t j = 0; j < h; j++) {
            q1 = add(q1, mul(comb[j + h], Z[j + h]));
            qi = add(qi, mul(add(comb[j], comb[j + h]), add(Z[j], Z[j + h])));
            comb[j] = add(comb[j], mul(tau, add(comb[j], comb[j + h])));
            Z[j] = add(Z[j], mul(tau, add(Z[j], Z[j + h])));
        }
        assert_gf128_equal(run->lincheck.rounds[i][0], q1);
        assert_gf128_equal(run->lincheck.rounds[i][1], qi);
    }
    assert_memory_equal(run->lincheck.z_partial, Z, 64 * sizeof *Z);
    free(Z);
    free(comb);
    free(E);
}

/* The columns, and their sum, by their definitions. */
static void assert_naive_partials(const uint64_t *z, const gf128 *point, unsigned n,
                                  const struct column_partials *columns)
{
    gf128 *e = new_gf128s((size_t)1 << n), *e_rows = new_gf128s(((size_t)1 << n) / N_COLUMNS);
    struct partial_evaluations p;
    partial_sum(&p, columns, point);
    eq_table(e, point, n);
    eq_table(e_rows, point + LOG_COLUMNS, n - LOG_COLUMNS);
    for (unsigned v = 0; v < 128; v++) {
        gf128 sum = GF128_ZERO, sums[N_COLUMNS] = {{0, 0}};
        for (size_t y = 0; y < (size_t)1 << n; y++) {
            if (bit_of(z, 128 * y + v)) {
                sum = add(sum, e[y]);
                sums[y % N_COLUMNS] = add(sums[y % N_COLUMNS], e_rows[y / N_COLUMNS]);
            }
        }
        assert_gf128_equal(p.s[v], sum);
        for (unsigned x = 0; x < N_COLUMNS; x++) {
            assert_gf128_equal(columns->s[x][v], sums[x]);
        }
    }
    free(e);
    free(e_rows);
}

static void check_shape(flock_layout layout, unsigned k_log, unsigned n_log, uint32_t useful_bits,
                        int32_t pin, unsigned threads)
{
    struct piop_case c;
    struct run run, verified;
    identity_case(&c, layout, k_log, n_log, useful_bits, pin);
    case_prove(&c, &run, threads);
    assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
    assert_same_state(&verified.transcript, &run.transcript);
    assert_claim_equal(&verified.claim_ab, &run.claim_ab);
    assert_claim_equal(&verified.claim_c, &run.claim_c);
    check_naive_lincheck(&c, &run);
    if (c.m <= 20) {
        assert_gf128_equal(evaluate_claim(&c, &run.claim_ab), run.claim_ab.value);
        assert_gf128_equal(evaluate_claim(&c, &run.claim_c), run.claim_c.value);
        assert_naive_partials(c.z, run.claim_ab.point + 1, c.m - 7, &run.partial_ab);
        assert_naive_partials(c.z, run.claim_c.point + 1, c.m - 7, &run.partial_c);
    }
    /* The pin must be one in every instance. */
    if (pin != NO_PIN && c.m <= 16) {
        size_t where = address(&c.shape, (size_t)pin, ((size_t)1 << n_log) - 1);
        c.z[where / 64] ^= (uint64_t)1 << (where % 64);
        c.a[where / 64] = c.b[where / 64] = c.z[where / 64];
        case_prove(&c, &run, threads);
        assert_int_equal(case_verify(&c, &run, &verified), FLOCK_REJECT_LINCHECK);
    }
    case_free(&c);
}

static void test_shapes(void **state)
{
    (void)state;
    check_shape(FLOCK_ROW_MAJOR, 6, 7, 64, NO_PIN, 1);
    check_shape(FLOCK_ROW_MAJOR, 6, 9, 37, 0, 5);
    check_shape(FLOCK_ROW_MAJOR, 7, 6, 128, 127, 1);
    check_shape(FLOCK_BATCH_MAJOR, 7, 7, 100, 5, 3);
    check_shape(FLOCK_ROW_MAJOR, 10, 3, 1000, 700, 1);
    check_shape(FLOCK_BATCH_MAJOR, 10, 3, 1000, 700, 7);
    check_shape(FLOCK_BATCH_MAJOR, 9, 5, 512, NO_PIN, 2);
    check_shape(FLOCK_ROW_MAJOR, 8, 9, 129, 128, 20);
    check_shape(FLOCK_BATCH_MAJOR, 8, 9, 129, 128, 20);
    check_shape(FLOCK_ROW_MAJOR, 17, 3, 127552, 12288, 2);
    check_shape(FLOCK_ROW_MAJOR, 15, 5, 31401, 31400, 1);
    check_shape(FLOCK_BATCH_MAJOR, 15, 5, 31401, 31400, 16);
    check_shape(FLOCK_ROW_MAJOR, 9, 13, 505, 17, 2);
}

/* Messages at a size with many segments, twice compacted: what the verifier accepts is right. */
static void test_large(void **state)
{
    struct piop_case c;
    struct run run, other, verified;
    (void)state;
    identity_case(&c, FLOCK_BATCH_MAJOR, 12, 12, 4000, 9);
    case_prove(&c, &run, 1);
    case_prove(&c, &other, 2);
    assert_memory_equal(&run.zerocheck, &other.zerocheck, sizeof run.zerocheck);
    assert_memory_equal(&run.lincheck, &other.lincheck, sizeof run.lincheck);
    assert_memory_equal(&run.partial_ab, &other.partial_ab, sizeof run.partial_ab);
    assert_memory_equal(&run.partial_c, &other.partial_c, sizeof run.partial_c);
    assert_int_equal(case_verify(&c, &run, &verified), FLOCK_OK);
    assert_partials(&run.claim_ab, &run.partial_ab);
    assert_partials(&run.claim_c, &run.partial_c);
    case_free(&c);
}

static void check_partials(unsigned threads, void *context)
{
    struct splitmix *random = context;
    struct prover_context prover;
    static gf128 point[16], q[1 << 16], mask[1 << (LOG_COLUMNS + LOG_PARTIAL_ROWS)];
    static uint64_t words[2 << 16];
    static struct partial_rows rows;
    struct column_partials p;
    test_context_init(&prover, threads);
    assert_int_equal(partial_evaluate(&prover, &p, q, point, 2), FLOCK_ERR_ARGUMENT);
    for (unsigned n = LOG_COLUMNS; n <= 16; n = n == 13 ? 16 : n + 1) { /* 16: several tasks */
        for (unsigned i = 0; i < n; i++) {
            point[i] = splitmix_gf128(random);
        }
        for (size_t i = 0; i < (size_t)1 << n; i++) {
            q[i] = splitmix_gf128(random);
            words[2 * i] = q[i].lo;
            words[2 * i + 1] = q[i].hi;
        }
        assert_int_equal(partial_evaluate(&prover, &p, q, point, n), FLOCK_OK);
        assert_naive_partials(words, point, n, &p);
        if (n > LOG_COLUMNS + LOG_PARTIAL_ROWS) {
            continue;
        }
        for (size_t i = 0; i < (size_t)1 << n; i++) {
            mask[i] = splitmix_gf128(random);
            words[2 * i] &= mask[i].lo;
            words[2 * i + 1] &= mask[i].hi;
        }
        memset(&p, 0, sizeof p);
        partial_rows_prepare(&rows, point + LOG_COLUMNS, n - LOG_COLUMNS);
        partial_rows_add(&rows, &p, q, mask, GF128_ONE);
        assert_naive_partials(words, point, n, &p);
    }
    assert_int_equal(prover.memory.live_bytes, 0);
    test_context_release(&prover);
}

static void test_partials(void **state)
{
    struct splitmix random = {12};
    (void)state;
    with_backends(check_partials, &random);
}

/* ---- rounds that bind the highest variable ---- */

static void count_range(const void *argument, size_t part, size_t begin, size_t end)
{
    uint8_t *const *seen = argument;
    assert_true(part < HIGH_MAX_PARTS);
    for (size_t i = begin; i < end; i++) {
        (*seen)[i]++;
    }
}

/* In parts, on several threads, as by the kernels in one piece. */
static void test_high_rounds(void **state)
{
    enum { LOG_MOST = 18 };
    struct splitmix random = {21};
    const size_t most = (size_t)2 << LOG_MOST;
    gf128 *f = new_gf128s(most), *w = new_gf128s(most), *f2 = new_gf128s(most);
    uint8_t *seen = calloc(most, 1);
    (void)state;
    assert_non_null(seen);
    for (size_t i = 0; i < most; i++) {
        f[i] = splitmix_gf128(&random);
        w[i] = splitmix_gf128(&random);
    }
    for (unsigned log_half = 0; log_half <= LOG_MOST; log_half += log_half < 11 ? 4 : 1) {
        const size_t half = (size_t)1 << log_half;
        struct prover_context context;
        gf128 message[2], expected[2] = {GF128_ZERO, GF128_ZERO}, r = splitmix_gf128(&random);
        test_context_init(&context, 1 + log_half % 3);
        prover_kernels()->product_message_high(expected, f, w, half);
        high_message(&context, message, f, w, half);
        assert_memory_equal(message, expected, sizeof message);

        gf128 *const arrays[2] = {f2, w};
        memcpy(f2, f, 2 * half * sizeof *f);
        high_fold(&context, arrays, 2, half, r);
        kernels()->fold_high(f, half, r);
        assert_memory_equal(f2, f, half * sizeof *f);

        for (size_t least = 8; least <= 1 << 13; least *= 8) {
            memset(seen, 0, most);
            size_t n_parts = high_parts(&context, half, least, count_range, &seen);
            assert_in_range(n_parts, 1, HIGH_MAX_PARTS);
            for (size_t i = 0; i < most; i++) {
                assert_int_equal(seen[i], i < half);
            }
        }
        test_context_release(&context);
    }
    free(seen);
    free(f);
    free(f2);
    free(w);
}

/* ---- progress, cancellation, memory ---- */

struct watcher {
    unsigned calls, stop_at;
    double last;
    flock_phase phase;
};

static int watch(void *context, flock_phase phase, double fraction)
{
    struct watcher *w = context;
    assert_true(fraction >= 0 && fraction <= 1);
    assert_true(phase > w->phase || fraction >= w->last);
    w->phase = phase;
    w->last = fraction;
    return ++w->calls == w->stop_at;
}

/* Proves with the given watcher; the number of bytes still held is 0 whatever happens. */
static flock_status prove_watched(const struct piop_case *c, struct watcher *w, size_t *peak)
{
    struct prover_context context;
    struct run run;
    flock_options options = {.progress = watch, .progress_context = w};
    size_t bytes = (size_t)1 << (c->m - 3);
    uint64_t *a = new_bits(c->m), *b = new_bits(c->m);
    memcpy(a, c->a, bytes);
    memcpy(b, c->b, bytes);
    test_context_init(&context, 2);
    context.options = &options;
    case_start(c, &run.transcript);
    flock_status status =
        zerocheck_prove(&context, &run.transcript, c->m, c->z, a, b, &run.zerocheck, &run.result,
                        &run.claim_c, &run.partial_c);
    *peak = context.memory.peak_bytes;
    if (status == FLOCK_OK) {
        status = lincheck_prove(&context, &run.transcript, c->circuit, &c->shape, c->z, &run.result,
                                &run.lincheck, &run.claim_ab, &run.partial_ab);
    }
    assert_int_equal(context.memory.live_bytes, 0);
    test_context_release(&context);
    free(a);
    free(b);
    return status;
}

static void test_progress(void **state)
{
    struct piop_case c;
    struct watcher w = {.stop_at = 0};
    size_t peak;
    (void)state;
    identity_case(&c, FLOCK_ROW_MAJOR, 8, 6, 256, 3);
    assert_int_equal(prove_watched(&c, &w, &peak), FLOCK_OK);
    assert_int_equal(w.phase, FLOCK_PHASE_LINCHECK);
    unsigned calls = w.calls;
    assert_true(calls >= 4);
    for (unsigned stop_at = 1; stop_at <= calls; stop_at++) {
        w = (struct watcher){.stop_at = stop_at};
        assert_int_equal(prove_watched(&c, &w, &peak), FLOCK_ERR_CANCELLED);
        assert_int_equal(w.calls, stop_at);
    }
    case_free(&c);
}

/* Zerocheck takes little besides z, a, b, which have 2 MiB each here. */
static void test_memory(void **state)
{
    struct piop_case c;
    struct watcher w = {.stop_at = 0};
    size_t peak;
    (void)state;
    identity_case(&c, FLOCK_ROW_MAJOR, 12, 12, 4096, 3);
    assert_int_equal(prove_watched(&c, &w, &peak), FLOCK_OK);
    assert_true(peak < (size_t)960 << 10);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),       cmocka_unit_test(test_partials),
        cmocka_unit_test(test_naive_zerocheck), cmocka_unit_test(test_synthetic),
        cmocka_unit_test(test_shapes),          cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_every_field),     cmocka_unit_test(test_false_z_partial),
        cmocka_unit_test(test_bad_sizes),       cmocka_unit_test(test_progress),
        cmocka_unit_test(test_high_rounds),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_large),           cmocka_unit_test(test_blake3),
        cmocka_unit_test(test_intermediates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
