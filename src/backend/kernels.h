/*
 * The hot loops. One table of functions for both sides (struct kernels) and one for the prover
 * (struct prover_kernels); each has one contract, written here, and a portable version in plain C
 * that defines it. A backend replaces entries by faster ones with the same results bit for bit.
 *
 * Common rules: arrays do not overlap unless a contract says so; n may be any number, also 0;
 * sums over GF(2^128) are exact, so their order is free. Pointers to gf128 and uint64_t arrays need
 * only 8-byte alignment.
 */
#ifndef FLOCK_BACKEND_KERNELS_H
#define FLOCK_BACKEND_KERNELS_H

#include <stdalign.h>

#include "field/gf128.h"

struct kernels {
    const char *name;

    /* a * b */
    gf128 (*mul)(gf128 a, gf128 b);
    /* dst[i] = c * src[i]; dst may be src. */
    void (*scale)(gf128 *dst, const gf128 *src, gf128 c, size_t n);
    /* dst[i] += c * src[i] */
    void (*axpy)(gf128 *dst, const gf128 *src, gf128 c, size_t n);
    /* sum_i a[i] * b[i] */
    gf128 (*dot)(const gf128 *a, const gf128 *b, size_t n);
    /* One doubling of an eq table: table[n+i] = r * table[i], table[i] += table[n+i], i < n. */
    void (*eq_expand)(gf128 *table, size_t n, gf128 r);
    /* Bind the highest variable: f[j] += r * (f[j] + f[j+half]), j < half. */
    void (*fold_high)(gf128 *f, size_t half, gf128 r);

    /* SHA-256 compression of n_blocks consecutive 64-byte blocks. */
    void (*sha256_compress)(uint32_t state[8], const uint8_t *blocks, size_t n_blocks);
    /*
     * n digests of n consecutive messages of message_bytes each (a multiple of 64, at least 64).
     * Hashing reads so slowly that something can be fetched from memory meanwhile: as many bytes,
     * which lie `ahead` bytes behind the messages, are asked for if ahead is not 0.
     */
    void (*sha256_many)(uint8_t *digests, const uint8_t *messages, size_t message_bytes, size_t n,
                        size_t ahead);
};

/*
 * A GF(2)-linear map from 64 bits to GF(2^128), given by the images of the unit vectors, in
 * whatever form the backend likes (portable: subset sums of eight weights, table[8][256]).
 */
struct linear64 {
    alignas(64) uint64_t words[8 * 256 * 2];
};

struct prover_kernels {
    /* map(bits) = sum over set bits s of weights[s]. Only valid with the same backend's entries. */
    void (*linear64_prepare)(struct linear64 *map, const gf128 weights[64]);
    /* dst[i] = low(src[i].lo) + high(src[i].hi): a linear map of 128 bits; dst may be src. */
    void (*linear128_apply)(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                            const struct linear64 *high);
    /* The same, added to dst. dst is not src. */
    void (*linear128_add)(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high);
    /*
     * Weighted sums of bit columns: for c < n_words, s < 64,
     *     sums[64 c + s] += sum_{y < n_rows} weights[y] * bit s of rows[y * stride_words + c]
     * or of rows[..] AND mask[..], which is laid out likewise, if mask is not NULL; where maps[i]
     * was prepared from weights[64 i] ..; n_rows is a multiple of 8, and there is a map for each 64
     * rows or part of them.
     *
     *            word c
     *     row 0  [........]           one 64 x 64 bit transpose, then one map a column
     *     row 1  [........]
     */
    void (*linear64_columns)(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                             size_t stride_words, size_t n_words, size_t n_rows,
                             const struct linear64 *maps);

    /*
     * Univariate-skip round of the zerocheck (spec 05, 5.4.2), product side, without the constant
     * C of spec 05, 5.4.1. The rows of 64 bits come in groups of 128; row 8 j + k < 128 of group g
     * has the weight w = e[g] x^j phi(2)^k, k < 8. Wanted are
     *     values[i] = sum over all rows of w phi(A_i B_i)
     * with A_i, B_i in GF(2^8) the extensions to node 64+i of the row of a and of b. skip_round
     * adds to sums what the rows contribute, in the backend's own form: sums of several calls may
     * be added up, and scaled, like the values. These skip_values makes of them and of
     *     u[s] = sum over all rows of w * bit s of the row of a AND b,
     * scaled likewise, which the prover has anyway.
     */
    void (*skip_round)(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                       size_t n_groups);
    void (*skip_values)(gf128 values[64], const gf128 sums[64], const gf128 u[64]);

    /*
     * The message of a zerocheck round (spec 05, 5.4.3) over arrays A, B of 2n elements and weights
     * e[0] .. e[n-1] is the pair
     *     sum_{x<n} e[x] A[2x+1] B[2x+1]
     *     sum_{x<n} e[x] (A[2x]+A[2x+1]) (B[2x]+B[2x+1])
     * Rounds 0 to 2 follow from sums over cubes of 8 rows of bits, A_x = map(row x of the cube of
     * a) and B_x = map(row x of that of b), x < 8. A_p for p in {0, 1, inf}^3 is the sum of those
     * A_x whose bits x_i are p_i, or anything where p_i is inf. This adds sums[p_0 + 3 p_1 + 9 p_2]
     * += sum over all cubes of weight * A_p * B_p,       inf = 2 but for p = 0, which no message
     * needs. The rows come in groups of 16 cubes; cube j of group g has the weight x^j low[g % 4]
     * high[g / 4 % 8] e[g / 32] (spec 05, 5.4.1; without its constant). The maps are those of a and
     * of b in the backend's own form, made from the weights of the map and those of groups.
     */
    void (*zerocheck_cubes_prepare)(struct linear64 maps[2], const gf128 weights[64],
                                    const gf128 low[4], const gf128 high[8]);
    void (*zerocheck_cubes)(gf128 sums[27], const uint64_t *a, const uint64_t *b,
                            const struct linear64 maps[2], const gf128 *e, size_t n_groups);
    /*
     * Then cubes are folded: stores arrays of 2n elements, A[y] = sum_{x<8} map_x(a[8y + x]), B[y]
     * likewise, and adds their message with weights e; n is a multiple of 4. z = a AND b takes the
     * place of a. The maps are in the backend's own form, made from the weights[64 x] .. of map_x.
     */
    void (*zerocheck_fold_bits_prepare)(struct linear64 maps[8], const gf128 weights[8 * 64]);
    void (*zerocheck_fold_bits)(gf128 sums[2], gf128 *A, gf128 *B, uint64_t *a, const uint64_t *b,
                                const struct linear64 maps[8], const gf128 *e, size_t n);
    /*
     * Bind the lowest variable of A and B (4n elements each) to r, giving A', B' (2n elements),
     * A'[x] = A[2x] + r (A[2x] + A[2x+1]), and add the message of A', B' with e (n weights).
     * A_out may be A, B_out may be B.
     */
    void (*zerocheck_fold_message)(gf128 sums[2], gf128 *A_out, gf128 *B_out, const gf128 *A,
                                   const gf128 *B, gf128 r, const gf128 *e, size_t n);

    /* Bind the three lowest variables, given their eq table: dst[i] = sum_{x<8} e[x] src[8i+x]. */
    void (*fold_low8)(gf128 *dst, const gf128 *src, const gf128 e[8], size_t n);
    /* sums[0] += sum_{j<n} f[2j] w[2j];  sums[1] += sum_{j<n} (f[2j]+f[2j+1]) (w[2j]+w[2j+1]) */
    void (*product_message_low)(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n);
    /*
     * Bind the lowest variable of f and w (4n elements each) to r, giving f_out, w_out (2n), and
     * add their message (n).
     */
    void (*product_fold_message_low)(gf128 sums[2], gf128 *f_out, gf128 *w_out, const gf128 *f,
                                     const gf128 *w, gf128 r, size_t n);
    /* sums[0] += sum_{j<n} f[j+n] w[j+n];  sums[1] += sum_{j<n} (f[j]+f[j+n]) (w[j]+w[j+n]) */
    void (*product_message_high)(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n);

    /* One layer of the additive NTT on n pairs: lo[i] += t * hi[i]; then hi[i] += lo[i]. */
    void (*butterfly)(gf128 *lo, gf128 *hi, gf128 t, size_t n);
    /*
     * Two layers on four runs of n elements, x0 | x1 | x2 | x3 in memory order:
     * butterfly(x0,x2,t0), butterfly(x1,x3,t0), then butterfly(x0,x1,t1), butterfly(x2,x3,t2).
     * xk is read at src + k * src_stride, the result goes to dst + k * dst_stride; dst may be src,
     * with the same stride.
     */
    void (*butterfly4)(gf128 *dst, size_t dst_stride, const gf128 *src, size_t src_stride,
                       const gf128 t[3], size_t n);
    /*
     * The same for a dst that will not be read soon: it may be written past the caches, and others
     * may read it after end_of_stream(). One of these for many calls: it waits for the memory.
     */
    void (*butterfly4_stream)(gf128 *dst, size_t dst_stride, const gf128 *src, size_t src_stride,
                              const gf128 t[3], size_t n);
    void (*end_of_stream)(void);
    /* One layer of the transposed NTT: s = lo[i] + hi[i]; lo[i] = s; hi[i] += t * s. */
    void (*butterfly_transposed)(gf128 *lo, gf128 *hi, gf128 t, size_t n);

    /*
     * Proof of work: the smallest nonce in [first, first + count) for which the first `bits` bits
     * (1..63) of SHA-256(digest || u64le(nonce)) are zero. Returns false if there is none.
     */
    bool (*pow_search)(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                       uint64_t count);
};

/* The tables in use; chosen on first use (flock.h: flock_backend_select). */
const struct kernels *kernels(void);
const struct prover_kernels *prover_kernels(void);

/* The definitions. */
extern const struct kernels portable_kernels;
extern const struct prover_kernels portable_prover_kernels;

/*
 * Backends, best last. available() is cheap and may be called often. `prover` is looked up by name
 * in the prover's own list so that the verifier's library holds no prover code.
 */
struct backend {
    const char *name;
    bool (*available)(void);
    const struct kernels *(*table)(void);
};
struct prover_backend {
    const char *name;
    const struct prover_kernels *(*table)(void);
};

/* Ends with an entry of NULL name. backends[0] is portable. */
extern const struct backend backends[];
extern const struct prover_backend prover_backends[];

#endif
