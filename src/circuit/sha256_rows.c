#include <stdlib.h>

#include "circuit/circuits.h"
#include "circuit/forms.h"
#include "circuit/sha256_columns.h"
#include "hash/sha256.h"

/* Columns of a stored word before round r: register number i of (a, .., h) (spec 06, 3.3). */
static uint32_t register_column(uint32_t r, uint32_t i)
{
    uint32_t age = i % 4; /* a and e are the newest, stored in round r - 1 */
    if (r <= age) {
        return SHA256_H_IN + 32 * (i - r);
    }
    return (i < 4 ? SHA256_A : SHA256_E) + 32 * (r - 1 - age);
}

static uint32_t schedule_column(uint32_t t)
{
    return t < 16 ? SHA256_MESSAGE + 32 * t : SHA256_W + 32 * (t - 16);
}

/* dst = ROTR(Col(base), n[0]) + ROTR(.., n[1]) + ROTR(.., n[2]) or, with `shift`, SHR(.., n[2]). */
static void sigma(struct forms *f, uint64_t *dst, uint32_t base, const unsigned n[3], int shift)
{
    uint64_t *words = forms_new(f, 2), *x = words, *turned = form_word(f, words, 1);
    form_col(f, x, base);
    form_rotr(f, dst, x, n[0]);
    form_rotr(f, turned, x, n[1]);
    form_xor(f, dst, dst, turned);
    (shift ? form_shr : form_rotr)(f, turned, x, n[2]);
    form_xor(f, dst, dst, turned);
    free(words);
}

static void rows_schedule(struct forms *f, uint32_t t, uint64_t *u, uint64_t *x)
{
    uint32_t p = SHA256_SCHEDULE + SHA256_SCHEDULE_BITS * (t - 16);
    sigma(f, u, schedule_column(t - 2), (const unsigned[]){17, 19, 10}, 1);
    form_col(f, x, schedule_column(t - 7));
    row_add(f, u, u, x, p);
    sigma(f, x, schedule_column(t - 15), (const unsigned[]){7, 18, 3}, 1);
    row_add(f, u, u, x, p + 31);
    form_col(f, x, schedule_column(t - 16));
    row_add(f, u, u, x, p + 62);
    row_lin(f, schedule_column(t), u);
}

static void rows_round(struct forms *f, uint32_t r, uint64_t *u, uint64_t *x, uint64_t *y)
{
    uint32_t p = SHA256_ROUND + SHA256_ROUND_BITS * r;
    uint32_t reg[8];
    for (uint32_t i = 0; i < 8; i++) {
        reg[i] = register_column(r, i);
    }

    form_col(f, x, reg[5]);
    form_col(f, y, reg[6]);
    form_xor(f, y, x, y);
    form_col(f, x, reg[4]);
    row_and(f, SHA256_CH + 32 * r, x, y); /* e, f + g */
    form_col(f, u, reg[0]);
    form_col(f, x, reg[1]);
    form_col(f, y, reg[2]);
    form_xor(f, x, u, x);
    form_xor(f, y, u, y);
    row_and(f, SHA256_MAJ + 32 * r, x, y); /* a + b, a + c */

    form_col(f, u, reg[7]);
    sigma(f, x, reg[4], (const unsigned[]){6, 11, 25}, 0);
    row_add(f, u, u, x, p);
    form_col(f, x, SHA256_CH + 32 * r);
    form_col(f, y, reg[6]);
    form_xor(f, x, x, y);
    row_add(f, u, u, x, p + 31);
    form_const(f, x, sha256_round_constants[r]);
    row_add(f, u, u, x, p + 62);
    form_col(f, x, schedule_column(r));
    row_add(f, u, u, x, p + 93);
    row_lin(f, SHA256_T1 + 32 * r, u);

    sigma(f, u, reg[0], (const unsigned[]){2, 13, 22}, 0);
    form_col(f, x, SHA256_MAJ + 32 * r);
    form_col(f, y, reg[0]);
    form_xor(f, x, x, y);
    row_add(f, u, u, x, p + 124); /* T2 */
    form_col(f, x, reg[3]);
    form_col(f, y, SHA256_T1 + 32 * r);
    row_add(f, x, x, y, p + 155);
    row_lin(f, SHA256_E + 32 * r, x);
    row_add(f, u, y, u, p + 186);
    row_lin(f, SHA256_A + 32 * r, u);
}

void sha256_visit_rows(circuit_row_visitor *visit, void *context)
{
    struct forms forms, *f = &forms;
    forms_init(f, SHA256_K_LOG, SHA256_ONE);
    uint64_t *words = forms_new(f, 3);
    uint64_t *u = words, *x = form_word(f, words, 1), *y = form_word(f, words, 2);

    row_one(f);
    row_free(f, SHA256_H_IN, 256);
    row_free(f, SHA256_MESSAGE, 512);
    for (uint32_t t = 16; t < 64; t++) {
        rows_schedule(f, t, u, x);
    }
    for (uint32_t r = 0; r < 64; r++) {
        rows_round(f, r, u, x, y);
    }
    for (uint32_t w = 0; w < 8; w++) {
        form_col(f, u, register_column(64, w));
        form_col(f, x, SHA256_H_IN + 32 * w);
        row_add(f, u, u, x, SHA256_OUT + 31 * w);
        row_lin(f, SHA256_H_OUT + 32 * w, u);
    }
    forms_visit(f, visit, context);
    free(words);
    forms_free(f);
}
