/* GF(2)-linear maps for the backend "avx512": bit_matrix.h. */
#include "backend/x86/bit_matrix.h"
#include "backend/x86/x86.h"

void avx512_linear64_prepare(struct linear64 *map, const gf128 weights[64])
{
    bit_map_prepare((struct bit_map *)map->words, weights);
}

/* The 64-bit halves of the elements first .. of n, at most four. */
INLINE __mmask8 halves(size_t n, size_t first)
{
    return n <= first ? 0 : n >= first + 4 ? 0xff : (__mmask8)((1U << 2 * (n - first)) - 1);
}

/* n <= 8 elements: 32 multiplications. */
INLINE void linear128_step(gf128 *dst, const gf128 *src, size_t n, const struct bit_map *low,
                           const struct bit_map *high, bool add)
{
    __mmask8 mask0 = halves(n, 0), mask1 = halves(n, 4);
    __m512i v0 = _mm512_maskz_loadu_epi64(mask0, src);
    __m512i v1 = _mm512_maskz_loadu_epi64(mask1, src + 4);
    alignas(64) uint64_t byte[16];

    store_bytes(byte, v0, v1);
    READ_BACK(byte);
    join_elements(&v0, &v1, image_of_elements(byte, low, high));
    if (add) {
        v0 = _mm512_xor_si512(v0, _mm512_maskz_loadu_epi64(mask0, dst));
        v1 = _mm512_xor_si512(v1, _mm512_maskz_loadu_epi64(mask1, dst + 4));
    }
    _mm512_mask_storeu_epi64(dst, mask0, v0);
    _mm512_mask_storeu_epi64(dst + 4, mask1, v1);
}

INLINE void linear128(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                      const struct linear64 *high, bool add)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        linear128_step(dst + i, src + i, 8, const_bit_map(low), const_bit_map(high), add);
    }
    if (i < n) {
        linear128_step(dst + i, src + i, n - i, const_bit_map(low), const_bit_map(high), add);
    }
}

void avx512_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                            const struct linear64 *high)
{
    linear128(dst, src, n, low, high, false);
}

void avx512_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high)
{
    linear128(dst, src, n, low, high, true);
}

/* ---- sums over bit columns ---- */

/*
 * Columns of a matrix of bits are 64 bytes side by side, byte s = bits s of eight rows; images are
 * 16 registers, byte s of image[c] = byte c of column s. A map is read as matrix[8 rows][c].
 */
enum { BLOCK_ROWS = 128, TILE_WORDS = 8 };

struct columns {
    __m512i eight_rows[BLOCK_ROWS / 8];
};

/* Bytes of eight rows, the last first -> columns: a product by a diagonal matrix transposes it. */
INLINE __m512i eight_columns(__m512i bytes)
{
    return product(_mm512_set1_epi64((long long)0x8040201008040201), bytes);
}

/* Four rows of two words. */
INLINE __m512i load_rows(const uint64_t *rows, size_t stride)
{
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)rows));
    v = _mm512_inserti64x2(v, _mm_loadu_si128((const __m128i *)(rows + stride)), 1);
    v = _mm512_inserti64x2(v, _mm_loadu_si128((const __m128i *)(rows + 2 * stride)), 2);
    return _mm512_inserti64x2(v, _mm_loadu_si128((const __m128i *)(rows + 3 * stride)), 3);
}

/* Eight rows of up to eight words, as block k of each word's columns. */
INLINE void gather(struct columns *columns, size_t k, const uint64_t *rows, size_t stride,
                   size_t n_words)
{
    size_t c = 0;
    for (; c + 2 <= n_words; c += 2) {
        struct bytes16x8 bytes = transpose_elements(
            load_rows(rows + c, stride), load_rows(rows + 4 * stride + c, stride), REVERSED);
        columns[c].eight_rows[k] = eight_columns(bytes.low);
        columns[c + 1].eight_rows[k] = eight_columns(bytes.high);
    }
    if (c < n_words) {
        __m512i index = _mm512_mullo_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                           _mm512_set1_epi64((long long)stride));
        __m512i words = _mm512_i64gather_epi64(index, rows + c, 8);
        columns[c].eight_rows[k] = eight_columns(transpose_words(words));
    }
}

/* 16 multiplications for eight rows of 64 columns. */
INLINE void add_images(__m512i image[16], const struct columns *columns, size_t n_eights,
                       const struct linear64 *maps)
{
    __m512i sum[16];
    UNROLLED
    for (int c = 0; c < 16; c++) {
        sum[c] = image[c];
    }
    for (size_t k = 0; k < n_eights; k += 2) {
        const uint64_t(*matrix)[16] = (const uint64_t(*)[16])maps[k / 8].words + k % 8;
        __m512i x0 = columns->eight_rows[k], x1 = columns->eight_rows[k + 1];
        UNROLLED
        for (int c = 0; c < 16; c++) {
            __m512i m0 = _mm512_set1_epi64((long long)matrix[0][c]);
            __m512i m1 = _mm512_set1_epi64((long long)matrix[1][c]);
            sum[c] = xor3(sum[c], product(x0, m0), product(x1, m1));
        }
    }
    UNROLLED
    for (int c = 0; c < 16; c++) {
        image[c] = sum[c];
    }
}

/* In each 128-bit lane: byte j of register i <-> byte i of register j. 64 operations. */
INLINE void transpose_16x16(__m512i v[16])
{
    /* A perfect shuffle of the 256 bytes rotates their 8-bit addresses; four exchange the halves.
     */
    UNROLLED
    for (int round = 0; round < 4; round++) {
        __m512i t[16];
        UNROLLED
        for (int i = 0; i < 8; i++) {
            t[2 * i] = _mm512_unpacklo_epi8(v[i], v[i + 8]);
            t[2 * i + 1] = _mm512_unpackhi_epi8(v[i], v[i + 8]);
        }
        UNROLLED
        for (int i = 0; i < 16; i++) {
            v[i] = t[i];
        }
    }
}

/* sums[s] += column s of the images */
static void add_columns(gf128 sums[64], const __m512i image[16])
{
    __m512i v[16];
    UNROLLED
    for (int c = 0; c < 16; c++) {
        v[c] = image[c];
    }
    transpose_16x16(v);
    gf128 elements[64];
    UNROLLED
    for (int i = 0; i < 16; i++) {
        _mm_storeu_si128((__m128i *)(elements + i), _mm512_castsi512_si128(v[i]));
        _mm_storeu_si128((__m128i *)(elements + 16 + i), _mm512_extracti64x2_epi64(v[i], 1));
        _mm_storeu_si128((__m128i *)(elements + 32 + i), _mm512_extracti64x2_epi64(v[i], 2));
        _mm_storeu_si128((__m128i *)(elements + 48 + i), _mm512_extracti64x2_epi64(v[i], 3));
    }
    for (int i = 0; i < 64; i++) {
        sums[i] = gf128_add(sums[i], elements[i]);
    }
}

/* Zero data is common: circuits leave columns unused. */
static bool is_zero(const struct columns *columns, size_t n_eights)
{
    __m512i any = columns->eight_rows[0];
    for (size_t k = 1; k < n_eights; k++) {
        any = _mm512_or_si512(any, columns->eight_rows[k]);
    }
    return _mm512_test_epi64_mask(any, any) == 0;
}

/* Up to eight words of all rows. */
static void sum_tile(gf128 *sums, const uint64_t *rows, size_t stride_words, size_t n_words,
                     size_t n_rows, const struct linear64 *maps)
{
    __m512i image[TILE_WORDS][16];
    struct columns columns[TILE_WORDS];

    memset(image, 0, n_words * sizeof image[0]);
    for (size_t y = 0; y < n_rows; y += BLOCK_ROWS) {
        size_t n_eights = (n_rows - y < BLOCK_ROWS ? n_rows - y : BLOCK_ROWS) / 8;
        for (size_t k = 0; k < n_eights; k++) {
            gather(columns, k, rows + (y + 8 * k) * stride_words, stride_words, n_words);
        }
        for (size_t c = 0; c < n_words; c++) {
            if (n_eights % 2 != 0) {
                columns[c].eight_rows[n_eights] = _mm512_setzero_si512();
            }
            if (!is_zero(&columns[c], n_eights)) {
                add_images(image[c], &columns[c], n_eights, maps + y / 64);
            }
        }
    }
    for (size_t c = 0; c < n_words; c++) {
        add_columns(sums + 64 * c, image[c]);
    }
}

void avx512_linear64_columns(gf128 *sums, const uint64_t *rows, size_t stride_words, size_t n_words,
                             size_t n_rows, const struct linear64 *maps)
{
    for (size_t c = 0; c < n_words; c += TILE_WORDS) {
        size_t n = n_words - c < TILE_WORDS ? n_words - c : TILE_WORDS;
        sum_tile(sums + 64 * c, rows + c, stride_words, n, n_rows, maps);
    }
}
