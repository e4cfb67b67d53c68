/*
 * The true matrices of the Keccak circuits by substitution (spec 07, 2 and 3): every bit of a state
 * is a set of columns, taken through the rounds. With up to 40001 entries in each of 40000 rows
 * they are never stored but visited as they arise.
 */
#include <stdlib.h>

#include "circuit/circuits.h"
#include "circuit/keccak_columns.h"
#include "hash/keccak.h"

/*
 * A form over the columns of one permutation, in column order: 25 words for the input state, one
 * for the constant (bit 0), 24 * 25 for the ANDs.
 */
enum {
    FORM_ONE = KECCAK_LANES,
    FORM_T = FORM_ONE + 1,
    FORM_WORDS = FORM_T + KECCAK_ROUNDS * KECCAK_LANES,
};

typedef uint64_t form[FORM_WORDS];

struct permutation {
    form *state;  /* [1600], physical order */
    form *linear; /* [1600], scratch for the linear part */
    form *column; /* [320], theta's column sums */
};

/* Tests only: running out of memory ends the test. */
static form *new_forms(size_t n)
{
    form *forms = calloc(n, sizeof *forms);
    if (forms == NULL) {
        abort();
    }
    return forms;
}

static void add_form(form x, const form y, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++) {
        x[w] ^= y[w];
    }
}

static void set_input(struct permutation *p)
{
    memset(p->state, 0, KECCAK_STATE_BITS * sizeof(form));
    for (size_t j = 0; j < KECCAK_STATE_BITS; j++) {
        p->state[j][j / 64] = UINT64_C(1) << j % 64;
    }
}

/* linear = pi(rho(theta(state))) at the start of round r. */
static void linear_layer(struct permutation *p, size_t r)
{
    size_t n_words = FORM_T + r * KECCAK_LANES; /* no later AND occurs yet */
    memset(p->column, 0, 320 * sizeof(form));
    for (size_t j = 0; j < KECCAK_STATE_BITS; j++) {
        add_form(p->column[j % 320], p->state[j], n_words);
    }
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            int l = keccak_source(x, y);
            for (int z = 0; z < 64; z++) {
                int from = (z + 64 - keccak_rotations[l]) % 64;
                uint64_t *to = p->linear[64 * (x + 5 * y) + z];
                memcpy(to, p->state[64 * l + from], sizeof(form));
                add_form(to, p->column[64 * ((l + 4) % 5) + from], n_words);
                add_form(to, p->column[64 * ((l + 1) % 5) + (from + 63) % 64], n_words);
            }
        }
    }
}

/* state = linear + t_r + iota_r */
static void end_round(struct permutation *p, size_t r)
{
    memcpy(p->state, p->linear, KECCAK_STATE_BITS * sizeof(form));
    for (size_t j = 0; j < KECCAK_STATE_BITS; j++) {
        p->state[j][FORM_T + r * KECCAK_LANES + j / 64] ^= UINT64_C(1) << j % 64;
    }
    for (size_t z = 0; z < 64; z++) {
        p->state[z][FORM_ONE] ^= keccak_round_constants[r] >> z & 1;
    }
}

struct visit {
    circuit_row_visitor *visit;
    void *context;
    uint32_t n; /* permutations in a block */
    uint32_t row;
    uint32_t *a, *b; /* the columns of the current row */
};

/* The columns of a form over permutation i, with the constant's bit changed by `flip`. */
static size_t columns_of(const struct visit *v, uint32_t i, const form x, uint64_t flip,
                         uint32_t *columns)
{
    size_t n = 0;
    for (size_t w = 0; w < FORM_WORDS; w++) {
        uint64_t rest = x[w] ^ (w == FORM_ONE ? flip : 0);
        uint32_t base = w < FORM_ONE    ? keccak_in(i) + 64 * (uint32_t)w
                        : w == FORM_ONE ? keccak_one(v->n)
                                        : keccak_t(v->n, i) + 64 * (uint32_t)(w - FORM_T);
        for (; rest != 0; rest &= rest - 1) {
            columns[n++] = base + (uint32_t)__builtin_ctzll(rest);
        }
    }
    return n;
}

/* The next row: what a and b hold. */
static void emit(struct visit *v, size_t n_a, size_t n_b)
{
    v->visit(v->context, v->row++, v->a, n_a, v->b, n_b);
}

/* Empty rows up to `end`. */
static void pad(struct visit *v, uint32_t end)
{
    while (v->row < end) {
        emit(v, 0, 0);
    }
}

/* Input and output rows of permutation i, whose output forms are state. */
static void slot_rows(struct visit *v, uint32_t i, form *state)
{
    v->b[0] = keccak_one(v->n);
    for (size_t j = 0; j < KECCAK_STATE_BITS; j++) {
        v->a[0] = v->row;
        emit(v, 1, 1);
    }
    pad(v, keccak_out(i));
    for (size_t j = 0; j < KECCAK_STATE_BITS; j++) {
        emit(v, columns_of(v, i, state[j], 0, v->a), 1);
    }
    pad(v, keccak_in(i + 1));
}

/* The ANDs of round r of permutation i: (B_r[x+1] + 1) B_r[x+2]. */
static void and_rows(struct visit *v, uint32_t i, form *linear)
{
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            for (int z = 0; z < 64; z++) {
                const uint64_t *left = linear[64 * ((x + 1) % 5 + 5 * y) + z];
                const uint64_t *right = linear[64 * ((x + 2) % 5 + 5 * y) + z];
                size_t n_a = columns_of(v, i, left, 1, v->a);
                size_t n_b = columns_of(v, i, right, 0, v->b);
                emit(v, n_a, n_b);
            }
        }
    }
}

void keccak_visit_rows(const struct circuit *circuit, circuit_row_visitor *visit, void *context)
{
    struct permutation p = {new_forms(KECCAK_STATE_BITS), new_forms(KECCAK_STATE_BITS),
                            new_forms(320)};
    uint32_t *columns = calloc(2 * 64 * FORM_WORDS, sizeof *columns);
    if (columns == NULL) {
        abort();
    }
    struct visit v = {visit, context, circuit->copies, 0, columns, columns + 64 * FORM_WORDS};

    set_input(&p);
    for (size_t r = 0; r < KECCAK_ROUNDS; r++) {
        linear_layer(&p, r);
        end_round(&p, r);
    }
    for (uint32_t i = 0; i < v.n; i++) {
        slot_rows(&v, i, p.state);
    }
    v.a[0] = v.b[0] = keccak_one(v.n);
    emit(&v, 1, 1);
    pad(&v, keccak_t(v.n, 0));
    for (uint32_t i = 0; i < v.n; i++) {
        set_input(&p);
        for (size_t r = 0; r < KECCAK_ROUNDS; r++) {
            linear_layer(&p, r);
            and_rows(&v, i, p.linear);
            end_round(&p, r);
        }
    }
    pad(&v, 1u << circuit->k_log);
    free(p.state);
    free(p.linear);
    free(p.column);
    free(columns);
}
