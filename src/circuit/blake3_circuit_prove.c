#include <flock/prove.h>

#include "circuit/blake3_columns.h"
#include "circuit/circuits.h"
#include "circuit/fill.h"
#include "circuit/word_rows.h"
#include "hash/blake3.h"

enum {
    WORDS = 1 << (BLAKE3_K_LOG - 6),
    GROUP = 8,
};

/* The rows of a G block on one side: six adders, then the stored words b and d. */
static inline struct rows256 join_g(const uint32_t adders[8], uint32_t b, uint32_t d)
{
    struct rows256 rows = join_adders(adders);
    rows.q[2] |= (uint64_t)b << 58;
    rows.q[3] = b >> 6 | (uint64_t)d << 26;
    return rows;
}

/* One G on v[la], v[lb], v[lc], v[ld] and its rows (spec 06, 4.3). About 130 operations. */
static inline void g(uint32_t v[16], int la, int lb, int lc, int ld, uint32_t mx, uint32_t my,
                     uint32_t base, uint64_t *a, uint64_t *b)
{
    uint32_t left[8] = {0}, right[8] = {0};
    uint32_t t0 = add_rows(v[la], v[lb], &left[0], &right[0]);
    uint32_t a1 = add_rows(t0, mx, &left[1], &right[1]);
    uint32_t d1 = rotr(v[ld] ^ a1, 16);
    uint32_t c1 = add_rows(v[lc], d1, &left[2], &right[2]);
    uint32_t b1 = rotr(v[lb] ^ c1, 12);
    uint32_t t1 = add_rows(a1, b1, &left[3], &right[3]);
    uint32_t a2 = add_rows(t1, my, &left[4], &right[4]);
    uint32_t d2 = rotr(d1 ^ a2, 8);
    uint32_t c2 = add_rows(c1, d2, &left[5], &right[5]);
    v[la] = a2;
    v[lb] = rotr(b1 ^ c2, 7);
    v[lc] = c2;
    v[ld] = d2;
    put_rows(a, base, join_g(left, v[lb], v[ld]).q, 4);
    put_rows(b, base, join_g(right, UINT32_MAX, UINT32_MAX).q, 4);
}

static void evaluate(const void *input, uint64_t *a, uint64_t *b)
{
    const flock_blake3_input *in = input;
    const uint32_t *m = in->message;
    uint32_t v[16];
    uint32_t out_hi[8];

    memcpy(v, in->cv, sizeof in->cv);
    memcpy(v + 8, blake3_iv, 4 * sizeof *v);
    v[12] = (uint32_t)in->counter;
    v[13] = (uint32_t)(in->counter >> 32);
    v[14] = in->block_len;
    v[15] = in->flags;

    a[BLAKE3_ONE / 64] = b[BLAKE3_ONE / 64] = 1;
    put_words(a, BLAKE3_MESSAGE, m, 8);
    put_words(a, BLAKE3_COUNTER, v + 12, 2);
    put_ones(b, BLAKE3_MESSAGE, 10);

    uint32_t base = BLAKE3_G;
    for (int round = 0; round < 7; round++) {
        const uint8_t *s = blake3_message_schedule[round];
        g(v, 0, 4, 8, 12, m[s[0]], m[s[1]], base, a, b);
        g(v, 1, 5, 9, 13, m[s[2]], m[s[3]], base + BLAKE3_G_BITS, a, b);
        g(v, 2, 6, 10, 14, m[s[4]], m[s[5]], base + 2 * BLAKE3_G_BITS, a, b);
        g(v, 3, 7, 11, 15, m[s[6]], m[s[7]], base + 3 * BLAKE3_G_BITS, a, b);
        g(v, 0, 5, 10, 15, m[s[8]], m[s[9]], base + 4 * BLAKE3_G_BITS, a, b);
        g(v, 1, 6, 11, 12, m[s[10]], m[s[11]], base + 5 * BLAKE3_G_BITS, a, b);
        g(v, 2, 7, 8, 13, m[s[12]], m[s[13]], base + 6 * BLAKE3_G_BITS, a, b);
        g(v, 3, 4, 9, 14, m[s[14]], m[s[15]], base + 7 * BLAKE3_G_BITS, a, b);
        base += 8 * BLAKE3_G_BITS;
    }

    for (int i = 0; i < 8; i++) {
        v[i] ^= v[i + 8];
        out_hi[i] = v[i + 8] ^ in->cv[i];
    }
    put_words(a, BLAKE3_OUT_HI, out_hi, 4);
    put_ones(b, BLAKE3_OUT_HI, 4);
    store_words(a, BLAKE3_CV, in->cv, 4);
    store_words(a, BLAKE3_OUT_LO, v, 4);
    memset(b + BLAKE3_CV / 64, 0xff, 64);

    size_t tail = BLAKE3_USEFUL_BITS / 64 + 1;
    memset(a + tail, 0, (WORDS - tail) * sizeof *a);
    memset(b + tail, 0, (WORDS - tail) * sizeof *b);
}

static void fill(const void *inputs, size_t first, size_t count, const struct witness *witness)
{
    alignas(64) uint64_t scratch[FILL_SCRATCH_WORDS(WORDS, GROUP)];
    fill_instances(witness, inputs, sizeof(flock_blake3_input), first, count, evaluate, scratch,
                   GROUP);
}

const struct circuit_prover blake3_circuit_prover = {
    .circuit = &blake3_circuit,
    .input_bytes = sizeof(flock_blake3_input),
    .fill = fill,
};
