/*
 * Provers that deviate at one message of the protocol and carry on honestly, with the transcript,
 * the proofs of work and all answers that follow from their false message. The verifier must reject
 * each one, at the check that is there for it.
 *
 * The linker puts the functions below in front of those of the transcript and of the commitment
 * (-Wl,--wrap), for prover and verifier alike. While a prover runs they count what it absorbs, in
 * units of one field element or root, and replace one unit. The value that was replaced is then
 * found in the finished file and replaced there too.
 */
#include "support/support.h"

#include <flock/merkle.h>
#include <flock/prove.h>
#include <flock/verify.h>

#include "base/bytes.h"
#include "pcs/ligerito.h"
#include "relation/relation.h"
#include "wire/proof_file.h"

enum { ROOT_BYTES = 32, ELEMENT_BYTES = 16, NO_UNIT = -1, MAX_ELEMENTS = 2048 };

/* ---- the deviation ---- */

struct deviation {
    bool active;         /* a prover is running */
    int target;          /* the unit to replace, or NO_UNIT */
    int n_units;         /* absorbed so far */
    size_t slice_stride; /* of the elements of a vector, every so many are a unit */
    uint8_t was[ROOT_BYTES], is[ROOT_BYTES];
    size_t bytes;                 /* of the unit that was replaced; 0: none yet */
    gf128 elements[MAX_ELEMENTS]; /* absorbed so far */
    size_t n_elements;
    size_t same_before; /* elements before the replaced one that were equal to it */

    int commitment; /* the commitment to spoil, or NO_UNIT */
    int n_commitments;
};

static struct deviation deviation = {.target = NO_UNIT, .slice_stride = 1, .commitment = NO_UNIT};

static bool is_target(void)
{
    return deviation.active && deviation.n_units++ == deviation.target;
}

void __real_transcript_scalar(struct transcript *t, gf128 v);
void __wrap_transcript_scalar(struct transcript *t, gf128 v);
void __real_transcript_slice(struct transcript *t, const gf128 *v, size_t n);
void __wrap_transcript_slice(struct transcript *t, const gf128 *v, size_t n);
void __real_transcript_bytes(struct transcript *t, const void *bytes, size_t len);
void __wrap_transcript_bytes(struct transcript *t, const void *bytes, size_t len);
flock_status __real_oracle_commit(struct prover_context *context, struct oracle *oracle,
                                  const gf128 *polynomial, const struct level_params *level);
flock_status __wrap_oracle_commit(struct prover_context *context, struct oracle *oracle,
                                  const gf128 *polynomial, const struct level_params *level);

/* What a prover absorbs instead of v. */
static gf128 element(gf128 v, bool may_be_replaced)
{
    if (!deviation.active) {
        return v;
    }
    assert_true(deviation.n_elements < MAX_ELEMENTS);
    deviation.elements[deviation.n_elements++] = v;
    if (!may_be_replaced || !is_target()) {
        return v;
    }
    for (size_t i = 0; i + 1 < deviation.n_elements; i++) {
        deviation.same_before += gf128_equal(deviation.elements[i], v);
    }
    gf128 is = gf128_add(v, GF128_ONE);
    gf128_store(deviation.was, v);
    gf128_store(deviation.is, is);
    deviation.bytes = ELEMENT_BYTES;
    return is;
}

void __wrap_transcript_scalar(struct transcript *t, gf128 v)
{
    __real_transcript_scalar(t, element(v, true));
}

void __wrap_transcript_slice(struct transcript *t, const gf128 *v, size_t n)
{
    gf128 copy[256];
    assert_true(n <= sizeof copy / sizeof copy[0]);
    for (size_t i = 0; i < n; i++) {
        copy[i] = element(v[i], i % deviation.slice_stride == 0);
    }
    __real_transcript_slice(t, copy, n);
}

/* The statement's digest and roots; the commitment is absorbed again when the opening begins. */
void __wrap_transcript_bytes(struct transcript *t, const void *bytes, size_t len)
{
    if (len == ROOT_BYTES && deviation.active && deviation.bytes == ROOT_BYTES &&
        memcmp(bytes, deviation.was, ROOT_BYTES) == 0) {
        deviation.n_units++;
        bytes = deviation.is;
    } else if (len == ROOT_BYTES && is_target()) {
        memcpy(deviation.was, bytes, ROOT_BYTES);
        memcpy(deviation.is, bytes, ROOT_BYTES);
        deviation.is[7] ^= 0x10;
        deviation.bytes = ROOT_BYTES;
        bytes = deviation.is;
    }
    __real_transcript_bytes(t, bytes, len);
}

/* Commits to a word that is no codeword: in half of the positions one lane is not the code's. */
flock_status __wrap_oracle_commit(struct prover_context *context, struct oracle *oracle,
                                  const gf128 *polynomial, const struct level_params *level)
{
    flock_status status = __real_oracle_commit(context, oracle, polynomial, level);
    if (status == FLOCK_OK && deviation.active &&
        deviation.n_commitments++ == deviation.commitment) {
        for (size_t i = 0; i < (size_t)1 << (oracle->log_positions - 1); i++) {
            gf128 *value = &oracle->codeword[i << level->k];
            *value = gf128_add(*value, gf128_from_u64(i + 1));
        }
        memory_give(&context->memory, oracle->tree.nodes);
        status = test_tree_build(context, &oracle->tree, oracle->codeword, (size_t)1 << level->k,
                                 oracle->log_positions, 0);
    }
    return status;
}

/* ---- small statements of each relation ---- */

static const flock_options one_thread = {.threads = 1};

struct bytes {
    uint8_t *data;
    size_t len;
};

static struct bytes prove_chain(void)
{
    struct bytes proof;
    flock_statement statement;
    const flock_chain chain = {.steps = 5, .seed = 11};
    assert_int_equal(flock_prove_chain(&chain, &one_thread, &proof.data, &proof.len, &statement),
                     0);
    return proof;
}

/* Out-of-domain samples, two recursive levels. */
static struct bytes prove_batch(void)
{
    struct bytes proof;
    flock_statement statement;
    static flock_blake3_input inputs[64];
    struct splitmix random = {5};
    for (size_t i = 0; i < 64; i++) {
        for (size_t j = 0; j < 16; j++) {
            inputs[i].message[j] = (uint32_t)splitmix_next(&random);
        }
    }
    const flock_batch batch = {.profile = FLOCK_SLIM, .count = 64, .inputs = inputs};
    assert_int_equal(flock_prove_batch(&batch, &one_thread, &proof.data, &proof.len, &statement),
                     0);
    return proof;
}

static struct bytes prove_digest(void)
{
    struct bytes proof;
    flock_statement statement;
    static const uint8_t message[150];
    const flock_digest digest = {.message = message, .message_bytes = sizeof message};
    assert_int_equal(flock_prove_digest(&digest, &one_thread, &proof.data, &proof.len, &statement),
                     0);
    return proof;
}

static struct bytes prove_paths(void)
{
    enum { DEPTH = 3, N_LEAVES = 1 << DEPTH, N_PATHS = 5 };
    struct bytes proof;
    flock_statement statement;
    uint8_t nodes[2 * N_LEAVES - 1][32], siblings[N_PATHS][DEPTH][32];
    flock_merkle_path paths[N_PATHS];
    for (size_t i = 0; i < N_LEAVES; i++) {
        flock_merkle_leaf(nodes[i], &i, 1);
    }
    flock_merkle_tree(nodes[0], DEPTH);
    for (size_t i = 0; i < N_PATHS; i++) {
        flock_merkle_siblings(nodes[0], DEPTH, i + 1, siblings[i][0]);
        paths[i] = (flock_merkle_path){.index = i + 1, .siblings = siblings[i][0]};
        memcpy(paths[i].leaf, nodes[i + 1], 32);
    }
    const flock_merkle merkle = {
        .depth = DEPTH, .root = nodes[2 * N_LEAVES - 2], .n_paths = N_PATHS, .paths = paths};
    assert_int_equal(flock_prove_merkle(&merkle, &one_thread, &proof.data, &proof.len, &statement),
                     0);
    return proof;
}

static flock_status verify(struct bytes proof)
{
    flock_statement statement;
    return flock_verify(proof.data, proof.len, &statement);
}

/* Runs a prover that replaces unit `target`; the file is honest but for what it says itself. */
static struct bytes deviate(struct bytes (*prove)(void), int target)
{
    deviation.n_units = 0;
    deviation.bytes = deviation.n_elements = deviation.same_before = 0;
    deviation.target = target;
    deviation.active = true;
    struct bytes proof = prove();
    deviation.active = false;
    deviation.target = NO_UNIT;
    return proof;
}

/* ---- one message ---- */

/*
 * Replaces the value in the file as well; returns where it stands, SIZE_MAX: nowhere. Equal
 * elements (of the residual, where instances repeat) stand in the order of their absorption. The
 * commitment stands in the file's head and again in the opening.
 */
static size_t replace_in_file(struct bytes proof)
{
    size_t first = SIZE_MAX, found = 0;
    for (size_t i = 0; i + deviation.bytes <= proof.len; i++) {
        if (memcmp(proof.data + i, deviation.was, deviation.bytes) == 0 &&
            found++ >= deviation.same_before) {
            memcpy(proof.data + i, deviation.is, deviation.bytes);
            first = first == SIZE_MAX ? i : first;
            if (deviation.bytes == ELEMENT_BYTES) {
                break;
            }
        }
    }
    return first;
}

static const char *section_at(struct bytes proof, size_t offset)
{
    flock_section sections[16];
    size_t n = 16;
    assert_int_equal(flock_proof_sections(proof.data, proof.len, sections, &n), FLOCK_OK);
    for (size_t i = 0; i < n; i++) {
        if (offset >= sections[i].offset && offset - sections[i].offset < sections[i].bytes) {
            return sections[i].name;
        }
    }
    fail_msg("no part of the file holds byte %zu", offset);
    return NULL;
}

/* The check that is there for the messages of a part of the file. */
static flock_status check_of(const char *section)
{
    static const struct {
        const char *name;
        flock_status status;
    } checks[] = {
        {"commitment", FLOCK_REJECT_MERKLE},
        {"zerocheck", FLOCK_REJECT_ZEROCHECK},
        {"lincheck", FLOCK_REJECT_LINCHECK},
        {"chain links", FLOCK_REJECT_GLUE},
        {"digest links", FLOCK_REJECT_GLUE},
        {"path links", FLOCK_REJECT_GLUE},
        {"ring switching", FLOCK_REJECT_RING_SWITCH},
        {"opening: recursive levels", FLOCK_REJECT_MERKLE},
        {"opening: last level", FLOCK_REJECT_OPENING}, /* the residual */
        {"opening: sumcheck and nonces", FLOCK_REJECT_OPENING},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (strcmp(section, checks[i].name) == 0) {
            return checks[i].status;
        }
    }
    fail_msg("no message is expected in \"%s\"", section);
    return FLOCK_OK;
}

/* The commitment is unit 1; a prover that changes it later has drawn all challenges before. */
static bool is_commitment_again(const char *section, int unit)
{
    return strcmp(section, "commitment") == 0 && unit > 1;
}

/* The message after the last fold is absorbed, but says nothing that is used (spec 03, R3). */
static bool is_last_message(struct bytes proof, size_t offset)
{
    static struct proof_file file;
    struct section_list sections = {.n = 0};
    assert_int_equal(proof_file_read(proof.data, proof.len, &file, &sections), FLOCK_OK);
    size_t messages = sections.item[sections.n - 1].offset + 8;
    size_t last =
        messages + (size_t)2 * ELEMENT_BYTES * (params_n_messages(&file.setup.params) - 1);
    return offset >= last && offset < last + (size_t)2 * ELEMENT_BYTES;
}

static flock_status expected_status(struct bytes proof, size_t offset, int unit)
{
    const char *section = section_at(proof, offset);
    if (is_commitment_again(section, unit)) {
        return FLOCK_REJECT_ZEROCHECK;
    }
    return is_last_message(proof, offset) ? FLOCK_OK : check_of(section);
}

/*
 * Every unit, one prover each. Units that are not in the file (the statement's digest, the claim
 * that the opening starts with) are known to the verifier: a prover that absorbs something else
 * gets other challenges and is found out somewhere.
 */
static void deviate_everywhere(struct bytes (*prove)(void), size_t slice_stride, int n_not_sent)
{
    deviation.slice_stride = SANITIZED ? 32 : slice_stride;
    struct bytes honest = deviate(prove, NO_UNIT);
    int n_units = deviation.n_units;
    assert_int_equal(verify(honest), FLOCK_OK);
    free(honest.data);
    assert_true(n_units > 100);

    int not_sent = 0, accepted = 0;
    for (int unit = 0; unit < n_units; unit++) {
        struct bytes proof = deviate(prove, unit);
        assert_int_equal(deviation.n_units, n_units);
        assert_true(deviation.bytes > 0);
        size_t offset = replace_in_file(proof);
        flock_status status = verify(proof);
        if (offset == SIZE_MAX) {
            not_sent++;
            assert_true(status > FLOCK_ERR_SHAPE);
        } else if (status != expected_status(proof, offset, unit)) {
            fail_msg("unit %d of %d, byte %zu of \"%s\": %s", unit, n_units, offset,
                     section_at(proof, offset), flock_status_text(status));
        }
        accepted += status == FLOCK_OK;
        free(proof.data);
    }
    assert_int_equal(not_sent, n_not_sent);
    assert_int_equal(accepted, 2);
}

/* ---- commitments to words that are far from the code ---- */

/* Half of the positions of each committed word are spoiled; all queries miss them once in 2^50. */
static void test_not_a_codeword(void **state)
{
    (void)state;
    struct bytes (*const provers[])(void) = {prove_chain, prove_batch, prove_paths};
    for (size_t i = 0; i < sizeof provers / sizeof provers[0]; i++) {
        deviation.n_commitments = 0;
        struct bytes honest = deviate(provers[i], NO_UNIT);
        int n_commitments = deviation.n_commitments;
        free(honest.data);
        assert_true(n_commitments >= 2);
        for (int commitment = 0; commitment < n_commitments; commitment++) {
            deviation.n_commitments = 0;
            deviation.commitment = commitment;
            struct bytes proof = deviate(provers[i], NO_UNIT);
            deviation.commitment = NO_UNIT;
            assert_int_equal(verify(proof), FLOCK_REJECT_OPENING);
            free(proof.data);
        }
    }
}

/* ---- answers from another proof ---- */

static struct bytes rewrite(const struct proof_file *file)
{
    struct bytes proof;
    proof.data = proof_file_write(file, &proof.len);
    assert_non_null(proof.data);
    return proof;
}

static void assert_rewritten(const struct proof_file *file, flock_status expected)
{
    struct bytes proof = rewrite(file);
    assert_int_equal(verify(proof), expected);
    free(proof.data);
}

/* Rows, paths, roots and nonces of an honest proof put into another of the same statement's shape.
 */
static void test_replayed_answers(void **state)
{
    (void)state;
    static struct proof_file file, other;
    struct section_list sections = {.n = 0};
    struct bytes proof = prove_chain();
    const flock_chain chain = {.steps = 5, .seed = 12};
    struct bytes other_proof;
    flock_statement statement;
    assert_int_equal(
        flock_prove_chain(&chain, &one_thread, &other_proof.data, &other_proof.len, &statement), 0);
    assert_int_equal(proof_file_read(proof.data, proof.len, &file, &sections), FLOCK_OK);
    sections.n = 0;
    assert_int_equal(proof_file_read(other_proof.data, other_proof.len, &other, &sections), 0);
    assert_rewritten(&file, FLOCK_OK);

    struct ligerito_proof *mine = &file.proof.opening.ligerito;
    const struct ligerito_proof *theirs = &other.proof.opening.ligerito;
    const struct pcs_params *params = &file.setup.params;
    for (unsigned level = 0; level <= params->R; level++) {
        struct opened_level opened = mine->opened[level];
        mine->opened[level].rows = theirs->opened[level].rows;
        assert_rewritten(&file, FLOCK_REJECT_MERKLE);
        mine->opened[level] = theirs->opened[level];
        assert_rewritten(&file, FLOCK_REJECT_MERKLE);
        mine->opened[level] = opened;

        /* A root that was not the one that the challenges come from. */
        uint8_t root[32];
        memcpy(root, mine->roots[level], 32);
        memcpy(mine->roots[level], theirs->roots[level], 32);
        struct bytes rewritten = rewrite(&file);
        assert_true(verify(rewritten) > FLOCK_ERR_SHAPE);
        free(rewritten.data);
        memcpy(mine->roots[level], root, 32);
    }
    /* The paths alone, one hash old: the last of each level is the previous one's. */
    for (unsigned level = 0; level <= params->R; level++) {
        struct opened_level *opened = &mine->opened[level];
        const uint8_t *hashes = opened->hashes;
        size_t n = opened->n_hashes;
        assert_true(n >= 2);
        uint8_t *stale = malloc(32 * n);
        assert_non_null(stale);
        memcpy(stale, hashes, 32 * n);
        memcpy(stale + 32 * (n - 1), hashes + 32 * (n - 2), 32);
        opened->hashes = stale;
        assert_rewritten(&file, FLOCK_REJECT_MERKLE);
        opened->hashes = hashes;
        free(stale);
    }
    free(proof.data);
    free(other_proof.data);
}

/*
 * Nonces of another proof, and the next ones. One that does the work by chance, with probability
 * 2^-bits, changes the challenges after it.
 */
static void test_replayed_nonces(void **state)
{
    (void)state;
    static struct proof_file file;
    struct section_list sections = {.n = 0};
    struct bytes proof = prove_batch();
    assert_int_equal(proof_file_read(proof.data, proof.len, &file, &sections), FLOCK_OK);
    struct ligerito_proof *ligerito = &file.proof.opening.ligerito;
    unsigned n_fold = params_n_fold_nonces(&file.setup.params), n_query = file.setup.params.R + 1;
    assert_true(n_fold >= 6);

    unsigned refused = 0;
    for (unsigned i = 0; i < n_fold + n_query; i++) {
        uint64_t *nonce =
            i < n_fold ? &ligerito->fold_nonces[i] : &ligerito->query_nonces[i - n_fold];
        uint64_t was = *nonce;
        uint64_t replayed = i > 0 && i < n_fold ? ligerito->fold_nonces[i - 1] : was + 1;
        *nonce = replayed != was ? replayed : was + 1;
        struct bytes rewritten = rewrite(&file);
        flock_status status = verify(rewritten);
        assert_true(status >= FLOCK_REJECT_NONCE);
        refused += status == FLOCK_REJECT_NONCE;
        free(rewritten.data);
        *nonce = was;
    }
    assert_true(refused > (n_fold + n_query) / 2);
    free(proof.data);
}

/* ---- every message of every relation ---- */

static void test_chain(void **state)
{
    (void)state;
    deviate_everywhere(prove_chain, 1, 3);
}

static void test_batch(void **state)
{
    (void)state;
    deviate_everywhere(prove_batch, 16, 2);
}

static void test_digest(void **state)
{
    (void)state;
    deviate_everywhere(prove_digest, 16, 4);
}

static void test_paths(void **state)
{
    (void)state;
    deviate_everywhere(prove_paths, 16, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_codeword),  cmocka_unit_test(test_replayed_answers),
        cmocka_unit_test(test_replayed_nonces), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_batch),           cmocka_unit_test(test_digest),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
