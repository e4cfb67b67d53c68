#include <flock/prove.h>

#include "circuit/circuits.h"
#include "circuit/fill.h"
#include "circuit/sha256_columns.h"
#include "circuit/word_rows.h"
#include "hash/sha256.h"

enum {
    WORDS = 1 << (SHA256_K_LOG - 6),
    GROUP = 8,
};

/* The words of 32 rows of all rounds, on the side of A0 and, where it is not all ones, of B0. */
struct round_words {
    uint32_t ch_a[64], ch_b[64], maj_a[64], maj_b[64], t1[64], e[64], a[64];
};

/* W[16..63] and the rows of its adders (spec 06, 3.3). */
static void expand(uint32_t w[64], uint64_t *a, uint64_t *b)
{
    for (uint32_t t = 16; t < 64; t++) {
        uint32_t left[8] = {0}, right[8] = {0};
        uint32_t x = w[t - 2], y = w[t - 15];
        uint32_t sigma1 = rotr(x, 17) ^ rotr(x, 19) ^ x >> 10;
        uint32_t sigma0 = rotr(y, 7) ^ rotr(y, 18) ^ y >> 3;
        uint32_t u = add_rows(sigma1, w[t - 7], &left[0], &right[0]);
        u = add_rows(u, sigma0, &left[1], &right[1]);
        w[t] = add_rows(u, w[t - 16], &left[2], &right[2]);
        uint32_t base = SHA256_SCHEDULE + SHA256_SCHEDULE_BITS * (t - 16);
        put_rows(a, base, join_adders(left).q, 2);
        put_rows(b, base, join_adders(right).q, 2);
    }
}

/* All rounds from state s to state s: the rows of their adders, and their words. */
static void run_rounds(uint32_t s[8], const uint32_t w[64], struct round_words *words, uint64_t *a,
                       uint64_t *b)
{
    for (uint32_t r = 0; r < 64; r++) {
        uint32_t left[8] = {0}, right[8] = {0};
        words->ch_a[r] = s[4];
        words->ch_b[r] = s[5] ^ s[6];
        words->maj_a[r] = s[0] ^ s[1];
        words->maj_b[r] = s[0] ^ s[2];
        uint32_t ch = (words->ch_a[r] & words->ch_b[r]) ^ s[6];
        uint32_t maj = (words->maj_a[r] & words->maj_b[r]) ^ s[0];
        uint32_t sum1 = rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25);
        uint32_t sum0 = rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22);
        uint32_t u = add_rows(s[7], sum1, &left[0], &right[0]);
        u = add_rows(u, ch, &left[1], &right[1]);
        u = add_rows(u, sha256_round_constants[r], &left[2], &right[2]);
        uint32_t t1 = add_rows(u, w[r], &left[3], &right[3]);
        uint32_t t2 = add_rows(sum0, maj, &left[4], &right[4]);
        uint32_t e = add_rows(s[3], t1, &left[5], &right[5]);
        uint32_t new_a = add_rows(t1, t2, &left[6], &right[6]);
        words->t1[r] = t1;
        words->e[r] = e;
        words->a[r] = new_a;
        memmove(s + 1, s, 7 * sizeof *s);
        s[0] = new_a;
        s[4] = e;
        put_rows(a, SHA256_ROUND + SHA256_ROUND_BITS * r, join_adders(left).q, 4);
        put_rows(b, SHA256_ROUND + SHA256_ROUND_BITS * r, join_adders(right).q, 4);
    }
}

static void evaluate(const void *input, uint64_t *a, uint64_t *b)
{
    const flock_sha256_input *in = input;
    struct round_words words;
    uint32_t w[64], s[8], out[8], left[8], right[8];

    memcpy(w, in->message, sizeof in->message);
    memcpy(s, in->state, sizeof s);
    /* put_rows() wants ascending positions; words at multiples of 64 may be stored at any time. */
    expand(w, a, b);
    run_rounds(s, w, &words, a, b);
    put_words(a, SHA256_T1, words.t1, 32);
    put_words(a, SHA256_E, words.e, 32);
    put_words(a, SHA256_A, words.a, 32);
    put_ones(b, SHA256_T1, 96);
    for (int i = 0; i < 8; i++) {
        out[i] = add_rows(s[i], in->state[i], &left[i], &right[i]);
    }
    put_rows(a, SHA256_OUT, join_adders(left).q, 4);
    put_rows(b, SHA256_OUT, join_adders(right).q, 4);
    a[SHA256_ONE / 64] |= UINT64_C(1) << SHA256_ONE % 64;
    b[SHA256_ONE / 64] |= UINT64_C(1) << SHA256_ONE % 64;

    store_words(a, SHA256_H_IN, in->state, 4);
    store_words(a, SHA256_H_OUT, out, 4);
    store_words(a, SHA256_MESSAGE, w, 8);
    memset(b, 0xff, SHA256_CH / 8);
    store_words(a, SHA256_CH, words.ch_a, 32);
    store_words(b, SHA256_CH, words.ch_b, 32);
    store_words(a, SHA256_MAJ, words.maj_a, 32);
    store_words(b, SHA256_MAJ, words.maj_b, 32);
    store_words(a, SHA256_W, w + 16, 24);
    memset(b + SHA256_W / 64, 0xff, (SHA256_SCHEDULE - SHA256_W) / 8);

    size_t tail = SHA256_USEFUL_BITS / 64 + 1;
    memset(a + tail, 0, (WORDS - tail) * sizeof *a);
    memset(b + tail, 0, (WORDS - tail) * sizeof *b);
}

static void fill(const void *inputs, size_t first, size_t count, const struct witness *witness)
{
    alignas(64) uint64_t scratch[FILL_SCRATCH_WORDS(WORDS, GROUP)];
    fill_instances(witness, inputs, sizeof(flock_sha256_input), first, count, evaluate, scratch,
                   GROUP);
}

const struct circuit_prover sha256_circuit_prover = {
    .circuit = &sha256_circuit,
    .input_bytes = sizeof(flock_sha256_input),
    .fill = fill,
};
