/* A weight for ligerito_prove() that is given in full. */
#ifndef FLOCK_TESTS_SUPPORT_WEIGHTS_H
#define FLOCK_TESTS_SUPPORT_WEIGHTS_H

#include "pcs/ligerito.h"

struct full_weight {
    gf128 *w, *bound; /* 2^log_n elements, and an eighth of that once it is bound; malloc */
    unsigned log_n;
    struct prover_weight prover; /* for ligerito_prove() */
};

/* Takes w, an array from malloc, and makes the products with f by their definition. */
void full_weight_init(struct full_weight *weight, gf128 *w, const gf128 *f, unsigned log_n);
void full_weight_release(struct full_weight *weight);

/* products[x][y] = sum_i f[8i+x] w[8i+y] */
void products_of_columns(gf128 products[N_COLUMNS][N_COLUMNS], const gf128 *f, const gf128 *w,
                         unsigned log_n);

/* Binds the lowest n_r variables of f one by one; out: 2^(log_n - n_r) elements. */
void bind_low(gf128 *out, const gf128 *f, unsigned log_n, const gf128 *r, unsigned n_r);

#endif
