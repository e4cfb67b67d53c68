/*
 * Every entry of every backend against the portable tables, and the portable tables against naive
 * ones written here from the contracts of backend/kernels.h.
 *
 * A case runs one kernel on a world: some regions of random words that serve as its arrays. Both
 * implementations start from the same world and must leave the same one, so a store before an
 * output shows as well as a wrong result; nobody can read or write behind an array.
 */
#include "support/support.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <flock/flock.h>
#include <openssl/sha.h>

#include "backend/kernels.h"

/* ---- naive tables ---- */

static gf128 naive_mul(gf128 a, gf128 b)
{
    gf128 sum = GF128_ZERO;
    for (unsigned i = 128; i-- > 0;) {
        sum = gf128_mul_x(sum);
        if (((i < 64 ? b.lo >> i : b.hi >> (i - 64)) & 1) != 0) {
            sum = gf128_add(sum, a);
        }
    }
    return sum;
}

static gf128 times_sum(gf128 a, gf128 b, gf128 c)
{
    return naive_mul(a, gf128_add(b, c));
}

static void add_to(gf128 *sum, gf128 term)
{
    *sum = gf128_add(*sum, term);
}

static void naive_scale(gf128 *dst, const gf128 *src, gf128 c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = naive_mul(c, src[i]);
    }
}

static void naive_axpy(gf128 *dst, const gf128 *src, gf128 c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add_to(&dst[i], naive_mul(c, src[i]));
    }
}

static gf128 naive_dot(const gf128 *a, const gf128 *b, size_t n)
{
    gf128 sum = GF128_ZERO;
    for (size_t i = 0; i < n; i++) {
        add_to(&sum, naive_mul(a[i], b[i]));
    }
    return sum;
}

static void naive_eq_expand(gf128 *table, size_t n, gf128 r)
{
    for (size_t i = 0; i < n; i++) {
        table[n + i] = naive_mul(table[i], r);
        table[i] = times_sum(table[i], r, GF128_ONE);
    }
}

static void naive_fold_high(gf128 *f, size_t half, gf128 r)
{
    for (size_t j = 0; j < half; j++) {
        f[j] = gf128_add(times_sum(f[j], r, GF128_ONE), naive_mul(r, f[j + half]));
    }
}

static void naive_sha256_many(uint8_t *digests, const uint8_t *messages, size_t message_bytes,
                              size_t n, size_t ahead)
{
    (void)ahead;
    for (size_t i = 0; i < n; i++) {
        SHA256(messages + i * message_bytes, message_bytes, digests + 32 * i);
    }
}

/* The map is kept as its weights. */
static void naive_linear64_prepare(struct linear64 *map, const gf128 weights[64])
{
    memcpy(map->words, weights, 64 * sizeof *weights);
}

static gf128 naive_image(const struct linear64 *map, uint64_t bits)
{
    gf128 sum = GF128_ZERO;
    for (unsigned s = 0; s < 64; s++) {
        if ((bits >> s & 1) != 0) {
            add_to(&sum, (gf128){map->words[2 * s], map->words[2 * s + 1]});
        }
    }
    return sum;
}

static void naive_linear128_apply(gf128 *dst, const gf128 *src, size_t n,
                                  const struct linear64 *low, const struct linear64 *high)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = gf128_add(naive_image(low, src[i].lo), naive_image(high, src[i].hi));
    }
}

static void naive_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                                const struct linear64 *high)
{
    for (size_t i = 0; i < n; i++) {
        add_to(&dst[i], gf128_add(naive_image(low, src[i].lo), naive_image(high, src[i].hi)));
    }
}

static void naive_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                                   size_t stride_words, size_t n_words, size_t n_rows,
                                   const struct linear64 *maps)
{
    for (size_t y = 0; y < n_rows; y++) {
        const gf128 *weight = (const gf128 *)maps[y / 64].words + y % 64;
        for (size_t c = 0; c < n_words; c++) {
            uint64_t bits = mask != NULL ? mask[y * stride_words + c] : UINT64_MAX;
            bits &= rows[y * stride_words + c];
            for (unsigned s = 0; s < 64; s++) {
                if ((bits >> s & 1) != 0) {
                    add_to(&sums[64 * c + s], *weight);
                }
            }
        }
    }
}

static uint8_t naive_gf8_mul(uint8_t a, uint8_t b)
{
    unsigned product = 0;
    for (unsigned i = 8; i-- > 0;) {
        product = product << 1 ^ (product >> 7) * 0x11b;
        product ^= (b >> i & 1) * a;
    }
    return (uint8_t)product;
}

/* The value at node 64 + i of the row: sum_k kappa / (0x40 + i + k) a_k (spec 01, 1.8). */
static uint8_t naive_extension(uint64_t row, unsigned i, const uint8_t inverse[256])
{
    uint8_t sum = 0;
    for (unsigned k = 0; k < 64; k++) {
        if ((row >> k & 1) != 0) {
            sum ^= naive_gf8_mul(0x84, inverse[0x40 ^ i ^ k]);
        }
    }
    return sum;
}

/* phi(v), from phi(2) (spec 01, 1.4) */
static gf128 naive_embedding(unsigned v)
{
    const gf128 root = {0x6b8330483c2e9849, 0x0dcb364640a222fe};
    gf128 sum = GF128_ZERO;
    for (unsigned bit = 8; bit-- > 0;) {
        sum = naive_mul(sum, root);
        if ((v >> bit & 1) != 0) {
            add_to(&sum, GF128_ONE);
        }
    }
    return sum;
}

static void naive_skip_round(gf128 sums[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                             size_t n_groups)
{
    uint8_t inverse[256] = {0};
    for (unsigned v = 1; v < 256; v++) {
        while (naive_gf8_mul((uint8_t)v, inverse[v]) != 1) {
            inverse[v]++;
        }
    }
    gf128 embedding[256];
    for (unsigned v = 0; v < 256; v++) {
        embedding[v] = naive_embedding(v);
    }
    for (size_t g = 0; g < n_groups; g++) {
        gf128 e_x_j = e[g];
        for (unsigned j = 0; j < 16; j++) {
            gf128 weight = e_x_j;
            for (unsigned k = 0; k < 8; k++) {
                size_t row = 128 * g + 8 * j + k;
                for (unsigned i = 0; i < 64; i++) {
                    uint8_t product = naive_gf8_mul(naive_extension(a[row], i, inverse),
                                                    naive_extension(b[row], i, inverse));
                    add_to(&sums[i], naive_mul(weight, embedding[product]));
                }
                weight = naive_mul(weight, embedding[2]);
            }
            e_x_j = gf128_mul_x(e_x_j);
        }
    }
}

static void naive_skip_values(gf128 values[64], const gf128 sums[64], const gf128 u[64])
{
    (void)u;
    memcpy(values, sums, 64 * sizeof *values);
}

static void naive_zerocheck_message(gf128 sums[2], const gf128 *A, const gf128 *B, const gf128 *e,
                                    size_t n)
{
    for (size_t x = 0; x < n; x++) {
        add_to(&sums[0], naive_mul(e[x], naive_mul(A[2 * x + 1], B[2 * x + 1])));
        add_to(&sums[1], naive_mul(e[x], times_sum(gf128_add(A[2 * x], A[2 * x + 1]), B[2 * x],
                                                   B[2 * x + 1])));
    }
}

/* The maps are kept as the weights of groups and those of the map. */
static void naive_zerocheck_cubes_prepare(struct linear64 maps[2], const gf128 weights[64],
                                          const gf128 low[4], const gf128 high[8])
{
    memcpy(maps[0].words, low, 4 * sizeof *low);
    memcpy(maps[0].words + 8, high, 8 * sizeof *high);
    naive_linear64_prepare(&maps[1], weights);
}

/* A_p of a cube: the digits of p are 0, 1, inf = 2. */
static gf128 naive_cube_value(const struct linear64 *map, const uint64_t rows[8], size_t p)
{
    gf128 sum = GF128_ZERO;
    for (size_t x = 0; x < 8; x++) {
        bool matches = true;
        for (size_t i = 0, digits = p; i < 3; i++, digits /= 3) {
            matches = matches && (digits % 3 == 2 || digits % 3 == (x >> i & 1));
        }
        if (matches) {
            add_to(&sum, naive_image(map, rows[x]));
        }
    }
    return sum;
}

static void naive_zerocheck_cubes(gf128 sums[27], const uint64_t *a, const uint64_t *b,
                                  const struct linear64 maps[2], const gf128 *e, size_t n_groups)
{
    const gf128 *low = (const gf128 *)maps[0].words, *high = low + 4;
    for (size_t g = 0; g < n_groups; g++) {
        gf128 weight = naive_mul(naive_mul(low[g % 4], high[g / 4 % 8]), e[g / 32]);
        for (size_t y = 16 * g; y < 16 * (g + 1); y++) {
            for (size_t p = 1; p < 27; p++) {
                gf128 A = naive_cube_value(&maps[1], a + 8 * y, p);
                gf128 B = naive_cube_value(&maps[1], b + 8 * y, p);
                add_to(&sums[p], naive_mul(weight, naive_mul(A, B)));
            }
            weight = gf128_mul_x(weight);
        }
    }
}

static void naive_zerocheck_fold_bits_prepare(struct linear64 maps[8], const gf128 weights[8 * 64])
{
    for (size_t x = 0; x < 8; x++) {
        naive_linear64_prepare(&maps[x], weights + 64 * x);
    }
}

static void naive_zerocheck_fold_bits(gf128 sums[2], gf128 *A, gf128 *B, uint64_t *a,
                                      const uint64_t *b, const struct linear64 maps[8],
                                      const gf128 *e, size_t n)
{
    for (size_t y = 0; y < 2 * n; y++) {
        A[y] = B[y] = GF128_ZERO;
        for (size_t x = 0; x < 8; x++) {
            add_to(&A[y], naive_image(&maps[x], a[8 * y + x]));
            add_to(&B[y], naive_image(&maps[x], b[8 * y + x]));
            a[8 * y + x] &= b[8 * y + x];
        }
    }
    naive_zerocheck_message(sums, A, B, e, n);
}

static void naive_fold_low(gf128 *dst, const gf128 *src, gf128 r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = gf128_add(src[2 * i], times_sum(r, src[2 * i], src[2 * i + 1]));
    }
}

static void naive_zerocheck_fold_message(gf128 sums[2], gf128 *A_out, gf128 *B_out, const gf128 *A,
                                         const gf128 *B, gf128 r, const gf128 *e, size_t n)
{
    naive_fold_low(A_out, A, r, 2 * n);
    naive_fold_low(B_out, B, r, 2 * n);
    naive_zerocheck_message(sums, A_out, B_out, e, n);
}

static void naive_fold_low8(gf128 *dst, const gf128 *src, const gf128 e[8], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = GF128_ZERO;
        for (size_t x = 0; x < 8; x++) {
            dst[i] = gf128_add(dst[i], naive_mul(e[x], src[8 * i + x]));
        }
    }
}

static void naive_product_message_low(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        add_to(&sums[0], naive_mul(f[2 * j], w[2 * j]));
        add_to(&sums[1], times_sum(gf128_add(f[2 * j], f[2 * j + 1]), w[2 * j], w[2 * j + 1]));
    }
}

static void naive_product_fold_message_low(gf128 sums[2], gf128 *f_out, gf128 *w_out,
                                           const gf128 *f, const gf128 *w, gf128 r, size_t n)
{
    naive_fold_low(f_out, f, r, 2 * n);
    naive_fold_low(w_out, w, r, 2 * n);
    naive_product_message_low(sums, f_out, w_out, n);
}

static void naive_product_message_high(gf128 sums[2], const gf128 *f, const gf128 *w, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        add_to(&sums[0], naive_mul(f[j + n], w[j + n]));
        add_to(&sums[1], times_sum(gf128_add(f[j], f[j + n]), w[j], w[j + n]));
    }
}

static void naive_butterfly(gf128 *lo, gf128 *hi, gf128 t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add_to(&lo[i], naive_mul(t, hi[i]));
        add_to(&hi[i], lo[i]);
    }
}

static void naive_end_of_stream(void)
{
}

static void naive_butterfly4(gf128 *dst, size_t dst_stride, const gf128 *src, size_t src_stride,
                             const gf128 t[3], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        gf128 x[4];
        for (size_t k = 0; k < 4; k++) {
            x[k] = src[k * src_stride + i];
        }
        naive_butterfly(&x[0], &x[2], t[0], 1);
        naive_butterfly(&x[1], &x[3], t[0], 1);
        naive_butterfly(&x[0], &x[1], t[1], 1);
        naive_butterfly(&x[2], &x[3], t[2], 1);
        for (size_t k = 0; k < 4; k++) {
            dst[k * dst_stride + i] = x[k];
        }
    }
}

static void naive_butterfly_transposed(gf128 *lo, gf128 *hi, gf128 t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        gf128 s = gf128_add(lo[i], hi[i]);
        lo[i] = s;
        add_to(&hi[i], naive_mul(t, s));
    }
}

static bool naive_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits,
                             uint64_t first, uint64_t count)
{
    uint8_t message[40], hash[32];
    memcpy(message, digest, 32);
    for (uint64_t candidate = first; candidate < first + count; candidate++) {
        store_le64(message + 32, candidate);
        SHA256(message, sizeof message, hash);
        unsigned zeros = 0;
        while (zeros < 256 && (hash[zeros / 8] >> (7 - zeros % 8) & 1) == 0) {
            zeros++;
        }
        if (zeros >= bits) {
            *nonce = candidate;
            return true;
        }
    }
    return false;
}

static struct kernels naive_kernels = {
    .name = "naive",
    .mul = naive_mul,
    .scale = naive_scale,
    .axpy = naive_axpy,
    .dot = naive_dot,
    .eq_expand = naive_eq_expand,
    .fold_high = naive_fold_high,
    .sha256_many = naive_sha256_many,
};

static const struct prover_kernels naive_prover_kernels = {
    .linear64_prepare = naive_linear64_prepare,
    .linear128_apply = naive_linear128_apply,
    .linear128_add = naive_linear128_add,
    .linear64_columns = naive_linear64_columns,
    .skip_round = naive_skip_round,
    .skip_values = naive_skip_values,
    .zerocheck_cubes_prepare = naive_zerocheck_cubes_prepare,
    .zerocheck_cubes = naive_zerocheck_cubes,
    .zerocheck_fold_bits_prepare = naive_zerocheck_fold_bits_prepare,
    .zerocheck_fold_bits = naive_zerocheck_fold_bits,
    .zerocheck_fold_message = naive_zerocheck_fold_message,
    .fold_low8 = naive_fold_low8,
    .product_message_low = naive_product_message_low,
    .product_fold_message_low = naive_product_fold_message_low,
    .product_message_high = naive_product_message_high,
    .butterfly = naive_butterfly,
    .butterfly4 = naive_butterfly4,
    .butterfly4_stream = naive_butterfly4,
    .end_of_stream = naive_end_of_stream,
    .butterfly_transposed = naive_butterfly_transposed,
    .pow_search = naive_pow_search,
};

/* ---- worlds and cases ---- */

enum { N_REGIONS = 5, REGION_BYTES = 69632, REGION_ROOM = 131072 };

/*
 * Each region ends where a page without access begins, and arrays are put at its end, so that a
 * kernel that reads or writes behind an array is stopped. What stands before an array is compared.
 */
struct world {
    gf128 scalars[4];
    uint8_t *memory[N_REGIONS]; /* REGION_ROOM bytes, a multiple of any page size, and the guard */
};

struct implementation {
    const struct kernels *k;
    const struct prover_kernels *p;
    struct linear64 low, high, maps[8], cubes[2], fold[8]; /* of the same weights for all */
};

/* Words between an array and the end of its region: 8-byte alignment is all that is promised. */
static unsigned words_behind;

static uint8_t *bytes(struct world *w, unsigned region, size_t len)
{
    assert_true(len <= REGION_BYTES);
    return w->memory[region] + REGION_ROOM - len;
}

static uint64_t *words(struct world *w, unsigned region, size_t n)
{
    return (uint64_t *)bytes(w, region, 8 * (n + words_behind));
}

static gf128 *elements(struct world *w, unsigned region, size_t n)
{
    return (gf128 *)words(w, region, 2 * n);
}

static void world_init(struct world *w)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < N_REGIONS; i++) {
        void *memory;
        assert_int_equal(posix_memalign(&memory, page, REGION_ROOM + page), 0);
        w->memory[i] = memory;
        assert_int_equal(mprotect(w->memory[i] + REGION_ROOM, page, PROT_NONE), 0);
    }
}

static void world_release(struct world *w)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < N_REGIONS; i++) {
        mprotect(w->memory[i] + REGION_ROOM, page, PROT_READ | PROT_WRITE);
        free(w->memory[i]);
    }
}

typedef void (*kernel_case)(const struct implementation *with, struct world *w, size_t n);

static void case_mul(const struct implementation *with, struct world *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        elements(w, 0, n)[i] = with->k->mul(elements(w, 1, n)[i], elements(w, 2, n)[i]);
    }
}

static void case_scale(const struct implementation *with, struct world *w, size_t n)
{
    with->k->scale(elements(w, 0, n), elements(w, 1, n), w->scalars[0], n);
    with->k->scale(elements(w, 2, n), elements(w, 2, n), w->scalars[1], n);
}

static void case_axpy(const struct implementation *with, struct world *w, size_t n)
{
    with->k->axpy(elements(w, 0, n), elements(w, 1, n), w->scalars[0], n);
}

static void case_dot(const struct implementation *with, struct world *w, size_t n)
{
    w->scalars[0] = with->k->dot(elements(w, 0, n), elements(w, 1, n), n);
}

static void case_eq_expand(const struct implementation *with, struct world *w, size_t n)
{
    with->k->eq_expand(elements(w, 0, 2 * n), n, w->scalars[0]);
}

static void case_fold_high(const struct implementation *with, struct world *w, size_t n)
{
    with->k->fold_high(elements(w, 0, 2 * n), n, w->scalars[0]);
}

static void case_sha256_compress(const struct implementation *with, struct world *w, size_t n)
{
    if (with->k->sha256_compress == NULL) {
        return; /* tests/test_hash.c compares the portable one with vectors */
    }
    with->k->sha256_compress((uint32_t *)words(w, 0, 4), bytes(w, 1, 64 * n), n);
}

static void case_sha256_many(const struct implementation *with, struct world *w, size_t n)
{
    size_t message_bytes = 64 * (1 + n % 5), n_messages = n < 64 ? n : 64;
    with->k->sha256_many(bytes(w, 0, 32 * n_messages), bytes(w, 1, message_bytes * n_messages),
                         message_bytes, n_messages, n % 3 * 4096);
}

static void case_linear128(const struct implementation *with, struct world *w, size_t n)
{
    with->p->linear128_apply(elements(w, 0, n), elements(w, 1, n), n, &with->low, &with->high);
    with->p->linear128_apply(elements(w, 2, n), elements(w, 2, n), n, &with->high, &with->low);
    with->p->linear128_add(elements(w, 3, n), elements(w, 4, n), n, &with->low, &with->high);
}

/* Word c becomes zero in all rows, or in all but row kind / 2. */
static void clear_column(uint64_t *rows, size_t stride_words, size_t c, size_t n_rows, size_t kind)
{
    for (size_t y = 0; y < n_rows; y++) {
        if (kind % 2 == 0 || y != kind / 2 % n_rows) {
            rows[y * stride_words + c] = 0;
        }
    }
}

/* rows[(n_rows - 1) * stride + n_words - 1] is the last word that belongs to the array. */
static void columns(const struct implementation *with, struct world *w, unsigned region,
                    size_t stride_words, size_t n_words, size_t n_rows)
{
    size_t array_words = n_rows == 0 || n_words == 0 ? 0 : (n_rows - 1) * stride_words + n_words;
    uint64_t *rows = words(w, region + 1, array_words);
    const uint64_t *mask = words(w, region + 2, array_words);
    gf128 *sums = elements(w, region, 64 * n_words);
    with->p->linear64_columns(sums, rows, mask, stride_words, n_words, n_rows, with->maps);
    with->p->linear64_columns(sums, rows, NULL, stride_words, n_words, n_rows, with->maps);
    for (size_t c = 0; c < n_words; c += 2) {
        clear_column(rows, stride_words, c, n_rows, c / 2 * 11);
    }
    with->p->linear64_columns(sums, rows, NULL, stride_words, n_words, n_rows, with->maps);
    for (size_t c = 1; c < n_words; c += 2) {
        clear_column(rows, stride_words, c, n_rows, n_words);
    }
    with->p->linear64_columns(sums, rows, mask, stride_words, n_words, n_rows, with->maps);
}

static void case_linear64_columns(const struct implementation *with, struct world *w, size_t n)
{
    size_t n_words = n / 9 < 16 ? n / 9 : 16;
    columns(with, w, 0, n_words + n % 4, n_words, 8 * (n % 25));
    columns(with, w, 2, n % 17, n % 17, 8 * (n % 41));
}

/* 64 rows that are zero, or zero but for one bit. */
static void clear_rows(uint64_t rows[64], size_t kind)
{
    memset(rows, 0, 64 * sizeof *rows);
    if (kind % 3 == 0) {
        rows[kind % 64] = (uint64_t)1 << kind % 61;
    }
}

/* u[s] += the sum over all rows of their weights times bit s of the row of a AND b. */
static void add_weighted_bits(gf128 u[64], const uint64_t *a, const uint64_t *b, const gf128 *e,
                              size_t n_groups)
{
    const gf128 root = naive_embedding(2);
    for (size_t g = 0; g < n_groups; g++) {
        gf128 e_x_j = e[g];
        for (size_t row = 128 * g; row < 128 * g + 128; row += 8) {
            gf128 weight = e_x_j;
            for (size_t k = 0; k < 8; k++) {
                for (uint64_t bits = a[row + k] & b[row + k]; bits != 0; bits &= bits - 1) {
                    add_to(&u[__builtin_ctzll(bits)], weight);
                }
                weight = naive_mul(weight, root);
            }
            e_x_j = gf128_mul_x(e_x_j);
        }
    }
}

/* The sums are the backend's own affair, except that they are added up and scaled. */
static void case_skip_round(const struct implementation *with, struct world *w, size_t n)
{
    size_t n_groups = n < 67 ? n : 67;
    uint64_t *a = words(w, 1, 128 * n_groups), *b = words(w, 2, 128 * n_groups);
    gf128 *sums = elements(w, 0, 64), u[64] = {{0, 0}};
    const gf128 *e = elements(w, 3, n_groups);
    memset(sums, 0, 64 * sizeof *sums);
    with->p->skip_round(sums, a, b, e, n_groups);
    add_weighted_bits(u, a, b, e, n_groups);
    naive_scale(sums, sums, w->scalars[1], 64);
    naive_scale(u, u, w->scalars[1], 64);
    for (size_t i = 0; i < 2 * n_groups; i++) {
        if ((i / 8 + i / 2 + n) % 3 == 0) {
            clear_rows(a + 64 * i, i * n);
        }
        if ((i / 10 + n) % 2 == 0) {
            clear_rows(b + 64 * i, i + n);
        }
    }
    with->p->skip_round(sums, a, b, e, n_groups);
    add_weighted_bits(u, a, b, e, n_groups);
    naive_scale(sums, sums, w->scalars[0], 64);
    naive_scale(u, u, w->scalars[0], 64);
    with->p->skip_values(elements(w, 4, 64), sums, u);
    memset(sums, 0, 64 * sizeof *sums);
}

static void case_zerocheck_cubes(const struct implementation *with, struct world *w, size_t n)
{
    size_t n_groups = n < 36 ? n : 36;
    uint64_t *a = words(w, 0, 128 * n_groups), *b = words(w, 1, 128 * n_groups);
    gf128 *sums = elements(w, 3, 27);
    const gf128 *e = elements(w, 2, (n_groups + 31) / 32);
    with->p->zerocheck_cubes(sums, a, b, with->cubes, e, n_groups);
    naive_scale(sums, sums, w->scalars[0], 27); /* or what is left as it is would cancel */
    for (size_t i = 0; i < 2 * n_groups; i++) {
        if ((i / 7 + i + n) % 3 == 0) {
            clear_rows(a + 64 * i, i * n);
        }
    }
    with->p->zerocheck_cubes(sums, a, b, with->cubes, e, n_groups);
}

/* 64 cubes, or the rest: zero, or zero but for one row. */
static void clear_cubes(uint64_t *rows, size_t n_rows, size_t kind)
{
    const size_t row[3] = {0, n_rows - 1, 37 * kind % n_rows};
    memset(rows, 0, n_rows * sizeof *rows);
    if (kind % 4 < 3) {
        rows[row[kind % 4]] = (uint64_t)1 << kind % 61;
    }
}

static void case_zerocheck_fold_bits(const struct implementation *with, struct world *w, size_t n)
{
    size_t n_weights = n < 256 ? n / 4 * 4 : 256;
    gf128 *A = elements(w, 0, 2 * n_weights), *B = elements(w, 1, 2 * n_weights);
    uint64_t *a = words(w, 2, 16 * n_weights), *b = words(w, 3, 16 * n_weights);
    const gf128 *e = elements(w, 4, n_weights);
    with->p->zerocheck_fold_bits(w->scalars, A, B, a, b, with->fold, e, n_weights);
    for (size_t i = 0; i < n_weights / 4; i++) {
        if ((i + n) % 3 != 0) {
            clear_rows(a + 64 * i, i + n);
        }
        if ((i / 2 + n) % 2 == 0) {
            clear_rows(b + 64 * i, i);
        }
    }
    with->p->zerocheck_fold_bits(w->scalars, A, B, a, b, with->fold, e, n_weights);
    for (size_t i = 0; i < 16 * n_weights; i += 512) {
        clear_cubes(a + i, 16 * n_weights - i < 512 ? 16 * n_weights - i : 512, i / 512 + n);
    }
    with->p->zerocheck_fold_bits(w->scalars, A, B, a, b, with->fold, e, n_weights);
}

static void case_zerocheck_fold_message(const struct implementation *with, struct world *w,
                                        size_t n)
{
    const gf128 *e = elements(w, 4, n);
    gf128 *A = elements(w, 2, 4 * n), *B = elements(w, 3, 4 * n);
    with->p->zerocheck_fold_message(w->scalars, elements(w, 0, 2 * n), elements(w, 1, 2 * n), A, B,
                                    w->scalars[2], e, n);
    with->p->zerocheck_fold_message(w->scalars, A, B, A, B, w->scalars[3], e, n);
}

static void case_fold_low8(const struct implementation *with, struct world *w, size_t n)
{
    n /= 2; /* the size of a region */
    with->p->fold_low8(elements(w, 0, n), elements(w, 1, 8 * n), elements(w, 2, 8), n);
}

static void case_product_message_low(const struct implementation *with, struct world *w, size_t n)
{
    with->p->product_message_low(w->scalars, elements(w, 0, 2 * n), elements(w, 1, 2 * n), n);
}

static void case_product_fold_message_low(const struct implementation *with, struct world *w,
                                          size_t n)
{
    with->p->product_fold_message_low(w->scalars, elements(w, 0, 2 * n), elements(w, 1, 2 * n),
                                      elements(w, 2, 4 * n), elements(w, 3, 4 * n), w->scalars[2],
                                      n);
}

static void case_product_message_high(const struct implementation *with, struct world *w, size_t n)
{
    with->p->product_message_high(w->scalars, elements(w, 0, 2 * n), elements(w, 1, 2 * n), n);
}

static void case_butterfly(const struct implementation *with, struct world *w, size_t n)
{
    gf128 *x = elements(w, 2, 2 * n);
    with->p->butterfly(elements(w, 0, n), elements(w, 1, n), w->scalars[0], n);
    with->p->butterfly(x, x + n, GF128_ZERO, n);
}

static void case_butterfly4(const struct implementation *with, struct world *w, size_t n)
{
    const gf128 first_block[3] = {GF128_ZERO, GF128_ZERO, w->scalars[3]};
    const gf128 t0_zero[3] = {GF128_ZERO, w->scalars[1], w->scalars[2]};
    const gf128 t1_zero[3] = {w->scalars[1], GF128_ZERO, w->scalars[2]};
    const gf128 below_64[3] = {{w->scalars[0].lo, 0}, {w->scalars[1].lo, 0}, {w->scalars[2].lo, 0}};
    const gf128 second_below_64[3] = {w->scalars[0], below_64[1], below_64[2]};
    const gf128 t2_above[3] = {w->scalars[0], below_64[1], w->scalars[2]};
    const size_t apart = n + (n < 590 ? 3 : 0);
    gf128 *together = elements(w, 0, 4 * n), *spaced = elements(w, 1, 3 * apart + n);
    gf128 *x = elements(w, 2, 4 * n);
    with->p->butterfly4(together, n, together, n, w->scalars, n);
    with->p->butterfly4(spaced, apart, together, n, w->scalars, n);
    with->p->butterfly4(x, n, spaced, apart, first_block, n);
    with->p->butterfly4(spaced, apart, spaced, apart, first_block, n);
    x = elements(w, 3, 4 * n);
    with->p->butterfly4(x, n, x, n, t0_zero, n);
    with->p->butterfly4(x, n, x, n, second_below_64, n);
    with->p->butterfly4(x, n, x, n, t2_above, n);
    x = elements(w, 4, 4 * n);
    with->p->butterfly4(x, n, x, n, t1_zero, n);
    with->p->butterfly4(x, n, x, n, below_64, n);
}

/* The result at any alignment, and aligned with a rest at the end of each run. */
static void case_butterfly4_stream(const struct implementation *with, struct world *w, size_t n)
{
    const gf128 short_0 = {w->scalars[0].lo, 0}, short_1 = {w->scalars[1].lo, 0};
    const gf128 short_2 = {w->scalars[2].lo, 0};
    const gf128 t[4][3] = {{w->scalars[0], w->scalars[1], w->scalars[2]},
                           {w->scalars[0], short_1, short_2},
                           {short_0, short_1, short_2},
                           {GF128_ZERO, GF128_ZERO, w->scalars[3]}};
    const size_t padded = (n + 3) / 4 * 4;
    for (unsigned i = 0; i < 4; i++) {
        gf128 *dst = elements(w, 1 + i, 4 * padded);
        with->p->butterfly4_stream(dst, padded, elements(w, 0, 4 * n), n, t[i], n);
    }
    /* The first run aligned, the others not. */
    with->p->butterfly4_stream(elements(w, 1, 4 * n), n, elements(w, 0, 4 * n), n, t[0], n);
    with->p->end_of_stream();
}

static void case_butterfly_transposed(const struct implementation *with, struct world *w, size_t n)
{
    with->p->butterfly_transposed(elements(w, 0, n), elements(w, 1, n), w->scalars[0], n);
}

static void case_pow_search(const struct implementation *with, struct world *w, size_t n)
{
    unsigned bits = n % 16 == 15 ? 63 : 1 + n % 16 % 11;
    uint64_t first = n % 2 == 0 ? n : words(w, 1, 1)[0] >> 1;
    uint64_t *result = words(w, 2, 2);
    result[0] = with->p->pow_search(&result[1], bytes(w, 0, 32), bits, first, 16 * n + n % 7);
}

static const struct {
    const char *name;
    kernel_case run;
    size_t naive_limit; /* sizes up to this one are compared with the naive tables */
} cases[] = {
    {"mul", case_mul, 600},
    {"scale", case_scale, 130},
    {"axpy", case_axpy, 130},
    {"dot", case_dot, 130},
    {"eq_expand", case_eq_expand, 130},
    {"fold_high", case_fold_high, 130},
    {"sha256_compress", case_sha256_compress, 0},
    {"sha256_many", case_sha256_many, 600},
    {"linear128", case_linear128, 600},
    {"linear64_columns", case_linear64_columns, 600},
    {"skip_round", case_skip_round, 2},
    {"zerocheck_cubes", case_zerocheck_cubes, 34},
    {"zerocheck_fold_bits", case_zerocheck_fold_bits, 130},
    {"zerocheck_fold_message", case_zerocheck_fold_message, 130},
    {"fold_low8", case_fold_low8, 130},
    {"product_message_low", case_product_message_low, 130},
    {"product_fold_message_low", case_product_fold_message_low, 130},
    {"product_message_high", case_product_message_high, 130},
    {"butterfly", case_butterfly, 130},
    {"butterfly4", case_butterfly4, 130},
    {"butterfly4_stream", case_butterfly4_stream, 130},
    {"butterfly_transposed", case_butterfly_transposed, 130},
    {"pow_search", case_pow_search, 600},
};

static void fill(void *data, size_t len, struct splitmix *random)
{
    for (size_t i = 0; i < len / 8; i++) {
        /* Runs of ones and of zeros reach carries and columns that random words do not. */
        uint64_t word = splitmix_next(random);
        uint64_t kind = splitmix_next(random) % 8;
        ((uint64_t *)data)[i] = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : word;
    }
}

static void implementation_init(struct implementation *with, const struct kernels *k,
                                const struct prover_kernels *p)
{
    struct splitmix random = {20240229};
    gf128 weights[64], fold_weights[8 * 64];
    with->k = k;
    with->p = p;
    fill(weights, sizeof weights, &random);
    p->linear64_prepare(&with->low, weights);
    fill(weights, sizeof weights, &random);
    p->linear64_prepare(&with->high, weights);
    gf128 of_groups[12];
    fill(weights, sizeof weights, &random);
    fill(of_groups, sizeof of_groups, &random);
    p->zerocheck_cubes_prepare(with->cubes, weights, of_groups, of_groups + 4);
    fill(fold_weights, sizeof fold_weights, &random);
    p->zerocheck_fold_bits_prepare(with->fold, fold_weights);
    for (size_t i = 0; i < 8; i++) {
        fill(weights, sizeof weights, &random);
        p->linear64_prepare(&with->maps[i], weights);
    }
}

static struct world worlds[2];

static int worlds_setup(void **state)
{
    (void)state;
    world_init(&worlds[0]);
    world_init(&worlds[1]);
    return 0;
}

static int worlds_teardown(void **state)
{
    (void)state;
    world_release(&worlds[0]);
    world_release(&worlds[1]);
    return 0;
}

static void run_case(size_t index, size_t n, const struct implementation *one,
                     const struct implementation *other)
{
    struct splitmix random = {1000 * index + n};
    bool same;

    words_behind = n % 3 == 0 ? 0 : n % 8;
    fill(worlds[0].scalars, sizeof worlds[0].scalars, &random);
    memcpy(worlds[1].scalars, worlds[0].scalars, sizeof worlds[0].scalars);
    for (unsigned i = 0; i < N_REGIONS; i++) {
        fill(bytes(&worlds[0], i, REGION_BYTES), REGION_BYTES, &random);
        memcpy(bytes(&worlds[1], i, REGION_BYTES), bytes(&worlds[0], i, REGION_BYTES),
               REGION_BYTES);
    }
    cases[index].run(one, &worlds[0], n);
    cases[index].run(other, &worlds[1], n);
    same = memcmp(worlds[0].scalars, worlds[1].scalars, sizeof worlds[0].scalars) == 0;
    for (unsigned i = 0; i < N_REGIONS; i++) {
        same = same && memcmp(bytes(&worlds[0], i, REGION_BYTES),
                              bytes(&worlds[1], i, REGION_BYTES), REGION_BYTES) == 0;
    }
    if (!same) {
        fail_msg("%s: %s and %s differ for n = %zu", cases[index].name, one->k->name,
                 other->k->name, n);
    }
}

static const size_t sizes[] = {0,  1,  2,   3,   4,   5,   6,   7,   8,   9,   10, 11, 12, 13,
                               14, 15, 16,  17,  18,  19,  20,  21,  22,  23,  24, 25, 26, 27,
                               28, 29, 30,  31,  32,  33,  34,  35,  36,  37,  38, 39, 40, 63,
                               64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 599};

enum { N_CASES = sizeof cases / sizeof *cases, N_SIZES = sizeof sizes / sizeof *sizes };

static void test_portable_is_the_contract(void **state)
{
    (void)state;
    static struct implementation naive, portable;
    naive_kernels.sha256_compress = NULL;
    implementation_init(&naive, &naive_kernels, &naive_prover_kernels);
    implementation_init(&portable, &portable_kernels, &portable_prover_kernels);
    for (size_t i = 0; i < N_CASES; i++) {
        for (size_t j = 0; j < N_SIZES && sizes[j] <= cases[i].naive_limit; j++) {
            run_case(i, sizes[j], &naive, &portable);
        }
    }
}

static void test_backends_agree(void **state)
{
    (void)state;
    static struct implementation portable, other;
    implementation_init(&portable, &portable_kernels, &portable_prover_kernels);
    for (const struct backend *b = backends; b->name != NULL; b++) {
        if (!b->available()) {
            print_message("backend %s: not on this machine\n", b->name);
            continue;
        }
        assert_int_equal(flock_backend_select(b->name), FLOCK_OK);
        implementation_init(&other, kernels(), prover_kernels());
        for (size_t i = 0; i < N_CASES; i++) {
            for (size_t j = 0; j < N_SIZES; j++) {
                run_case(i, sizes[j], &other, &portable);
            }
        }
    }
}

/* Rows so far apart that they share few sets of a cache; kernels go by shorter blocks there. */
static void test_columns_of_wide_rows(void **state)
{
    (void)state;
    enum { STRIDE = 1 << 10, MOST_WORDS = 19, N_ROWS = 328 };
    static const size_t n_rows[] = {64, 72, 128, 136, 200, N_ROWS};
    static const size_t n_words[] = {1, 8, MOST_WORDS};
    static struct implementation portable, other;
    struct splitmix random = {1024};
    const size_t size = (N_ROWS - 1) * STRIDE + MOST_WORDS;
    uint64_t *rows = malloc(size * sizeof *rows);
    assert_non_null(rows);
    fill(rows, size * sizeof *rows, &random);
    implementation_init(&portable, &portable_kernels, &portable_prover_kernels);
    for (const struct backend *b = backends; b->name != NULL; b++) {
        if (!b->available()) {
            continue;
        }
        assert_int_equal(flock_backend_select(b->name), FLOCK_OK);
        implementation_init(&other, kernels(), prover_kernels());
        for (size_t i = 0; i < 18; i++) {
            static gf128 expected[64 * MOST_WORDS], sums[64 * MOST_WORDS];
            memset(expected, 0, sizeof expected);
            memset(sums, 0, sizeof sums);
            portable.p->linear64_columns(expected, rows, NULL, STRIDE, n_words[i / 6],
                                         n_rows[i % 6], portable.maps);
            other.p->linear64_columns(sums, rows, NULL, STRIDE, n_words[i / 6], n_rows[i % 6],
                                      other.maps);
            assert_memory_equal(sums, expected, sizeof sums);
        }
    }
    free(rows);
}

/* ---- the choice ---- */

static const char *best_backend(void)
{
    const char *best = NULL;
    for (const struct backend *b = backends; b->name != NULL; b++) {
        best = b->available() ? b->name : best;
    }
    return best;
}

/* The backend a fresh process uses with this value of FLOCK_BACKEND (NULL: none). */
static void assert_default_backend(const char *value, const char *expected)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool done =
            value != NULL ? setenv("FLOCK_BACKEND", value, 1) == 0 : unsetenv("FLOCK_BACKEND") == 0;
        _exit(done && strcmp(flock_backend_name(), expected) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Must run before anything else here uses kernels(). */
static void test_environment(void **state)
{
    (void)state;
    assert_default_backend(NULL, best_backend());
    assert_default_backend("", best_backend());
    assert_default_backend("auto", best_backend());
    assert_default_backend("abacus", best_backend());
    for (const struct backend *b = backends; b->name != NULL; b++) {
        assert_default_backend(b->name, b->available() ? b->name : best_backend());
    }
}

static void test_select(void **state)
{
    (void)state;
    const gf128 a = {0x0123456789abcdef, 0xfedcba9876543210}, b = {UINT64_MAX, 3};

    assert_string_equal(backends[0].name, "portable");
    assert_ptr_equal(backends[0].table(), &portable_kernels);
    for (const struct backend *one = backends; one->name != NULL; one++) {
        const struct prover_backend *prover = prover_backends;
        while (prover->name != NULL && strcmp(prover->name, one->name) != 0) {
            prover++;
        }
        assert_non_null(prover->name);
        if (!one->available()) {
            assert_int_equal(flock_backend_select(one->name), FLOCK_ERR_UNSUPPORTED);
            continue;
        }
        assert_int_equal(flock_backend_select(one->name), FLOCK_OK);
        assert_string_equal(flock_backend_name(), one->name);
        assert_ptr_equal(kernels(), one->table());
        assert_ptr_equal(prover_kernels(), prover->table());
        assert_string_equal(kernels()->name, one->name);
        assert_gf128_equal(gf128_mul(a, b), naive_mul(a, b));
        /* A refused name changes nothing. */
        assert_int_equal(flock_backend_select("abacus"), FLOCK_ERR_UNSUPPORTED);
        assert_int_equal(flock_backend_select(""), FLOCK_ERR_UNSUPPORTED);
        assert_int_equal(flock_backend_select(NULL), FLOCK_ERR_ARGUMENT);
        assert_string_equal(flock_backend_name(), one->name);
    }
    assert_int_equal(flock_backend_select("auto"), FLOCK_OK);
    assert_string_equal(flock_backend_name(), best_backend());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_portable_is_the_contract),
        cmocka_unit_test(test_backends_agree),
        cmocka_unit_test(test_columns_of_wide_rows),
    };
    return cmocka_run_group_tests(tests, worlds_setup, worlds_teardown);
}
