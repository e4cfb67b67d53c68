#include <stdlib.h>

#include "circuit/blake3_columns.h"
#include "circuit/circuits.h"
#include "circuit/forms.h"
#include "hash/blake3.h"

/* One G (spec 06, 4.3) on the lanes a, b, c, d; t: room for two words. */
static void rows_g(struct forms *f, uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d,
                   const uint64_t *mx, const uint64_t *my, uint32_t base, uint64_t *t)
{
    uint64_t *turned = t, *b1 = form_word(f, t, 1);
    row_add(f, a, a, b, base);
    row_add(f, a, a, mx, base + 31);
    form_xor(f, d, d, a);
    form_rotr(f, turned, d, 16); /* d1 */
    row_add(f, c, c, turned, base + 62);
    form_xor(f, b, b, c);
    form_rotr(f, b1, b, 12);
    row_add(f, a, a, b1, base + 93);
    row_add(f, a, a, my, base + 124);
    form_xor(f, turned, turned, a);
    form_rotr(f, d, turned, 8); /* d2 */
    row_add(f, c, c, d, base + 155);
    form_xor(f, b1, b1, c);
    form_rotr(f, b, b1, 7);
    row_lin(f, base + 186, b);
    form_col(f, b, base + 186);
    row_lin(f, base + 218, d);
    form_col(f, d, base + 218);
}

void blake3_visit_rows(circuit_row_visitor *visit, void *context)
{
    struct forms forms, *f = &forms;
    forms_init(f, BLAKE3_K_LOG, BLAKE3_ONE);
    uint64_t *v = forms_new(f, 16), *m = forms_new(f, 16), *t = forms_new(f, 2);

    row_one(f);
    row_free(f, BLAKE3_CV, 256);
    row_free(f, BLAKE3_MESSAGE, 640);
    for (uint32_t w = 0; w < 8; w++) {
        form_col(f, form_word(f, v, w), BLAKE3_CV + 32 * w);
    }
    for (uint32_t w = 0; w < 4; w++) {
        form_const(f, form_word(f, v, 8 + w), blake3_iv[w]);
        form_col(f, form_word(f, v, 12 + w), BLAKE3_COUNTER + 32 * w);
    }
    for (uint32_t w = 0; w < 16; w++) {
        form_col(f, form_word(f, m, w), BLAKE3_MESSAGE + 32 * w);
    }
    for (uint32_t i = 0; i < 56; i++) {
        const uint8_t *lanes = blake3_lanes[i % 8];
        const uint8_t *schedule = blake3_message_schedule[i / 8] + 2 * (i % 8);
        rows_g(f, form_word(f, v, lanes[0]), form_word(f, v, lanes[1]), form_word(f, v, lanes[2]),
               form_word(f, v, lanes[3]), form_word(f, m, schedule[0]),
               form_word(f, m, schedule[1]), BLAKE3_G + BLAKE3_G_BITS * i, t);
    }
    for (uint32_t w = 0; w < 8; w++) {
        form_xor(f, t, form_word(f, v, w), form_word(f, v, w + 8));
        row_lin(f, BLAKE3_OUT_LO + 32 * w, t);
        form_col(f, t, BLAKE3_CV + 32 * w);
        form_xor(f, t, t, form_word(f, v, w + 8));
        row_lin(f, BLAKE3_OUT_HI + 32 * w, t);
    }
    forms_visit(f, visit, context);
    free(v);
    free(m);
    free(t);
    forms_free(f);
}
