/*
 * The additive NTT, and the Reed-Solomon code it computes (spec 01, 1.9). Codeword position j is
 * the field element (j, 0); messages are coefficients in the novel basis X_c.
 */
#ifndef FLOCK_CODE_ADDITIVE_NTT_H
#define FLOCK_CODE_ADDITIVE_NTT_H

#include <flock/flock.h>

#include "field/gf128.h"

enum { NTT_MAX_LOG = 40 };

/*
 * of_bit[i][b] = W^_b(x^i), b <= i < n_bits: the normalised subspace polynomials at the powers of
 * x. They are additive and vanish for b > i, so W^_b(j) is the sum over the bits i of j.
 */
struct subspace_images {
    gf128 of_bit[NTT_MAX_LOG][NTT_MAX_LOG];
};

/* n_bits <= NTT_MAX_LOG; n_bits^2 products. */
void subspace_images_init(struct subspace_images *images, unsigned n_bits);

/* out[b] = W^_b(j), b < n: the factors of generator row j; j < 2^n_bits. */
void generator_factors(gf128 *out, unsigned n, const struct subspace_images *images, uint64_t j);

/*
 * The multilinear extension at p (n coordinates) of generator row j:
 * prod_{b<n} (1 + p_b (1 + W^_b(j))), with factors[b] = W^_b(j).
 */
gf128 generator_eval(const gf128 *factors, const gf128 *p, unsigned n);

/* ---- prover ---- */

struct prover_context;

/*
 * What else is to be done with a codeword while it is in the cache: take(context, first, log_n,
 * next) is called for each finished part, positions first .. first + 2^log_n - 1, by several
 * threads at a time. log_n is the same for all parts and is left in log_part. The part from
 * position `next` on, in main memory, should be fetched meanwhile; next = first: there is none.
 */
struct encode_sink {
    void (*take)(void *context, size_t first, unsigned log_n, size_t next);
    void *context;
    unsigned log_part;
};

/*
 * What is known of a message: of each 2^log_period elements, those from number `used` > 0 on are
 * zero. used = 0: nothing is.
 */
struct known_zeros {
    unsigned log_period;
    size_t used;
};
static const struct known_zeros no_known_zeros = {0, 0};

/*
 * Encode 2^log_lanes interleaved lanes (1.9.4). message: 2^(log_lanes + log_message) elements,
 * codeword: 2^(log_lanes + log_message + log_inv_rate), position-major. They do not overlap, or the
 * message is the last part of the codeword's memory and is written over. Work is saved where
 * `zeros` are known. sink may be NULL. May take up to 512 KiB a thread; returns FLOCK_ERR_MEMORY if
 * it cannot.
 */
flock_status encode_interleaved(struct prover_context *context, gf128 *codeword,
                                const gf128 *message, unsigned log_lanes, unsigned log_message,
                                unsigned log_inv_rate, struct known_zeros zeros,
                                struct encode_sink *sink);

/*
 * sums[c] = sum_t weights[t] * X_c(positions[t]), c < 2^log_message (1.9.5): the weighted sum of
 * generator rows of a code with 2^(log_message + log_inv_rate) positions.
 */
flock_status generator_row_sums(struct prover_context *context, gf128 *sums,
                                const uint32_t *positions, const gf128 *weights, size_t n,
                                unsigned log_message, unsigned log_inv_rate);

/*
 * The same by a given method: the factors of the lowest `split` coefficient bits are expanded
 * position by position, the others summed by a transposed transform. split = 0 is the transposed
 * transform alone, split = log_message the direct sum of rows. generator_row_sums() takes the
 * cheapest.
 */
flock_status generator_row_sums_split(struct prover_context *context, gf128 *sums,
                                      const uint32_t *positions, const gf128 *weights, size_t n,
                                      unsigned log_message, unsigned log_inv_rate, unsigned split);

#endif
