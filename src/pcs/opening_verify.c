#include "pcs/opening.h"

#include "backend/kernels.h"
#include "field/multilinear.h"
#include "field/skip_domain.h"

/* A GF(2)-linear map of 128 bits as sums over nibbles: 8 KiB. */
struct linear_map {
    gf128 nibble[32][16];
};

/* The map with X^u -> images[u]: 15 additions a nibble. */
static void linear_map_prepare(struct linear_map *map, const gf128 images[128])
{
    for (int n = 0; n < 32; n++) {
        gf128 *sums = map->nibble[n];
        sums[0] = GF128_ZERO;
        for (int b = 0; b < 4; b++) {
            for (int i = 0; i < 1 << b; i++) {
                sums[(1 << b) + i] = gf128_add(sums[i], images[4 * n + b]);
            }
        }
    }
}

static gf128 linear_map_apply(const struct linear_map *map, gf128 a)
{
    gf128 sum = GF128_ZERO;
    for (int n = 0; n < 16; n++) {
        sum = gf128_add(sum, map->nibble[n][a.lo >> (4 * n) & 15]);
        sum = gf128_add(sum, map->nibble[16 + n][a.hi >> (4 * n) & 15]);
    }
    return sum;
}

bool partial_evaluations_match(const struct quirky_claim *claim,
                               const struct partial_evaluations *partial)
{
    gf128 lagrange[SKIP_SIZE];
    lagrange_S(lagrange, claim->skip);
    gf128 low = kernels()->dot(lagrange, partial->s, SKIP_SIZE);
    gf128 high = kernels()->dot(lagrange, partial->s + SKIP_SIZE, SKIP_SIZE);
    /* (1 + x_0) low + x_0 high */
    gf128 value = gf128_add(low, gf128_mul(claim->point[0], gf128_add(low, high)));
    return gf128_equal(value, claim->value);
}

/*
 * beta = sum_u E_u s'_u, where bit v of s'_u is bit u of s_v (spec 04, 4, steps 4 and 5): summed
 * the other way round, beta = sum_v X^v Phi(s_v).
 */
static gf128 batch_bit_equations(const gf128 e[128], const struct partial_evaluations *partial)
{
    struct linear_map phi;
    linear_map_prepare(&phi, e);
    gf128 beta = GF128_ZERO;
    for (int v = 127; v >= 0; v--) {
        beta = gf128_add(gf128_mul_x(beta), linear_map_apply(&phi, partial->s[v]));
    }
    return beta;
}

void opening_reduce(struct transcript *t, unsigned log_n, const struct claims *claims,
                    const struct partial_evaluations *ring_switch,
                    struct opening_reduction *reduction)
{
    gf128 beta[2];
    reduction->claims = claims;
    reduction->log_n = log_n;
    reduction->target = GF128_ZERO;

    transcript_label(t, "flock-pcs-open-batch-v0");
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        gf128 r[7];
        transcript_label(t, "flock-ring-switch-v0");
        transcript_slice(t, ring_switch[k].s, 128);
        transcript_sample_vec(t, r, 7);
        eq_table(reduction->e[k], r, 7);
        beta[k] = batch_bit_equations(reduction->e[k], &ring_switch[k]);
    }
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        reduction->gamma[k] = transcript_sample(t);
        reduction->target = gf128_add(reduction->target, gf128_mul(reduction->gamma[k], beta[k]));
    }
    for (unsigned j = 0; j < claims->n_direct; j++) {
        transcript_label(t, "flock-pcs-packed-direct-v0");
        transcript_scalar(t, claims->direct[j].value);
    }
    for (unsigned j = 0; j < claims->n_direct; j++) {
        reduction->gamma_direct[j] = transcript_sample(t);
        reduction->target = gf128_add(
            reduction->target, gf128_mul(reduction->gamma_direct[j], claims->direct[j].value));
    }
}

void opening_transport(gf128 w[128], gf128 z, gf128 rho)
{
    struct linear_map phi;
    linear_map_prepare(&phi, w);
    kernels()->scale(w, w, gf128_add(GF128_ONE, rho), 128);
    for (int j = 0; j < 128; j++, z = gf128_mul_x(z)) {
        w[j] = gf128_add(w[j], linear_map_apply(&phi, z));
    }
}

static void add_quirky_weight(const gf128 e[128], gf128 gamma, const gf128 *z, const gf128 *rho,
                              unsigned n_rho, unsigned y, gf128 *out)
{
    gf128 w[128], table[1 << MAX_LOG_RESIDUAL];
    struct linear_map phi;
    kernels()->scale(w, e, gamma, 128);
    for (unsigned i = 0; i < n_rho; i++) {
        opening_transport(w, z[i], rho[i]);
    }
    linear_map_prepare(&phi, w);
    eq_table(table, z + n_rho, y);
    for (size_t t = 0; t < (size_t)1 << y; t++) {
        out[t] = gf128_add(out[t], linear_map_apply(&phi, table[t]));
    }
}

static void add_direct_weight(const struct direct_claim *claim, gf128 gamma, const gf128 *rho,
                              unsigned n_rho, unsigned y, gf128 *out)
{
    gf128 table[1 << MAX_LOG_RESIDUAL];
    gf128 scale = gf128_mul(gamma, eq_eval(claim->point, rho, n_rho));
    eq_table_scaled(table, claim->point + n_rho, y, scale);
    for (size_t t = 0; t < (size_t)1 << y; t++) {
        out[t] = gf128_add(out[t], table[t]);
    }
}

void opening_weight_evaluate(const void *context, const gf128 *rho, unsigned n_rho, unsigned y,
                             gf128 *out)
{
    const struct opening_reduction *reduction = context;
    const struct claims *claims = reduction->claims;
    for (size_t t = 0; t < (size_t)1 << y; t++) {
        out[t] = GF128_ZERO;
    }
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        add_quirky_weight(reduction->e[k], reduction->gamma[k], claims->quirky[k].point + 1, rho,
                          n_rho, y, out);
    }
    for (unsigned j = 0; j < claims->n_direct; j++) {
        add_direct_weight(&claims->direct[j], reduction->gamma_direct[j], rho, n_rho, y, out);
    }
}

flock_status opening_verify(struct transcript *t, const struct pcs_params *params,
                            const uint8_t root[32], const struct claims *claims,
                            const struct opening_proof *proof)
{
    for (unsigned k = 0; k < claims->n_quirky; k++) {
        if (!partial_evaluations_match(&claims->quirky[k], &proof->ring_switch[k])) {
            return FLOCK_REJECT_RING_SWITCH;
        }
    }
    struct opening_reduction reduction;
    opening_reduce(t, params->log_n, claims, proof->ring_switch, &reduction);
    struct ligerito_weight weight = {opening_weight_evaluate, &reduction};
    return ligerito_verify(t, params, root, reduction.target, &weight, &proof->ligerito);
}
