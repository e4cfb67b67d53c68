/*
 * Running a construction on forms, to get the true matrices (spec 06, 1 to 4). For tests.
 *
 * A form is a set of columns (n_words 64-bit words); a word of forms is 32 of them in a row.
 */
#ifndef FLOCK_CIRCUIT_FORMS_H
#define FLOCK_CIRCUIT_FORMS_H

#include "circuit/circuit.h"

enum { FORM_WORD = 32 };

/* Where the entries of a row of A0, then of B0, are in the list of all entries. */
struct form_row {
    size_t start;
    uint32_t n_a, n_b;
};

struct forms {
    size_t n_columns;
    size_t n_words; /* of a form */
    uint32_t one;
    struct form_row *rows;
    uint16_t *entries;
    size_t n_entries, capacity;
    uint64_t *scratch; /* three forms */
};

void forms_init(struct forms *forms, unsigned k_log, uint32_t one);
void forms_free(struct forms *forms);

/* Room for n words of forms, all empty; to be freed. */
uint64_t *forms_new(const struct forms *forms, size_t n);
/* Word number i of such an array. */
uint64_t *form_word(const struct forms *forms, uint64_t *words, size_t i);

/* Col(base), Const(value), x + y, ROTR(x, n), SHR(x, n). dst may be x only in form_xor. */
void form_col(const struct forms *forms, uint64_t *dst, uint32_t base);
void form_const(const struct forms *forms, uint64_t *dst, uint32_t value);
void form_xor(const struct forms *forms, uint64_t *dst, const uint64_t *x, const uint64_t *y);
void form_rotr(const struct forms *forms, uint64_t *dst, const uint64_t *x, unsigned n);
void form_shr(const struct forms *forms, uint64_t *dst, const uint64_t *x, unsigned n);

/* Rows. `row_and`: rows base .. base+31 are x and y. The result of LIN is Col(base). */
void row_one(struct forms *forms);
void row_free(struct forms *forms, uint32_t base, uint32_t n);
void row_lin(struct forms *forms, uint32_t base, const uint64_t *x);
void row_and(struct forms *forms, uint32_t base, const uint64_t *x, const uint64_t *y);
void row_add(struct forms *forms, uint64_t *dst, const uint64_t *x, const uint64_t *y,
             uint32_t base);

/* All rows in order; those that were never emitted are empty. */
void forms_visit(const struct forms *forms, circuit_row_visitor *visit, void *context);

#endif
