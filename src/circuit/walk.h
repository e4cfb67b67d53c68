/*
 * Transposed walks through a computation on 32-bit words (spec 06, 7 and 11).
 *
 * The matrices come from a circuit of XORs over forms. Read backwards it distributes the weights of
 * the rows to the columns: every word that is not stored has 32 weights (the sum of the weights of
 * everything its forms went into), and each step below turns the weights of its result into those
 * of its operands.
 *
 * comb starts as alpha * e, row by row; since row r defines column r, the step that passes row r
 * takes its weight from comb[r] and leaves there the weight of column r. No table is allocated.
 */
#ifndef FLOCK_CIRCUIT_WALK_H
#define FLOCK_CIRCUIT_WALK_H

#include "field/gf128.h"

enum { WORD = 32 };

struct walk {
    gf128 *comb;    /* alpha * e (rows of A0) ahead of the walk, column weights behind it */
    const gf128 *e; /* e (rows of B0) */
    gf128 one;      /* weight of the constant-one column so far */
};

static inline void weights_add(gf128 *x, const gf128 *y)
{
    for (int i = 0; i < WORD; i++) {
        x[i] = gf128_add(x[i], y[i]);
    }
}

/* x += the weights of an operand that entered a result with weights y as ROTR(operand, n). */
static inline void weights_add_rotated(gf128 *x, const gf128 *y, int n)
{
    for (int i = 0; i < WORD; i++) {
        x[(i + n) % WORD] = gf128_add(x[(i + n) % WORD], y[i]);
    }
}

/* The same for SHR(operand, n). */
static inline void weights_add_shifted(gf128 *x, const gf128 *y, int n)
{
    for (int i = 0; i + n < WORD; i++) {
        x[i + n] = gf128_add(x[i + n], y[i]);
    }
}

/* ADD(x, y; base) with result weights s: sets the weights of x and y. s may be x or y. */
static inline void walk_add(struct walk *walk, uint32_t base, const gf128 *s, gf128 *x, gf128 *y)
{
    gf128 carry = s[WORD - 1]; /* weight of everything above bit j, which holds column base + j */
    y[WORD - 1] = x[WORD - 1] = s[WORD - 1];
    for (int j = WORD - 2; j >= 0; j--) {
        gf128 left = walk->comb[base + j], right = walk->e[base + j], sum = s[j];
        walk->comb[base + j] = carry;
        carry = gf128_add(carry, gf128_add(sum, gf128_add(left, right)));
        x[j] = gf128_add(sum, left);
        y[j] = gf128_add(sum, right);
    }
}

/* LIN(base, x) whose word is used with weights `uses`: sets the weights of x. */
static inline void walk_store(struct walk *walk, uint32_t base, const gf128 *uses, gf128 *x)
{
    for (int i = 0; i < WORD; i++) {
        x[i] = walk->comb[base + i];
        walk->comb[base + i] = uses[i];
        walk->one = gf128_add(walk->one, walk->e[base + i]);
    }
}

/* 32 AND rows x * y at `base`, used with weights `uses`: sets the weights of x and y. */
static inline void walk_and(struct walk *walk, uint32_t base, const gf128 *uses, gf128 *x, gf128 *y)
{
    for (int i = 0; i < WORD; i++) {
        x[i] = walk->comb[base + i];
        y[i] = walk->e[base + i];
        walk->comb[base + i] = uses[i];
    }
}

/* LIN(base, x) whose word nothing uses. */
static inline void walk_output(struct walk *walk, uint32_t base, gf128 *x)
{
    static const gf128 unused[WORD];
    walk_store(walk, base, unused, x);
}

/* FREE(base, 32): a word of inputs used with weights `uses`. */
static inline void walk_free(struct walk *walk, uint32_t base, const gf128 *uses)
{
    for (int i = 0; i < WORD; i++) {
        walk->comb[base + i] = gf128_add(walk->comb[base + i], uses[i]);
        walk->one = gf128_add(walk->one, walk->e[base + i]);
    }
}

/* Const(value) used with weights `uses`. */
static inline void walk_const(struct walk *walk, uint32_t value, const gf128 *uses)
{
    for (int i = 0; i < WORD; i++) {
        if (value >> i & 1) {
            walk->one = gf128_add(walk->one, uses[i]);
        }
    }
}

/* The ONE row, last of all; the padding rows weigh nothing. */
static inline void walk_end(struct walk *walk, uint32_t one, uint32_t useful_bits,
                            uint32_t n_columns)
{
    gf128 row = gf128_add(walk->comb[one], walk->e[one]);
    walk->comb[one] = gf128_add(walk->one, row);
    memset(walk->comb + useful_bits, 0, (n_columns - useful_bits) * sizeof *walk->comb);
}

#endif
