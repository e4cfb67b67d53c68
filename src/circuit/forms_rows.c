#include "circuit/forms.h"

#include <stdlib.h>
#include <string.h>

/* Tests only: running out of memory ends the test. */
static void *allocate(void *old, size_t count, size_t item_bytes)
{
    void *block = old == NULL ? calloc(count, item_bytes) : realloc(old, count * item_bytes);
    if (block == NULL) {
        abort();
    }
    return block;
}

void forms_init(struct forms *forms, unsigned k_log, uint32_t one)
{
    forms->n_columns = (size_t)1 << k_log;
    forms->n_words = forms->n_columns / 64;
    forms->one = one;
    forms->rows = allocate(NULL, forms->n_columns, sizeof *forms->rows);
    forms->n_entries = 0;
    forms->capacity = 1 << 16;
    forms->entries = allocate(NULL, forms->capacity, sizeof *forms->entries);
    forms->scratch = allocate(NULL, 3 * forms->n_words, sizeof *forms->scratch);
}

void forms_free(struct forms *forms)
{
    free(forms->rows);
    free(forms->entries);
    free(forms->scratch);
}

uint64_t *forms_new(const struct forms *forms, size_t n)
{
    return allocate(NULL, n * FORM_WORD * forms->n_words, sizeof(uint64_t));
}

uint64_t *form_word(const struct forms *forms, uint64_t *words, size_t i)
{
    return words + i * FORM_WORD * forms->n_words;
}

static void clear(const struct forms *forms, uint64_t *form)
{
    memset(form, 0, forms->n_words * sizeof *form);
}

static void toggle(uint64_t *form, uint32_t column)
{
    form[column / 64] ^= UINT64_C(1) << column % 64;
}

static void xor_form(const struct forms *forms, uint64_t *dst, const uint64_t *x, const uint64_t *y)
{
    for (size_t w = 0; w < forms->n_words; w++) {
        dst[w] = x[w] ^ y[w];
    }
}

void form_col(const struct forms *forms, uint64_t *dst, uint32_t base)
{
    for (uint32_t i = 0; i < FORM_WORD; i++) {
        clear(forms, dst + i * forms->n_words);
        toggle(dst + i * forms->n_words, base + i);
    }
}

void form_const(const struct forms *forms, uint64_t *dst, uint32_t value)
{
    for (uint32_t i = 0; i < FORM_WORD; i++) {
        clear(forms, dst + i * forms->n_words);
        if (value >> i & 1) {
            toggle(dst + i * forms->n_words, forms->one);
        }
    }
}

void form_xor(const struct forms *forms, uint64_t *dst, const uint64_t *x, const uint64_t *y)
{
    for (size_t i = 0; i < FORM_WORD; i++) {
        size_t at = i * forms->n_words;
        xor_form(forms, dst + at, x + at, y + at);
    }
}

void form_rotr(const struct forms *forms, uint64_t *dst, const uint64_t *x, unsigned n)
{
    size_t bytes = forms->n_words * sizeof *dst;
    for (size_t i = 0; i < FORM_WORD; i++) {
        memcpy(dst + i * forms->n_words, x + (i + n) % FORM_WORD * forms->n_words, bytes);
    }
}

void form_shr(const struct forms *forms, uint64_t *dst, const uint64_t *x, unsigned n)
{
    form_rotr(forms, dst, x, n);
    for (size_t i = FORM_WORD - n; i < FORM_WORD; i++) {
        clear(forms, dst + i * forms->n_words);
    }
}

/* Append the columns of a form in ascending order. Returns how many there are. */
static uint32_t append(struct forms *forms, const uint64_t *form)
{
    if (forms->capacity - forms->n_entries < forms->n_columns) {
        forms->capacity *= 2;
        forms->entries = allocate(forms->entries, forms->capacity, sizeof *forms->entries);
    }
    size_t start = forms->n_entries;
    for (uint32_t w = 0; w < forms->n_words; w++) {
        for (uint64_t rest = form[w]; rest != 0; rest &= rest - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(rest);
            forms->entries[forms->n_entries++] = (uint16_t)(64 * w + bit);
        }
    }
    return (uint32_t)(forms->n_entries - start);
}

static void emit(struct forms *forms, uint32_t row, const uint64_t *a, const uint64_t *b)
{
    struct form_row *r = &forms->rows[row];
    r->start = forms->n_entries;
    r->n_a = append(forms, a);
    r->n_b = append(forms, b);
}

/* Row `row`: a in A0, {ONE} in B0. */
static void emit_linear(struct forms *forms, uint32_t row, const uint64_t *a)
{
    uint64_t *one = forms->scratch;
    clear(forms, one);
    toggle(one, forms->one);
    emit(forms, row, a, one);
}

void row_free(struct forms *forms, uint32_t base, uint32_t n)
{
    uint64_t *self = forms->scratch + forms->n_words;
    for (uint32_t r = base; r < base + n; r++) {
        clear(forms, self);
        toggle(self, r);
        emit_linear(forms, r, self);
    }
}

void row_one(struct forms *forms)
{
    row_free(forms, forms->one, 1);
}

void row_lin(struct forms *forms, uint32_t base, const uint64_t *x)
{
    for (uint32_t i = 0; i < FORM_WORD; i++) {
        emit_linear(forms, base + i, x + i * forms->n_words);
    }
}

void row_and(struct forms *forms, uint32_t base, const uint64_t *x, const uint64_t *y)
{
    for (uint32_t i = 0; i < FORM_WORD; i++) {
        emit(forms, base + i, x + i * forms->n_words, y + i * forms->n_words);
    }
}

void row_add(struct forms *forms, uint64_t *dst, const uint64_t *x, const uint64_t *y,
             uint32_t base)
{
    uint64_t *carry = forms->scratch;
    uint64_t *a = carry + forms->n_words, *b = a + forms->n_words;
    clear(forms, carry);
    for (uint32_t i = 0; i < FORM_WORD; i++) {
        size_t at = i * forms->n_words;
        xor_form(forms, a, x + at, carry);
        xor_form(forms, b, y + at, carry);
        xor_form(forms, dst + at, a, y + at);
        if (i < FORM_WORD - 1) {
            emit(forms, base + i, a, b);
            toggle(carry, base + i);
        }
    }
}

void forms_visit(const struct forms *forms, circuit_row_visitor *visit, void *context)
{
    uint32_t *columns = allocate(NULL, 2 * forms->n_columns, sizeof *columns);
    for (uint32_t r = 0; r < forms->n_columns; r++) {
        const struct form_row *row = &forms->rows[r];
        for (size_t i = 0; i < row->n_a + row->n_b; i++) {
            columns[i] = forms->entries[row->start + i];
        }
        visit(context, r, columns, row->n_a, columns + row->n_a, row->n_b);
    }
    free(columns);
}
