/*
 * Every legal statement, up to 2^35 witness bits: the counts that follow from it fit the arrays of
 * a proof, a file of its shape can be written and read, and the verifier runs through to the end.
 *
 * No proof of that size has to be made for the last: all-zero vectors satisfy every circuit but
 * for its constant wire. With that taken out, all messages of their proof are zero, the rows are,
 * and the nodes of a level of a tree are all equal.
 */
#include "support/statements.h"
#include "support/support.h"

#include <flock/params.h>

#include "code/additive_ntt.h"
#include "hash/sha256.h"
#include "relation/digest.h"
#include "relation/merkle.h"
#include "wire/proof_file.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- all legal statements ---- */

static unsigned log_slots_limit(flock_circuit circuit)
{
    static const unsigned limits[4] = {21, 20, 19, 18}; /* spec 09.2 */
    return limits[circuit];
}

typedef void statement_visitor(const flock_statement *statement, unsigned n_log);

/*
 * Every combination for batches and chains that spec 09.2 and 02, 2.8 allow, each with the smallest
 * and the largest count that need 2^n_log slots. Returns how many sizes were visited.
 */
static size_t visit_statements(statement_visitor *visit)
{
    size_t n = 0;
    for (unsigned i = 0; i < 2 * 2 * 4 * 2 * 3; i++) {
        flock_statement s = {.format = i % 2,
                             .relation = i / 2 % 2,
                             .circuit = i / 4 % 4,
                             .layout = i / 16 % 2,
                             .profile = i / 32};
        bool keccak3 = s.circuit == FLOCK_KECCAK3, reference = s.format == FLOCK_REFERENCE;
        if (keccak3 && (s.relation == FLOCK_CHAIN || s.layout == FLOCK_BATCH_MAJOR)) {
            continue;
        }
        unsigned limit = log_slots_limit(s.circuit), copies = keccak3 ? 3 : 1;
        for (unsigned n_log = reference ? limit - 13 : 3; n_log <= limit; n_log++, n++) {
            s.count = (uint64_t)copies << n_log;
            visit(&s, n_log);
            if (!reference || s.relation == FLOCK_BATCH) {
                s.count = n_log == 3 ? 1 : ((uint64_t)copies << (n_log - 1)) + 1;
                visit(&s, n_log);
            }
        }
    }
    return n;
}

static struct setup setup_of(const flock_statement *statement)
{
    struct setup setup;
    flock_status status = statement_setup(statement, &setup);
    if (status != FLOCK_OK) {
        fail_msg("%d %d %d %d %d %llu: %s", statement->format, statement->relation,
                 statement->circuit, statement->layout, statement->profile,
                 (unsigned long long)statement->count, flock_status_text(status));
    }
    return setup;
}

/* ---- counts against arrays ---- */

static void check_opening(const struct pcs_params *params, unsigned m)
{
    struct ligerito_proof *proof = NULL;
    unsigned folds = 0, n_ood = 0;
    assert_true(params->R >= 1 && params->R < MAX_LEVELS && params->R < FLOCK_MAX_LEVELS);
    assert_int_equal(params->log_n, m - 7);
    assert_true(params->log_n <= MAX_LOG_ELEMENTS);
    assert_int_equal(params->level[0].k, m >= 22 ? 6 : 3); /* spec 03, 3.9.4 */
    for (unsigned i = 0; i <= params->R; i++) {
        const struct level_params *level = &params->level[i];
        folds += level->k;
        n_ood += level->s;
        assert_true(level->k == 3 || level->k == 6); /* never 2: spec 03, 3.10 R5 */
        assert_true(level->k <= MAX_LOG_LANES);
        assert_true(level->Q <= MAX_QUERIES && ceil_log2(level->Q) <= MAX_LOG_QUERIES);
        assert_true(level->c + level->r < 32 && level->c + level->r <= NTT_MAX_LOG);
        assert_true(level->Q <= (size_t)1 << (level->c + level->r));
        assert_int_equal(folds + level->c, params->log_n);
        assert_true(level->h < 64 && level->g < 64);
        assert_true(i == 0 || level->r > params->level[i - 1].r);
    }
    assert_int_equal(folds + params->y, params->log_n);
    assert_true(params->y <= MAX_LOG_RESIDUAL);
    assert_true((size_t)1 << params->y <= LENGTH(proof->residual));
    assert_int_equal(n_ood, params_n_ood(params));
    assert_int_equal(params_n_messages(params), 1 + folds + n_ood + params->R);
    assert_true(n_ood <= LENGTH(proof->ood_values));
    assert_true(params_n_messages(params) <= LENGTH(proof->messages));
    assert_true(params_n_fold_nonces(params) <= LENGTH(proof->fold_nonces));
}

static void check_circuit(const struct circuit *circuit, flock_relation relation)
{
    assert_true(circuit->k_log >= 14 && circuit->k_log <= MAX_K_LOG);
    assert_true(circuit->useful_bits <= (uint32_t)1 << circuit->k_log);
    assert_true(circuit->pin >= 0 && (uint32_t)circuit->pin < circuit->useful_bits);
    if (relation == FLOCK_CHAIN) {
        assert_true(circuit->region_log - 7 <= MAX_SLOT_LOG);
        assert_true(circuit->region_log + 1 <= circuit->k_log);
        assert_true(circuit->region_bits <= (unsigned)1 << circuit->region_log);
        assert_true(circuit->region_bits % 8 == 0);
        assert_true(circuit->region_bits / 8 <= FLOCK_MAX_REGION_BYTES);
    }
}

static void check_counts(const flock_statement *s, unsigned n_log)
{
    struct setup setup = setup_of(s), decoded_setup;
    struct proof *proof = NULL;
    struct zerocheck_result *zerocheck = NULL;
    struct lincheck_point *lincheck = NULL;
    struct chain_challenges *chain = NULL;
    struct claims *claims = NULL;
    unsigned m = setup.m, k_log = setup.circuit->k_log;
    assert_int_equal(setup.shape.n_log, n_log);
    assert_int_equal(setup.shape.layout, s->layout);
    assert_int_equal(setup.shape.k_log, k_log);
    assert_int_equal(m, k_log + n_log);
    assert_int_equal(flock_statement_log_bits(s), m);
    assert_in_range(m, s->format == FLOCK_REFERENCE ? 22 : 17, MAX_LOG_BITS);
    assert_true(n_log <= MAX_N_LOG);
    check_opening(&setup.params, m);
    check_circuit(setup.circuit, s->relation);

    assert_true(m - 6 <= LENGTH(proof->zerocheck.rounds) && m - 6 <= LENGTH(zerocheck->rho));
    assert_true(k_log - 6 <= LENGTH(proof->lincheck.rounds) &&
                k_log - 6 <= LENGTH(lincheck->inner));
    assert_true(n_log <= LENGTH(lincheck->instance));
    const struct relation *relation = relation_of(s->relation);
    assert_true(glue_rounds(relation, n_log) * relation->width <= LENGTH(proof->glue.rounds));
    assert_true(n_log <= LENGTH(chain->tau));
    assert_true(m - 6 <= LENGTH(claims->quirky[0].point));
    assert_true(m - 7 <= LENGTH(claims->direct[0].point));

    if (s->format == FLOCK_NATIVE) {
        flock_statement decoded;
        size_t len;
        uint8_t *bytes = statement_bytes(s, &setup, &len);
        size_t region = s->relation == FLOCK_CHAIN ? setup.circuit->region_bits / 8 : 0;
        assert_int_equal(len, 54 + 8 * (setup.params.R + 1) + 2 * region);
        assert_int_equal(statement_decode(bytes, len, &decoded, &decoded_setup), FLOCK_OK);
        assert_memory_equal(&decoded, s, sizeof decoded);
        free(bytes);
    }
}

static void test_counts(void **state)
{
    (void)state;
    /* sizes * layouts * profiles: chains, then batches */
    size_t native = (19 + 18 + 17) * 2 * 3 + (19 + 18 + 17) * 2 * 3 + 16 * 3;
    size_t reference = 14 * 3 * 2 * 3 + 14 * 3 * 2 * 3 + 14 * 3;
    assert_int_equal(visit_statements(check_counts), native + reference);
}

/* What is one too large, or too small for the reference format. */
static void check_neighbours(const flock_statement *s, unsigned n_log)
{
    flock_statement other = *s;
    if (n_log == log_slots_limit(s->circuit)) {
        uint64_t largest = (uint64_t)(s->circuit == FLOCK_KECCAK3 ? 3 : 1) << n_log;
        static const uint64_t more[] = {1, (uint64_t)1 << 32, UINT64_MAX / 2, UINT64_MAX};
        for (size_t i = 0; i < LENGTH(more); i++) {
            other.count = more[i] > UINT64_MAX - largest ? UINT64_MAX : largest + more[i];
            assert_int_equal(flock_statement_log_bits(&other), 0);
        }
    }
    if (s->format == FLOCK_REFERENCE && flock_statement_log_bits(s) == 22) {
        other.count = s->circuit == FLOCK_KECCAK3 ? 3 << (n_log - 1) : 1 << (n_log - 1);
        assert_int_equal(flock_statement_log_bits(&other), 0);
    }
    other.count = 0;
    assert_int_equal(flock_statement_log_bits(&other), 0);
}

static void test_neighbours(void **state)
{
    (void)state;
    visit_statements(check_neighbours);
}

/* ---- digests and paths ---- */

/* A statement with these public values encodes to as many bytes, and back; then without a proof. */
static void check_sized(const flock_statement *s, unsigned n_log, size_t public_bytes)
{
    struct setup setup = setup_of(s), decoded_setup;
    const struct relation *relation = relation_of(s->relation);
    struct glue_proof *proof = NULL;
    flock_statement decoded;
    size_t len;
    assert_int_equal(setup.shape.n_log, n_log);
    assert_int_equal(setup.m, 15 + n_log);
    check_opening(&setup.params, setup.m);
    assert_true(glue_rounds(relation, n_log) * relation->width <= LENGTH(proof->rounds));
    uint8_t *bytes = statement_bytes(s, &setup, &len);
    assert_int_equal(len, 54 + 8 * (setup.params.R + 1) + public_bytes);
    assert_int_equal(statement_decode(bytes, len, &decoded, &decoded_setup), FLOCK_OK);
    assert_int_equal(decoded.count, s->count);
    assert_true(relation->public_equal(&decoded, s));
    assert_int_not_equal(statement_decode(bytes, len - 1, &decoded, &decoded_setup), FLOCK_OK);
    free(bytes);
}

/* Whatever the relation's last claims are, they fit. */
static void check_digest_claims(const flock_statement *s)
{
    struct setup setup = setup_of(s);
    struct claims claims = {.n_direct = 2}; /* the links' */
    struct transcript t;
    transcript_init(&t, "test", 4);
    digest_claims(&t, s, &setup, &claims);
    assert_int_equal(claims.n_direct, s->message_bytes % 64 <= 55 ? 3 : 4);
    assert_true(claims.n_direct <= MAX_DIRECT_CLAIMS);
}

static void test_digests(void **state)
{
    (void)state;
    static const unsigned tails[] = {0, 1, 55, 56, 63};
    for (unsigned i = 0; i < 2 * 3 * 18 * LENGTH(tails); i++) {
        unsigned n_log = 3 + i / 6 % 18, tail = tails[i / 108], padding = tail <= 55 ? 1 : 2;
        flock_statement s = {.relation = FLOCK_DIGEST,
                             .circuit = FLOCK_SHA256,
                             .layout = i % 2,
                             .profile = i / 2 % 3};
        s.count = (uint64_t)1 << n_log;
        s.message_bytes = 64 * (s.count - padding) + tail;
        check_sized(&s, n_log, 40 + tail);
        check_digest_claims(&s);
        s.count = n_log == 3 ? padding : s.count / 2 + 1;
        s.message_bytes = 64 * (s.count - padding) + tail;
        check_sized(&s, n_log, 40 + tail);
        check_digest_claims(&s);
        s.message_bytes += 64;
        assert_int_equal(flock_statement_log_bits(&s), 0);
        s.count = (uint64_t)1 << 20;
        s.message_bytes = 64 * s.count - 8; /* one byte too many */
        assert_int_equal(flock_statement_log_bits(&s), 0);
        s.count++;
        assert_int_equal(flock_statement_log_bits(&s), 0);
        s.message_bytes = UINT64_MAX - 7; /* (message_bytes + 9) / 64 wraps to nothing */
        s.count = 1;
        assert_int_equal(flock_statement_log_bits(&s), 0);
    }
}

static void check_merkle_claims(const flock_statement *s)
{
    struct setup setup = setup_of(s);
    struct claims claims = {.n_direct = 0};
    struct merkle_challenges challenges;
    struct transcript t;
    gf128 r[MAX_MERKLE_N_LOG + MERKLE_EXTRA_ROUNDS];
    transcript_init(&t, "test", 4);
    merkle_sample(&t, &setup, &challenges);
    transcript_sample_vec(&t, r, setup.shape.n_log + MERKLE_EXTRA_ROUNDS);
    merkle_claims(&t, s, &setup, &challenges, r, GF128_ONE, &claims);
    assert_int_equal(claims.n_direct, 3);
    assert_true(claims.n_direct <= MAX_DIRECT_CLAIMS);
}

static unsigned log2_rounded_up(uint64_t n)
{
    unsigned log = 0;
    for (uint64_t power = 1; power < n; power *= 2) {
        log++;
    }
    return log;
}

static void check_paths(unsigned depth, uint64_t n_paths, const uint8_t *paths)
{
    unsigned pos_log = log2_rounded_up(depth), path_log = log2_rounded_up(n_paths);
    unsigned n_log = pos_log + path_log < 3 ? 3 : pos_log + path_log;
    flock_statement s = {.relation = FLOCK_MERKLE,
                         .circuit = FLOCK_SHA256,
                         .layout = n_paths % 2,
                         .profile = depth % 3,
                         .count = depth * n_paths,
                         .depth = depth,
                         .n_paths = n_paths,
                         .paths = paths};
    if (n_log > 20) {
        assert_int_equal(flock_statement_log_bits(&s), 0);
        return;
    }
    check_sized(&s, n_log, 41 + 40 * (size_t)n_paths);
    check_merkle_claims(&s);
    s.count++;
    assert_int_equal(flock_statement_log_bits(&s), 0);
    s.count -= 2;
    assert_int_equal(flock_statement_log_bits(&s), 0);
}

static void test_paths(void **state)
{
    (void)state;
    uint8_t *paths = calloc((size_t)1 << 20, FLOCK_PATH_BYTES);
    assert_non_null(paths);
    for (unsigned depth = 1; depth <= 32; depth++) {
        for (unsigned log = 0; log <= 10; log++) {
            check_paths(depth, (uint64_t)1 << log, paths);
            check_paths(depth, ((uint64_t)1 << log) + 1, paths);
        }
    }
    for (unsigned depth = 1; depth <= 32; depth++) {
        unsigned log = 20 - log2_rounded_up(depth);
        if (depth < 4 || depth > 16) {
            check_paths(depth, (uint64_t)1 << log, paths);
        }
        check_paths(depth, ((uint64_t)1 << log) + 1, paths);
    }
    flock_statement s = {.relation = FLOCK_MERKLE, .circuit = FLOCK_SHA256, .paths = paths};
    static const struct {
        unsigned depth;
        uint64_t n_paths;
    } wrong[] = {{0, 0},          {0, 1},
                 {1, 0},          {33, 1},
                 {UINT32_MAX, 1}, {1, ((uint64_t)1 << 20) + 1},
                 {1, UINT64_MAX}, {32, (uint64_t)1 << 59}};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        s.depth = wrong[i].depth;
        s.n_paths = wrong[i].n_paths;
        s.count = s.depth * s.n_paths;
        assert_int_equal(flock_statement_log_bits(&s), 0);
    }
    free(paths);
}

/* ---- files of every shape ---- */

/* A number that differs from place to place, so that a value read elsewhere shows. */
static void fill_with_numbers(void *bytes, size_t len)
{
    static uint8_t next;
    for (size_t i = 0; i < len; i++) {
        ((uint8_t *)bytes)[i] = next++ ^ (uint8_t)(i >> 8);
    }
}

static void fake_rows(const struct pcs_params *params, struct ligerito_proof *proof)
{
    for (unsigned i = 0; i <= params->R; i++) {
        const struct level_params *level = &params->level[i];
        size_t stride = opened_row_stride(level);
        uint8_t *rows = malloc(level->Q * stride), *hashes = malloc(3 * 32);
        assert_non_null(rows);
        assert_non_null(hashes);
        fill_with_numbers(rows, level->Q * stride);
        fill_with_numbers(hashes, 3 * 32);
        for (size_t t = 0; t < level->Q; t++) {
            store_le64(rows + t * stride, (uint64_t)1 << level->k);
        }
        proof->opened[i] = (struct opened_level){rows, hashes, 3};
    }
}

static void free_rows(const struct pcs_params *params, struct ligerito_proof *proof)
{
    for (unsigned i = 0; i <= params->R; i++) {
        free((void *)proof->opened[i].rows);
        free((void *)proof->opened[i].hashes);
    }
}

/* A proof file of the right shape reads back as it was written; nothing may be missing. */
static void check_file(const flock_statement *s, unsigned n_log)
{
    if ((s->layout == FLOCK_BATCH_MAJOR && n_log % 2 == 0) || s->count >> n_log == 0) {
        return; /* the layout changes no count; one count a size is enough */
    }
    struct proof_file *file = malloc(sizeof *file), *read = calloc(1, sizeof *read);
    assert_non_null(file);
    assert_non_null(read);
    fill_with_numbers(file, sizeof *file);
    file->statement = *s;
    fill_with_numbers(file->statement.start, flock_region_bytes(s->circuit));
    file->setup = setup_of(s);
    struct ligerito_proof *ligerito = &file->proof.opening.ligerito;
    fake_rows(&file->setup.params, ligerito);
    size_t len;
    uint8_t *bytes = proof_file_write(file, &len);
    assert_non_null(bytes);

    bool native = s->format == FLOCK_NATIVE;
    for (size_t cut = 0; cut < 2; cut++) {
        flock_status status = native ? proof_file_read(bytes, len - cut, read, NULL)
                                     : proof_file_read_reference(bytes, len - cut, s, read, NULL);
        assert_int_equal(status, cut == 0 ? FLOCK_OK : FLOCK_ERR_TRUNCATED);
        if (cut == 0) {
            size_t again_len;
            uint8_t *again = proof_file_write(read, &again_len);
            assert_int_equal(again_len, len);
            assert_memory_equal(again, bytes, len);
            flock_free(again);
        }
    }
    flock_free(bytes);
    free_rows(&file->setup.params, ligerito);
    free(file);
    free(read);
}

static void test_files(void **state)
{
    (void)state;
    visit_statements(check_file);
}

/* ---- the proof of all-zero vectors ---- */

struct zero_tree {
    uint8_t nodes[32][32]; /* the node of each level, leaves first */
};

static void zero_tree_init(struct zero_tree *tree, const struct level_params *level)
{
    static const uint8_t row[16 << MAX_LOG_LANES];
    sha256(tree->nodes[0], row, (size_t)16 << level->k);
    for (unsigned l = 0; l < (unsigned)level->c + level->r; l++) {
        uint8_t pair[64];
        memcpy(pair, tree->nodes[l], 32);
        memcpy(pair + 32, tree->nodes[l], 32);
        sha256(tree->nodes[l + 1], pair, sizeof pair);
    }
}

/* Hashes of the multi-opening at sorted positions, which are destroyed; returns their number. */
static size_t zero_tree_open(const struct zero_tree *tree, unsigned log_leaves, uint32_t *positions,
                             size_t n, uint8_t *hashes)
{
    size_t n_hashes = 0;
    for (unsigned l = 0; l < log_leaves; l++) {
        size_t parents = 0;
        for (size_t i = 0; i < n; parents++) {
            bool both = i + 1 < n && positions[i + 1] == (positions[i] ^ 1);
            if (!both) {
                memcpy(hashes + 32 * n_hashes++, tree->nodes[l], 32);
            }
            positions[parents] = positions[i] >> 1;
            i += both ? 2 : 1;
        }
        n = parents;
    }
    return n_hashes;
}

/* Buffers for one level's rows and hashes at a time would do, but the proof holds all levels. */
struct zero_rows {
    uint8_t rows[MAX_QUERIES * (8 + (16 << MAX_LOG_LANES))];
    uint8_t hashes[MAX_QUERIES * 32 * 32];
};

/* Steps Q1 to A3 of spec 03, 3.5.1, for level i. */
static void zero_queries(struct prover_context *context, struct transcript *t,
                         const struct pcs_params *params, unsigned i, struct zero_rows *out,
                         struct ligerito_proof *proof)
{
    const struct level_params *level = &params->level[i];
    uint32_t positions[MAX_QUERIES];
    struct zero_tree tree;
    gf128 alpha[MAX_LOG_QUERIES];
    zero_tree_init(&tree, level);
    proof->query_nonces[i] = transcript_grind(t, level->g, context);
    transcript_queries(t, positions, level->Q, level->c + level->r);
    memset(out->rows, 0, level->Q * opened_row_stride(level));
    for (size_t q = 0; q < level->Q; q++) {
        store_le64(out->rows + q * opened_row_stride(level), (uint64_t)1 << level->k);
    }
    proof->opened[i] = (struct opened_level){.rows = out->rows, .hashes = out->hashes};
    proof->opened[i].n_hashes =
        zero_tree_open(&tree, level->c + level->r, positions, level->Q, out->hashes);
    transcript_sample_vec(t, alpha, ceil_log2(level->Q));
    if (i < params->R) {
        transcript_scalar(t, GF128_ZERO);
        transcript_scalar(t, GF128_ZERO);
        transcript_sample(t);
    }
}

static void zero_root(const struct level_params *level, uint8_t root[32])
{
    struct zero_tree tree;
    zero_tree_init(&tree, level);
    memcpy(root, tree.nodes[level->c + level->r], 32);
}

/* Spec 03, 3.5.1, for f = 0; the transcript stands at step E1. */
static void zero_ligerito(struct prover_context *context, struct transcript *t,
                          const struct pcs_params *params, struct zero_rows *rows,
                          struct ligerito_proof *proof)
{
    gf128 z[MAX_LOG_ELEMENTS];
    size_t n_nonces = 0;
    memset(proof, 0, sizeof *proof);
    zero_root(&params->level[0], proof->roots[0]);
    transcript_label(t, "flock-ligerito-basis-v0");
    transcript_scalar(t, GF128_ZERO);
    transcript_bytes(t, proof->roots[0], 32);
    transcript_scalar(t, GF128_ZERO);
    transcript_scalar(t, GF128_ZERO);
    for (unsigned i = 0; i <= params->R; i++) {
        const struct level_params *level = &params->level[i];
        for (unsigned j = 0; j < level->k; j++) {
            if (level->h > j) {
                proof->fold_nonces[n_nonces++] = transcript_grind(t, level->h - j, context);
            }
            transcript_sample(t);
            transcript_scalar(t, GF128_ZERO);
            transcript_scalar(t, GF128_ZERO);
        }
        if (i < params->R) {
            zero_root(level + 1, proof->roots[i + 1]);
            transcript_bytes(t, proof->roots[i + 1], 32);
            for (unsigned s = 0; s < level[1].s; s++) {
                transcript_sample_vec(t, z, level->c);
                transcript_scalar(t, GF128_ZERO);
                transcript_scalar(t, GF128_ZERO);
                transcript_scalar(t, GF128_ZERO);
                transcript_sample(t);
            }
        } else {
            for (size_t j = 0; j < (size_t)1 << params->y; j++) {
                transcript_scalar(t, GF128_ZERO);
            }
        }
        zero_queries(context, t, params, i, &rows[i], proof);
    }
}

/*
 * The opening of both sides. Grinding is made cheap, with as many nonces as before: m = 35 takes
 * 2^24 hashes.
 */
static void check_zero_opening(const struct transcript *start, const struct setup *setup,
                               const struct claims *claims, struct zero_rows *rows,
                               struct opening_proof *proof)
{
    struct pcs_params params = setup->params;
    struct prover_context context;
    struct opening_reduction reduction;
    test_context_init(&context, 1);
    for (unsigned i = 0; i <= params.R; i++) {
        struct level_params *level = &params.level[i];
        level->h = level->h < level->k ? level->h : level->k;
        level->g = level->g < 4 ? level->g : 4;
    }
    assert_int_equal(params_n_fold_nonces(&params), params_n_fold_nonces(&setup->params));

    struct transcript t = *start;
    memset(proof->ring_switch, 0, sizeof proof->ring_switch);
    opening_reduce(&t, params.log_n, claims, proof->ring_switch, &reduction);
    zero_ligerito(&context, &t, &params, rows, &proof->ligerito);
    t = *start;
    assert_int_equal(opening_verify(&t, &params, proof->ligerito.roots[0], claims, proof),
                     FLOCK_OK);

    proof->ligerito.residual[((size_t)1 << params.y) - 1] = GF128_ONE;
    t = *start;
    assert_int_not_equal(opening_verify(&t, &params, proof->ligerito.roots[0], claims, proof),
                         FLOCK_OK);
    test_context_release(&context);
}

static struct zero_rows *zero_rows;
static gf128 *zero_scratch;

static void check_zero_proof(const flock_statement *s, unsigned n_log)
{
    /* Layouts in turn, and the relation with more claims. */
    if (s->count >> n_log == 0 ||
        (s->circuit != FLOCK_KECCAK3 && (s->layout != n_log % 2 || s->relation != FLOCK_CHAIN))) {
        return;
    }
    struct setup setup = setup_of(s);
    struct circuit without_pin = *setup.circuit;
    without_pin.pin = NO_PIN;
    setup.circuit = &without_pin;

    struct proof *proof = calloc(1, sizeof *proof);
    assert_non_null(proof);
    struct claims claims = {.n_quirky = 2};
    struct zerocheck_result zerocheck;
    struct transcript t;
    uint8_t root[32];
    zero_root(&setup.params.level[0], root);
    statement_begin(&t, s, &setup, root, "test", 4);
    assert_int_equal(
        zerocheck_verify(&t, setup.m, &proof->zerocheck, &zerocheck, &claims.quirky[CLAIM_C]),
        FLOCK_OK);
    assert_int_equal(lincheck_verify(&t, setup.circuit, &setup.shape, &zerocheck, &proof->lincheck,
                                     &claims.quirky[CLAIM_AB], zero_scratch),
                     FLOCK_OK);
    if (s->relation == FLOCK_CHAIN) {
        const struct relation *relation = relation_of(s->relation);
        assert_int_equal(relation->verify(&t, s, &setup, &proof->glue, &claims), FLOCK_OK);
        assert_int_equal(claims.n_direct, s->format == FLOCK_NATIVE ? 2 : 1);
        assert_true(claims.n_direct <= MAX_DIRECT_CLAIMS);
    }
    /* Other relations have more claims. */
    for (; claims.n_direct < n_log % (MAX_DIRECT_CLAIMS + 1); claims.n_direct++) {
        transcript_sample_vec(&t, claims.direct[claims.n_direct].point, setup.params.log_n);
    }
    check_zero_opening(&t, &setup, &claims, zero_rows, &proof->opening);
    free(proof);
}

static void test_zero_proofs(void **state)
{
    (void)state;
    zero_rows = malloc(MAX_LEVELS * sizeof *zero_rows);
    zero_scratch = malloc(((size_t)2 << MAX_K_LOG) * sizeof *zero_scratch);
    assert_non_null(zero_rows);
    assert_non_null(zero_scratch);
    visit_statements(check_zero_proof);
    free(zero_rows);
    free(zero_scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_digests), cmocka_unit_test(test_paths),
        cmocka_unit_test(test_files),   cmocka_unit_test(test_zero_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
