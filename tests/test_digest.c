/*
 * Digests of messages in the native format: lengths around every block boundary, provers that
 * deviate, files that are changed (spec 09, 9.5). The oracle is OpenSSL.
 */
#include <openssl/sha.h>

#include "support/hostile.h"

#include <flock/prove.h>
#include <flock/verify.h>

#include "hash/sha256.h"
#include "relation/digest.h"
#include "relation/inputs.h"

enum { MAX_BYTES = 8192 };

static void make_message(uint8_t *message, size_t len, uint64_t seed)
{
    struct splitmix s = {.state = seed};
    for (size_t i = 0; i < len; i++) {
        message[i] = (uint8_t)splitmix_next(&s);
    }
}

static void assert_proves(const flock_digest *request, const uint8_t *message)
{
    size_t n = request->message_bytes, len;
    flock_report report;
    flock_options options = {.report = &report};
    flock_statement proved, read;
    uint8_t *proof, digest[32];
    assert_int_equal(flock_prove_digest(request, &options, &proof, &len, &proved), FLOCK_OK);
    assert_true(report.peak_bytes <= flock_digest_memory(request));
    assert_int_equal(flock_verify(proof, len, &read), FLOCK_OK);
    assert_int_equal(flock_verify_expect(proof, len, &proved), FLOCK_OK);
    SHA256(message, n, digest);
    assert_memory_equal(read.digest, digest, 32);
    assert_int_equal(read.message_bytes, n);
    assert_int_equal(read.count, n / 64 + (n % 64 <= 55 ? 1 : 2));
    assert_memory_equal(read.tail, message + n / 64 * 64, n % 64);
    flock_free(proof);
}

static void test_lengths(void **state)
{
    (void)state;
    static const size_t lengths[] = {0,   1,   54,  55,  56,  57,  63,  64,   65,   118,      119,
                                     120, 127, 128, 183, 503, 504, 511, 1024, 4095, MAX_BYTES};
    uint8_t message[MAX_BYTES];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make_message(message, lengths[i], i);
        flock_digest request = {.layout = (flock_layout)(i % 2),
                                .profile = (flock_profile)(i % 3),
                                .message_bytes = lengths[i],
                                .message = message};
        assert_proves(&request, message);
    }
}

/* ---- messages from a callback ---- */

struct reader {
    const uint8_t *message;
    size_t len, next;
    struct splitmix random; /* how much to give at a time */
};

static size_t read_some(void *context, uint8_t *buffer, size_t n)
{
    struct reader *reader = context;
    size_t rest = reader->len - reader->next;
    size_t some = splitmix_next(&reader->random) % 200 + 1;
    some = some < n ? some : n;
    some = some < rest ? some : rest;
    memcpy(buffer, reader->message + reader->next, some);
    reader->next += some;
    return some;
}

static size_t read_too_much(void *context, uint8_t *buffer, size_t n)
{
    (void)context;
    (void)buffer;
    return n + 1;
}

static void test_callback(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 63, 64, 65, 1000, 5000};
    uint8_t message[5000 + 1];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i], len, other_len;
        uint8_t *proof, *other;
        make_message(message, n, i);
        struct reader reader = {.message = message, .len = n, .random = {i}};
        flock_digest from_callback = {
            .profile = FLOCK_SLIM, .message_bytes = n, .read = read_some, .read_context = &reader};
        flock_digest from_memory = {.profile = FLOCK_SLIM, .message_bytes = n, .message = message};
        assert_int_equal(flock_prove_digest(&from_callback, NULL, &proof, &len, NULL), FLOCK_OK);
        assert_int_equal(reader.next, n);
        assert_int_equal(flock_prove_digest(&from_memory, NULL, &other, &other_len, NULL),
                         FLOCK_OK);
        assert_int_equal(len, other_len);
        assert_memory_equal(proof, other, len);
        flock_free(proof);
        flock_free(other);

        /* One byte less than stated; one more, which nobody asks for. */
        from_callback.message_bytes = n + 1;
        reader.next = 0;
        assert_int_equal(flock_prove_digest(&from_callback, NULL, &proof, &len, NULL),
                         FLOCK_ERR_INPUT);
        reader.len = n + 1;
        from_callback.message_bytes = n;
        reader.next = 0;
        assert_int_equal(flock_prove_digest(&from_callback, NULL, &proof, &len, NULL), FLOCK_OK);
        assert_int_equal(reader.next, n);
        flock_free(proof);
    }
}

static void test_bad_requests(void **state)
{
    (void)state;
    uint8_t *proof;
    size_t len;
    flock_digest request = {.message_bytes = 64};
    assert_int_equal(flock_prove_digest(&request, NULL, &proof, &len, NULL), FLOCK_ERR_INPUT);
    request.read = read_too_much;
    assert_int_equal(flock_prove_digest(&request, NULL, &proof, &len, NULL), FLOCK_ERR_INPUT);
    static const uint64_t too_long[] = {((uint64_t)1 << 26) - 8, (uint64_t)1 << 61,
                                        ((uint64_t)1 << 61) - 1, UINT64_MAX - 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof too_long / sizeof *too_long; i++) {
        request.message_bytes = too_long[i];
        assert_int_equal(flock_prove_digest(&request, NULL, &proof, &len, NULL),
                         FLOCK_ERR_TOO_LARGE);
        assert_int_equal(flock_digest_memory(&request), 0);
    }
    request.message_bytes = ((uint64_t)1 << 26) - 9;
    assert_true(flock_digest_memory(&request) > (uint64_t)1 << 32);
    request.profile = (flock_profile)3;
    request.message_bytes = 1;
    assert_int_equal(flock_prove_digest(&request, NULL, &proof, &len, NULL), FLOCK_ERR_ARGUMENT);
}

/* ---- provers that deviate ---- */

enum { SLOTS = 8 };

/* A message, its padded blocks, and the statement about it; all may be changed. */
struct cheat {
    uint8_t blocks[64 * SLOTS];
    size_t n_blocks;
    uint32_t start[8];
    flock_statement statement;
};

static struct cheat honest(size_t message_bytes)
{
    struct cheat cheat = {.n_blocks = digest_blocks(message_bytes)};
    make_message(cheat.blocks, message_bytes, 99);
    memcpy(cheat.start, sha256_initial, sizeof cheat.start);
    cheat.statement = (flock_statement){.relation = FLOCK_DIGEST,
                                        .circuit = FLOCK_SHA256,
                                        .profile = FLOCK_SLIM,
                                        .count = cheat.n_blocks,
                                        .message_bytes = message_bytes};
    size_t full = message_bytes / 64 * 64;
    memcpy(cheat.statement.tail, cheat.blocks + full, message_bytes % 64);
    struct padding padding = digest_padding(&cheat.statement);
    memcpy(cheat.blocks + full, padding.blocks, 64 * padding.n);
    return cheat;
}

/* Runs the chain over the blocks; its value after n_blocks becomes the digest. */
static void run_blocks(struct cheat *cheat, flock_sha256_input inputs[SLOTS])
{
    uint32_t value[8];
    memcpy(value, cheat->start, sizeof value);
    for (size_t i = 0; i < SLOTS; i++) {
        sha256_step(&inputs[i], value, cheat->blocks + 64 * i);
        for (size_t w = 0; i + 1 == cheat->n_blocks && w < 8; w++) {
            store_be32(cheat->statement.digest + 4 * w, value[w]);
        }
    }
}

static void assert_inputs(const struct cheat *cheat, const flock_sha256_input *inputs,
                          flock_status expected)
{
    for (int layout = 0; layout < 2; layout++) {
        flock_statement statement = cheat->statement;
        statement.layout = (flock_layout)layout;
        flock_status status = verify_any_inputs(&statement, inputs);
        if (status != expected) {
            fail_msg("%s instead of %s", flock_status_text(status), flock_status_text(expected));
        }
    }
}

static void assert_outcome(struct cheat cheat, flock_status expected)
{
    flock_sha256_input inputs[SLOTS];
    run_blocks(&cheat, inputs);
    assert_inputs(&cheat, inputs, expected);
}

/* 252 bytes: two padding blocks, 3 and 4; 230: one, block 3. */
static void test_honest(void **state)
{
    (void)state;
    assert_outcome(honest(252), FLOCK_OK);
    assert_outcome(honest(230), FLOCK_OK);
    struct cheat cheat = honest(252);
    cheat.blocks[64 * 6 + 5] = 1; /* behind the end everything is free */
    assert_outcome(cheat, FLOCK_OK);
}

/* A chain to the stated digest over blocks that are not a padded message of that length. */
static void test_wrong_padding(void **state)
{
    (void)state;
    static const size_t bytes[] = {252, 253, 255, 256, 311, 312, 319};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        struct cheat cheat = honest(252);
        cheat.blocks[bytes[i]] ^= 1;
        assert_outcome(cheat, FLOCK_REJECT_OPENING);
    }
    struct cheat cheat = honest(230);
    cheat.blocks[230] = 0;
    cheat.blocks[231] = 0x80;
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
}

static void test_wrong_length(void **state)
{
    (void)state;
    /* The padding of 229 bytes in a statement of 230, and the other way round. */
    struct cheat shorter = honest(229), longer = honest(230);
    struct cheat cheat = longer;
    memcpy(cheat.blocks, shorter.blocks, sizeof cheat.blocks);
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
    cheat = shorter;
    memcpy(cheat.blocks, longer.blocks, sizeof cheat.blocks);
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
    /* The same blocks and padding, 64 bytes later: the length in it is wrong. */
    cheat = honest(230 + 64);
    memset(cheat.blocks, 0, 64);
    memcpy(cheat.blocks + 64, longer.blocks, 4 * 64);
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
}

static void test_wrong_tail(void **state)
{
    (void)state;
    struct cheat cheat = honest(230);
    cheat.statement.tail[0] ^= 0x80;
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
    cheat = honest(252);
    cheat.statement.tail[59] ^= 1;
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
}

/* Honest blocks of another message of the same length, one block early or late. */
static void test_shifted_blocks(void **state)
{
    (void)state;
    struct cheat cheat = honest(252);
    flock_sha256_input inputs[SLOTS];
    run_blocks(&cheat, inputs);
    memmove(cheat.blocks + 64, cheat.blocks, sizeof cheat.blocks - 64);
    cheat.n_blocks++; /* the digest stands one block later */
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
    cheat = honest(252);
    memmove(cheat.blocks, cheat.blocks + 64, sizeof cheat.blocks - 64);
    cheat.n_blocks--;
    assert_outcome(cheat, FLOCK_REJECT_OPENING);
}

static void test_wrong_chain(void **state)
{
    (void)state;
    struct cheat cheat = honest(252);
    cheat.start[7] ^= 1;
    assert_outcome(cheat, FLOCK_REJECT_GLUE);

    flock_sha256_input inputs[SLOTS];
    cheat = honest(252);
    run_blocks(&cheat, inputs);
    inputs[1].message[3] ^= 1; /* a message with another digest */
    assert_inputs(&cheat, inputs, FLOCK_REJECT_GLUE);
    run_blocks(&cheat, inputs);
    inputs[6].state[0] ^= 1;
    assert_inputs(&cheat, inputs, FLOCK_REJECT_GLUE);
    run_blocks(&cheat, inputs);
    cheat.statement.digest[0] ^= 1;
    assert_inputs(&cheat, inputs, FLOCK_REJECT_OPENING);
}

/* ---- changed files ---- */

static void test_every_byte(void **state)
{
    (void)state;
    uint8_t *proof;
    size_t len;
    flock_digest request = {
        .profile = FLOCK_SLIM, .message_bytes = 3, .message = (const uint8_t *)"abc"};
    assert_int_equal(flock_prove_digest(&request, NULL, &proof, &len, NULL), FLOCK_OK);
    assert_every_flip_rejected(proof, len);
    flock_free(proof);
}

static void test_expectations(void **state)
{
    (void)state;
    uint8_t *proof;
    size_t len;
    flock_statement statement, other;
    flock_digest request = {
        .profile = FLOCK_SLIM, .message_bytes = 3, .message = (const uint8_t *)"abc"};
    assert_int_equal(flock_prove_digest(&request, NULL, &proof, &len, &statement), FLOCK_OK);
    other = statement;
    other.digest[31] ^= 1;
    assert_int_equal(flock_verify_expect(proof, len, &other), FLOCK_ERR_STATEMENT);
    other = statement;
    other.tail[2] ^= 1;
    assert_int_equal(flock_verify_expect(proof, len, &other), FLOCK_ERR_STATEMENT);
    other = statement;
    other.message_bytes = 67;
    assert_int_equal(flock_verify_expect(proof, len, &other), FLOCK_ERR_STATEMENT);
    other = statement;
    other.tail[3] ^= 1; /* not part of the tail */
    assert_int_equal(flock_verify_expect(proof, len, &other), FLOCK_OK);
    flock_free(proof);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),       cmocka_unit_test(test_callback),
        cmocka_unit_test(test_bad_requests),  cmocka_unit_test(test_honest),
        cmocka_unit_test(test_wrong_padding), cmocka_unit_test(test_wrong_length),
        cmocka_unit_test(test_wrong_tail),    cmocka_unit_test(test_shifted_blocks),
        cmocka_unit_test(test_wrong_chain),   cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_expectations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
