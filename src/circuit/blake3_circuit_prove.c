#include <flock/prove.h>

#include "circuit/blake3_columns.h"
#include "circuit/circuits.h"
#include "circuit/fill.h"
#include "hash/blake3.h"

enum { WORDS = 1 << (BLAKE3_K_LOG - 6) };

/* The 250 rows of a G block on one side, in four registers. */
struct g_rows {
    uint64_t q[4];
};

/* Values of the adders' rows: f[0..5], 31 bits each, then the stored words b and d. */
static inline struct g_rows g_rows_of(const uint32_t f[6], uint32_t b, uint32_t d)
{
    uint64_t f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5], b64 = b, d64 = d;
    return (struct g_rows){{
        f0 | f1 << 31 | f2 << 62,
        f2 >> 2 | f3 << 29 | f4 << 60,
        f4 >> 4 | f5 << 27 | b64 << 58,
        b64 >> 6 | d64 << 26,
    }};
}

/*
 * Put a G block at bit `base` (odd, see blake3_columns.h, so never at a word's start). Bits below
 * it in the first word are kept; bits above it in the last word become zero.
 */
static inline void put_g(uint64_t *block, uint32_t base, struct g_rows rows)
{
    uint64_t *w = block + base / 64;
    unsigned s = base % 64;
    w[0] |= rows.q[0] << s;
    w[1] = rows.q[1] << s | rows.q[0] >> (64 - s);
    w[2] = rows.q[2] << s | rows.q[1] >> (64 - s);
    w[3] = rows.q[3] << s | rows.q[2] >> (64 - s);
    w[4] = rows.q[3] >> (64 - s);
}

/* Put n 64-bit values at bit `base`, which is not a multiple of 64, in the same way. */
static inline void put_words(uint64_t *block, uint32_t base, const uint64_t *values, size_t n)
{
    uint64_t *w = block + base / 64;
    unsigned s = base % 64;
    for (size_t i = 0; i < n; i++) {
        w[i] |= values[i] << s;
        w[i + 1] = values[i] >> (64 - s);
    }
}

/* x + y; *left and *right get the values of its 31 rows (spec 06, 2). */
static inline uint32_t add(uint32_t x, uint32_t y, uint32_t *left, uint32_t *right)
{
    uint32_t sum = x + y;
    uint32_t carry_in = sum ^ x ^ y;
    *left = (x ^ carry_in) & 0x7fffffff;
    *right = (y ^ carry_in) & 0x7fffffff;
    return sum;
}

static inline uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static inline uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* One G on v[la], v[lb], v[lc], v[ld] and its rows (spec 06, 4.3). About 130 operations. */
static inline void g(uint32_t v[16], int la, int lb, int lc, int ld, uint32_t mx, uint32_t my,
                     uint32_t base, uint64_t *a, uint64_t *b)
{
    uint32_t left[6], right[6];
    uint32_t t0 = add(v[la], v[lb], &left[0], &right[0]);
    uint32_t a1 = add(t0, mx, &left[1], &right[1]);
    uint32_t d1 = rotr(v[ld] ^ a1, 16);
    uint32_t c1 = add(v[lc], d1, &left[2], &right[2]);
    uint32_t b1 = rotr(v[lb] ^ c1, 12);
    uint32_t t1 = add(a1, b1, &left[3], &right[3]);
    uint32_t a2 = add(t1, my, &left[4], &right[4]);
    uint32_t d2 = rotr(d1 ^ a2, 8);
    uint32_t c2 = add(c1, d2, &left[5], &right[5]);
    v[la] = a2;
    v[lb] = rotr(b1 ^ c2, 7);
    v[lc] = c2;
    v[ld] = d2;
    put_g(a, base, g_rows_of(left, v[lb], v[ld]));
    put_g(b, base, g_rows_of(right, UINT32_MAX, UINT32_MAX));
}

static void evaluate(const void *input, uint64_t *a, uint64_t *b)
{
    static const uint64_t ones[BLAKE3_INPUT_WORDS / 2] = {
        UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
        UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
    };
    const flock_blake3_input *in = input;
    const uint32_t *m = in->message;
    uint32_t v[16];
    uint64_t words[BLAKE3_INPUT_WORDS / 2];

    memcpy(v, in->cv, sizeof in->cv);
    memcpy(v + 8, blake3_iv, 4 * sizeof *v);
    v[12] = (uint32_t)in->counter;
    v[13] = (uint32_t)(in->counter >> 32);
    v[14] = in->block_len;
    v[15] = in->flags;

    a[BLAKE3_ONE / 64] = b[BLAKE3_ONE / 64] = 1;
    for (int i = 0; i < 8; i++) {
        words[i] = pair(m[2 * i], m[2 * i + 1]);
    }
    words[8] = in->counter;
    words[9] = pair(in->block_len, in->flags);
    put_words(a, BLAKE3_MESSAGE, words, BLAKE3_INPUT_WORDS / 2);
    put_words(b, BLAKE3_MESSAGE, ones, BLAKE3_INPUT_WORDS / 2);

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

    for (int i = 0; i < 4; i++) {
        a[BLAKE3_CV / 64 + i] = pair(in->cv[2 * i], in->cv[2 * i + 1]);
        a[BLAKE3_OUT_LO / 64 + i] = pair(v[2 * i] ^ v[2 * i + 8], v[2 * i + 1] ^ v[2 * i + 9]);
        b[BLAKE3_CV / 64 + i] = b[BLAKE3_OUT_LO / 64 + i] = UINT64_MAX;
        words[i] = pair(v[2 * i + 8] ^ in->cv[2 * i], v[2 * i + 9] ^ in->cv[2 * i + 1]);
    }
    put_words(a, BLAKE3_OUT_HI, words, 4);
    put_words(b, BLAKE3_OUT_HI, ones, 4);
    size_t tail = BLAKE3_USEFUL_BITS / 64 + 1;
    memset(a + tail, 0, (WORDS - tail) * sizeof *a);
    memset(b + tail, 0, (WORDS - tail) * sizeof *b);
}

static void fill(const void *inputs, size_t first, size_t count, const struct witness *witness)
{
    alignas(64) uint64_t scratch[2 * FILL_GROUP * WORDS];
    fill_instances(witness, inputs, sizeof(flock_blake3_input), first, count, evaluate, scratch);
}

const struct circuit_prover blake3_circuit_prover = {
    .circuit = &blake3_circuit,
    .input_bytes = sizeof(flock_blake3_input),
    .fill = fill,
};
