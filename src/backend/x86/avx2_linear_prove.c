/* GF(2)-linear maps for the x86 backends: nibble_map.h, 64 arguments at a time. */
#include "backend/masked_rows.h"
#include "backend/x86/nibble_map.h"
#include "backend/x86/x86.h"

void avx2_linear64_prepare(struct linear64 *map, const gf128 weights[64])
{
    nibble_map_prepare(nibble_map(map), weights);
}

static inline void linear128_block(gf128 dst[64], const gf128 src[64], const struct nibble_map *low,
                                   const struct nibble_map *high, bool add)
{
    struct bytes64 bytes[16], image[16];
    __m256i v[16];

    for (int h = 0; h < 2; h++) {
        load_lanes(v, src + 32 * h);
        transpose_bytes(v);
        for (int c = 0; c < 16; c++) {
            bytes[c].half[h] = v[c];
            image[c].half[h] = _mm256_setzero_si256();
        }
    }
    add_images(image, bytes, 8, low);
    add_images(image, bytes + 8, 8, high);
    for (int h = 0; h < 2; h++) {
        join_bytes(v, image, h);
        if (add) {
            __m256i old[16];
            load_lanes(old, dst + 32 * h);
            for (int i = 0; i < 16; i++) {
                v[i] = _mm256_xor_si256(v[i], old[i]);
            }
        }
        store_lanes(dst + 32 * h, v);
    }
}

static inline void linear128(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                             const struct linear64 *high, bool add)
{
    const struct nibble_map *low_map = const_nibble_map(low), *high_map = const_nibble_map(high);
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        linear128_block(dst + i, src + i, low_map, high_map, add);
    }
    if (i < n) {
        gf128 rest[64] = {{0, 0}};
        memcpy(rest, src + i, (n - i) * sizeof *src);
        linear128_block(rest, rest, low_map, high_map, false);
        for (size_t j = 0; i + j < n; j++) {
            dst[i + j] = add ? gf128_add(dst[i + j], rest[j]) : rest[j];
        }
    }
}

void avx2_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high)
{
    linear128(dst, src, n, low, high, false);
}

void avx2_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                        const struct linear64 *high)
{
    linear128(dst, src, n, low, high, true);
}

/*
 * Eight 8 x 8 bit matrices, bit c of byte r of a 64-bit word <-> bit r of byte c: blocks of 1, 2, 4
 * bits change sides.
 */
static inline __m256i transpose_bits(__m256i m)
{
    const __m256i mask1 = _mm256_set1_epi64x(0x00aa00aa00aa00aa);
    const __m256i mask2 = _mm256_set1_epi64x(0x0000cccc0000cccc);
    const __m256i mask4 = _mm256_set1_epi64x(0x00000000f0f0f0f0);
    __m256i t;

    t = _mm256_and_si256(_mm256_xor_si256(m, _mm256_srli_epi64(m, 7)), mask1);
    m = _mm256_xor_si256(m, _mm256_xor_si256(t, _mm256_slli_epi64(t, 7)));
    t = _mm256_and_si256(_mm256_xor_si256(m, _mm256_srli_epi64(m, 14)), mask2);
    m = _mm256_xor_si256(m, _mm256_xor_si256(t, _mm256_slli_epi64(t, 14)));
    t = _mm256_and_si256(_mm256_xor_si256(m, _mm256_srli_epi64(m, 28)), mask4);
    return _mm256_xor_si256(m, _mm256_xor_si256(t, _mm256_slli_epi64(t, 28)));
}

/* Rows y = 0..7 of one word each -> byte s holds bit s of all eight. */
static inline struct bytes64 columns_of_8_rows(const uint64_t *rows, size_t stride_words)
{
    uint64_t w[8];
    for (size_t y = 0; y < 8; y++) {
        w[y] = rows[y * stride_words];
    }
    /* Bytes b of rows y, 8 y + b -> 8 b + y: within 16 bytes, then between the four pairs of rows,
     * 8 bytes at a time. */
    const __m256i pairs = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0,
                                           8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    __m256i v0 = _mm256_loadu_si256((const __m256i *)w);       /* rows 0 1 | 2 3 */
    __m256i v1 = _mm256_loadu_si256((const __m256i *)(w + 4)); /* rows 4 5 | 6 7 */
    v0 = _mm256_shuffle_epi8(v0, pairs);
    v1 = _mm256_shuffle_epi8(v1, pairs);
    /* Now 16-bit units [rows 2q 2q+1][b]; lanes are q = 0 | 1 and q = 2 | 3. */
    __m256i q02 = _mm256_permute2x128_si256(v0, v1, 0x20);
    __m256i q13 = _mm256_permute2x128_si256(v0, v1, 0x31);
    __m256i low = _mm256_unpacklo_epi16(q02, q13);  /* b = 0..3: q 0 1 | 2 3 */
    __m256i high = _mm256_unpackhi_epi16(q02, q13); /* b = 4..7 */
    __m256i q01 = _mm256_permute2x128_si256(low, high, 0x20);
    __m256i q23 = _mm256_permute2x128_si256(low, high, 0x31);
    /* 32-bit units [rows 0-3][b], lanes b = 0..3 | 4..7; the unpacked order is b = 0 1 | 4 5. */
    low = _mm256_unpacklo_epi32(q01, q23);
    high = _mm256_unpackhi_epi32(q01, q23);
    return (struct bytes64){{
        transpose_bits(_mm256_permute2x128_si256(low, high, 0x20)),
        transpose_bits(_mm256_permute2x128_si256(low, high, 0x31)),
    }};
}

/* n_rows <= 64 */
static void add_columns(gf128 *sums, const uint64_t *rows, size_t stride_words, size_t n_words,
                        size_t n_rows, const struct linear64 *map)
{
    for (size_t c = 0; c < n_words; c++) {
        struct bytes64 bytes[8], image[16];
        __m256i v[16], old[16];

        for (size_t k = 0; k < n_rows / 8; k++) {
            bytes[k] = columns_of_8_rows(rows + 8 * k * stride_words + c, stride_words);
        }
        for (int i = 0; i < 16; i++) {
            image[i].half[0] = image[i].half[1] = _mm256_setzero_si256();
        }
        add_images(image, bytes, (unsigned)(n_rows / 8), const_nibble_map(map));
        for (int h = 0; h < 2; h++) {
            join_bytes(v, image, h);
            load_lanes(old, sums + 64 * c + 32 * h);
            for (int i = 0; i < 16; i++) {
                v[i] = _mm256_xor_si256(v[i], old[i]);
            }
            store_lanes(sums + 64 * c + 32 * h, v);
        }
    }
}

void avx2_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                           size_t stride_words, size_t n_words, size_t n_rows,
                           const struct linear64 *maps)
{
    enum { ROWS = 64, WORDS = 16 };
    struct masked_rows all = {rows, mask, stride_words};
    for (size_t y = 0; y < n_rows; y += ROWS) {
        size_t n = n_rows - y < ROWS ? n_rows - y : ROWS;
        if (mask == NULL) {
            add_columns(sums, rows + y * stride_words, stride_words, n_words, n, &maps[y / ROWS]);
            continue;
        }
        for (size_t c = 0; c < n_words; c += WORDS) {
            uint64_t tile[ROWS * WORDS];
            size_t width = n_words - c < WORDS ? n_words - c : WORDS;
            copy_rows(tile, rows_from(all, y, c), width, n);
            add_columns(sums + 64 * c, tile, width, width, n, &maps[y / ROWS]);
        }
    }
}
