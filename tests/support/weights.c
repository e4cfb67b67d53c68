#include "support/weights.h"

#include <stdlib.h>
#include <string.h>

void products_of_columns(gf128 products[N_COLUMNS][N_COLUMNS], const gf128 *f, const gf128 *w,
                         unsigned log_n)
{
    memset(products, 0, N_COLUMNS * sizeof *products);
    for (size_t i = 0; i < (size_t)1 << log_n; i++) {
        for (size_t y = 0; y < N_COLUMNS; y++) {
            gf128 *sum = &products[i % N_COLUMNS][y];
            *sum = gf128_add(*sum, gf128_mul(f[i], w[i / N_COLUMNS * N_COLUMNS + y]));
        }
    }
}

void bind_low(gf128 *out, const gf128 *f, unsigned log_n, const gf128 *r, unsigned n_r)
{
    size_t n = (size_t)1 << log_n;
    gf128 *v = malloc(n * sizeof *v);
    memcpy(v, f, n * sizeof *v);
    for (unsigned i = 0; i < n_r; i++) {
        n /= 2;
        for (size_t j = 0; j < n; j++) {
            gf128 difference = gf128_add(v[2 * j], v[2 * j + 1]);
            v[j] = gf128_add(v[2 * j], gf128_mul(r[i], difference));
        }
    }
    memcpy(out, v, n * sizeof *v);
    free(v);
}

static void bind(void *context, const gf128 r[LOG_COLUMNS])
{
    struct full_weight *weight = context;
    bind_low(weight->bound, weight->w, weight->log_n, r, LOG_COLUMNS);
}

static void make(const void *context, size_t block, gf128 *out, const gf128 *ahead)
{
    (void)ahead;
    const struct full_weight *weight = context;
    size_t all = (size_t)1 << (weight->log_n - LOG_COLUMNS);
    size_t n = all < WEIGHT_BLOCK ? all : WEIGHT_BLOCK;
    memcpy(out, weight->bound + block * n, n * sizeof *out);
}

void full_weight_init(struct full_weight *weight, gf128 *w, const gf128 *f, unsigned log_n)
{
    weight->w = w;
    weight->log_n = log_n;
    weight->bound = malloc((sizeof *w << log_n) / N_COLUMNS);
    weight->prover = (struct prover_weight){.bind = bind, .make = make, .context = weight};
    products_of_columns(weight->prover.products, f, w, log_n);
}

void full_weight_release(struct full_weight *weight)
{
    free(weight->w);
    free(weight->bound);
}
