/* GF(2)-linear maps for the backend "neon": nibble_map.h, 64 arguments at a time. */
#include "backend/arm64/arm64.h"
#include "backend/arm64/nibble_map.h"
#include "backend/masked_rows.h"

void neon_linear64_prepare(struct linear64 *map, const gf128 weights[64])
{
    nibble_map_prepare(nibble_map(map), weights);
}

static inline void store_elements(gf128 elements[16], const uint8x16_t v[16])
{
    UNROLLED
    for (int i = 0; i < 16; i++) {
        vst1q_u8((uint8_t *)(elements + i), v[i]);
    }
}

static inline void add_elements(gf128 elements[16], const uint8x16_t v[16])
{
    UNROLLED
    for (int i = 0; i < 16; i++) {
        uint8_t *element = (uint8_t *)(elements + i);
        vst1q_u8(element, veorq_u8(vld1q_u8(element), v[i]));
    }
}

static inline void linear128_block(gf128 dst[64], const gf128 src[64], const struct nibble_map *low,
                                   const struct nibble_map *high, bool add)
{
    struct bytes64 bytes[16], image[16];
    uint8x16_t v[16];

    for (int q = 0; q < 4; q++) {
        load_elements(v, src + 16 * q);
        transpose_bytes(v);
        for (int c = 0; c < 16; c++) {
            bytes[c].quarter[q] = v[c];
            image[c].quarter[q] = vdupq_n_u8(0);
        }
    }
    add_images(image, bytes, 8, low);
    add_images(image, bytes + 8, 8, high);
    for (int q = 0; q < 4; q++) {
        join_bytes(v, image, q);
        if (add) {
            add_elements(dst + 16 * q, v);
        } else {
            store_elements(dst + 16 * q, v);
        }
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

void neon_linear128_apply(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                          const struct linear64 *high)
{
    linear128(dst, src, n, low, high, false);
}

void neon_linear128_add(gf128 *dst, const gf128 *src, size_t n, const struct linear64 *low,
                        const struct linear64 *high)
{
    linear128(dst, src, n, low, high, true);
}

/*
 * 64 words as 32 pairs: transposed like elements, registers 0..7 are the bytes of the even words
 * and 8..15 those of the odd ones. Quarters: even and odd words of the first 16 pairs, the same of
 * the second.
 */
void neon_map_words(gf128 images[64], const uint64_t words[64], const struct linear64 *map)
{
    struct bytes64 bytes[8], image[16];
    uint8x16_t v[16];

    for (int half = 0; half < 2; half++) {
        load_elements(v, (const gf128 *)(words + 32 * half));
        transpose_bytes(v);
        for (int k = 0; k < 8; k++) {
            bytes[k].quarter[2 * half] = v[k];
            bytes[k].quarter[2 * half + 1] = v[k + 8];
        }
    }
    for (int c = 0; c < 16; c++) {
        image[c] = no_bytes();
    }
    add_images(image, bytes, 8, const_nibble_map(map));
    for (int q = 0; q < 4; q++) {
        join_bytes(v, image, q);
        for (int i = 0; i < 16; i++) {
            vst1q_u8((uint8_t *)(images + 32 * (q / 2) + 2 * i + q % 2), v[i]);
        }
    }
}

/*
 * Two 8 x 8 bit matrices, bit c of byte r of a 64-bit word <-> bit r of byte c: blocks of 1, 2, 4
 * bits change sides.
 */
static inline uint64x2_t transpose_bits(uint64x2_t m)
{
    uint64x2_t t;

    t = vandq_u64(veorq_u64(m, vshrq_n_u64(m, 7)), vdupq_n_u64(0x00aa00aa00aa00aa));
    m = veorq_u64(m, veorq_u64(t, vshlq_n_u64(t, 7)));
    t = vandq_u64(veorq_u64(m, vshrq_n_u64(m, 14)), vdupq_n_u64(0x0000cccc0000cccc));
    m = veorq_u64(m, veorq_u64(t, vshlq_n_u64(t, 14)));
    t = vandq_u64(veorq_u64(m, vshrq_n_u64(m, 28)), vdupq_n_u64(0x00000000f0f0f0f0));
    return veorq_u64(m, veorq_u64(t, vshlq_n_u64(t, 28)));
}

/*
 * Rows y = 0..7 of one word each -> byte s holds bit s of all eight. Byte 8 y + b of the rows goes
 * to byte 8 b + y by one look-up a quarter, which has b = 2 q and 2 q + 1; then bits move
 * within 64.
 */
static inline struct bytes64 columns_of_8_rows(struct masked_rows rows)
{
    static const uint8_t first_bytes[16] = {0, 8, 16, 24, 32, 40, 48, 56,
                                            1, 9, 17, 25, 33, 41, 49, 57};
    uint8x16x4_t words;
    struct bytes64 columns;

    UNROLLED
    for (size_t i = 0; i < 4; i++) {
        uint64x1_t even = vcreate_u64(row_word(rows, 2 * i, 0));
        uint64x1_t odd = vcreate_u64(row_word(rows, 2 * i + 1, 0));
        words.val[i] = vreinterpretq_u8_u64(vcombine_u64(even, odd));
    }
    UNROLLED
    for (int q = 0; q < 4; q++) {
        uint8x16_t index = vaddq_u8(vld1q_u8(first_bytes), vdupq_n_u8((uint8_t)(2 * q)));
        uint64x2_t gathered = vreinterpretq_u64_u8(vqtbl4q_u8(words, index));
        columns.quarter[q] = vreinterpretq_u8_u64(transpose_bits(gathered));
    }
    return columns;
}

/* Adds the images of column 0 of n_rows <= 64 rows. */
static inline void add_column(struct bytes64 image[16], struct masked_rows rows, size_t n_rows,
                              const struct linear64 *map)
{
    struct bytes64 bytes[8];
    for (size_t k = 0; k < n_rows / 8; k++) {
        bytes[k] = columns_of_8_rows(rows_from(rows, 8 * k, 0));
    }
    add_images(image, bytes, (unsigned)(n_rows / 8), const_nibble_map(map));
}

void neon_linear64_columns(gf128 *sums, const uint64_t *rows, const uint64_t *mask,
                           size_t stride_words, size_t n_words, size_t n_rows,
                           const struct linear64 *maps)
{
    struct masked_rows all = {rows, mask, stride_words};
    for (size_t c = 0; c < n_words; c++) {
        struct bytes64 image[16];
        uint8x16_t v[16];

        for (int i = 0; i < 16; i++) {
            image[i] = no_bytes();
        }
        for (size_t y = 0; y < n_rows; y += 64) {
            add_column(image, rows_from(all, y, c), n_rows - y < 64 ? n_rows - y : 64,
                       &maps[y / 64]);
        }
        for (int q = 0; q < 4; q++) {
            join_bytes(v, image, q);
            add_elements(sums + 64 * c + 16 * q, v);
        }
    }
}
