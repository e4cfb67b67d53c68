#include "backend/kernels.h"
#include "circuit/circuits.h"
#include "circuit/keccak_columns.h"
#include "hash/keccak.h"

/* One weight for every bit of a state, in physical order. */
typedef gf128 lane_weights[KECCAK_LANES][64];

static void add_to(gf128 *x, const gf128 *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = gf128_add(x[i], y[i]);
    }
}

static gf128 sum(const gf128 *x, size_t n)
{
    gf128 s = GF128_ZERO;
    for (size_t i = 0; i < n; i++) {
        s = gf128_add(s, x[i]);
    }
    return s;
}

/*
 * Transposed linear layer (spec 07, 5.1): m = theta^T(rho^T(pi^T(v))). About 3 * 1600 field
 * additions.
 */
static void linear_transposed(lane_weights m, lane_weights v)
{
    gf128 column[5][64] = {{{0}}}, theta[64];
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            int l = keccak_source(x, y);
            size_t n = keccak_rotations[l];
            memcpy(m[l], v[x + 5 * y] + n, (64 - n) * sizeof(gf128));
            memcpy(m[l] + 64 - n, v[x + 5 * y], n * sizeof(gf128));
        }
    }
    for (int l = 0; l < KECCAK_LANES; l++) {
        add_to(column[l % 5], m[l], 64);
    }
    for (int x = 0; x < 5; x++) {
        const gf128 *left = column[(x + 4) % 5], *right = column[(x + 1) % 5];
        for (int z = 0; z < 64; z++) {
            theta[z] = gf128_add(right[z], left[(z + 1) % 64]);
        }
        for (int y = 0; y < 5; y++) {
            add_to(m[x + 5 * y], theta, 64);
        }
    }
}

/*
 * Permutation number i of n backwards (spec 07, 5.2), with comb = alpha * e ahead of the walk as in
 * circuit/walk.h. Adds to *one the weight of the constant. About 24 * 5 * 1600 field additions.
 */
static void walk_permutation(gf128 *comb, const gf128 *e, uint32_t n, uint32_t i, gf128 *one)
{
    lane_weights m, g; /* weights of the state after the round; of its linear part */
    uint32_t in = keccak_in(i), out = keccak_out(i);

    memcpy(m, comb + out, sizeof m);
    memset(comb + out, 0, KECCAK_SLOT * sizeof *comb);
    *one = gf128_add(*one, sum(e + in, KECCAK_STATE_BITS));
    *one = gf128_add(*one, sum(e + out, KECCAK_STATE_BITS));
    for (int r = KECCAK_ROUNDS - 1; r >= 0; r--) {
        gf128 *t = comb + keccak_t(n, i) + KECCAK_STATE_BITS * r;
        const gf128 *t_e = e + keccak_t(n, i) + KECCAK_STATE_BITS * r;
        *one = gf128_add(*one, sum(t, KECCAK_STATE_BITS)); /* A0 has the complement */
        for (int y = 0; y < KECCAK_LANES; y += 5) {
            for (int x = 0; x < 5; x++) {
                const gf128 *left = t + 64 * ((x + 4) % 5 + y);
                const gf128 *right = t_e + 64 * ((x + 3) % 5 + y);
                for (int z = 0; z < 64; z++) {
                    g[x + y][z] = gf128_add(m[x + y][z], gf128_add(left[z], right[z]));
                }
            }
        }
        memcpy(t, m, sizeof m);
        for (int z = 0; z < 64; z++) {
            if (keccak_round_constants[r] >> z & 1) {
                *one = gf128_add(*one, m[0][z]);
            }
        }
        linear_transposed(m, g);
    }
    add_to(comb + in, m[0], KECCAK_STATE_BITS);
    memset(comb + in + KECCAK_STATE_BITS, 0, (KECCAK_SLOT - KECCAK_STATE_BITS) * sizeof *comb);
}

static void keccak_marginals(const struct circuit *self, gf128 *comb, gf128 alpha, const gf128 *e)
{
    size_t n_columns = (size_t)1 << self->k_log;
    uint32_t n = self->copies, column = keccak_one(n), first = keccak_t(n, 0);
    uint32_t end = keccak_t(n, n);

    kernels()->scale(comb, e, alpha, n_columns);
    gf128 one = gf128_add(comb[column], e[column]);
    for (uint32_t i = 0; i < n; i++) {
        walk_permutation(comb, e, n, i, &one);
    }
    memset(comb + column, 0, (first - column) * sizeof *comb);
    comb[column] = one;
    memset(comb + end, 0, (n_columns - end) * sizeof *comb);
}

const struct circuit keccak_circuit = {
    .name = "keccak",
    .k_log = KECCAK_K_LOG,
    .useful_bits = 42560,
    .pin = 4096,
    .region_log = KECCAK_SLOT_LOG,
    .region_bits = KECCAK_STATE_BITS,
    .copies = 1,
    .id = {0x34, 0xf0, 0x84, 0xcb, 0x88, 0xfd, 0x9d, 0xb1, 0x71, 0x16, 0x79,
           0xf1, 0x5b, 0xb5, 0xff, 0x95, 0x58, 0xe9, 0x91, 0x72, 0x3e, 0xbb,
           0xfc, 0x67, 0xbc, 0x1d, 0x87, 0x51, 0x1a, 0x1c, 0xb3, 0xfb},
    .marginals = keccak_marginals,
};

const struct circuit keccak3_circuit = {
    .name = "keccak3",
    .k_log = KECCAK3_K_LOG,
    .useful_bits = 127552,
    .pin = 12288,
    .region_log = KECCAK_SLOT_LOG,
    .region_bits = KECCAK_STATE_BITS,
    .copies = 3,
    .id = {0x99, 0x93, 0x1f, 0x0e, 0x87, 0x1d, 0x8a, 0xf8, 0xf4, 0x27, 0xa9,
           0x8c, 0x36, 0x95, 0x75, 0xe0, 0x09, 0x61, 0xc2, 0x88, 0x69, 0x46,
           0x6b, 0xc6, 0x8c, 0x87, 0x9f, 0x88, 0x66, 0xeb, 0x0d, 0x35},
    .marginals = keccak_marginals,
};
