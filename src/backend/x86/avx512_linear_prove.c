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
    struct bytes16x8 x = transpose_elements(v0, v1, IN_ORDER);

    join_elements(&v0, &v1, image_of_elements(x, low, high));
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
enum { BLOCK_ROWS = 64, TILE_WORDS = 8 };

struct columns {
    __m512i eight_rows[BLOCK_ROWS / 8];
};

/* Eight rows of two words, 16 bytes each (`single`: of one): 2 registers of columns. */
INLINE void gather(__m512i columns[2], const uint64_t *rows, size_t stride, bool single)
{
    __m128i v[8];
    UNROLLED
    for (size_t y = 0; y < 8; y++) {
        v[y] = single ? _mm_loadl_epi64((const __m128i *)(rows + y * stride))
                      : _mm_loadu_si128((const __m128i *)(rows + y * stride));
    }
    __m512i halves[2];
    UNROLLED
    for (int h = 0; h < 2; h++) {
        __m512i four = _mm512_castsi128_si512(v[4 * h]);
        four = _mm512_inserti64x2(four, v[4 * h + 1], 1);
        four = _mm512_inserti64x2(four, v[4 * h + 2], 2);
        halves[h] = _mm512_inserti64x2(four, v[4 * h + 3], 3);
    }
    /* Lane b: bytes b of the rows; the product by a diagonal turns the bits of a lane over. */
    const __m512i diagonal = _mm512_set1_epi64((long long)0x8040201008040201);
    struct bytes16x8 bytes = transpose_elements(halves[0], halves[1], REVERSED);
    columns[0] = product(diagonal, bytes.low);
    columns[1] = product(diagonal, bytes.high);
}

/* 16 multiplications for eight rows of 64 columns. */
INLINE void add_images(__m512i image[16], const struct columns *columns, unsigned n_eights,
                       const struct linear64 *map)
{
    const uint64_t(*matrix)[16] = (const uint64_t(*)[16])map->words;
    __m512i sum[16];
    UNROLLED
    for (int c = 0; c < 16; c++) {
        sum[c] = image[c];
    }
    for (unsigned k = 0; k < n_eights; k += 2) {
        __m512i x0 = columns->eight_rows[k], x1 = columns->eight_rows[k + 1];
        UNROLLED
        for (int c = 0; c < 16; c++) {
            __m512i m0 = _mm512_set1_epi64((long long)matrix[k][c]);
            __m512i m1 = _mm512_set1_epi64((long long)matrix[k + 1][c]);
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

/* Up to eight words of all rows. */
static void sum_tile(gf128 *sums, const uint64_t *rows, size_t stride_words, size_t n_words,
                     size_t n_rows, const struct linear64 *maps)
{
    __m512i image[TILE_WORDS][16];
    struct columns columns[TILE_WORDS];

    memset(image, 0, n_words * sizeof image[0]);
    for (size_t y = 0; y < n_rows; y += BLOCK_ROWS) {
        size_t n_eights = n_rows - y < BLOCK_ROWS ? (n_rows - y) / 8 : BLOCK_ROWS / 8;
        __m512i any[TILE_WORDS];
        memset(any, 0, sizeof any);
        for (size_t k = 0; k < n_eights; k++) {
            const uint64_t *eight_rows = rows + (y + 8 * k) * stride_words;
            for (size_t c = 0; c < n_words; c += 2) {
                __m512i pair[2];
                gather(pair, eight_rows + c, stride_words, c + 1 == n_words);
                for (size_t i = 0; i < 2; i++) {
                    columns[c + i].eight_rows[k] = pair[i];
                    any[c + i] = _mm512_or_si512(any[c + i], pair[i]);
                }
            }
        }
        for (size_t c = 0; c < n_words; c++) {
            if (_mm512_test_epi64_mask(any[c], any[c]) == 0) {
                continue;
            }
            if (n_eights % 2 != 0) {
                columns[c].eight_rows[n_eights] = _mm512_setzero_si512();
            }
            add_images(image[c], &columns[c], (unsigned)n_eights, &maps[y / BLOCK_ROWS]);
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
