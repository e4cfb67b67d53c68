#include <flock/prove.h>

#include "circuit/circuits.h"
#include "circuit/fill.h"
#include "circuit/keccak_columns.h"
#include "hash/keccak.h"

/* Permutation i of n: its two slots and its ANDs (spec 07, 3.1). lanes becomes the output. */
static void put_permutation(uint64_t lanes[KECCAK_LANES], uint32_t n, uint32_t i, uint64_t *a,
                            uint64_t *b)
{
    const size_t gap = (KECCAK_SLOT - KECCAK_STATE_BITS) / 64, in = keccak_in(i) / 64;
    const size_t out = keccak_out(i) / 64;
    uint64_t linear[KECCAK_LANES];

    memcpy(a + in, lanes, sizeof linear);
    uint64_t *t_a = a + keccak_t(n, i) / 64, *t_b = b + keccak_t(n, i) / 64;
    for (int r = 0; r < KECCAK_ROUNDS; r++) {
        keccak_linear(linear, lanes);
        for (int y = 0; y < KECCAK_LANES; y += 5) {
            for (int x = 0; x < 5; x++) {
                uint64_t left = ~linear[(x + 1) % 5 + y], right = linear[(x + 2) % 5 + y];
                t_a[x + y] = left;
                t_b[x + y] = right;
                lanes[x + y] = linear[x + y] ^ (left & right);
            }
        }
        lanes[0] ^= keccak_round_constants[r];
        t_a += KECCAK_LANES;
        t_b += KECCAK_LANES;
    }
    memcpy(a + out, lanes, sizeof linear);
    memset(b + in, 0xff, sizeof linear);
    memset(b + out, 0xff, sizeof linear);
    for (size_t w = 0; w < gap; w++) {
        a[in + KECCAK_LANES + w] = b[in + KECCAK_LANES + w] = 0;
        a[out + KECCAK_LANES + w] = b[out + KECCAK_LANES + w] = 0;
    }
}

static void put_block(const flock_keccak_input *in, uint32_t n, size_t n_words, uint64_t *a,
                      uint64_t *b)
{
    size_t tail = keccak_t(n, n) / 64;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t lanes[KECCAK_LANES];
        memcpy(lanes, in[i].lanes, sizeof lanes);
        put_permutation(lanes, n, i, a, b);
    }
    a[keccak_one(n) / 64] = b[keccak_one(n) / 64] = 1;
    memset(a + tail, 0, (n_words - tail) * sizeof *a);
    memset(b + tail, 0, (n_words - tail) * sizeof *b);
}

enum {
    WORDS = 1 << (KECCAK_K_LOG - 6),
    GROUP = 4,
    WORDS3 = 1 << (KECCAK3_K_LOG - 6),
    GROUP3 = 1, /* there are no batch-major proofs of this circuit (spec 09.2) */
};

static void evaluate(const void *input, uint64_t *a, uint64_t *b)
{
    put_block(input, 1, WORDS, a, b);
}

static void evaluate3(const void *input, uint64_t *a, uint64_t *b)
{
    put_block(input, 3, WORDS3, a, b);
}

static void fill(const void *inputs, size_t first, size_t count, const struct witness *witness)
{
    alignas(64) uint64_t scratch[FILL_SCRATCH_WORDS(WORDS, GROUP)];
    fill_instances(witness, inputs, sizeof(flock_keccak_input), first, count, evaluate, scratch,
                   GROUP);
}

static void fill3(const void *inputs, size_t first, size_t count, const struct witness *witness)
{
    alignas(64) uint64_t scratch[FILL_SCRATCH_WORDS(WORDS3, GROUP3)];
    fill_instances(witness, inputs, 3 * sizeof(flock_keccak_input), first, count, evaluate3,
                   scratch, GROUP3);
}

const struct circuit_prover keccak_circuit_prover = {
    .circuit = &keccak_circuit,
    .input_bytes = sizeof(flock_keccak_input),
    .fill = fill,
};

const struct circuit_prover keccak3_circuit_prover = {
    .circuit = &keccak3_circuit,
    .input_bytes = sizeof(flock_keccak_input),
    .fill = fill3,
};
