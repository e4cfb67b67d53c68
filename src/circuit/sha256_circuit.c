#include "backend/kernels.h"
#include "circuit/circuits.h"
#include "circuit/sha256_columns.h"
#include "circuit/walk.h"
#include "hash/sha256.h"

typedef gf128 weights[WORD];

enum { A, B, C, D, E, F, G, H };

/*
 * Round r backwards (spec 06, 3.3). reg: the weights of a .. h after the round, then before it;
 * w: the weights of W[r], added to. About 7 * 31 * 4 + 20 * 32 field additions.
 */
static void walk_round(struct walk *walk, uint32_t r, weights reg[8], weights w)
{
    uint32_t adders = SHA256_ROUND + SHA256_ROUND_BITS * r;
    weights new_a, new_e, t1, t2, u, x, y, ch, maj;

    walk_store(walk, SHA256_A + WORD * r, reg[A], new_a);
    walk_store(walk, SHA256_E + WORD * r, reg[E], new_e);
    /* b .. d and f .. h were a .. c and e .. g; d and h are set below. */
    memmove(reg[A], reg[B], 7 * sizeof reg[A]);

    walk_add(walk, adders + 6 * SHA256_ADD, new_a, t1, t2);    /* A = T1 + T2 */
    walk_add(walk, adders + 5 * SHA256_ADD, new_e, reg[D], y); /* E = d + T1 */
    weights_add(t1, y);
    walk_add(walk, adders + 4 * SHA256_ADD, t2, x, maj); /* T2 = Sigma0(a) + Maj */
    weights_add_rotated(reg[A], x, 2);
    weights_add_rotated(reg[A], x, 13);
    weights_add_rotated(reg[A], x, 22);
    weights_add(reg[A], maj); /* Maj = mj + a */

    walk_store(walk, SHA256_T1 + WORD * r, t1, u);
    walk_add(walk, adders + 3 * SHA256_ADD, u, u, y);
    weights_add(w, y);
    walk_add(walk, adders + 2 * SHA256_ADD, u, u, y);
    walk_const(walk, sha256_round_constants[r], y);
    walk_add(walk, adders + SHA256_ADD, u, u, ch);
    weights_add(reg[G], ch); /* Ch = ch + g */
    walk_add(walk, adders, u, reg[H], y);
    weights_add_rotated(reg[E], y, 6);
    weights_add_rotated(reg[E], y, 11);
    weights_add_rotated(reg[E], y, 25);

    walk_and(walk, SHA256_CH + WORD * r, ch, x, y); /* e, f + g */
    weights_add(reg[E], x);
    weights_add(reg[F], y);
    weights_add(reg[G], y);
    walk_and(walk, SHA256_MAJ + WORD * r, maj, x, y); /* a + b, a + c */
    weights_add(reg[A], x);
    weights_add(reg[B], x);
    weights_add(reg[A], y);
    weights_add(reg[C], y);
}

/* Step t of the schedule backwards: from the weights of W[t] to those of the words it came from. */
static void walk_schedule(struct walk *walk, uint32_t t, weights w[64])
{
    uint32_t adders = SHA256_SCHEDULE + SHA256_SCHEDULE_BITS * (t - 16);
    weights u, y;

    walk_store(walk, SHA256_W + WORD * (t - 16), w[t], u);
    walk_add(walk, adders + 2 * SHA256_ADD, u, u, y);
    weights_add(w[t - 16], y);
    walk_add(walk, adders + SHA256_ADD, u, u, y); /* sigma0 */
    weights_add_rotated(w[t - 15], y, 7);
    weights_add_rotated(w[t - 15], y, 18);
    weights_add_shifted(w[t - 15], y, 3);
    walk_add(walk, adders, u, u, y); /* sigma1 */
    weights_add_rotated(w[t - 2], u, 17);
    weights_add_rotated(w[t - 2], u, 19);
    weights_add_shifted(w[t - 2], u, 10);
    weights_add(w[t - 7], y);
}

static void sha256_marginals(const struct circuit *self, gf128 *comb, gf128 alpha, const gf128 *e)
{
    size_t n_columns = (size_t)1 << self->k_log;
    weights reg[8], h_in[8], w[64] = {{{0}}}, sum;
    struct walk walk = {.comb = comb, .e = e};

    kernels()->scale(comb, e, alpha, n_columns);
    for (uint32_t i = 0; i < 8; i++) {
        walk_output(&walk, SHA256_H_OUT + WORD * i, sum);
        walk_add(&walk, SHA256_OUT + SHA256_ADD * i, sum, reg[i], h_in[i]);
    }
    for (uint32_t r = 64; r-- > 0;) {
        walk_round(&walk, r, reg, w[r]);
    }
    for (uint32_t t = 63; t >= 16; t--) {
        walk_schedule(&walk, t, w);
    }
    for (uint32_t i = 0; i < 8; i++) {
        weights_add(h_in[i], reg[i]);
        walk_free(&walk, SHA256_H_IN + WORD * i, h_in[i]);
    }
    for (uint32_t i = 0; i < 16; i++) {
        walk_free(&walk, SHA256_MESSAGE + WORD * i, w[i]);
    }
    walk_end(&walk, SHA256_ONE, self->useful_bits, (uint32_t)n_columns);
}

const struct circuit sha256_circuit = {
    .name = "sha256",
    .k_log = SHA256_K_LOG,
    .useful_bits = SHA256_USEFUL_BITS,
    .pin = SHA256_ONE,
    .region_log = 8,
    .region_bits = 256,
    .copies = 1,
    .id = {0x10, 0xaa, 0xe6, 0x9a, 0xaa, 0x1b, 0x1f, 0xa3, 0xaa, 0x76, 0x76,
           0x0c, 0xa5, 0x99, 0x1f, 0x17, 0xb6, 0x3c, 0x1b, 0x97, 0xc8, 0xd5,
           0x76, 0x45, 0x0d, 0xc2, 0x24, 0xb9, 0x3c, 0xd2, 0xfe, 0x70},
    .marginals = sha256_marginals,
};
