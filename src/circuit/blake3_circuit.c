#include "backend/kernels.h"
#include "circuit/blake3_columns.h"
#include "circuit/circuits.h"
#include "circuit/walk.h"
#include "hash/blake3.h"

/*
 * One G backwards (spec 06, 4.3): on entry the weights of a2, b, c2, d as left by the G, on return
 * those of its operands. About 6 * 31 * 4 + 14 * 32 field additions.
 */
static void walk_g(struct walk *walk, uint32_t base, gf128 *a, gf128 *b, gf128 *c, gf128 *d,
                   gf128 *mx, gf128 *my)
{
    gf128 b1[WORD] = {{0}}, d1[WORD] = {{0}}, d2[WORD], x[WORD], y[WORD];

    walk_store(walk, base + BLAKE3_G_D, d, d2);
    walk_store(walk, base + BLAKE3_G_B, b, x); /* b = ROTR(b1 + c2, 7) */
    weights_add_rotated(b1, x, 7);
    weights_add(c, b1);
    walk_add(walk, base + 5 * BLAKE3_G_ADD, c, c, y); /* c2 = c1 + d2 */
    weights_add(d2, y);
    weights_add_rotated(d1, d2, 8); /* d2 = ROTR(d1 + a2, 8) */
    weights_add(a, d1);
    walk_add(walk, base + 4 * BLAKE3_G_ADD, a, a, y); /* a2 = t1 + my */
    weights_add(my, y);
    walk_add(walk, base + 3 * BLAKE3_G_ADD, a, a, y); /* t1 = a1 + b1 */
    weights_add(b1, y);
    memset(b, 0, WORD * sizeof *b);
    weights_add_rotated(b, b1, 12); /* b1 = ROTR(b + c1, 12) */
    weights_add(c, b);
    walk_add(walk, base + 2 * BLAKE3_G_ADD, c, c, y); /* c1 = c + d1 */
    weights_add(d1, y);
    memset(d, 0, WORD * sizeof *d);
    weights_add_rotated(d, d1, 16); /* d1 = ROTR(d + a1, 16) */
    weights_add(a, d);
    walk_add(walk, base + BLAKE3_G_ADD, a, a, y); /* a1 = t0 + mx */
    weights_add(mx, y);
    walk_add(walk, base, a, a, y); /* t0 = a + b */
    weights_add(b, y);
}

static void blake3_marginals(const struct circuit *self, gf128 *comb, gf128 alpha, const gf128 *e)
{
    size_t n_columns = (size_t)1 << self->k_log;
    gf128 v[16][WORD] = {{{0}}}, cv[8][WORD] = {{{0}}}, inputs[16][WORD] = {{{0}}}, x[WORD];
    struct walk walk = {.comb = comb, .e = e};

    kernels()->scale(comb, e, alpha, n_columns);
    for (uint32_t w = 0; w < 8; w++) {
        walk_output(&walk, BLAKE3_OUT_LO + WORD * w, x);
        weights_add(v[w], x);
        weights_add(v[w + 8], x);
        walk_output(&walk, BLAKE3_OUT_HI + WORD * w, x);
        weights_add(v[w + 8], x);
        weights_add(cv[w], x);
    }
    for (int g = 55; g >= 0; g--) {
        const uint8_t *lanes = blake3_lanes[g % 8];
        const uint8_t *schedule = blake3_message_schedule[g / 8] + 2 * (g % 8);
        walk_g(&walk, (uint32_t)(BLAKE3_G + BLAKE3_G_BITS * g), v[lanes[0]], v[lanes[1]],
               v[lanes[2]], v[lanes[3]], inputs[schedule[0]], inputs[schedule[1]]);
    }
    for (uint32_t w = 0; w < 8; w++) {
        weights_add(cv[w], v[w]);
        walk_free(&walk, BLAKE3_CV + WORD * w, cv[w]);
    }
    for (int w = 0; w < 4; w++) {
        walk_const(&walk, blake3_iv[w], v[8 + w]);
    }
    for (uint32_t w = 0; w < 16; w++) {
        walk_free(&walk, BLAKE3_MESSAGE + WORD * w, inputs[w]);
    }
    for (uint32_t w = 0; w < 4; w++) {
        walk_free(&walk, BLAKE3_COUNTER + WORD * w, v[12 + w]);
    }
    walk_end(&walk, BLAKE3_ONE, self->useful_bits, (uint32_t)n_columns);
}

const struct circuit blake3_circuit = {
    .name = "blake3",
    .k_log = BLAKE3_K_LOG,
    .useful_bits = BLAKE3_USEFUL_BITS,
    .pin = BLAKE3_ONE,
    .region_log = 8,
    .region_bits = 256,
    .copies = 1,
    .id = {0xbb, 0x9e, 0xb0, 0x04, 0x9f, 0x08, 0x1b, 0x88, 0xa0, 0xdb, 0xbf,
           0xd7, 0x67, 0xc7, 0x8b, 0xd3, 0xf3, 0x96, 0x51, 0xdf, 0x3e, 0x19,
           0xfe, 0x78, 0x37, 0xa9, 0x13, 0x81, 0x3a, 0x8a, 0xd5, 0x64},
    .marginals = blake3_marginals,
};
